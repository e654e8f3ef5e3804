#include "plan/program/varying.h"

#include <assert.h>
#include <stdlib.h>

#include "plan/directory/origins.h"

/// What a node depends on, of a loop.
enum { ITERATION = 1, DATA = 2 };

bool gcl_varying_init(struct gcl_varying *varying, const struct gcl_program *program) {
    *varying = (struct gcl_varying){
        .program = program, .nodes = malloc(program->node_count + 1u), .guard = GCL_NONE};
    return varying->nodes != NULL;
}

void gcl_varying_finish(struct gcl_varying *varying) {
    free(varying->nodes);
}

/// Whether code with a guard runs in each iteration of a loop anew.
static bool is_inside(const struct gcl_program *program, uint16_t guard, uint16_t loop) {
    while (guard != GCL_NONE && guard != loop)
        guard = program->guards[guard].outer;
    return guard == loop;
}

/// What a load gives inside of the loop may change with its place.
static unsigned char of_load(const struct gcl_varying *v, uint16_t index) {
    const struct gcl_access *access = &v->program->accesses[v->program->nodes[index].a];
    if (!is_inside(v->program, access->guard, v->guard))
        return 0;
    bool is_fixed = v->program->bases[access->base].kind < GCL_BASE_LOADED &&
                    access->offset < index && !v->nodes[access->offset];
    return is_fixed ? 0 : DATA;
}

static unsigned char of_node(const struct gcl_varying *v, uint16_t index) {
    const struct gcl_node *node = &v->program->nodes[index];
    const uint16_t operands[] = {node->a, node->b, node->c};
    unsigned char depends = 0;
    switch (node->kind) {
    case GCL_NODE_ITERATION:
        return node->a == v->guard ? ITERATION : 0;
    case GCL_NODE_LAST:
        return node->a != v->guard && is_inside(v->program, node->a, v->guard) ? DATA : 0;
    case GCL_NODE_LOAD:
        return of_load(v, index);
    case GCL_NODE_UNKNOWN:
        return DATA;
    default:
        break;
    }
    for (unsigned i = 0; i < gcl_origins_operand_count(node); i++)
        depends |= v->nodes[operands[i]];
    return depends;
}

bool gcl_varying_has(struct gcl_varying *varying, uint16_t guard, uint16_t node) {
    assert(guard < varying->program->guard_count && node < varying->program->node_count);
    if (varying->guard != guard) {
        varying->guard = guard;
        for (uint16_t i = 0; i < varying->program->node_count; i++)
            varying->nodes[i] = of_node(varying, i);
    }
    return (varying->nodes[node] & DATA) != 0;
}
