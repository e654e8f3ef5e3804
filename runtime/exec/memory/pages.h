// Where a space's addresses come from, and the memory behind them: a device's, whose table
// (exec/device/device.h) points here.
#ifndef GCL_EXEC_PAGES_H
#define GCL_EXEC_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tiers.h"

enum { GCL_PAGES_WHY_SIZE = 128 };

/// Ranges are whole pages. Any thread may call; the space's lock may be held, so that nothing here
/// waits for others.
struct gcl_page_ops {
    /// Bytes that come and go together, at multiples of which large allocations begin, so that
    /// kernels use as few of them as can be. 0: each page for itself.
    size_t unit;
    /// Reserves addresses, which take no memory and can't be accessed: those from `wanted` on and
    /// no others, or any if that is 0. 0: they can't be had, and `why` says why, for people.
    uintptr_t (*reserve)(uintptr_t wanted, size_t size, char why[GCL_PAGES_WHY_SIZE]);
    /// Ends a reservation, with what is in it.
    void (*release)(uintptr_t begin, size_t size);
    /// Makes a reserved range usable. What wasn't before is zero. False, with `errno`: no memory.
    bool (*commit)(uintptr_t begin, size_t size);
    /// Gives the memory of a range back, and keeps its addresses. False: the range is as before.
    bool (*decommit)(uintptr_t begin, size_t size);
    /// Makes a committed range one that is only read. False: the range is as before.
    bool (*seal)(uintptr_t begin, size_t size);
    /// Zeroes committed bytes of any range, and writes some of the host's there.
    void (*clear)(uintptr_t begin, size_t size);
    void (*write)(uintptr_t begin, const void *source, size_t size);
    /// Pages for what the host uses as well, which `commit` here gives the host no access to. NULL:
    /// these will do.
    const struct gcl_page_ops *shared;
    /// Lets the device use memory of the program's own, of any range, until `take_back`. False: it
    /// can't. NULL: it does so anyway.
    bool (*lend)(uintptr_t begin, size_t size);
    void (*take_back)(uintptr_t begin, size_t size);
    /// From here on, before anything is committed, no more than `device` bytes lie on the device;
    /// the rest of what is committed lies in the host's memory, which the device reaches where it
    /// is. False: it can't, and `why` says why, for people. NULL: there is no such thing.
    bool (*extend)(size_t device, char why[GCL_PAGES_WHY_SIZE]);
    /// Says where what is committed lies, in zeroed `tiers`, once some lies in the host's memory.
    gcl_tell_tiers *tell;
};

/// The host's own memory, which the CPU uses.
extern const struct gcl_page_ops gcl_pages_host;

#endif
