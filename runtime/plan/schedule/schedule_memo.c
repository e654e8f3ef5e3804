// What a schedule depends on, as bytes: the grid, the blocks of it, the number of the weights of
// nodes' parts, whether pages come as they are touched, the arguments that nodes name, and for each
// base its address and where the bytes of its allocation are. Without bytes: a base is in no
// allocation. The allocations of the plan count besides: bytes have to be where the plan found
// them; and what was read, which has to have the same version.
//
// To look into memory costs all nodes a stop. A kernel for which that was in vain too often, since
// each launch found other contents, isn't inspected any more.
#include "plan/schedule/schedule_memo.h"

#include <assert.h>
#include <stdlib.h>

#include "gcluster/reasons.h"
#include "plan/inspect/base.h"
#include "plan/program/key.h"

enum {
    ENTRIES = 64,
    MOST_MEMORY = 16 << 20, ///< bytes of entries; the latest one may have more
    FEW_INSPECTIONS = 8,    ///< so many are tried before it counts whether they were worth it
};

struct entry {
    struct gcl_key key;
    uint64_t generation; ///< of the directory
    uint64_t rights;     ///< likewise
    int64_t steps;       ///< that it was allowed to take
    struct gcl_schedule schedule;
    size_t size;               ///< bytes, when it was made: the same on all nodes
    bool is_repeated;          ///< the schedule has been found more than once
    bool has_border;           ///< its border has been looked for
    struct gcl_border *border; ///< NULL: there is none
};

struct gcl_schedule_memo {
    const struct gcl_program *program; ///< NULL: nothing is known
    struct gcl_directory *directory;
    struct gcl_scheduler *scheduler;
    const struct gcl_reader *reader;
    int64_t steps;                 ///< that a launch may take
    uint64_t weighing;             ///< number of the weights of nodes' parts
    bool faults;                   ///< pages come as they are touched
    bool looks;                    ///< memory may be looked into
    uint64_t inspections, uses;    ///< launches that looked into memory, and that needn't any more
    struct entry entries[ENTRIES]; ///< a new one takes the place of the one that is longest unused
    uint64_t hashes[ENTRIES];      ///< of their keys
    uint64_t used[ENTRIES];        ///< the latest search that found each; 0: it is free
    uint64_t searches;
    size_t size;        ///< of entries
    size_t found;       ///< entry that was found last
    struct gcl_key key; ///< of the launch that is looked for
    struct gcl_key_arguments arguments;
};

static size_t key_room(const struct gcl_schedule_memo *memo) {
    size_t bases = memo->program ? memo->program->base_count : 0;
    return 4 * sizeof(uint32_t[3]) + sizeof(uint64_t[4]) +
           memo->arguments.count * sizeof(uint64_t) + bases * sizeof(uint64_t[2]);
}

struct gcl_schedule_memo *gcl_schedule_memo_create(const struct gcl_program *program,
                                                   struct gcl_directory *directory,
                                                   const struct gcl_reader *reader) {
    struct gcl_schedule_memo *memo = calloc(1, sizeof *memo);
    if (!memo)
        return NULL;
    memo->program = program;
    memo->directory = directory;
    memo->reader = reader;
    memo->steps = INT64_MAX;
    memo->looks = true;
    memo->scheduler = gcl_scheduler_create(program, directory);
    bool has_arguments = gcl_key_arguments_init(&memo->arguments, program);
    memo->key.bytes = malloc(key_room(memo));
    if (memo->scheduler && has_arguments && memo->key.bytes)
        return memo;
    gcl_schedule_memo_destroy(memo);
    return NULL;
}

static void drop(struct gcl_schedule_memo *memo, struct entry *entry) {
    memo->size -= entry->size;
    free(entry->key.bytes);
    gcl_schedule_finish(&entry->schedule);
    gcl_border_release(entry->border);
    *entry = (struct entry){.generation = 0};
}

void gcl_schedule_memo_destroy(struct gcl_schedule_memo *memo) {
    if (!memo)
        return;
    for (size_t i = 0; i < ENTRIES; i++)
        drop(memo, &memo->entries[i]);
    gcl_scheduler_destroy(memo->scheduler);
    free(memo->arguments.nodes);
    free(memo->key.bytes);
    free(memo);
}

void gcl_schedule_memo_count_moves(struct gcl_schedule_memo *memo) {
    gcl_scheduler_count_moves(memo->scheduler);
}

void gcl_schedule_memo_limit(struct gcl_schedule_memo *memo, int64_t steps) {
    memo->steps = steps;
    gcl_scheduler_limit(memo->scheduler, steps);
}

void gcl_schedule_memo_weigh(struct gcl_schedule_memo *memo, const uint32_t *weights,
                             uint64_t number) {
    memo->weighing = number;
    gcl_scheduler_weigh(memo->scheduler, weights);
}

void gcl_schedule_memo_fault(struct gcl_schedule_memo *memo, bool faults) {
    memo->faults = faults;
    gcl_scheduler_fault(memo->scheduler, faults);
}

void gcl_schedule_memo_look(struct gcl_schedule_memo *memo, bool looks) {
    memo->looks = looks;
}

size_t gcl_schedule_memo_memory(const struct gcl_schedule_memo *memo) {
    size_t size = sizeof *memo + key_room(memo) +
                  memo->arguments.count * sizeof *memo->arguments.nodes +
                  gcl_scheduler_memory(memo->scheduler);
    for (size_t i = 0; i < ENTRIES; i++) {
        const struct gcl_schedule *schedule = &memo->entries[i].schedule;
        if (schedule->plan)
            size += memo->entries[i].key.size + gcl_plan_memory(schedule->plan) +
                    gcl_border_memory(memo->entries[i].border) +
                    schedule->node_count * sizeof *schedule->parts;
    }
    return size;
}

// Keys.

// False: it lies outside of all allocations.
static bool append_base(struct gcl_schedule_memo *memo, const struct gcl_launch_part *launch,
                        uint16_t index) {
    uint64_t place[2] = {0, 0};
    if (gcl_base_address(memo->program, launch, index, &place[0])) {
        const struct gcl_directory_entry *entry = gcl_directory_find(memo->directory, place[0]);
        if (!entry)
            return false;
        place[1] = entry->layout->hash;
    }
    gcl_key_append(&memo->key, place, sizeof place);
    return true;
}

static void make_key(struct gcl_schedule_memo *memo, const struct gcl_launch_part *launch,
                     uint32_t node) {
    struct gcl_key *key = &memo->key;
    const uint64_t how[4] = {node, memo->weighing, memo->faults, memo->looks};
    key->size = 0;
    gcl_key_append(key, launch->geometry.block, sizeof launch->geometry.block);
    gcl_key_append(key, launch->geometry.grid, sizeof launch->geometry.grid);
    gcl_key_append(key, launch->begin, sizeof launch->begin);
    gcl_key_append(key, launch->end, sizeof launch->end);
    gcl_key_append(key, how, sizeof how);
    gcl_key_append_arguments(key, &memo->arguments, memo->program, launch->arguments);
    bool inside = true;
    for (uint16_t i = 0; memo->program && i < memo->program->base_count; i++)
        inside = append_base(memo, launch, i) && inside;
    assert(key->size <= key_room(memo));
    key->size = inside ? key->size : 0;
    gcl_key_close(key);
}

// Entries.

/// Whether all that isn't in the key is as it was. Equal layouts are of allocations of one size.
static bool is_current(const struct gcl_schedule_memo *memo, const struct entry *entry) {
    const struct gcl_plan *plan = entry->schedule.plan;
    if (entry->rights != gcl_directory_rights(memo->directory))
        return false;
    if (entry->schedule.reason == GCL_REASON_DEAR_PLAN && memo->steps / 2 >= entry->steps)
        return false;
    if (entry->schedule.is_general &&
        entry->generation != gcl_directory_generation(memo->directory))
        return false;
    for (size_t i = 0; i < plan->allocation_count; i++) {
        const struct gcl_plan_allocation *allocation = &plan->allocations[i];
        const struct gcl_directory_entry *now =
            gcl_directory_find(memo->directory, allocation->begin);
        if (!now || now->begin != allocation->begin || now->layout != allocation->before ||
            now->use != allocation->use)
            return false;
    }
    for (size_t i = 0; i < entry->schedule.reading_count; i++) {
        const struct gcl_reading *reading = &entry->schedule.readings[i];
        const struct gcl_directory_entry *now =
            gcl_directory_find(memo->directory, (uint64_t)reading->allocation.begin);
        if (!now || now->version != reading->version)
            return false;
    }
    return true;
}

/// Drops what is longest unused until entries but one are within bounds.
static void make_room(struct gcl_schedule_memo *memo, const struct entry *kept) {
    while (memo->size > MOST_MEMORY) {
        struct entry *oldest = NULL;
        for (size_t i = 0; i < ENTRIES; i++) {
            struct entry *entry = &memo->entries[i];
            if (entry != kept && entry->size > 0 &&
                (!oldest || memo->used[i] < memo->used[oldest - memo->entries]))
                oldest = entry;
        }
        if (!oldest)
            return;
        drop(memo, oldest);
    }
}

static bool fill(struct gcl_schedule_memo *memo, struct entry *entry,
                 const struct gcl_launch_part *launch, uint32_t node) {
    bool is_worth_it = memo->inspections < FEW_INSPECTIONS || memo->uses > memo->inspections;
    bool may_inspect = memo->looks && is_worth_it;
    drop(memo, entry);
    if (!gcl_scheduler_find(memo->scheduler, launch, node, may_inspect ? memo->reader : NULL,
                            &entry->schedule)) {
        drop(memo, entry);
        return false;
    }
    memo->inspections += entry->schedule.has_looked;
    memo->uses += entry->schedule.reading_count > 0 && !entry->schedule.has_looked;
    entry->steps = memo->steps;
    entry->generation = gcl_directory_generation(memo->directory);
    entry->rights = gcl_directory_rights(memo->directory);
    bool is_found_again = gcl_key_copy(&memo->key, &entry->key);
    (void)is_found_again;
    entry->size = gcl_plan_memory(entry->schedule.plan) +
                  entry->schedule.node_count * sizeof *entry->schedule.parts;
    memo->size += entry->size;
    make_room(memo, entry);
    return true;
}

/// The entry of the key that is looked for, else the one that makes room for it.
static size_t find_place(const struct gcl_schedule_memo *memo) {
    size_t oldest = 0;
    for (size_t i = 0; i < ENTRIES; i++) {
        if (memo->hashes[i] == memo->key.hash && gcl_key_equal(&memo->entries[i].key, &memo->key))
            return i;
        if (memo->used[i] < memo->used[oldest])
            oldest = i;
    }
    return oldest;
}

const struct gcl_schedule *gcl_schedule_memo_find(struct gcl_schedule_memo *memo,
                                                  const struct gcl_launch_part *launch,
                                                  uint32_t node) {
    make_key(memo, launch, node);
    size_t place = find_place(memo);
    struct entry *entry = &memo->entries[place];
    memo->used[place] = ++memo->searches;
    memo->found = place;
    if (gcl_key_equal(&entry->key, &memo->key) && is_current(memo, entry)) {
        memo->uses += entry->schedule.reading_count > 0;
        entry->is_repeated = true;
        gcl_scheduler_note_reuse(memo->scheduler);
        return &entry->schedule;
    }
    assert(memo->key.hash == memo->hashes[place] || !gcl_key_equal(&entry->key, &memo->key));
    memo->hashes[place] = memo->key.hash;
    return fill(memo, entry, launch, node) ? &entry->schedule : NULL;
}

struct gcl_border *gcl_schedule_memo_border(struct gcl_schedule_memo *memo,
                                            const struct gcl_launch_part *launch, uint32_t node) {
    struct entry *entry = &memo->entries[memo->found];
    if (!entry->is_repeated)
        return NULL;
    if (!entry->has_border)
        entry->border = gcl_scheduler_find_border(memo->scheduler, launch, &entry->schedule, node);
    entry->has_border = true;
    return entry->border;
}
