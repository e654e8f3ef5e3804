// Distances to earlier commands of the same kind are candidates, which hold as long as each new
// command is the same as the one that lies the distance back. While one of them is a period nothing
// else is looked for: when an inner loop ends, its period breaks, and the command behind it gives
// the outer loop's.
#include "exec/residency/period.h"

#include <stdbool.h>
#include <stddef.h>

enum { TRIALS = 4 }; ///< earlier commands of the same kind that give candidates

static uint64_t kind_at(const struct gcl_period *period, uint64_t number) {
    return period->history[number % GCL_PERIOD_MOST];
}

static bool has(const struct gcl_period *period, uint32_t distance) {
    for (uint32_t i = 0; i < period->candidate_count; i++) {
        if (period->candidates[i].distance == distance)
            return true;
    }
    return false;
}

/// Keeps the candidates that hold for the latest command.
static void follow(struct gcl_period *period, uint64_t number) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < period->candidate_count; i++) {
        struct gcl_period_candidate *candidate = &period->candidates[i];
        if (kind_at(period, number - candidate->distance) != kind_at(period, number))
            continue;
        candidate->run++;
        period->candidates[kept++] = *candidate;
    }
    period->candidate_count = kept;
}

/// The candidate that has held longest, of those that have for all of their length.
static const struct gcl_period_candidate *best(const struct gcl_period *period) {
    const struct gcl_period_candidate *found = NULL;
    for (uint32_t i = 0; i < period->candidate_count; i++) {
        const struct gcl_period_candidate *candidate = &period->candidates[i];
        if (candidate->run >= candidate->distance &&
            (!found || candidate->run > found->run ||
             (candidate->run == found->run && candidate->distance < found->distance)))
            found = candidate;
    }
    return found;
}

/// Adds candidates by the latest command.
static void look_back(struct gcl_period *period, uint64_t number) {
    unsigned trials = TRIALS;
    for (uint32_t d = 1; trials > 0 && d < GCL_PERIOD_MOST && d <= number; d++) {
        if (kind_at(period, number - d) != kind_at(period, number))
            continue;
        trials--;
        if (!has(period, d) && period->candidate_count < GCL_PERIOD_CANDIDATES)
            period->candidates[period->candidate_count++] =
                (struct gcl_period_candidate){.distance = d, .run = 1};
    }
}

void gcl_period_add(struct gcl_period *period, uint64_t kind) {
    uint64_t number = period->count++;
    period->history[number % GCL_PERIOD_MOST] = kind;
    follow(period, number);
    const struct gcl_period_candidate *found = best(period);
    if (!found) {
        look_back(period, number);
        found = best(period);
    }
    if (!found)
        return;
    period->latest = found->distance;
    period->until = period->count + 2 * (uint64_t)found->distance;
}

uint32_t gcl_period_length(const struct gcl_period *period) {
    return period->count <= period->until ? period->latest : 0;
}
