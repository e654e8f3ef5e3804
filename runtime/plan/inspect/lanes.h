// Nodes of access programs as numbers, for many threads or iterations at once, a lane each: loops
// over plain arrays, which the processor's vectors take.
#ifndef GCL_PLAN_LANES_H
#define GCL_PLAN_LANES_H

#include <stdbool.h>

#include "plan/region/scalar.h"

enum { GCL_LANES = 256 };

/// What a node is in each lane. Values are cut to the node's width; those that aren't known are
/// any.
struct gcl_lanes {
    uint64_t values[GCL_LANES];
    bool known[GCL_LANES]; ///< unless all are
    bool all_known;
};

static inline bool gcl_lanes_is_known(const struct gcl_lanes *lanes, unsigned lane) {
    return lanes->all_known || lanes->known[lane];
}
/// Gives all lanes one value.
void gcl_lanes_fill(struct gcl_lanes *lanes, uint64_t value, bool is_known);
/// Lane i of `out`, of `count`, gets what lane from[i] is.
void gcl_lanes_pick(const struct gcl_lanes *lanes, const uint16_t *from, unsigned count,
                    struct gcl_lanes *out);
/// Computes the first `count` lanes of a node of operands a, b and c, as many of them as it has,
/// the first of which is `width` bits wide.
void gcl_lanes_compute(const struct gcl_node *node, unsigned width,
                       const struct gcl_lanes *const operands[3], unsigned count,
                       struct gcl_lanes *out);

// Numbers without a node: arrays of up to GCL_LANES of them.

struct gcl_lanes_bounds {
    uint64_t least, greatest;
};
/// The bounds of `count` numbers, at least one.
struct gcl_lanes_bounds gcl_lanes_find_bounds(const uint64_t *values, unsigned count);
/// How many of `count` numbers aren't 0.
unsigned gcl_lanes_count_set(const uint64_t *values, unsigned count);
/// Replaces each of `count` numbers by that of `size` bytes, up to 8, which lies so many bytes
/// behind `bytes`, counted from `begin` on.
void gcl_lanes_read(const unsigned char *bytes, uint64_t begin, unsigned size, unsigned count,
                    uint64_t *values);

#endif
