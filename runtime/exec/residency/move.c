// A chunk that comes or goes is MOVING meanwhile, and belongs to the thread that moves it; who else
// wants it waits. Room is taken before bytes come, and given when they have gone: so there are
// never more bytes here than the device holds.
//
// A chunk goes to the host's memory by its pages being moved there, where the system can do that:
// so there is one copy of it, and none is made. Otherwise, and to other tiers, it goes in three
// steps, whatever threads do with it: it is write-protected, its bytes are put into the store, its
// pages are dropped. Who writes or touches it meanwhile stops, and waits
// until it can come again. One that has not been written since it came is in the store already, and
// of one that the next use overwrites nobody needs the bytes: both are just dropped.
#include "exec/residency/move.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "exec/residency/arrival.h"
#include "exec/residency/choice.h"
#include "exec/residency/pieces.h"
#include "exec/residency/place.h"
#include "exec/residency/use.h"
#include "plan/directory/pages.h"

enum {
    STOPS_MOST = 8,          ///< times all memory that may come by stops before it is said,
    STOPS_LEAST = 512 << 20, ///< and bytes
    PUT_OFF_NS = 2000000,    ///< that a stop is put off at most
};

// Order of use. The lock is held.

static void unlink_chunk(struct gcl_residency *r, uint32_t number) {
    struct chunk *chunk = &r->chunks[number];
    *(chunk->newer ? &r->chunks[chunk->newer].older : &r->newest) = chunk->older;
    *(chunk->older ? &r->chunks[chunk->older].newer : &r->oldest) = chunk->newer;
    chunk->newer = chunk->older = 0;
}

static void link_chunk(struct gcl_residency *r, uint32_t number) {
    struct chunk *chunk = &r->chunks[number];
    chunk->newer = 0;
    chunk->older = r->newest;
    *(r->newest ? &r->chunks[r->newest].newer : &r->oldest) = number;
    r->newest = number;
}

void gcl_chunks_add(struct gcl_residency *r, uint32_t number, uint32_t use) {
    link_chunk(r, number);
    gcl_choice_add(r, number, use);
}

static void remove_chunk(struct gcl_residency *r, uint32_t number) {
    unlink_chunk(r, number);
    gcl_choice_remove(r, number);
}

/// Threads go on with zeros: what the device does from here on means nothing.
static void fail(struct gcl_residency *r, enum gcl_status status) {
    r->options.failed(r->options.context, status);
}

static enum gcl_status open_pages(struct gcl_residency *r, uint32_t number) {
    return gcl_pieces_open(r, &(struct gcl_piece){.number = number}, 1);
}

// Going.

struct going {
    uint32_t number;
    bool is_stored;   ///< the store has its bytes
    bool is_given_up; ///< the next use overwrites it
    bool is_moved;    ///< its pages are in the host's memory
    bool stays;       ///< it couldn't be put there
    struct gcl_patch *patch;
    unsigned char *copy; ///< of a chunk not all of which is allocated
};

/// Whether the bytes of a chunk that goes are to be put into the store.
static bool is_put(const struct going *going) {
    return !going->is_stored && !going->is_given_up && !going->is_moved;
}

/// Moves the pages of chunks to the host's memory, while there is room, if it takes pages.
static enum gcl_status move_away(struct gcl_residency *r, struct going *going, size_t count) {
    uint32_t numbers[GCL_MOVE_MOST];
    gcl_store_place places[GCL_MOVE_MOST];
    struct gcl_piece pieces[GCL_MOVE_MOST];
    size_t wanted = 0, next = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_put(&going[i]))
            numbers[wanted++] = going[i].number;
    }
    wanted = gcl_store_reserve(r->options.store, numbers, places, wanted);
    for (size_t i = 0; next < wanted; i++) {
        if (!is_put(&going[i]))
            continue;
        going[i].is_moved = true;
        r->chunks[going[i].number].place = places[next];
        pieces[next] =
            (struct gcl_piece){going[i].number, gcl_store_look(r->options.store, places[next])};
        next++;
    }
    return gcl_pieces_move_out(r, pieces, wanted);
}

/// Chunks of which bytes are kept are write-protected: nobody changes them from here on.
static enum gcl_status stop_writing(struct gcl_residency *r, const struct going *going,
                                    size_t count) {
    struct gcl_piece pieces[GCL_MOVE_MOST];
    size_t wanted = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_put(&going[i]) && !going[i].patch)
            continue;
        struct chunk *chunk = &r->chunks[going[i].number];
        pieces[wanted++] = (struct gcl_piece){.number = going[i].number};
        // Only pages that are there can be protected.
        if (chunk->is_partial && gcl_pieces_clear(r, &pieces[wanted - 1], 1) != GCL_OK)
            return GCL_SYSTEM;
        chunk->is_partial = false;
    }
    return gcl_pieces_protect(r, pieces, wanted);
}

/// The bytes of a chunk that nobody writes. NULL: no memory.
static void *bytes_of(struct gcl_residency *r, struct going *going) {
    if (r->chunks[going->number].pages == UINT16_MAX)
        return (void *)gcl_chunk_begin(r, going->number);
    going->copy = aligned_alloc(GCL_PAGE_SIZE, GCL_CHUNK_SIZE);
    if (!going->copy)
        return NULL;
    memset(going->copy, 0, GCL_CHUNK_SIZE);
    gcl_pieces_copy_out(r, &(struct gcl_piece){going->number, going->copy}, 1);
    return going->copy;
}

/// Puts those into the store that aren't there. What can't be, stays.
static enum gcl_status put(struct gcl_residency *r, struct going *going, size_t count) {
    struct gcl_store_transfer transfers[GCL_MOVE_MOST];
    struct going *of[GCL_MOVE_MOST];
    size_t wanted = 0;
    enum gcl_status status = move_away(r, going, count);
    if (status == GCL_OK)
        status = stop_writing(r, going, count);
    for (size_t i = 0; i < count; i++) {
        if (!is_put(&going[i]))
            continue;
        going[i].stays = true;
        transfers[wanted] =
            (struct gcl_store_transfer){.bytes = status == GCL_OK ? bytes_of(r, &going[i]) : NULL};
        if (transfers[wanted].bytes)
            of[wanted++] = &going[i];
        else
            status = status == GCL_OK ? GCL_NO_MEMORY : status;
    }
    enum gcl_status all = wanted > 0 ? gcl_store_put(r->options.store, transfers, wanted) : GCL_OK;
    for (size_t i = 0; i < wanted; i++) {
        r->chunks[of[i]->number].place = transfers[i].place;
        of[i]->stays = transfers[i].status != GCL_OK;
    }
    return status == GCL_OK ? all : status;
}

static int compare_going(const void *a, const void *b) {
    const struct going *x = a, *y = b;
    return gcl_numbers_compare(&x->number, &y->number);
}

/// Chunks that are MOVING go. The lock isn't held.
static enum gcl_status send_away(struct gcl_residency *r, struct going *going, size_t count) {
    uint32_t gone[GCL_MOVE_MOST];
    size_t gone_count = 0;
    qsort(going, count, sizeof *going, compare_going); // what lies side by side goes together
    enum gcl_status status = put(r, going, count);
    for (size_t i = 0; i < count; i++) {
        free(going[i].copy);
        if (going[i].patch)
            gcl_patch_take(going[i].patch, (const void *)gcl_chunk_begin(r, going[i].number));
        if (!going[i].stays && !going[i].is_moved)
            gone[gone_count++] = going[i].number;
        else if (going[i].stays && open_pages(r, going[i].number) != GCL_OK)
            status = GCL_SYSTEM;
    }
    enum gcl_status dropped = gcl_pieces_drop(r, gone, gone_count);
    return status == GCL_OK ? dropped : status;
}

/// Places in the store are nobody's. The lock is held.
static void drop_places(struct gcl_residency *r, const gcl_store_place *places, size_t count) {
    gcl_store_drop(r->options.store, places, count);
    assert(r->places >= count);
    r->places -= count;
}

/// A chunk's place in the store, if it has one, is nobody's. The lock is held.
static void drop_place(struct gcl_residency *r, struct chunk *chunk) {
    if (chunk->place)
        drop_places(r, &chunk->place, 1);
    chunk->place = 0;
}

/// A chunk's pages have been moved away from its place. The lock is held.
static void leave_place(struct gcl_residency *r, struct chunk *chunk) {
    gcl_store_drop_empty(r->options.store, chunk->place);
    chunk->place = 0;
    r->places--;
}

/// A chunk that is here and in the store, is going to be written. The lock is held.
static void begin_writing(struct gcl_residency *r, uint32_t number) {
    struct chunk *chunk = &r->chunks[number];
    if (!chunk->place)
        return;
    drop_place(r, chunk);
    if (open_pages(r, number) != GCL_OK)
        fail(r, GCL_SYSTEM);
}

/// Takes a place in the store, if there is none from one of those that are here as well. The lock
/// is held. False: there is none.
static bool take_place(struct gcl_residency *r) {
    for (uint32_t i = r->newest; i && r->places == r->most_places; i = r->chunks[i].older)
        begin_writing(r, i);
    if (r->places == r->most_places)
        return false;
    r->places++;
    return true;
}

/// Chunks that have gone so far.
static uint32_t gone_count(const struct gcl_residency *r) {
    return (uint32_t)((r->counts.went + r->counts.dropped) / GCL_CHUNK_SIZE);
}

/// Whether nobody needs a chunk's bytes, as what uses it next overwrites them, but for those for
/// which there is a patch now. The lock is held.
static bool may_give_up(struct gcl_residency *r, uint32_t number, struct gcl_patch **patch) {
    const struct chunk *chunk = &r->chunks[number];
    if (gcl_store_has_room_for_pages(r->options.store)) // moving takes less time than new pages
        return false;
    bool is_whole = chunk->pages == UINT16_MAX && !chunk->is_partial;
    uint32_t use = is_whole ? gcl_choice_overwritten_by(r, number) : 0;
    if (!use || !r->options.knows_all || !r->options.knows_all(r->options.context))
        return false;
    const struct gcl_holes *holes = gcl_use_holes(r, use, number);
    *patch = holes ? gcl_patch_create(holes) : NULL;
    return !holes || *patch;
}

/// A chunk begins to go. The lock is held. False: it has no place to go to.
static bool begin_going(struct gcl_residency *r, uint32_t number, struct going *going) {
    struct chunk *chunk = &r->chunks[number];
    assert(chunk->state == CHUNK_HERE);
    *going = (struct going){.number = number};
    going->is_given_up = may_give_up(r, number, &going->patch);
    going->is_stored = !going->is_given_up && chunk->place;
    bool puts = is_put(going);
    if (puts && !take_place(r))
        return false;
    remove_chunk(r, number);
    chunk->state = CHUNK_MOVING;
    *(puts ? &r->counts.went : &r->counts.dropped) += GCL_CHUNK_SIZE;
    chunk->gone_at = gone_count(r);
    return true;
}

/// Takes the chunks that go first: `wanted`, of which so many are lacking; and with one of them the
/// rest of its block that is needed no sooner. The lock is held. Returns how many.
static size_t choose(struct gcl_residency *r, struct going *going, size_t lacking, size_t wanted) {
    size_t count = 0;
    while (count < wanted && count + r->block <= GCL_MOVE_MOST) {
        uint32_t number = gcl_choice_victim(r, count < lacking);
        if (!number || !begin_going(r, number, &going[count]))
            break;
        count++;
        uint32_t begin = gcl_block_begin(r, number);
        for (uint32_t i = begin; i < begin + r->block; i++)
            count += gcl_choice_goes_with(r, i, number) && begin_going(r, i, &going[count]);
    }
    return count;
}

/// Whether chunks that are here have no place to go to, and nobody is about to give one up.
static bool is_full(const struct gcl_residency *r) {
    return r->oldest && r->places == r->most_places && r->under_way == 0;
}

/// Has those go on that have stopped at a chunk while it was moving: if they may not do with it
/// what they want, they stop again. The lock is held.
static void wake_awaiting(struct gcl_residency *r, uint32_t number) {
    struct chunk *chunk = &r->chunks[number];
    if (chunk->is_awaited)
        gcl_guard_wake(r->guard, gcl_chunk_begin(r, number), GCL_CHUNK_SIZE);
    chunk->is_awaited = false;
}

/// A chunk is gone, or couldn't go. The lock is held.
static void end_going(struct gcl_residency *r, const struct going *going) {
    struct chunk *chunk = &r->chunks[going->number];
    assert(chunk->state == CHUNK_MOVING && r->counts.resident >= GCL_CHUNK_SIZE);
    wake_awaiting(r, going->number);
    if (going->stays) {
        r->places--;
        chunk->state = CHUNK_HERE;
        gcl_chunks_add(r, going->number, 0);
        return;
    }
    chunk->state = going->is_given_up ? CHUNK_GIVEN_UP : CHUNK_STORED;
    chunk->patch = going->patch;
    if (going->is_given_up)
        drop_place(r, chunk);
    r->counts.resident -= GCL_CHUNK_SIZE;
}

/// The store has got room for more chunks from other nodes. The lock is held.
static void add_places(struct gcl_residency *r, size_t count) {
    r->most_places += count;
    if (r->most_places > r->top_places)
        r->top_places = r->most_places;
}

/// Chunks go for the lack of `size` bytes. The lock is held, and is let go meanwhile. False: no
/// chunk can go.
static bool make_room(struct gcl_residency *r, uint64_t size, struct gcl_residency_came *came) {
    struct going going[GCL_MOVE_MOST];
    size_t lacking = (size_t)((size + GCL_CHUNK_SIZE - 1) / GCL_CHUNK_SIZE);
    // Many cost hardly more than a few, and others will want room as well.
    size_t wanted = lacking > r->most_moved ? lacking : r->most_moved;
    size_t count = choose(r, going, lacking, wanted < GCL_MOVE_MOST ? wanted : GCL_MOVE_MOST);
    if (count == 0 && !is_full(r)) { // all are moving
        pthread_cond_wait(&r->moved, &r->lock);
        return true;
    }
    r->under_way += count;
    pthread_mutex_unlock(&r->lock);
    bool is_asked = count == 0 || gcl_store_may_grow(r->options.store);
    size_t grown = is_asked ? gcl_store_grow(r->options.store) : 0;
    enum gcl_status status = count > 0   ? send_away(r, going, count)
                             : grown > 0 ? GCL_OK
                                         : GCL_NO_MEMORY;
    if (status == GCL_NO_MEMORY && count == 0)
        gcl_log(
            GCL_LOG_ERROR,
            "no memory for what doesn't fit on the device: all of its tiers are full, and no "
            "other node has any to spare; GCL_HOST_MEMORY and GCL_SPILL say how large they are");
    pthread_mutex_lock(&r->lock);
    add_places(r, grown);
    for (size_t i = 0; i < count; i++)
        end_going(r, &going[i]);
    came->went += count * GCL_CHUNK_SIZE;
    r->under_way -= count;
    pthread_cond_broadcast(&r->moved);
    if (status != GCL_OK)
        fail(r, status);
    return status == GCL_OK;
}

/// Takes room for `size` bytes, even if there is none because of a failure. The lock is held, and
/// is let go while others go.
static void take_room(struct gcl_residency *r, uint64_t size, struct gcl_residency_came *came) {
    bool ok = true;
    while (ok && r->counts.resident + size > r->options.capacity)
        ok = make_room(r, r->counts.resident + size - r->options.capacity, came);
    r->counts.resident += size;
    if (r->counts.resident > r->counts.most)
        r->counts.most = r->counts.resident;
}

// Coming.

/// Something else uses a chunk than what would have overwritten it. The lock is held.
static void tell_given_up(struct gcl_residency *r) {
    gcl_log(GCL_LOG_ERROR,
            "memory is used that a launch or copy submitted before overwrites, with nothing that "
            "says which comes first: its bytes are gone; an event, or waiting for the stream, puts "
            "them in order");
    fail(r, GCL_SYSTEM);
}

/// Whether the pages of a chunk that comes are moved. What is read without the rest of its block is
/// copied instead: as it goes for nothing, that is faster.
static bool is_moved(const struct gcl_residency *r, uint32_t number, enum gcl_chunk_purpose purpose,
                     bool has_block) {
    const struct chunk *chunk = &r->chunks[number];
    return chunk->state == CHUNK_STORED && gcl_store_has_pages(r->options.store, chunk->place) &&
           (has_block || purpose != GCL_CHUNK_READ || chunk->is_partial);
}

/// Marks a chunk that isn't here as one that comes, with all of its block or without. The lock is
/// held.
static void begin_coming(struct gcl_residency *r, uint32_t number, enum gcl_chunk_purpose purpose,
                         bool has_block, struct gcl_coming *coming) {
    struct chunk *chunk = &r->chunks[number];
    bool is_stored = chunk->state == CHUNK_STORED, moves = is_moved(r, number, purpose, has_block);
    // Nobody needs its bytes, but it needs pages.
    if (is_stored && !moves && purpose == GCL_CHUNK_OVERWRITE) {
        drop_place(r, chunk);
        is_stored = false;
    }
    // What was kept of it others may use: as commands with an order of their own do, and the check
    // of a margin.
    if (chunk->state == CHUNK_GIVEN_UP && purpose < GCL_CHUNK_PATCH && !chunk->patch)
        tell_given_up(r);
    *coming = (struct gcl_coming){.number = number,
                                  .place = is_stored ? chunk->place : 0,
                                  .patch = chunk->patch,
                                  .keeps = is_stored && !moves && purpose == GCL_CHUNK_READ,
                                  .is_moved = moves};
    chunk->state = CHUNK_MOVING;
}

/// Ends what begin_coming began; after a failure pages may be missing. The lock is held.
static void end_coming(struct gcl_residency *r, const struct gcl_coming *coming, size_t count,
                       uint32_t use, enum gcl_status status) {
    for (size_t i = 0; i < count; i++) {
        struct chunk *chunk = &r->chunks[coming[i].number];
        assert(chunk->state == CHUNK_MOVING);
        chunk->state = CHUNK_HERE;
        wake_awaiting(r, coming[i].number); // who writes may have met a page that is only read
        gcl_patch_destroy(chunk->patch);
        chunk->patch = NULL;
        chunk->is_touched = use == 0;
        chunk->is_partial = status != GCL_OK || (coming[i].is_moved && chunk->is_partial);
        if (coming[i].is_moved && status == GCL_OK)
            leave_place(r, chunk);
        else if (!coming[i].keeps || status != GCL_OK)
            drop_place(r, chunk);
        gcl_chunks_add(r, coming[i].number, use);
    }
    pthread_cond_broadcast(&r->moved);
}

/// Whether a chunk can come. Where one is given up, what overwrites it has to come first.
static bool is_elsewhere(const struct chunk *chunk, bool is_waiting) {
    return chunk->state == CHUNK_ZERO || chunk->state == CHUNK_STORED ||
           (chunk->state == CHUNK_GIVEN_UP && !is_waiting);
}

/// Adds a chunk to what comes; nothing of one that comes as zeros. The lock is held.
static void add_came(const struct gcl_residency *r, const struct gcl_coming *coming,
                     struct gcl_residency_came *came) {
    if (!coming->place)
        return;
    uint64_t gone = (uint32_t)(gone_count(r) - r->chunks[coming->number].gone_at);
    // A chunk may have gone several times since; if all had room, none would.
    uint64_t most = r->committed > r->options.capacity ? r->committed - r->options.capacity : 0;
    uint64_t lack = gone * GCL_CHUNK_SIZE < most ? gone * GCL_CHUNK_SIZE : most;
    uint64_t count = came->bytes / GCL_CHUNK_SIZE;
    came->lack = (came->lack * count + lack) / (count + 1);
    came->most_lack = lack > came->most_lack ? lack : came->most_lack;
    came->bytes += GCL_CHUNK_SIZE;
    if (gcl_place_tier(coming->place) == GCL_TIER_FILE)
        came->from_files += GCL_CHUNK_SIZE;
}

/// The chunks of [begin, end) come that aren't here. The lock is held, and is let go meanwhile.
/// Adds to what came from the store.
static void bring_some(struct gcl_residency *r, uint32_t begin, uint32_t end,
                       struct gcl_chunk_want want, struct gcl_residency_came *came) {
    struct gcl_coming coming[GCL_MOVE_MOST];
    size_t count = 0;
    uint64_t before = came->bytes;
    for (uint32_t i = begin; i < end; i++) {
        struct chunk *chunk = &r->chunks[i];
        if (chunk->state == CHUNK_HERE) {
            unlink_chunk(r, i);
            gcl_chunks_add(r, i, want.use);
            if (want.purpose != GCL_CHUNK_READ)
                begin_writing(r, i);
        } else if (is_elsewhere(chunk, want.is_waiting)) {
            uint32_t block = gcl_block_begin(r, i);
            begin_coming(r, i, want.purpose, block >= begin && block + r->block <= end,
                         &coming[count]);
            add_came(r, &coming[count++], came);
        }
    }
    if (count == 0)
        return;
    take_room(r, count * GCL_CHUNK_SIZE, came);
    r->under_way += count;
    pthread_mutex_unlock(&r->lock);
    enum gcl_status status = gcl_chunks_arrive(r, coming, count);
    if (status != GCL_OK)
        fail(r, status);
    r->options.went_on(r->options.context, gcl_chunk_begin(r, begin), gcl_chunk_begin(r, end));
    pthread_mutex_lock(&r->lock);
    end_coming(r, coming, count, want.use, status);
    r->under_way -= count;
    r->counts.came += came->bytes - before;
}

struct gcl_residency_came gcl_chunks_bring(struct gcl_residency *r, uint32_t begin, uint32_t end,
                                           struct gcl_chunk_want want) {
    assert(end - begin <= r->most_moved);
    pthread_mutex_lock(&r->lock);
    struct gcl_residency_came came = {.bytes = 0};
    bring_some(r, begin, end, want, &came);
    for (uint32_t i = begin; i < end; i++) {
        while (r->chunks[i].state == CHUNK_MOVING)
            pthread_cond_wait(&r->moved, &r->lock);
        // The chunk was about to go when this began: from then on it would have stayed.
        if (is_elsewhere(&r->chunks[i], want.is_waiting))
            bring_some(r, i, i + 1, want, &came);
    }
    pthread_mutex_unlock(&r->lock);
    return came;
}

// Stops.

static bool may_come(const struct gcl_residency *r, uint32_t number) {
    return number > 0 && number < r->chunk_count && is_elsewhere(&r->chunks[number], true);
}

/// The chunks that come for a thread that has stopped at one: if it goes on where it or another one
/// has stopped before, upwards or downwards, twice as many as then.
static struct gcl_chunk_range next_stretch(struct gcl_residency *r, uint32_t number) {
    struct gcl_chunk_range *walk = NULL, next = {.begin = number, .end = number + 1};
    for (unsigned i = 0; i < GCL_RESIDENCY_WALKS && !walk; i++)
        walk = r->walks[i].end == number || r->walks[i].begin == number + 1 ? &r->walks[i] : NULL;
    uint32_t most = walk ? 2 * (walk->end - walk->begin) : 1;
    most = most < r->most_moved ? most : r->most_moved;
    bool is_upwards = walk && walk->end == number;
    if (!walk)
        walk = &r->walks[r->next_walk++ % GCL_RESIDENCY_WALKS];
    while (next.end - next.begin < most && may_come(r, is_upwards ? next.end : next.begin - 1)) {
        if (is_upwards)
            next.end++;
        else
            next.begin--;
    }
    *walk = next;
    return next;
}

/// A thread has stopped at a chunk that isn't here. The lock is held, and is let go meanwhile. Adds
/// what came from the store.
static void answer_stop(struct gcl_residency *r, uint32_t number, bool is_written,
                        struct gcl_residency_came *came) {
    struct gcl_chunk_range stretch = next_stretch(r, number);
    // What is going to be written would have all its threads stop once more.
    bool is_opened = is_written || (r->left_count > 0 && gcl_use_writes(r, number));
    struct gcl_chunk_want want = {.purpose = is_opened ? GCL_CHUNK_WRITE : GCL_CHUNK_READ};
    uint64_t before = came->bytes;
    bring_some(r, stretch.begin, stretch.end, want, came);
    r->counts.fault_bytes += came->bytes - before;
}

/// Says once that chunks come again and again because nobody knows ahead who touches them.
static void warn_of_stops(struct gcl_residency *r) {
    if (r->has_warned || r->counts.fault_bytes < STOPS_MOST * r->committed + STOPS_LEAST)
        return;
    r->has_warned = true;
    gcl_log(GCL_LOG_WARN,
            "threads have stopped %" PRIu64
            " times for memory that isn't on the device, and %" PRIu64
            " MiB came for that: launches touch more than its %zu MiB in an order that isn't known "
            "ahead (GCL_MEMORY in gcluster(7))",
            r->counts.faults, r->counts.fault_bytes >> 20, r->options.capacity >> 20);
}

/// A thread has stopped at a page of a chunk that nobody moves. The lock is held, and may be let go
/// meanwhile. Adds what moved.
static void answer(struct gcl_residency *r, uint32_t number, uintptr_t page, bool is_written,
                   struct gcl_residency_came *came) {
    const struct chunk *chunk = &r->chunks[number];
    uint32_t offset = (uint32_t)(page - gcl_chunk_begin(r, number));
    if (chunk->patch && !gcl_patch_has(chunk->patch, offset, offset + GCL_PAGE_SIZE))
        tell_given_up(r);
    if (chunk->state == CHUNK_HERE && chunk->place && is_written)
        begin_writing(r, number);
    else if (chunk->state != CHUNK_HERE && chunk->state != CHUNK_NONE)
        answer_stop(r, number, is_written, came);
    else if (chunk->state == CHUNK_HERE && // a page of it that nobody has touched
             gcl_guard_clear(r->guard, page, GCL_PAGE_SIZE) != GCL_OK)
        fail(r, GCL_SYSTEM);
}

/// Chunks come for stops that were put off. The lock is held, and is let go meanwhile.
static void answer_stops(struct gcl_residency *r, struct gcl_residency_came *came) {
    while (r->stop_count > 0) {
        struct gcl_residency_stop stop = r->stops[--r->stop_count];
        struct chunk *chunk = &r->chunks[stop.chunk];
        if (chunk->state == CHUNK_MOVING) {
            chunk->is_awaited = true;
            continue;
        }
        if (chunk->state != CHUNK_HERE && chunk->state != CHUNK_NONE)
            answer_stop(r, stop.chunk, stop.is_written, came);
        gcl_guard_wake(r->guard, gcl_chunk_begin(r, stop.chunk), GCL_CHUNK_SIZE);
    }
}

/// Puts a stop off until the other threads have stopped as well, or for a moment. Blocks that go
/// through the same memory stay together so, and it comes for all of them once; what comes for the
/// first one would otherwise go before the last one is there. The lock is held, and is let go
/// meanwhile.
static void put_off(struct gcl_residency *r, uint32_t number, bool is_written,
                    struct gcl_residency_came *came) {
    r->stops[r->stop_count++] = (struct gcl_residency_stop){number, is_written};
    if (r->has_waiter)
        return;
    struct timespec end = gcl_clock_in(PUT_OFF_NS);
    r->has_waiter = true;
    while (r->stop_count > 0 && pthread_cond_timedwait(&r->moved, &r->lock, &end) == 0)
        ;
    r->has_waiter = false;
    answer_stops(r, came);
}

enum gcl_guard_answer gcl_chunks_touched(void *residency, uintptr_t page, bool is_written,
                                         pid_t thread) {
    struct gcl_residency *r = residency;
    uint32_t number = gcl_chunk_at(r, page);
    struct gcl_residency_came came = {.is_touched = true, .begin_ns = gcl_clock_ns()};
    bool others_run = r->options.stopped(r->options.context, thread, page, &came.owner);
    pthread_mutex_lock(&r->lock);
    r->counts.faults++;
    // Whoever moves the chunk wakes the thread up.
    bool is_moving = r->chunks[number].state == CHUNK_MOVING;
    bool is_put_off = is_elsewhere(&r->chunks[number], true) && others_run && r->left_count > 0 &&
                      r->stop_count < GCL_RESIDENCY_STOPS;
    r->chunks[number].is_awaited |= is_moving;
    if (is_put_off) {
        put_off(r, number, is_written, &came);
    } else if (!is_moving) {
        answer_stops(r, &came);
        answer(r, number, page, is_written, &came);
    }
    warn_of_stops(r);
    pthread_mutex_unlock(&r->lock);
    if (!is_moving && !is_put_off)
        r->options.went_on(r->options.context, page, page + GCL_PAGE_SIZE);
    if (came.bytes + came.went > 0)
        r->options.came(r->options.context, &came);
    return is_moving || is_put_off ? GCL_GUARD_LATER : GCL_GUARD_ANSWERED;
}

void gcl_chunks_forget(struct gcl_residency *r, uint32_t begin, uint32_t end) {
    gcl_store_place places[GCL_MOVE_MOST];
    size_t place_count = 0;
    for (uint32_t i = begin; i < end; i++) {
        struct chunk *chunk = &r->chunks[i];
        while (chunk->state == CHUNK_MOVING)
            pthread_cond_wait(&r->moved, &r->lock);
        if (chunk->state == CHUNK_NONE)
            continue;
        if (chunk->state == CHUNK_HERE) {
            unlink_chunk(r, i);
            r->counts.resident -= GCL_CHUNK_SIZE;
        }
        if (r->choice)
            gcl_choice_forget(r, i);
        if (chunk->place)
            places[place_count++] = chunk->place;
        if (place_count == GCL_MOVE_MOST) {
            drop_places(r, places, place_count);
            place_count = 0;
        }
        gcl_patch_destroy(chunk->patch);
        *chunk = (struct chunk){.state = CHUNK_NONE};
        r->committed -= GCL_CHUNK_SIZE;
    }
    drop_places(r, places, place_count);
}
