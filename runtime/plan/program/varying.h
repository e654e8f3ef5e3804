// A program's nodes that depend on data, which a loop may find to be another one in each of its
// iterations: what is known of them in one iteration says nothing of the one before.
#ifndef GCL_PLAN_VARYING_H
#define GCL_PLAN_VARYING_H

#include <stdbool.h>

#include "gcluster/access.h"

struct gcl_varying {
    const struct gcl_program *program;
    unsigned char *nodes; ///< of each, by `guard`
    uint16_t guard;       ///< the loop that was asked for last; GCL_NONE: none
};

/// False: no memory.
bool gcl_varying_init(struct gcl_varying *varying, const struct gcl_program *program);
/// Takes zeroed ones.
void gcl_varying_finish(struct gcl_varying *varying);
/// Whether a node depends on such data of the loop that a guard enters.
bool gcl_varying_has(struct gcl_varying *varying, uint16_t guard, uint16_t node);

#endif
