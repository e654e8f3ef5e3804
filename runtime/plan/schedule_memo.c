#include "schedule_memo.h"

#include <stdlib.h>
#include <string.h>

enum {
    ENTRIES = 64,
    FEW_INSPECTIONS = 8, ///< so many are tried before it counts whether they were worth it
};

// What a schedule depends on, as bytes: the grid, the arguments that nodes name, and for each base
// its address and where the bytes of its allocation are. Without bytes: a base is in no allocation.
// The allocations of the plan count besides: bytes have to be where the plan found them; and what
// was read, which has to have the same version.
//
// To look into memory costs all nodes a stop. A kernel for which that was in vain too often, since
// each launch found other contents, isn't inspected any more.
struct key {
    unsigned char *bytes;
    size_t size;
    uint64_t hash;
};

struct entry {
    struct key key;
    uint64_t generation; ///< of the directory
    struct gcl_schedule schedule;
};

struct gcl_schedule_memo {
    const struct gcl_program *program; ///< NULL: nothing is known
    struct gcl_directory *directory;
    struct gcl_scheduler *scheduler;
    const struct gcl_schedule_reader *reader;
    uint64_t inspections, uses; ///< schedules that looked into memory, and how often one was found
    struct entry entries[ENTRIES]; ///< by hash; a new one takes an old one's place
    struct key key;                ///< of the launch that is looked for
    uint16_t *arguments;           ///< nodes that name arguments
    size_t argument_count;
};

static size_t key_room(const struct gcl_schedule_memo *memo) {
    size_t bases = memo->program ? memo->program->base_count : 0;
    return 2 * sizeof(uint32_t[3]) + sizeof(uint64_t) + memo->argument_count * sizeof(uint64_t) +
           bases * sizeof(uint64_t[2]);
}

static bool list_arguments(struct gcl_schedule_memo *memo) {
    const struct gcl_program *program = memo->program;
    size_t count = program ? program->node_count : 0;
    memo->arguments = malloc((count + 1) * sizeof *memo->arguments);
    for (uint16_t i = 0; memo->arguments && i < count; i++) {
        if (program->nodes[i].kind == GCL_NODE_ARGUMENT)
            memo->arguments[memo->argument_count++] = i;
    }
    return memo->arguments != NULL;
}

struct gcl_schedule_memo *gcl_schedule_memo_create(const struct gcl_program *program,
                                                   struct gcl_directory *directory,
                                                   const struct gcl_schedule_reader *reader) {
    struct gcl_schedule_memo *memo = calloc(1, sizeof *memo);
    if (!memo)
        return NULL;
    memo->program = program;
    memo->directory = directory;
    memo->reader = reader;
    memo->scheduler = gcl_scheduler_create(program, directory);
    if (memo->scheduler && list_arguments(memo) && (memo->key.bytes = malloc(key_room(memo))))
        return memo;
    gcl_schedule_memo_destroy(memo);
    return NULL;
}

static void entry_finish(struct entry *entry) {
    free(entry->key.bytes);
    gcl_schedule_finish(&entry->schedule);
    *entry = (struct entry){.generation = 0};
}

void gcl_schedule_memo_destroy(struct gcl_schedule_memo *memo) {
    if (!memo)
        return;
    for (size_t i = 0; i < ENTRIES; i++)
        entry_finish(&memo->entries[i]);
    gcl_scheduler_destroy(memo->scheduler);
    free(memo->arguments);
    free(memo->key.bytes);
    free(memo);
}

void gcl_schedule_memo_count_moves(struct gcl_schedule_memo *memo) {
    gcl_scheduler_count_moves(memo->scheduler);
}

size_t gcl_schedule_memo_memory(const struct gcl_schedule_memo *memo) {
    size_t size = sizeof *memo + key_room(memo) + memo->argument_count * sizeof *memo->arguments;
    for (size_t i = 0; i < ENTRIES; i++) {
        const struct gcl_schedule *schedule = &memo->entries[i].schedule;
        if (schedule->plan)
            size += memo->entries[i].key.size + gcl_plan_memory(schedule->plan) +
                    schedule->node_count * sizeof *schedule->parts;
    }
    return size;
}

// Keys.

static void append(struct key *key, const void *bytes, size_t size) {
    memcpy(key->bytes + key->size, bytes, size);
    key->size += size;
}

// False: it lies outside of all allocations.
static bool append_base(struct gcl_schedule_memo *memo, const struct gcl_launch_part *launch,
                        uint16_t index) {
    uint64_t place[2] = {0, 0};
    if (gcl_footprint_base(memo->program, launch, index, &place[0])) {
        const struct gcl_entry *entry = gcl_directory_find(memo->directory, place[0]);
        if (!entry)
            return false;
        place[1] = entry->layout->hash;
    }
    append(&memo->key, place, sizeof place);
    return true;
}

static uint64_t hash_of(const struct key *key) {
    uint64_t hash = 14695981039346656037u; // FNV-1a, eight bytes at a time
    for (size_t i = 0; i + 8 <= key->size; i += 8) {
        uint64_t word;
        memcpy(&word, key->bytes + i, sizeof word);
        hash = (hash ^ word) * 1099511628211u;
        hash ^= hash >> 32;
    }
    return hash;
}

static void make_key(struct gcl_schedule_memo *memo, const struct gcl_launch_part *launch,
                     bool single) {
    struct key *key = &memo->key;
    uint64_t is_single = single;
    key->size = 0;
    append(key, launch->block_size, sizeof launch->block_size);
    append(key, launch->grid_size, sizeof launch->grid_size);
    append(key, &is_single, sizeof is_single);
    for (size_t i = 0; i < memo->argument_count; i++) {
        const struct gcl_node *node = &memo->program->nodes[memo->arguments[i]];
        uint64_t value = 0;
        memcpy(&value, launch->arguments + node->a, (node->width + 7u) / 8);
        append(key, &value, sizeof value);
    }
    bool inside = true;
    for (uint16_t i = 0; memo->program && i < memo->program->base_count; i++)
        inside = append_base(memo, launch, i) && inside;
    key->size = inside ? key->size : 0;
    key->hash = hash_of(key);
}

// Entries.

static bool holds(const struct entry *entry, const struct key *key) {
    return key->size > 0 && entry->key.hash == key->hash && entry->key.size == key->size &&
           memcmp(entry->key.bytes, key->bytes, key->size) == 0;
}

/// Whether all that isn't in the key is as it was. Equal layouts are of allocations of one size.
static bool is_current(const struct gcl_schedule_memo *memo, const struct entry *entry) {
    const struct gcl_plan *plan = entry->schedule.plan;
    if (entry->schedule.is_general &&
        entry->generation != gcl_directory_generation(memo->directory))
        return false;
    for (size_t i = 0; i < plan->place_count; i++) {
        const struct gcl_place *place = &plan->places[i];
        const struct gcl_entry *now = gcl_directory_find(memo->directory, place->begin);
        if (!now || now->begin != place->begin || now->layout != place->before)
            return false;
    }
    for (size_t i = 0; i < entry->schedule.reading_count; i++) {
        const struct gcl_reading *reading = &entry->schedule.readings[i];
        const struct gcl_entry *now =
            gcl_directory_find(memo->directory, (uint64_t)reading->allocation.begin);
        if (!now || now->version != reading->version)
            return false;
    }
    return true;
}

static bool fill(struct gcl_schedule_memo *memo, struct entry *entry,
                 const struct gcl_launch_part *launch, bool single) {
    bool may_inspect = memo->inspections < FEW_INSPECTIONS || memo->uses > memo->inspections;
    entry_finish(entry);
    if (!gcl_scheduler_find(memo->scheduler, launch, single, may_inspect ? memo->reader : NULL,
                            &entry->schedule)) {
        entry_finish(entry);
        return false;
    }
    memo->inspections += entry->schedule.reading_count > 0;
    entry->generation = gcl_directory_generation(memo->directory);
    entry->key = memo->key;
    entry->key.bytes = malloc(memo->key.size + 1);
    if (entry->key.bytes)
        memcpy(entry->key.bytes, memo->key.bytes, memo->key.size);
    else
        entry->key.size = 0; // isn't found again
    return true;
}

const struct gcl_schedule *gcl_schedule_memo_find(struct gcl_schedule_memo *memo,
                                                  const struct gcl_launch_part *launch,
                                                  bool single) {
    make_key(memo, launch, single);
    struct entry *entry = &memo->entries[memo->key.hash % ENTRIES];
    if (holds(entry, &memo->key) && is_current(memo, entry)) {
        memo->uses += entry->schedule.reading_count > 0;
        return &entry->schedule;
    }
    return fill(memo, entry, launch, single) ? &entry->schedule : NULL;
}
