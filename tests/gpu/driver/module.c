// Modules are PTX alone: a cubin is for hardware. What a driver of the version that is pretended,
// or a device of that architecture, wouldn't take is refused as there, with the compiler's words in
// the caller's log.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "card.h"
#include "ptx/ptx.h"

enum { LOG_SIZE = 600 };

// What a driver looks at before it compiles.

/// The newest PTX that comes with a version of CUDA, 85 for 8.5.
static int newest_ptx(int version) {
    int major = version / 1000, minor = version % 1000 / 10;
    if (major >= 13)
        return 90 + minor;
    if (major == 12)
        return 80 + (minor <= 5 ? minor : minor - 1);
    return 70 + minor;
}

/// The number that follows a word, 85 for "8.5".
static int number_after(const char *text, const char *word) {
    const char *at = strstr(text, word);
    int major = 0, minor = 0;
    if (!at || sscanf(at + strlen(word), " %d.%d", &major, &minor) < 1)
        return -1;
    return 10 * major + minor;
}

static int check_header(const char *text, int *target, char *log) {
    int version = number_after(text, ".version"), arch = card.settings.arch;
    const char *at = strstr(text, ".target");
    int length = 0;
    if (version < 0 || !at || sscanf(at, ".target sm_%d%n", target, &length) != 1) {
        snprintf(log, LOG_SIZE, "ptxas fatal: no .version or no .target sm_NN");
        return CUDA_ERROR_INVALID_PTX;
    }
    if (version > newest_ptx(card.settings.version)) {
        snprintf(log, LOG_SIZE, "ptxas fatal: unsupported .version %d.%d; current version is %d.%d",
                 version / 10, version % 10, newest_ptx(card.settings.version) / 10,
                 newest_ptx(card.settings.version) % 10);
        return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
    }
    bool is_exact = at[length] == 'a';
    if (is_exact ? *target != arch : *target > arch) {
        snprintf(log, LOG_SIZE,
                 "ptxas fatal: a program with .target 'sm_%d%s' cannot be compiled for sm_%d",
                 *target, is_exact ? "a" : "", arch);
        return CUDA_ERROR_INVALID_PTX;
    }
    if (number_after(text, ".address_size") != 640) {
        snprintf(log, LOG_SIZE, "ptxas fatal: no .address_size 64");
        return CUDA_ERROR_INVALID_PTX;
    }
    return CUDA_SUCCESS;
}

// Variables.

static size_t whole_pages(size_t size) {
    return (size + 4095) / 4096 * 4096;
}

/// Gives a variable an address for the program. False: no memory.
static bool place_variable(struct card_module *module, struct ptx_variable *variable,
                           uint64_t *address) {
    struct card_device *device = &card.devices[module->context->device];
    size_t size = variable->size ? variable->size : 1;
    unsigned char *bytes = variable->storage;
    *address = card_address_take(size);
    if (!*address)
        return false;
    if (variable->space == PTX_GLOBAL) {
        if (whole_pages(size) > card.settings.memory - device->used)
            return false;
        bytes = card_bytes_create(whole_pages(size));
        if (!bytes)
            return false;
        device->used += whole_pages(size);
        variable->address = *address;
    }
    card_piece_add(&(struct card_piece){.begin = *address,
                                        .end = *address + size,
                                        .bytes = bytes,
                                        .origin = CARD_VARIABLE,
                                        .context = module->context});
    return true;
}

static void drop_variables(struct card_module *module) {
    struct ptx_variable *variables;
    size_t count = ptx_variables(module->code, &variables);
    for (size_t i = 0; i < count; i++) {
        const struct card_piece *piece = card_piece_find(module->addresses[i]);
        if (!module->addresses[i] || !piece)
            continue;
        size_t size = whole_pages(piece->end - piece->begin);
        if (variables[i].space == PTX_GLOBAL) {
            munmap(piece->bytes, size);
            card.devices[module->context->device].used -= size;
        }
        card_piece_remove(module->addresses[i]);
    }
    free(module->addresses);
}

static int place_variables(struct card_module *module, char *log) {
    struct ptx_variable *variables;
    size_t count = ptx_variables(module->code, &variables);
    module->addresses = card_allocate(count, sizeof *module->addresses);
    for (size_t i = 0; i < count; i++) {
        if (variables[i].is_extern) {
            snprintf(log, LOG_SIZE, "ptxas fatal: unresolved extern variable '%s'",
                     variables[i].name);
            return CUDA_ERROR_INVALID_PTX;
        }
        if (!place_variable(module, &variables[i], &module->addresses[i]))
            return CUDA_ERROR_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const struct card_piece *piece = card_piece_find(module->addresses[i]);
        ptx_initialise(module->code, i, piece->bytes);
    }
    return CUDA_SUCCESS;
}

// Loading.

static void destroy(struct card_module *module) {
    drop_variables(module);
    while (module->functions) {
        struct card_function *function = module->functions;
        module->functions = function->next;
        card_handle_remove(CARD_KIND_FUNCTION, function->handle);
        free(function);
    }
    ptx_free(module->code);
    free(module);
}

static int load(const char *image, void **handle, char *log) {
    static const unsigned char fat[4] = {0x50, 0xed, 0x55, 0xba};
    if (!image || !handle)
        return CUDA_ERROR_INVALID_VALUE;
    if (memcmp(image, "\177ELF", 4) == 0 || memcmp(image, fat, 4) == 0)
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    int target = 0, result = check_header(image, &target, log);
    if (result)
        return result;
    struct ptx_module *code = ptx_parse(image, log, LOG_SIZE);
    if (!code) {
        fprintf(stderr, "test driver: %s: %s\n", card_call(), log);
        return CUDA_ERROR_INVALID_PTX;
    }
    struct card_module *module = card_allocate(1, sizeof *module);
    *module = (struct card_module){.context = card_current(), .code = code, .target = target};
    result = place_variables(module, log);
    if (result) {
        destroy(module);
        return result;
    }
    module->handle = card_handle_add(CARD_KIND_MODULE, module);
    *handle = (void *)module->handle;
    return CUDA_SUCCESS;
}

/// Where a caller wants texts: a buffer and its size, among the options.
static void give_log(const char *log, unsigned count, const int *options, void **values) {
    char *buffer = NULL;
    void **size = NULL;
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == CARD_JIT_ERROR_LOG)
            buffer = values[i];
        if (options[i] == CARD_JIT_ERROR_LOG_SIZE)
            size = &values[i];
    }
    if (!size)
        return;
    size_t room = (unsigned)(uintptr_t)*size, length = strlen(log) + 1;
    if (length > room)
        length = room;
    if (buffer && room > 0) {
        memcpy(buffer, log, length);
        buffer[length - 1] = 0;
    }
    *size = (void *)(length && *log ? length : 0);
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options,
                       void **values) {
    char log[LOG_SIZE] = "";
    int result = card_enter("cuModuleLoadDataEx", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    if (count > 0 && (!options || !values))
        card_misuse("%u options, but no arrays of them", count);
    card_flush_output(card_current());
    result = load(image, module, log);
    give_log(log, count, options, values);
    return card_leave(result);
}

int cuModuleLoadData(void **module, const void *image) {
    char log[LOG_SIZE] = "";
    int result = card_enter("cuModuleLoadData", CARD_CONTEXT);
    return card_leave(result ? result : load(image, module, log));
}

static struct card_module *find_module(void *handle) {
    struct card_module *module = card_handle_find(CARD_KIND_MODULE, (uint64_t)handle);
    if (module->context != card_current())
        card_misuse("the module is of device %d, the current context of device %d",
                    module->context->device, card_current()->device);
    return module;
}

int cuModuleUnload(void *handle) {
    int result = card_enter("cuModuleUnload", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    struct card_module *module = find_module(handle);
    card_check_not_running(module);
    struct ptx_variable *variables;
    size_t count = ptx_variables(module->code, &variables);
    for (size_t i = 0; i < count; i++)
        card_check_unused(module->addresses[i], module->addresses[i] + variables[i].size);
    card_flush_output(module->context);
    card_handle_remove(CARD_KIND_MODULE, module->handle);
    destroy(module);
    return card_leave(CUDA_SUCCESS);
}

int cuModuleGetGlobal_v2(uint64_t *address, size_t *size, void *handle, const char *name) {
    int result = card_enter("cuModuleGetGlobal_v2", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    const struct card_module *module = find_module(handle);
    struct ptx_variable *variables;
    size_t count = ptx_variables(module->code, &variables);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(variables[i].name, name) != 0)
            continue;
        if (address)
            *address = module->addresses[i];
        if (size)
            *size = variables[i].size;
        return card_leave(CUDA_SUCCESS);
    }
    return card_leave(CUDA_ERROR_NOT_FOUND);
}

// Functions.

struct card_function *card_function_find(void *handle) {
    struct card_function *function = card_handle_find(CARD_KIND_FUNCTION, (uint64_t)handle);
    if (function->module->context != card_current())
        card_misuse("the function is of device %d, the current context of device %d",
                    function->module->context->device, card_current()->device);
    return function;
}

int cuModuleGetFunction(void **handle, void *module_handle, const char *name) {
    int result = card_enter("cuModuleGetFunction", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    struct card_module *module = find_module(module_handle);
    const struct ptx_function *code = name ? ptx_find(module->code, name) : NULL;
    if (!code)
        return card_leave(CUDA_ERROR_NOT_FOUND);
    struct card_function *function = module->functions;
    while (function && function->code != code)
        function = function->next;
    if (!function) {
        function = card_allocate(1, sizeof *function);
        *function = (struct card_function){.module = module,
                                           .next = module->functions,
                                           .code = code,
                                           .max_dynamic_shared = CARD_SHARED_BLOCK,
                                           .carveout = -1};
        if (code->shared_size < CARD_SHARED_BLOCK)
            function->max_dynamic_shared -= (int)code->shared_size;
        function->handle = card_handle_add(CARD_KIND_FUNCTION, function);
        module->functions = function;
    }
    *handle = (void *)function->handle;
    return card_leave(CUDA_SUCCESS);
}

int cuFuncGetAttribute(int *value, int attribute, void *handle) {
    int result = card_enter("cuFuncGetAttribute", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    const struct card_function *function = card_function_find(handle);
    const struct ptx_function *code = function->code;
    const int values[] = {
        [CARD_FUNCTION_MAX_THREADS] = (int)code->max_threads,
        [CARD_FUNCTION_SHARED] = (int)code->shared_size,
        [CARD_FUNCTION_CONST] = 0,
        [CARD_FUNCTION_LOCAL] = (int)code->local_size,
        [CARD_FUNCTION_REGISTERS] = (int)code->register_count,
        [CARD_FUNCTION_PTX_VERSION] = function->module->target,
        [CARD_FUNCTION_BINARY_VERSION] = card.settings.arch,
        [CARD_FUNCTION_CACHE_MODE] = 0,
        [CARD_FUNCTION_MAX_DYNAMIC_SHARED] = function->max_dynamic_shared,
        [CARD_FUNCTION_CARVEOUT] = function->carveout,
    };
    if (attribute < 0 || attribute > CARD_FUNCTION_CARVEOUT)
        return card_leave(CUDA_ERROR_INVALID_VALUE);
    *value = values[attribute];
    return card_leave(CUDA_SUCCESS);
}

int cuFuncSetAttribute(void *handle, int attribute, int value) {
    int result = card_enter("cuFuncSetAttribute", CARD_CONTEXT);
    if (result)
        return card_leave(result);
    struct card_function *function = card_function_find(handle);
    if (attribute == CARD_FUNCTION_CARVEOUT && value >= -1 && value <= 100) {
        function->carveout = value;
        return card_leave(CUDA_SUCCESS);
    }
    if (attribute != CARD_FUNCTION_MAX_DYNAMIC_SHARED || value < 0 ||
        (size_t)value + function->code->shared_size > CARD_SHARED_OPTIN)
        return card_leave(CUDA_ERROR_INVALID_VALUE);
    function->max_dynamic_shared = value;
    return card_leave(CUDA_SUCCESS);
}

int cuFuncSetCacheConfig(void *handle, int config) {
    int result = card_enter("cuFuncSetCacheConfig", CARD_CONTEXT);
    if (!result)
        result = config < 0 || config > 3 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    if (!result)
        card_function_find(handle);
    return card_leave(result);
}
