// Operands stand in front of the nodes that they make, so that one walk from the last node to the
// first one marks all that follows.
#include "operands.h"

#include <assert.h>
#include <glib.h>

void gcl_operands_mark(const struct gcl_program *p, bool *marks) {
    for (uint16_t i = p->node_count; i-- > 0;) {
        const struct gcl_node *n = &p->nodes[i];
        if (!marks[i] || n->kind < GCL_NODE_ADD)
            continue;
        assert(n->a < i);
        marks[n->a] = true;
        if (n->kind < GCL_NODE_ZEXT)
            marks[n->b] = true;
        if (n->kind == GCL_NODE_SELECT)
            marks[n->c] = true;
    }
}

bool gcl_operands_reach(const struct gcl_program *p, uint16_t root, enum gcl_node_kind kind) {
    assert(root < p->node_count);
    g_autofree bool *marks = g_new0(bool, p->node_count + 1u);
    marks[root] = true;
    gcl_operands_mark(p, marks);
    for (uint16_t i = 0; i <= root; i++) {
        if (marks[i] && p->nodes[i].kind == kind)
            return true;
    }
    return false;
}
