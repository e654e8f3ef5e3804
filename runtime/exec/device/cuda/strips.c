// A region as strips. A box of one, in a motif or not, is runs as often as its other levels say;
// packed, runs of a motif's boxes lie as far apart as its copies are large.
#include <assert.h>

#include "exec/device/cuda/state.h"

enum { MOST_STEPS = (GCL_MOTIF_NESTING + 1) * GCL_STRIDED_LEVELS };

/// Something `count` times: bytes from one to the next, in their place and packed.
struct step {
    int64_t stride, packed, count;
};

struct walk {
    gcl_cuda_visit *visit;
    void *visitor;
    struct step steps[MOST_STEPS]; ///< by which what is looked at is repeated
    unsigned depth;
};

/// A run, in its place and packed.
struct run {
    int64_t offset, packed, length;
};

static bool visit_rows(const struct walk *w, const struct run *run, const struct step *rows) {
    const struct gcl_cuda_strip strip = {.place = run->offset,
                                         .packed = run->packed,
                                         .stride = rows->stride,
                                         .packed_stride = rows->packed,
                                         .length = run->length,
                                         .count = rows->count};
    return w->visit(w->visitor, &strip);
}

/// Visits a run with all its repetitions: those of step `rows` at once. `at`: the first step that
/// hasn't been taken.
static bool visit_runs(const struct walk *w, const struct run *run, unsigned rows, unsigned at) {
    static const struct step once = {.count = 1};
    bool ok = true;
    if (at == w->depth)
        return visit_rows(w, run, w->depth > 0 ? &w->steps[rows] : &once);
    if (at == rows)
        return visit_runs(w, run, rows, at + 1);
    for (int64_t i = 0; i < w->steps[at].count && ok; i++) {
        const struct run next = {run->offset + i * w->steps[at].stride,
                                 run->packed + i * w->steps[at].packed, run->length};
        ok = visit_runs(w, &next, rows, at + 1);
    }
    return ok;
}

static unsigned longest_step(const struct walk *w) {
    unsigned longest = 0;
    for (unsigned i = 1; i < w->depth; i++) {
        if (w->steps[i].count > w->steps[longest].count)
            longest = i;
    }
    return longest;
}

/// Visits the runs of a taper, each of which is longer or shorter than the one before.
static bool visit_taper(const struct walk *w, const struct gcl_strided *box, struct run run) {
    bool ok = true;
    run.length = box->length;
    for (int64_t i = 0; i < box->levels[0].count && ok; i++) {
        ok = visit_runs(w, &run, longest_step(w), 0);
        run.offset += box->levels[0].stride;
        run.packed += run.length;
        run.length += box->growth;
    }
    return ok;
}

/// Visits a box whose offsets count from `base`.
static bool visit_box(struct walk *w, const struct gcl_strided *box, int64_t base, int64_t packed) {
    struct run run = {base + box->begin, packed, box->length};
    unsigned depth = w->depth;
    bool ok = true;
    if (box->growth)
        return visit_taper(w, box, run);
    int64_t size = box->motif ? box->motif->size : box->length;
    for (int i = 0; i < GCL_STRIDED_LEVELS; i++) {
        const struct gcl_level *level = &box->levels[i];
        assert(w->depth < MOST_STEPS);
        if (level->count > 1)
            w->steps[w->depth++] = (struct step){level->stride, size, level->count};
        size *= level->count;
    }
    if (!box->motif)
        ok = visit_runs(w, &run, longest_step(w), 0);
    for (size_t i = 0; box->motif && i < box->motif->count && ok; i++) {
        ok = visit_box(w, &box->motif->boxes[i], run.offset, run.packed);
        run.packed += gcl_strided_size(&box->motif->boxes[i]);
    }
    w->depth = depth;
    return ok;
}

bool gcl_cuda_visit_strips(const struct gcl_region *region, gcl_cuda_visit *visit, void *visitor) {
    const struct gcl_strided *boxes = gcl_region_boxes(region);
    struct walk walk = {.visit = visit, .visitor = visitor};
    int64_t packed = 0;
    bool ok = true;
    for (size_t i = 0; i < gcl_region_box_count(region) && ok; i++) {
        ok = visit_box(&walk, &boxes[i], 0, packed);
        packed += gcl_strided_size(&boxes[i]);
    }
    assert(!ok || packed == gcl_region_size(region));
    return ok;
}
