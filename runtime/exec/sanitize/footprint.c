// The footprint of the running block, or of all blocks that are like one. It is that of the block
// before where both touch the same, only elsewhere: then the regions stay, and what they count from
// is another address, one for each allocation.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/name.h"
#include "exec/memory/space.h"
#include "exec/sanitize/state.h"

// Blocks to evaluate at once: the first time, how many times as many next time where they have few
// shares of their own, and by how much fewer where they have many.
enum { FIRST = 64, GROWTH = 64, SHRINKAGE = 8, FEW_SHARES = 64, MANY_SHARES = 512 };

static const int64_t UNKNOWN = INT64_MIN; // no origin

struct gcl_launch_part gcl_sanitize_part(const struct gcl_sanitizer *s,
                                         const struct gcl_sanitize_blocks *blocks) {
    const struct gcl_block_launch *l = s->launch;
    struct gcl_launch_part launch = {.arguments = l->arguments};
    launch.geometry = l->geometry;
    memcpy(launch.begin, blocks->begin, sizeof launch.begin);
    memcpy(launch.end, blocks->end, sizeof launch.end);
    return launch;
}

// Memory.

static bool find_allocation(void *context, uint64_t address, struct gcl_span *allocation) {
    const struct gcl_shadow_extent *extent = gcl_sanitize_find(context, address);
    if (extent)
        *allocation = (struct gcl_span){(int64_t)extent->begin, (int64_t)extent->end};
    return extent != NULL;
}

static bool escaped_at(void *context, size_t index, struct gcl_span *allocation) {
    const struct gcl_sanitizer *s = context;
    if (index >= s->footprint.escaped_count)
        return false;
    const struct gcl_allocation *a = &s->footprint.escaped[index];
    *allocation = (struct gcl_span){(int64_t)a->begin, (int64_t)(a->begin + a->size)};
    return true;
}

// Kernels run on this machine, and nobody else may change what they read.
static const unsigned char *contents_of(void *context, const struct gcl_span *allocation,
                                        struct gcl_span *run, uint64_t *version) {
    (void)context;
    *run = (struct gcl_span){0, allocation->end - allocation->begin};
    *version = 0;
    return (const unsigned char *)(uintptr_t)allocation->begin;
}

// False: no memory.
static bool find_escaped(struct gcl_sanitizer *s) {
    struct gcl_sanitize_footprint *f = &s->footprint;
    size_t room = gcl_space_escaped(s->space, NULL, 0);
    f->escaped = malloc((room + 1) * sizeof *f->escaped);
    if (!f->escaped)
        return false;
    size_t count = gcl_space_escaped(s->space, f->escaped, room);
    f->escaped_count = count < room ? count : room;
    return true;
}

static bool begin_contents(struct gcl_sanitizer *s) {
    struct gcl_sanitize_footprint *f = &s->footprint;
    const struct gcl_sanitize_blocks none = {.count = 0};
    const struct gcl_launch_part launch = gcl_sanitize_part(s, &none);
    f->memory = (struct gcl_memory){
        .find = find_allocation, .escaped = escaped_at, .contents = contents_of, .context = s};
    if (!gcl_footprint_open_contents(s->evaluator, &launch, &f->memory, &f->contents))
        return false;
    gcl_evaluator_inspect(s->evaluator, f->contents.may_read ? &f->contents : NULL);
    return true;
}

// Launches.

bool gcl_sanitize_begin_footprints(struct gcl_sanitizer *s) {
    const struct gcl_program *program = s->launch->kernel->program;
    assert(program && !s->evaluator);
    struct gcl_sanitize_footprint *f = &s->footprint;
    const size_t count = program->access_count + 1u;
    *f = (struct gcl_sanitize_footprint){.step = FIRST, .most = UINT64_MAX};
    s->evaluator = gcl_evaluator_create(program);
    f->moves = calloc(count, sizeof *f->moves);
    f->uses = calloc(count, sizeof *f->uses);
    if (s->evaluator && f->moves && f->uses && find_escaped(s) && begin_contents(s))
        return true;
    gcl_sanitize_end_footprints(s);
    return false;
}

void gcl_sanitize_end_footprints(struct gcl_sanitizer *s) {
    struct gcl_sanitize_footprint *f = &s->footprint;
    char name[128];
    if (f->inspects)
        gcl_log(GCL_LOG_DEBUG, "kernel %s: places were looked up in memory",
                gcl_name_demangle(s->launch->kernel->name, name, sizeof name));
    gcl_evaluator_destroy(s->evaluator);
    s->evaluator = NULL;
    gcl_shares_finish(&f->shares);
    gcl_footprint_finish(&f->regions);
    gcl_contents_finish(&f->contents);
    free(f->escaped);
    free(f->moves);
    free(f->uses);
    free(f->origins);
    *f = (struct gcl_sanitize_footprint){0};
}

static void do_without(struct gcl_sanitizer *s) {
    gcl_log(GCL_LOG_WARN, "no memory for footprints: accesses aren't checked");
    gcl_sanitize_end_footprints(s);
}

static const uint32_t *block_of(const struct gcl_sanitizer *s) {
    return s->is_whole ? NULL : s->blocks.begin;
}

// Groups.

static void evaluate(struct gcl_sanitizer *s, uint64_t first, uint64_t count) {
    struct gcl_sanitize_footprint *f = &s->footprint;
    f->group = gcl_sanitize_cut(s->launch->geometry.grid, first, count);
    const struct gcl_launch_part launch = gcl_sanitize_part(s, &f->group);
    if (s->evaluator && !gcl_shares_find(s->evaluator, &launch, &f->shares))
        do_without(s);
}

// Fewer blocks than last time if those were too many for an evaluation, and all that are left if
// one is as well.
uint64_t gcl_sanitize_take_group(struct gcl_sanitizer *s, uint64_t first) {
    struct gcl_sanitize_footprint *f = &s->footprint;
    evaluate(s, first, s->is_whole ? UINT64_MAX : f->step);
    while (f->shares.gave_up && f->group.count > 1 && !s->is_whole) {
        f->step = f->most = (f->group.count + SHRINKAGE - 1) / SHRINKAGE;
        evaluate(s, first, f->step);
    }
    if (f->shares.gave_up)
        evaluate(s, first, UINT64_MAX);
    if (f->shares.own.count > MANY_SHARES)
        f->step = (f->group.count + SHRINKAGE - 1) / SHRINKAGE;
    else if (f->shares.own.count <= FEW_SHARES)
        f->step = f->most / GROWTH < f->step ? f->most : GROWTH * f->step;
    f->leads = false;
    if (!s->evaluator)
        f->group = gcl_sanitize_cut(s->launch->geometry.grid, first, UINT64_MAX);
    assert(f->group.count > 0);
    return f->group.count;
}

// Blocks.

static struct gcl_allocation_use *find_use(const struct gcl_sanitizer *s, uint64_t allocation) {
    const struct gcl_footprint *regions = &s->footprint.regions;
    for (size_t i = 0; i < regions->count; i++) {
        if ((uint64_t)regions->uses[i].allocation.begin == allocation)
            return &regions->uses[i];
    }
    return NULL;
}

// Whether all bytes of an access lie in the allocation of its base, so that none is cut off.
static bool is_inside(struct gcl_sanitizer *s, uint16_t access,
                      const struct gcl_allocation_use *use) {
    const struct gcl_program *program = s->launch->kernel->program;
    const struct gcl_share_move *move = &s->footprint.moves[access];
    uint64_t base = gcl_sanitize_base(s, &program->bases[program->accesses[access].base]);
    int64_t begin = use->allocation.begin - (int64_t)base;
    int64_t end = use->allocation.end - (int64_t)base;
    return move->bytes.begin == move->bytes.end ||
           (move->bytes.begin >= begin && move->bytes.end <= end);
}

// The use to which an access belongs; NULL if it touches nothing, or that isn't known.
static struct gcl_allocation_use *use_of(struct gcl_sanitizer *s, uint16_t access) {
    const struct gcl_program *program = s->launch->kernel->program;
    uint64_t base = gcl_sanitize_base(s, &program->bases[program->accesses[access].base]);
    const struct gcl_shadow_extent *extent = base ? gcl_sanitize_find(s, base) : NULL;
    return extent && s->footprint.moves[access].pieces > 0 ? find_use(s, extent->begin) : NULL;
}

static bool reserve_origins(struct gcl_sanitize_footprint *f) {
    if (f->regions.count <= f->origin_room)
        return true;
    int64_t *origins = realloc(f->origins, f->regions.count * sizeof *origins);
    if (!origins)
        return false;
    f->origins = origins;
    f->origin_room = f->regions.count;
    return true;
}

// Puts the regions of the block together. Others may take them over if each access belongs to one
// use.
static void lead(struct gcl_sanitizer *s) {
    struct gcl_sanitize_footprint *f = &s->footprint;
    gcl_footprint_finish(&f->regions);
    if (!gcl_shares_footprint(&f->shares, block_of(s), &f->memory, &f->regions) ||
        !reserve_origins(f)) {
        do_without(s);
        return;
    }
    gcl_shares_lead(&f->shares);
    f->inspects |= f->regions.inspects;
    // What comes from memory moves in other ways, or not at all.
    f->leads = !f->regions.inspects && !f->regions.follows;
    for (uint16_t a = 0; a < s->launch->kernel->program->access_count; a++) {
        f->uses[a] = use_of(s, a);
        f->leads =
            f->leads && (f->moves[a].pieces == 0 || (f->uses[a] && is_inside(s, a, f->uses[a])));
    }
    for (size_t i = 0; i < f->regions.count; i++)
        f->origins[i] = f->regions.uses[i].allocation.begin;
}

// Lets the leader's regions count from where the block's do. False: the block's regions aren't the
// leader's, moved.
static bool follow(struct gcl_sanitizer *s) {
    struct gcl_sanitize_footprint *f = &s->footprint;
    bool follows = gcl_shares_follow(&f->shares, block_of(s), f->moves) && f->leads;
    for (size_t i = 0; i < f->regions.count; i++)
        f->origins[i] = UNKNOWN;
    for (uint16_t a = 0; follows && a < s->launch->kernel->program->access_count; a++) {
        if (f->moves[a].pieces == 0)
            continue;
        assert(f->uses[a]); // as for the leader
        int64_t *origin = &f->origins[f->uses[a] - f->regions.uses];
        int64_t moved = f->uses[a]->allocation.begin + f->moves[a].shift;
        follows = (*origin == UNKNOWN || *origin == moved) && is_inside(s, a, f->uses[a]);
        *origin = moved;
    }
    return follows;
}

void gcl_sanitize_find_footprint(struct gcl_sanitizer *s) {
    if (s->evaluator && !follow(s))
        lead(s);
}

// Asking.

// Whether a pragma says that all changes of an allocation come to a reduction, whatever they look
// like.
static bool is_said_reduced(const struct gcl_sanitizer *s, const struct gcl_span *allocation) {
    const struct gcl_program *program = s->launch->kernel->program;
    for (uint16_t i = 0; i < program->base_count; i++) {
        uint64_t address = gcl_sanitize_base(s, &program->bases[i]);
        if ((program->bases[i].flags & GCL_BASE_REDUCED) &&
            address >= (uint64_t)allocation->begin && address < (uint64_t)allocation->end)
            return true;
    }
    return false;
}

static unsigned regions_of(const struct gcl_allocation_use *use, enum gcl_access_kind kind,
                           const struct gcl_region *regions[GCL_SANITIZE_REGIONS]) {
    switch (kind) {
    case GCL_ACCESS_READ:
        regions[0] = &use->read;
        return 1;
    case GCL_ACCESS_WRITE:
        regions[0] = &use->written;
        regions[1] = &use->touched;
        return 2;
    case GCL_ACCESS_REDUCE:
        regions[0] = &use->reduced;
        regions[1] = &use->claimed;
        return 2;
    case GCL_ACCESS_ATOMIC:
        regions[0] = &use->claimed;
        return 1;
    }
    return 0;
}

struct gcl_sanitize_regions gcl_sanitize_regions_of(const struct gcl_sanitizer *s,
                                                    const struct gcl_site *site,
                                                    uint64_t allocation) {
    struct gcl_sanitize_regions found = {.count = 0};
    const struct gcl_allocation_use *use = find_use(s, allocation);
    if (!use)
        return found;
    found.origin = s->footprint.origins[use - s->footprint.regions.uses];
    found.count = regions_of(use, (enum gcl_access_kind)site->kind, found.regions);
    assert(found.count < GCL_SANITIZE_REGIONS);
    if (site->kind != GCL_ACCESS_REDUCE && is_said_reduced(s, &use->allocation))
        found.regions[found.count++] = &use->reduced;
    return found;
}
