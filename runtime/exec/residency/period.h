// Whether a sequence of commands repeats itself, as a loop of launches does, and after how many.
#ifndef GCL_EXEC_PERIOD_H
#define GCL_EXEC_PERIOD_H

#include <stdint.h>

enum {
    GCL_PERIOD_MOST = 4096,     ///< commands of the longest one that is found
    GCL_PERIOD_CANDIDATES = 16, ///< periods that are followed at a time
};

/// A distance at which the latest commands have been the same as earlier ones.
struct gcl_period_candidate {
    uint32_t distance;
    uint64_t run; ///< of how many of them that is true
};

/// Zeroed at the beginning.
struct gcl_period {
    uint64_t count;                    ///< commands so far
    uint64_t history[GCL_PERIOD_MOST]; ///< kinds of the latest
    struct gcl_period_candidate candidates[GCL_PERIOD_CANDIDATES];
    uint32_t candidate_count;
    uint32_t latest; ///< the period that held last
    uint64_t until;  ///< number of commands up to which that one counts
};

/// Adds a command; `kind` is the same for commands that do the same, also with other memory.
void gcl_period_add(struct gcl_period *period, uint64_t kind);
/// The period, of which all has come twice; 0: there is none. When it breaks it counts for twice
/// its length, since loops go on after what comes in between.
uint32_t gcl_period_length(const struct gcl_period *period);

#endif
