// How a kernel splits, and what of each argument moves along with its blocks: read off from a
// sample launch. Two neighbouring blocks in the middle of the grid show what moves by how much.
#include "explain.h"

#include <string.h>

#include "gcluster/reasons.h"
#include "sample.h"
#include "text.h"

static bool is_single(uint16_t code) {
    return code >= GCL_REASON_ATOMIC_RESULT && code <= GCL_REASON_BASE;
}

static void add_reason(struct gcl_explanation *e, enum gcl_reason_code code, uint16_t access) {
    struct gcl_reason reason = {.code = (uint16_t)code, .access = access};
    if (access != GCL_NONE)
        reason.place = e->kernel->program->accesses[access].place;
    g_array_append_val(e->reasons, reason);
}

static bool has_reason(const struct gcl_explanation *e, bool single, enum gcl_reason_code code) {
    for (guint i = 0; i < e->reasons->len; i++) {
        uint16_t found = g_array_index(e->reasons, struct gcl_reason, i).code;
        if (single ? is_single(found) : found == code)
            return true;
    }
    return false;
}

// What two ranges of blocks both change.

static bool meet(const struct gcl_region *a, const struct gcl_region *b) {
    return gcl_region_overlaps(a, b);
}

static bool changes_meet(const struct gcl_use *a, const struct gcl_use *b) {
    return meet(&a->written, &b->written) || meet(&a->written, &b->touched) ||
           meet(&a->touched, &b->written) || meet(&a->touched, &b->touched);
}

static bool is_disjoint(const struct gcl_footprint *a, const struct gcl_footprint *b) {
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < b->count; j++) {
            bool same = a->uses[i].allocation.begin == b->uses[j].allocation.begin;
            if (same && changes_meet(&a->uses[i], &b->uses[j]))
                return false;
        }
    }
    return true;
}

static bool splits_at(const struct gcl_sample *s, unsigned axis, uint32_t begin, uint32_t at,
                      uint32_t end) {
    struct gcl_footprint before = gcl_sample_footprint(s, axis, begin, at);
    struct gcl_footprint after = gcl_sample_footprint(s, axis, at, end);
    bool disjoint = is_disjoint(&before, &after);
    gcl_footprint_finish(&before);
    gcl_footprint_finish(&after);
    return disjoint;
}

static bool splits_along(const struct gcl_sample *s, unsigned axis) {
    uint32_t size = s->launch.grid_size[axis], middle = size / 2;
    return splits_at(s, axis, 0, middle, size) &&
           splits_at(s, axis, middle, middle + 1, middle + 2);
}

// The slowest axis along which no two blocks write the same; if there is none, the slowest.
static void choose_split(struct gcl_explanation *e, const struct gcl_sample *s) {
    int slowest = -1;
    if (has_reason(e, true, 0))
        return;
    for (int axis = 2; axis >= 0; axis--) {
        if (!s->uses[axis])
            continue;
        slowest = MAX(slowest, axis);
        if (splits_along(s, (unsigned)axis)) {
            e->split = (char)('x' + axis);
            return;
        }
    }
    if (slowest < 0)
        return;
    e->split = (char)('x' + slowest);
    add_reason(e, GCL_REASON_OVERLAP, GCL_NONE);
}

// Uses.

/// What neighbouring blocks do to one base.
struct neighbours {
    const struct gcl_use *first, *second;
    const struct gcl_region
        *own[2]; ///< what each of them writes in places that are its own, or NULL
    const struct gcl_sample *sample;
    unsigned axis;
    uint32_t block;  ///< the first one's
    int64_t element; ///< bytes
};

static const struct gcl_region *changed(const struct gcl_use *use) {
    return gcl_region_is_empty(&use->written) ? &use->touched : &use->written;
}

static int64_t common_bytes(const struct gcl_region *a, const struct gcl_region *b) {
    struct gcl_region both = {0};
    int64_t bytes = gcl_region_intersect(a, b, &both) ? gcl_region_size(&both) : 0;
    gcl_region_finish(&both);
    return bytes;
}

// Of `units` that make `own` bytes, as many as `bytes` are, rounded up.
static int64_t in_units(int64_t bytes, int64_t own, int64_t units) {
    return own > 0 ? (bytes * units + own - 1) / own : 0;
}

// What a block has of its neighbours' share: of what they write, if that lies alike; or as much as
// both have.
static void find_halo(const struct neighbours *n, const struct gcl_region *first,
                      const struct gcl_region *second, struct gcl_motion *motion) {
    int64_t step = gcl_region_bounds(second).begin - gcl_region_bounds(first).begin;
    int64_t units = step / motion->unit, shared = common_bytes(first, second);
    if (shared == 0)
        return;
    if (n->own[0] &&
        gcl_region_bounds(n->own[1]).begin - gcl_region_bounds(n->own[0]).begin == step) {
        int64_t own = gcl_region_size(n->own[0]);
        motion->halo[0] = in_units(common_bytes(n->own[0], second), own, units);
        motion->halo[1] = in_units(common_bytes(first, n->own[1]), own, units);
        return;
    }
    int64_t halo = in_units(shared, gcl_region_size(first) - shared, units),
            unit = ABS(motion->unit);
    int64_t begin = GCL_SAMPLE_MIDDLE + step * n->block + (step < 0 ? step : 0);
    int64_t before = begin - gcl_region_bounds(first).begin;
    motion->halo[0] = CLAMP((before + unit - 1) / unit, 0, halo);
    motion->halo[1] = halo - motion->halo[0];
}

// How regions of two neighbours lie to each other.
static struct gcl_motion motion_of(const struct neighbours *n, const struct gcl_region *first,
                                   const struct gcl_region *second) {
    struct gcl_motion motion = {.axis = n->axis};
    struct gcl_run a = gcl_region_bounds(first), b = gcl_region_bounds(second);
    if (gcl_region_is_empty(first) && gcl_region_is_empty(second)) {
        motion.kind = GCL_MOTION_NONE;
        return motion;
    }
    motion.bytes = gcl_region_size(first);
    motion.kind = b.begin == a.begin && b.end == a.end ? GCL_MOTION_SAME : GCL_MOTION_IRREGULAR;
    if (gcl_region_bounds(first).end - a.begin >= 2 * GCL_SAMPLE_MIDDLE)
        motion.kind = GCL_MOTION_ALL;
    int64_t step = b.begin - a.begin;
    if (step == 0 || b.end - a.end != step || motion.kind == GCL_MOTION_ALL)
        return motion;
    motion.kind = GCL_MOTION_STEP;
    bool global = gcl_text_counts_threads(&n->sample->program, n->axis);
    int64_t size = global ? n->sample->launch.block_size[n->axis] : 1;
    motion.counts_threads = global && step % size == 0;
    motion.unit = motion.counts_threads ? step / size : step;
    motion.is_row = ABS(motion.unit) > n->element;
    motion.is_column = !motion.is_row && gcl_region_run_count(first) > 1 && n->axis > 0;
    find_halo(n, first, second, &motion);
    return motion;
}

static struct gcl_explained_use *use_create(const struct gcl_explanation *e, uint16_t base) {
    const struct gcl_program *p = e->kernel->program;
    struct gcl_explained_use *use = g_new0(struct gcl_explained_use, 1);
    use->name = gcl_text_base(e->kernel, base);
    use->words = g_ptr_array_new_with_free_func(g_free);
    use->accesses = g_array_new(FALSE, FALSE, sizeof(uint16_t));
    for (uint16_t i = 0; i < p->access_count; i++) {
        if (p->accesses[i].base == base)
            g_array_append_val(use->accesses, i);
    }
    return use;
}

static void use_destroy(void *data) {
    struct gcl_explained_use *use = data;
    g_free(use->name);
    g_ptr_array_free(use->words, TRUE);
    g_array_free(use->accesses, TRUE);
    g_free(use);
}

static void say_read(struct gcl_explanation *e, struct gcl_explained_use *use,
                     const struct neighbours *n) {
    struct gcl_motion motion = motion_of(n, &n->first->read, &n->second->read);
    if (motion.kind == GCL_MOTION_NONE)
        return;
    use->halo[0] = motion.halo[0];
    use->halo[1] = motion.halo[1];
    g_autofree char *where = gcl_text_motion(&motion);
    g_ptr_array_add(use->words, g_strdup(where));
    if (motion.kind == GCL_MOTION_SAME && !has_reason(e, false, GCL_REASON_REPLICATED))
        add_reason(e, GCL_REASON_REPLICATED, g_array_index(use->accesses, uint16_t, 0));
}

static void say_changes(struct gcl_explained_use *use, const struct neighbours *n) {
    const struct gcl_region *first = changed(n->first);
    struct gcl_motion motion = motion_of(n, first, changed(n->second));
    if (motion.kind == GCL_MOTION_NONE)
        return;
    g_autofree char *where = gcl_text_motion(&motion);
    bool exact = gcl_region_is_empty(&n->first->touched);
    const char *how = changes_meet(n->first, n->second) ? "written by several blocks"
                      : exact                           ? "written exactly once"
                                                        : "written where data says so";
    g_ptr_array_add(use->words, g_strdup_printf("%s, %s", where, how));
}

static void say_atomics(const struct gcl_explanation *e, struct gcl_explained_use *use,
                        const struct neighbours *n) {
    static const char *const reductions[] = {"sum",     "sum",     "and",     "or",
                                             "xor",     "minimum", "maximum", "minimum",
                                             "maximum", "minimum", "maximum"};
    (void)e;
    if (!gcl_region_is_empty(&n->first->reduced)) {
        struct gcl_motion motion = motion_of(n, &n->first->reduced, &n->second->reduced);
        g_autofree char *where = gcl_text_motion(&motion);
        g_ptr_array_add(use->words, g_strdup_printf("%s, combined over all blocks: %s", where,
                                                    reductions[n->first->reduction]));
    }
    if (!gcl_region_is_empty(&n->first->claimed))
        g_ptr_array_add(use->words, g_strdup("atomic operations whose result counts"));
}

static int64_t largest_element(const struct gcl_explanation *e,
                               const struct gcl_explained_use *use) {
    int64_t largest = 0;
    for (guint i = 0; i < use->accesses->len; i++) {
        uint16_t access = g_array_index(use->accesses, uint16_t, i);
        largest = MAX(largest, e->kernel->program->accesses[access].element);
    }
    return largest;
}

// The first array of which each block writes a part of its own shows how blocks lie.
static void find_own(struct neighbours *n, const struct gcl_footprint *first,
                     const struct gcl_footprint *second) {
    for (uint16_t base = 0; base < n->sample->program.base_count && !n->own[0]; base++) {
        const struct gcl_use *a = gcl_sample_use(n->sample, first, base);
        const struct gcl_use *b = gcl_sample_use(n->sample, second, base);
        if (!a || !b || gcl_region_is_empty(&a->written) || changes_meet(a, b))
            continue;
        n->own[0] = &a->written;
        n->own[1] = &b->written;
    }
}

static void explain_uses(struct gcl_explanation *e, const struct gcl_sample *s) {
    unsigned axis = e->split ? (unsigned)(e->split - 'x') : 0;
    uint32_t block = s->launch.grid_size[axis] / 2;
    struct gcl_footprint first = gcl_sample_footprint(s, axis, block, block + 1);
    struct gcl_footprint second = gcl_sample_footprint(s, axis, block + 1, block + 2);
    static const struct gcl_use nothing = {.allocation = {0, 0}};
    for (uint16_t base = 0; base < e->kernel->program->base_count; base++) {
        struct gcl_explained_use *use = use_create(e, base);
        struct neighbours n = {
            .sample = s, .axis = axis, .block = block, .element = largest_element(e, use)};
        find_own(&n, &first, &second);
        n.first = gcl_sample_use(s, &first, base);
        n.second = gcl_sample_use(s, &second, base);
        n.first = n.first ? n.first : &nothing;
        n.second = n.second ? n.second : &nothing;
        say_read(e, use, &n);
        say_changes(use, &n);
        say_atomics(e, use, &n);
        g_ptr_array_add(e->uses, use);
    }
    gcl_footprint_finish(&first);
    gcl_footprint_finish(&second);
}

struct gcl_explanation *gcl_explain(const struct gcl_explained_kernel *kernel) {
    struct gcl_explanation *e = g_new0(struct gcl_explanation, 1);
    e->kernel = kernel;
    e->uses = g_ptr_array_new_with_free_func(use_destroy);
    e->reasons = g_array_new(FALSE, FALSE, sizeof(struct gcl_reason));
    if (kernel->program->reason_count > 0)
        g_array_append_vals(e->reasons, kernel->program->reasons, kernel->program->reason_count);
    struct gcl_sample *sample = gcl_sample_create(kernel->program, kernel->block_size);
    choose_split(e, sample);
    explain_uses(e, sample);
    gcl_sample_destroy(sample);
    return e;
}

void gcl_explanation_destroy(struct gcl_explanation *e) {
    g_ptr_array_free(e->uses, TRUE);
    g_array_free(e->reasons, TRUE);
    g_free(e);
}
