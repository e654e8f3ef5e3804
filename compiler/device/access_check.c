// What pragmas say against what is known of a kernel.
#include "access_program.h"

// Which accesses are exact: neither place nor condition depends on data.

// Operands stand in front of their nodes; only the conditions of loops may be anywhere.
static bool spread_doubt(const struct gcl_device_program *p, bool *doubtful) {
    bool changes = false;
    for (guint i = 0; i < p->nodes->len; i++) {
        const struct gcl_node *n = &g_array_index(p->nodes, struct gcl_node, i);
        const uint16_t operands[] = {n->a, n->b, n->c};
        bool is = n->kind == GCL_NODE_LOAD || n->kind == GCL_NODE_UNKNOWN;
        if (n->kind == GCL_NODE_LAST) {
            uint16_t end = g_array_index(p->guards, struct gcl_guard, n->a).node;
            is = end == GCL_NONE || doubtful[end];
        }
        for (unsigned o = 0; o < gcl_graph_operands(n->kind); o++)
            is |= doubtful[operands[o]];
        changes |= is != doubtful[i];
        doubtful[i] = is;
    }
    return changes;
}

static bool is_exact(const struct gcl_device_program *p, const bool *doubtful,
                     const struct gcl_access *access) {
    bool has_length = access->size == 0;
    if (access->offset == GCL_NONE || doubtful[access->offset] ||
        (has_length && (access->length == GCL_NONE || doubtful[access->length])))
        return false;
    for (uint16_t g = access->guard; g != GCL_NONE;) {
        const struct gcl_guard *guard = &g_array_index(p->guards, struct gcl_guard, g);
        if (guard->node == GCL_NONE || doubtful[guard->node])
            return false;
        g = guard->outer;
    }
    return true;
}

bool *gcl_access_find_exact(const struct gcl_device_program *p) {
    g_autofree bool *doubtful = g_new0(bool, p->nodes->len + 1);
    bool *exact = g_new0(bool, p->accesses->len + 1);
    while (spread_doubt(p, doubtful))
        continue;
    for (guint i = 0; i < p->accesses->len; i++)
        exact[i] = is_exact(p, doubtful, &g_array_index(p->accesses, struct gcl_access, i));
    return exact;
}
