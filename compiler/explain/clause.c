// A region is found for each access and each thread, from bounds of its place (bounds.h). Regions
// at a constant distance become one, as those of a stencil do.
#include "clause.h"

#include <assert.h>
#include <string.h>

#include "bounds.h"
#include "operands.h"
#include "reasons.h"
#include "text.h"

enum {
    REGIONS = 9,    // of one clause that people still read
    ACCESSES = 256, // that are looked at for it
    GAP = 4,        // elements between two regions that are read as one
};

/// [first, first + count), in elements.
struct area {
    uint16_t first, count;
};

struct areas {
    struct gcl_bounds bounds;
    const struct gcl_explained_kernel *kernel;
    char *object;
    int64_t element; ///< bytes
    bool is_write;
    struct area list[REGIONS];
    unsigned count;
};

static struct gcl_expressions *expressions(struct areas *a) {
    return &a->bounds.expressions;
}

static uint16_t combine(struct areas *a, enum gcl_pragma_node_kind kind, uint16_t x, uint16_t y) {
    return gcl_expression_binary(expressions(a), kind, x, y);
}

static uint16_t number(struct areas *a, int64_t value) {
    return gcl_expression_constant(expressions(a), value);
}

// Bytes of what a pointer at a byte of the arguments leads to; 0: it isn't known.
static uint32_t element_of(const struct gcl_explained_kernel *k, uint32_t offset) {
    for (unsigned i = 0; i < k->field_count; i++) {
        if (k->fields[i].offset == offset)
            return k->fields[i].element;
    }
    for (unsigned i = 0; i < k->parameter_count; i++) {
        if (k->parameters[i] == offset && k->elements)
            return k->elements[i];
    }
    return 0;
}

static void areas_init(struct areas *a, const struct gcl_explained_kernel *kernel, bool per_block) {
    *a = (struct areas){.kernel = kernel};
    gcl_bounds_init(&a->bounds, kernel, per_block);
}

static bool is_template(const struct areas *a) {
    return strchr(a->kernel->name, '<') != NULL;
}

// From now on elements are those of a base. False: pragmas can't be about it. Where a template's
// arguments may decide how large elements are, pragmas know that only of parameters.
static bool turn_to(struct areas *a, uint16_t base, bool is_write) {
    const struct gcl_base *b = &a->kernel->program->bases[base];
    g_clear_pointer(&a->object, g_free);
    a->is_write = is_write;
    if (b->kind != GCL_BASE_ARGUMENT)
        return false;
    a->element = element_of(a->kernel, b->index);
    a->object = gcl_text_name(a->kernel, b->index);
    return a->element > 0 && a->object && !(is_template(a) && strchr(a->object, '.'));
}

static void areas_finish(struct areas *a) {
    gcl_bounds_finish(&a->bounds);
    g_free(a->object);
}

// Places.

static int64_t divide_down(int64_t value, int64_t by) {
    assert(by > 0);
    return value / by - (value % by < 0);
}

// What an access touches at least and at most, without its terms.
static struct gcl_interval constant_part(struct areas *a, const struct gcl_access *access,
                                         int64_t constant) {
    return (struct gcl_interval){number(a, divide_down(constant, a->element)),
                                 number(a, divide_down(constant + access->size - 1, a->element))};
}

/// The place of an access, in elements.
struct place {
    struct gcl_interval whole; ///< first and last
    struct gcl_interval known; ///< where its row begins
    uint16_t row;    ///< elements by which threads or blocks are apart, GCL_NONE: none such
    unsigned ranges; ///< terms that aren't exact
    int64_t widest;  ///< bytes by which the widest of them goes
};

static void add_range(struct areas *a, struct place *place, struct gcl_interval range,
                      int64_t factor) {
    range = gcl_bounds_scale(&a->bounds, range, factor / a->element);
    place->whole = gcl_bounds_add(&a->bounds, place->whole, range);
    if (!gcl_interval_is_exact(range)) {
        place->ranges++;
        place->widest = MAX(place->widest, ABS(factor));
        return;
    }
    uint16_t row = gcl_expression_stride(expressions(a), range.low);
    if (row != GCL_NONE || !gcl_expression_moves(expressions(a), range.low))
        place->known = gcl_bounds_add(&a->bounds, place->known, range);
    place->row = row == GCL_NONE ? place->row : row;
}

static bool are_elements(const struct areas *a, const struct gcl_terms *terms) {
    assert(a->element > 0); // turn_to has found it
    for (unsigned i = 0; i < MIN(terms->count, GCL_TERMS); i++) {
        if (terms->list[i].factor % a->element != 0)
            return false;
    }
    return terms->count <= GCL_TERMS;
}

// `is_deep`: see gcl_terms_add. False: it isn't a number of elements.
static bool find_place(struct areas *a, const struct gcl_access *access, bool is_deep,
                       struct place *place) {
    assert(access->offset != GCL_NONE);
    struct gcl_terms terms = {0};
    struct gcl_interval nothing = {number(a, 0), number(a, 0)}, range;
    int64_t factor;
    gcl_terms_add(a->kernel->program, access->offset, 1, is_deep, &terms);
    *place = (struct place){.whole = nothing, .known = nothing, .row = GCL_NONE};
    if (!are_elements(a, &terms))
        return false;
    if (a->bounds.per_block && gcl_bounds_sweep(&a->bounds, &terms, &range, &factor))
        add_range(a, place, range, factor);
    for (unsigned i = 0; i < terms.count; i++)
        add_range(a, place, gcl_bounds_of(&a->bounds, terms.list[i].node), terms.list[i].factor);
    place->whole =
        gcl_bounds_add(&a->bounds, place->whole, constant_part(a, access, terms.constant));
    return true;
}

static bool has_bounds(const struct place *place) {
    return place->whole.low != GCL_NONE && place->whole.high != GCL_NONE;
}

static struct area between(struct areas *a, uint16_t low, uint16_t high) {
    assert(low != GCL_NONE && high != GCL_NONE);
    uint16_t steps = combine(a, GCL_PRAGMA_NODE_SUBTRACT, high, low);
    return (struct area){low, combine(a, GCL_PRAGMA_NODE_ADD, steps, number(a, 1))};
}

// Where nothing bounds one part of the place, it counts elements, and the other ones are rows
// apart, it is meant to be in its row.
static struct area row_of(struct areas *a, const struct place *place) {
    if (place->ranges != 1 || place->widest != a->element || place->row == GCL_NONE)
        return (struct area){GCL_NONE, GCL_NONE};
    return (struct area){place->known.low, place->row};
}

/// How well a region has to be known.
enum trust {
    TRUST_PROVEN,  ///< that is what is touched, no more
    TRUST_BOUNDED, ///< no more is, as numbers are meant
    TRUST_ASSUMED, ///< or so it seems
};

static bool find_area(struct areas *a, const struct gcl_access *access, enum trust trust,
                      struct area *area) {
    struct place place;
    if (access->offset == GCL_NONE || access->size == 0)
        return false;
    gcl_bounds_enter(&a->bounds, access);
    bool found = find_place(a, access, true, &place);
    if (found && !has_bounds(&place) && trust != TRUST_PROVEN) {
        struct place whole;
        if (find_place(a, access, false, &whole) && has_bounds(&whole))
            place = whole;
    }
    if (!found ||
        (trust == TRUST_PROVEN && (a->bounds.is_loose || place.ranges > 1 ||
                                   place.widest > MAX(a->element, (int64_t)access->size))))
        return false;
    *area = has_bounds(&place)       ? between(a, place.whole.low, place.whole.high)
            : trust == TRUST_ASSUMED ? row_of(a, &place)
                                     : (struct area){GCL_NONE, GCL_NONE};
    return area->first != GCL_NONE && area->count != GCL_NONE;
}

// Lists.

static bool is_distance(struct areas *a, uint16_t from, uint16_t to, int64_t *distance) {
    return gcl_expression_is_constant(expressions(a),
                                      combine(a, GCL_PRAGMA_NODE_SUBTRACT, to, from), distance);
}

// Makes one area of two at a constant distance if they meet. Where it isn't known how long they
// are, they are longer than a gap that doesn't matter.
static bool unite(struct areas *a, struct area *area, struct area other) {
    int64_t distance, longer, gap = a->is_write ? 0 : GAP;
    int64_t count = gap, more = gap;
    if (!is_distance(a, area->first, other.first, &distance) ||
        !is_distance(a, area->count, other.count, &longer))
        return false;
    if (gcl_expression_is_constant(expressions(a), area->count, &count))
        more = count + longer;
    else
        gap = 0;
    if (distance > count + gap || -distance > more + gap)
        return false;
    int64_t before = MAX(-distance, 0), behind = MAX(distance + longer, 0);
    uint16_t sum = combine(a, GCL_PRAGMA_NODE_ADD, area->count, number(a, before + behind));
    if (sum == GCL_NONE) // more nodes than a pragma's text may have
        return false;
    area->first = before > 0 ? other.first : area->first;
    area->count = sum;
    return true;
}

static bool add_area(struct areas *a, struct area area) {
    for (unsigned i = 0; i < a->count; i++) {
        if (!unite(a, &a->list[i], area))
            continue;
        area = a->list[i];
        a->list[i] = a->list[--a->count];
        return add_area(a, area);
    }
    if (a->count < REGIONS)
        a->list[a->count++] = area;
    return a->count < REGIONS;
}

static bool is_known(const struct gcl_program *p, uint16_t node) {
    return node != GCL_NONE && !gcl_operands_reach(p, node, GCL_NODE_LOAD) &&
           !gcl_operands_reach(p, node, GCL_NODE_UNKNOWN) &&
           !gcl_operands_reach(p, node, GCL_NODE_LAST);
}

// Whether nothing in memory decides where it is and whether it happens: pragmas have no say there.
static bool is_certain(const struct gcl_program *p, const struct gcl_access *access) {
    bool is = is_known(p, access->offset);
    for (uint16_t g = access->guard; g != GCL_NONE && is; g = p->guards[g].outer)
        is = is_known(p, p->guards[g].node);
    return is;
}

/// The accesses of a base that are meant.
enum choice { CHOICE_ALL, CHOICE_CERTAIN };

// What is read, or written, of a base. False: of some it isn't known.
static bool add_accesses(struct areas *a, uint16_t base, enum trust trust, enum choice choice) {
    const struct gcl_program *p = a->kernel->program;
    enum gcl_access_kind kind = a->is_write ? GCL_ACCESS_WRITE : GCL_ACCESS_READ;
    unsigned seen = 0;
    bool all = true;
    for (uint16_t i = 0; i < p->access_count && all; i++) {
        struct area area;
        if (p->accesses[i].base != base || p->accesses[i].kind != kind)
            continue;
        bool is = is_certain(p, &p->accesses[i]);
        if (is || choice == CHOICE_ALL)
            all = ++seen < ACCESSES && (is || trust != TRUST_PROVEN) &&
                  find_area(a, &p->accesses[i], trust, &area) && add_area(a, area);
    }
    return all;
}

static bool moves_with_blocks(struct areas *a) {
    bool all = true;
    for (unsigned i = 0; i < a->count; i++)
        all = all &&
              gcl_expression_names(expressions(a), a->list[i].first, GCL_PRAGMA_NODE_BLOCK_INDEX);
    return all;
}

// Whether the areas show that the kernel touches elements of an array: in a template, whose
// arguments may decide how large elements are, only if it indexes them by something.
static bool has_elements(struct areas *a) {
    bool all_constant = a->count > 0;
    for (unsigned i = 0; i < a->count; i++)
        all_constant = all_constant && !gcl_expression_moves(expressions(a), a->list[i].first);
    return !is_template(a) || !all_constant;
}

// Whether there is a single area, which moves with blocks and is easily said.
static bool is_plain(struct areas *a) {
    const struct gcl_expressions *e = expressions(a);
    return a->count == 1 && moves_with_blocks(a) &&
           !gcl_expression_names(e, a->list[0].count, GCL_PRAGMA_NODE_DIVIDE) &&
           !gcl_expression_names(e, a->list[0].count, GCL_PRAGMA_NODE_SHIFT_RIGHT);
}

static json_t *write_areas(const struct areas *a) {
    assert(a->object && a->count < REGIONS);
    json_t *list = json_array();
    for (unsigned i = 0; i < a->count; i++) {
        g_autofree char *text = gcl_expression_region(&a->bounds.expressions, a->object,
                                                      a->list[i].first, a->list[i].count);
        json_array_append_new(list, json_string(text));
    }
    return list;
}

// Clauses.

static void add_clause(json_t *list, const struct areas *a, bool is_proven, const char *like) {
    const char *kind = a->is_write ? "writes" : "reads";
    json_t *regions = write_areas(a), *other;
    size_t i;
    json_array_foreach(list, i, other) {
        if (json_equal(json_object_get(other, "regions"), regions) &&
            strcmp(json_string_value(json_object_get(other, "kind")), kind) == 0) {
            json_decref(regions); // it has been said
            return;
        }
    }
    json_array_append_new(list, json_pack("{s:s, s:b, s:s?, s:o}", "kind", kind, "proven",
                                          is_proven, "like", like, "regions", regions));
}

// Whether anything that is done to a base depends on data, and whether that makes it all be taken.
static bool depends_on_data(const struct gcl_explanation *e, uint16_t base, bool is_write,
                            bool *is_taken) {
    const struct gcl_program *p = e->kernel->program;
    bool depends = false;
    *is_taken = false;
    for (guint i = 0; i < e->reasons->len; i++) {
        const struct gcl_reason *r = &g_array_index(e->reasons, struct gcl_reason, i);
        if (r->access == GCL_NONE || p->accesses[r->access].base != base ||
            (p->accesses[r->access].kind == GCL_ACCESS_WRITE) != is_write)
            continue;
        switch (r->code) {
        case GCL_REASON_DATA_INDEX:
        case GCL_REASON_FLOAT_INDEX:
        case GCL_REASON_LOOP:
        case GCL_REASON_EXCHANGED_INDEX:
        case GCL_REASON_OPERATION:
        case GCL_REASON_INSPECTED:
            *is_taken = true;
            depends = true;
            break;
        case GCL_REASON_REPLICATED:
        case GCL_REASON_OVERLAP:
        case GCL_REASON_DEAR_MERGE:
        case GCL_REASON_DEAR_PLAN:
        case GCL_REASON_PARTS:
            break;
        default:
            depends = true;
        }
    }
    return depends;
}

static bool add_known(json_t *list, const struct gcl_explanation *e, uint16_t base, bool is_write,
                      bool per_block, enum trust trust) {
    struct areas a;
    areas_init(&a, e->kernel, per_block);
    // What all blocks may write would be merged: to say so helps nobody.
    bool found = turn_to(&a, base, is_write) && add_accesses(&a, base, trust, CHOICE_ALL) &&
                 a.count > 0 && has_elements(&a) &&
                 (trust == TRUST_PROVEN || !is_write || moves_with_blocks(&a));
    if (found)
        add_clause(list, &a, trust == TRUST_PROVEN, NULL);
    areas_finish(&a);
    return found;
}

// What each block does to another argument shows what it may do to this one, beside what it
// certainly does. Where blocks read more than a part of their own, they won't write that.
static bool add_like(json_t *list, const struct gcl_explanation *e, uint16_t base, uint16_t other,
                     bool is_write) {
    struct areas a;
    areas_init(&a, e->kernel, true);
    bool found = turn_to(&a, other, !is_write) &&
                 add_accesses(&a, other, TRUST_BOUNDED, CHOICE_ALL) && is_plain(&a) &&
                 !(is_write && gcl_expression_has_constant(expressions(&a), a.list[0].count));
    g_autofree char *like = g_strdup(a.object);
    found = found && turn_to(&a, base, is_write) &&
            add_accesses(&a, base, TRUST_BOUNDED, CHOICE_CERTAIN);
    if (found)
        add_clause(list, &a, false, like);
    areas_finish(&a);
    return found;
}

// Loops over something touch more of it, or less, than one element a thread.
static bool has_loop(const struct gcl_program *p, uint16_t base, bool is_write) {
    bool found = false;
    for (uint16_t i = 0; i < p->access_count && !found; i++) {
        const struct gcl_access *access = &p->accesses[i];
        found = access->base == base && (access->kind == GCL_ACCESS_WRITE) == is_write &&
                access->offset != GCL_NONE &&
                gcl_operands_reach(p, access->offset, GCL_NODE_ITERATION);
    }
    return found;
}

static void add_claims(json_t *list, const struct gcl_explanation *e, uint16_t base,
                       bool is_write) {
    const struct gcl_program *p = e->kernel->program;
    bool is_taken, is_done = has_loop(p, base, is_write);
    if (!add_known(list, e, base, is_write, false, TRUST_BOUNDED) &&
        !add_known(list, e, base, is_write, true, TRUST_BOUNDED))
        add_known(list, e, base, is_write, false, TRUST_ASSUMED);
    for (uint16_t other = 0; other < p->base_count && !is_done; other++) {
        if (other != base && !depends_on_data(e, other, !is_write, &is_taken))
            is_done = add_like(list, e, base, other, is_write);
    }
}

static bool has_access(const struct gcl_explanation *e, const struct gcl_explained_use *use,
                       bool (*is)(enum gcl_access_kind)) {
    for (guint i = 0; i < use->accesses->len; i++) {
        uint16_t access = g_array_index(use->accesses, uint16_t, i);
        if (is((enum gcl_access_kind)e->kernel->program->accesses[access].kind))
            return true;
    }
    return false;
}

static bool is_atomic(enum gcl_access_kind kind) {
    return kind == GCL_ACCESS_REDUCE || kind == GCL_ACCESS_ATOMIC;
}

json_t *gcl_clauses(const struct gcl_explanation *e, const struct gcl_explained_use *use) {
    const struct gcl_program *p = e->kernel->program;
    json_t *list = json_array();
    if (use->accesses->len == 0 || has_access(e, use, is_atomic))
        return list;
    uint16_t base = p->accesses[g_array_index(use->accesses, uint16_t, 0)].base;
    if (p->bases[base].kind != GCL_BASE_ARGUMENT)
        return list;
    for (unsigned is_write = 0; is_write < 2; is_write++) {
        bool is_taken;
        if (!depends_on_data(e, base, is_write, &is_taken)) {
            if (!add_known(list, e, base, is_write, false, TRUST_PROVEN))
                add_known(list, e, base, is_write, true, TRUST_PROVEN);
        } else if (is_taken && e->split) {
            add_claims(list, e, base, is_write);
        }
    }
    return list;
}
