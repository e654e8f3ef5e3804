// Gaps between runs by their size: how near runs have to be told as one, so that few are left.
#ifndef GCL_PLAN_GAPS_H
#define GCL_PLAN_GAPS_H

#include <stddef.h>
#include <stdint.h>

enum { GCL_GAPS_NEAREST = 64 }; // bytes between runs that it never pays to tell apart

/// Zeroed, none.
struct gcl_gaps {
    uint64_t counts[64]; ///< of at most 2^i bytes, and of more than half of that
};

void gcl_gaps_add(struct gcl_gaps *gaps, int64_t size);
/// The bytes, a power of two and at least GCL_GAPS_NEAREST, up to which gaps have to be closed so
/// that at most `most_runs` runs, more than one, are left.
int64_t gcl_gaps_near(const struct gcl_gaps *gaps, size_t most_runs);

#endif
