// The room of residency, to be read in this order:
//
//     residency.h    which chunks of device memory lie on the device, where that isn't enough for
//                    all of them
//     move.h         chunks come and go
//     use.h          what commands are going to use, so that it comes before it is touched
//     order.h        which chunk goes first
//     store.h        where chunks are that have no room
//     store_pages.h  and how their pages are moved there in blocks
//
// A node's device holds `capacity` bytes of global memory, no more. What is allocated beyond that
// lies in a store, in chunks, and comes when it is touched: a thread that touches a chunk which
// isn't there stops (guard.h), another chunk goes, this one comes, and the thread goes on. So any
// program runs, right and bounded; what makes it fast is that chunks come before they are touched.
//
// As long as everything that is allocated has room, nothing here does anything: memory is as the
// system gives it. From the first allocation on that hasn't, each chunk is accounted for. System
// calls that are given addresses of device memory fail from then on (EFAULT): who makes some copies
// bytes himself.
//
// There is one in a process, for the memory of the CPU device.
#ifndef GCL_EXEC_RESIDENCY_H
#define GCL_EXEC_RESIDENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"
#include "exec/memory/pages.h"
#include "exec/residency/chunk.h"

struct gcl_residency;
struct gcl_store;

/// Bytes that have come from the store, and those that have gone for them and for zeros.
struct gcl_residency_came {
    const void *owner; ///< of the use that they came for, or what the thread that stopped does
    bool is_touched;   ///< they came for a thread that has stopped
    uint64_t bytes, from_files;
    /// Whatever comes from the store was on the device before, and went. Bytes that have gone since
    /// then are what the device lacks to have kept it, if that isn't more than what doesn't fit of
    /// all that is allocated: on average, and at most.
    uint64_t lack, most_lack;
    uint64_t went;
    uint64_t begin_ns; ///< when they were wanted
};

struct gcl_residency_options {
    size_t capacity;         ///< bytes on the device
    uintptr_t begin, end;    ///< addresses of device memory
    struct gcl_store *store; ///< the residency's from here on
    size_t spare;            ///< bytes of it that aren't allocated, for chunks on their way
    unsigned thread_count;   ///< that bring what threads have stopped at
    bool is_alone;           ///< no other node has a part of what is allocated: all has to fit here
    /// A chunk can't go or come, after a message. It is zeros from here on, so that threads end.
    void (*failed)(void *context, enum gcl_status status);
    /// Whether nothing runs, or waits to run, that may touch device memory, but what has a use
    /// (use.h) or what is submitted later: if so, bytes are given up that a use overwrites next. On
    /// any thread, under locks; it is called often. NULL: it may always be so.
    bool (*knows_all)(void *context);
    /// Bytes have come from the store. On any thread; no lock is held.
    void (*came)(void *context, const struct gcl_residency_came *came);
    /// A thread has stopped at a page: gives what it does, if that is known, and returns whether
    /// others run that may stop soon. And those that have stopped at pages of [begin, end) go on.
    /// On any thread; no lock is held.
    bool (*stopped)(void *context, pid_t thread, uintptr_t page, const void **owner);
    void (*went_on)(void *context, uintptr_t begin, uintptr_t end);
    void *context;
};

/// The pages of device memory in a process that may have a residency. Memory that the host uses as
/// well has pages of its own, which always lie in the host's memory. Called while the process
/// starts.
const struct gcl_page_ops *gcl_residency_pages(void);

/// Opens the process' residency before any memory is committed. False, after a message: no memory,
/// or the system doesn't let the process notice what it touches.
GCL_MUST_USE bool gcl_residency_open(const struct gcl_residency_options *options);
/// No command runs any more: nothing comes beforehand from here on.
void gcl_residency_close(void);
/// The process' one; NULL: it has none.
struct gcl_residency *gcl_residency_get(void);
/// From here on what is allocated stays on the device, and no more is than that holds, since other
/// processes have some of it. False: more is allocated already.
GCL_MUST_USE bool gcl_residency_fix(struct gcl_residency *residency);
/// Whether more is allocated than the device holds.
bool gcl_residency_is_engaged(const struct gcl_residency *residency);
/// Whether bytes are device memory.
bool gcl_residency_has(const struct gcl_residency *residency, uintptr_t begin, size_t size);
size_t gcl_residency_capacity(const struct gcl_residency *residency);

/// Gives GCL_STORE_GRANT chunks of its store's host memory to another node, until the process ends.
/// False: it has none to spare. Any thread; never waits for another node.
GCL_MUST_USE bool gcl_residency_spare(struct gcl_residency *residency, unsigned char **chunks);

/// What has come and gone so far.
struct gcl_residency_counts {
    uint64_t resident;    ///< bytes on the device now
    uint64_t most;        ///< and at most
    uint64_t came, went;  ///< bytes that came from the store, and went there
    uint64_t dropped;     ///< bytes that went for nothing: the store had them, or nobody needs them
    uint64_t faults;      ///< stops of threads
    uint64_t fault_bytes; ///< of what came, by stops
};
struct gcl_residency_counts gcl_residency_counts(struct gcl_residency *residency);

#endif
