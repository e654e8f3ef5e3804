// What is asked of a motif often is known from when it was made.
#include "plan/region/motif.h"

#include <assert.h>
#include <stdlib.h>

struct gcl_motif *gcl_motif_create(const struct gcl_strided *boxes, size_t count) {
    assert(count > 0 && gcl_strided_are_ordered(boxes, count));
    struct gcl_motif *motif = malloc(sizeof *motif + count * sizeof motif->boxes[0]);
    if (!motif)
        return NULL;
    *motif = (struct gcl_motif){.holders = 1, .nesting = 1, .count = count};
    for (size_t i = 0; i < count; i++) {
        struct gcl_strided *box = &motif->boxes[i];
        *box = boxes[i];
        box->begin -= boxes[0].begin;
        gcl_motif_hold(box->motif);
        motif->size += gcl_strided_size(box);
        motif->run_count += gcl_strided_run_count(box);
        motif->weight += gcl_motif_weight(box);
        if (box->motif && box->motif->nesting >= motif->nesting)
            motif->nesting = box->motif->nesting + 1;
    }
    motif->fingerprint = gcl_strided_fingerprint(motif->boxes, count, 0);
    assert(motif->nesting <= GCL_MOTIF_NESTING);
    return motif;
}

/// Who may hold a motif that others only read.
static atomic_size_t *holders_of(const struct gcl_motif *motif) {
    return &((struct gcl_motif *)(uintptr_t)motif)->holders;
}

void gcl_motif_hold(const struct gcl_motif *motif) {
    if (motif)
        atomic_fetch_add_explicit(holders_of(motif), 1, memory_order_relaxed);
}

void gcl_motif_release(const struct gcl_motif *motif) {
    if (!motif || atomic_fetch_sub_explicit(holders_of(motif), 1, memory_order_acq_rel) > 1)
        return;
    for (size_t i = 0; i < motif->count; i++)
        gcl_motif_release(motif->boxes[i].motif);
    free((struct gcl_motif *)(uintptr_t)motif);
}

size_t gcl_motif_weight(const struct gcl_strided *box) {
    return 1 + (box->motif ? box->motif->weight : 0);
}

bool gcl_motif_equal(const struct gcl_motif *a, const struct gcl_motif *b) {
    if (a == b || !a || !b)
        return a == b;
    bool same = a->fingerprint == b->fingerprint && a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++)
        same = a->boxes[i].begin == b->boxes[i].begin &&
               gcl_strided_same_shape(&a->boxes[i], &b->boxes[i]);
    return same;
}
