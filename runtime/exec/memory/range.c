// Ranges lie between what sanitizers have below 17 TiB and position-independent executables from
// 85 TiB on, on x86-64, and all but the largest below what sanitizers have at 80 TiB; the driver of
// a GPU has what it maps for itself below 16 TiB as well, or where the system puts it, above. A
// device with few bits of addresses finds one below 512 GiB.
//
// Smaller ranges are for processes whose addresses are limited (ulimit -v), and for drivers that
// reserve no more than so much.
#include "exec/memory/range.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/log.h"

#define GIB (UINT64_C(1) << 30)
#define TIB (UINT64_C(1) << 40)
#define LOWEST (17 * TIB)
#define HIGHEST (80 * TIB) // where ranges end, but for the largest
#define LARGEST (64 * TIB)
#define SMALLEST GIB
#define STEP (16 * TIB)       // between ranges of one size
#define LOW_PLACE (256 * GIB) // of one range of each size up to this one
#define HUGE_PAGE (UINT64_C(2) << 20)

uintptr_t gcl_range_middle(uintptr_t begin, uintptr_t end) {
    return (begin + (end - begin) / 4 * 3 + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

bool gcl_range_at(uint32_t number, uintptr_t *begin, size_t *size) {
    for (uint64_t s = LARGEST; s >= SMALLEST; s /= 2) {
        uint64_t step = s > STEP ? s : STEP;
        uint32_t count = (uint32_t)((HIGHEST - LOWEST + step - 1) / step);
        uint32_t all = count + (s <= LOW_PLACE);
        if (number < all) {
            uint64_t place = LOWEST + number * step;
            bool is_too_high = s < LARGEST && place + s > HIGHEST;
            *begin = number >= count ? LOW_PLACE : is_too_high ? HIGHEST - s : place;
            *size = s;
            return true;
        }
        number -= all;
    }
    return false;
}

/// Where the two parts of a range of some size meet.
static size_t size_of_first(const struct gcl_page_ops *pages, size_t size) {
    return pages->shared ? gcl_range_middle(0, size) : size;
}

/// Reserves both parts of a range; 0, with why: one of them can't be had.
static uintptr_t reserve_both(const struct gcl_page_ops *pages, uintptr_t wanted, size_t size,
                              char why[GCL_PAGES_WHY_SIZE]) {
    size_t own = size_of_first(pages, size);
    uintptr_t begin = pages->reserve(wanted, own, why);
    if (!begin || own == size || pages->shared->reserve(begin + own, size - own, why))
        return begin;
    pages->release(begin, own);
    return 0;
}

/// Like reserve_both for any range, with pages that choose the highest one that is free: there is
/// nothing behind it then for the second part, but in what they choose for both.
static uintptr_t reserve_backwards(const struct gcl_page_ops *pages, size_t size,
                                   char why[GCL_PAGES_WHY_SIZE]) {
    size_t own = size_of_first(pages, size);
    uintptr_t begin = own < size ? pages->reserve(0, size, why) : 0;
    if (!begin)
        return 0;
    pages->release(begin, size);
    if (!pages->shared->reserve(begin + own, size - own, why))
        return 0;
    if (pages->reserve(begin, own, why))
        return begin;
    pages->shared->release(begin + own, size - own);
    return 0;
}

static bool reserve_parts(const struct gcl_page_ops *pages, uintptr_t wanted, size_t size,
                          struct gcl_range *range, char why[GCL_PAGES_WHY_SIZE]) {
    uintptr_t begin = reserve_both(pages, wanted, size, why);
    size_t own = size_of_first(pages, size);
    if (!begin && !wanted)
        begin = reserve_backwards(pages, size, why);
    if (!begin)
        return false;
    range->begin = begin;
    range->middle = begin + own;
    range->end = begin + size;
    return true;
}

bool gcl_range_reserve(const struct gcl_page_ops *pages, uint32_t first, struct gcl_range *range) {
    char why[GCL_PAGES_WHY_SIZE];
    uintptr_t begin;
    size_t size;
    range->refusal[0] = 0;
    for (uint32_t number = first; gcl_range_at(number, &begin, &size); number++) {
        if (reserve_parts(pages, begin, size, range, why)) {
            range->number = number;
            return true;
        }
        gcl_log(GCL_LOG_DEBUG, "can't reserve addresses %#" PRIxPTR " to %#" PRIxPTR ": %s", begin,
                begin + size, why);
        if (!range->refusal[0])
            snprintf(range->refusal, sizeof range->refusal, "%#" PRIxPTR " to %#" PRIxPTR ": %s",
                     begin, begin + size, why);
    }
    return false;
}

bool gcl_range_reserve_elsewhere(const struct gcl_page_ops *pages, struct gcl_range *range) {
    char why[GCL_PAGES_WHY_SIZE];
    for (uint64_t size = LARGEST; size >= SMALLEST; size /= 2) {
        if (reserve_parts(pages, 0, size, range, why)) {
            range->number = GCL_RANGE_ELSEWHERE;
            return true;
        }
        gcl_log(GCL_LOG_DEBUG, "can't reserve %" PRIu64 " MiB of addresses anywhere: %s",
                size >> 20, why);
    }
    return false;
}

void gcl_range_release(const struct gcl_page_ops *pages, const struct gcl_range *range) {
    if (range->begin < range->middle)
        pages->release(range->begin, range->middle - range->begin);
    if (range->middle < range->end)
        pages->shared->release(range->middle, range->end - range->middle);
}
