// How a kernel splits, and what of each argument moves along with its blocks: read off from a
// sample launch. Two neighbouring blocks in the middle of the grid show what moves by how much.
#include "explain.h"

#include <string.h>

#include "operands.h"
#include "plan/program/split.h"
#include "point.h"
#include "reasons.h"
#include "text.h"
#include "worth.h"

static bool stays(const struct gcl_explanation *e) {
    for (guint i = 0; i < e->reasons->len; i++) {
        if (gcl_classes_is_single(g_array_index(e->reasons, struct gcl_reason, i).code))
            return true;
    }
    return false;
}

static void choose_split(struct gcl_explanation *e, const struct gcl_sample *s) {
    struct gcl_split split = gcl_sample_split(s);
    e->split = split.axis;
    if (split.reason && !(gcl_classes_is_single(split.reason) && stays(e)))
        gcl_explanation_add(e, split.reason, split.access);
}

// Uses.

/// What neighbouring blocks do to one base.
struct neighbours {
    const struct gcl_allocation_use *first, *second;
    const struct gcl_classes *classes; ///< of the two
    const struct gcl_region
        *own[2]; ///< what each of them writes in places that are its own, or NULL
    const struct gcl_sample *sample;
    unsigned axis;
    uint32_t block; ///< the first one's
    uint16_t base;
    int64_t element; ///< bytes
};

static const struct gcl_handling *handling_of(const struct neighbours *n,
                                              const struct gcl_allocation_use *use) {
    for (size_t i = 0; i < n->classes->count; i++) {
        if (n->classes->handlings[i].allocation.begin == use->allocation.begin)
            return &n->classes->handlings[i];
    }
    return NULL;
}

static const struct gcl_region *changed(const struct gcl_allocation_use *use) {
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

enum { NEIGHBOURS_MAX = 64 };

// How much of what a block reads is its neighbours' own, which lies `step` bytes from one to the
// next: of as many of them as it reads from. `own`: the nearest one's.
static int64_t reach(const struct gcl_region *read, const struct gcl_region *own, int64_t step,
                     int64_t units) {
    int64_t sum = 0, size = gcl_region_size(own);
    for (int i = 0; i < NEIGHBOURS_MAX; i++) {
        struct gcl_region next = {0};
        bool is_known = gcl_region_translate(own, i * step, &next);
        int64_t bytes = is_known ? common_bytes(read, &next) : 0;
        gcl_region_finish(&next);
        if (bytes == 0)
            break;
        sum += in_units(bytes, size, units);
    }
    return sum;
}

// What a block has of its neighbours' share: of what they write, if that lies alike; or as much as
// both have. `units`: of a block.
static void find_halo(const struct neighbours *n, const struct gcl_region *first,
                      const struct gcl_region *second, int64_t units, struct gcl_motion *motion) {
    int64_t step = gcl_region_bounds(second).begin - gcl_region_bounds(first).begin;
    int64_t shared = common_bytes(first, second);
    if (shared == 0)
        return;
    if (n->own[0] &&
        gcl_region_bounds(n->own[1]).begin - gcl_region_bounds(n->own[0]).begin == step) {
        motion->halo[0] = reach(second, n->own[0], -step, units);
        motion->halo[1] = reach(first, n->own[1], step, units);
        return;
    }
    int64_t halo = in_units(shared, gcl_region_size(first) - shared, units);
    int64_t unit = MAX(ABS(step) / units, 1);
    int64_t begin = GCL_SAMPLE_MIDDLE + step * n->block + (step < 0 ? step : 0);
    int64_t before = begin - gcl_region_bounds(first).begin;
    motion->halo[0] = CLAMP((before + unit - 1) / unit, 0, halo);
    motion->halo[1] = halo - motion->halo[0];
}

// Bytes from a thread's to those of the next along the axis, if all accesses agree.
static int64_t thread_step(const struct neighbours *n, bool changes) {
    const struct gcl_program *p = &n->sample->program;
    int64_t step = 0;
    for (uint16_t i = 0; i < p->access_count; i++) {
        const struct gcl_access *access = &p->accesses[i];
        struct gcl_point at = {.block = {1, 1, 1}}, next = at;
        int64_t here, there;
        if (access->base != n->base || (access->kind != GCL_ACCESS_READ) != changes)
            continue;
        next.thread[n->axis]++;
        if (access->offset == GCL_NONE || !gcl_point_value(n->sample, &at, access->offset, &here) ||
            !gcl_point_value(n->sample, &next, access->offset, &there))
            return 0;
        if (step != 0 && step != there - here)
            return 0;
        step = there - here;
    }
    return step;
}

// Whether an argument decides how far it is from a thread's bytes to the next one's, `step` in the
// sample, whose number says nothing then.
static bool is_given(const struct neighbours *n, bool changes, int64_t step) {
    const struct gcl_program *p = &n->sample->program;
    bool differs = false;
    for (uint16_t i = 0; i < p->node_count && !differs; i++) {
        struct neighbours m = *n;
        struct gcl_sample other;
        if (p->nodes[i].kind != GCL_NODE_ARGUMENT || !gcl_sample_begin_larger(n->sample, i, &other))
            continue;
        m.sample = &other;
        differs = thread_step(&m, changes) != step;
        gcl_sample_finish_larger(&other);
    }
    return differs;
}

static bool counts_grid(const struct neighbours *n) {
    const struct gcl_program *p = &n->sample->program;
    for (uint16_t i = 0; i < p->access_count; i++) {
        if (p->accesses[i].base == n->base && p->accesses[i].offset != GCL_NONE &&
            gcl_operands_reach(p, p->accesses[i].offset, GCL_NODE_GRID_SIZE) &&
            gcl_operands_reach(p, p->accesses[i].offset, GCL_NODE_ITERATION))
            return true;
    }
    return false;
}

// How regions of two neighbours lie to each other.
static struct gcl_motion motion_of(const struct neighbours *n, const struct gcl_region *first,
                                   const struct gcl_region *second, bool changes) {
    struct gcl_motion motion = {.axis = n->axis, .element = MAX(n->element, 1)};
    struct gcl_span a = gcl_region_bounds(first), b = gcl_region_bounds(second);
    if (gcl_region_is_empty(first) && gcl_region_is_empty(second))
        return motion;
    motion.kind = b.begin == a.begin && b.end == a.end ? GCL_MOTION_SAME : GCL_MOTION_IRREGULAR;
    if (a.end - a.begin >= 2 * GCL_SAMPLE_MIDDLE)
        motion.kind = GCL_MOTION_ALL;
    int64_t step = b.begin - a.begin, size = n->sample->launch.geometry.block[n->axis];
    if (step == 0 || b.end - a.end != step || motion.kind == GCL_MOTION_ALL)
        return motion;
    motion.kind = GCL_MOTION_STEP;
    motion.counts_threads = step % size == 0 && thread_step(n, changes) == step / size;
    motion.unit = motion.counts_threads ? step / size : step;
    motion.is_given = motion.counts_threads && is_given(n, changes, motion.unit);
    motion.is_scattered = gcl_region_run_count(first) > 1;
    motion.bytes = gcl_region_size(first) / MAX(size, 1);
    motion.goes_on = n->axis == 0 && motion.is_scattered && counts_grid(n);
    int64_t units = motion.counts_threads ? size : motion.is_scattered ? 1 : step / motion.element;
    find_halo(n, first, second, MAX(ABS(units), 1), &motion);
    return motion;
}

static struct gcl_explained_use *use_create(const struct gcl_explanation *e, uint16_t base) {
    const struct gcl_program *p = e->kernel->program;
    struct gcl_explained_use *use = g_new0(struct gcl_explained_use, 1);
    use->name = gcl_text_base(e->kernel, base);
    use->words = g_ptr_array_new_with_free_func(g_free);
    use->accesses = g_array_new(FALSE, FALSE, sizeof(uint16_t));
    use->read = GCL_NONE;
    for (uint16_t i = 0; i < p->access_count; i++) {
        if (p->accesses[i].base != base)
            continue;
        g_array_append_val(use->accesses, i);
        if (p->accesses[i].kind == GCL_ACCESS_READ && use->read == GCL_NONE)
            use->read = i;
    }
    return use;
}

static void use_destroy(void *data) {
    struct gcl_explained_use *use = data;
    g_free(use->name);
    g_free(use->width);
    g_ptr_array_free(use->words, TRUE);
    g_array_free(use->accesses, TRUE);
    g_free(use);
}

// What is all over the place may be several things, each of which isn't: each access on its own.
static char *words_by_access(const struct neighbours *n, bool changes) {
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(g_free);
    for (uint16_t i = 0; i < n->sample->program.access_count; i++) {
        const struct gcl_access *access = &n->sample->program.accesses[i];
        if (access->base != n->base || (access->kind != GCL_ACCESS_READ) != changes)
            continue;
        struct gcl_sample one;
        gcl_sample_begin_access(n->sample, i, &one);
        struct gcl_footprint first = gcl_sample_footprint(&one, n->axis, n->block, n->block + 1);
        struct gcl_footprint second =
            gcl_sample_footprint(&one, n->axis, n->block + 1, n->block + 2);
        const struct gcl_allocation_use *a = gcl_sample_use(&one, &first, n->base);
        const struct gcl_allocation_use *b = gcl_sample_use(&one, &second, n->base);
        if (a && b) {
            struct neighbours m = *n;
            m.sample = &one;
            struct gcl_motion motion = motion_of(&m, changes ? changed(a) : &a->read,
                                                 changes ? changed(b) : &b->read, changes);
            char *words = gcl_text_motion(&motion);
            if (g_ptr_array_find_with_equal_func(all, words, g_str_equal, NULL))
                g_free(words);
            else
                g_ptr_array_add(all, words);
        }
        gcl_footprint_finish(&first);
        gcl_footprint_finish(&second);
        gcl_sample_finish_access(&one);
    }
    g_ptr_array_add(all, NULL);
    return g_strjoinv(" and ", (char **)all->pdata);
}

static char *say_where(const struct neighbours *n, const struct gcl_motion *motion, bool changes) {
    char *words = motion->kind == GCL_MOTION_IRREGULAR ? words_by_access(n, changes) : NULL;
    if (words && *words)
        return words;
    g_free(words);
    return gcl_text_motion(motion);
}

/// What data decides of a base.
enum data_role { DATA_NOTHING, DATA_WHETHER, DATA_WHERE };

static enum data_role role_of_data(const struct gcl_explanation *e, uint16_t base, bool changes) {
    enum data_role role = DATA_NOTHING;
    for (guint i = 0; i < e->reasons->len; i++) {
        const struct gcl_reason *r = &g_array_index(e->reasons, struct gcl_reason, i);
        if (r->access == GCL_NONE || r->code < GCL_REASON_DATA_INDEX ||
            r->code > GCL_REASON_OPERATION || r->code == GCL_REASON_SIZE)
            continue;
        const struct gcl_access *access = &e->kernel->program->accesses[r->access];
        if (access->base == base && (access->kind != GCL_ACCESS_READ) == changes)
            role = MAX(role, r->code == GCL_REASON_DATA_GUARD ? DATA_WHETHER : DATA_WHERE);
    }
    return role;
}

// What is looked up needn't be all of it, whatever the sample says.
static bool is_inspected(const struct gcl_explanation *e, uint16_t base, bool changes) {
    for (guint i = 0; i < e->reasons->len; i++) {
        const struct gcl_reason *r = &g_array_index(e->reasons, struct gcl_reason, i);
        if (r->code != GCL_REASON_INSPECTED)
            continue;
        const struct gcl_access *access = &e->kernel->program->accesses[r->access];
        if (access->base == base && (access->kind != GCL_ACCESS_READ) == changes)
            return true;
    }
    return false;
}

// Bounds of places that data decides, such as all that an index can be, are nothing to tell.
static void settle(const struct gcl_explanation *e, uint16_t base, bool changes,
                   struct gcl_motion *motion) {
    enum data_role role = role_of_data(e, base, changes);
    bool is_shared = motion->kind == GCL_MOTION_SAME || motion->halo[0] > 0 || motion->halo[1] > 0;
    motion->by_data = role != DATA_NOTHING;
    if (role != DATA_WHERE && is_inspected(e, base, changes))
        *motion = (struct gcl_motion){.kind = GCL_MOTION_INSPECTED, .by_data = motion->by_data};
    else if (role == DATA_WHERE && is_shared)
        *motion = (struct gcl_motion){.kind = GCL_MOTION_ALL, .by_data = true};
}

// The first array of which each block writes a part of its own shows how blocks lie.
static void find_own(struct neighbours *n, const struct gcl_footprint *first,
                     const struct gcl_footprint *second) {
    for (uint16_t base = 0; base < n->sample->program.base_count && !n->own[0]; base++) {
        const struct gcl_allocation_use *a = gcl_sample_use(n->sample, first, base);
        const struct gcl_allocation_use *b = gcl_sample_use(n->sample, second, base);
        if (!a || !b || gcl_region_is_empty(&a->written) ||
            (handling_of(n, a)->handles & GCL_HANDLE_MERGE))
            continue;
        n->own[0] = &a->written;
        n->own[1] = &b->written;
    }
}

// Whether what is read moves alike in another launch, but with more or less of the neighbours'.
static bool changes_halo(const struct neighbours *n, const struct gcl_motion *motion,
                         const struct gcl_sample *other) {
    struct neighbours m = *n;
    struct gcl_footprint first = gcl_sample_footprint(other, n->axis, n->block, n->block + 1);
    struct gcl_footprint second = gcl_sample_footprint(other, n->axis, n->block + 1, n->block + 2);
    struct gcl_motion now = {.kind = GCL_MOTION_NONE};
    m.sample = other;
    m.first = gcl_sample_use(other, &first, n->base);
    m.second = gcl_sample_use(other, &second, n->base);
    m.own[0] = m.own[1] = NULL;
    find_own(&m, &first, &second);
    if (m.first && m.second)
        now = motion_of(&m, &m.first->read, &m.second->read, false);
    gcl_footprint_finish(&first);
    gcl_footprint_finish(&second);
    return now.kind == GCL_MOTION_STEP && now.counts_threads == motion->counts_threads &&
           (now.halo[0] != motion->halo[0] || now.halo[1] != motion->halo[1]);
}

// The first number on which it depends how wide a halo is: the sample's says nothing then. NULL:
// none; to be freed.
static char *find_width(const struct gcl_explanation *e, const struct neighbours *n,
                        const struct gcl_motion *motion) {
    const struct gcl_program *p = &n->sample->program;
    struct gcl_sample other = *n->sample;
    other.launch.geometry.block[n->axis] *= 2;
    bool depends = !e->kernel->block_size && changes_halo(n, motion, &other);
    char *name = depends ? g_strdup_printf("blockDim.%c", 'x' + n->axis) : NULL;
    other.launch.geometry.block[n->axis] = n->sample->launch.geometry.block[n->axis];
    for (uint16_t i = 0; i < p->node_count && !name; i++) {
        if (p->nodes[i].kind != GCL_NODE_ARGUMENT || !gcl_sample_begin_larger(n->sample, i, &other))
            continue;
        if (changes_halo(n, motion, &other))
            name = gcl_text_name(e->kernel, p->nodes[i].a);
        gcl_sample_finish_larger(&other);
    }
    return name;
}

// "rows y-1 … y+1 (halo 1 row)"; NULL: nothing is read.
static char *words_of_read(struct gcl_explanation *e, struct gcl_explained_use *use,
                           const struct neighbours *n) {
    struct gcl_motion motion = motion_of(n, &n->first->read, &n->second->read, false);
    if (motion.kind == GCL_MOTION_NONE)
        return NULL;
    settle(e, n->base, false, &motion);
    if (motion.halo[0] > 0 || motion.halo[1] > 0)
        motion.width = use->width = find_width(e, n, &motion);
    use->halo[0] = motion.halo[0];
    use->halo[1] = motion.halo[1];
    if (motion.kind == GCL_MOTION_SAME)
        gcl_explanation_add(e, GCL_REASON_REPLICATED, use->read);
    return say_where(n, &motion, false);
}

static bool is_merged(const struct gcl_explanation *e, uint16_t base) {
    for (guint i = 0; i < e->reasons->len; i++) {
        const struct gcl_reason *r = &g_array_index(e->reasons, struct gcl_reason, i);
        if (r->code == GCL_REASON_OVERLAP && e->kernel->program->accesses[r->access].base == base)
            return true;
    }
    return false;
}

// Whether the two change the same, or blocks somewhere else in the grid do.
static bool changes_meet(const struct gcl_explanation *e, const struct neighbours *n,
                         const struct gcl_motion *motion) {
    const struct gcl_handling *handling = handling_of(n, n->first);
    bool meets = handling && (handling->handles & GCL_HANDLE_MERGE) && !handling->is_disjoint &&
                 motion->kind != GCL_MOTION_INSPECTED;
    return meets || is_merged(e, n->base);
}

// "row y", and in `how` "written exactly once"; NULL: nothing is written.
static char *words_of_change(const struct gcl_explanation *e, const struct neighbours *n,
                             const char **how) {
    const struct gcl_region *first = changed(n->first);
    struct gcl_motion motion = motion_of(n, first, changed(n->second), true);
    if (motion.kind == GCL_MOTION_NONE)
        return NULL;
    settle(e, n->base, true, &motion);
    bool exact = gcl_region_is_empty(&n->first->touched);
    bool is_looked_up = motion.kind == GCL_MOTION_INSPECTED && !motion.by_data;
    *how = changes_meet(e, n, &motion) ? "written by several blocks"
           : is_looked_up              ? "written"
           : exact                     ? "written exactly once"
           : motion.by_data            ? "written where data says so"
                                       : "written in part";
    return say_where(n, &motion, true);
}

static void say_read_and_change(struct gcl_explanation *e, struct gcl_explained_use *use,
                                const struct neighbours *n) {
    const char *how = NULL;
    g_autofree char *read = words_of_read(e, use, n), *change = words_of_change(e, n, &how);
    if (read && change && strcmp(read, change) == 0)
        g_ptr_array_add(use->words, g_strdup_printf("%s, read and %s", read, how));
    else if (read && change)
        g_ptr_array_add(use->words, g_strdup_printf("%s, read; %s, %s", read, change, how));
    else if (read)
        g_ptr_array_add(use->words, g_strdup(read));
    else if (change)
        g_ptr_array_add(use->words, g_strdup_printf("%s, %s", change, how));
}

static void say_atomics(const struct gcl_explanation *e, struct gcl_explained_use *use,
                        const struct neighbours *n) {
    static const char *const reductions[] = {"sum",     "sum",     "and",     "or",
                                             "xor",     "minimum", "maximum", "minimum",
                                             "maximum", "minimum", "maximum"};
    if (!gcl_region_is_empty(&n->first->reduced)) {
        struct gcl_motion motion = motion_of(n, &n->first->reduced, &n->second->reduced, true);
        settle(e, n->base, true, &motion);
        g_autofree char *where = gcl_text_motion(&motion);
        g_ptr_array_add(use->words, g_strdup_printf("%s, combined over all blocks: %s", where,
                                                    reductions[n->first->reduction]));
    }
}

// On one node it doesn't matter what moves with blocks.
static void say_kinds(const struct gcl_explanation *e, struct gcl_explained_use *use) {
    static const char *const names[] = {"read", "written", "reduced", "changed atomically"};
    g_autoptr(GPtrArray) kinds = g_ptr_array_new();
    for (unsigned kind = GCL_ACCESS_READ; kind <= GCL_ACCESS_ATOMIC; kind++) {
        bool found = false;
        for (guint i = 0; i < use->accesses->len; i++) {
            uint16_t access = g_array_index(use->accesses, uint16_t, i);
            found |= e->kernel->program->accesses[access].kind == kind;
        }
        if (found)
            g_ptr_array_add(kinds, (gpointer)names[kind]);
    }
    g_ptr_array_add(kinds, NULL);
    g_ptr_array_add(use->words, g_strjoinv(" and ", (char **)kinds->pdata));
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

// `all`: what is the same for all bases.
static void explain_use(struct gcl_explanation *e, const struct neighbours *all, uint16_t base,
                        const struct gcl_footprint two[2]) {
    static const struct gcl_allocation_use nothing = {.allocation = {0, 0}};
    const struct gcl_sample *s = all->sample;
    struct gcl_explained_use *use = use_create(e, base);
    struct neighbours n = *all;
    n.base = base;
    n.element = largest_element(e, use);
    find_own(&n, &two[0], &two[1]);
    n.first = gcl_sample_use(s, &two[0], base);
    n.second = gcl_sample_use(s, &two[1], base);
    n.first = n.first ? n.first : &nothing;
    n.second = n.second ? n.second : &nothing;
    g_ptr_array_add(e->uses, use);
    if (s->program.bases[base].flags & GCL_BASE_TEXTURE) {
        g_ptr_array_add(use->words, g_strdup("a texture, all of it"));
        return;
    }
    if (!e->split) {
        say_kinds(e, use);
        return;
    }
    say_read_and_change(e, use, &n);
    say_atomics(e, use, &n);
    if (use->words->len == 0)
        say_kinds(e, use);
}

// Arguments come in their order, then variables, then what pointers from memory lead to.
static int by_place(const void *a, const void *b, void *program) {
    const struct gcl_program *p = program;
    const uint16_t *i = a, *j = b;
    const struct gcl_base *x = &p->bases[*i], *y = &p->bases[*j];
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->kind == GCL_BASE_ARGUMENT && x->index != y->index)
        return x->index < y->index ? -1 : 1;
    return *i < *j ? -1 : *i > *j;
}

// Whether a base is the texels of a texture, which are explained with what describes the texture.
static bool is_part_of_texture(const struct gcl_base *base) {
    return base->kind == GCL_BASE_LOADED && (base->flags & GCL_BASE_TEXTURE);
}

// The first of two neighbours that do something: in the middle of the grid if those there do, since
// a number in the kernel may end what it does before.
static uint32_t find_block(const struct gcl_sample *s, unsigned axis) {
    uint32_t block = (s->launch.geometry.grid[axis] - 1) / 2;
    for (; block > 0; block /= 2) {
        struct gcl_footprint both = gcl_sample_footprint(s, axis, block, block + 2);
        bool is_empty = both.count == 0;
        gcl_footprint_finish(&both);
        if (!is_empty)
            break;
    }
    return block;
}

static void explain_uses(struct gcl_explanation *e, const struct gcl_sample *s) {
    unsigned axis = e->split ? (unsigned)(e->split - 'x') : 0;
    struct gcl_classes classes;
    struct neighbours all = {
        .sample = s, .classes = &classes, .axis = axis, .block = find_block(s, axis)};
    uint32_t block = all.block;
    uint16_t count = e->kernel->program->base_count;
    g_autofree uint16_t *order = g_new(uint16_t, count + 1u);
    for (uint16_t i = 0; i < count; i++)
        order[i] = i;
    g_qsort_with_data(order, count, sizeof *order, by_place, (gpointer)e->kernel->program);
    struct gcl_footprint two[] = {gcl_sample_footprint(s, axis, block, block + 1),
                                  gcl_sample_footprint(s, axis, block + 1, block + 2)};
    if (!gcl_classes_find(&s->program, &s->launch, two, 2, &classes))
        g_error("no memory");
    for (uint16_t i = 0; i < count; i++) {
        if (!is_part_of_texture(&e->kernel->program->bases[order[i]]))
            explain_use(e, &all, order[i], two);
    }
    gcl_classes_finish(&classes);
    gcl_footprint_finish(&two[0]);
    gcl_footprint_finish(&two[1]);
}

/// Whether no data decides which bytes are touched.
static bool is_certain(const struct gcl_explanation *e) {
    for (uint16_t i = 0; i < e->kernel->program->access_count; i++) {
        if (e->certainties[i] > GCL_EXPLAINED_BOUNDED)
            return false;
    }
    return true;
}

struct gcl_explanation *gcl_explain(const struct gcl_explained_kernel *kernel) {
    struct gcl_explanation *e = g_new0(struct gcl_explanation, 1);
    e->kernel = kernel;
    e->uses = g_ptr_array_new_with_free_func(use_destroy);
    e->reasons = g_array_new(FALSE, FALSE, sizeof(struct gcl_reason));
    e->certainties = g_new0(uint8_t, kernel->program->access_count + 1u);
    struct gcl_sample *sample = gcl_sample_choose(
        kernel->program, &(struct gcl_known_launch){.block_size = kernel->block_size});
    gcl_explanation_find_reasons(e, sample);
    choose_split(e, sample);
    explain_uses(e, sample);
    gcl_sample_destroy(sample);
    if (e->split && is_certain(e))
        e->worth = gcl_worth(kernel);
    return e;
}

void gcl_explanation_destroy(struct gcl_explanation *e) {
    g_ptr_array_free(e->uses, TRUE);
    g_array_free(e->reasons, TRUE);
    g_free(e->certainties);
    g_free(e->worth);
    g_free(e);
}
