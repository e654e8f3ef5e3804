// Chunks have slots, which are fewer than addresses: as many as all tiers hold. One gets a slot
// when it is announced or comes, and keeps it until its memory is freed.
#include "exec/residency/choice.h"

#include <assert.h>
#include <stdlib.h>

enum { RECENT = 256 }; ///< stops

struct gcl_choice {
    struct gcl_ahead *ahead;
    uint32_t *numbers; ///< of chunks by slot; of a free one the next free one
    uint32_t slot_count, free;
    uint32_t recent[RECENT]; ///< chunks that threads have stopped at; a ring
    uint32_t recent_count, next;
    uint32_t announced, begun; ///< uses
    uint32_t before;           ///< uses that were announced before those, or couldn't be
    uint32_t latest;           ///< use
    uint32_t blind_until;      ///< uses up to this one aren't all known
};

static uint32_t most_slots(const struct gcl_residency *r) {
    return (uint32_t)(r->options.capacity / GCL_CHUNK_SIZE + r->top_places + 2);
}

/// Makes room for more slots, `count` in all. Uses that were announced are forgotten. False: no
/// memory.
static bool resize(struct gcl_choice *choice, uint32_t count) {
    struct gcl_ahead *ahead = gcl_ahead_create(count);
    uint32_t *numbers = realloc(choice->numbers, count * sizeof *numbers);
    if (numbers)
        choice->numbers = numbers;
    if (!ahead || !numbers) {
        gcl_ahead_destroy(ahead);
        return false;
    }
    gcl_ahead_destroy(choice->ahead);
    choice->ahead = ahead;
    choice->announced = choice->begun = 0;
    for (uint32_t slot = count - 1; slot >= choice->slot_count && slot > 0; slot--) {
        numbers[slot] = choice->free;
        choice->free = slot;
    }
    choice->slot_count = count;
    return true;
}

bool gcl_choice_open(struct gcl_residency *r) {
    struct gcl_choice *choice = calloc(1, sizeof *choice);
    uint64_t here = r->options.capacity / GCL_CHUNK_SIZE;
    uint64_t wanted = 2 * r->committed / GCL_CHUNK_SIZE + 2;
    if (!choice)
        return false;
    choice->recent_count = here / 4 < RECENT ? (uint32_t)(here / 4) : RECENT;
    r->choice = choice;
    return resize(choice, wanted < most_slots(r) ? (uint32_t)wanted : most_slots(r));
}

static void settle(struct gcl_residency *r, uint32_t number);

/// Makes as many slots again, if there may be more.
static void grow(struct gcl_residency *r) {
    struct gcl_choice *choice = r->choice;
    uint32_t old = choice->slot_count, most = most_slots(r);
    choice->blind_until = choice->latest;
    if (old == most || !resize(choice, old > most / 2 ? most : 2 * old))
        return;
    for (uint32_t slot = 1; slot < old; slot++)
        settle(r, choice->numbers[slot]);
}

/// 0: it can't have one.
static uint32_t slot_of(struct gcl_residency *r, uint32_t number) {
    struct gcl_choice *choice = r->choice;
    struct chunk *chunk = &r->chunks[number];
    if (!chunk->slot && !choice->free)
        grow(r);
    if (!chunk->slot && choice->free) {
        chunk->slot = choice->free;
        choice->free = choice->numbers[chunk->slot];
        choice->numbers[chunk->slot] = number;
    }
    return chunk->slot;
}

/// Whether a chunk stays, for a use or since a thread has just stopped at it.
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

/// A slot, and whether it is overwritten, as a number by which slots are sorted.
static uint32_t key_of(uint32_t slot, bool is_overwritten) {
    return 2 * slot + is_overwritten;
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
                slots[wanted++] = key_of(slot, ranges[i].is_overwritten);
        }
    }
    if (slots)
        qsort(slots, wanted, sizeof *slots, gcl_numbers_compare);
    for (size_t i = 0; slots && out && i < wanted; i++) {
        struct gcl_chunk_range next = {slots[i] / 2, slots[i] / 2 + 1, slots[i] % 2};
        struct gcl_chunk_range *last = joined ? &out[joined - 1] : NULL;
        if (last && last->end == next.begin && last->is_overwritten == next.is_overwritten)
            last->end = next.end;
        else
            out[joined++] = next;
    }
    if (!slots) {
        free(out);
        out = NULL;
    }
    free(slots);
    *count = joined;
    return out;
}

void gcl_choice_announce(struct gcl_residency *r, uint32_t use,
                         const struct gcl_chunk_range *ranges, size_t count, uint64_t kind) {
    struct gcl_chunk_range *slots = ranges ? slots_of(r, ranges, &count) : NULL;
    // Without memory what is known of the next uses is less.
    if (slots && gcl_ahead_announce(
                     r->choice->ahead,
                     &(struct gcl_ahead_command){.ranges = slots, .count = count, .kind = kind}))
        r->choice->announced++;
    else
        r->choice->blind_until = use;
    r->choice->latest = use;
    r->choice->before = use - r->choice->announced;
    free(slots);
}

void gcl_choice_begin(struct gcl_residency *r, uint32_t use) {
    struct gcl_choice *choice = r->choice;
    if (choice->begun == choice->announced)
        return;
    // Of streams that run side by side a later use may begin first: then its turn is another one's.
    if (use != ++choice->begun + choice->before)
        choice->blind_until = choice->latest;
    gcl_ahead_begin(choice->ahead);
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

void gcl_choice_hold(struct gcl_residency *r, uint32_t number, uint32_t use) {
    struct chunk *chunk = &r->chunks[number];
    if (use > chunk->use)
        chunk->use = use;
    if (chunk->state == CHUNK_HERE)
        settle(r, number);
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

uint32_t gcl_choice_overwritten_by(const struct gcl_residency *r, uint32_t number) {
    const struct gcl_choice *choice = r->choice;
    const struct chunk *chunk = &r->chunks[number];
    if (choice->blind_until >= r->in_use || !chunk->slot || is_held(r, chunk) ||
        !gcl_ahead_is_overwritten(choice->ahead, chunk->slot))
        return 0;
    return (uint32_t)gcl_ahead_next(choice->ahead, chunk->slot) + choice->before;
}

static uint64_t next_use(const struct gcl_residency *r, uint32_t number) {
    uint32_t slot = r->chunks[number].slot;
    return slot ? gcl_ahead_next(r->choice->ahead, slot) : GCL_ORDER_UNKNOWN;
}

// What threads stop at is needed by chunks, not by blocks.
bool gcl_choice_goes_with(const struct gcl_residency *r, uint32_t number, uint32_t victim) {
    const struct chunk *chunk = &r->chunks[number], *other = &r->chunks[victim];
    return number < r->chunk_count && chunk->state == CHUNK_HERE && !chunk->is_touched &&
           !other->is_touched && !chunk->is_recent && chunk->use <= other->use &&
           next_use(r, number) >= next_use(r, victim);
}

uint32_t gcl_choice_victim(const struct gcl_residency *r, bool is_pressing) {
    uint32_t slot = gcl_ahead_victim(r->choice->ahead);
    if (slot != GCL_ORDER_NONE)
        return r->choice->numbers[slot];
    // If all are in use, the one that has been here longest goes: threads get it back.
    return is_pressing ? r->oldest : 0;
}

bool gcl_choice_has_later(const struct gcl_residency *r, uint32_t use) {
    uint32_t slot = gcl_ahead_victim(r->choice->ahead);
    uint64_t next = slot == GCL_ORDER_NONE ? 0 : gcl_ahead_next(r->choice->ahead, slot);
    if (next > 0 && gcl_ahead_is_overwritten(r->choice->ahead, slot))
        return true;
    return next == GCL_ORDER_UNKNOWN || (next > 0 && next + r->choice->before > use);
}
