// Plans carried out on nodes that are arrays of bytes, held against one device: random operations
// on random regions, with every byte that a layout doesn't call valid overwritten by garbage. Some
// memory is guarded: node 0 has whole pages of it.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plan/directory/holders.h"
#include "plan/directory/pages.h"
#include "plan/schedule/plan.h"

enum { MOST_NODES = 7, PLACES = 3, MOST_SIZE = 40 << 10, ROUNDS = 60, OPERATIONS = 25 };

static const int64_t sizes[PLACES] = {600, 4096, MOST_SIZE};
static uint64_t random_state = 1;

/// In [0, bound).
static int64_t below(int64_t bound) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (int64_t)(random_state % (uint64_t)bound);
}

/// A job: what one device has, what each node has, and what is said of it.
struct job {
    uint32_t nodes;
    struct gcl_directory *directory;
    enum gcl_host_use uses[PLACES];
    unsigned char truth[PLACES][MOST_SIZE];
    unsigned char copies[MOST_NODES][PLACES][MOST_SIZE];
    unsigned char twins[MOST_NODES][MOST_SIZE];
};

static uint64_t address_of(int place) {
    return (uint64_t)(place + 1) << 20;
}

static void start(struct job *job) {
    job->nodes = 1 + (uint32_t)below(MOST_NODES);
    job->directory = gcl_directory_create(job->nodes);
    for (int p = 0; p < PLACES; p++) {
        job->uses[p] = below(2) ? GCL_HOST_GUARDED : GCL_HOST_NEVER;
        assert_true(
            gcl_directory_add(job->directory, address_of(p), (uint64_t)sizes[p], job->uses[p]));
    }
    memset(job->truth, 0, sizeof job->truth);
    memset(job->copies, 0, sizeof job->copies);
}

// What nodes do.

typedef void each_byte(struct job *job, uint32_t node, int place, int64_t byte);

static void for_bytes(struct job *job, uint32_t node, int place, const struct gcl_region *region,
                      each_byte *function) {
    struct gcl_region_cursor cursor = {.region = region};
    struct gcl_span run;
    while (gcl_region_next(&cursor, &run)) {
        for (int64_t i = run.begin; i < run.end; i++)
            function(job, node, place, i);
    }
}

static void check_byte(struct job *job, uint32_t node, int place, int64_t i) {
    assert_int_equal(job->copies[node][place][i], job->truth[place][i]);
}

static void write_byte(struct job *job, uint32_t node, int place, int64_t i) {
    job->copies[node][place][i] = job->truth[place][i] = (unsigned char)below(256);
}

static void transfer(struct job *job, const struct gcl_plan *plan, const struct gcl_transfer *t,
                     uint32_t node) {
    int place = (int)(plan->allocations[t->allocation].begin >> 20) - 1;
    struct gcl_region_cursor cursor = {.region = &t->bytes};
    struct gcl_span run;
    while (gcl_region_next(&cursor, &run)) {
        unsigned char *to = &job->copies[node][place][run.begin];
        size_t size = (size_t)(run.end - run.begin);
        if (t->from == GCL_NOWHERE)
            memset(to, t->fill, size);
        else
            memcpy(to, &job->copies[t->from][place][run.begin], size);
    }
}

/// What isn't valid may be anything, and what is valid is right.
static void check_layouts(struct job *job) {
    for (int p = 0; p < PLACES; p++) {
        const struct gcl_directory_entry *entry =
            gcl_directory_find(job->directory, address_of(p) + 5);
        for (uint32_t n = 0; n < job->nodes; n++) {
            const struct gcl_region *held = &entry->layout->held[n];
            unsigned char valid[MOST_SIZE];
            memset(valid, (int)below(256), sizeof valid);
            struct gcl_region_cursor cursor = {.region = held};
            struct gcl_span run;
            for_bytes(job, n, p, held, check_byte);
            while (gcl_region_next(&cursor, &run))
                memcpy(&valid[run.begin], &job->copies[n][p][run.begin],
                       (size_t)(run.end - run.begin));
            memcpy(job->copies[n][p], valid, sizeof valid);
        }
    }
}

static void fetch_all(struct job *job, const struct gcl_plan *plan) {
    for (size_t i = 0; i < plan->transfer_count; i++) {
        const struct gcl_transfer *t = &plan->transfers[i];
        uint32_t receivers = 0;
        for (uint32_t node = 0; node < job->nodes; node++) {
            if (gcl_transfer_reaches(t, node))
                transfer(job, plan, t, node);
            receivers += gcl_transfer_reaches(t, node);
        }
        assert_true(receivers > 0 && receivers == gcl_transfer_receivers(t));
        assert_false(gcl_transfer_reaches(t, t->from));
    }
}

/// Nobody else has what node 0 may change unseen while it has it.
static void check_opened(const struct gcl_plan_allocation *place) {
    struct gcl_region_cursor cursor = {.region = &place->opened};
    const struct gcl_region *held = place->after->held;
    struct gcl_span run;
    while (gcl_region_next(&cursor, &run)) {
        for (int64_t i = run.begin; i < run.end; i += 1 + below(8)) {
            for (uint32_t n = 1; gcl_region_contains_byte(held, i) && n < place->after->node_count;
                 n++)
                assert_false(gcl_region_contains_byte(&held[n], i));
        }
    }
}

static void commit(struct job *job, struct gcl_plan *plan) {
    // Every byte that moves has one cause.
    if (plan->counts_moves)
        assert_int_equal(gcl_moves_total(&plan->moves),
                         gcl_plan_moved(plan) + gcl_plan_combined(plan, job->nodes));
    for (size_t i = 0; i < plan->allocation_count; i++)
        check_opened(&plan->allocations[i]);
    gcl_plan_commit(plan, job->directory);
    check_layouts(job);
    gcl_plan_finish(plan);
}

/// Node 0 has a page or doesn't, and knows which.
static void check_pages(struct job *job, int place) {
    const struct gcl_directory_entry *entry = gcl_directory_find(job->directory, address_of(place));
    struct gcl_region lost = {.count = 0}, common = {.count = 0};
    gcl_pages_lost(entry->layout, sizes[place], &lost);
    gcl_pages_common(entry->layout, sizes[place], &common);
    for (int64_t i = below(4); i < sizes[place]; i += 1 + below(8)) {
        bool is_common = false;
        for (uint32_t n = 1; n < job->nodes; n++)
            is_common = is_common || gcl_region_contains_byte(&entry->layout->held[n], i);
        is_common = is_common && gcl_region_contains_byte(&entry->layout->held[0], i);
        assert_int_equal(gcl_region_contains_byte(&lost, i),
                         !gcl_region_contains_byte(&entry->layout->held[0], i));
        assert_true(!is_common || gcl_region_contains_byte(&common, i));
    }
    gcl_region_finish(&lost);
    gcl_region_finish(&common);
}

static void bring_home(struct job *job, int place) {
    const struct gcl_directory_entry *entry = gcl_directory_find(job->directory, address_of(place));
    struct gcl_region needed[MOST_NODES] = {0};
    struct gcl_plan plan = {.allocation_count = 0};
    gcl_pages_torn(entry->layout, sizes[place], &needed[0]);
    assert_true(gcl_plan_demand(
        &plan, job->directory, &(struct gcl_demand){.begin = address_of(place), .needed = needed}));
    fetch_all(job, &plan);
    commit(job, &plan);
    gcl_region_finish(&needed[0]);
}

static void finish(struct job *job, struct gcl_plan *plan) {
    int place = (int)(plan->allocations[0].begin >> 20) - 1;
    commit(job, plan);
    if (job->uses[place] == GCL_HOST_GUARDED) {
        bring_home(job, place);
        check_pages(job, place);
    }
}

// Random regions.

static struct gcl_region random_region(int64_t begin, int64_t end, int64_t unit) {
    struct gcl_region region = {.count = 0};
    int64_t units = (end - begin) / unit;
    if (units <= 0 || below(6) == 0)
        return region;
    int64_t first = below(units), count = 1 + below(units - first);
    int64_t stride = 2 + below(6);
    if (below(2) || count < stride)
        return gcl_region_run(begin + first * unit, begin + (first + count) * unit);
    struct gcl_level level = {stride * unit, count / stride};
    assert_true(gcl_region_from_box(begin + first * unit, unit * (1 + below(stride - 1)), &level, 1,
                                    &region));
    return region;
}

/// Disjoint: rows for each node, or columns.
static struct gcl_region random_part(const struct job *job, int64_t size, uint32_t node,
                                     bool columns) {
    int64_t nodes = job->nodes, step = size / nodes;
    struct gcl_region region = {.count = 0};
    if (!columns)
        return random_region(node * step, (node + 1) * step, 1);
    struct gcl_level level = {8 * nodes, size / (8 * nodes)};
    assert_true(gcl_region_from_box(8 * (int64_t)node, 1 + below(8), &level, 1, &region));
    return region;
}

static void free_regions(struct gcl_region *regions) {
    for (int i = 0; i < MOST_NODES; i++)
        gcl_region_finish(&regions[i]);
}

// Operations.

/// Plans it; what it was said to cost is what moves then.
static void demand(struct job *job, struct gcl_plan *plan, const struct gcl_demand *demand) {
    uint64_t cost = 0;
    struct gcl_demand_outline *outline = gcl_demand_outline_create(job->directory, demand);
    assert_non_null(outline);
    assert_true(gcl_demand_outline_cost(outline, &cost));
    assert_true(gcl_plan_add_outline(plan, job->directory, outline));
    assert_int_equal(cost, gcl_plan_moved(plan) + gcl_plan_combined(plan, job->nodes));
    gcl_demand_outline_destroy(outline);
}

static void run_plain(struct job *job, int place) {
    struct gcl_region needed[MOST_NODES] = {0}, written[MOST_NODES] = {0};
    struct gcl_plan plan = {.counts_moves = true};
    bool columns = below(2);
    for (uint32_t n = 0; n < job->nodes; n++) {
        needed[n] = random_region(0, sizes[place], 1);
        written[n] = random_part(job, sizes[place], n, columns);
    }
    demand(job, &plan,
           &(struct gcl_demand){.begin = address_of(place), .needed = needed, .written = written});
    fetch_all(job, &plan);
    for (uint32_t n = 0; n < job->nodes; n++)
        for_bytes(job, n, place, &needed[n], check_byte);
    for (uint32_t n = 0; n < job->nodes; n++)
        for_bytes(job, n, place, &written[n], write_byte);
    finish(job, &plan);
    free_regions(needed);
    free_regions(written);
}

static void run_fill(struct job *job, int place) {
    struct gcl_region region = random_region(0, sizes[place], 1);
    struct gcl_plan plan = {.allocation_count = 0};
    struct gcl_region_cursor cursor = {.region = &region};
    struct gcl_span run;
    uint8_t value = (uint8_t)below(3);
    assert_true(gcl_plan_fill(&plan, job->directory, address_of(place), &region, value));
    fetch_all(job, &plan);
    while (gcl_region_next(&cursor, &run))
        memset(&job->truth[place][run.begin], value, (size_t)(run.end - run.begin));
    finish(job, &plan);
    gcl_region_finish(&region);
}

static void set_zero(struct job *job, uint32_t node, int place, int64_t i) {
    job->copies[node][place][i] = 0;
}

// Elements are bytes, to which bytes are added.
static void add_byte(struct job *job, uint32_t node, int place, int64_t i) {
    unsigned char value = (unsigned char)below(256);
    job->copies[node][place][i] = (unsigned char)(job->copies[node][place][i] + value);
    job->truth[place][i] = (unsigned char)(job->truth[place][i] + value);
}

// A byte that this node changes, and no other one.
static void perhaps_write_byte(struct job *job, uint32_t node, int place, int64_t i) {
    if ((uint64_t)i * 7 % job->nodes == node && below(2))
        write_byte(job, node, place, i);
}

static void combine_byte(struct job *job, const struct gcl_combination *c, int place, uint32_t home,
                         int64_t i) {
    unsigned char value = job->twins[home][i];
    for (uint32_t n = 0; n < job->nodes; n++) {
        unsigned char theirs = job->copies[n][place][i];
        if (!gcl_region_contains_byte(&c->bytes[n], i))
            continue;
        if (c->kind == GCL_COMBINATION_REDUCE)
            value = (unsigned char)(value + theirs);
        else if (theirs != job->twins[n][i])
            value = theirs;
    }
    job->twins[home][i] = value;
}

static void put_together(struct job *job, const struct gcl_combination *c, int place) {
    for (uint32_t home = 0; home < job->nodes; home++) {
        // Twins of others are compared, so the home's result must not be one while it goes on.
        unsigned char kept[MOST_SIZE];
        memcpy(kept, job->twins[home], sizeof kept);
        for (int64_t i = c->limits[home]; i < c->limits[home + 1]; i++) {
            combine_byte(job, c, place, home, i);
            unsigned char result = job->twins[home][i];
            job->twins[home][i] = kept[i];
            kept[i] = result;
        }
        for (int64_t i = c->limits[home]; i < c->limits[home + 1]; i++) {
            bool is_touched = false;
            for (uint32_t n = 0; n < job->nodes; n++)
                is_touched = is_touched || gcl_region_contains_byte(&c->bytes[n], i);
            if (is_touched)
                job->copies[home][place][i] = kept[i];
        }
    }
}

static void run_combined(struct job *job, int place, bool is_merge) {
    struct gcl_region combined[MOST_NODES] = {0};
    struct gcl_plan plan = {.counts_moves = true};
    for (uint32_t n = 0; n < job->nodes; n++)
        combined[n] = random_region(0, sizes[place], 1);
    demand(job, &plan,
           &(struct gcl_demand){.begin = address_of(place),
                                .combined = combined,
                                .kind = is_merge ? GCL_COMBINATION_MERGE : GCL_COMBINATION_REDUCE,
                                .element = 1});
    fetch_all(job, &plan);
    for (uint32_t n = 0; n < job->nodes; n++) {
        memcpy(job->twins[n], job->copies[n][place], MOST_SIZE);
        if (!is_merge)
            for_bytes(job, n, place, &combined[n], set_zero);
        for_bytes(job, n, place, &combined[n], is_merge ? perhaps_write_byte : add_byte);
    }
    assert_int_equal(plan.combination_count, 1);
    put_together(job, &plan.combinations[0], place);
    finish(job, &plan);
    free_regions(combined);
}

static void nodes_end_as_one_device(void **state) {
    struct job *job = malloc(sizeof *job);
    (void)state;
    assert_non_null(job);
    for (int round = 0; round < ROUNDS; round++) {
        start(job);
        for (int i = 0; i < OPERATIONS; i++) {
            int place = (int)below(PLACES);
            switch (below(5)) {
            case 0:
                if (job->uses[place] == GCL_HOST_NEVER)
                    run_fill(job, place);
                break;
            case 1:
                run_combined(job, place, below(2));
                break;
            default:
                run_plain(job, place);
            }
        }
        gcl_directory_destroy(job->directory);
    }
    free(job);
}

/// An operation that is planned, and carried out later.
struct planned {
    struct gcl_region needed[MOST_NODES], written[MOST_NODES];
    struct gcl_plan plan;
    int place;
};

static void plan_small(struct job *job, struct planned *p) {
    int64_t size = sizes[p->place], begin = below(size);
    for (uint32_t n = 0; n < job->nodes; n++) {
        int64_t first = begin + below(40), last = first + below(20);
        p->needed[n] = gcl_region_run(first, last < size ? last : size);
    }
    begin = below(size - 16 * MOST_NODES);
    for (uint32_t n = 0; n < job->nodes; n++)
        p->written[n] = gcl_region_run(begin + 16 * n, begin + 16 * n + below(16));
    assert_true(gcl_plan_demand(&p->plan, job->directory,
                                &(struct gcl_demand){.begin = address_of(p->place),
                                                     .needed = p->needed,
                                                     .written = below(2) ? p->written : NULL}));
    gcl_plan_commit(&p->plan, job->directory);
}

static void carry_out(struct job *job, struct planned *p) {
    fetch_all(job, &p->plan);
    for (uint32_t n = 0; n < job->nodes; n++)
        for_bytes(job, n, p->place, &p->needed[n], check_byte);
    for (uint32_t n = 0; n < job->nodes && p->plan.allocations[0].is_changed; n++)
        for_bytes(job, n, p->place, &p->written[n], write_byte);
}

// The later of two plans may be carried out first unless they conflict.
static void plans_without_conflict_change_places(void **state) {
    struct job *job = malloc(sizeof *job);
    size_t counts[2] = {0, 0};
    (void)state;
    assert_non_null(job);
    for (int round = 0; round < 6 * ROUNDS; round++) {
        struct planned plans[2] = {{.place = 0}, {.place = 0}};
        int place = (int)below(PLACES);
        start(job);
        if (job->uses[place] == GCL_HOST_NEVER) {
            run_plain(job, place); // bytes are here and there
            plans[0].place = plans[1].place = place;
            plan_small(job, &plans[0]);
            plan_small(job, &plans[1]);
            bool is_free = !gcl_plan_conflicts(&plans[0].plan, &plans[1].plan);
            assert_int_equal(!is_free, gcl_plan_conflicts(&plans[1].plan, &plans[0].plan));
            carry_out(job, &plans[is_free]);
            carry_out(job, &plans[!is_free]);
            check_layouts(job);
            counts[is_free]++;
        }
        for (int i = 0; i < 2; i++) {
            gcl_plan_finish(&plans[i].plan);
            free_regions(plans[i].needed);
            free_regions(plans[i].written);
        }
        gcl_directory_destroy(job->directory);
    }
    assert_true(counts[0] > 10 && counts[1] > 10);
    free(job);
}

// A stencil's halo is all that moves, and the second of two equal steps finds the first one's
// layouts again.
static void a_stencil_moves_its_halo(void **state) {
    enum { NODES = 4, ROW = 64, ROWS = 32 };
    struct gcl_region needed[NODES], written[NODES];
    struct gcl_directory *directory = gcl_directory_create(NODES);
    const struct gcl_layout *seen = NULL;
    (void)state;
    assert_true(gcl_directory_add(directory, 4096, ROW * ROWS, false));
    assert_true(gcl_directory_add(directory, 8192, ROW * ROWS, false));
    for (int n = 0; n < NODES; n++) {
        int first = n * ROWS / NODES, last = (n + 1) * ROWS / NODES;
        written[n] = gcl_region_run(first * ROW, last * ROW);
        needed[n] = gcl_region_run((first > 0 ? first - 1 : 0) * ROW,
                                   (last < ROWS ? last + 1 : ROWS) * ROW);
    }
    for (int step = 0; step < 6; step++) {
        struct gcl_plan plan = {.allocation_count = 0};
        uint64_t from = step % 2 ? 8192 : 4096, to = step % 2 ? 4096 : 8192;
        assert_true(gcl_plan_demand(&plan, directory,
                                    &(struct gcl_demand){.begin = from, .needed = needed}));
        assert_true(gcl_plan_demand(&plan, directory,
                                    &(struct gcl_demand){.begin = to, .written = written}));
        assert_int_equal(gcl_plan_moved(&plan), step == 0 ? 0 : 2 * (NODES - 1) * ROW);
        gcl_plan_commit(&plan, directory);
        gcl_plan_finish(&plan);
        if (step == 3)
            seen = gcl_directory_find(directory, 8192)->layout;
        if (step == 5)
            assert_ptr_equal(gcl_directory_find(directory, 8192)->layout, seen);
    }
    // The neighbours have rows of what they read last, and nothing of what was written last.
    assert_int_equal(gcl_directory_share_of(directory, 0).size, (8 + 7) * ROW);
    assert_int_equal(gcl_directory_share_of(directory, 1).size, (8 + 6) * ROW);
    assert_true(gcl_directory_add(directory, 65536, ROW, false));
    assert_int_equal(gcl_directory_share_of(directory, 1).allocation_count, 2);
    gcl_directory_destroy(directory);
}

// What all nodes get from each other takes a transfer for each of them, not for each pair.
static void what_all_lack_is_gathered(void **state) {
    enum { NODES = 1024, PART = 64, SIZE = NODES * PART };
    struct gcl_region *needed = calloc(NODES, sizeof *needed);
    struct gcl_region *written = calloc(NODES, sizeof *written);
    struct gcl_directory *directory = gcl_directory_create(NODES);
    struct gcl_plan plans[3] = {{.allocation_count = 0}};
    (void)state;
    assert_true(needed && written && gcl_directory_add(directory, 4096, SIZE, GCL_HOST_NEVER));
    for (int n = 0; n < NODES; n++) {
        written[n] = gcl_region_run(n * PART, (n + 1) * PART);
        needed[n] = gcl_region_run(0, SIZE);
    }
    assert_true(gcl_plan_demand(&plans[0], directory,
                                &(struct gcl_demand){.begin = 4096, .written = written}));
    gcl_plan_commit(&plans[0], directory);
    const struct gcl_demand all = {.begin = 4096, .needed = needed};
    assert_true(gcl_plan_demand(&plans[1], directory, &all));
    assert_int_equal(plans[1].transfer_count, NODES);
    assert_int_equal(gcl_plan_moved(&plans[1]), (uint64_t)SIZE * (NODES - 1));
    assert_true(gcl_plan_memory(&plans[1]) < NODES * 512);
    assert_true(gcl_plan_select(&plans[1], 5));
    assert_int_equal(plans[1].own_count, NODES);

    // Node 3 has everything, but for what node 7 writes then; the last ones need nothing.
    memset(written, 0, NODES * sizeof *written);
    written[3] = gcl_region_run(0, SIZE);
    written[7] = gcl_region_run(PART, 2 * PART);
    assert_true(gcl_region_subtract(&written[3], &written[7], &written[3]));
    for (int n = 1000; n < NODES; n++)
        needed[n] = gcl_region_run(0, 0);
    gcl_plan_finish(&plans[0]);
    assert_true(gcl_plan_demand(&plans[0], directory,
                                &(struct gcl_demand){.begin = 4096, .written = written}));
    gcl_plan_commit(&plans[0], directory);
    assert_true(gcl_plan_demand(&plans[2], directory, &all));
    assert_int_equal(plans[2].transfer_count, 2);
    assert_int_equal(gcl_transfer_receivers(&plans[2].transfers[0]), 999);
    assert_false(gcl_transfer_reaches(&plans[2].transfers[1], 1000));
    assert_int_equal(gcl_plan_moved(&plans[2]), (uint64_t)SIZE * 999);

    // What all have already keeps nobody from gathering the rest.
    gcl_plan_commit(&plans[2], directory);
    gcl_region_finish(&written[3]);
    memset(written, 0, NODES * sizeof *written);
    written[0] = gcl_region_run(3 * PART, 4 * PART);
    gcl_plan_finish(&plans[0]);
    assert_true(gcl_plan_demand(&plans[0], directory,
                                &(struct gcl_demand){.begin = 4096, .written = written}));
    struct gcl_demand_outline *outline = gcl_demand_outline_create(directory, &all);
    assert_non_null(outline);
    gcl_plan_commit(&plans[0], directory);
    gcl_plan_finish(&plans[2]);
    assert_false(gcl_plan_add_outline(&plans[2], directory, outline)); // of another time
    gcl_demand_outline_destroy(outline);
    assert_true(gcl_plan_demand(&plans[2], directory, &all));
    assert_int_equal(plans[2].transfer_count, 1);
    assert_int_equal(gcl_transfer_receivers(&plans[2].transfers[0]), 999);
    for (int i = 0; i < 3; i++)
        gcl_plan_finish(&plans[i]);
    free(needed);
    free(written);
    gcl_directory_destroy(directory);
}

/// An allocation of its own size, which nodes write in parts.
static void allocate_and_write(struct gcl_directory *directory, int64_t size,
                               struct gcl_plan *plan) {
    enum { NODES = 4 };
    struct gcl_region written[NODES];
    for (int n = 0; n < NODES; n++)
        written[n] = gcl_region_run(n * size / NODES, (n + 1) * size / NODES);
    assert_true(gcl_directory_add(directory, 4096, (uint64_t)size, GCL_HOST_NEVER));
    assert_true(
        gcl_plan_demand(plan, directory, &(struct gcl_demand){.begin = 4096, .written = written}));
    gcl_plan_commit(plan, directory);
    assert_true(gcl_directory_remove(directory, 4096));
}

// Layouts go with their allocations and with the plans that name them.
static void layouts_are_freed(void **state) {
    enum { ROUNDS_BEFORE = 300, ROUNDS_AFTER = 3000, KEPT = 10 };
    struct gcl_directory *directory = gcl_directory_create(4);
    struct gcl_plan *kept = gcl_plan_create();
    size_t before = 0;
    (void)state;
    assert_non_null(directory);
    assert_non_null(kept);
    for (int round = 0; round < ROUNDS_BEFORE + ROUNDS_AFTER; round++) {
        struct gcl_plan plan = {.allocation_count = 0};
        allocate_and_write(directory, 1000 + round, round == KEPT ? kept : &plan);
        gcl_plan_finish(&plan);
        if (round < ROUNDS_BEFORE)
            before =
                gcl_directory_memory(directory) > before ? gcl_directory_memory(directory) : before;
        assert_true(gcl_directory_memory(directory) <= before);
    }
    assert_int_equal(gcl_region_size(&kept->allocations[0].before->held[3]), 1000 + KEPT);
    assert_int_equal(gcl_region_size(&kept->allocations[0].after->held[0]), (1000 + KEPT) / 4);
    gcl_plan_release(kept);
    gcl_directory_destroy(directory);
}

// Of all nodes that hold bytes of a range, none is left out, and nearer ones come first.
static void holders_are_found_nearest_first(void **state) {
    enum { MOST = 40, SIZE = 1000 };
    (void)state;
    for (int round = 0; round < 300; round++) {
        uint32_t count = 1 + (uint32_t)below(MOST), around = (uint32_t)below(count);
        struct gcl_layout *layout =
            calloc(1, sizeof *layout + (count + 1) * sizeof layout->held[0]);
        struct gcl_span range = {below(SIZE), 0};
        struct gcl_holders holders;
        bool seen[MOST] = {false};
        uint32_t node, distance = 0;
        assert_non_null(layout);
        layout->node_count = count;
        for (uint32_t n = 0; n < count; n++) {
            int64_t begin = below(SIZE);
            layout->held[n] = gcl_region_run(begin, begin + below(3) * below(100));
        }
        range.end = range.begin + 1 + below(200);
        assert_true(gcl_holders_init(&holders, layout->held, count));
        struct gcl_holders_search search = {.holders = &holders, .around = around};
        while ((node = gcl_holders_next(&search, range)) != UINT32_MAX) {
            uint32_t away = node < around ? around - node : node - around;
            assert_true(node < count && node != around && !seen[node] && away >= distance);
            distance = away;
            seen[node] = true;
        }
        for (uint32_t n = 0; n < count; n++) {
            struct gcl_span held = gcl_region_bounds(&layout->held[n]);
            if (n != around && held.begin < range.end && range.begin < held.end)
                assert_true(seen[n]);
        }
        gcl_holders_finish(&holders);
        free(layout);
    }
}

// The host's walk over what others wrote moves pages as it comes to them, and what it doesn't write
// they keep.
static void guarded_memory_moves_by_pages(void **state) {
    enum { NODES = 2, SIZE = 10 * GCL_PAGE_SIZE + 100, HALF = SIZE / 2 };
    struct gcl_directory *directory = gcl_directory_create(NODES);
    struct gcl_region regions[NODES] = {gcl_region_run(0, HALF), gcl_region_run(HALF, SIZE)};
    const struct {
        int64_t begin, end, moved;
        bool is_written;
    } steps[] = {
        {HALF, HALF + 1, SIZE - HALF - 4 * GCL_PAGE_SIZE - 100, false}, // the torn page
        {HALF, HALF + 1, 0, true},
        {9 * GCL_PAGE_SIZE, 9 * GCL_PAGE_SIZE + 4, GCL_PAGE_SIZE, false},
        {9 * GCL_PAGE_SIZE + 8, 10 * GCL_PAGE_SIZE, 0, true},
        {SIZE - 1, SIZE, 100, true},
    };
    (void)state;
    assert_true(gcl_directory_add(directory, 8192, SIZE, GCL_HOST_GUARDED));
    for (int step = -1; step < 5; step++) {
        struct gcl_plan plan = {.allocation_count = 0};
        struct gcl_demand demand = {.begin = 8192, .written = regions};
        if (step == 0)
            regions[1] = gcl_region_run(0, 0);
        if (step >= 0) {
            regions[0] = gcl_region_run(steps[step].begin, steps[step].end);
            demand.needed = regions;
            demand.written = steps[step].is_written ? regions : NULL;
        }
        assert_true(gcl_plan_demand(&plan, directory, &demand));
        assert_int_equal(gcl_plan_moved(&plan), step < 0 ? 0 : steps[step].moved);
        gcl_plan_commit(&plan, directory);
        gcl_plan_finish(&plan);
    }
    gcl_directory_destroy(directory);
}

static void allocations_are_found_by_address(void **state) {
    struct gcl_directory *directory = gcl_directory_create(2);
    (void)state;
    for (uint64_t i = 100; i > 0; i--)
        assert_true(gcl_directory_add(directory, i * 1000, 500, false));
    assert_int_equal(gcl_directory_find(directory, 42499)->begin, 42000);
    assert_null(gcl_directory_find(directory, 42500));
    assert_null(gcl_directory_find(directory, 999));
    uint64_t hash = gcl_directory_hash(directory);
    assert_false(gcl_directory_remove(directory, 42001));
    assert_true(gcl_directory_remove(directory, 42000));
    assert_null(gcl_directory_find(directory, 42000));
    assert_int_not_equal(gcl_directory_hash(directory), hash);
    assert_true(gcl_directory_add(directory, 42000, 500, false));
    assert_int_equal(gcl_directory_hash(directory), hash);
    gcl_directory_destroy(directory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_end_as_one_device),
        cmocka_unit_test(plans_without_conflict_change_places),
        cmocka_unit_test(a_stencil_moves_its_halo),
        cmocka_unit_test(what_all_lack_is_gathered),
        cmocka_unit_test(layouts_are_freed),
        cmocka_unit_test(holders_are_found_nearest_first),
        cmocka_unit_test(guarded_memory_moves_by_pages),
        cmocka_unit_test(allocations_are_found_by_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
