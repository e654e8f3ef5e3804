// What the address of an access, its length and the loops around it are computed from, as far as
// that takes one through memory.
#ifndef GCL_PLAN_ORIGINS_H
#define GCL_PLAN_ORIGINS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "gcluster/access.h"

struct gcl_origins {
    uint16_t *nodes;     ///< each once, operands first
    uint16_t node_count; ///< with those of conditions around the access
    uint16_t bare_count; ///< without those: the first ones
    uint16_t *loads;     ///< accesses that nodes and pointers are read by, each once
    uint16_t load_count;
    uint16_t
        bare_load_count; ///< of those, the first ones: that bare nodes and pointers are read by
    bool *seen;          ///< each node of the program: it is among them; then each access
};

/// False: no memory; there is nothing to finish then.
GCL_MUST_USE bool gcl_origins_find(const struct gcl_program *program, uint16_t access,
                                   struct gcl_origins *origins);
void gcl_origins_finish(struct gcl_origins *origins);

/// The number of operands that a node has, `a` first.
unsigned gcl_origins_operand_count(const struct gcl_node *node);

enum { GCL_ORIGINS_DEEPEST = 8 }; ///< pointers that lead to pointers; others aren't followed

#endif
