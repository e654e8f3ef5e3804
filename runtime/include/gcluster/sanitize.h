// What code compiled with --sanitize tells the runtime: each access of a thread to memory that
// other blocks may see, before it happens; with race or init also to memory that only its block
// sees; with race or sync also where the thread is about to wait for others.
#ifndef GCLUSTER_SANITIZE_H
#define GCLUSTER_SANITIZE_H

#include <stdint.h>

#include "gcluster/access.h"

/// What an access is to those of other blocks; 0: it is an atomic load, which is no race with what
/// blocks do atomically.
enum gcl_race_kind {
    GCL_RACE_READ = 1,
    GCL_RACE_WRITE = 2,
    GCL_RACE_ATOMIC = 4,
    GCL_RACE_KINDS = 7,
    GCL_RACE_VOLATILE = 8, ///< with GCL_RACE_READ: nor is this one; with GCL_RACE_WRITE: a store
    GCL_RACE_COPIES = 16,  ///< with GCL_RACE_READ: the value only goes to other memory
    GCL_RACE_SHARED = 32,  ///< to a variable in shared memory
};

/// One instruction that accesses memory: a table of the object, in which the runtime keeps where
/// the instruction may go on without asking.
struct gcl_site {
    // The compiler's.
    const char *file; ///< NULL: unknown
    uint32_t line;    ///< 0: unknown
    uint32_t size;    ///< bytes; 0: said at each call
    uint32_t kind;    ///< enum gcl_access_kind
    uint32_t races;   ///< enum gcl_race_kind

    // The runtime's, zero at first. The code calls gcl_device_access unless the access begins less
    // than `limit` bytes behind `begin`.
    uint64_t begin; ///< of the run of bytes that it may access, an address
    uint64_t limit;
    uint64_t reach;        ///< as `limit`, for accesses that are to be marked
    uint64_t stride;       ///< from there to the next run, 0: there is none
    uint64_t last;         ///< begin of the last run at that stride
    uint64_t shadow;       ///< where the word for address 0 would be, 0: nothing is marked
    uint64_t mark;         ///< of its accesses, without who
    struct gcl_site *next; ///< that is open
    uint32_t number;       ///< among all sites of the process, from 1 on
    uint32_t is_open;
};

#pragma GCC visibility push(default)

/// The running thread is about to access `site->size` bytes, or `size` bytes, at `address`.
void gcl_device_access(const void *address, struct gcl_site *site);
void gcl_device_access_range(const void *address, struct gcl_site *site, uint64_t size);

/// Tells of an access of the threads from the running one on that have a bit in `lanes`, the first
/// in the lowest: `stride` bytes apart, at most `site->size`, from `first` on, where the lowest
/// bit's is.
void gcl_device_access_row(const void *first, struct gcl_site *site, uint64_t lanes,
                           uint64_t stride);
/// At addresses anywhere, one a bit.
void gcl_device_access_lanes(const void *const *addresses, struct gcl_site *site, uint64_t lanes);

/// The running thread is about to stand at a barrier or a warp operation, or at a branch behind
/// which it may come to none any more. Of the site only file and line count.
void gcl_device_wait(const struct gcl_site *site);
/// The running thread's accesses so far are seen by others before those that follow (a fence).
void gcl_device_fence(void);

/// The calling thread, of the host, is about to allocate device memory there; `file` remains.
void gcl_allocation_place(const char *file, uint32_t line);

#pragma GCC visibility pop

#endif
