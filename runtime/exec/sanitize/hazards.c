// A barrier orders everything before it, so what a block did is forgotten there: the hash table
// holds what was accessed since, and is emptied by counting `turn` up.
//
// Of a granule of four bytes the last write is remembered, and the last reads of two threads. That
// is enough to find a race of each kind: a write races with an earlier one unless that was ordered,
// and what was before that one has been told of already. Bytes of a granule that are accessed one
// by one get cells of their own.
//
// What orders two accesses of a block without a barrier between:
//
//     - a warp operation that both threads came to: each thread keeps the clock of each lane of its
//       warp as it was when they last met (vector clocks, F. Mattern, Virtual Time and Global
//       States of Distributed Systems, 1989)
//     - a fence behind the first access, and something atomic or volatile that the other thread
//       looked at since: it may have seen a flag. What it saw isn't asked for, so of such pairs
//       some races remain unknown, and none is told of that isn't one.
#include "exec/sanitize/hazards.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "exec/sanitize/shadow.h"

enum { LEAST = 1 << 8, BYTES_OF_KEY = 8 };

// Kinds.

static bool writes(const struct gcl_hazard_access *a) {
    return (a->kinds & (GCL_RACE_WRITE | GCL_RACE_ATOMIC)) && !(a->kinds & GCL_RACE_READ);
}

// A volatile read that sees whole values may meet what others change atomically, any read what they
// change by operations with a result, and threads of different warps talk by volatile flags. Within
// a warp that was how one did without __syncwarp().
static bool may_meet(const struct gcl_hazard_access *a, const struct gcl_hazard_access *b) {
    bool is_warp = a->thread / GCL_HAZARD_WARP == b->thread / GCL_HAZARD_WARP;
    uint32_t both = a->kinds & b->kinds, any = a->kinds | b->kinds;
    bool is_volatile = (both & GCL_RACE_VOLATILE) && !is_warp;
    bool is_look = (any & GCL_RACE_ATOMIC) && (any & GCL_RACE_READ) &&
                   (any & (GCL_RACE_VOLATILE | GCL_HAZARD_RESULT));
    return (both & GCL_RACE_ATOMIC) || is_volatile || is_look;
}

static bool is_ordered(const struct gcl_hazards *h, const struct gcl_hazard_access *before,
                       uint32_t thread) {
    const struct gcl_hazard_thread *now = &h->threads[thread];
    bool is_warp = before->thread / GCL_HAZARD_WARP == thread / GCL_HAZARD_WARP;
    if (is_warp && now->clock[before->thread % GCL_HAZARD_WARP] >= before->clock)
        return true;
    return h->threads[before->thread].fenced > before->fences && now->synchronised > before->fences;
}

static bool races(const struct gcl_hazards *h, const struct gcl_hazard_access *before,
                  const struct gcl_hazard_access *now) {
    return before->site && before->thread != now->thread && (writes(before) || writes(now)) &&
           !may_meet(before, now) && !is_ordered(h, before, now->thread);
}

// Cells.

static size_t slot_of(const struct gcl_hazards *h, uint64_t key) {
    return (size_t)(key * 0x9e3779b97f4a7c15u >> 20) & (h->capacity - 1);
}

// The cell of `key`, or the free one where it would be.
static struct gcl_hazard_cell *look_up(const struct gcl_hazards *h, uint64_t key) {
    assert(h->count < h->capacity); // so that the walk ends
    for (size_t i = slot_of(h, key);; i = (i + 1) & (h->capacity - 1)) {
        struct gcl_hazard_cell *cell = &h->cells[i];
        if (cell->turn != h->turn || cell->key == key)
            return cell;
    }
}

static bool grow(struct gcl_hazards *h) {
    struct gcl_hazards larger = *h;
    larger.capacity = h->capacity ? 2 * h->capacity : LEAST;
    larger.cells = calloc(larger.capacity, sizeof *larger.cells);
    if (!larger.cells)
        return false;
    for (size_t i = 0; i < h->capacity; i++) {
        if (h->cells[i].turn == h->turn)
            *look_up(&larger, h->cells[i].key) = h->cells[i];
    }
    free(h->cells);
    *h = larger;
    return true;
}

// The cell of `key`, made if there is none yet; NULL: no memory.
static struct gcl_hazard_cell *cell_of(struct gcl_hazards *h, uint64_t key) {
    if (2 * h->count >= h->capacity && !grow(h))
        return NULL;
    struct gcl_hazard_cell *cell = look_up(h, key);
    if (cell->turn != h->turn) {
        *cell = (struct gcl_hazard_cell){.key = key, .turn = h->turn};
        h->count++;
    }
    return cell;
}

static uint64_t key_of_granule(uint64_t address) {
    return address / GCL_GRANULE * BYTES_OF_KEY;
}

static uint64_t key_of_byte(uint64_t address) {
    return key_of_granule(address) + 1 + address % GCL_GRANULE;
}

// Blocks.

bool gcl_hazards_begin(struct gcl_hazards *h, uint32_t thread_count) {
    assert(thread_count > 0 && thread_count <= GCL_HAZARD_THREADS);
    if (!h->threads)
        h->threads = calloc(GCL_HAZARD_THREADS, sizeof *h->threads);
    if (!h->threads || (!h->cells && !grow(h)))
        return false;
    memset(h->threads, 0, thread_count * sizeof *h->threads);
    for (uint32_t t = 0; t < thread_count; t++)
        h->threads[t].clock[t % GCL_HAZARD_WARP] = 1;
    h->fences = 0;
    gcl_hazards_barrier(h);
    return true;
}

void gcl_hazards_finish(struct gcl_hazards *h) {
    free(h->cells);
    free(h->threads);
    *h = (struct gcl_hazards){0};
}

void gcl_hazards_barrier(struct gcl_hazards *h) {
    h->turn++;
    h->count = 0;
}

void gcl_hazards_warp(struct gcl_hazards *h, uint32_t first, uint32_t lanes) {
    assert(first % GCL_HAZARD_WARP == 0 && first < GCL_HAZARD_THREADS);
    uint32_t clock[GCL_HAZARD_WARP] = {0};
    struct gcl_hazard_thread *threads = h->threads + first;
    for (unsigned l = 0; l < GCL_HAZARD_WARP; l++) {
        for (unsigned other = 0; (lanes >> l & 1) && other < GCL_HAZARD_WARP; other++)
            clock[other] =
                threads[l].clock[other] > clock[other] ? threads[l].clock[other] : clock[other];
    }
    for (unsigned l = 0; l < GCL_HAZARD_WARP; l++) {
        if (!(lanes >> l & 1))
            continue;
        memcpy(threads[l].clock, clock, sizeof clock);
        threads[l].clock[l]++;
    }
}

void gcl_hazards_fence(struct gcl_hazards *h, uint32_t thread) {
    assert(thread < GCL_HAZARD_THREADS);
    h->threads[thread].fenced = ++h->fences;
}

// Accesses.

static void note_read(struct gcl_hazard_cell *cell, const struct gcl_hazard_access *access) {
    struct gcl_hazard_access *reads = cell->reads, before = reads[0];
    reads[0] = *access;
    if (!before.site || before.thread == access->thread)
        return;
    uint32_t warp = access->thread / GCL_HAZARD_WARP;
    if (!reads[1].site || reads[1].thread / GCL_HAZARD_WARP == warp ||
        before.thread / GCL_HAZARD_WARP != warp)
        reads[1] = before;
}

// Notes an access to all bytes of a cell; true if it is a race.
static bool access_cell(const struct gcl_hazards *h, struct gcl_hazard_cell *cell,
                        const struct gcl_hazard_access *access, struct gcl_hazard_access *other) {
    const struct gcl_hazard_access *all[] = {&cell->write, &cell->reads[0], &cell->reads[1]};
    bool is_race = false;
    for (unsigned i = 0; i < 3 && !is_race; i++) {
        is_race = races(h, all[i], access);
        *other = *all[i];
    }
    if (writes(access))
        cell->write = *access;
    else
        note_read(cell, access);
    return is_race;
}

// Gives each byte of a granule a cell with what is known of all of them. False: no memory. Cells
// move when others are made.
static bool split(struct gcl_hazards *h, uint64_t address) {
    struct gcl_hazard_cell *cell = cell_of(h, key_of_granule(address));
    if (!cell || cell->is_split)
        return cell != NULL;
    struct gcl_hazard_cell known = *cell;
    cell->is_split = true;
    for (uint64_t b = 0; b < GCL_GRANULE; b++) {
        struct gcl_hazard_cell *part =
            cell_of(h, key_of_byte(address / GCL_GRANULE * GCL_GRANULE + b));
        if (!part)
            return false;
        memcpy(&part->write, &known.write, sizeof part->write);
        memcpy(part->reads, known.reads, sizeof part->reads);
    }
    return true;
}

// Bytes of one granule.
static bool access_bytes(struct gcl_hazards *h, const struct gcl_hazard_access *access,
                         uint64_t begin, uint64_t end, struct gcl_hazard *found) {
    bool is_race = false;
    assert(begin < end && end - begin <= GCL_GRANULE);
    if (!split(h, begin))
        return false;
    for (uint64_t at = begin; at < end; at++) {
        struct gcl_hazard_access other;
        struct gcl_hazard_cell *cell = cell_of(h, key_of_byte(at));
        if (!cell || !access_cell(h, cell, access, &other) || is_race)
            continue;
        *found = (struct gcl_hazard){other, at};
        is_race = true;
    }
    return is_race;
}

bool gcl_hazards_access(struct gcl_hazards *h, struct gcl_hazard_access *access, uint64_t address,
                        uint64_t size, struct gcl_hazard *found) {
    assert(access->thread < GCL_HAZARD_THREADS);
    struct gcl_hazard_thread *thread = &h->threads[access->thread];
    bool is_race = false;
    access->clock = thread->clock[access->thread % GCL_HAZARD_WARP];
    access->fences = h->fences;
    if (access->kinds & (GCL_RACE_ATOMIC | GCL_RACE_VOLATILE))
        thread->synchronised = h->fences;
    for (uint64_t at = address, next, end = address + size; at < end; at = next) {
        struct gcl_hazard one = {.address = at};
        next = at / GCL_GRANULE * GCL_GRANULE + GCL_GRANULE;
        next = next < end ? next : end;
        bool is_whole = next - at == GCL_GRANULE;
        struct gcl_hazard_cell *cell = is_whole ? cell_of(h, key_of_granule(at)) : NULL;
        bool is_found = cell && !cell->is_split ? access_cell(h, cell, access, &one.other)
                                                : access_bytes(h, access, at, next, &one);
        if (is_found && !is_race)
            *found = one;
        is_race = is_race || is_found;
    }
    return is_race;
}
