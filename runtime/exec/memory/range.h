// Which addresses a space has: the same ones on all nodes of a job, in processes that have other
// things at other addresses, and on devices of which each has limits of its own. So there is an
// order of ranges that all nodes try, by their numbers: the largest first, of one size at several
// addresses, and then half the size. Whoever can't have one goes on to the next, and the others
// follow (cluster.h tells how they agree).
#ifndef GCL_EXEC_RANGE_H
#define GCL_EXEC_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exec/memory/pages.h"

enum { GCL_RANGE_TEXT_SIZE = 192 };

/// The number of a range that isn't in the order: wherever there is room. Other nodes can't have
/// it.
#define GCL_RANGE_ELSEWHERE UINT32_MAX

/// A range that is reserved: [begin, middle) of some pages, and [middle, end) of `pages->shared`;
/// without such pages `middle` is `end`.
struct gcl_range {
    uint32_t number;
    uintptr_t begin, middle, end;
    char refusal[GCL_RANGE_TEXT_SIZE]; ///< why the first one that was tried can't be had, for
                                       ///< people; "": it can
};

/// Where in a range, [begin, end), memory begins that the host uses as well, if that has pages of
/// its own.
uintptr_t gcl_range_middle(uintptr_t begin, uintptr_t end);
/// The place of a range in the order. False: there are no more.
bool gcl_range_at(uint32_t number, uintptr_t *begin, size_t *size);
/// Reserves the first range of the order that can be had, from number `first` on. False: none can;
/// only `range->refusal` is set.
bool gcl_range_reserve(const struct gcl_page_ops *pages, uint32_t first, struct gcl_range *range);
/// Reserves any range, as large as there is one. `range->refusal` stays as it is.
bool gcl_range_reserve_elsewhere(const struct gcl_page_ops *pages, struct gcl_range *range);
void gcl_range_release(const struct gcl_page_ops *pages, const struct gcl_range *range);

#endif
