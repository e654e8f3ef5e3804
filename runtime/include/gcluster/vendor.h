// What NVIDIA's own libraries do on GPUs in place of code of ours, for libraries that gcluster
// brings (runtime/lib): a kernel, or a task (gcluster/task.h), is offered a function of the host's
// that has the vendor's library do a launch.
//
//     static bool multiply(const struct gcl_vendor_launch *launch) { ... cublasSgemm(...) ... }
//     static const struct gcl_vendor vendor = {open_cublas, multiply};
//     gcl_vendor_offer(kernel_sgemm, &vendor); // in a constructor
//
// Addresses of device memory are the same for the vendor's library as for the program.
#ifndef GCLUSTER_VENDOR_H
#define GCLUSTER_VENDOR_H

#include <stdbool.h>
#include <stdint.h>

/// Blocks [begin, end) of a launch.
struct gcl_vendor_launch {
    const void *arguments; ///< packed
    uint32_t begin[3], end[3];
    void *stream; ///< the driver's, whose context the calling thread has
    /// The runtime's way to have bytes of the device's memory be 0, in the stream. False: it can't.
    bool (*clear)(const struct gcl_vendor_launch *launch, void *begin, uint64_t size);
};

/// What a library has for a kernel. Its functions are called by one thread at a time, on nodes with
/// a GPU alone.
struct gcl_vendor {
    bool (*is_there)(void); ///< whether this process has the library; may load it
    /// Puts a launch into its stream. False: it hasn't, and the kernel's own code runs.
    bool (*put)(const struct gcl_vendor_launch *launch);
};

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Offers a kernel's stub, or a task, a vendor; called before main. Both stay valid.
void gcl_vendor_offer(const void *function, const struct gcl_vendor *vendor);

/// Loads the first of some libraries (`names` end in NULL) that is there and has all `functions`
/// (which end in NULL, too), and says which, or that `title` does without. `table`, a structure of
/// pointers to functions in the same order, gets their addresses. NULL: there is no such library.
void *gcl_vendor_open(const char *title, const char *const *names, const char *const *functions,
                      void *table);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
