// An object's GPU code becomes a module at the first launch of one of its kernels: of the code that
// the GPU can run, machine code before PTX, and the latest.
//
// Before each launch the module is told where variables are, if they have moved, and gets what
// those in the constant bank hold, if that may have changed: whoever writes the GPU's memory tells,
// once that is done.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/map.h"
#include "base/name.h"
#include "exec/code/registry.h"
#include "exec/code/vendor.h"
#include "exec/device/cuda/state.h"

enum { LOG_SIZE = 8192 };

/// A variable's place in the constant bank.
struct banked {
    const struct gcl_variable *variable;
    gcl_cu_address place;
};

struct module {
    const struct gcl_code *code;
    void *handle;         ///< NULL: it can't be loaded
    char why[256];        ///< it can't, for people
    gcl_cu_address table; ///< where it reads addresses of variables; 0: it doesn't
    size_t address_count;
    uint64_t *addresses; ///< what stands there
    struct banked *banked;
    uint32_t banked_count;
    uint64_t copied; ///< `changes` when its constants were copied; 0: they weren't yet
    struct module *next;
};

/// A kernel as the driver knows it.
struct function {
    struct module *module;
    void *handle;         ///< NULL: it has no GPU code
    uint32_t shared_size; ///< dynamic, that it may have
};

static struct {
    pthread_mutex_t lock;
    struct module *modules;
    struct gcl_map functions; ///< by kernel
    uint64_t changes;         ///< of variables in the constant bank, from 1
    atomic_bool has_banked;   ///< there are such
} loaded = {.lock = PTHREAD_MUTEX_INITIALIZER, .changes = 1};

static bool can_run(const struct gcl_gpu_code *code) {
    int architecture = (int)code->architecture;
    if (code->flags & GCL_GPU_EXACT)
        return architecture == gcl_cuda.capability;
    if (code->kind == GCL_GPU_CUBIN && architecture / 10 != gcl_cuda.capability / 10)
        return false;
    return architecture <= gcl_cuda.capability;
}

/// Machine code comes before PTX, and of either the latest.
static bool is_better(const struct gcl_gpu_code *a, const struct gcl_gpu_code *b) {
    if (!b || a->kind != b->kind)
        return !b || a->kind == GCL_GPU_CUBIN;
    if (a->architecture != b->architecture)
        return a->architecture > b->architecture;
    return (a->flags & GCL_GPU_EXACT) != 0;
}

/// What of an object's code this GPU runs; NULL: it has none.
static const struct gcl_gpu_code *choose_code(const struct gcl_code *code) {
    const struct gcl_gpu_code *best = NULL;
    for (uint32_t i = 0; i < code->gpu_code_count; i++) {
        if (can_run(&code->gpu_code[i]) && is_better(&code->gpu_code[i], best))
            best = &code->gpu_code[i];
    }
    return best;
}

bool gcl_device_cuda_runs(const struct gcl_code *code) {
    return choose_code(code) != NULL;
}

// Kernels that GPUs can't run have no entry in PTX, which is found as text: loading takes longer.

struct name {
    const char *text;
    size_t size;
};

static int compare(const void *a, const void *b) {
    const struct name *x = a, *y = b;
    int order = memcmp(x->text, y->text, x->size < y->size ? x->size : y->size);
    return order ? order : (x->size > y->size) - (x->size < y->size);
}

/// The names of entries in PTX, sorted and to be freed; NULL: no memory.
static struct name *list_entries(const char *ptx, size_t *count) {
    static const char mark[] = ".entry ";
    struct name *names = NULL;
    size_t room = 0;
    *count = 0;
    for (const char *at = ptx; (at = strstr(at, mark)) != NULL; ++*count) {
        if (*count == room) {
            room = 2 * room + 64;
            struct name *more = realloc(names, room * sizeof *names);
            if (!more) {
                free(names);
                return NULL;
            }
            names = more;
        }
        at += sizeof mark - 1;
        names[*count] = (struct name){at, strcspn(at, "( \t\n")};
    }
    if (names)
        qsort(names, *count, sizeof *names, compare);
    return names ? names : calloc(1, sizeof *names);
}

const struct gcl_kernel *gcl_device_cuda_lacks(const struct gcl_code *code) {
    const struct gcl_gpu_code *chosen = choose_code(code);
    const struct gcl_kernel *lacking = NULL;
    size_t count = 0;
    if (!chosen || chosen->kind != GCL_GPU_PTX)
        return NULL;
    struct name *names = list_entries(chosen->bytes, &count);
    for (uint32_t i = 0; names && i < code->kernel_count && !lacking; i++) {
        const struct name name = {code->kernels[i].name, strlen(code->kernels[i].name)};
        if (!bsearch(&name, names, count, sizeof *names, compare))
            lacking = &code->kernels[i];
    }
    free(names);
    return lacking;
}

// Loading; the lock is held.

static void say_why(struct module *module, int error, const char *log) {
    const struct gcl_driver_error e = gcl_driver_error(gcl_cuda.driver, error);
    snprintf(module->why, sizeof module->why, "the driver can't load the GPU code of %s: %s (%s)",
             module->code->source, e.text, e.name);
    if (log[0])
        gcl_log(GCL_LOG_ERROR, "%s says: %s", module->code->source, log);
}

static bool load_code(struct module *module) {
    const struct gcl_gpu_code *code = choose_code(module->code);
    if (!code) {
        snprintf(module->why, sizeof module->why, "%s has no code for this GPU (sm_%d)",
                 module->code->source, gcl_cuda.capability);
        return false;
    }
    char log[LOG_SIZE] = "";
    int options[] = {GCL_CU_JIT_ERRORS, GCL_CU_JIT_ERRORS_SIZE};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    assert(code->kind != GCL_GPU_PTX || ((const char *)code->bytes)[code->size - 1] == 0);
    int error = gcl_cuda.driver->module_load(&module->handle, code->bytes, 2, options, values);
    if (error == GCL_CU_OK)
        return true;
    module->handle = NULL;
    say_why(module, error, log);
    return false;
}

/// Where the module has a variable of at least `*size` bytes, and how many it has; 0: nowhere. The
/// driver isn't asked for what can't be there, which tools would report as an error.
static gcl_cu_address find_place(const struct module *module, const char *name, size_t *size) {
    const struct gcl_gpu_code *code = choose_code(module->code);
    gcl_cu_address place = 0;
    size_t least = *size;
    if (!memmem(code->bytes, code->size, name, strlen(name)))
        return 0;
    int error = gcl_cuda.driver->module_variable(&place, size, module->handle, name);
    return error == GCL_CU_OK && *size >= least ? place : 0;
}

/// Finds what of the module's variables is copied. False: no memory.
static bool find_variables(struct module *module) {
    const struct gcl_code *code = module->code;
    size_t size = 0;
    module->table = find_place(module, "gcl_addresses", &size);
    module->address_count = module->table ? size / sizeof(uint64_t) : 0;
    module->addresses = calloc(module->address_count + 1, sizeof *module->addresses);
    module->banked = calloc(code->gpu_variable_count + (size_t)1, sizeof *module->banked);
    for (uint32_t i = 0; module->banked && i < code->gpu_variable_count; i++) {
        const struct gcl_variable *variable = code->gpu_variables[i];
        char name[32];
        if (!(variable->flags & GCL_VARIABLE_BANKED))
            continue;
        snprintf(name, sizeof name, "gcl_constant_%u", i);
        size = variable->size;
        gcl_cu_address place = find_place(module, name, &size);
        if (place)
            module->banked[module->banked_count++] = (struct banked){variable, place};
    }
    if (module->banked_count > 0)
        atomic_store(&loaded.has_banked, true);
    return module->addresses && module->banked;
}

static struct module *find_module(const struct gcl_code *code) {
    struct module *module = loaded.modules;
    while (module && module->code != code)
        module = module->next;
    if (module)
        return module;
    module = calloc(1, sizeof *module);
    if (!module)
        return NULL;
    *module = (struct module){.code = code, .next = loaded.modules};
    if (load_code(module) && !find_variables(module))
        snprintf(module->why, sizeof module->why, "no memory to load the GPU code of %s",
                 code->source);
    loaded.modules = module;
    return module;
}

static struct function *find_function(const struct gcl_kernel *kernel) {
    struct function *function = gcl_map_get(&loaded.functions, kernel);
    const struct gcl_code *code = function ? NULL : gcl_registry_code(kernel);
    if (function || !code)
        return function;
    struct module *module = find_module(code);
    function = module ? calloc(1, sizeof *function) : NULL;
    if (!function)
        return NULL;
    function->module = module;
    if (!module->why[0] && gcl_cuda.driver->module_function(&function->handle, module->handle,
                                                            kernel->name) != GCL_CU_OK)
        function->handle = NULL;
    if (gcl_map_set(&loaded.functions, kernel, function))
        return function;
    free(function);
    return NULL;
}

// Before launches; the lock is held.

static uint64_t address_of(const struct module *module, size_t index) {
    const struct gcl_code *code = module->code;
    if (index < code->gpu_variable_count)
        return (uintptr_t)*code->gpu_variables[index]->address;
    return code->image ? (uintptr_t)*code->image->address : 0;
}

/// Whether variables have moved since the module was told where they are.
static bool find_addresses(struct module *module) {
    bool has_moved = false;
    for (size_t i = 0; i < module->address_count; i++) {
        uint64_t address = address_of(module, i);
        has_moved |= address != module->addresses[i];
        module->addresses[i] = address;
    }
    return has_moved;
}

static bool write_addresses(const struct module *module, struct gcl_cuda_lane *lane) {
    const struct gcl_cuda_rows row = {.target = (unsigned char *)(uintptr_t)module->table,
                                      .source = (const unsigned char *)module->addresses,
                                      .width = module->address_count * sizeof(uint64_t),
                                      .count = 1};
    return gcl_cuda_move_rows(&row, lane);
}

static bool copy_constants(const struct module *module, const struct gcl_cuda_lane *lane) {
    bool ok = true;
    for (uint32_t i = 0; i < module->banked_count && ok; i++) {
        const struct gcl_variable *variable = module->banked[i].variable;
        ok = gcl_cuda_check(gcl_cuda.driver->copy(module->banked[i].place,
                                                  (uintptr_t)*variable->address, variable->size,
                                                  lane->stream),
                            "copy constants");
    }
    return ok;
}

/// Brings a module up to date, on a lane of its own: launches on any lane count on it.
static bool update(struct module *module) {
    bool has_moved = find_addresses(module);
    bool has_changed = module->banked_count > 0 && module->copied != loaded.changes;
    if (!has_moved && !has_changed)
        return true;
    struct gcl_cuda_lane *lane = gcl_cuda_lane_take();
    if (!lane)
        return false;
    bool ok = (!has_moved || write_addresses(module, lane)) && copy_constants(module, lane) &&
              gcl_cuda_lane_wait(lane, "copy constants");
    gcl_cuda_lane_give(lane);
    if (ok)
        module->copied = loaded.changes;
    return ok;
}

/// Whether some of the bytes are a variable's with a copy in a module. The lock is held.
static bool is_banked(uintptr_t begin, size_t size) {
    for (const struct module *m = loaded.modules; m; m = m->next) {
        for (uint32_t i = 0; i < m->banked_count; i++) {
            const struct gcl_variable *variable = m->banked[i].variable;
            uintptr_t place = (uintptr_t)*variable->address;
            if (place < begin + size && begin < place + variable->size)
                return true;
        }
    }
    return false;
}

bool gcl_cuda_is_banked(const void *begin, size_t size) {
    if (!atomic_load(&loaded.has_banked))
        return false;
    pthread_mutex_lock(&loaded.lock);
    bool is = is_banked((uintptr_t)begin, size);
    pthread_mutex_unlock(&loaded.lock);
    return is;
}

void gcl_cuda_note_write(const void *begin, size_t size) {
    if (!atomic_load(&loaded.has_banked))
        return;
    pthread_mutex_lock(&loaded.lock);
    loaded.changes += is_banked((uintptr_t)begin, size);
    pthread_mutex_unlock(&loaded.lock);
}

void *gcl_cuda_function(const struct gcl_kernel *kernel, char *text, size_t size) {
    void *handle = NULL;
    gcl_cuda_enter();
    pthread_mutex_lock(&loaded.lock);
    struct function *function = find_function(kernel);
    if (!function)
        snprintf(text, size, "no memory to load GPU code");
    else if (function->module->why[0])
        snprintf(text, size, "%s", function->module->why);
    else if (!function->handle)
        snprintf(text, size,
                 "%s has no GPU code of this kernel: gcluster-cc --device=all says why, and "
                 "GCL_DEVICE=cpu runs it",
                 function->module->code->source);
    else if (!update(function->module))
        snprintf(text, size, "the GPU has failed");
    else
        handle = function->handle;
    pthread_mutex_unlock(&loaded.lock);
    return handle;
}

int gcl_cuda_allow_shared(const struct gcl_kernel *kernel, void *handle, uint32_t size) {
    int error = GCL_CU_OK;
    pthread_mutex_lock(&loaded.lock);
    struct function *function = gcl_map_get(&loaded.functions, kernel);
    assert(function && function->handle == handle);
    if (size > function->shared_size)
        error =
            gcl_cuda.driver->function_set(handle, GCL_CU_FUNCTION_DYNAMIC_SHARED_SIZE, (int)size);
    if (error == GCL_CU_OK && size > function->shared_size)
        function->shared_size = size;
    pthread_mutex_unlock(&loaded.lock);
    return error;
}

// What the driver says of kernels.

static int fact(void *handle, int attribute) {
    int value = 0;
    return gcl_cuda.driver->function_attribute(&value, attribute, handle) == GCL_CU_OK ? value : 0;
}

/// NULL: the GPU can't run it.
static void *handle_of(const struct gcl_kernel *kernel) {
    gcl_cuda_enter();
    pthread_mutex_lock(&loaded.lock);
    const struct function *function = find_function(kernel);
    void *handle = function ? function->handle : NULL;
    pthread_mutex_unlock(&loaded.lock);
    return handle;
}

bool gcl_cuda_describe(const struct gcl_kernel *kernel, struct gcl_device_kernel *description) {
    *description = (struct gcl_device_kernel){.max_threads = 1};
    if (kernel->flags & GCL_KERNEL_TASK) {
        gcl_cuda_enter();
        return gcl_vendor_of(kernel) != NULL;
    }
    void *handle = handle_of(kernel);
    if (!handle)
        return false;
    *description =
        (struct gcl_device_kernel){.register_count = fact(handle, GCL_CU_FUNCTION_REGISTERS),
                                   .local_size = fact(handle, GCL_CU_FUNCTION_LOCAL_SIZE),
                                   .max_threads = fact(handle, GCL_CU_FUNCTION_MAX_THREADS),
                                   .ptx_version = fact(handle, GCL_CU_FUNCTION_PTX),
                                   .binary_version = fact(handle, GCL_CU_FUNCTION_BINARY)};
    return true;
}

unsigned gcl_cuda_blocks_per_core(const struct gcl_kernel *kernel, unsigned threads,
                                  size_t shared_size) {
    int count = 0;
    void *handle = handle_of(kernel);
    if (!handle || gcl_cuda.driver->blocks_per_multiprocessor(&count, handle, (int)threads,
                                                              shared_size) != GCL_CU_OK)
        return 0;
    return count > 0 ? (unsigned)count : 0;
}
