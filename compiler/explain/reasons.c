// Evaluating an access in the sample launch tells how exact it is, and which node made it inexact.
// What people are told is the data behind that node: that of the address first, since where bytes
// are matters more than whether they are touched, then that of the conditions and loops around.
#include "reasons.h"

#include "inspected.h"
#include "operands.h"
#include "plan/program/classes.h"

/// What is worst in the bytes of one access.
struct doubt {
    enum gcl_certainty certainty;
    uint16_t why;
    bool is_seen; ///< it happens
};

static void add_at(struct gcl_explanation *e, uint16_t code, uint16_t access,
                   const struct gcl_source_position *place) {
    struct gcl_reason reason = {.code = code, .access = access};
    if (place->line > 0)
        reason.place = *place;
    else if (access != GCL_NONE)
        reason.place = e->kernel->program->accesses[access].place;
    g_array_append_val(e->reasons, reason);
}

void gcl_explanation_add(struct gcl_explanation *e, enum gcl_reason_code code, uint16_t access) {
    static const struct gcl_source_position nowhere = {.line = 0};
    add_at(e, (uint16_t)code, access, &nowhere);
}

static bool is_data(const struct gcl_node *node) {
    return node->kind == GCL_NODE_LOAD || node->kind == GCL_NODE_UNKNOWN;
}

/// What of the data in a node isn't as `is_fine` says (NULL: none is); GCL_NONE: nothing.
static uint16_t find_open(const struct gcl_program *p, uint16_t root,
                          bool (*is_fine)(const struct gcl_program *, uint16_t)) {
    uint16_t found = GCL_NONE;
    if (root == GCL_NONE)
        return found;
    g_autofree bool *marks = g_new0(bool, p->node_count + 1u);
    marks[root] = true;
    gcl_operands_mark(p, marks);
    for (uint16_t i = 0; i < p->node_count && found == GCL_NONE; i++) {
        if (marks[i] && is_data(&p->nodes[i]) && !(is_fine && is_fine(p, i)))
            found = i;
    }
    return found;
}

/// The first of what depends on data in a node, or `wanted` if that is part of it; GCL_NONE:
/// neither.
static uint16_t find_in(const struct gcl_program *p, uint16_t root, uint16_t wanted) {
    if (root == GCL_NONE || wanted == GCL_NONE)
        return find_open(p, root, NULL);
    g_autofree bool *marks = g_new0(bool, p->node_count + 1u);
    marks[root] = true;
    gcl_operands_mark(p, marks);
    return marks[wanted] ? wanted : GCL_NONE;
}

static uint16_t find_in_address(const struct gcl_program *p, const struct gcl_access *access,
                                uint16_t wanted) {
    uint16_t found = find_in(p, access->offset, wanted);
    return found != GCL_NONE ? found : find_in(p, access->length, wanted);
}

static uint16_t find_guard(const struct gcl_program *p, const struct gcl_access *access,
                           uint16_t wanted, uint16_t *guard) {
    uint16_t found = GCL_NONE;
    for (*guard = access->guard; *guard != GCL_NONE; *guard = p->guards[*guard].outer) {
        found = find_in(p, p->guards[*guard].node, wanted);
        if (found != GCL_NONE)
            break;
    }
    return found;
}

static void visit(void *context, const struct gcl_bytes *bytes) {
    struct doubt *doubt = context;
    doubt->is_seen = true;
    if (bytes->certainty <= doubt->certainty)
        return;
    doubt->certainty = bytes->certainty;
    doubt->why = bytes->why;
}

// The place depends on data: on what is loaded there, or is unknown for a reason of its own.
static void add_index(struct gcl_explanation *e, uint16_t access, uint16_t node) {
    const struct gcl_program *p = e->kernel->program;
    const struct gcl_node *n = &p->nodes[node];
    if (n->kind == GCL_NODE_LOAD) {
        gcl_explanation_add(e, GCL_REASON_DATA_INDEX, access);
        return;
    }
    uint16_t code = p->reasons[n->a].code;
    add_at(e, code == GCL_REASON_DATA_GUARD ? GCL_REASON_DATA_INDEX : code, access,
           &p->reasons[n->a].place);
}

// Data decides whether, or how often, it happens.
static void add_guard(struct gcl_explanation *e, uint16_t access, uint16_t node, uint16_t guard) {
    const struct gcl_program *p = e->kernel->program;
    static const struct gcl_source_position nowhere = {.line = 0};
    bool is_loop = guard == GCL_NONE || p->guards[guard].kind == GCL_GUARD_LOOP;
    const struct gcl_node *n = node == GCL_NONE ? NULL : &p->nodes[node];
    bool has_place = n && n->kind == GCL_NODE_UNKNOWN && !is_loop;
    uint16_t code = is_loop ? GCL_REASON_LOOP : GCL_REASON_DATA_GUARD;
    if (has_place && p->reasons[n->a].code == GCL_REASON_DECLARED)
        code = GCL_REASON_DECLARED;
    add_at(e, code, access, has_place ? &p->reasons[n->a].place : &nowhere);
}

// With the conditions around the access that aren't so; true: there are none.
static bool add_open_guards(struct gcl_explanation *e, uint16_t index,
                            bool (*is_fine)(const struct gcl_program *, uint16_t)) {
    const struct gcl_program *p = e->kernel->program;
    bool all = true;
    for (uint16_t g = p->accesses[index].guard; g != GCL_NONE; g = p->guards[g].outer) {
        uint16_t found = find_open(p, p->guards[g].node, is_fine);
        if (found != GCL_NONE)
            add_guard(e, index, found, g);
        all = all && found == GCL_NONE;
    }
    return all;
}

static enum gcl_explained_certainty add_inspected(struct gcl_explanation *e, uint16_t index) {
    gcl_explanation_add(e, GCL_REASON_INSPECTED, index);
    return add_open_guards(e, index, gcl_inspected_value) ? GCL_EXPLAINED_INSPECTED
                                                          : GCL_EXPLAINED_DATA;
}

// Where it is matters more than whether it happens. What memory gives to the launch alike for all
// threads is known as an argument is.
static enum gcl_explained_certainty add_data(struct gcl_explanation *e, uint16_t index,
                                             uint16_t why) {
    const struct gcl_program *p = e->kernel->program;
    const struct gcl_access *access = &p->accesses[index];
    uint16_t guard, place = find_in_address(p, access, GCL_NONE);
    if (gcl_inspected_access(p, index))
        return add_inspected(e, index);
    if (place != GCL_NONE) {
        add_index(e, index, place);
        return GCL_EXPLAINED_DATA;
    }
    uint16_t condition = find_guard(p, access, why, &guard);
    if (condition != GCL_NONE && gcl_inspected_constant(p, condition))
        return add_open_guards(e, index, gcl_inspected_constant) ? GCL_EXPLAINED_EXACT
                                                                 : GCL_EXPLAINED_DATA;
    add_guard(e, index, condition, guard);
    return GCL_EXPLAINED_DATA;
}

// An access that doesn't happen in the sample: what it is made of has to do.
static void judge_unseen(const struct gcl_program *p, uint16_t index, struct doubt *doubt) {
    const struct gcl_access *access = &p->accesses[index];
    uint16_t guard, place = find_in_address(p, access, GCL_NONE);
    doubt->why = place != GCL_NONE ? place : find_guard(p, access, GCL_NONE, &guard);
    if (doubt->why != GCL_NONE)
        doubt->certainty = GCL_CERTAINTY_DATA;
}

// Whether the bytes, which are known, make a region that had to be rounded up.
static bool is_rounded(const struct gcl_sample *sample, uint16_t index) {
    struct gcl_sample one;
    gcl_sample_begin_access(sample, index, &one);
    struct gcl_footprint footprint = gcl_sample_footprint(&one, 0, 0, one.launch.geometry.grid[0]);
    bool exact = footprint.exact;
    gcl_footprint_finish(&footprint);
    gcl_sample_finish_access(&one);
    return !exact;
}

// Whether a node is the condition of a loop around the access.
static bool is_loop(const struct gcl_program *p, const struct gcl_access *access, uint16_t node) {
    for (uint16_t g = access->guard; g != GCL_NONE; g = p->guards[g].outer) {
        if (p->guards[g].kind == GCL_GUARD_LOOP && p->guards[g].node == node && node != GCL_NONE)
            return true;
    }
    return false;
}

static bool is_too_large(const struct gcl_program *p) {
    for (uint16_t i = 0; i < p->reason_count; i++) {
        if (p->reasons[i].code == GCL_REASON_SIZE)
            return true;
    }
    return false;
}

// A pointer from memory leads anywhere, unless one knows better.
static enum gcl_explained_certainty add_loaded(struct gcl_explanation *e, uint16_t index) {
    const struct gcl_program *p = e->kernel->program;
    if (p->bases[p->accesses[index].base].flags & GCL_BASE_TEXTURE) {
        gcl_explanation_add(e, GCL_REASON_TEXTURE, index);
        return GCL_EXPLAINED_BOUNDED;
    }
    if (gcl_inspected_access(p, index))
        return add_inspected(e, index);
    gcl_explanation_add(e, GCL_REASON_LOADED_POINTER, index);
    return GCL_EXPLAINED_DATA;
}

// An access without a place: a pragma wants it so, or the program would have been too large.
static enum gcl_explained_certainty add_whole(struct gcl_explanation *e, uint16_t index) {
    const struct gcl_program *p = e->kernel->program;
    bool is_texture = p->bases[p->accesses[index].base].flags & GCL_BASE_TEXTURE;
    if (is_too_large(p))
        gcl_explanation_add(e, GCL_REASON_SIZE, index);
    return is_texture ? GCL_EXPLAINED_BOUNDED : GCL_EXPLAINED_DATA;
}

static enum gcl_explained_certainty
explain_access(struct gcl_explanation *e, const struct gcl_sample *sample, uint16_t index) {
    const struct gcl_program *p = &sample->program;
    const struct gcl_base *base = &p->bases[p->accesses[index].base];
    struct doubt doubt = {.why = GCL_NONE};
    if (base->kind == GCL_BASE_LOADED)
        return add_loaded(e, index);
    if (base->kind == GCL_BASE_ANY) {
        gcl_explanation_add(e, p->reasons[base->index].code, index);
        return GCL_EXPLAINED_DATA;
    }
    if (p->accesses[index].offset == GCL_NONE)
        return add_whole(e, index);
    gcl_evaluate(sample->evaluator, index, &sample->launch, visit, &doubt);
    if (!doubt.is_seen)
        judge_unseen(p, index, &doubt);
    if (doubt.certainty == GCL_CERTAINTY_DATA)
        return add_data(e, index, doubt.why);
    if (doubt.certainty != GCL_CERTAINTY_BOUNDED && !is_rounded(sample, index))
        return GCL_EXPLAINED_EXACT;
    bool loop = is_loop(p, &p->accesses[index], doubt.why);
    gcl_explanation_add(e, loop ? GCL_REASON_LOOP : GCL_REASON_PARTS, index);
    return GCL_EXPLAINED_BOUNDED;
}

void gcl_explanation_find_reasons(struct gcl_explanation *e, const struct gcl_sample *sample) {
    const struct gcl_program *p = e->kernel->program;
    for (uint16_t i = 0; i < p->reason_count; i++) {
        bool is_whole = p->reasons[i].code == GCL_REASON_SIZE && p->reasons[i].access == GCL_NONE;
        if (gcl_classes_is_single(p->reasons[i].code) || is_whole)
            add_at(e, p->reasons[i].code, p->reasons[i].access, &p->reasons[i].place);
    }
    for (uint16_t i = 0; i < p->access_count; i++)
        e->certainties[i] = (uint8_t)explain_access(e, sample, i);
}
