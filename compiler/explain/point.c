#include "point.h"

#include <string.h>

#include "gcluster/access.h"

/// Nodes of a program that have a value at one point.
struct reading {
    const struct gcl_sample *sample;
    const struct gcl_point *at;
    uint64_t *values;
    bool *known;
};

static uint64_t cut(uint64_t value, unsigned width) {
    return width < 64 ? value & ((UINT64_C(1) << width) - 1) : value;
}

static int64_t extend(uint64_t value, unsigned width) {
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

static uint64_t leaf(const struct reading *r, const struct gcl_node *n) {
    const struct gcl_launch_part *launch = &r->sample->launch;
    uint64_t value = 0;
    switch (n->kind) {
    case GCL_NODE_CONSTANT:
        return (uint64_t)r->sample->program.constants[n->a];
    case GCL_NODE_ARGUMENT:
        memcpy(&value, launch->arguments + n->a, sizeof value);
        return value;
    case GCL_NODE_THREAD_INDEX:
        return r->at->thread[n->a];
    case GCL_NODE_BLOCK_INDEX:
        return r->at->block[n->a];
    case GCL_NODE_BLOCK_SIZE:
        return launch->block_size[n->a];
    case GCL_NODE_GRID_SIZE:
        return launch->grid_size[n->a];
    case GCL_NODE_GLOBAL_INDEX:
        return (uint64_t)r->at->block[n->a] * launch->block_size[n->a] + r->at->thread[n->a];
    default:
        return r->at->iteration;
    }
}

static uint64_t quotient(uint8_t kind, uint64_t a, uint64_t b, unsigned width) {
    int64_t c = extend(a, width), d = extend(b, width);
    if (b == 0 || d == -1)
        return b == 0 || kind == GCL_NODE_SREM ? 0 : (uint64_t)0 - a;
    return kind == GCL_NODE_UDIV   ? a / b
           : kind == GCL_NODE_UREM ? a % b
           : kind == GCL_NODE_SDIV ? (uint64_t)(c / d)
                                   : (uint64_t)(c % d);
}

static uint64_t shifted(uint8_t kind, uint64_t a, uint64_t by, unsigned width) {
    if (by >= width)
        return kind == GCL_NODE_ASHR && extend(a, width) < 0 ? UINT64_MAX : 0;
    return kind == GCL_NODE_SHL    ? a << by
           : kind == GCL_NODE_LSHR ? a >> by
                                   : (uint64_t)(extend(a, width) >> by);
}

// `width`: of the operands.
static uint64_t combine(uint8_t kind, uint64_t a, uint64_t b, unsigned width) {
    bool less = extend(a, width) < extend(b, width);
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
        return MIN(a, b);
    case GCL_NODE_UMAX:
        return MAX(a, b);
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
    default:
        return kind <= GCL_NODE_SREM ? quotient(kind, a, b, width) : shifted(kind, a, b, width);
    }
}

static void read_node(struct reading *r, uint16_t index) {
    const struct gcl_node *nodes = r->sample->program.nodes, *n = &nodes[index];
    if (n->kind < GCL_NODE_ADD) {
        r->known[index] = n->kind <= GCL_NODE_LAST;
        r->values[index] = r->known[index] ? cut(leaf(r, n), n->width) : 0;
        return;
    }
    uint64_t a = r->values[n->a], value = a;
    r->known[index] = r->known[n->a];
    if (n->kind == GCL_NODE_SELECT) {
        value = a ? r->values[n->b] : r->values[n->c];
        r->known[index] = r->known[n->a] && r->known[a ? n->b : n->c];
    } else if (n->kind < GCL_NODE_SELECT) {
        value = combine(n->kind, a, r->values[n->b], nodes[n->a].width);
        r->known[index] = r->known[n->a] && r->known[n->b];
    } else if (n->kind == GCL_NODE_SEXT) {
        value = (uint64_t)extend(a, nodes[n->a].width);
    }
    r->values[index] = cut(value, n->width);
}

bool gcl_point_value(const struct gcl_sample *sample, const struct gcl_point *at, uint16_t node,
                     int64_t *value) {
    struct reading r = {sample, at, g_new(uint64_t, node + 1u), g_new(bool, node + 1u)};
    for (uint16_t i = 0; i <= node; i++)
        read_node(&r, i);
    bool known = r.known[node];
    *value = extend(r.values[node], sample->program.nodes[node].width);
    g_free(r.values);
    g_free(r.known);
    return known;
}
