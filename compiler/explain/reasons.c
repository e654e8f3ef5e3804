#include "reasons.h"

/// What is worst in the bytes of one access.
struct doubt {
    enum gcl_certainty certainty;
    uint16_t why;
    bool is_seen; ///< it happens
};

bool gcl_reason_is_single(uint16_t code) {
    return code >= GCL_REASON_ATOMIC_RESULT && code <= GCL_REASON_NO_BLOCKS;
}

static void add_at(struct gcl_explanation *e, uint16_t code, uint16_t access,
                   const struct gcl_source_place *place) {
    struct gcl_reason reason = {.code = code, .access = access};
    if (place->line > 0)
        reason.place = *place;
    else if (access != GCL_NONE)
        reason.place = e->kernel->program->accesses[access].place;
    g_array_append_val(e->reasons, reason);
}

void gcl_explanation_add(struct gcl_explanation *e, enum gcl_reason_code code, uint16_t access) {
    static const struct gcl_source_place nowhere = {.line = 0};
    add_at(e, (uint16_t)code, access, &nowhere);
}

void gcl_program_mark_operands(const struct gcl_program *p, bool *marks) {
    for (uint16_t i = p->node_count; i-- > 0;) {
        const struct gcl_node *n = &p->nodes[i];
        if (!marks[i] || n->kind < GCL_NODE_ADD)
            continue;
        marks[n->a] = true;
        if (n->kind < GCL_NODE_ZEXT)
            marks[n->b] = true;
        if (n->kind == GCL_NODE_SELECT)
            marks[n->c] = true;
    }
}

bool gcl_node_reaches(const struct gcl_program *p, uint16_t root, enum gcl_node_kind kind) {
    g_autofree bool *marks = g_new0(bool, p->node_count + 1u);
    marks[root] = true;
    gcl_program_mark_operands(p, marks);
    for (uint16_t i = 0; i <= root; i++) {
        if (marks[i] && p->nodes[i].kind == kind)
            return true;
    }
    return false;
}

static bool is_data(const struct gcl_node *node) {
    return node->kind == GCL_NODE_LOAD || node->kind == GCL_NODE_UNKNOWN;
}

/// The first of what depends on data in a node, or `wanted` if that is part of it; GCL_NONE:
/// neither.
static uint16_t find_in(const struct gcl_program *p, uint16_t root, uint16_t wanted) {
    uint16_t found = GCL_NONE;
    if (root == GCL_NONE)
        return found;
    g_autofree bool *marks = g_new0(bool, p->node_count + 1u);
    marks[root] = true;
    gcl_program_mark_operands(p, marks);
    if (wanted != GCL_NONE)
        return marks[wanted] ? wanted : GCL_NONE;
    for (uint16_t i = 0; i < p->node_count && found == GCL_NONE; i++) {
        if (marks[i] && is_data(&p->nodes[i]))
            found = i;
    }
    return found;
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
    static const struct gcl_source_place nowhere = {.line = 0};
    bool is_loop = guard == GCL_NONE || p->guards[guard].kind == GCL_GUARD_LOOP;
    const struct gcl_node *n = node == GCL_NONE ? NULL : &p->nodes[node];
    bool has_place = n && n->kind == GCL_NODE_UNKNOWN && !is_loop;
    uint16_t code = is_loop ? GCL_REASON_LOOP : GCL_REASON_DATA_GUARD;
    if (has_place && p->reasons[n->a].code == GCL_REASON_DECLARED)
        code = GCL_REASON_DECLARED;
    add_at(e, code, access, has_place ? &p->reasons[n->a].place : &nowhere);
}

// Where it is matters more than whether it happens.
static void add_data(struct gcl_explanation *e, uint16_t index, uint16_t why) {
    const struct gcl_program *p = e->kernel->program;
    const struct gcl_access *access = &p->accesses[index];
    uint16_t guard, place = find_in_address(p, access, GCL_NONE);
    if (place != GCL_NONE) {
        add_index(e, index, place);
        return;
    }
    uint16_t condition = find_guard(p, access, why, &guard);
    add_guard(e, index, condition, guard);
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
    struct gcl_footprint footprint = gcl_sample_footprint(&one, 0, 0, one.launch.grid_size[0]);
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

// Whether no access changes what a base leads to.
static bool is_only_read(const struct gcl_program *p, uint16_t base) {
    for (uint16_t i = 0; i < p->access_count; i++) {
        if (p->accesses[i].base == base && p->accesses[i].kind != GCL_ACCESS_READ)
            return false;
    }
    return p->bases[base].kind == GCL_BASE_ARGUMENT || p->bases[base].kind == GCL_BASE_VARIABLE;
}

// Marks what an access' place and conditions are made of.
static void mark_access(const struct gcl_program *p, uint16_t index, bool *marks) {
    const struct gcl_access *access = &p->accesses[index];
    const uint16_t roots[] = {access->offset, access->length};
    for (size_t i = 0; i < G_N_ELEMENTS(roots); i++) {
        if (roots[i] != GCL_NONE)
            marks[roots[i]] = true;
    }
    for (uint16_t g = access->guard; g != GCL_NONE; g = p->guards[g].outer) {
        if (p->guards[g].node != GCL_NONE)
            marks[p->guards[g].node] = true;
    }
}

// Whether all data that decides where an access is, and whether it happens, is what the kernel only
// reads, at places of which the same is true.
static bool is_inspected(const struct gcl_program *p, uint16_t index) {
    g_autofree bool *marks = g_new0(bool, p->node_count + 1u);
    g_autofree bool *loads = g_new0(bool, p->access_count + 1u);
    mark_access(p, index, marks);
    for (bool changed = true; changed;) {
        changed = false;
        gcl_program_mark_operands(p, marks);
        for (uint16_t i = 0; i < p->node_count; i++) {
            const struct gcl_node *n = &p->nodes[i];
            if (!marks[i] || !is_data(n) || (n->kind == GCL_NODE_LOAD && loads[n->a]))
                continue;
            if (n->kind != GCL_NODE_LOAD || !is_only_read(p, p->accesses[n->a].base))
                return false;
            loads[n->a] = changed = true;
            mark_access(p, n->a, marks);
        }
    }
    for (uint16_t g = p->accesses[index].guard; g != GCL_NONE; g = p->guards[g].outer) {
        if (p->guards[g].node == GCL_NONE)
            return false;
    }
    return true;
}

static void explain_access(struct gcl_explanation *e, const struct gcl_sample *sample,
                           uint16_t index) {
    const struct gcl_program *p = &sample->program;
    const struct gcl_base *base = &p->bases[p->accesses[index].base];
    struct doubt doubt = {.why = GCL_NONE};
    uint8_t *certainty = &e->certainties[index];
    *certainty = base->flags & GCL_BASE_TEXTURE ? GCL_EXPLAINED_BOUNDED : GCL_EXPLAINED_DATA;
    if (base->kind == GCL_BASE_LOADED)
        gcl_explanation_add(
            e, base->flags & GCL_BASE_TEXTURE ? GCL_REASON_TEXTURE : GCL_REASON_LOADED_POINTER,
            index);
    if (base->kind == GCL_BASE_ANY)
        gcl_explanation_add(e, p->reasons[base->index].code, index);
    if (base->kind == GCL_BASE_LOADED || base->kind == GCL_BASE_ANY)
        return;
    if (p->accesses[index].offset == GCL_NONE) { // or a pragma wants it so
        if (is_too_large(p))
            gcl_explanation_add(e, GCL_REASON_SIZE, index);
        return;
    }
    gcl_evaluate(sample->evaluator, index, &sample->launch, visit, &doubt);
    if (!doubt.is_seen)
        judge_unseen(p, index, &doubt);
    if (doubt.certainty == GCL_CERTAINTY_DATA) {
        *certainty = is_inspected(p, index) ? GCL_EXPLAINED_INSPECTED : GCL_EXPLAINED_DATA;
        add_data(e, index, doubt.why);
    } else if (doubt.certainty == GCL_CERTAINTY_BOUNDED || is_rounded(sample, index)) {
        bool loop = is_loop(p, &p->accesses[index], doubt.why);
        *certainty = GCL_EXPLAINED_BOUNDED;
        gcl_explanation_add(e, loop ? GCL_REASON_LOOP : GCL_REASON_PARTS, index);
    } else {
        *certainty = GCL_EXPLAINED_EXACT;
    }
}

void gcl_explanation_find_reasons(struct gcl_explanation *e, const struct gcl_sample *sample) {
    const struct gcl_program *p = e->kernel->program;
    for (uint16_t i = 0; i < p->reason_count; i++) {
        bool is_whole = p->reasons[i].code == GCL_REASON_SIZE && p->reasons[i].access == GCL_NONE;
        if (gcl_reason_is_single(p->reasons[i].code) || is_whole)
            add_at(e, p->reasons[i].code, p->reasons[i].access, &p->reasons[i].place);
    }
    for (uint16_t i = 0; i < p->access_count; i++)
        explain_access(e, sample, i);
}
