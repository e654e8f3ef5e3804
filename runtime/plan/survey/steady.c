// What is computed from an unknown number is unknown, but for conditions that another one decides.
// So an argument that is only compared with what isn't looked at makes no difference, and the same
// places are found whatever it is.
#include "plan/survey/steady.h"

#include <assert.h>
#include <stdlib.h>

/// By node: whether it may be known, and whether it counts.
struct steady {
    const struct gcl_program *program;
    const struct gcl_origins *origins;
    bool *may_be_known;
    bool *counts;
};

static bool is_bare_load(const struct gcl_origins *origins, uint16_t access) {
    for (uint16_t i = 0; i < origins->bare_load_count; i++) {
        if (origins->loads[i] == access)
            return true;
    }
    return false;
}

static bool may_be_known(const struct steady *s, const struct gcl_node *node) {
    const bool *may = s->may_be_known;
    switch (gcl_origins_operand_count(node)) {
    case 0:
        return node->kind != GCL_NODE_LOAD || is_bare_load(s->origins, node->a);
    case 1:
        return may[node->a];
    case 2:
        return (may[node->a] && may[node->b]) ||
               ((node->kind == GCL_NODE_AND || node->kind == GCL_NODE_OR) &&
                (may[node->a] || may[node->b]));
    default:
        return may[node->a] && (may[node->b] || may[node->c]);
    }
}

/// Marks a node, and those behind it that may be known.
static void mark(const struct steady *s, uint16_t index) {
    const struct gcl_node *node = &s->program->nodes[index];
    const uint16_t operands[] = {node->a, node->b, node->c};
    if (s->counts[index] || !s->may_be_known[index])
        return;
    s->counts[index] = true;
    for (unsigned i = 0; i < gcl_origins_operand_count(node); i++)
        mark(s, operands[i]);
}

bool gcl_steady_find(const struct gcl_program *program, uint16_t access,
                     const struct gcl_origins *origins, bool *counts) {
    const struct steady s = {program, origins,
                             calloc(program->node_count + 1u, sizeof *s.may_be_known), counts};
    assert(access < program->access_count);
    if (!s.may_be_known)
        return false;
    for (uint16_t i = 0; i < program->node_count; i++)
        counts[i] = false;
    for (uint16_t i = 0; i < origins->node_count; i++) {
        s.may_be_known[origins->nodes[i]] = may_be_known(&s, &program->nodes[origins->nodes[i]]);
        if (i < origins->bare_count)
            counts[origins->nodes[i]] = true;
    }
    for (uint16_t g = program->accesses[access].guard; g != GCL_NONE;
         g = program->guards[g].outer) {
        if (program->guards[g].kind != GCL_GUARD_LOOP)
            mark(&s, program->guards[g].node);
    }
    free(s.may_be_known);
    return true;
}
