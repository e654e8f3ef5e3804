// Chunks have slots, which are fewer than addresses: as many as all tiers hold. One gets a slot
// when it is announced or comes, and keeps it until its memory is freed.
#include "exec/residency/choice.h"

#include <assert.h>
#include <stdlib.h>

enum { RECENT = 32 }; ///< stops

struct gcl_choice {
    struct gcl_ahead *ahead;
    uint32_t *numbers; ///< of chunks by slot; of a free one the next free one
    uint32_t slot_count, free;
    uint32_t recent[RECENT]; ///< chunks that threads have stopped at; a ring
    uint32_t recent_count, next;
    uint32_t announced, begun; ///< uses
};

bool gcl_choice_open(struct gcl_residency *r) {
    struct gcl_choice *choice = calloc(1, sizeof *choice);
    uint64_t here = r->options.capacity / GCL_CHUNK_SIZE;
    if (!choice)
        return false;
    choice->slot_count = (uint32_t)(here + r->most_places + 2);
    choice->recent_count = here / 4 < RECENT ? (uint32_t)(here / 4) : RECENT;
    choice->ahead = gcl_ahead_create(choice->slot_count);
    choice->numbers = malloc(choice->slot_count * sizeof *choice->numbers);
    r->choice = choice;
    if (!choice->ahead || !choice->numbers)
        return false;
    for (uint32_t slot = 1; slot < choice->slot_count; slot++)
        choice->numbers[slot] = slot + 1 < choice->slot_count ? slot + 1 : 0;
    choice->free = 1;
    return true;
}

/// 0: it can't have one.
static uint32_t slot_of(struct gcl_residency *r, uint32_t number) {
    struct gcl_choice *choice = r->choice;
    struct chunk *chunk = &r->chunks[number];
    if (!chunk->slot && choice->free) {
        chunk->slot = choice->free;
        choice->free = choice->numbers[chunk->slot];
        choice->numbers[chunk->slot] = number;
    }
    return chunk->slot;
}

/// Whether it stays for now.
static bool is_held(const struct gcl_residency *r, const struct chunk *chunk) {
    return chunk->use >= r->in_use || chunk->is_recent;
}

static void settle(struct gcl_residency *r, uint32_t number) {
    const struct chunk *chunk = &r->chunks[number];
    if (!slot_of(r, number))
        return;
    if (chunk->state == CHUNK_HERE && !is_held(r, chunk))
        gcl_ahead_add(r->choice->ahead, chunk->slot);
    else
        gcl_ahead_remove(r->choice->ahead, chunk->slot);
}

static int compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/// Slots of the ranges' chunks, ascending, in ranges. NULL: no memory.
static struct gcl_chunk_range *slots_of(struct gcl_residency *r,
                                        const struct gcl_chunk_range *ranges, size_t *count) {
    size_t size = 0, wanted = 0, joined = 0;
    for (size_t i = 0; i < *count; i++)
        size += ranges[i].end - ranges[i].begin;
    uint32_t *slots = malloc((size + 1) * sizeof *slots);
    struct gcl_chunk_range *out = malloc((size + 1) * sizeof *out);
    for (size_t i = 0; slots && out && i < *count; i++) {
        for (uint32_t number = ranges[i].begin; number < ranges[i].end; number++) {
            uint32_t slot = slot_of(r, number);
            if (slot)
                slots[wanted++] = slot;
        }
    }
    if (slots)
        qsort(slots, wanted, sizeof *slots, compare);
    for (size_t i = 0; slots && out && i < wanted; i++) {
        if (joined > 0 && out[joined - 1].end == slots[i])
            out[joined - 1].end = slots[i] + 1;
        else
            out[joined++] = (struct gcl_chunk_range){slots[i], slots[i] + 1};
    }
    if (!slots) {
        free(out);
        out = NULL;
    }
    free(slots);
    *count = joined;
    return out;
}

void gcl_choice_announce(struct gcl_residency *r, const struct gcl_chunk_range *ranges,
                         size_t count, uint64_t kind) {
    struct gcl_chunk_range *slots = slots_of(r, ranges, &count);
    // Without memory what is known of the next uses is less.
    if (slots && gcl_ahead_announce(
                     r->choice->ahead,
                     &(struct gcl_ahead_command){.ranges = slots, .count = count, .kind = kind}))
        r->choice->announced++;
    free(slots);
}

void gcl_choice_begin(struct gcl_residency *r) {
    if (r->choice->begun == r->choice->announced)
        return;
    r->choice->begun++;
    gcl_ahead_begin(r->choice->ahead);
}

/// A thread has stopped at a chunk: those that the last ones have stopped at stay.
static void note_stop(struct gcl_residency *r, uint32_t number) {
    struct gcl_choice *choice = r->choice;
    if (r->chunks[number].is_recent || choice->recent_count == 0)
        return;
    uint32_t old = choice->recent[choice->next];
    choice->recent[choice->next] = number;
    choice->next = (choice->next + 1) % choice->recent_count;
    r->chunks[number].is_recent = true;
    if (old) {
        r->chunks[old].is_recent = false;
        settle(r, old);
    }
}

void gcl_choice_add(struct gcl_residency *r, uint32_t number, uint32_t use) {
    if (use > r->chunks[number].use)
        r->chunks[number].use = use;
    if (use == 0)
        note_stop(r, number);
    settle(r, number);
}

void gcl_choice_remove(struct gcl_residency *r, uint32_t number) {
    if (r->chunks[number].slot)
        gcl_ahead_remove(r->choice->ahead, r->chunks[number].slot);
}

void gcl_choice_release(struct gcl_residency *r, uint32_t number) {
    if (r->chunks[number].state == CHUNK_HERE)
        settle(r, number);
}

void gcl_choice_forget(struct gcl_residency *r, uint32_t number) {
    struct gcl_choice *choice = r->choice;
    struct chunk *chunk = &r->chunks[number];
    for (uint32_t i = 0; chunk->is_recent && i < choice->recent_count; i++)
        choice->recent[i] = choice->recent[i] == number ? 0 : choice->recent[i];
    if (!chunk->slot)
        return;
    gcl_ahead_remove(choice->ahead, chunk->slot);
    choice->numbers[chunk->slot] = choice->free;
    choice->free = chunk->slot;
    chunk->slot = 0;
}

uint32_t gcl_choice_victim(const struct gcl_residency *r) {
    uint32_t slot = gcl_ahead_victim(r->choice->ahead);
    // If all are in use, the one that has been here longest goes: threads get it back.
    return slot == GCL_ORDER_NONE ? r->oldest : r->choice->numbers[slot];
}

bool gcl_choice_has_later(const struct gcl_residency *r, uint32_t use) {
    uint32_t slot = gcl_ahead_victim(r->choice->ahead);
    return slot != GCL_ORDER_NONE && gcl_ahead_next(r->choice->ahead, slot) > use;
}
