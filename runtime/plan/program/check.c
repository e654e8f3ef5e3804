// Each table by itself first, so that what they say of each other can be followed; then the ways on
// which that could go round: loops, whose conditions may hold the last iteration of other loops,
// and what is loaded, whose address may hold what is loaded elsewhere.
#include "plan/program/check.h"

#include <stdlib.h>

struct check {
    const struct gcl_program *p;
    size_t argument_size;
    struct gcl_program_fault *fault;
};

static bool fail(const struct check *c, const char *table, size_t index, const char *what) {
    *c->fault = (struct gcl_program_fault){table, index, what};
    return false;
}

static bool is_there(const void *table, uint16_t count) {
    return count == 0 || table;
}

static bool check_tables(const struct check *c) {
    const struct gcl_program *p = c->p;
    bool all = is_there(p->nodes, p->node_count) && is_there(p->constants, p->constant_count) &&
               is_there(p->guards, p->guard_count) && is_there(p->bases, p->base_count) &&
               is_there(p->accesses, p->access_count) && is_there(p->reasons, p->reason_count) &&
               is_there(p->files, p->file_count) && is_there(p->variables, p->variable_count);
    const uint16_t counts[] = {p->node_count, p->guard_count, p->base_count, p->access_count};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (counts[i] == GCL_NONE)
            return fail(c, "program", 0, "a table is too long");
    }
    for (uint16_t i = 0; all && i < p->variable_count; i++)
        all = p->variables[i];
    if (p->split != 0 && (p->split < 'x' || p->split > 'z'))
        return fail(c, "program", 0, "it is split along no axis");
    return all || fail(c, "program", 0, "a table is missing");
}

// Nodes.

static bool check_leaf(const struct check *c, uint16_t i) {
    const struct gcl_program *p = c->p;
    const struct gcl_node *n = &p->nodes[i];
    switch (n->kind) {
    case GCL_NODE_CONSTANT:
        return n->a < p->constant_count || fail(c, "node", i, "its constant doesn't exist");
    case GCL_NODE_ARGUMENT:
        return n->a + (n->width + 7u) / 8 <= c->argument_size ||
               fail(c, "node", i, "it lies behind the arguments");
    case GCL_NODE_ITERATION:
    case GCL_NODE_LAST:
        return (n->a < p->guard_count && p->guards[n->a].kind == GCL_GUARD_LOOP) ||
               fail(c, "node", i, "its loop doesn't exist");
    case GCL_NODE_LOAD:
        return n->a < p->access_count || fail(c, "node", i, "its access doesn't exist");
    case GCL_NODE_UNKNOWN:
        return n->a < p->reason_count || fail(c, "node", i, "its reason doesn't exist");
    default:
        return n->a < 3 || fail(c, "node", i, "its axis doesn't exist");
    }
}

static bool check_widths(const struct check *c, uint16_t i) {
    const struct gcl_node *n = &c->p->nodes[i];
    unsigned a = c->p->nodes[n->a].width;
    bool fits;
    if (n->kind == GCL_NODE_SELECT)
        fits = a == 1 && c->p->nodes[n->b].width == n->width && c->p->nodes[n->c].width == n->width;
    else if (n->kind >= GCL_NODE_ZEXT)
        fits = n->kind == GCL_NODE_TRUNC ? a > n->width : a < n->width;
    else
        fits = a == c->p->nodes[n->b].width && n->width == (n->kind >= GCL_NODE_EQ ? 1 : a);
    return fits || fail(c, "node", i, "its operands have another width");
}

static bool check_node(const struct check *c, uint16_t i) {
    const struct gcl_node *n = &c->p->nodes[i];
    if (n->kind > GCL_NODE_TRUNC)
        return fail(c, "node", i, "its kind doesn't exist");
    if (n->width < 1 || n->width > 64)
        return fail(c, "node", i, "its width isn't 1 to 64");
    if (n->kind < GCL_NODE_ADD)
        return check_leaf(c, i);
    bool front = n->a < i && (n->kind >= GCL_NODE_ZEXT || n->b < i) &&
                 (n->kind != GCL_NODE_SELECT || n->c < i);
    return front ? check_widths(c, i) : fail(c, "node", i, "an operand doesn't stand in front");
}

static bool has_width(const struct check *c, uint16_t node, unsigned width) {
    return node < c->p->node_count && c->p->nodes[node].width == width;
}

// Guards, bases, accesses.

static bool check_guard(const struct check *c, uint16_t i) {
    const struct gcl_guard *guard = &c->p->guards[i];
    bool endless = guard->kind == GCL_GUARD_LOOP && guard->node == GCL_NONE;
    if (guard->kind > GCL_GUARD_LOOP)
        return fail(c, "guard", i, "its kind doesn't exist");
    if (!endless && !has_width(c, guard->node, 1))
        return fail(c, "guard", i, "its node is no condition");
    return guard->outer == GCL_NONE || guard->outer < i ||
           fail(c, "guard", i, "the one around it doesn't stand in front");
}

static bool check_base(const struct check *c, uint16_t i) {
    const struct gcl_base *base = &c->p->bases[i];
    switch (base->kind) {
    case GCL_BASE_ARGUMENT:
        return base->index + sizeof(uint64_t) <= c->argument_size ||
               fail(c, "base", i, "it lies behind the arguments");
    case GCL_BASE_VARIABLE:
        return base->index < c->p->variable_count || fail(c, "base", i, "no such variable");
    case GCL_BASE_LOADED:
        return base->index < c->p->access_count || fail(c, "base", i, "no such access");
    case GCL_BASE_ANY:
        return base->index < c->p->reason_count || fail(c, "base", i, "no such reason");
    default:
        return fail(c, "base", i, "its kind doesn't exist");
    }
}

static bool check_access(const struct check *c, uint16_t i) {
    const struct gcl_access *access = &c->p->accesses[i];
    bool reduces = access->kind == GCL_ACCESS_REDUCE;
    unsigned last = reduces ? (unsigned)GCL_REDUCTION_FMAX : (unsigned)GCL_STORED_ANYTHING;
    if (access->kind > GCL_ACCESS_ATOMIC)
        return fail(c, "access", i, "its kind doesn't exist");
    if (access->reduction > last)
        return fail(c, "access", i, "it does what doesn't exist");
    if (access->base >= c->p->base_count)
        return fail(c, "access", i, "its base doesn't exist");
    if (access->offset != GCL_NONE && !has_width(c, access->offset, 64))
        return fail(c, "access", i, "its offset is no node of 64 bits");
    if (access->length != GCL_NONE && !has_width(c, access->length, 64))
        return fail(c, "access", i, "its length is no node of 64 bits");
    if (access->guard != GCL_NONE && access->guard >= c->p->guard_count)
        return fail(c, "access", i, "its guard doesn't exist");
    return access->place.line == 0 || access->place.file < c->p->file_count ||
           fail(c, "access", i, "its file doesn't exist");
}

static bool check_reason(const struct check *c, uint16_t i) {
    const struct gcl_reason *reason = &c->p->reasons[i];
    if (reason->access != GCL_NONE && reason->access >= c->p->access_count)
        return fail(c, "reason", i, "its access doesn't exist");
    return reason->place.line == 0 || reason->place.file < c->p->file_count ||
           fail(c, "reason", i, "its file doesn't exist");
}

static bool check_each(const struct check *c, uint16_t count,
                       bool (*one)(const struct check *, uint16_t)) {
    bool all = true;
    for (uint16_t i = 0; all && i < count; i++)
        all = one(c, i);
    return all;
}

// Loops and loads. Levels say how many loops have to have ended and how many loads have been done
// before a node, or behind the nodes the address of an access, has a value.

static uint32_t higher(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static uint32_t level_of_address(const struct gcl_program *p, const struct gcl_access *access,
                                 const uint32_t *levels) {
    const struct gcl_base *base = &p->bases[access->base];
    uint32_t level = access->offset == GCL_NONE ? 0 : levels[access->offset];
    return base->kind == GCL_BASE_LOADED ? higher(level, levels[p->node_count + base->index] + 1)
                                         : level;
}

static uint32_t level_of(const struct gcl_program *p, const struct gcl_node *n,
                         const uint32_t *levels) {
    if (n->kind == GCL_NODE_LAST) {
        uint16_t condition = p->guards[n->a].node;
        return condition == GCL_NONE ? 1 : levels[condition] + 1;
    }
    if (n->kind == GCL_NODE_LOAD)
        return levels[p->node_count + n->a] + 1;
    if (n->kind < GCL_NODE_ADD)
        return 0;
    uint32_t level = levels[n->a];
    if (n->kind < GCL_NODE_ZEXT)
        level = higher(level, levels[n->b]);
    return n->kind == GCL_NODE_SELECT ? higher(level, levels[n->c]) : level;
}

/// True: some are higher than before.
static bool raise_levels(const struct gcl_program *p, uint32_t *levels) {
    bool more = false;
    for (uint32_t i = 0; i < p->node_count + p->access_count; i++) {
        uint32_t level = i < p->node_count
                             ? level_of(p, &p->nodes[i], levels)
                             : level_of_address(p, &p->accesses[i - p->node_count], levels);
        more |= level > levels[i];
        levels[i] = level;
    }
    return more;
}

// Each round finds the right level of one more loop or load, so that only those that go round still
// rise in the end.
static bool check_order(const struct check *c) {
    const struct gcl_program *p = c->p;
    uint32_t *levels = calloc(p->node_count + p->access_count + 1u, sizeof *levels);
    if (!levels)
        return fail(c, "program", 0, "no memory to check it");
    uint32_t rounds = p->guard_count + p->access_count + 2u;
    while (rounds > 0 && raise_levels(p, levels))
        rounds--;
    free(levels);
    return rounds > 0 || fail(c, "program", 0, "a loop or a load follows from itself");
}

bool gcl_program_check(const struct gcl_program *program, size_t argument_size,
                       struct gcl_program_fault *fault) {
    const struct check c = {program, argument_size, fault};
    return check_tables(&c) && check_each(&c, program->node_count, check_node) &&
           check_each(&c, program->guard_count, check_guard) &&
           check_each(&c, program->base_count, check_base) &&
           check_each(&c, program->access_count, check_access) &&
           check_each(&c, program->reason_count, check_reason) && check_order(&c);
}
