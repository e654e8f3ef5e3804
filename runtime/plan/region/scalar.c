// Numbers are kept cut to their width in 64 bits; operations that look at a sign extend them first.
#include "plan/region/scalar.h"

#include <string.h>

// By 0 it is 0: kernels don't use that.
static uint64_t quotient(uint8_t kind, uint64_t a, uint64_t b, unsigned width) {
    int64_t c = gcl_scalar_extend(a, width), d = gcl_scalar_extend(b, width);
    if (b == 0)
        return 0;
    if (kind == GCL_NODE_UDIV)
        return a / b;
    if (kind == GCL_NODE_UREM)
        return a % b;
    if (d == -1) // the least number has no opposite
        return kind == GCL_NODE_SREM ? 0 : (uint64_t)0 - a;
    return (uint64_t)(kind == GCL_NODE_SDIV ? c / d : c % d);
}

static uint64_t shifted(uint8_t kind, uint64_t a, uint64_t by, unsigned width) {
    if (by >= width)
        return kind == GCL_NODE_ASHR && gcl_scalar_extend(a, width) < 0 ? UINT64_MAX : 0;
    return kind == GCL_NODE_SHL    ? a << by
           : kind == GCL_NODE_LSHR ? a >> by
                                   : (uint64_t)(gcl_scalar_extend(a, width) >> by);
}

uint64_t gcl_scalar_compute(uint8_t kind, uint64_t a, uint64_t b, unsigned width) {
    bool less = gcl_scalar_extend(a, width) < gcl_scalar_extend(b, width);
    switch (kind) {
    case GCL_NODE_ADD:
        return a + b;
    case GCL_NODE_SUBTRACT:
        return a - b;
    case GCL_NODE_MULTIPLY:
        return a * b;
    case GCL_NODE_AND:
        return a & b;
    case GCL_NODE_OR:
        return a | b;
    case GCL_NODE_XOR:
        return a ^ b;
    case GCL_NODE_UMIN:
        return a < b ? a : b;
    case GCL_NODE_UMAX:
        return a < b ? b : a;
    case GCL_NODE_SMIN:
        return less ? a : b;
    case GCL_NODE_SMAX:
        return less ? b : a;
    case GCL_NODE_EQ:
        return a == b;
    case GCL_NODE_ULT:
        return a < b;
    case GCL_NODE_SLT:
        return less;
    case GCL_NODE_SEXT:
        return (uint64_t)gcl_scalar_extend(a, width);
    case GCL_NODE_ZEXT:
    case GCL_NODE_TRUNC:
        return a;
    default:
        return kind <= GCL_NODE_SREM ? quotient(kind, a, b, width) : shifted(kind, a, b, width);
    }
}

bool gcl_scalar_given(const struct gcl_program *program, const struct gcl_launch_part *launch,
                      const struct gcl_node *node, uint64_t *value) {
    *value = 0;
    if (node->kind == GCL_NODE_CONSTANT)
        *value = (uint64_t)program->constants[node->a];
    else if (node->kind == GCL_NODE_ARGUMENT)
        memcpy(value, launch->arguments + node->a, (node->width + 7u) / 8); // little-endian
    else if (node->kind == GCL_NODE_BLOCK_SIZE)
        *value = launch->geometry.block[node->a];
    else if (node->kind == GCL_NODE_GRID_SIZE)
        *value = launch->geometry.grid[node->a];
    else
        return false;
    return true;
}
