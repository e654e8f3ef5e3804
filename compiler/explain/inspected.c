// A walk over all nodes that an address or a number follows from, through memory as well: the
// runtime can look it up if no node on the way is unknown, and no memory on the way is changed by
// the kernel.
#include "inspected.h"

#include <assert.h>
#include <glib.h>

/// Nodes that something is made of, also by way of memory.
struct reach {
    const struct gcl_program *p;
    bool *nodes;
    bool loads;
    bool is_known; ///< nothing is in it that can't be looked up
    bool counts;   ///< it has threads, blocks or iterations in it
};

static bool is_around(const struct gcl_program *p, const struct gcl_access *access,
                      uint16_t guard) {
    uint16_t g = access->guard;
    while (g != GCL_NONE && g != guard)
        g = p->guards[g].outer;
    return g != GCL_NONE;
}

static bool may_change(const struct gcl_program *p, uint16_t base) {
    for (uint16_t i = 0; i < p->access_count; i++) {
        const struct gcl_access *access = &p->accesses[i];
        if (access->kind != GCL_ACCESS_READ &&
            (access->base == base || p->bases[access->base].kind == GCL_BASE_ANY))
            return true;
    }
    return false;
}

static void follow(struct reach *r, uint16_t index);

static void follow_address(struct reach *r, uint16_t index) {
    assert(index < r->p->access_count);
    const struct gcl_access *access = &r->p->accesses[index];
    const struct gcl_base *base = &r->p->bases[access->base];
    if (access->offset == GCL_NONE || base->kind == GCL_BASE_ANY)
        r->is_known = false;
    else
        follow(r, access->offset);
    if (base->kind != GCL_BASE_LOADED)
        return;
    r->loads = true;
    r->is_known = r->is_known && !may_change(r->p, r->p->accesses[base->index].base);
    follow_address(r, base->index);
}

static void follow(struct reach *r, uint16_t index) {
    assert(index < r->p->node_count);
    const struct gcl_node *n = &r->p->nodes[index];
    if (r->nodes[index])
        return;
    r->nodes[index] = true;
    r->counts |= n->kind == GCL_NODE_THREAD_INDEX || n->kind == GCL_NODE_BLOCK_INDEX ||
                 n->kind == GCL_NODE_GLOBAL_INDEX || n->kind == GCL_NODE_ITERATION;
    if (n->kind == GCL_NODE_UNKNOWN || n->kind == GCL_NODE_LAST)
        r->is_known = false;
    if (n->kind == GCL_NODE_LOAD) {
        r->loads = true;
        r->is_known = r->is_known && !may_change(r->p, r->p->accesses[n->a].base);
        follow_address(r, n->a);
    }
    if (n->kind < GCL_NODE_ADD)
        return;
    follow(r, n->a);
    if (n->kind < GCL_NODE_ZEXT)
        follow(r, n->b);
    if (n->kind == GCL_NODE_SELECT)
        follow(r, n->c);
}

static bool has_loops_around(const struct reach *r, const struct gcl_access *access) {
    for (uint16_t i = 0; i < r->p->node_count; i++) {
        if (r->nodes[i] && r->p->nodes[i].kind == GCL_NODE_ITERATION &&
            !is_around(r->p, access, r->p->nodes[i].a))
            return false;
    }
    return true;
}

bool gcl_inspected_access(const struct gcl_program *p, uint16_t index) {
    const struct gcl_access *access = &p->accesses[index];
    g_autofree bool *nodes = g_new0(bool, p->node_count + 1u);
    struct reach r = {.p = p, .nodes = nodes, .is_known = true};
    if (access->kind != GCL_ACCESS_READ && access->kind != GCL_ACCESS_WRITE)
        return false;
    follow_address(&r, index);
    if (access->size == 0 && access->length != GCL_NONE)
        follow(&r, access->length);
    for (uint16_t g = access->guard; g != GCL_NONE; g = p->guards[g].outer) {
        if (p->guards[g].kind != GCL_GUARD_LOOP)
            continue;
        if (p->guards[g].node == GCL_NONE)
            return false;
        follow(&r, p->guards[g].node);
    }
    return r.loads && r.is_known && has_loops_around(&r, access);
}

bool gcl_inspected_value(const struct gcl_program *p, uint16_t node) {
    g_autofree bool *nodes = g_new0(bool, p->node_count + 1u);
    struct reach r = {.p = p, .nodes = nodes, .is_known = true};
    follow(&r, node);
    return r.is_known;
}

bool gcl_inspected_constant(const struct gcl_program *p, uint16_t node) {
    g_autofree bool *nodes = g_new0(bool, p->node_count + 1u);
    struct reach r = {.p = p, .nodes = nodes, .is_known = true};
    follow(&r, node);
    return r.loads && r.is_known && !r.counts;
}
