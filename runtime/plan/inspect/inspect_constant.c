// What comes from memory and is the same for all threads.
#include "plan/inspect/base.h"
#include "plan/inspect/inspect.h"
#include "plan/region/scalar.h"

enum { CONSTANT_STEPS = 256 }; // nodes, where the same one may be computed several times

/// Nodes that may still be computed.
struct constants {
    const struct gcl_program *program;
    const struct gcl_launch_part *launch;
    struct gcl_contents *contents;
    unsigned steps;
};

static bool constant(struct constants *c, uint16_t index, uint64_t *value);

static bool constant_address(struct constants *c, uint16_t index, uint64_t *address) {
    const struct gcl_access *access = &c->program->accesses[index];
    const struct gcl_base *base = &c->program->bases[access->base];
    uint64_t start = 0, offset, pointer;
    if (access->offset == GCL_NONE || !constant(c, access->offset, &offset))
        return false;
    if (base->kind != GCL_BASE_LOADED
            ? !gcl_base_address(c->program, c->launch, access->base, &start)
            : c->steps-- == 0 || !constant_address(c, base->index, &pointer) ||
                  !gcl_contents_read(c->contents, pointer, sizeof start, &start))
        return false;
    *address = start + offset;
    return true;
}

static bool constant_load(struct constants *c, const struct gcl_node *node, uint64_t *value) {
    unsigned size = (node->width + 7u) / 8;
    uint64_t address;
    return c->program->accesses[node->a].size >= size && constant_address(c, node->a, &address) &&
           gcl_contents_read(c->contents, address, size, value);
}

static bool constant(struct constants *c, uint16_t index, uint64_t *value) {
    const struct gcl_node *node = &c->program->nodes[index];
    uint64_t a, b = 0;
    if (c->steps == 0)
        return false;
    c->steps--;
    if (node->kind == GCL_NODE_LOAD) {
        if (!constant_load(c, node, value))
            return false;
    } else if (node->kind < GCL_NODE_ADD) {
        if (!gcl_scalar_given(c->program, c->launch, node, value))
            return false;
    } else if (node->kind == GCL_NODE_SELECT) {
        if (!constant(c, node->a, &a) || !constant(c, a ? node->b : node->c, value))
            return false;
    } else {
        if (!constant(c, node->a, &a) ||
            (node->kind < GCL_NODE_SELECT && !constant(c, node->b, &b)))
            return false;
        *value = gcl_scalar_compute(node->kind, a, b, c->program->nodes[node->a].width);
    }
    *value = gcl_scalar_truncate(*value, node->width);
    return true;
}

bool gcl_inspect_constant(const struct gcl_program *program, const struct gcl_launch_part *launch,
                          struct gcl_contents *contents, uint16_t node, uint64_t *value) {
    struct constants c = {program, launch, contents, CONSTANT_STEPS};
    return constant(&c, node, value);
}
