#include "kernel.h"

#include "gcluster/reasons.h"

static uint16_t add_node(struct kernel *k, struct gcl_node node) {
    k->nodes[k->program.node_count] = node;
    return k->program.node_count++;
}

static uint16_t add_constant(struct kernel *k, int64_t value) {
    k->constants[k->program.constant_count] = value;
    return add_node(k, (struct gcl_node){.kind = GCL_NODE_CONSTANT,
                                         .width = 64,
                                         .a = k->program.constant_count++});
}

static uint16_t add_binary(struct kernel *k, enum gcl_node_kind kind, uint16_t a, uint16_t b) {
    return add_node(k, (struct gcl_node){.kind = (uint8_t)kind, .width = 64, .a = a, .b = b});
}

/// Adds something that depends on data in a way that nobody can follow.
static uint16_t add_unknown(struct kernel *k, uint16_t code, uint8_t width) {
    uint16_t reason = k->program.reason_count++;
    k->reasons[reason] = (struct gcl_reason){.code = code, .access = k->program.access_count};
    return add_node(k, (struct gcl_node){.kind = GCL_NODE_UNKNOWN, .width = width, .a = reason});
}

static uint16_t add_offset(struct kernel *k, const struct scenario_bytes *bytes) {
    if (bytes->is_anywhere)
        return add_unknown(k, GCL_REASON_DATA_INDEX, 64);
    uint16_t sum = add_constant(k, bytes->constant);
    for (unsigned i = 0; i < SCENARIO_VARIABLES; i++) {
        if (bytes->factors[i] == 0)
            continue;
        enum gcl_node_kind kind = i < 3 ? GCL_NODE_BLOCK_INDEX : GCL_NODE_THREAD_INDEX;
        uint16_t number = add_node(
            k, (struct gcl_node){.kind = (uint8_t)kind, .width = 64, .a = (uint16_t)(i % 3)});
        uint16_t factor = add_constant(k, bytes->factors[i]);
        sum = add_binary(k, GCL_NODE_ADD, sum, add_binary(k, GCL_NODE_MULTIPLY, number, factor));
    }
    return sum;
}

static uint16_t add_guard(struct kernel *k) {
    k->guards[k->program.guard_count] =
        (struct gcl_guard){.kind = GCL_GUARD_HOLDS,
                           .node = add_unknown(k, GCL_REASON_DATA_GUARD, 1),
                           .outer = GCL_NONE};
    return k->program.guard_count++;
}

static void add_access(struct kernel *k, const struct scenario_access *access) {
    uint16_t base = k->program.base_count++;
    k->bases[base] = (struct gcl_base){.kind = GCL_BASE_ARGUMENT, .index = (uint16_t)(8 * base)};
    const struct gcl_access added = {.kind = (uint8_t)access->kind,
                                     .reduction = (uint8_t)access->reduction,
                                     .base = base,
                                     .offset = add_offset(k, &access->bytes),
                                     .guard = access->is_doubtful ? add_guard(k) : GCL_NONE,
                                     .length = GCL_NONE,
                                     .element = access->element,
                                     .size = (uint32_t)access->bytes.length};
    k->accesses[k->program.access_count++] = added;
}

void kernel_init(struct kernel *kernel, const struct scenario_launch *launch) {
    *kernel = (struct kernel){.program = {.nodes = kernel->nodes,
                                          .constants = kernel->constants,
                                          .guards = kernel->guards,
                                          .bases = kernel->bases,
                                          .accesses = kernel->accesses,
                                          .reasons = kernel->reasons,
                                          .split = (uint8_t)launch->split}};
    for (size_t i = 0; i < launch->access_count; i++)
        add_access(kernel, &launch->accesses[i]);
}
