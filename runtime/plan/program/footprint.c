// A footprint is put together access by access. What an access touches exactly is united in pairs,
// those again, and so on, before it is united with the region of its allocation: many unions with
// one that grows would take a time that grows with the square of their number.
// An access whose base is a pointer from memory touches every allocation that has escaped.
#include "plan/program/footprint.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plan/directory/layout.h"
#include "plan/inspect/base.h"
#include "plan/inspect/inspect.h"
#include "plan/program/shares.h"

enum {
    BATCH = 256,
    MOST_RANKS = 20,
    READS = 1 << GCL_ACCESS_READ,
    FEW_USES = 4, ///< allocations for which there is room at once; a power of two
    MOST_CUTS =
        256, ///< of bytes that aren't all in their base's allocation, to find where they are
    MOST_BOXES = GCL_LAYOUT_MOST_BOXES / 4 ///< of what was looked up, where more bytes do no harm
};

// What one access, or several that are alike, add to a footprint.
struct gathering {
    struct gcl_footprint *footprint;
    const struct gcl_access *access; ///< the first of them
    unsigned kinds;                  ///< a bit for each enum gcl_access_kind of them
    unsigned count;                  ///< of such accesses
    const struct gcl_memory *memory;
    uint64_t base;                  ///< its address
    double threads;                 ///< of the launch
    struct gcl_allocation_use *use; ///< NULL until it has touched something
    struct gcl_span runs[BATCH];    ///< exact bytes that are still to be added
    size_t run_count;
    /// Exact bytes that are still to be added besides: entry i is the union of 2^i that were found,
    /// if bit i of `ranks` is set.
    struct gcl_region unions[MOST_RANKS];
    uint32_t ranks;
    bool is_rounded; ///< those unions have more than what was found
    bool failed;     ///< no memory
};

const struct gcl_allocation_use *gcl_footprint_use(const struct gcl_footprint *footprint,
                                                   int64_t begin) {
    for (size_t i = 0; i < footprint->count; i++) {
        if (footprint->uses[i].allocation.begin == begin)
            return &footprint->uses[i];
    }
    return NULL;
}

static struct gcl_allocation_use *find_use(struct gathering *g, const struct gcl_span *allocation) {
    struct gcl_footprint *f = g->footprint;
    for (size_t i = 0; i < f->count; i++) {
        if (f->uses[i].allocation.begin == allocation->begin)
            return &f->uses[i];
    }
    bool is_power = (f->count & (f->count - 1)) == 0; // there is room up to a power of two
    bool is_full = f->count == 0 || (f->count >= FEW_USES && is_power);
    struct gcl_allocation_use *uses =
        is_full ? realloc(f->uses, (f->count ? 2 * f->count : FEW_USES) * sizeof *uses) : f->uses;
    if (!uses) {
        g->failed = true;
        return NULL;
    }
    f->uses = uses;
    uses[f->count] = (struct gcl_allocation_use){.allocation = *allocation};
    return &uses[f->count++];
}

// Reductions of several kinds at one place can't be combined: they are like any atomic operation.
static struct gcl_region *reduced(const struct gathering *g) {
    struct gcl_allocation_use *use = g->use;
    if (gcl_region_is_empty(&use->reduced)) {
        use->reduction = g->access->reduction;
        use->element = g->access->element;
    }
    bool is_same = use->reduction == g->access->reduction && use->element == g->access->element;
    return is_same ? &use->reduced : &use->claimed;
}

static struct gcl_region *region_for(const struct gathering *g, unsigned kind, bool exact) {
    switch (kind) {
    case GCL_ACCESS_READ:
        return &g->use->read;
    case GCL_ACCESS_WRITE:
        return exact ? &g->use->written : &g->use->touched;
    case GCL_ACCESS_REDUCE:
        return reduced(g);
    default:
        return &g->use->claimed;
    }
}

// The union may be rounded up: it is an upper bound, as regions are.
static void unite(struct gcl_region *all, const struct gcl_region *more) {
    bool is_exact = gcl_region_unite(all, more, all);
    (void)is_exact;
}

// Whoever writes a value writes all of it. Larger ones than a power of two are several. Where all
// values have one size, as mostly, what is written says where they are.
static bool note_stored(const struct gathering *g, const struct gcl_region *inside) {
    struct gcl_allocation_use *use = g->use;
    const uint16_t element = g->access->element;
    unsigned size = 0;
    while (size + 1 < GCL_VALUE_SIZES && element > 0 && element % (2 << size) == 0)
        size++;
    if (use->stored && use->stored != 1u << size && !use->values) {
        use->values = calloc(GCL_VALUE_SIZES, sizeof *use->values);
        if (!use->values)
            return false;
        struct gcl_region *first = &use->values[__builtin_ctz(use->stored)];
        unite(first, &use->written);
        unite(first, &use->touched);
    }
    use->stored |= (uint8_t)(1u << size);
    if (use->values)
        unite(&use->values[size], inside);
    return true;
}

const struct gcl_region *gcl_footprint_values(const struct gcl_allocation_use *use, unsigned size,
                                              struct gcl_region *room) {
    assert(size < GCL_VALUE_SIZES);
    *room = (struct gcl_region){.count = 0};
    if (use->values)
        return &use->values[size];
    if (use->stored >> size & 1) {
        unite(room, &use->written);
        unite(room, &use->touched);
    }
    return room;
}

// Adds bytes inside of the allocation for accesses of one kind. A union that has to be rounded up
// isn't written for certain.
static void add_inside(struct gathering *g, unsigned kind, const struct gcl_region *inside,
                       bool exact) {
    struct gcl_region both = {0};
    struct gcl_region *region = region_for(g, kind, exact);
    if (kind == GCL_ACCESS_WRITE && !note_stored(g, inside))
        g->failed = true;
    bool is_whole = gcl_region_unite(region, inside, &both);
    gcl_region_finish(region);
    *region = both;
    if (!is_whole && region == &g->use->written) {
        *region = (struct gcl_region){0};
        is_whole = gcl_region_unite(&g->use->touched, &both, &g->use->touched);
        gcl_region_finish(&both);
    }
    g->footprint->exact = g->footprint->exact && exact && is_whole;
    g->use->reads_vaguely |= kind == GCL_ACCESS_READ && !(exact && is_whole);
}

// Adds bytes of the allocation.
static void add(struct gathering *g, const struct gcl_region *bytes, bool exact) {
    assert(g->use && g->kinds);
    struct gcl_region inside = {0};
    int64_t size = g->use->allocation.end - g->use->allocation.begin;
    exact = gcl_region_clip(bytes, (struct gcl_span){0, size}, &inside) && exact;
    for (unsigned rest = g->kinds; rest; rest &= rest - 1)
        add_inside(g, (unsigned)__builtin_ctz(rest), &inside, exact);
    gcl_region_finish(&inside);
}

// Takes bytes that are going to be added.
static void add_later(struct gathering *g, struct gcl_region *bytes) {
    unsigned rank = 0;
    for (; g->ranks >> rank & 1; rank++) {
        assert(rank + 1 < MOST_RANKS); // evaluation finds far fewer pieces
        g->is_rounded |= !gcl_region_unite(bytes, &g->unions[rank], bytes);
        gcl_region_finish(&g->unions[rank]);
        g->ranks &= ~(UINT32_C(1) << rank);
    }
    g->unions[rank] = *bytes;
    g->ranks |= UINT32_C(1) << rank;
}

static void flush_runs(struct gathering *g) {
    struct gcl_region bytes = {0};
    if (g->run_count == 0)
        return;
    assert(g->run_count <= BATCH);
    g->is_rounded |= !gcl_region_from_runs(g->runs, g->run_count, &bytes);
    g->run_count = 0;
    add_later(g, &bytes);
}

// Adds all that was to be added later.
static void flush(struct gathering *g) {
    struct gcl_region sum = {0};
    flush_runs(g);
    if (g->ranks == 0)
        return;
    for (uint32_t rest = g->ranks; rest; rest &= rest - 1) {
        unsigned rank = (unsigned)__builtin_ctz(rest);
        g->is_rounded |= !gcl_region_unite(&sum, &g->unions[rank], &sum);
        gcl_region_finish(&g->unions[rank]);
    }
    g->ranks = 0;
    add(g, &sum, !g->is_rounded);
    gcl_region_finish(&sum);
}

static void add_everywhere(struct gathering *g) {
    struct gcl_span allocation = g->use->allocation;
    struct gcl_region all = gcl_region_run(0, allocation.end - allocation.begin);
    add(g, &all, false);
}

// How many of `count` copies, one `stride` after the other, begin inside of the allocation; the
// others don't matter.
static int64_t copies_inside(int64_t begin, int64_t stride, int64_t count, int64_t size) {
    assert(stride > 0 && count > 0);
    if (begin >= size)
        return count;
    int64_t inside = (size - 1 - begin) / stride + 1;
    return inside < count ? inside : count;
}

// Bytes of data-dependent loops may overlap in so many ways that it takes longer to tell them apart
// than to fetch all that lies between them. Once there are more bytes than any extent has, how many
// doesn't matter.
static bool is_crowded(int64_t length, const struct gcl_level *levels, unsigned dimensions,
                       int64_t *extent) {
    gcl_wide bytes = length;
    *extent = length;
    for (unsigned d = 0; d < dimensions; d++) {
        *extent += levels[d].stride * (levels[d].count - 1);
        if (bytes <= INT64_MAX)
            bytes *= levels[d].count;
    }
    return bytes > *extent;
}

static void add_box(struct gathering *g, const struct gcl_bytes *bytes, int64_t begin) {
    struct gcl_level levels[GCL_VARIABLES];
    struct gcl_region box = {0};
    int64_t size = g->use->allocation.end - g->use->allocation.begin, extent;
    bool exact = bytes->certainty == GCL_CERTAINTY_EXACT;
    for (unsigned d = 0; d < bytes->dimensions; d++) {
        int64_t stride = bytes->stride[d];
        levels[d] = (struct gcl_level){stride, copies_inside(begin, stride, bytes->count[d], size)};
    }
    if (!exact && is_crowded(bytes->length, levels, bytes->dimensions, &extent))
        box = gcl_region_run(begin, begin + extent);
    else
        exact = gcl_region_from_box(begin, bytes->length, levels, bytes->dimensions, &box) && exact;
    if (exact) {
        add_later(g, &box);
        return;
    }
    add(g, &box, false);
    gcl_region_finish(&box);
}

// The allocation is that of the base; of what is touched, if a program's base lies outside, as that
// of an array that counts from 1.
static bool find_allocation(struct gathering *g, const struct gcl_bytes *bytes) {
    struct gcl_span allocation;
    uint64_t first = bytes->everywhere ? g->base : g->base + (uint64_t)bytes->offset;
    const struct gcl_memory *memory = g->memory;
    if (g->use)
        return true;
    if (!memory->find(memory->context, g->base, &allocation) &&
        !memory->find(memory->context, first, &allocation))
        return false;
    g->use = find_use(g, &allocation);
    return g->use != NULL;
}

static double thread_count(const struct gcl_launch_part *launch) {
    double count = 1;
    for (unsigned a = 0; a < 3; a++)
        count *= (double)(launch->end[a] - launch->begin[a]) * launch->geometry.block[a];
    return count;
}

// Exact bytes that aren't in the allocation of their base.

static gcl_wide end_of(const struct gcl_bytes *bytes, uint64_t address) {
    gcl_wide end = (gcl_wide)(int64_t)address + bytes->length;
    for (unsigned d = 0; d < bytes->dimensions; d++)
        end += (gcl_wide)bytes->stride[d] * (bytes->count[d] - 1);
    return end;
}

static bool are_in(const struct gcl_bytes *bytes, uint64_t address,
                   const struct gcl_span *allocation) {
    return (int64_t)address >= allocation->begin && end_of(bytes, address) <= allocation->end;
}

/// Whether an address is in an allocation that isn't the one in use.
static bool leads_away(const struct gathering *g, uint64_t address) {
    struct gcl_span other;
    return g->memory->find(g->memory->context, address, &other) &&
           other.begin != g->use->allocation.begin;
}

static void add_elsewhere(struct gathering *g, const struct gcl_bytes *bytes, uint64_t address,
                          const struct gcl_span *allocation) {
    const size_t own = (size_t)(g->use - g->footprint->uses); // which may move
    struct gcl_level levels[GCL_VARIABLES];
    struct gcl_region box = {0};
    for (unsigned d = 0; d < bytes->dimensions; d++)
        levels[d] = (struct gcl_level){bytes->stride[d], bytes->count[d]};
    bool exact = gcl_region_from_box((int64_t)address - allocation->begin, bytes->length, levels,
                                     bytes->dimensions, &box);
    g->use = find_use(g, allocation);
    if (g->use)
        add(g, &box, exact);
    gcl_region_finish(&box);
    g->use = &g->footprint->uses[own];
}

static unsigned longest_dimension(const struct gcl_bytes *bytes) {
    unsigned longest = 0;
    for (unsigned d = 1; d < bytes->dimensions; d++) {
        if ((gcl_wide)bytes->stride[d] * bytes->count[d] >
            (gcl_wide)bytes->stride[longest] * bytes->count[longest])
            longest = d;
    }
    return longest;
}

// A pointer plus the distance to another allocation leads there. What is in no allocation doesn't
// matter: there is nothing to move. False: after so many cuts it isn't known where all bytes are.
static bool seek(struct gathering *g, struct gcl_bytes bytes, unsigned *cuts) {
    const struct gcl_memory *memory = g->memory;
    uint64_t address = g->base + (uint64_t)bytes.offset;
    struct gcl_span allocation = g->use->allocation;
    bool is_partly = bytes.dimensions == 0 && (int64_t)address < allocation.end &&
                     (int64_t)address + bytes.length > allocation.begin;
    bool is_somewhere = is_partly || memory->find(memory->context, address, &allocation);
    bool is_one = bytes.dimensions == 0 || (is_somewhere && are_in(&bytes, address, &allocation));
    if (is_one && is_somewhere)
        add_elsewhere(g, &bytes, address, &allocation);
    if (is_one || g->failed)
        return true;
    if (++*cuts > MOST_CUTS)
        return false;
    unsigned d = longest_dimension(&bytes);
    struct gcl_bytes halves[2] = {bytes, bytes};
    halves[0].count[d] = bytes.count[d] / 2;
    halves[1].count[d] -= halves[0].count[d];
    halves[1].offset += halves[0].count[d] * bytes.stride[d];
    for (unsigned i = 0; i < 2; i++) {
        if (halves[i].count[d] > 1)
            continue;
        unsigned last = --halves[i].dimensions;
        halves[i].stride[d] = halves[i].stride[last];
        halves[i].count[d] = halves[i].count[last];
    }
    return seek(g, halves[0], cuts) && seek(g, halves[1], cuts);
}

/// Adds exact bytes of which the first or last lie in another allocation than that of their base.
/// False: they don't.
static bool add_away(struct gathering *g, const struct gcl_bytes *bytes) {
    const uint64_t address = g->base + (uint64_t)bytes->offset;
    unsigned cuts = 0;
    if (bytes->everywhere || bytes->certainty != GCL_CERTAINTY_EXACT ||
        are_in(bytes, address, &g->use->allocation))
        return false;
    if (!leads_away(g, address) && !leads_away(g, (uint64_t)end_of(bytes, address) - 1))
        return false;
    g->footprint->outside |= !seek(g, *bytes, &cuts);
    return true;
}

static void gather(void *context, const struct gcl_bytes *bytes) {
    struct gathering *g = context;
    g->footprint->accesses += g->count * (bytes->everywhere ? g->threads : bytes->accesses);
    if (!g->failed && !find_allocation(g, bytes))
        g->footprint->outside = true;
    if (g->failed || !g->use)
        return;
    int64_t begin = (int64_t)g->base - g->use->allocation.begin + bytes->offset;
    if (add_away(g, bytes))
        return;
    if (bytes->everywhere) {
        add_everywhere(g);
    } else if (bytes->dimensions > 0 || bytes->certainty != GCL_CERTAINTY_EXACT) {
        add_box(g, bytes, begin);
    } else {
        assert(g->run_count < BATCH);
        g->runs[g->run_count++] = (struct gcl_span){begin, begin + bytes->length};
        if (g->run_count == BATCH)
            flush_runs(g);
    }
}

// A pointer of which nothing is known.
static void follow_anything(struct gathering *g) {
    const struct gcl_memory *memory = g->memory;
    struct gcl_span allocation;
    g->footprint->exact = false;
    g->footprint->reads_escaped |= !memory->escaped && (g->kinds & READS);
    g->footprint->writes_escaped |= !memory->escaped && (g->kinds & ~(unsigned)READS);
    g->footprint->follows |= memory->escaped != NULL;
    for (size_t i = 0; memory->escaped && memory->escaped(memory->context, i, &allocation); i++) {
        g->use = find_use(g, &allocation);
        if (!g->use)
            return;
        add_everywhere(g);
    }
}

// What was found by going through the threads.
static void gather_inspected(struct gathering *g, const struct gcl_inspection *inspection) {
    g->footprint->inspects = true;
    g->footprint->accesses += g->threads;
    g->footprint->outside |= inspection->outside;
    for (size_t i = 0; i < inspection->count; i++) {
        const struct gcl_inspected_part *part = &inspection->parts[i];
        g->use = find_use(g, &part->allocation);
        if (!g->use)
            continue;
        add(g, &part->bytes, part->exact);
        // Accesses of few boxes each may come to many: fewer do where not each byte counts.
        bool is_vague = g->access->kind == GCL_ACCESS_READ || !part->exact;
        if (is_vague &&
            !gcl_region_simplify(region_for(g, g->access->kind, part->exact), MOST_BOXES))
            g->footprint->exact = false;
    }
}

/// False: that isn't needed, or nothing is found.
static bool inspect(const struct gcl_bytes_source *source, uint16_t access,
                    const struct gcl_launch_part *launch, struct gcl_inspection *inspection) {
    bool is_written = source->program->accesses[access].kind == GCL_ACCESS_WRITE;
    struct gcl_origins origins;
    struct gcl_marked marked;
    if (!gcl_origins_find(source->program, access, &origins))
        return false;
    bool found =
        gcl_inspect_is_needed(source->program, access, launch, source->contents, &origins) &&
        gcl_inspect(&(struct gcl_inspect_input){.program = source->program,
                                                .access = access,
                                                .launch = launch,
                                                .contents = source->contents,
                                                .origins = &origins,
                                                .shares = 1},
                    &marked) == GCL_INSPECTED_FOUND &&
        gcl_marked_tell(&marked, is_written, inspection);
    gcl_origins_finish(&origins);
    return found;
}

// What is reduced needn't be exact: nodes start with the neutral element, whatever lies there. So
// a histogram isn't counted twice.
static void gather_access(struct gathering *g, const struct gcl_bytes_source *source,
                          const struct gcl_launch_part *launch) {
    const struct gcl_program *program = source->program;
    uint16_t index = (uint16_t)(g->access - program->accesses);
    struct gcl_inspection inspection = {.count = 0};
    g->threads = thread_count(launch);
    bool is_plain = g->access->kind == GCL_ACCESS_READ || g->access->kind == GCL_ACCESS_WRITE;
    if (source->inspections && source->inspections[index]) {
        gather_inspected(g, source->inspections[index]);
    } else if (!source->inspections && source->contents && is_plain &&
               inspect(source, index, launch, &inspection)) {
        gather_inspected(g, &inspection);
        gcl_inspection_finish(&inspection);
    } else if (gcl_base_address(program, launch, g->access->base, &g->base)) {
        source->each(source->context, index, gather, g);
        flush(g);
    } else {
        follow_anything(g);
    }
}

/// Accesses [begin, end) of a program; `changes`: only those that change memory.
struct accesses {
    uint16_t begin, end;
    bool changes;
};

// Begins with access `index` of a program, and those that are alike. False: they are none of
// `accesses`, or another one's.
static bool start(struct gathering *g, const struct gcl_bytes_source *source,
                  const struct accesses *accesses, uint16_t index) {
    const struct gcl_program *program = source->program;
    const bool are_all = accesses->end - accesses->begin == program->access_count;
    g->access = &program->accesses[index];
    g->kinds = 1u << g->access->kind;
    g->count = 1;
    if (source->alike && are_all) {
        if (source->alike[index].first != index)
            return false;
        g->kinds = source->alike[index].kinds;
        g->count = source->alike[index].count;
    }
    g->kinds &= accesses->changes ? ~(unsigned)READS : ~0u;
    return g->kinds != 0;
}

static void clear(struct gathering *g, struct gcl_footprint *footprint,
                  const struct gcl_memory *memory) {
    g->footprint = footprint;
    g->memory = memory;
    g->use = NULL;
    g->run_count = 0;
    g->ranks = 0;
    g->is_rounded = g->failed = false;
}

static bool gather_all(const struct gcl_bytes_source *source, const struct gcl_launch_part *launch,
                       const struct gcl_memory *memory, struct accesses accesses,
                       struct gcl_footprint *footprint) {
    assert(accesses.begin <= accesses.end && accesses.end <= source->program->access_count);
    *footprint = (struct gcl_footprint){.exact = true};
    for (uint16_t a = accesses.begin; a < accesses.end; a++) {
        struct gathering g; // mostly room
        if (!start(&g, source, &accesses, a))
            continue;
        clear(&g, footprint, memory);
        gather_access(&g, source, launch);
        if (g.failed) {
            gcl_footprint_finish(footprint);
            return false;
        }
    }
    return true;
}

bool gcl_footprint_gather(const struct gcl_bytes_source *source,
                          const struct gcl_launch_part *launch, const struct gcl_memory *memory,
                          struct gcl_footprint *footprint) {
    const struct accesses all = {.end = source->program->access_count};
    return gather_all(source, launch, memory, all, footprint);
}

// Evaluating.

struct evaluation {
    struct gcl_evaluator *evaluator;
    const struct gcl_launch_part *launch;
    const struct gcl_shares *shares; ///< NULL: nothing is known of the whole launch
};

static void evaluate(void *context, uint16_t access, gcl_bytes_visit *visit, void *visitor) {
    const struct evaluation *e = context;
    if (e->shares && gcl_shares_are_exact(e->shares, access))
        gcl_shares_visit_part(e->shares, access, e->launch, visit, visitor);
    else
        gcl_evaluate(e->evaluator, access, e->launch, visit, visitor);
}

/// Finds what `launch` changes, without looking into memory. False: no memory; the footprint is
/// empty then.
static bool find_changes(struct gcl_evaluator *evaluator, const struct gcl_launch_part *launch,
                         const struct gcl_memory *memory, struct gcl_footprint *footprint) {
    struct evaluation context = {evaluator, launch, NULL};
    const struct gcl_bytes_source source = {
        .program = gcl_evaluator_program(evaluator), .each = evaluate, .context = &context};
    const struct accesses changes = {.end = source.program->access_count, .changes = true};
    return gather_all(&source, launch, memory, changes, footprint);
}

bool gcl_footprint_looks_up(const struct gcl_program *program) {
    for (uint16_t i = 0; i < program->node_count; i++) {
        if (program->nodes[i].kind == GCL_NODE_LOAD)
            return true;
    }
    for (uint16_t i = 0; i < program->base_count; i++) {
        if (program->bases[i].kind == GCL_BASE_LOADED)
            return true;
    }
    return false;
}

/// Adds to contents what a launch may change.
static bool tell_changes(const struct gcl_footprint *changes, struct gcl_contents *contents) {
    bool ok = true;
    for (size_t i = 0; i < changes->count; i++) {
        const struct gcl_allocation_use *use = &changes->uses[i];
        const struct gcl_region *regions[] = {&use->written, &use->touched, &use->reduced,
                                              &use->claimed};
        for (unsigned r = 0; r < 4 && ok; r++)
            ok = gcl_contents_change(contents, &use->allocation, regions[r]);
    }
    contents->may_read = !changes->writes_escaped;
    return ok;
}

bool gcl_footprint_open_contents(struct gcl_evaluator *evaluator,
                                 const struct gcl_launch_part *launch,
                                 const struct gcl_memory *memory, struct gcl_contents *contents) {
    struct gcl_launch_part whole = *launch;
    struct gcl_footprint changes;
    *contents = (struct gcl_contents){.memory = memory};
    if (!memory->contents || !gcl_footprint_looks_up(gcl_evaluator_program(evaluator)))
        return true;
    memset(whole.begin, 0, sizeof whole.begin);
    memcpy(whole.end, whole.geometry.grid, sizeof whole.end);
    bool ok = find_changes(evaluator, &whole, memory, &changes) && tell_changes(&changes, contents);
    gcl_footprint_finish(&changes);
    if (!ok)
        gcl_contents_finish(contents);
    return ok;
}

static bool keep_readings(const struct gcl_contents *contents, struct gcl_footprint *footprint) {
    assert(!footprint->readings && footprint->reading_count == 0);
    if (contents->count == 0)
        return true;
    footprint->readings = malloc(contents->count * sizeof *footprint->readings);
    for (size_t i = 0; i < contents->count && footprint->readings; i++) {
        if (contents->list[i].bytes)
            footprint->readings[footprint->reading_count++] =
                (struct gcl_reading){contents->list[i].allocation, contents->list[i].version};
    }
    return footprint->readings != NULL;
}

/// Steps that it takes to unite what a footprint was put together from, and to compare it with
/// others.
static int64_t steps_of(const struct gcl_footprint *footprint) {
    size_t weight = 0;
    for (size_t i = 0; i < footprint->count; i++) {
        const struct gcl_allocation_use *use = &footprint->uses[i];
        weight += gcl_region_weight(&use->read) + gcl_region_weight(&use->written) +
                  gcl_region_weight(&use->touched) + gcl_region_weight(&use->reduced) +
                  gcl_region_weight(&use->claimed);
    }
    return (int64_t)weight;
}

static bool find_footprint(struct gcl_evaluator *evaluator, struct accesses accesses,
                           const struct gcl_launch_part *launch,
                           const struct gcl_footprint_known *known,
                           struct gcl_footprint *footprint) {
    struct evaluation context = {evaluator, launch, known->shares};
    struct gcl_contents *contents = known->contents->may_read ? known->contents : NULL;
    const struct gcl_bytes_source source = {.program = gcl_evaluator_program(evaluator),
                                            .each = evaluate,
                                            .context = &context,
                                            .contents = contents,
                                            .inspections = known->inspections,
                                            .alike = known->shares ? known->shares->alike : NULL};
    gcl_evaluator_begin(evaluator, contents);
    bool ok = gather_all(&source, launch, known->contents->memory, accesses, footprint);
    gcl_evaluator_end(evaluator);
    gcl_evaluator_spend(evaluator, steps_of(footprint));
    if (ok && !keep_readings(known->contents, footprint)) {
        gcl_footprint_finish(footprint);
        ok = false;
    }
    return ok;
}

bool gcl_footprint_find_known(struct gcl_evaluator *evaluator, const struct gcl_launch_part *launch,
                              const struct gcl_footprint_known *known,
                              struct gcl_footprint *footprint) {
    const struct accesses all = {.end = gcl_evaluator_program(evaluator)->access_count};
    return find_footprint(evaluator, all, launch, known, footprint);
}

bool gcl_footprint_find_access(struct gcl_evaluator *evaluator, uint16_t access,
                               const struct gcl_launch_part *launch,
                               const struct gcl_footprint_known *known,
                               struct gcl_footprint *footprint) {
    const struct accesses one = {.begin = access, .end = (uint16_t)(access + 1)};
    return find_footprint(evaluator, one, launch, known, footprint);
}

bool gcl_footprint_find(struct gcl_evaluator *evaluator, const struct gcl_launch_part *launch,
                        const struct gcl_memory *memory, struct gcl_footprint *footprint) {
    struct gcl_contents contents;
    const struct gcl_footprint_known known = {.contents = &contents};
    *footprint = (struct gcl_footprint){0};
    if (!gcl_footprint_open_contents(evaluator, launch, memory, &contents))
        return false;
    bool ok = gcl_footprint_find_known(evaluator, launch, &known, footprint);
    gcl_contents_finish(&contents);
    return ok;
}

void gcl_footprint_finish(struct gcl_footprint *f) {
    for (size_t i = 0; i < f->count; i++) {
        gcl_region_finish(&f->uses[i].read);
        gcl_region_finish(&f->uses[i].written);
        gcl_region_finish(&f->uses[i].touched);
        gcl_region_finish(&f->uses[i].reduced);
        gcl_region_finish(&f->uses[i].claimed);
        for (unsigned k = 0; f->uses[i].values && k < GCL_VALUE_SIZES; k++)
            gcl_region_finish(&f->uses[i].values[k]);
        free(f->uses[i].values);
    }
    free(f->uses);
    free(f->readings);
    *f = (struct gcl_footprint){0};
}
