// Guarded pages: memory of node 0 that the program uses without asking, so that each use which
// needs other nodes is noticed. The system stops a thread that touches such a page (userfaultfd),
// also inside of system calls, and tells the guard's thread, which has the bytes fetched.
//
// A page is open (anything goes), protected (writing stops), or dropped (anything stops, and it
// takes no memory). Ranges are whole pages. Functions may be called on any thread; they don't
// stop for guarded pages themselves, unless it says so.
#ifndef GCL_EXEC_GUARD_H
#define GCL_EXEC_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

struct gcl_memory_guard;

struct gcl_guard_options {
    /// A thread has stopped at a page. Called on the guard's thread; when it returns true, the
    /// thread tries again, after false the process ends.
    bool (*touched)(void *context, uintptr_t page, bool is_written, pid_t thread);
    void *context;
};

/// NULL, with the reason as errno, where the system doesn't let this process guard pages.
struct gcl_memory_guard *gcl_guard_create(const struct gcl_guard_options *options);

/// From now on pages of the range can be protected and dropped; again does nothing.
GCL_MUST_USE enum gcl_status gcl_guard_watch(struct gcl_memory_guard *guard, uintptr_t begin,
                                             size_t size);
/// The range that begins there is open for good, if there is one; what was dropped is lost.
void gcl_guard_forget(struct gcl_memory_guard *guard, uintptr_t begin);

GCL_MUST_USE enum gcl_status gcl_guard_protect(struct gcl_memory_guard *guard, uintptr_t begin,
                                               size_t size);
/// Opens pages that aren't dropped.
GCL_MUST_USE enum gcl_status gcl_guard_open(struct gcl_memory_guard *guard, uintptr_t begin,
                                            size_t size);
GCL_MUST_USE enum gcl_status gcl_guard_drop(struct gcl_memory_guard *guard, uintptr_t begin,
                                            size_t size);
/// Pages become `bytes` and protected or open, at once for whoever looks. They are in no other
/// thread's use.
GCL_MUST_USE enum gcl_status gcl_guard_put(struct gcl_memory_guard *guard, uintptr_t begin,
                                           const void *bytes, size_t size, bool is_open);
/// Dropped pages become zeros and open; others stay as they are.
GCL_MUST_USE enum gcl_status gcl_guard_clear(struct gcl_memory_guard *guard, uintptr_t begin,
                                             size_t size);

#endif
