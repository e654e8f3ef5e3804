// Which places a kernel's instructions touch: the drafts of its accesses.
#include "device/access/draft.h"

#include <assert.h>
#include <string.h>

#include "device/access/build.h"
#include "device/access/builder.h"
#include "device/access/declare.h"
#include "device/access/graph.h"
#include "device/access/memory.h"
#include "device/access/reduce.h"
#include "device/access/target.h"
#include "device/access/value.h"
#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/source.h"

enum { LOOK_BACK = 64 }; // drafts among which equal ones are looked for

static bool is_global(const struct gcl_access_target *place) {
    return place->kind != GCL_TARGET_LOCAL && place->kind != GCL_TARGET_PARAMETER;
}

static bool same_place(const struct gcl_access_target *p, const struct gcl_access_target *q) {
    return p->kind == q->kind && p->index == q->index && p->variable == q->variable &&
           p->offset == q->offset && p->condition == q->condition;
}

bool gcl_builder_same_draft(const struct gcl_access_draft *d, const struct gcl_access_draft *e) {
    return d->block == e->block && same_place(&d->target, &e->target) &&
           d->effect.kind == e->effect.kind && d->effect.reduction == e->effect.reduction &&
           d->effect.stored == e->effect.stored && d->effect.size == e->effect.size &&
           d->effect.length == e->effect.length && d->effect.element == e->effect.element &&
           d->effect.reason == e->effect.reason && d->pragma == e->pragma;
}

// Returns the number of the draft, that of an equal one if there is one.
uint32_t gcl_builder_add_draft(struct gcl_builder *b, const struct gcl_access_draft *draft) {
    assert(draft->block >= 0 && draft->block < b->x->cfg->count);
    assert(is_global(&draft->target) && draft->target.kind != GCL_TARGET_OPEN);
    guint last = b->drafts->len > LOOK_BACK ? b->drafts->len - LOOK_BACK : 0;
    for (guint i = b->drafts->len; i-- > last;) {
        if (gcl_builder_same_draft(&g_array_index(b->drafts, struct gcl_access_draft, i), draft))
            return i;
    }
    g_array_append_val(b->drafts, *draft);
    return b->drafts->len - 1;
}

void gcl_builder_add_stay(struct gcl_builder *b, uint32_t code, uint32_t access,
                          LLVMValueRef where) {
    assert(access == GCL_NONE || access < b->drafts->len);
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
static void simplify_texture(struct gcl_builder *b, struct gcl_access_draft *draft) {
    if (draft->effect.kind != GCL_ACCESS_READ || !gcl_source_is_texture(draft->effect.instruction))
        return;
    if (draft->target.kind == GCL_TARGET_LOADED &&
        gcl_graph_at(&b->x->graph, draft->target.offset)->doubtful) {
        if (b->texels == GCL_NOTHING)
            b->texels =
                gcl_access_unknown(b->x, GCL_REASON_FLOAT_INDEX, 64, draft->effect.instruction);
        draft->target.offset = b->texels;
        draft->effect.size = draft->effect.element = 1;
    } else if (draft->target.kind == GCL_TARGET_LOADED) {
        return;
    }
    draft->target.condition = GCL_NOTHING;
    draft->block = 0;
}

static struct gcl_access_targets effect_targets(struct gcl_builder *b,
                                                const struct gcl_effect *effect) {
    if (!effect->pointer)
        return gcl_access_targets_anywhere(b->x, gcl_access_why(effect->instruction),
                                           effect->instruction);
    if (effect->role != GCL_ROLE_TEXELS)
        return *gcl_access_find_targets(b->x, effect->pointer);
    struct gcl_access_targets targets = {.count = 1};
    targets.list[0] = (struct gcl_access_target){
        .kind = GCL_TARGET_LOADED,
        .index = gcl_access_record(b->x, effect->instruction, GCL_ROLE_WHOLE, 0),
        .offset = gcl_access_unknown(b->x, GCL_REASON_FLOAT_INDEX, 64, effect->instruction),
        .condition = GCL_NOTHING};
    return targets;
}

static void draft_effect(struct gcl_builder *b, const struct gcl_effect *effect, int block) {
    assert(effect->kind != GCL_ACCESS_REDUCE || effect->reason == 0);
    struct gcl_access_targets targets = effect_targets(b, effect);
    uint32_t record = gcl_access_record(b->x, effect->instruction, effect->role, 0);
    for (unsigned i = 0; i < targets.count; i++) {
        struct gcl_record *r = &g_array_index(b->x->records, struct gcl_record, record);
        if (!is_global(&targets.list[i]))
            continue;
        struct gcl_access_draft draft = {
            .effect = *effect, .target = targets.list[i], .block = block};
        simplify_texture(b, &draft);
        uint32_t number = gcl_builder_add_draft(b, &draft);
        r->first = MIN(r->first, number);
        if (effect->reason)
            gcl_builder_add_stay(b, effect->reason, number, effect->instruction);
    }
}

static void draft_instruction(struct gcl_builder *b, LLVMValueRef i, int block) {
    struct gcl_effect effects[GCL_EFFECTS];
    uint32_t reason = 0;
    unsigned count = gcl_access_effects(b->x, i, effects, &reason);
    assert(count <= GCL_EFFECTS);
    if (reason)
        gcl_builder_add_stay(b, reason, GCL_NONE, i);
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

static LLVMValueRef find_wait(struct gcl_builder *b, int loop) {
    const struct gcl_cfg *cfg = b->x->cfg;
    for (int block = 0; block < cfg->count; block++) {
        LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[block].block);
        for (; i && gcl_cfg_in_loop(cfg, block, loop); i = LLVMGetNextInstruction(i)) {
            if (!reads_shared_state(i))
                continue;
            const struct gcl_access_targets *targets =
                gcl_access_find_targets(b->x, LLVMGetOperand(i, 0));
            for (unsigned p = 0; p < targets->count; p++) {
                if (is_global(&targets->list[p]))
                    return i;
            }
        }
    }
    return NULL;
}

void gcl_builder_draft_kernel(struct gcl_builder *b) {
    assert(b->x->depth == 0 && b->drafts->len == 0);
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
            gcl_builder_add_stay(b, GCL_REASON_WAITS, GCL_NONE, wait);
    }
}

// Pragmas.

bool gcl_builder_is_about(const struct gcl_builder *b, const struct gcl_pragma *pragma,
                          const struct gcl_access_target *place) {
    return place->kind == GCL_TARGET_ARGUMENT &&
           place->index == gcl_declared_pointer(b->x, &pragma->clause);
}

bool gcl_builder_has_pragma(const struct gcl_builder *b, enum gcl_pragma_kind kind,
                            const struct gcl_access_target *place) {
    for (guint i = 0; i < b->pragmas->len; i++) {
        const struct gcl_pragma *pragma = b->pragmas->pdata[i];
        if (pragma->clause.kind == kind && gcl_builder_is_about(b, pragma, place))
            return true;
    }
    return false;
}

static uint32_t bytes_of(struct gcl_builder *b, const struct gcl_pragma *pragma,
                         uint16_t expression) {
    struct gcl_graph *g = &b->x->graph;
    uint32_t element = gcl_declared_element(b->x, &pragma->clause);
    return gcl_graph_binary(g, GCL_NODE_MULTIPLY, gcl_declared_value(b->x, pragma, expression),
                            gcl_graph_constant(g, 64, element));
}

static bool is_touched(const struct gcl_builder *b, const struct gcl_pragma *pragma) {
    for (guint i = 0; i < b->drafts->len; i++) {
        if (gcl_builder_is_about(b, pragma,
                                 &g_array_index(b->drafts, struct gcl_access_draft, i).target))
            return true;
    }
    return false;
}

static void draft_pragma(struct gcl_builder *b, const struct gcl_pragma *pragma) {
    const struct gcl_pragma_clause *clause = &pragma->clause;
    struct gcl_access_draft draft = {
        .effect = {.kind = clause->kind == GCL_PRAGMA_WRITES ? GCL_ACCESS_WRITE : GCL_ACCESS_READ,
                   .stored = GCL_STORED_ANYTHING,
                   .element = gcl_declared_element(b->x, clause)},
        .target = {.kind = GCL_TARGET_ARGUMENT,
                   .index = gcl_declared_pointer(b->x, clause),
                   .offset = GCL_NOTHING},
        .length = GCL_NOTHING,
        .pragma = pragma};
    bool is_region = clause->kind == GCL_PRAGMA_READS || clause->kind == GCL_PRAGMA_WRITES;
    if (!is_region && clause->kind != GCL_PRAGMA_REPLICATE)
        return;
    if (is_region && draft.effect.element == 0) {
        if (is_touched(b, pragma))
            gcl_declared_ignored(b->x, pragma, "it isn't known how large its elements are");
        return;
    }
    if (is_region) {
        draft.target.offset = bytes_of(b, pragma, clause->first);
        draft.length = bytes_of(b, pragma, clause->count);
    }
    assert((draft.target.offset == GCL_NOTHING) == (draft.length == GCL_NOTHING));
    g_array_append_val(b->drafts, draft);
}

void gcl_builder_reduce_drafts(struct gcl_builder *b) {
    for (guint i = 0; i < b->pragmas->len; i++) {
        const struct gcl_pragma *pragma = b->pragmas->pdata[i];
        if (pragma->clause.kind == GCL_PRAGMA_REDUCES)
            gcl_access_reduce(b->x, pragma, b->drafts, b->stays);
    }
}

void gcl_builder_draft_pragmas(struct gcl_builder *b) {
    for (guint i = 0; i < b->pragmas->len; i++)
        draft_pragma(b, b->pragmas->pdata[i]);
}
