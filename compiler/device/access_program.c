// The program of a kernel: first which places its instructions touch, then the tables.
//
// Nodes, guards, bases and reasons come into the tables when something in them needs them. A
// kernel whose tables would be too large gets them without offsets and guards.
//
// What pragmas say of a pointer takes the place of what isn't exact: the program is made with both,
// and once more without what has been replaced.
#include "access_program.h"

#include <assert.h>
#include <string.h>

#include "access_declare.h"
#include "intrinsics.h"
#include "regions.h"

enum {
    LARGEST = 65536, ///< bytes of a program
    MOST = 0xfff0,   ///< entries of a table
    LOOK_BACK = 64,  ///< drafts among which equal ones are looked for
};

// Of a record: a pragma has taken its place.
#define REPLACED 0xfffffffeu

// A loop and the guard that enters it.
struct entry {
    int loop;
    uint16_t guard;
    uint16_t access; ///< for which it came into the program
};

struct builder {
    struct gcl_extraction *x;
    struct gcl_device_program *p;
    GPtrArray *pragmas;  ///< const struct gcl_pragma *
    GArray *drafts;      ///< struct gcl_draft; access i of the program is the i-th
    GArray *stays;       ///< struct gcl_reason by which the kernel stays on one node
    GHashTable *nodes;   ///< node of the graph -> its index in the program + 1
    GHashTable *reasons; ///< the same of reasons
    GHashTable *guards;  ///< block + 1 -> its guard + 1
    GArray *entries;     ///< struct entry
    guint finished;      ///< of them
    uint16_t access;     ///< that is made at the moment
    uint32_t texels;     ///< what is the place of a texel, GCL_NOTHING until there is one
    bool exits;          ///< threads may end where they are
    bool coarse;         ///< without offsets and guards
};

// Drafts.

static bool is_global(const struct gcl_device_place *place) {
    return place->kind != GCL_PLACE_LOCAL && place->kind != GCL_PLACE_PARAMETER;
}

static bool same_place(const struct gcl_device_place *p, const struct gcl_device_place *q) {
    return p->kind == q->kind && p->index == q->index && p->variable == q->variable &&
           p->offset == q->offset && p->condition == q->condition;
}

static bool same_draft(const struct gcl_draft *d, const struct gcl_draft *e) {
    return d->block == e->block && same_place(&d->place, &e->place) &&
           d->effect.kind == e->effect.kind && d->effect.reduction == e->effect.reduction &&
           d->effect.size == e->effect.size && d->effect.length == e->effect.length &&
           d->effect.element == e->effect.element && d->effect.reason == e->effect.reason &&
           d->pragma == e->pragma;
}

// Returns the number of the draft, that of an equal one if there is one.
static uint32_t add_draft(struct builder *b, const struct gcl_draft *draft) {
    guint last = b->drafts->len > LOOK_BACK ? b->drafts->len - LOOK_BACK : 0;
    for (guint i = b->drafts->len; i-- > last;) {
        if (same_draft(&g_array_index(b->drafts, struct gcl_draft, i), draft))
            return i;
    }
    g_array_append_val(b->drafts, *draft);
    return b->drafts->len - 1;
}

static void add_stay(struct builder *b, uint32_t code, uint32_t access, LLVMValueRef where) {
    struct gcl_reason reason = {(uint16_t)code, (uint16_t)MIN(access, GCL_NONE),
                                gcl_access_source(b->x, where)};
    for (guint i = 0; i < b->stays->len; i++) {
        if (memcmp(&g_array_index(b->stays, struct gcl_reason, i), &reason, sizeof reason) == 0)
            return;
    }
    g_array_append_val(b->stays, reason);
}

// A texture is one place, or the code for all its formats would make each fetch dozens of accesses:
// what describes it is read in any case, and texels are found by coordinates that are floats.
static void simplify_texture(struct builder *b, struct gcl_draft *draft) {
    if (draft->effect.kind != GCL_ACCESS_READ || !gcl_access_is_texture(draft->effect.instruction))
        return;
    if (draft->place.kind == GCL_PLACE_LOADED &&
        gcl_graph_at(&b->x->graph, draft->place.offset)->doubtful) {
        if (b->texels == GCL_NOTHING)
            b->texels =
                gcl_access_unknown(b->x, GCL_REASON_FLOAT_INDEX, 64, draft->effect.instruction);
        draft->place.offset = b->texels;
        draft->effect.size = draft->effect.element = 1;
    } else if (draft->place.kind == GCL_PLACE_LOADED) {
        return;
    }
    draft->place.condition = GCL_NOTHING;
    draft->block = 0;
}

static struct gcl_places effect_places(struct builder *b, const struct gcl_effect *effect) {
    if (!effect->pointer)
        return gcl_places_any(b->x, GCL_REASON_CALL, effect->instruction);
    if (effect->role != GCL_ROLE_TEXELS)
        return *gcl_access_places(b->x, effect->pointer);
    struct gcl_places places = {.count = 1};
    places.list[0] = (struct gcl_device_place){
        .kind = GCL_PLACE_LOADED,
        .index = gcl_access_record(b->x, effect->instruction, GCL_ROLE_WHOLE, 0),
        .offset = gcl_access_unknown(b->x, GCL_REASON_FLOAT_INDEX, 64, effect->instruction),
        .condition = GCL_NOTHING};
    return places;
}

static void draft_effect(struct builder *b, const struct gcl_effect *effect, int block) {
    struct gcl_places places = effect_places(b, effect);
    uint32_t record = gcl_access_record(b->x, effect->instruction, effect->role, 0);
    for (unsigned i = 0; i < places.count; i++) {
        struct gcl_record *r = &g_array_index(b->x->records, struct gcl_record, record);
        if (!is_global(&places.list[i]))
            continue;
        struct gcl_draft draft = {.effect = *effect, .place = places.list[i], .block = block};
        simplify_texture(b, &draft);
        uint32_t number = add_draft(b, &draft);
        r->first = MIN(r->first, number);
        if (effect->reason)
            add_stay(b, effect->reason, number, effect->instruction);
    }
}

static void draft_instruction(struct builder *b, LLVMValueRef i, int block) {
    struct gcl_effect effects[GCL_EFFECTS];
    uint32_t reason = 0;
    unsigned count = gcl_access_effects(b->x, i, effects, &reason);
    if (reason)
        add_stay(b, reason, GCL_NONE, i);
    for (unsigned e = 0; e < count; e++)
        draft_effect(b, &effects[e], block);
    const struct gcl_intrinsic *intrinsic = LLVMIsACallInst(i) ? gcl_intrinsic_find(i) : NULL;
    b->exits |=
        intrinsic && intrinsic->kind == GCL_INTRINSIC_CUT && intrinsic->cut == GCL_CUT_ENTRY;
}

// Loops that threads leave when other blocks have written something.

static bool reads_shared_state(LLVMValueRef i) {
    return LLVMIsALoadInst(i) &&
           (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic);
}

static LLVMValueRef find_wait(struct builder *b, int loop) {
    const struct gcl_cfg *cfg = b->x->cfg;
    for (int block = 0; block < cfg->count; block++) {
        LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[block].block);
        for (; i && gcl_cfg_in_loop(cfg, block, loop); i = LLVMGetNextInstruction(i)) {
            if (!reads_shared_state(i))
                continue;
            const struct gcl_places *places = gcl_access_places(b->x, LLVMGetOperand(i, 0));
            for (unsigned p = 0; p < places->count; p++) {
                if (is_global(&places->list[p]))
                    return i;
            }
        }
    }
    return NULL;
}

static void draft_kernel(struct builder *b) {
    const struct gcl_cfg *cfg = b->x->cfg;
    for (int block = 0; block < cfg->count; block++) {
        LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[block].block);
        for (; i; i = LLVMGetNextInstruction(i))
            draft_instruction(b, i, block);
    }
    for (int loop = 0; loop < cfg->loop_count; loop++) {
        LLVMValueRef wait =
            gcl_cfg_is_left_by(cfg, loop, reads_shared_state) ? find_wait(b, loop) : NULL;
        if (wait)
            add_stay(b, GCL_REASON_WAITS, GCL_NONE, wait);
    }
}

// Pragmas.

static bool is_about(const struct builder *b, const struct gcl_pragma *pragma,
                     const struct gcl_device_place *place) {
    return place->kind == GCL_PLACE_ARGUMENT &&
           place->index == gcl_declared_pointer(b->x, &pragma->clause);
}

static bool has_pragma(const struct builder *b, enum gcl_pragma_kind kind,
                       const struct gcl_device_place *place) {
    for (guint i = 0; i < b->pragmas->len; i++) {
        const struct gcl_pragma *pragma = b->pragmas->pdata[i];
        if (pragma->clause.kind == kind && is_about(b, pragma, place))
            return true;
    }
    return false;
}

static uint32_t bytes_of(struct builder *b, const struct gcl_pragma *pragma, uint16_t expression) {
    struct gcl_graph *g = &b->x->graph;
    uint32_t element = gcl_declared_element(b->x, &pragma->clause);
    return gcl_graph_binary(g, GCL_NODE_MULTIPLY, gcl_declared_value(b->x, pragma, expression),
                            gcl_graph_constant(g, 64, element));
}

static void draft_pragma(struct builder *b, const struct gcl_pragma *pragma) {
    const struct gcl_pragma_clause *clause = &pragma->clause;
    struct gcl_draft draft = {
        .effect = {.kind = clause->kind == GCL_PRAGMA_WRITES ? GCL_ACCESS_WRITE : GCL_ACCESS_READ,
                   .element = gcl_declared_element(b->x, clause)},
        .place = {.kind = GCL_PLACE_ARGUMENT,
                  .index = gcl_declared_pointer(b->x, clause),
                  .offset = GCL_NOTHING},
        .length = GCL_NOTHING,
        .pragma = pragma};
    bool is_region = clause->kind == GCL_PRAGMA_READS || clause->kind == GCL_PRAGMA_WRITES;
    if (!is_region && clause->kind != GCL_PRAGMA_REPLICATE)
        return;
    if (is_region && draft.effect.element == 0)
        return;
    if (is_region) {
        draft.place.offset = bytes_of(b, pragma, clause->first);
        draft.length = bytes_of(b, pragma, clause->count);
    }
    g_array_append_val(b->drafts, draft);
}

static void reduce_drafts(struct builder *b) {
    for (guint i = 0; i < b->pragmas->len; i++) {
        const struct gcl_pragma *pragma = b->pragmas->pdata[i];
        if (pragma->clause.kind == GCL_PRAGMA_REDUCES)
            gcl_access_reduce(b->x, pragma, b->drafts, b->stays);
    }
}

static void draft_pragmas(struct builder *b) {
    for (guint i = 0; i < b->pragmas->len; i++)
        draft_pragma(b, b->pragmas->pdata[i]);
}

// Tables.

static uint16_t append(GArray *table, const void *element) {
    g_array_append_vals(table, element, 1);
    return (uint16_t)MIN(table->len - 1, GCL_NONE);
}

static uint16_t add_constant(struct builder *b, int64_t value) {
    for (guint i = 0; i < b->p->constants->len; i++) {
        if (g_array_index(b->p->constants, int64_t, i) == value)
            return (uint16_t)i;
    }
    return append(b->p->constants, &value);
}

static uint16_t add_reason(struct builder *b, uint32_t reason) {
    gpointer known = g_hash_table_lookup(b->reasons, GUINT_TO_POINTER(reason));
    if (known)
        return (uint16_t)(GPOINTER_TO_UINT(known) - 1);
    struct gcl_reason r = g_array_index(b->x->reasons, struct gcl_reason, reason);
    r.access = b->access;
    uint16_t index = append(b->p->reasons, &r);
    g_hash_table_insert(b->reasons, GUINT_TO_POINTER(reason), GUINT_TO_POINTER(index + 1u));
    return index;
}

static uint16_t add_node(struct builder *b, uint32_t node);
static uint16_t add_guard(struct builder *b, int block);

static bool is_replaced(const struct builder *b, uint32_t record) {
    return g_array_index(b->x->records, struct gcl_record, record).first == REPLACED;
}

static uint16_t add_replaced(struct builder *b, uint32_t record, enum gcl_reason_code code) {
    LLVMValueRef where = g_array_index(b->x->records, struct gcl_record, record).instruction;
    return add_reason(b, gcl_access_reason(b->x, code, where));
}

// The access that a record is, which comes into being now if it is an element of a vector.
static uint16_t access_of(struct builder *b, uint32_t record) {
    struct gcl_record r = g_array_index(b->x->records, struct gcl_record, record);
    if (r.first != GCL_NOTHING)
        return (uint16_t)MIN(r.first, GCL_NONE);
    struct gcl_effect effects[GCL_EFFECTS];
    uint32_t reason;
    gcl_access_effects(b->x, r.instruction, effects, &reason);
    effects[0].role = r.role;
    effects[0].size = effects[0].element;
    uint32_t behind = gcl_graph_constant(&b->x->graph, 64, (int64_t)r.lane * effects[0].element);
    struct gcl_places places =
        gcl_places_shift(b->x, gcl_access_places(b->x, effects[0].pointer), behind);
    struct gcl_draft draft = {.effect = effects[0],
                              .place = places.list[0],
                              .block = gcl_access_block(b->x, r.instruction)};
    r.first = add_draft(b, &draft);
    g_array_index(b->x->records, struct gcl_record, record) = r;
    return (uint16_t)MIN(r.first, GCL_NONE);
}

static int loop_header(const struct builder *b, uint32_t loop) {
    return b->x->cfg->loops[loop].header;
}

static struct gcl_node make_node(struct builder *b, const struct gcl_graph_node *n) {
    struct gcl_node node = {.kind = n->kind, .width = n->width, .a = (uint16_t)n->a};
    assert(!n->open);
    unsigned operands = gcl_graph_operands(n->kind);
    switch (n->kind) {
    case GCL_NODE_CONSTANT:
        node.a = add_constant(b, n->value);
        break;
    case GCL_NODE_ITERATION:
    case GCL_NODE_LAST:
        node.a = add_guard(b, loop_header(b, n->a));
        break;
    case GCL_NODE_LOAD:
        if (is_replaced(b, n->a))
            node.kind = GCL_NODE_UNKNOWN;
        node.a = is_replaced(b, n->a) ? add_replaced(b, n->a, GCL_REASON_DATA_INDEX)
                                      : access_of(b, n->a);
        break;
    case GCL_NODE_UNKNOWN:
        node.a = add_reason(b, n->a);
        break;
    default:
        if (operands > 0)
            node.a = add_node(b, n->a);
        if (operands > 1)
            node.b = add_node(b, n->b);
        if (operands > 2)
            node.c = add_node(b, n->c);
    }
    return node;
}

static uint16_t add_node(struct builder *b, uint32_t node) {
    gpointer known = g_hash_table_lookup(b->nodes, GUINT_TO_POINTER(node));
    if (known)
        return (uint16_t)(GPOINTER_TO_UINT(known) - 1);
    struct gcl_graph_node n = *gcl_graph_at(&b->x->graph, node);
    struct gcl_node made = make_node(b, &n);
    uint16_t index = append(b->p->nodes, &made);
    g_hash_table_insert(b->nodes, GUINT_TO_POINTER(node), GUINT_TO_POINTER(index + 1u));
    return index;
}

// Guards.

static uint16_t add_link(struct builder *b, enum gcl_guard_kind kind, uint16_t node,
                         uint16_t outer) {
    struct gcl_guard guard = {.kind = (uint8_t)kind, .node = node, .outer = outer};
    for (guint i = 0; kind != GCL_GUARD_LOOP && i < b->p->guards->len; i++) {
        if (memcmp(&g_array_index(b->p->guards, struct gcl_guard, i), &guard, sizeof guard) == 0)
            return (uint16_t)i;
    }
    return append(b->p->guards, &guard);
}

static bool is_in_chain(const struct builder *b, enum gcl_guard_kind kind, uint16_t node,
                        uint16_t chain) {
    while (chain != GCL_NONE) {
        const struct gcl_guard *g = &g_array_index(b->p->guards, struct gcl_guard, chain);
        if (g->kind == kind && g->node == node)
            return true;
        chain = g->outer;
    }
    return false;
}

// Whether a chain says already that a condition is `wanted`.
static bool is_said(const struct builder *b, uint32_t condition, bool wanted, uint16_t chain) {
    struct gcl_graph_node n = *gcl_graph_at(&b->x->graph, condition);
    int64_t value;
    if (n.kind == GCL_NODE_XOR && gcl_graph_is_constant(&b->x->graph, n.b, &value))
        return is_said(b, n.a, !wanted, chain);
    gpointer known = g_hash_table_lookup(b->nodes, GUINT_TO_POINTER(condition));
    uint16_t node = known ? (uint16_t)(GPOINTER_TO_UINT(known) - 1) : GCL_NONE;
    return known && is_in_chain(b, wanted ? GCL_GUARD_HOLDS : GCL_GUARD_FAILS, node, chain);
}

// Adds to a chain that a condition is `wanted`: each part of a conjunction is a link of its own,
// and of "either" only the other one is left where the chain excludes one.
static uint16_t add_condition(struct builder *b, uint32_t condition, bool wanted, uint16_t outer) {
    struct gcl_graph_node n = *gcl_graph_at(&b->x->graph, condition);
    int64_t value;
    if (gcl_graph_is_constant(&b->x->graph, condition, &value) && (value != 0) == wanted)
        return outer;
    if (n.kind == (wanted ? GCL_NODE_AND : GCL_NODE_OR))
        return add_condition(b, n.b, wanted, add_condition(b, n.a, wanted, outer));
    if (n.kind == GCL_NODE_XOR && gcl_graph_is_constant(&b->x->graph, n.b, &value))
        return add_condition(b, n.a, !wanted, outer);
    if (n.kind == (wanted ? GCL_NODE_OR : GCL_NODE_AND) && is_said(b, n.a, !wanted, outer))
        return add_condition(b, n.b, wanted, outer);
    if (n.kind == (wanted ? GCL_NODE_OR : GCL_NODE_AND) && is_said(b, n.b, !wanted, outer))
        return add_condition(b, n.a, wanted, outer);
    enum gcl_guard_kind kind = wanted ? GCL_GUARD_HOLDS : GCL_GUARD_FAILS;
    uint16_t node = add_node(b, condition);
    return is_in_chain(b, kind, node, outer) ? outer : add_link(b, kind, node, outer);
}

// The part of a block's guard that the block above it doesn't have.
static uint16_t extend_guard(struct builder *b, int block, uint16_t outer) {
    int loop = gcl_access_loop_at(b->x, block);
    if (loop == GCL_NOWHERE)
        return add_condition(b, gcl_access_reach(b->x, block), true, outer);
    struct entry entry = {loop, add_link(b, GCL_GUARD_LOOP, GCL_NONE, outer), b->access};
    g_array_append_val(b->entries, entry);
    return entry.guard;
}

static uint16_t add_guard(struct builder *b, int block) {
    gpointer known = g_hash_table_lookup(b->guards, GINT_TO_POINTER(block + 1));
    if (known)
        return (uint16_t)(GPOINTER_TO_UINT(known) - 1);
    uint16_t guard = GCL_NONE;
    if (block > 0)
        guard = extend_guard(b, block, add_guard(b, b->x->up[block]));
    else if (b->exits)
        guard = add_link(
            b, GCL_GUARD_HOLDS,
            add_node(b, gcl_access_unknown(b->x, GCL_REASON_DATA_GUARD, 1, b->x->function)),
            GCL_NONE);
    g_hash_table_insert(b->guards, GINT_TO_POINTER(block + 1), GUINT_TO_POINTER(guard + 1u));
    return guard;
}

// Conditions of loops come last: they may hold what other accesses read in the same loop.
static void finish_loops(struct builder *b) {
    while (b->finished < b->entries->len) {
        struct entry entry = g_array_index(b->entries, struct entry, b->finished++);
        uint32_t repeats = gcl_access_repeats(b->x, entry.loop);
        int64_t always;
        b->access = entry.access;
        if (gcl_graph_is_constant(&b->x->graph, repeats, &always) && always)
            continue;
        uint16_t node = add_node(b, repeats);
        g_array_index(b->p->guards, struct gcl_guard, entry.guard).node = node;
    }
}

// Accesses.

static uint16_t add_variable(struct builder *b, const struct gcl_device_variable *variable) {
    for (guint i = 0; i < b->p->variables->len; i++) {
        if (b->p->variables->pdata[i] == variable)
            return (uint16_t)i;
    }
    g_ptr_array_add(b->p->variables, (gpointer)variable);
    return (uint16_t)(b->p->variables->len - 1);
}

static uint16_t base_index(struct builder *b, const struct gcl_device_place *place) {
    switch (place->kind) {
    case GCL_PLACE_VARIABLE:
        return add_variable(b, place->variable);
    case GCL_PLACE_LOADED:
        return access_of(b, place->index);
    case GCL_PLACE_ANY:
        return add_reason(b, place->index);
    default:
        return (uint16_t)place->index;
    }
}

static uint8_t base_flags(const struct builder *b, const struct gcl_device_place *place,
                          bool is_texture) {
    return (uint8_t)((has_pragma(b, GCL_PRAGMA_DISJOINT, place) ? GCL_BASE_DISJOINT : 0) |
                     (has_pragma(b, GCL_PRAGMA_REDUCES, place) ? GCL_BASE_REDUCED : 0) |
                     (is_texture ? GCL_BASE_TEXTURE : 0));
}

// `where`: the instruction, NULL for what a pragma says.
static uint16_t add_base(struct builder *b, const struct gcl_device_place *place,
                         LLVMValueRef where, bool is_texture) {
    static const enum gcl_base_kind kinds[] = {
        [GCL_PLACE_ARGUMENT] = GCL_BASE_ARGUMENT, [GCL_PLACE_VARIABLE] = GCL_BASE_VARIABLE,
        [GCL_PLACE_LOADED] = GCL_BASE_LOADED,     [GCL_PLACE_ANY] = GCL_BASE_ANY,
        [GCL_PLACE_OPEN] = GCL_BASE_ANY,
    };
    if (place->kind == GCL_PLACE_LOADED && is_replaced(b, place->index)) {
        struct gcl_base any = {.kind = GCL_BASE_ANY,
                               .index = add_replaced(b, place->index, GCL_REASON_LOADED_POINTER)};
        return append(b->p->bases, &any);
    }
    struct gcl_base base = {.kind = (uint8_t)kinds[place->kind],
                            .flags = base_flags(b, place, is_texture),
                            .index = base_index(b, place)};
    for (guint i = 0; i < b->p->bases->len; i++) {
        if (memcmp(&g_array_index(b->p->bases, struct gcl_base, i), &base, sizeof base) == 0)
            return (uint16_t)i;
    }
    if (base.kind == GCL_BASE_LOADED && !is_texture)
        add_reason(b, gcl_access_reason(b->x, GCL_REASON_LOADED_POINTER, where));
    return append(b->p->bases, &base);
}

static uint16_t add_length(struct builder *b, const struct gcl_effect *effect) {
    if (!effect->length)
        return GCL_NONE;
    uint32_t length = gcl_access_value(b->x, effect->length);
    return add_node(b, gcl_graph_cast(&b->x->graph, GCL_NODE_ZEXT, 64, length));
}

static void add_access(struct builder *b, struct gcl_draft d) {
    bool whole = b->coarse || !d.effect.pointer;
    struct gcl_access access = {
        .kind = (uint8_t)d.effect.kind,
        .reduction = (uint8_t)d.effect.reduction,
        .element = (uint16_t)MIN(d.effect.element, 0xffff),
        .size = whole ? 0 : d.effect.size,
        .place = gcl_access_source(b->x, d.effect.instruction),
        .offset = GCL_NONE,
        .guard = GCL_NONE,
        .length = GCL_NONE,
    };
    access.base =
        add_base(b, &d.place, d.effect.instruction,
                 d.effect.kind == GCL_ACCESS_READ && gcl_access_is_texture(d.effect.instruction));
    if (!whole) {
        access.offset = add_node(b, d.place.offset);
        access.length = add_length(b, &d.effect);
        access.guard = add_guard(b, d.block);
        if (d.place.condition != GCL_NOTHING)
            access.guard = add_condition(b, d.place.condition, true, access.guard);
    }
    append(b->p->accesses, &access);
}

// What is touched at most, so under a condition that isn't known.
static void add_declared(struct builder *b, const struct gcl_draft *d) {
    uint32_t reason = gcl_declared_reason(b->x, d->pragma);
    struct gcl_access access = {
        .kind = (uint8_t)d->effect.kind,
        .element = (uint16_t)MIN(d->effect.element, 0xffff),
        .place = g_array_index(b->x->reasons, struct gcl_reason, reason).place,
        .base = add_base(b, &d->place, NULL, false),
        .offset = GCL_NONE,
        .guard = GCL_NONE,
        .length = GCL_NONE,
    };
    if (d->place.offset != GCL_NOTHING) {
        uint32_t may = gcl_graph_unknown(&b->x->graph, 1, reason, 0);
        access.offset = add_node(b, d->place.offset);
        access.length = add_node(b, d->length);
        access.guard = add_link(b, GCL_GUARD_HOLDS, add_node(b, may), GCL_NONE);
    }
    append(b->p->accesses, &access);
}

static void add_accesses(struct builder *b) {
    for (guint i = 0; i < b->drafts->len && b->p->nodes->len < MOST; i++) {
        struct gcl_draft draft = g_array_index(b->drafts, struct gcl_draft, i);
        b->access = (uint16_t)MIN(i, GCL_NONE);
        if (draft.pragma)
            add_declared(b, &draft);
        else
            add_access(b, draft);
        if (i + 1 == b->drafts->len)
            finish_loops(b); // may add elements of vectors
    }
}

static void add_names(struct builder *b) {
    const GPtrArray *names = b->x->kernel->parameter_names;
    for (guint i = 0; i < names->len; i++) {
        uint32_t offset = gcl_parameter_offset(b->x->m, b->x->function, i);
        g_array_append_val(b->p->parameters, offset);
        g_ptr_array_add(b->p->names, g_strdup(names->pdata[i]));
    }
    for (guint i = 0; i < b->x->files->len; i++)
        g_ptr_array_add(b->p->files, g_strdup(b->x->files->pdata[i]));
}

static void add_said(struct builder *b) {
    for (guint i = 0; i < b->pragmas->len; i++) {
        const struct gcl_pragma_clause *clause =
            &((const struct gcl_pragma *)b->pragmas->pdata[i])->clause;
        if (clause->kind == GCL_PRAGMA_SPLIT)
            b->p->split = (uint8_t)('x' + clause->axis);
        if (clause->kind == GCL_PRAGMA_SINGLE)
            b->p->flags |= GCL_PROGRAM_SINGLE;
    }
}

static bool fits(const struct gcl_device_program *p) {
    const GArray *const tables[] = {p->nodes, p->constants, p->guards,
                                    p->bases, p->accesses,  p->reasons};
    for (size_t i = 0; i < G_N_ELEMENTS(tables); i++) {
        if (tables[i]->len >= MOST)
            return false;
    }
    return gcl_device_program_size(p) <= LARGEST;
}

static void build(struct builder *b) {
    gcl_device_program_destroy(b->p);
    b->p = gcl_device_program_create();
    b->nodes = g_hash_table_new(g_direct_hash, g_direct_equal);
    b->reasons = g_hash_table_new(g_direct_hash, g_direct_equal);
    b->guards = g_hash_table_new(g_direct_hash, g_direct_equal);
    b->entries = g_array_new(FALSE, FALSE, sizeof(struct entry));
    b->finished = 0;
    add_accesses(b);
    g_array_append_vals(b->p->reasons, b->stays->data, b->stays->len);
    add_names(b);
    add_said(b);
    g_hash_table_destroy(b->nodes);
    g_hash_table_destroy(b->reasons);
    g_hash_table_destroy(b->guards);
    g_array_free(b->entries, TRUE);
}

// After the drafts have other numbers, REPLACED for those that are no more.
static void renumber(struct builder *b, const uint32_t *number, guint count) {
    for (guint r = 0; r < b->x->records->len; r++) {
        struct gcl_record *record = &g_array_index(b->x->records, struct gcl_record, r);
        if (record->first < count)
            record->first = number[record->first];
    }
    for (guint s = 0; s < b->stays->len; s++) {
        struct gcl_reason *reason = &g_array_index(b->stays, struct gcl_reason, s);
        if (reason->access < count)
            reason->access = (uint16_t)number[reason->access];
    }
}

// Keeps one draft of each kind for each base, and of pointers that are loaded one for all.
static void coarsen(struct builder *b) {
    GArray *all = b->drafts;
    g_autofree uint32_t *number = g_new0(uint32_t, all->len + 1);
    b->coarse = true;
    b->drafts = g_array_new(FALSE, FALSE, sizeof(struct gcl_draft));
    for (guint i = 0; i < all->len; i++) {
        struct gcl_draft draft = g_array_index(all, struct gcl_draft, i);
        if (draft.pragma) {
            number[i] = add_draft(b, &draft);
            continue;
        }
        draft.block = 0;
        draft.place.offset = draft.place.condition = GCL_NOTHING;
        draft.effect.size = draft.effect.element = 0;
        draft.effect.length = NULL;
        draft.effect.reason = 0;
        if (draft.place.kind == GCL_PLACE_LOADED) {
            for (guint k = 0; k < i; k++) {
                const struct gcl_draft *other = &g_array_index(all, struct gcl_draft, k);
                if (other->place.kind == GCL_PLACE_LOADED) {
                    draft.place.index = other->place.index;
                    break;
                }
            }
        }
        number[i] = add_draft(b, &draft);
    }
    renumber(b, number, all->len);
    g_array_free(all, TRUE);
    add_stay(b, GCL_REASON_SIZE, GCL_NONE, b->x->function);
}

// A pragma says more than draft `d`, which isn't exact.
static bool replaces(const struct builder *b, const struct gcl_draft *said,
                     const struct gcl_draft *d) {
    return said->pragma && !d->pragma && said->effect.kind == d->effect.kind &&
           is_about(b, said->pragma, &d->place);
}

static bool is_kept(const struct builder *b, const bool *exact, guint index) {
    const struct gcl_draft *draft = &g_array_index(b->drafts, struct gcl_draft, index);
    bool all = draft->pragma && draft->pragma->clause.kind == GCL_PRAGMA_REPLICATE;
    for (guint i = 0; i < b->drafts->len; i++) {
        const struct gcl_draft *other = &g_array_index(b->drafts, struct gcl_draft, i);
        if (replaces(b, draft, other) && (all || !exact[i]))
            return true;
        if (replaces(b, other, draft) && !exact[index])
            return false;
    }
    return !draft->pragma;
}

// Whether control comes to `block` only by way of `above`.
static bool is_below(const struct builder *b, int block, int above) {
    while (block != above && block > 0)
        block = b->x->up[block];
    return block == above;
}

// The loads and stores that are one update by a pragma are one access: the first. Returns `index`
// for all others.
static guint find_update(const struct builder *b, guint index) {
    const struct gcl_draft *draft = &g_array_index(b->drafts, struct gcl_draft, index);
    if (!has_pragma(b, GCL_PRAGMA_REDUCES, &draft->place))
        return index;
    for (guint i = 0; i < index; i++) {
        struct gcl_draft first = g_array_index(b->drafts, struct gcl_draft, i);
        if (!is_below(b, draft->block, first.block))
            continue;
        first.block = draft->block;
        if (same_draft(&first, draft))
            return i;
    }
    return index;
}

// Takes out what pragmas replace, and what they say where there is nothing to replace.
static void replace(struct builder *b) {
    g_autofree bool *exact = gcl_access_find_exact(b->p);
    g_autofree uint32_t *number = g_new0(uint32_t, b->drafts->len + 1);
    GArray *kept = g_array_new(FALSE, FALSE, sizeof(struct gcl_draft));
    for (guint i = 0; i < b->drafts->len; i++) {
        guint first = find_update(b, i);
        number[i] = first < i ? number[first] : is_kept(b, exact, i) ? kept->len : REPLACED;
        if (first == i && number[i] != REPLACED)
            g_array_append_val(kept, g_array_index(b->drafts, struct gcl_draft, i));
    }
    renumber(b, number, b->drafts->len);
    g_array_free(b->drafts, TRUE);
    b->drafts = kept;
}

static void check(struct builder *b) {
    g_autofree const struct gcl_pragma **said =
        g_new0(const struct gcl_pragma *, b->drafts->len + 1);
    for (guint i = 0; i < b->drafts->len; i++)
        said[i] = g_array_index(b->drafts, struct gcl_draft, i).pragma;
    gcl_access_check(b->x, b->p, b->pragmas, said);
}

struct gcl_device_program *gcl_access_build(struct gcl_extraction *x) {
    struct builder b = {
        .x = x,
        .pragmas = gcl_pragmas_of(x->m, x->kernel),
        .drafts = g_array_new(FALSE, FALSE, sizeof(struct gcl_draft)),
        .stays = g_array_new(FALSE, TRUE, sizeof(struct gcl_reason)),
        .texels = GCL_NOTHING,
    };
    draft_kernel(&b);
    reduce_drafts(&b);
    draft_pragmas(&b);
    build(&b);
    if (!fits(b.p)) {
        coarsen(&b);
        build(&b);
    }
    if (b.pragmas->len > 0) {
        check(&b);
        replace(&b);
        build(&b);
        gcl_access_check_split(x, b.p, b.pragmas);
    }
    g_array_free(b.drafts, TRUE);
    g_array_free(b.stays, TRUE);
    g_ptr_array_unref(b.pragmas);
    return b.p;
}
