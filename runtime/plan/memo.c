#include "memo.h"

#include <stdlib.h>

#include "plan/key.h"

enum { ENTRIES = 256, NOWHERE = 0xffff };

// What a footprint depends on, as bytes: the blocks, the arguments that nodes name, and where in
// its allocation each base lies. Without bytes: a base is in no allocation. What was read from
// memory counts besides: the same allocations with the same versions.
struct entry {
    struct gcl_key key;
    struct gcl_footprint footprint;
    uint16_t *bases; ///< of each use, then each reading: a base that lies in its allocation
};

struct gcl_memo {
    const struct gcl_program *program;
    struct gcl_evaluator *evaluator;
    struct entry entries[ENTRIES]; ///< by hash; a new one takes an old one's place
    struct gcl_key key;            ///< of the launch that is looked for
    struct gcl_span *allocations;  ///< of its bases
    struct gcl_key_arguments arguments;
};

static size_t key_room(const struct gcl_memo *memo) {
    return 4 * sizeof(uint32_t[3]) + memo->arguments.count * sizeof(uint64_t) +
           memo->program->base_count * sizeof(uint64_t[3]);
}

struct gcl_memo *gcl_memo_create(const struct gcl_program *program) {
    struct gcl_memo *memo = calloc(1, sizeof *memo);
    if (!memo)
        return NULL;
    memo->program = program;
    memo->evaluator = gcl_evaluator_create(program);
    memo->allocations = malloc((program->base_count + 1u) * sizeof *memo->allocations);
    bool has_arguments = gcl_key_arguments_init(&memo->arguments, program);
    memo->key.bytes = malloc(key_room(memo));
    if (memo->evaluator && memo->allocations && has_arguments && memo->key.bytes)
        return memo;
    gcl_memo_destroy(memo);
    return NULL;
}

static void entry_finish(struct entry *entry) {
    free(entry->key.bytes);
    free(entry->bases);
    gcl_footprint_finish(&entry->footprint);
    *entry = (struct entry){0};
}

void gcl_memo_destroy(struct gcl_memo *memo) {
    if (!memo)
        return;
    for (size_t i = 0; i < ENTRIES; i++)
        entry_finish(&memo->entries[i]);
    gcl_evaluator_destroy(memo->evaluator);
    free(memo->allocations);
    free(memo->arguments.nodes);
    free(memo->key.bytes);
    free(memo);
}

// Keys.

// False: it lies outside of all allocations.
static bool append_base(struct gcl_memo *memo, const struct gcl_launch_part *launch,
                        const struct gcl_memory *memory, uint16_t index) {
    struct gcl_span *allocation = &memo->allocations[index];
    uint64_t address = 0, place[3] = {0, 0, index};
    *allocation = (struct gcl_span){0, 0};
    if (!gcl_footprint_base(memo->program, launch, index, &address))
        return true;
    if (!memory->find(memory->context, address, allocation))
        return false;
    place[0] = address - (uint64_t)allocation->begin;
    place[1] = (uint64_t)(allocation->end - allocation->begin);
    for (uint16_t i = index; i-- > 0;) {
        if (memo->allocations[i].begin == allocation->begin)
            place[2] = i;
    }
    gcl_key_append(&memo->key, place, sizeof place);
    return true;
}

static void make_key(struct gcl_memo *memo, const struct gcl_launch_part *launch,
                     const struct gcl_memory *memory) {
    struct gcl_key *key = &memo->key;
    key->size = 0;
    gcl_key_append(key, launch->block_size, sizeof launch->block_size);
    gcl_key_append(key, launch->grid_size, sizeof launch->grid_size);
    gcl_key_append(key, launch->begin, sizeof launch->begin);
    gcl_key_append(key, launch->end, sizeof launch->end);
    gcl_key_append_arguments(key, &memo->arguments, memo->program, launch->arguments);
    bool inside = true;
    for (uint16_t i = 0; i < memo->program->base_count; i++)
        inside = append_base(memo, launch, memory, i) && inside;
    key->size = inside ? key->size : 0;
    gcl_key_close(key);
}

// Entries.

static uint16_t base_in(const struct gcl_memo *memo, const struct gcl_span *allocation) {
    for (uint16_t i = 0; i < memo->program->base_count; i++) {
        if (memo->allocations[i].begin == allocation->begin && allocation->begin != 0)
            return i;
    }
    return NOWHERE;
}

// Whether an allocation still is what a base leads to, or, if none does, what there is.
static bool is_there(const struct gcl_memo *memo, const struct gcl_span *allocation, uint16_t base,
                     const struct gcl_memory *memory) {
    struct gcl_span now = base != NOWHERE ? memo->allocations[base] : (struct gcl_span){0, 0};
    if (base == NOWHERE && !memory->find(memory->context, (uint64_t)allocation->begin, &now))
        return false;
    return now.begin == allocation->begin && now.end == allocation->end;
}

// Whether all that isn't in the key is as it was.
static bool is_current(const struct gcl_memo *memo, const struct entry *entry,
                       const struct gcl_memory *memory) {
    const struct gcl_footprint *footprint = &entry->footprint;
    for (size_t i = 0; i < footprint->count; i++) {
        if (entry->bases[i] == NOWHERE &&
            !is_there(memo, &footprint->uses[i].allocation, NOWHERE, memory))
            return false;
    }
    for (size_t i = 0; i < footprint->reading_count; i++) {
        const struct gcl_reading *reading = &footprint->readings[i];
        uint16_t base = entry->bases[footprint->count + i];
        uint64_t version = 0;
        struct gcl_span run = {0, 1};
        if (!is_there(memo, &reading->allocation, base, memory) || !memory->contents ||
            !memory->contents(memory->context, &reading->allocation, &run, &version) ||
            version != reading->version)
            return false;
    }
    return !footprint->follows;
}

static bool fill(struct gcl_memo *memo, struct entry *entry, const struct gcl_launch_part *launch,
                 const struct gcl_memory *memory) {
    entry_finish(entry);
    if (!gcl_footprint_find(memo->evaluator, launch, memory, &entry->footprint))
        return false;
    struct gcl_footprint *footprint = &entry->footprint;
    entry->bases = malloc((footprint->count + footprint->reading_count + 1) * sizeof *entry->bases);
    if (!gcl_key_copy(&memo->key, &entry->key) || !entry->bases) {
        entry_finish(entry);
        return false;
    }
    for (size_t i = 0; i < footprint->count; i++)
        entry->bases[i] = base_in(memo, &footprint->uses[i].allocation);
    for (size_t i = 0; i < footprint->reading_count; i++)
        entry->bases[footprint->count + i] = base_in(memo, &footprint->readings[i].allocation);
    return true;
}

const struct gcl_footprint *gcl_memo_find(struct gcl_memo *memo,
                                          const struct gcl_launch_part *launch,
                                          const struct gcl_memory *memory) {
    make_key(memo, launch, memory);
    struct entry *entry = &memo->entries[memo->key.hash % ENTRIES];
    if (!gcl_key_equal(&entry->key, &memo->key) || !is_current(memo, entry, memory))
        return fill(memo, entry, launch, memory) ? &entry->footprint : NULL;
    for (size_t i = 0; i < entry->footprint.count; i++) {
        if (entry->bases[i] != NOWHERE)
            entry->footprint.uses[i].allocation = memo->allocations[entry->bases[i]];
    }
    return &entry->footprint;
}
