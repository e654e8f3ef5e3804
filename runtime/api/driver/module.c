// Modules, libraries of kernels, and the linker's state. A module's handle is its own; a function's
// is the address of its kernel, by which the runtime API knows it, too.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/driver/driver.h"
#include "api/driver/image.h"
#include "base/log.h"
#include "exec/code/module.h"
#include "exec/code/registry.h"
#include "exec/engine/engine.h"
#include "exec/spread/spread.h"

/// Also a library, whose handle is the same.
struct CUmod_st {
    struct gcl_module *module;
    CUmodule next;
};

static struct {
    pthread_mutex_t lock;
    CUmodule modules;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_known(CUmodule module) {
    pthread_mutex_lock(&known.lock);
    CUmodule m = known.modules;
    while (m && m != module)
        m = m->next;
    pthread_mutex_unlock(&known.lock);
    return m != NULL;
}

// What the program wants to be told in texts of its own.

struct jit {
    unsigned count;
    const CUjit_option *options;
    void **values;
};

static void *value_of(const struct jit *jit, CUjit_option option) {
    for (unsigned i = 0; i < jit->count; i++) {
        if (jit->options[i] == option)
            return jit->values[i];
    }
    return NULL;
}

static void tell(const struct jit *jit, CUjit_option buffer, CUjit_option size, const char *text) {
    char *out = value_of(jit, buffer);
    size_t most = (size_t)(uintptr_t)value_of(jit, size);
    if (out && most > 0)
        snprintf(out, most, "%s", text);
}

static void tell_all(const struct jit *jit, const char *error) {
    tell(jit, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, error);
    tell(jit, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, "");
    for (unsigned i = 0; i < jit->count; i++) {
        if (jit->options[i] == CU_JIT_WALL_TIME)
            jit->values[i] = NULL; // a float's 0
    }
}

// Loading.

static gclError_t load_image(struct gcl_runtime *runtime, const struct gcl_driver_image *image,
                             struct gcl_module **module) {
    *module = gcl_module_load_again(image->bytes, image->size);
    if (*module)
        return gclSuccess;
    uint32_t number = gcl_module_next_number();
    enum gcl_status status = gcl_module_load(image->bytes, image->size, number, module);
    if (status == GCL_OK && runtime->spread &&
        !gcl_spread_load(runtime->spread, number, image->bytes, image->size))
        return gclErrorNotSupported;
    return gcl_api_error(status);
}

/// Makes all of its kernels and variables ready, so that what is wrong is told now.
static gclError_t prepare(struct gcl_runtime *runtime, const struct gcl_module *module) {
    struct gcl_function *function;
    const struct gcl_kernel *first = gcl_module_find_kernel(module, 0);
    return first ? gcl_api_error(gcl_registry_function(first, runtime->space, &function))
                 : gclSuccess;
}

static CUresult keep(struct gcl_module *loaded, CUmodule *module) {
    CUmodule made = calloc(1, sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&known.lock);
    *made = (struct CUmod_st){loaded, known.modules};
    known.modules = made;
    pthread_mutex_unlock(&known.lock);
    *module = made;
    return CUDA_SUCCESS;
}

static CUresult load(CUmodule *module, const void *bytes, size_t most, const struct jit *jit) {
    struct gcl_driver_image image;
    struct gcl_runtime *runtime;
    struct gcl_module *loaded;
    const char *why = "";
    gclError_t error = gcl_api_enter(&runtime);
    if (error)
        return gcl_driver_result(error);
    if (!module || !bytes)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = gcl_driver_image_read(bytes, most, &image, &why);
    tell_all(jit, why);
    if (result != CUDA_SUCCESS) {
        gcl_log(GCL_LOG_ERROR, "a module can't be loaded: %s", why);
        return result;
    }
    error = load_image(runtime, &image, &loaded);
    free(image.owned);
    if (!error)
        error = prepare(runtime, loaded);
    return error ? gcl_driver_result(error) : keep(loaded, module);
}

/// A file's bytes, to be freed. NULL, and why.
static void *read_file(const char *path, size_t *size, CUresult *why) {
    FILE *file = path ? fopen(path, "rbe") : NULL;
    char *bytes = NULL;
    *why = path ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
    if (!file) {
        gcl_log(GCL_LOG_ERROR, "%s can't be read: %s", path ? path : "a module without a name",
                strerror(errno));
        return NULL;
    }
    if (fseek(file, 0, SEEK_END) == 0 && ftell(file) >= 0) {
        *size = (size_t)ftell(file);
        rewind(file);
        bytes = malloc(*size + 1);
        *why = bytes ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_OUT_OF_MEMORY;
        if (bytes && fread(bytes, 1, *size, file) < *size) {
            free(bytes);
            bytes = NULL;
        }
    }
    fclose(file);
    return bytes;
}

static CUresult load_file(CUmodule *module, const char *path, const struct jit *jit) {
    size_t size;
    CUresult result;
    void *bytes = read_file(path, &size, &result);
    if (!bytes)
        return result;
    result = load(module, bytes, size, jit);
    free(bytes);
    return result;
}

// Bytes in memory say themselves how many they are.
#define UNKNOWN_SIZE (SIZE_MAX / 2)

GCL_CU(ModuleLoad, (CUmodule * module, const char *path)) {
    return load_file(module, path, &(struct jit){.count = 0});
}

GCL_CU(ModuleLoadDataEx, (CUmodule * module, const void *image, unsigned int option_count,
                          CUjit_option *options, void **values)) {
    return load(module, image, UNKNOWN_SIZE, &(struct jit){option_count, options, values});
}

GCL_CU(ModuleLoadData, (CUmodule * module, const void *image)) {
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

GCL_CU(ModuleLoadFatBinary, (CUmodule * module, const void *image)) {
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

GCL_CU(ModuleGetLoadingMode, (CUmoduleLoadingMode * mode)) {
    if (!mode)
        return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_EAGER_LOADING;
    return CUDA_SUCCESS;
}

/// Takes a module from those that are known. False: it isn't one.
static bool drop(CUmodule module) {
    pthread_mutex_lock(&known.lock);
    CUmodule *link = &known.modules;
    while (*link && *link != module)
        link = &(*link)->next;
    bool is_found = *link != NULL;
    if (is_found)
        *link = module->next;
    pthread_mutex_unlock(&known.lock);
    return is_found;
}

GCL_CU(ModuleUnload, (CUmodule module)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);
    if (error)
        return gcl_driver_result(error);
    if (!drop(module))
        return CUDA_ERROR_INVALID_HANDLE;
    // Commands may still run its code.
    if (gcl_engine_wait_all(runtime->engine) == GCL_NOT_PERMITTED)
        return CUDA_ERROR_NOT_PERMITTED;
    gcl_module_unload(module->module, runtime->space);
    free(module);
    return CUDA_SUCCESS;
}

// What is in it.

GCL_CU(ModuleGetFunction, (CUfunction * function, CUmodule module, const char *name)) {
    const struct gcl_kernel *kernel;
    if (!function || !name)
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_known(module))
        return CUDA_ERROR_INVALID_HANDLE;
    for (size_t i = 0; (kernel = gcl_module_find_kernel(module->module, i)) != NULL; i++) {
        if (strcmp(kernel->name, name) != 0)
            continue;
        *function = (CUfunction)(uintptr_t)kernel;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_FOUND;
}

GCL_CU(ModuleGetFunctionCount, (unsigned int *count, CUmodule module)) {
    if (!count || !is_known(module))
        return count ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    for (*count = 0; gcl_module_find_kernel(module->module, *count);)
        ++*count;
    return CUDA_SUCCESS;
}

GCL_CU(ModuleEnumerateFunctions, (CUfunction * functions, unsigned int most, CUmodule module)) {
    if (!functions || !is_known(module))
        return functions ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < most; i++)
        functions[i] = (CUfunction)(uintptr_t)gcl_module_find_kernel(module->module, i);
    return CUDA_SUCCESS;
}

GCL_CU_V2(ModuleGetGlobal,
          (CUdeviceptr * address, size_t *size, CUmodule module, const char *name)) {
    void *pointer = NULL;
    if (!name || (!address && !size))
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_known(module))
        return CUDA_ERROR_INVALID_HANDLE;
    const void *variable = gcl_module_variable(module->module, name);
    if (!variable)
        return CUDA_ERROR_NOT_FOUND;
    gclError_t error = size ? gclGetSymbolSize(size, variable) : gclSuccess;
    if (!error && address)
        error = gclGetSymbolAddress(&pointer, variable);
    if (!error && address)
        *address = (uintptr_t)pointer;
    return gcl_driver_result(error);
}

// Libraries of kernels: modules that all devices have.

GCL_CU(LibraryLoadData, (CUlibrary * library, const void *image, CUjit_option *jit_options,
                         void **jit_values, unsigned int jit_option_count, CUlibraryOption *options,
                         void **values, unsigned int option_count)) {
    (void)options, (void)values, (void)option_count;
    return cuModuleLoadDataEx((CUmodule *)library, image, jit_option_count, jit_options,
                              jit_values);
}

GCL_CU(LibraryLoadFromFile, (CUlibrary * library, const char *path, CUjit_option *jit_options,
                             void **jit_values, unsigned int jit_option_count,
                             CUlibraryOption *options, void **values, unsigned int option_count)) {
    (void)options, (void)values, (void)option_count;
    return load_file((CUmodule *)library, path,
                     &(struct jit){jit_option_count, jit_options, jit_values});
}

GCL_CU(LibraryUnload, (CUlibrary library)) {
    return cuModuleUnload((CUmodule)library);
}

GCL_CU(LibraryGetKernel, (CUkernel * kernel, CUlibrary library, const char *name)) {
    return cuModuleGetFunction((CUfunction *)kernel, (CUmodule)library, name);
}

GCL_CU(LibraryGetKernelCount, (unsigned int *count, CUlibrary library)) {
    return cuModuleGetFunctionCount(count, (CUmodule)library);
}

GCL_CU(LibraryEnumerateKernels, (CUkernel * kernels, unsigned int most, CUlibrary library)) {
    return cuModuleEnumerateFunctions((CUfunction *)kernels, most, (CUmodule)library);
}

GCL_CU(LibraryGetModule, (CUmodule * module, CUlibrary library)) {
    if (!module || !is_known((CUmodule)library))
        return module ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *module = (CUmodule)library;
    return CUDA_SUCCESS;
}

GCL_CU(LibraryGetGlobal,
       (CUdeviceptr * address, size_t *size, CUlibrary library, const char *name)) {
    return cuModuleGetGlobal(address, size, (CUmodule)library, name);
}

GCL_CU(LibraryGetManaged,
       (CUdeviceptr * address, size_t *size, CUlibrary library, const char *name)) {
    return cuModuleGetGlobal(address, size, (CUmodule)library, name);
}

GCL_CU(KernelGetFunction, (CUfunction * function, CUkernel kernel)) {
    if (!function || !kernel)
        return function ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *function = (CUfunction)kernel;
    return CUDA_SUCCESS;
}

// The linker.

struct CUlinkState_st {
    struct gcl_driver_image image; ///< of the one module
};

GCL_CU_V2(LinkCreate,
          (unsigned int option_count, CUjit_option *options, void **values, CUlinkState *state)) {
    const struct jit jit = {option_count, options, values};
    if (!state)
        return CUDA_ERROR_INVALID_VALUE;
    tell_all(&jit, "");
    *state = calloc(1, sizeof **state);
    return *state ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/// Keeps a copy: the program may free its own.
static CUresult add_image(CUlinkState state, const void *bytes, size_t size, const char *name) {
    struct gcl_driver_image image;
    const char *why = "";
    if (state->image.owned) {
        gcl_log(GCL_LOG_ERROR,
                "cuLink: %s is one module more: put the sources together for NVRTC, or link them "
                "by gcluster-cc",
                name ? name : "this");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    CUresult result = gcl_driver_image_read(bytes, size, &image, &why);
    if (result != CUDA_SUCCESS) {
        gcl_log(GCL_LOG_ERROR, "cuLink: %s can't be linked: %s", name ? name : "a module", why);
        return result;
    }
    if (!image.owned) {
        image.owned = malloc(image.size);
        if (!image.owned)
            return CUDA_ERROR_OUT_OF_MEMORY;
        memcpy(image.owned, image.bytes, image.size);
        image.bytes = image.owned;
    }
    state->image = image;
    return CUDA_SUCCESS;
}

GCL_CU_V2(LinkAddData,
          (CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
           unsigned int option_count, CUjit_option *options, void **values)) {
    (void)type, (void)option_count, (void)options, (void)values;
    if (!state || !data)
        return state ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    return add_image(state, data, size, name);
}

GCL_CU_V2(LinkAddFile, (CUlinkState state, CUjitInputType type, const char *path,
                        unsigned int option_count, CUjit_option *options, void **values)) {
    size_t size;
    CUresult result;
    (void)option_count, (void)options, (void)values;
    if (!state)
        return CUDA_ERROR_INVALID_HANDLE;
    if (path && type == CU_JIT_INPUT_LIBRARY && strstr(path, "cudadevrt"))
        return CUDA_SUCCESS; // what is in there the runtime has
    void *bytes = read_file(path, &size, &result);
    if (!bytes)
        return result;
    result = add_image(state, bytes, size, path);
    free(bytes);
    return result;
}

GCL_CU(LinkComplete, (CUlinkState state, void **image, size_t *size)) {
    if (!state || !image)
        return state ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
    if (!state->image.owned)
        return CUDA_ERROR_INVALID_VALUE;
    *image = state->image.owned;
    if (size)
        *size = state->image.size;
    return CUDA_SUCCESS;
}

GCL_CU(LinkDestroy, (CUlinkState state)) {
    if (!state)
        return CUDA_ERROR_INVALID_HANDLE;
    free(state->image.owned);
    free(state);
    return CUDA_SUCCESS;
}
