// Private to space.c, space_budget.c, space_notes.c and margin.c: the record of allocations, under
// its lock.
#ifndef GCL_EXEC_SPACE_STATE_H
#define GCL_EXEC_SPACE_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "exec/memory/extent.h"
#include "exec/memory/range.h"
#include "exec/memory/space.h"

/// Sizes of small allocations, and lists of slabs of such: what the host uses as well has its own.
enum { GCL_SPACE_CLASS_COUNT = 4 * 8 + 1, GCL_SPACE_LIST_COUNT = 2 * GCL_SPACE_CLASS_COUNT };

struct gcl_space_budget {
    size_t capacity, used;
};

/// A part of the range with pages of one kind.
struct gcl_space_area {
    const struct gcl_page_ops *pages;
    uintptr_t begin, end;
    struct gcl_extents extents; ///< what is free of it
    struct gcl_space_slab *partial[GCL_SPACE_LIST_COUNT];
};

struct gcl_space {
    pthread_mutex_t lock;
    struct gcl_space_area device; ///< all of the range, or up to `shared`
    struct gcl_space_area shared; ///< for what the host uses as well; without pages there is none
    struct gcl_range range;       ///< what is reserved
    uintptr_t begin, end;         ///< for allocations; images lie before them in the range
    _Atomic uintptr_t top;        ///< no allocation in the range has ended behind it
    size_t page;
    unsigned device_count;
    struct gcl_space_budget *budgets;      ///< of each device
    size_t managed_used, managed_capacity; ///< bytes of managed memory, of all devices
    size_t stride;                         ///< from slice to slice; 0: there is one device
    struct gcl_extents variables;          ///< what is free of the first slice
    size_t colour;          ///< of the next large allocation: bytes, less than LARGE_UNIT
    bool has_margins;       ///< from the first allocation on
    size_t protected_count; ///< allocations with a margin of pages of its own
    uint64_t generation;    ///< changes with each allocation that comes or goes
    atomic_bool notes_escapes;
    atomic_bool notes_writes;
    struct gcl_space_watcher watcher;
    struct gcl_space_lender lender; ///< without functions: nobody
    void *tree;
};

/// The allocation that overlaps [begin, begin + size); NULL: none. The lock is held.
struct gcl_allocation *gcl_space_find_range(struct gcl_space *space, uintptr_t begin, size_t size);

/// Whether allocations of a kind count against the memory of their device.
bool gcl_space_is_accounted(enum gcl_space_kind kind);
/// Counts an allocation, whose place may be rounded up by less than a page beyond that, and borrows
/// its bytes. GCL_NO_MEMORY, or what the lender says. The lock is held.
enum gcl_status gcl_space_charge(struct gcl_space *space, const struct gcl_allocation *a);
/// Takes that back. The lock is held.
void gcl_space_discharge(struct gcl_space *space, const struct gcl_allocation *a);

#endif
