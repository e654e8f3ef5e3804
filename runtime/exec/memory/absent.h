// Absent pages: device memory whose bytes come when a thread touches them. The system sends the
// thread a signal at the page (userfaultfd), in whose handler it gets the bytes itself, and goes
// on. So as many pages are on their way as threads have stopped, nobody is woken for one, and no
// privilege is needed: system calls can't touch these pages, they fail (EFAULT).
//
// Ranges are whole pages of committed, private memory. A process has one of these at most.
#ifndef GCL_EXEC_ABSENT_H
#define GCL_EXEC_ABSENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum gcl_absent_answer {
    GCL_ABSENT_UNKNOWN, ///< nobody has made that page absent
    GCL_ABSENT_CAME,    ///< the thread may try again
    GCL_ABSENT_FAILED,  ///< its bytes can't be had
};

struct gcl_absent_options {
    /// A thread has stopped at a page, and has it filled (gcl_absent_fill). Called in a signal
    /// handler of that thread, which is in the middle of device code: it may wait, and take locks
    /// under which nobody touches absent pages.
    enum gcl_absent_answer (*touched)(void *context, uintptr_t page);
    void *context;
};

struct gcl_absent;

/// Whether the system lets this process have absent pages; why not is in `errno`.
bool gcl_absent_is_possible(void);
/// Stays until the process ends. NULL, with the reason as errno: it isn't possible.
struct gcl_absent *gcl_absent_create(const struct gcl_absent_options *options);

/// Whether this process has any, or had.
bool gcl_absent_is_open(void);

/// From here on the range's pages are absent, and what they held is lost. GCL_SYSTEM, after a
/// message.
GCL_MUST_USE enum gcl_status gcl_absent_begin(const struct gcl_absent *absent, uintptr_t begin,
                                              size_t size);
/// The range is ordinary memory again; what hasn't come is zero. Memory that has been given back
/// meanwhile is left alone.
void gcl_absent_end(const struct gcl_absent *absent, uintptr_t begin, size_t size);
/// Absent pages get their bytes, at once for whoever looks; those that have come keep theirs.
/// GCL_SYSTEM.
GCL_MUST_USE enum gcl_status gcl_absent_fill(const struct gcl_absent *absent, uintptr_t begin,
                                             const void *bytes, size_t size);

/// The calling thread has stopped at an address (SIGBUS). For a signal handler.
enum gcl_absent_answer gcl_absent_touch(uintptr_t address);
/// Nanoseconds that the calling thread has spent in gcl_absent_touch so far.
uint64_t gcl_absent_waited_ns(void);

#endif
