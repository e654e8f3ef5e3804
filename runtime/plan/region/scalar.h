// Nodes of access programs as numbers, for one thread in one iteration.
#ifndef GCL_PLAN_SCALAR_H
#define GCL_PLAN_SCALAR_H

#include "plan/region/piece.h"

/// The lowest `width` bits, 1 to 64.
static inline uint64_t gcl_scalar_truncate(uint64_t value, unsigned width) {
    return width < 64 ? value & ((UINT64_C(1) << width) - 1) : value;
}
/// The lowest `width` bits, 1 to 64, as a number with a sign.
static inline int64_t gcl_scalar_extend(uint64_t value, unsigned width) {
    return (int64_t)(value << (64 - width)) >> (64 - width);
}
/// What a node with one or two operands is, of operands that are cut to their `width`; not cut.
uint64_t gcl_scalar_compute(uint8_t kind, uint64_t a, uint64_t b, unsigned width);

/// Constants, arguments and sizes: what a launch gives to all threads. False: it is none of them.
bool gcl_scalar_given(const struct gcl_program *program, const struct gcl_launch_part *launch,
                      const struct gcl_node *node, uint64_t *value);

#endif
