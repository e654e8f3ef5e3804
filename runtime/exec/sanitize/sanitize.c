// Launches run one at a time, on the thread that has their only unit: blocks are cut into groups
// whose footprints are evaluated at once, and run one after the other. What is found is counted, so
// that the process's exit status can tell of it.
#include "exec/sanitize/sanitize.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "exec/memory/space.h"
#include "exec/sanitize/state.h"
#include "gcluster/reasons.h"

struct gcl_sanitizer gcl_sanitizer = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Blocks.

static uint64_t minimum(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

struct gcl_sanitize_blocks gcl_sanitize_cut(const uint32_t grid[3], uint64_t first,
                                            uint64_t count) {
    assert(grid[0] > 0 && grid[1] > 0 && grid[2] > 0);
    struct gcl_sanitize_blocks g = {.first = first, .count = 1};
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

// Whether one can tell into which allocation an access goes, as footprint.c sees it.
static bool find_base(struct gcl_sanitizer *s, const struct gcl_base *base,
                      struct gcl_span *allocation) {
    uint64_t address = gcl_sanitize_base(s, base);
    const struct gcl_shadow_extent *extent = address ? gcl_sanitize_find(s, address) : NULL;
    if (extent)
        *allocation = (struct gcl_span){(int64_t)extent->begin, (int64_t)extent->end};
    return extent != NULL;
}

static void find_changed(struct gcl_sanitizer *s) {
    const struct gcl_program *program = s->launch->kernel->program;
    s->changed_count = 0;
    s->may_change_all = !program || (!s->evaluator && (s->checks & GCL_KERNEL_FOOTPRINT));
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

// How many of `count` words tell at first sight that their granules are written.
static size_t count_written(const gcl_mark *words, size_t count, uint64_t from) {
    size_t i = 0;
    while (i < count && gcl_mark_tells_write(words[i], from))
        i++;
    return i;
}

// Whether all of [at, end), addresses, is written; if not, `*end` is where the first bytes end that
// aren't, and `*at` where they begin.
static bool is_written(const struct gcl_sanitizer *s, const struct gcl_shadow_extent *extent,
                       uint64_t *at, uint64_t *end) {
    assert(extent->words);
    uint64_t from = gcl_mark_who(s->who);
    for (uint64_t next; *at < *end; *at = next) {
        uint64_t granule = *at / GCL_GRANULE * GCL_GRANULE;
        const gcl_mark *words = &extent->words[granule / GCL_GRANULE - extent->begin / GCL_GRANULE];
        size_t sure = count_written(words, (*end - granule + GCL_GRANULE - 1) / GCL_GRANULE, from);
        next = minimum(granule + (sure > 0 ? sure : 1) * GCL_GRANULE, *end);
        uint32_t bytes = ((1u << (minimum(granule + GCL_GRANULE, *end) - *at)) - 1)
                         << (*at - granule);
        if (sure == 0 && !gcl_shadow_is_written(&s->shadow, *words, bytes, from)) {
            *end = next;
            return false;
        }
    }
    return true;
}

static void check_written(struct gcl_sanitizer *s, size_t i) {
    assert(i < s->footprint.regions.count);
    const struct gcl_allocation_use *use = &s->footprint.regions.uses[i];
    struct gcl_region_cursor cursor = {.region = &use->written};
    const struct gcl_shadow_extent *extent =
        gcl_shadow_find(&s->shadow, (uint64_t)use->allocation.begin);
    int64_t origin = s->footprint.origins[i];
    struct gcl_span run;
    while (extent && extent->words && gcl_region_next(&cursor, &run)) {
        uint64_t begin = (uint64_t)(origin + run.begin), end = (uint64_t)(origin + run.end);
        if (!is_written(s, extent, &begin, &end)) {
            run = (struct gcl_span){(int64_t)begin - origin, (int64_t)end - origin};
            gcl_sanitize_report_unwritten(s, i, run);
            return;
        }
    }
}

// What runs as one: a block, or all if they are like one.

static void open_blocks(struct gcl_sanitizer *s, struct gcl_sanitize_blocks blocks) {
    s->blocks = blocks;
    s->turn++;
    s->who = s->is_whole ? s->first : s->first + (blocks.first << 32);
    gcl_sanitize_find_footprint(s);
}

static void close_blocks(struct gcl_sanitizer *s, bool is_complete) {
    gcl_sanitize_settle(s);
    for (size_t i = 0; i < s->footprint.regions.count && is_complete; i++)
        check_written(s, i);
    gcl_sanitize_close_sites(s);
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

static void begin_launch(struct gcl_sanitizer *s, const struct gcl_sanitize_launch *run) {
    const struct gcl_program *program = run->launch->kernel->program;
    assert(!s->evaluator && !s->threads && !s->changed && s->pending_count == 0);
    s->launch = run->launch;
    s->space = run->space;
    s->checks = run->launch->kernel->flags;
    s->is_whole = run->is_cooperative || run->block_count >= INT32_MAX - 1;
    s->may_synchronise = s->is_whole || synchronises(program);
    gcl_shadow_start(&s->shadow, s->is_whole ? 1 : run->block_count);
    s->first = gcl_mark_make(s->shadow.first, 0, 0) >> 32 << 32;
    bool has_footprints = program && (s->checks & GCL_KERNEL_FOOTPRINT);
    if (has_footprints && !gcl_sanitize_begin_footprints(s))
        gcl_log(GCL_LOG_WARN, "no memory for footprints: accesses aren't checked");
    if (!gcl_sanitize_begin_threads(s, run->block_count, run->is_cooperative)) {
        s->checks &= ~(uint32_t)(GCL_KERNEL_RACE | GCL_KERNEL_INIT | GCL_KERNEL_SYNC);
        gcl_log(GCL_LOG_WARN, "no memory for what threads do: races of threads, reads of what "
                              "nobody wrote and barriers aren't checked");
    }
    if ((s->checks & GCL_KERNEL_INIT) && !gcl_space_notes_writes(s->space) && !s->has_warned) {
        s->has_warned = true;
        gcl_log(GCL_LOG_WARN, "several nodes or devices write memory: reads of what nobody wrote "
                              "are found in shared memory alone; run the program on one");
    }
    find_changed(s);
}

static bool is_faulty(const struct gcl_sanitize_launch *run) {
    return atomic_load(&run->launch->fault->kind) != GCL_FAULT_NONE;
}

static void run_blocks(struct gcl_sanitizer *s, const struct gcl_sanitize_launch *run,
                       struct gcl_block_pool *pool, struct gcl_sanitize_blocks blocks) {
    open_blocks(s, blocks);
    if (run->is_cooperative)
        gcl_block_run_cooperative(pool, run->launch);
    else
        gcl_block_run(pool, run->launch, blocks.first, blocks.first + blocks.count);
    close_blocks(s, !is_faulty(run));
}

static void run_all(struct gcl_sanitizer *s, const struct gcl_sanitize_launch *run,
                    struct gcl_block_pool *pool) {
    for (uint64_t count, done = 0; done < run->block_count && !is_faulty(run); done += count) {
        count = gcl_sanitize_take_group(s, done);
        for (uint64_t i = 0; i < count && !s->is_whole && !is_faulty(run); i++)
            run_blocks(s, run, pool, gcl_sanitize_cut(run->launch->geometry.grid, done + i, 1));
        if (s->is_whole)
            run_blocks(s, run, pool, s->footprint.group);
    }
}

static bool is_violated(const struct gcl_sanitizer *s) {
    return gcl_findings_have_kind(&s->findings, GCL_FINDING_FOOTPRINT) ||
           gcl_findings_have_kind(&s->findings, GCL_FINDING_UNWRITTEN);
}

void gcl_sanitize_run(const struct gcl_sanitize_launch *run, struct gcl_block_pool *pool) {
    assert(run->launch->kernel->flags & GCL_KERNEL_SANITIZED);
    struct gcl_sanitizer *s = &gcl_sanitizer;
    struct gcl_block_launch watched = *run->launch;
    struct gcl_sanitize_launch own = *run;
    pthread_mutex_lock(&s->lock);
    own.launch = &watched;
    begin_launch(s, &own);
    watched.watch = gcl_sanitize_watch(s);
    run_all(s, &own, pool);
    gcl_sanitize_end_footprints(s);
    gcl_sanitize_end_threads(s);
    free(s->changed);
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
                      gcl_findings_have_kind(&s->findings, GCL_FINDING_HAZARD) ||
                      gcl_findings_have_kind(&s->findings, GCL_FINDING_SYNC) ||
                      gcl_findings_have_kind(&s->findings, GCL_FINDING_INIT) ||
                      gcl_findings_have_kind(&s->findings, GCL_FINDING_BOUNDS);
    gcl_findings_finish(&s->findings);
    gcl_shadow_finish(&s->shadow);
    free(s->sites);
    s->sites = NULL;
    s->site_count = 0;
    return has_failed ? GCL_FINDINGS_STATUS : 0;
}
