// Sizes are counted by powers of two: which of them is closed is found without sorting them.
#include "plan/region/gaps.h"

#include <assert.h>

void gcl_gaps_add(struct gcl_gaps *gaps, int64_t size) {
    assert(size > 0);
    gaps->counts[64 - __builtin_clzll((uint64_t)(size - 1) | 1)]++;
}

int64_t gcl_gaps_near(const struct gcl_gaps *gaps, size_t most_runs) {
    uint64_t far = 0;
    unsigned bits = 62;
    assert(most_runs > 1);
    while (INT64_C(1) << bits > GCL_GAPS_NEAREST && far + gaps->counts[bits] < most_runs)
        far += gaps->counts[bits--];
    return INT64_C(1) << bits;
}
