// Offers are few and come before main, when kernels' tables may not be there yet: which kernel is
// meant is looked up when it is launched.
#include "exec/code/vendor.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/log.h"
#include "base/map.h"
#include "exec/code/registry.h"

static struct {
    pthread_mutex_t lock;
    struct gcl_map offers; // by stub
    struct gcl_map stubs;  // by kernel, `no_stub` where it has none
    atomic_bool has_any;
} vendors = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char no_stub;

void gcl_vendor_offer(const void *function, const struct gcl_vendor *vendor) {
    pthread_mutex_lock(&vendors.lock);
    if (!gcl_map_set(&vendors.offers, function, (void *)(uintptr_t)vendor))
        gcl_log(GCL_LOG_WARN, "no memory to note what NVIDIA's libraries can do");
    pthread_mutex_unlock(&vendors.lock);
    atomic_store(&vendors.has_any, true);
}

/// The lock is held.
static const struct gcl_vendor *find(const void *stub) {
    const struct gcl_vendor *vendor = gcl_map_get(&vendors.offers, stub);
    return vendor && vendor->is_there() ? vendor : NULL;
}

/// The lock is held.
static const void *stub_of(const struct gcl_kernel *kernel) {
    const void *stub = gcl_map_get(&vendors.stubs, kernel);
    if (stub)
        return stub;
    stub = gcl_registry_stub(kernel);
    stub = stub ? stub : &no_stub;
    // Without memory it is looked up again.
    (void)gcl_map_set(&vendors.stubs, kernel, (void *)(uintptr_t)stub);
    return stub;
}

const struct gcl_vendor *gcl_vendor_of(const struct gcl_kernel *kernel) {
    if (!atomic_load(&vendors.has_any))
        return NULL;
    pthread_mutex_lock(&vendors.lock);
    const struct gcl_vendor *vendor = find(stub_of(kernel));
    pthread_mutex_unlock(&vendors.lock);
    return vendor;
}

// Our libraries have functions of the same names, which the vendor's must not take for its own;
// with a sanitizer nothing can be loaded so. Our own sanitized builds load what tests have in its
// place.
#define BINDING RTLD_DEEPBIND
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#undef BINDING
#define BINDING 0
#endif
#endif

static bool is_beside_sanitizer(void) {
    return BINDING && dlsym(RTLD_DEFAULT, "__sanitizer_print_stack_trace");
}

/// Whether the library has the functions; says which it lacks.
static bool find_functions(void *library, const char *const *functions, void *table) {
    for (size_t i = 0; functions[i]; i++) {
        void *address = dlsym(library, functions[i]);
        if (!address) {
            gcl_log(GCL_LOG_INFO, "%s", dlerror());
            return false;
        }
        memcpy((char *)table + i * sizeof address, &address, sizeof address);
    }
    return true;
}

void *gcl_vendor_open(const char *title, const char *const *names, const char *const *functions,
                      void *table) {
    bool can_load = !is_beside_sanitizer();
    for (const char *const *name = names; *name && can_load; name++) {
        void *library = dlopen(*name, RTLD_NOW | BINDING);
        if (library && find_functions(library, functions, table)) {
            gcl_log(GCL_LOG_INFO, "%s: %s works on the GPU", title, *name);
            return library;
        }
    }
    const char *why = can_load ? dlerror() : "beside a sanitizer";
    gcl_log(GCL_LOG_WARN,
            "%s: NVIDIA's %s can't be used (%s); what it does takes longer, by gcluster's own "
            "kernels or on the host",
            title, names[0], why ? why : "it lacks functions");
    return NULL;
}
