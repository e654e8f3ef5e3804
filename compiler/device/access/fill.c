// The tables of a program. Nodes, guards, bases and reasons come into them when something in them
// needs them.
#include "device/access/fill.h"

#include <assert.h>
#include <string.h>

#include "device/access/build.h"
#include "device/access/builder.h"
#include "device/access/declare.h"
#include "device/access/draft.h"
#include "device/access/graph.h"
#include "device/access/guard.h"
#include "device/access/loop.h"
#include "device/access/memory.h"
#include "device/access/table.h"
#include "device/access/target.h"
#include "device/access/value.h"
#include "device/ir/cfg.h"
#include "device/ir/module.h"
#include "device/ir/parameter.h"
#include "device/ir/source.h"

enum {
    LARGEST = 65536, ///< bytes of a program
    MOST = 0xfff0,   ///< entries of a table
};

static uint16_t append(GArray *table, const void *element) {
    g_array_append_vals(table, element, 1);
    return (uint16_t)MIN(table->len - 1, GCL_NONE);
}

static uint16_t add_constant(struct gcl_builder *b, int64_t value) {
    for (guint i = 0; i < b->p->constants->len; i++) {
        if (g_array_index(b->p->constants, int64_t, i) == value)
            return (uint16_t)i;
    }
    return append(b->p->constants, &value);
}

static uint16_t add_reason(struct gcl_builder *b, uint32_t reason) {
    assert(reason < b->x->reasons->len);
    gpointer known = g_hash_table_lookup(b->reasons, GUINT_TO_POINTER(reason));
    if (known)
        return (uint16_t)(GPOINTER_TO_UINT(known) - 1);
    struct gcl_reason r = g_array_index(b->x->reasons, struct gcl_reason, reason);
    r.access = b->access;
    uint16_t index = append(b->p->reasons, &r);
    g_hash_table_insert(b->reasons, GUINT_TO_POINTER(reason), GUINT_TO_POINTER(index + 1u));
    return index;
}

static uint16_t add_node(struct gcl_builder *b, uint32_t node);
static uint16_t add_guard(struct gcl_builder *b, int block);

static bool is_replaced(const struct gcl_builder *b, uint32_t record) {
    assert(record < b->x->records->len);
    return g_array_index(b->x->records, struct gcl_record, record).first == GCL_REPLACED;
}

static uint16_t add_replaced(struct gcl_builder *b, uint32_t record, enum gcl_reason_code code) {
    LLVMValueRef where = g_array_index(b->x->records, struct gcl_record, record).instruction;
    return add_reason(b, gcl_access_reason(b->x, code, where));
}

// The access that a record is, which comes into being now if it is an element of a vector.
static uint16_t access_of(struct gcl_builder *b, uint32_t record) {
    struct gcl_record r = g_array_index(b->x->records, struct gcl_record, record);
    if (r.first != GCL_NOTHING)
        return (uint16_t)MIN(r.first, GCL_NONE);
    struct gcl_effect effects[GCL_EFFECTS];
    assert(r.role == GCL_ROLE_LANE); // all other records are drafted with their instructions
    uint32_t reason;
    gcl_access_effects(b->x, r.instruction, effects, &reason);
    effects[0].role = r.role;
    effects[0].size = effects[0].element;
    uint32_t behind = gcl_graph_constant(&b->x->graph, 64, (int64_t)r.lane * effects[0].element);
    struct gcl_access_targets targets =
        gcl_access_shift_targets(b->x, gcl_access_find_targets(b->x, effects[0].pointer), behind);
    struct gcl_access_draft draft = {.effect = effects[0],
                                     .target = targets.list[0],
                                     .block = gcl_access_block(b->x, r.instruction)};
    r.first = gcl_builder_add_draft(b, &draft);
    g_array_index(b->x->records, struct gcl_record, record) = r;
    return (uint16_t)MIN(r.first, GCL_NONE);
}

static int loop_header(const struct gcl_builder *b, uint32_t loop) {
    return b->x->cfg->loops[loop].header;
}

static struct gcl_node make_node(struct gcl_builder *b, const struct gcl_graph_node *n) {
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

static uint16_t add_node(struct gcl_builder *b, uint32_t node) {
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

static uint16_t add_link(struct gcl_builder *b, enum gcl_guard_kind kind, uint16_t node,
                         uint16_t outer) {
    struct gcl_guard guard = {.kind = (uint8_t)kind, .node = node, .outer = outer};
    for (guint i = 0; kind != GCL_GUARD_LOOP && i < b->p->guards->len; i++) {
        if (memcmp(&g_array_index(b->p->guards, struct gcl_guard, i), &guard, sizeof guard) == 0)
            return (uint16_t)i;
    }
    return append(b->p->guards, &guard);
}

static bool is_in_chain(const struct gcl_builder *b, enum gcl_guard_kind kind, uint16_t node,
                        uint16_t chain) {
    while (chain != GCL_NONE) {
        const struct gcl_guard *g = &g_array_index(b->p->guards, struct gcl_guard, chain);
        assert(g->outer == GCL_NONE || g->outer < chain);
        if (g->kind == kind && g->node == node)
            return true;
        chain = g->outer;
    }
    return false;
}

// Whether a chain says already that a condition is `wanted`.
static bool is_said(const struct gcl_builder *b, uint32_t condition, bool wanted, uint16_t chain) {
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
static uint16_t add_condition(struct gcl_builder *b, uint32_t condition, bool wanted,
                              uint16_t outer) {
    assert(gcl_graph_at(&b->x->graph, condition)->width == 1);
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
static uint16_t extend_guard(struct gcl_builder *b, int block, uint16_t outer) {
    assert(block > 0 && b->x->up[block] < block);
    int loop = gcl_access_loop_at(b->x, block);
    if (loop == GCL_NOWHERE)
        return add_condition(b, gcl_access_reach(b->x, block), true, outer);
    struct gcl_access_entry entry = {loop, add_link(b, GCL_GUARD_LOOP, GCL_NONE, outer), b->access};
    g_array_append_val(b->entries, entry);
    return entry.guard;
}

static uint16_t add_guard(struct gcl_builder *b, int block) {
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
static void finish_loops(struct gcl_builder *b) {
    while (b->finished < b->entries->len) {
        struct gcl_access_entry entry =
            g_array_index(b->entries, struct gcl_access_entry, b->finished++);
        uint32_t repeats = gcl_access_repeats(b->x, entry.loop);
        int64_t always;
        b->access = entry.access;
        if (gcl_graph_is_constant(&b->x->graph, repeats, &always) && always)
            continue;
        assert(g_array_index(b->p->guards, struct gcl_guard, entry.guard).kind == GCL_GUARD_LOOP);
        uint16_t node = add_node(b, repeats);
        g_array_index(b->p->guards, struct gcl_guard, entry.guard).node = node;
    }
}

// Accesses.

static uint16_t add_variable(struct gcl_builder *b, const struct gcl_device_variable *variable) {
    for (guint i = 0; i < b->p->variables->len; i++) {
        if (b->p->variables->pdata[i] == variable)
            return (uint16_t)i;
    }
    g_ptr_array_add(b->p->variables, (gpointer)variable);
    return (uint16_t)(b->p->variables->len - 1);
}

static uint16_t base_index(struct gcl_builder *b, const struct gcl_access_target *place) {
    switch (place->kind) {
    case GCL_TARGET_VARIABLE:
        return add_variable(b, place->variable);
    case GCL_TARGET_LOADED:
        return access_of(b, place->index);
    case GCL_TARGET_ANY:
        return add_reason(b, place->index);
    default:
        return (uint16_t)place->index;
    }
}

static uint8_t base_flags(const struct gcl_builder *b, const struct gcl_access_target *place,
                          bool is_texture) {
    return (
        uint8_t)((gcl_builder_has_pragma(b, GCL_PRAGMA_DISJOINT, place) ? GCL_BASE_DISJOINT : 0) |
                 (gcl_builder_has_pragma(b, GCL_PRAGMA_REDUCES, place) ? GCL_BASE_REDUCED : 0) |
                 (is_texture ? GCL_BASE_TEXTURE : 0));
}

// `where`: the instruction, NULL for what a pragma says.
static uint16_t add_base(struct gcl_builder *b, const struct gcl_access_target *place,
                         LLVMValueRef where, bool is_texture) {
    static const enum gcl_base_kind kinds[] = {
        [GCL_TARGET_ARGUMENT] = GCL_BASE_ARGUMENT, [GCL_TARGET_VARIABLE] = GCL_BASE_VARIABLE,
        [GCL_TARGET_LOADED] = GCL_BASE_LOADED,     [GCL_TARGET_ANY] = GCL_BASE_ANY,
        [GCL_TARGET_OPEN] = GCL_BASE_ANY,
    };
    assert(place->kind < G_N_ELEMENTS(kinds) && place->kind != GCL_TARGET_LOCAL &&
           place->kind != GCL_TARGET_PARAMETER);
    if (place->kind == GCL_TARGET_LOADED && is_replaced(b, place->index)) {
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

static uint16_t add_length(struct gcl_builder *b, const struct gcl_effect *effect) {
    if (!effect->length)
        return GCL_NONE;
    uint32_t length = gcl_access_value(b->x, effect->length);
    return add_node(b, gcl_graph_cast(&b->x->graph, GCL_NODE_ZEXT, 64, length));
}

static void add_access(struct gcl_builder *b, struct gcl_access_draft d) {
    bool whole = b->coarse || !d.effect.pointer;
    struct gcl_access access = {
        .kind = (uint8_t)d.effect.kind,
        .reduction = d.effect.kind == GCL_ACCESS_REDUCE ? (uint8_t)d.effect.reduction
                                                        : (uint8_t)d.effect.stored,
        .element = (uint16_t)MIN(d.effect.element, 0xffff),
        .size = whole ? 0 : d.effect.size,
        .place = gcl_access_source(b->x, d.effect.instruction),
        .offset = GCL_NONE,
        .guard = GCL_NONE,
        .length = GCL_NONE,
    };
    access.base =
        add_base(b, &d.target, d.effect.instruction,
                 d.effect.kind == GCL_ACCESS_READ && gcl_source_is_texture(d.effect.instruction));
    if (!whole) {
        access.offset = add_node(b, d.target.offset);
        access.length = add_length(b, &d.effect);
        access.guard = add_guard(b, d.block);
        if (d.target.condition != GCL_NOTHING)
            access.guard = add_condition(b, d.target.condition, true, access.guard);
    }
    append(b->p->accesses, &access);
}

// What is touched at most, so under a condition that isn't known.
static void add_declared(struct gcl_builder *b, const struct gcl_access_draft *d) {
    uint32_t reason = gcl_declared_reason(b->x, d->pragma);
    struct gcl_access access = {
        .kind = (uint8_t)d->effect.kind,
        .element = (uint16_t)MIN(d->effect.element, 0xffff),
        .place = g_array_index(b->x->reasons, struct gcl_reason, reason).place,
        .base = add_base(b, &d->target, NULL, false),
        .offset = GCL_NONE,
        .guard = GCL_NONE,
        .length = GCL_NONE,
    };
    if (d->target.offset != GCL_NOTHING) {
        uint32_t may = gcl_graph_unknown(&b->x->graph, 1, reason, 0);
        access.offset = add_node(b, d->target.offset);
        access.length = add_node(b, d->length);
        access.guard = add_link(b, GCL_GUARD_HOLDS, add_node(b, may), GCL_NONE);
    }
    append(b->p->accesses, &access);
}

static void add_accesses(struct gcl_builder *b) {
    for (guint i = 0; i < b->drafts->len && b->p->nodes->len < MOST; i++) {
        struct gcl_access_draft draft = g_array_index(b->drafts, struct gcl_access_draft, i);
        assert(b->p->accesses->len == i); // access i is draft i
        b->access = (uint16_t)MIN(i, GCL_NONE);
        if (draft.pragma)
            add_declared(b, &draft);
        else
            add_access(b, draft);
        if (i + 1 == b->drafts->len)
            finish_loops(b); // may add elements of vectors
    }
}

static void add_names(struct gcl_builder *b) {
    const GPtrArray *names = b->x->kernel->parameter_names;
    for (guint i = 0; i < names->len; i++) {
        uint32_t offset = gcl_parameter_offset(b->x->m, b->x->function, i);
        g_array_append_val(b->p->parameters, offset);
        g_ptr_array_add(b->p->names, g_strdup(names->pdata[i]));
    }
    for (guint i = 0; i < b->x->files->len; i++)
        g_ptr_array_add(b->p->files, g_strdup(b->x->files->pdata[i]));
}

static void add_said(struct gcl_builder *b) {
    for (guint i = 0; i < b->pragmas->len; i++) {
        const struct gcl_pragma_clause *clause =
            &((const struct gcl_pragma *)b->pragmas->pdata[i])->clause;
        if (clause->kind == GCL_PRAGMA_SPLIT)
            b->p->split = (uint8_t)('x' + clause->axis);
        if (clause->kind == GCL_PRAGMA_SINGLE)
            b->p->flags |= GCL_PROGRAM_SINGLE;
    }
}

bool gcl_builder_fits(const struct gcl_device_program *p) {
    const GArray *const tables[] = {p->nodes, p->constants, p->guards,
                                    p->bases, p->accesses,  p->reasons};
    for (size_t i = 0; i < G_N_ELEMENTS(tables); i++) {
        if (tables[i]->len >= MOST)
            return false;
    }
    return gcl_device_program_size(p) <= LARGEST;
}

void gcl_builder_fill(struct gcl_builder *b) {
    gcl_device_program_destroy(b->p);
    b->p = gcl_device_program_create();
    b->nodes = g_hash_table_new(g_direct_hash, g_direct_equal);
    b->reasons = g_hash_table_new(g_direct_hash, g_direct_equal);
    b->guards = g_hash_table_new(g_direct_hash, g_direct_equal);
    b->entries = g_array_new(FALSE, FALSE, sizeof(struct gcl_access_entry));
    b->finished = 0;
    add_accesses(b);
    g_array_append_vals(b->p->reasons, b->stays->data, b->stays->len);
    add_names(b);
    add_said(b);
    assert(!gcl_builder_fits(b->p) || gcl_device_program_is_sound(b->p));
    assert(!gcl_builder_fits(b->p) || b->p->accesses->len == b->drafts->len);
    g_hash_table_destroy(b->nodes);
    g_hash_table_destroy(b->reasons);
    g_hash_table_destroy(b->guards);
    g_array_free(b->entries, TRUE);
}
