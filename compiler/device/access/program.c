// The program of a kernel: first which places its instructions touch (access/draft.c), then the
// tables (access/fill.c). A kernel whose tables would be too large gets them without offsets and
// guards.
//
// What pragmas say of a pointer takes the place of what isn't exact: the program is made with both,
// and once more without what has been replaced.
#include "device/access/program.h"

#include <assert.h>

#include "device/access/build.h"
#include "device/access/builder.h"
#include "device/access/check.h"
#include "device/access/declare.h"
#include "device/access/draft.h"
#include "device/access/fill.h"
#include "device/access/graph.h"
#include "device/access/table.h"

// Gives records and reasons the new numbers of their drafts, GCL_REPLACED for drafts that are gone.
static void renumber(struct gcl_builder *b, const uint32_t *number, guint count) {
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

// Gives a pointer that is loaded the number of the first one among the drafts before it.
static void share_loaded(struct gcl_access_draft *draft, const GArray *all, guint before) {
    for (guint i = 0; draft->target.kind == GCL_TARGET_LOADED && i < before; i++) {
        const struct gcl_access_draft *other = &g_array_index(all, struct gcl_access_draft, i);
        if (other->target.kind == GCL_TARGET_LOADED) {
            draft->target.index = other->target.index;
            return;
        }
    }
}

// Keeps one draft of each kind for each base, and of pointers that are loaded one for all.
static void coarsen(struct gcl_builder *b) {
    GArray *all = b->drafts;
    g_autofree uint32_t *number = g_new0(uint32_t, all->len + 1);
    b->coarse = true;
    b->drafts = g_array_new(FALSE, FALSE, sizeof(struct gcl_access_draft));
    for (guint i = 0; i < all->len; i++) {
        struct gcl_access_draft draft = g_array_index(all, struct gcl_access_draft, i);
        if (draft.pragma) {
            number[i] = gcl_builder_add_draft(b, &draft);
            continue;
        }
        draft.block = 0;
        draft.target.offset = draft.target.condition = GCL_NOTHING;
        draft.effect.size = draft.effect.element = 0;
        draft.effect.length = NULL;
        draft.effect.reason = 0;
        share_loaded(&draft, all, i);
        number[i] = gcl_builder_add_draft(b, &draft);
    }
    renumber(b, number, all->len);
    g_array_free(all, TRUE);
    gcl_builder_add_stay(b, GCL_REASON_SIZE, GCL_NONE, b->x->function);
}

// A pragma says more than draft `d`, which isn't exact.
static bool replaces(const struct gcl_builder *b, const struct gcl_access_draft *said,
                     const struct gcl_access_draft *d) {
    return said->pragma && !d->pragma && said->effect.kind == d->effect.kind &&
           gcl_builder_is_about(b, said->pragma, &d->target);
}

static bool is_kept(const struct gcl_builder *b, const bool *exact, guint index) {
    const struct gcl_access_draft *draft =
        &g_array_index(b->drafts, struct gcl_access_draft, index);
    bool all = draft->pragma && draft->pragma->clause.kind == GCL_PRAGMA_REPLICATE;
    for (guint i = 0; i < b->drafts->len; i++) {
        const struct gcl_access_draft *other =
            &g_array_index(b->drafts, struct gcl_access_draft, i);
        if (replaces(b, draft, other) && (all || !exact[i]))
            return true;
        if (replaces(b, other, draft) && !exact[index])
            return false;
    }
    return !draft->pragma;
}

// Whether control comes to `block` only by way of `above`.
static bool is_below(const struct gcl_builder *b, int block, int above) {
    while (block != above && block > 0)
        block = b->x->up[block];
    return block == above;
}

// The loads and stores that are one update by a pragma are one access: the first. Returns `index`
// for all others.
static guint find_update(const struct gcl_builder *b, guint index) {
    const struct gcl_access_draft *draft =
        &g_array_index(b->drafts, struct gcl_access_draft, index);
    if (!gcl_builder_has_pragma(b, GCL_PRAGMA_REDUCES, &draft->target))
        return index;
    for (guint i = 0; i < index; i++) {
        struct gcl_access_draft first = g_array_index(b->drafts, struct gcl_access_draft, i);
        if (!is_below(b, draft->block, first.block))
            continue;
        first.block = draft->block;
        if (gcl_builder_same_draft(&first, draft))
            return i;
    }
    return index;
}

// Takes out what pragmas replace, and what they say where there is nothing to replace.
static void replace(struct gcl_builder *b) {
    g_autofree bool *exact = gcl_access_find_exact(b->p);
    assert(b->p->accesses->len == b->drafts->len); // `exact` has one for each draft
    g_autofree uint32_t *number = g_new0(uint32_t, b->drafts->len + 1);
    GArray *kept = g_array_new(FALSE, FALSE, sizeof(struct gcl_access_draft));
    for (guint i = 0; i < b->drafts->len; i++) {
        guint first = find_update(b, i);
        assert(first <= i); // which has its number already
        number[i] = first < i ? number[first] : is_kept(b, exact, i) ? kept->len : GCL_REPLACED;
        if (first == i && number[i] != GCL_REPLACED)
            g_array_append_val(kept, g_array_index(b->drafts, struct gcl_access_draft, i));
    }
    renumber(b, number, b->drafts->len);
    g_array_free(b->drafts, TRUE);
    b->drafts = kept;
}

static void check(struct gcl_builder *b) {
    g_autofree const struct gcl_pragma **said =
        g_new0(const struct gcl_pragma *, b->drafts->len + 1);
    for (guint i = 0; i < b->drafts->len; i++)
        said[i] = g_array_index(b->drafts, struct gcl_access_draft, i).pragma;
    assert(b->p->accesses->len == b->drafts->len);
    gcl_access_check(b->x, b->p, b->pragmas, said);
}

struct gcl_device_program *gcl_access_build(struct gcl_extraction *x) {
    struct gcl_builder b = {
        .x = x,
        .pragmas = gcl_declared_pragmas(x->m, x->kernel),
        .drafts = g_array_new(FALSE, FALSE, sizeof(struct gcl_access_draft)),
        .stays = g_array_new(FALSE, TRUE, sizeof(struct gcl_reason)),
        .texels = GCL_NOTHING,
    };
    gcl_builder_draft_kernel(&b);
    gcl_builder_reduce_drafts(&b);
    gcl_builder_draft_pragmas(&b);
    gcl_builder_fill(&b);
    if (!gcl_builder_fits(b.p)) {
        coarsen(&b);
        gcl_builder_fill(&b);
    }
    if (b.pragmas->len > 0) {
        check(&b);
        replace(&b);
        gcl_builder_fill(&b);
        gcl_access_check_split(x, b.p, b.pragmas);
    }
    g_array_free(b.drafts, TRUE);
    g_array_free(b.stays, TRUE);
    g_ptr_array_unref(b.pragmas);
    return b.p;
}
