// How far one clock is ahead of the other is a line through both comparisons.
#include "exec/watch/clocks.h"

static bool is_there(const struct gcl_cluster_clock *clock) {
    return clock->round_trip_ns > 0;
}

/// By how much the other clock is ahead of this one when it shows `their_ns`.
static int64_t ahead_at(const struct gcl_clocks *clocks, uint64_t their_ns) {
    const struct gcl_cluster_clock *first = &clocks->first, *last = &clocks->last;
    if (!is_there(first) || !is_there(last) || last->at_ns <= first->at_ns)
        return is_there(last) ? last->ahead_ns : first->ahead_ns;
    int64_t passed_ns = (int64_t)(their_ns - first->at_ns) - first->ahead_ns;
    double rate = (double)(last->ahead_ns - first->ahead_ns) / (double)(last->at_ns - first->at_ns);
    return first->ahead_ns + (int64_t)(rate * (double)passed_ns);
}

uint64_t gcl_clocks_here(const struct gcl_clocks *clocks, uint64_t their_ns) {
    return their_ns - (uint64_t)ahead_at(clocks, their_ns);
}
