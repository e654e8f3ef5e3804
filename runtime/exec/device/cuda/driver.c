// The library is never unloaded: its threads and handlers run until the process ends.
#include "exec/device/cuda/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static struct {
    struct gcl_driver driver;
    enum gcl_driver_state state;
    char why[256];
} loaded;

struct gcl_driver_error gcl_driver_error(const struct gcl_driver *driver, int error) {
    struct gcl_driver_error e = {"CUDA_ERROR_UNKNOWN", "unknown error"};
    if (driver->error_name(error, &e.name) != GCL_CU_OK || !e.name)
        e.name = "an error that it doesn't name";
    if (driver->error_string(error, &e.text) != GCL_CU_OK || !e.text)
        e.text = "unknown error";
    return e;
}

/// False: `*missing` isn't in it.
static bool find_functions(void *library, struct gcl_driver *driver, const char **missing) {
    const struct {
        const char *symbol;
        void *member;
    } functions[] = {
#define FUNCTION(name, symbol, parameters) {#symbol, (void *)&driver->name},
        GCL_DRIVER_FUNCTIONS(FUNCTION)
#undef FUNCTION
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        *missing = functions[i].symbol;
        // POSIX has object and function pointers alike.
        *(void **)functions[i].member = dlsym(library, functions[i].symbol);
        if (!*(void **)functions[i].member)
            return false;
    }
    return true;
}

/// The version of the driver in a library, as far as that can be asked; 0: it can't.
static int version_of(void *library) {
    int version = 0;
    int (*ask)(int *) = NULL;
    *(void **)&ask = dlsym(library, "cuDriverGetVersion");
    return ask && ask(&version) == GCL_CU_OK ? version : 0;
}

static enum gcl_driver_state load(void) {
    const char *missing;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    struct gcl_driver *driver = &loaded.driver;
    if (!library) {
        snprintf(loaded.why, sizeof loaded.why, "there is no NVIDIA driver (%s)", dlerror());
        return GCL_DRIVER_ABSENT;
    }
    int version = version_of(library);
    if (version > 0 && version < GCL_DRIVER_LEAST_VERSION) {
        snprintf(loaded.why, sizeof loaded.why,
                 "the NVIDIA driver is one for CUDA %d.%d, and CUDA %d.%d or newer is needed",
                 version / 1000, version % 1000 / 10, GCL_DRIVER_LEAST_VERSION / 1000,
                 GCL_DRIVER_LEAST_VERSION % 1000 / 10);
        return GCL_DRIVER_UNUSABLE;
    }
    if (!find_functions(library, driver, &missing)) {
        snprintf(loaded.why, sizeof loaded.why, "the NVIDIA driver has no function %s", missing);
        return GCL_DRIVER_UNUSABLE;
    }
    int count = 0, error = driver->init(0);
    if (error == GCL_CU_OK)
        error = driver->device_count(&count);
    if (error == GCL_CU_NO_DEVICE || (error == GCL_CU_OK && count == 0)) {
        snprintf(loaded.why, sizeof loaded.why, "the NVIDIA driver shows no GPU");
        return GCL_DRIVER_ABSENT;
    }
    if (error == GCL_CU_OK)
        return GCL_DRIVER_READY;
    const struct gcl_driver_error e = gcl_driver_error(driver, error);
    snprintf(
        loaded.why, sizeof loaded.why, "the NVIDIA driver doesn't start: %s (%s)%s", e.text, e.name,
        error == GCL_CU_NO_MEMORY ? ": has the process a limit of addresses (ulimit -v)?" : "");
    return GCL_DRIVER_UNUSABLE;
}

static void load_once(void) {
    loaded.state = load();
}

enum gcl_driver_state gcl_driver_load(const struct gcl_driver **driver, char *why, size_t size) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_once);
    *driver = &loaded.driver;
    snprintf(why, size, "%s", loaded.why);
    return loaded.state;
}
