// A walk from the address of an access back to constants, arguments and numbers of threads, through
// memory where something is loaded. Operands are visited before the node that they make, so that
// whoever computes the nodes in this order has each operand when it is needed.
#include "plan/directory/origins.h"

#include <stdlib.h>

struct search {
    const struct gcl_program *program;
    struct gcl_origins *origins;
};

unsigned gcl_origins_operand_count(const struct gcl_node *node) {
    if (node->kind < GCL_NODE_ADD)
        return 0;
    return node->kind == GCL_NODE_SELECT ? 3 : node->kind < GCL_NODE_SELECT ? 2 : 1;
}

static void visit(const struct search *s, uint16_t index, unsigned depth);

// The address of an access, and the pointers that it takes on its way.
static void visit_address(const struct search *s, uint16_t index, unsigned depth) {
    const struct gcl_access *access = &s->program->accesses[index];
    const struct gcl_base *base = &s->program->bases[access->base];
    if (depth == GCL_ORIGINS_DEEPEST)
        return;
    if (access->offset != GCL_NONE)
        visit(s, access->offset, depth + 1);
    if (base->kind != GCL_BASE_LOADED)
        return;
    bool *is_seen = &s->origins->seen[s->program->node_count + base->index];
    if (!*is_seen)
        s->origins->loads[s->origins->load_count++] = base->index;
    *is_seen = true;
    visit_address(s, base->index, depth + 1);
}

static void visit(const struct search *s, uint16_t index, unsigned depth) {
    const struct gcl_node *node = &s->program->nodes[index];
    const uint16_t operands[] = {node->a, node->b, node->c};
    if (s->origins->seen[index])
        return;
    s->origins->seen[index] = true;
    if (node->kind == GCL_NODE_LOAD) {
        bool *is_seen = &s->origins->seen[s->program->node_count + node->a];
        if (!*is_seen)
            s->origins->loads[s->origins->load_count++] = node->a;
        *is_seen = true;
        visit_address(s, node->a, depth);
    }
    for (unsigned i = 0; i < gcl_origins_operand_count(node); i++)
        visit(s, operands[i], depth);
    s->origins->nodes[s->origins->node_count++] = index;
}

static void visit_guards(const struct search *s, uint16_t access, bool loops) {
    const struct gcl_program *p = s->program;
    for (uint16_t g = p->accesses[access].guard; g != GCL_NONE; g = p->guards[g].outer) {
        if ((p->guards[g].kind == GCL_GUARD_LOOP) == loops && p->guards[g].node != GCL_NONE)
            visit(s, p->guards[g].node, 0);
    }
}

bool gcl_origins_find(const struct gcl_program *program, uint16_t access,
                      struct gcl_origins *origins) {
    const struct search s = {program, origins};
    const struct gcl_access *a = &program->accesses[access];
    *origins =
        (struct gcl_origins){.nodes = malloc((program->node_count + 1u) * sizeof *origins->nodes),
                             .loads = malloc((program->access_count + 1u) * sizeof *origins->loads),
                             .seen = calloc(program->node_count + (size_t)program->access_count + 1,
                                            sizeof *origins->seen)};
    if (!origins->nodes || !origins->loads || !origins->seen) {
        gcl_origins_finish(origins);
        return false;
    }
    visit_address(&s, access, 0);
    if (a->size == 0 && a->length != GCL_NONE)
        visit(&s, a->length, 0);
    visit_guards(&s, access, true);
    origins->bare_count = origins->node_count;
    origins->bare_load_count = origins->load_count;
    visit_guards(&s, access, false);
    return true;
}

void gcl_origins_finish(struct gcl_origins *origins) {
    free(origins->nodes);
    free(origins->loads);
    free(origins->seen);
    *origins = (struct gcl_origins){.nodes = NULL};
}
