// Guarded pages: memory that is used without asking, so that each use is noticed for which bytes
// have to come from elsewhere: managed memory, which the program's threads use on node 0, and
// device memory, which has no room on the device. The system stops a thread that touches such a
// page (userfaultfd), and tells the guard's threads, which have the bytes fetched.
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
#include <sys/uio.h>

#include "base/status.h"

struct gcl_memory_guard;

enum gcl_guard_answer {
    GCL_GUARD_FAILED,   ///< the process ends
    GCL_GUARD_ANSWERED, ///< the thread tries again
    GCL_GUARD_LATER,    ///< it waits until its page is filled or opened, or gcl_guard_wake
};

struct gcl_guard_options {
    /// A thread has stopped at a page. Called on one of the guard's threads.
    enum gcl_guard_answer (*touched)(void *context, uintptr_t page, bool is_written, pid_t thread);
    void *context;
    unsigned thread_count; ///< that answer stops at the same time; 0: one
    /// System calls that are given dropped pages fail (EFAULT) instead of stopping: what any user
    /// may do. Else it takes privileges.
    bool is_user_only;
};

/// Whether the system lets this process guard pages from its own accesses (`is_user_only`).
bool gcl_guard_is_permitted(void);
/// NULL, with the reason as errno, where the system doesn't let this process guard pages.
struct gcl_memory_guard *gcl_guard_create(const struct gcl_guard_options *options);

/// From now on pages of the range can be protected and dropped; again does nothing.
GCL_MUST_USE enum gcl_status gcl_guard_watch(struct gcl_memory_guard *guard, uintptr_t begin,
                                             size_t size);
/// Like gcl_guard_watch, for a range that nobody forgets and whose pages may be given back and come
/// anew, also behind the guard's back: then they are to be watched again. Pages that nobody has
/// touched are dropped ones.
GCL_MUST_USE enum gcl_status gcl_guard_watch_bare(struct gcl_memory_guard *guard, uintptr_t begin,
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
/// Drops several ranges, which is faster than one after the other: all processors have to know of
/// each call.
GCL_MUST_USE enum gcl_status gcl_guard_drop_all(struct gcl_memory_guard *guard,
                                                const struct iovec *ranges, size_t count);
/// Pages become `bytes` and protected or open, at once for whoever looks. They are in no other
/// thread's use.
GCL_MUST_USE enum gcl_status gcl_guard_put(struct gcl_memory_guard *guard, uintptr_t begin,
                                           const void *bytes, size_t size, bool is_open);
/// Dropped pages become `bytes` and protected or open; others stay as they are. Who has stopped at
/// one goes on.
GCL_MUST_USE enum gcl_status gcl_guard_fill(struct gcl_memory_guard *guard, uintptr_t begin,
                                            const void *bytes, size_t size, bool is_open);
/// From now on pages can be moved to a range of private memory, and away again, which nobody
/// touches where no page is. False: the system can't do that, as before Linux 6.8.
GCL_MUST_USE bool gcl_guard_watch_target(struct gcl_memory_guard *guard, uintptr_t begin,
                                         size_t size);
/// The pages of one watched range that aren't dropped move to another one, all of whose pages are
/// dropped: from then on it is the other way round. Who has stopped there goes on. Bytes are copied
/// only of pages that the process shares with others, as after fork(2).
GCL_MUST_USE enum gcl_status gcl_guard_move(struct gcl_memory_guard *guard, uintptr_t target,
                                            uintptr_t source, size_t size);
/// Threads that have stopped at pages of a range try again.
void gcl_guard_wake(struct gcl_memory_guard *guard, uintptr_t begin, size_t size);
/// Dropped pages become zeros and open; others stay as they are.
GCL_MUST_USE enum gcl_status gcl_guard_clear(struct gcl_memory_guard *guard, uintptr_t begin,
                                             size_t size);

#endif
