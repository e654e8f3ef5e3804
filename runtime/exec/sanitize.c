#include "exec/sanitize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/name.h"
#include "exec/sanitize_state.h"
#include "exec/space.h"
#include "gcluster/reasons.h"

// Accesses of threads that take as long as finding what one access of a program touches, about.
enum { WORTH = 2048 };
// What takes so long for one group isn't worth it for many.
#define SLOW_NS 2000000u

struct gcl_sanitizer gcl_sanitizer = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Groups.

static uint64_t minimum(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

// Up to `count` blocks from number `first` on: part of a row of the grid, or whole rows of a plane,
// or whole planes.
static struct gcl_sanitize_group cut_group(const uint32_t grid[3], uint64_t first, uint64_t count) {
    struct gcl_sanitize_group g = {.first = first, .count = 1};
    uint64_t at[3] = {first % grid[0], first / grid[0] % grid[1], first / grid[0] / grid[1]};
    bool is_free = true; // all axes before have their whole length
    for (unsigned a = 0; a < 3; a++) {
        uint64_t length = is_free ? minimum(grid[a] - at[a], count / g.count) : 1;
        g.begin[a] = (uint32_t)at[a];
        g.end[a] = (uint32_t)(at[a] + length);
        g.count *= length;
        is_free = is_free && length == grid[a];
    }
    return g;
}

static bool find_allocation(void *context, uint64_t address, struct gcl_span *allocation) {
    const struct gcl_shadow_extent *extent = gcl_sanitize_find(context, address);
    if (extent)
        *allocation = (struct gcl_span){(int64_t)extent->begin, (int64_t)extent->end};
    return extent != NULL;
}

// Kernels run on this machine, and no other one meanwhile that has the sanitizer.
static const unsigned char *contents_of(void *context, const struct gcl_span *allocation,
                                        uint64_t *version) {
    (void)context;
    *version = 0;
    return (const unsigned char *)(uintptr_t)allocation->begin;
}

static bool escaped_at(void *context, size_t index, struct gcl_span *allocation) {
    const struct gcl_sanitizer *s = context;
    if (index >= s->escaped_count)
        return false;
    const struct gcl_allocation *a = &s->escaped[index];
    *allocation = (struct gcl_span){(int64_t)a->begin, (int64_t)(a->begin + a->size)};
    return true;
}

struct gcl_launch_part gcl_sanitize_launch_of(const struct gcl_sanitizer *s) {
    const struct gcl_block_launch *l = s->launch;
    struct gcl_launch_part launch = {.arguments = l->arguments};
    memcpy(launch.block_size, l->block_size, sizeof launch.block_size);
    memcpy(launch.grid_size, l->grid_size, sizeof launch.grid_size);
    memcpy(launch.begin, s->group.begin, sizeof launch.begin);
    memcpy(launch.end, s->group.end, sizeof launch.end);
    return launch;
}

static bool find_footprint(struct gcl_sanitizer *s) {
    const struct gcl_launch_part launch = gcl_sanitize_launch_of(s);
    const struct gcl_memory memory = {
        .find = find_allocation, .escaped = escaped_at, .contents = contents_of, .context = s};
    return gcl_footprint_find(s->evaluator, &launch, &memory, &s->footprint);
}

static void open_group(struct gcl_sanitizer *s, uint64_t first, uint64_t count) {
    s->group = cut_group(s->launch->grid_size, first, count);
    s->group_number++;
    if (!s->evaluator || find_footprint(s))
        return;
    gcl_log(GCL_LOG_WARN, "no memory for footprints: accesses aren't checked");
    gcl_evaluator_destroy(s->evaluator);
    s->evaluator = NULL;
}

// What may change.

bool gcl_sanitize_may_change(const struct gcl_sanitizer *s,
                             const struct gcl_shadow_extent *extent) {
    if (s->may_change_all)
        return true;
    for (size_t i = 0; i < s->changed_count; i++) {
        if (s->changed[i].begin == (int64_t)extent->begin)
            return true;
    }
    return false;
}

uint64_t gcl_sanitize_base(const struct gcl_sanitizer *s, const struct gcl_base *base) {
    uint64_t address = 0;
    if (base->kind == GCL_BASE_ARGUMENT)
        memcpy(&address, s->launch->arguments + base->index, sizeof address);
    else if (base->kind == GCL_BASE_VARIABLE)
        address = (uintptr_t)*s->launch->kernel->program->variables[base->index];
    return address;
}

// Whether it is known into which allocation an access goes, as footprint.c sees it.
static bool find_base(struct gcl_sanitizer *s, const struct gcl_base *base,
                      struct gcl_span *allocation) {
    uint64_t address = gcl_sanitize_base(s, base);
    return address && find_allocation(s, address, allocation);
}

static void find_changed(struct gcl_sanitizer *s) {
    const struct gcl_program *program = s->launch->kernel->program;
    s->changed_count = 0;
    s->may_change_all = !s->evaluator;
    if (s->may_change_all)
        return;
    s->changed = calloc(program->access_count + 1u, sizeof *s->changed);
    for (uint16_t a = 0; a < program->access_count && !s->may_change_all; a++) {
        const struct gcl_access *access = &program->accesses[a];
        if (access->kind == GCL_ACCESS_READ)
            continue;
        s->may_change_all = !s->changed || !find_base(s, &program->bases[access->base],
                                                      &s->changed[s->changed_count++]);
    }
}

// What has to be written.

static bool is_written(const struct gcl_sanitizer *s, const struct gcl_shadow_extent *extent,
                       struct gcl_span *run) {
    uint64_t from = gcl_mark_who(s->first) + (s->is_whole ? 0 : s->group.first);
    uint64_t at = extent->begin + (uint64_t)run->begin, end = extent->begin + (uint64_t)run->end;
    for (uint64_t next; at < end; at = next) {
        uint64_t granule = at / GCL_GRANULE * GCL_GRANULE;
        next = minimum(granule + GCL_GRANULE, end);
        uint32_t bytes = ((1u << (next - at)) - 1) << (at - granule);
        gcl_mark word = extent->words[granule / GCL_GRANULE - extent->begin / GCL_GRANULE];
        if (gcl_mark_tells_write(word, from))
            continue;
        if (!gcl_shadow_is_written(&s->shadow, word, bytes, from)) {
            *run =
                (struct gcl_span){(int64_t)(at - extent->begin), (int64_t)(next - extent->begin)};
            return false;
        }
    }
    return true;
}

static void check_written(struct gcl_sanitizer *s, const struct gcl_use *use) {
    struct gcl_region_cursor cursor = {.region = &use->written};
    const struct gcl_shadow_extent *extent =
        gcl_shadow_find(&s->shadow, (uint64_t)use->allocation.begin);
    struct gcl_span run;
    while (extent && extent->words && gcl_region_next(&cursor, &run)) {
        if (!is_written(s, extent, &run)) {
            gcl_sanitize_report_unwritten(s, use, run);
            return;
        }
    }
}

static void close_group(struct gcl_sanitizer *s, bool is_complete) {
    for (size_t i = 0; i < s->footprint.count && is_complete; i++)
        check_written(s, &s->footprint.uses[i]);
    gcl_sanitize_close_sites(s);
    gcl_footprint_finish(&s->footprint);
}

// Launches.

// Kernels whose blocks wait for each other, or order what they do by fences, may well share memory:
// they run on one node.
static bool synchronises(const struct gcl_program *program) {
    for (uint16_t i = 0; program && i < program->reason_count; i++) {
        uint16_t code = program->reasons[i].code;
        if (code == GCL_REASON_WAITS || code == GCL_REASON_FENCE || code == GCL_REASON_GRID_BARRIER)
            return true;
    }
    return false;
}

// False: no memory.
static bool find_escaped(struct gcl_sanitizer *s) {
    s->escaped_count = gcl_space_escaped(s->space, NULL, 0);
    s->escaped = malloc((s->escaped_count + 1) * sizeof *s->escaped);
    size_t room = s->escaped_count;
    if (s->escaped)
        s->escaped_count = gcl_space_escaped(s->space, s->escaped, room);
    s->escaped_count = s->escaped_count < room ? s->escaped_count : room;
    return s->escaped != NULL;
}

static void begin_launch(struct gcl_sanitizer *s, const struct gcl_sanitize_launch *run) {
    const struct gcl_program *program = run->launch->kernel->program;
    s->launch = run->launch;
    s->space = run->space;
    s->is_whole = run->is_cooperative || run->block_count >= UINT32_MAX - 1;
    s->may_synchronise = s->is_whole || synchronises(program);
    gcl_shadow_start(&s->shadow, s->is_whole ? 1 : run->block_count);
    s->first = gcl_mark_make(s->shadow.first, 0, 0) >> 32 << 32;
    s->evaluator = program && find_escaped(s) ? gcl_evaluator_create(program) : NULL;
    find_changed(s);
}

static bool is_faulty(const struct gcl_sanitize_launch *run) {
    return atomic_load(&run->launch->fault->kind) != GCL_FAULT_NONE;
}

static void run_group(struct gcl_sanitizer *s, const struct gcl_sanitize_launch *run,
                      struct gcl_block_pool *pool) {
    s->who = s->first;
    if (run->is_cooperative)
        gcl_block_run_cooperative(pool, run->launch);
    for (uint64_t i = 0; i < s->group.count && !run->is_cooperative && !is_faulty(run); i++) {
        uint64_t number = s->group.first + i;
        if (!s->is_whole)
            s->who = s->first + (number << 32);
        gcl_block_run(pool, run->launch, number, number + 1);
        gcl_sanitize_settle(s);
    }
}

// What a group took.
struct effort {
    uint64_t accesses;
    uint64_t find_ns, run_ns;
};

static bool is_slow(const struct gcl_sanitizer *s, const struct effort *effort) {
    char name[128];
    if (effort->find_ns <= SLOW_NS)
        return false;
    gcl_log(GCL_LOG_DEBUG, "kernel %s: finding the footprint of %llu blocks took %.1f ms",
            gcl_name_demangle(s->launch->kernel->name, name, sizeof name),
            (unsigned long long)s->group.count, (double)effort->find_ns / 1e6);
    return effort->find_ns > effort->run_ns;
}

// How many blocks to put together next.
static uint64_t adapt(const struct gcl_sanitizer *s, uint64_t count, const struct effort *effort) {
    uint64_t enough = s->evaluator ? (uint64_t)WORTH * s->launch->kernel->program->access_count : 0;
    if (s->evaluator && is_slow(s, effort))
        return count < UINT32_MAX ? 16 * count : count; // it takes as long for many
    if (!s->evaluator || effort->accesses < enough)
        return count < UINT32_MAX ? 2 * count : count;
    return effort->accesses > 4 * enough && count > 1 ? count / 2 : count;
}

static void run_groups(struct gcl_sanitizer *s, const struct gcl_sanitize_launch *run,
                       struct gcl_block_pool *pool) {
    uint64_t count = s->is_whole ? run->block_count : 1;
    for (uint64_t done = 0; done < run->block_count && !is_faulty(run); done += s->group.count) {
        uint64_t begin_ns = gcl_clock_ns(), before = s->access_count;
        open_group(s, done, count);
        uint64_t middle_ns = gcl_clock_ns();
        run_group(s, run, pool);
        close_group(s, !is_faulty(run));
        const struct effort effort = {s->access_count - before, middle_ns - begin_ns,
                                      gcl_clock_ns() - middle_ns};
        count = s->is_whole ? run->block_count : adapt(s, count, &effort);
    }
}

static bool is_violated(const struct gcl_sanitizer *s) {
    return gcl_findings_have_kind(&s->findings, GCL_FINDING_FOOTPRINT) ||
           gcl_findings_have_kind(&s->findings, GCL_FINDING_UNWRITTEN);
}

void gcl_sanitize_run(const struct gcl_sanitize_launch *run, struct gcl_block_pool *pool) {
    struct gcl_sanitizer *s = &gcl_sanitizer;
    pthread_mutex_lock(&s->lock);
    begin_launch(s, run);
    run_groups(s, run, pool);
    gcl_evaluator_destroy(s->evaluator);
    free(s->changed);
    free(s->escaped);
    s->evaluator = NULL;
    s->escaped = NULL;
    s->changed = NULL;
    if (is_violated(s)) {
        gcl_findings_close(&s->findings);
        fflush(NULL);
        _exit(GCL_FINDINGS_STATUS);
    }
    pthread_mutex_unlock(&s->lock);
}

int gcl_sanitize_end(void) {
    struct gcl_sanitizer *s = &gcl_sanitizer;
    gcl_findings_close(&s->findings);
    bool has_failed = gcl_findings_have_kind(&s->findings, GCL_FINDING_RACE) ||
                      gcl_findings_have_kind(&s->findings, GCL_FINDING_BOUNDS);
    gcl_findings_finish(&s->findings);
    gcl_shadow_finish(&s->shadow);
    free(s->sites);
    s->sites = NULL;
    s->site_count = 0;
    return has_failed ? GCL_FINDINGS_STATUS : 0;
}
