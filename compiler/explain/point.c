// All nodes in front of the one that is asked for are computed in order, as operands stand before
// what they make; what depends on data has no value, nor has anything that is made of it.
#include "point.h"

#include <assert.h>
#include <string.h>

#include "gcluster/access.h"
#include "plan/region/scalar.h"

/// Nodes of a program that have a value at one point.
struct reading {
    const struct gcl_sample *sample;
    const struct gcl_point *at;
    uint64_t *values;
    bool *known;
};

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
        return launch->geometry.block[n->a];
    case GCL_NODE_GRID_SIZE:
        return launch->geometry.grid[n->a];
    case GCL_NODE_GLOBAL_INDEX:
        return (uint64_t)r->at->block[n->a] * launch->geometry.block[n->a] + r->at->thread[n->a];
    default:
        return r->at->iteration;
    }
}

static void read_node(struct reading *r, uint16_t index) {
    const struct gcl_node *nodes = r->sample->program.nodes, *n = &nodes[index];
    assert(n->kind < GCL_NODE_ADD || n->a < index);
    if (n->kind < GCL_NODE_ADD) {
        r->known[index] = n->kind <= GCL_NODE_LAST;
        r->values[index] = r->known[index] ? gcl_scalar_truncate(leaf(r, n), n->width) : 0;
        return;
    }
    uint64_t a = r->values[n->a], value = a;
    r->known[index] = r->known[n->a];
    if (n->kind == GCL_NODE_SELECT) {
        value = a ? r->values[n->b] : r->values[n->c];
        r->known[index] = r->known[n->a] && r->known[a ? n->b : n->c];
    } else if (n->kind < GCL_NODE_SELECT) {
        value = gcl_scalar_compute(n->kind, a, r->values[n->b], nodes[n->a].width);
        r->known[index] = r->known[n->a] && r->known[n->b];
    } else if (n->kind == GCL_NODE_SEXT) {
        value = (uint64_t)gcl_scalar_extend(a, nodes[n->a].width);
    }
    r->values[index] = gcl_scalar_truncate(value, n->width);
}

bool gcl_point_value(const struct gcl_sample *sample, const struct gcl_point *at, uint16_t node,
                     int64_t *value) {
    assert(node < sample->program.node_count);
    struct reading r = {sample, at, g_new(uint64_t, node + 1u), g_new(bool, node + 1u)};
    for (uint16_t i = 0; i <= node; i++)
        read_node(&r, i);
    bool known = r.known[node];
    *value = gcl_scalar_extend(r.values[node], sample->program.nodes[node].width);
    g_free(r.values);
    g_free(r.known);
    return known;
}
