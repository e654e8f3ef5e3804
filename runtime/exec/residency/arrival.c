// Bytes are copied to pages by the system (guard.h); but pages that are there already are moved:
// those that the host's memory has, and those of a large page that all comes at once. Each page of
// its own costs a processor microseconds when it is first touched, and far more in a virtual
// machine.
#include "exec/residency/arrival.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "exec/residency/move.h"
#include "exec/residency/pieces.h"
#include "plan/directory/pages.h"

/// Chunks that come, and how.
struct arrival {
    const struct gcl_coming *coming;
    size_t count;
    unsigned char *buffer;                       ///< NULL: none is needed, or there is no memory
    const unsigned char *sources[GCL_MOVE_MOST]; ///< NULL: they can't be had
    bool is_large[GCL_MOVE_MOST];                ///< with the large page that it is a part of
    struct gcl_piece copied[GCL_MOVE_MOST], shut[GCL_MOVE_MOST], moved[GCL_MOVE_MOST];
    size_t copies, shuts, moves;
};

/// Room for chunks, whose places in it are as far from a large page's beginning as their pages are:
/// so that these can be moved as large ones. NULL: no memory.
static unsigned char *take_buffer(struct gcl_residency *r) {
    pthread_mutex_lock(&r->lock);
    struct gcl_residency_buffer *buffer = r->buffers;
    if (buffer)
        r->buffers = buffer->next;
    pthread_mutex_unlock(&r->lock);
    if (buffer)
        return (unsigned char *)buffer;
    size_t size = (size_t)(r->most_moved + r->block - 1) * GCL_CHUNK_SIZE;
    size_t alignment = (size_t)r->block * GCL_CHUNK_SIZE;
    unsigned char *bytes = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (bytes && r->block > 1)
        madvise(bytes, size, MADV_HUGEPAGE);
    return bytes;
}

/// Takes NULL.
static void give_buffer(struct gcl_residency *r, void *bytes) {
    struct gcl_residency_buffer *buffer = bytes;
    if (!buffer)
        return;
    pthread_mutex_lock(&r->lock);
    buffer->next = r->buffers;
    r->buffers = buffer;
    pthread_mutex_unlock(&r->lock);
}

static unsigned char *room_for(const struct gcl_residency *r, const struct arrival *a, size_t i) {
    uint32_t first = gcl_block_begin(r, a->coming[0].number);
    return a->buffer + (size_t)(a->coming[i].number - first) * GCL_CHUNK_SIZE;
}

/// Whether what comes from number i on is a whole block, of which nothing is here and no copy
/// stays.
static bool is_block(const struct gcl_residency *r, const struct arrival *a, size_t i) {
    const struct gcl_coming *first = &a->coming[i];
    bool is = r->block > 1 && a->count - i >= r->block &&
              gcl_block_begin(r, first->number) == first->number;
    for (size_t k = 0; is && k < r->block; k++) {
        const struct gcl_coming *c = &first[k];
        is = c->number == first->number + k && !c->is_moved && !c->keeps && !c->patch &&
             !c->place == !first->place && r->chunks[c->number].pages == UINT16_MAX;
    }
    return is;
}

static bool mark_blocks(const struct gcl_residency *r, struct arrival *a) {
    bool has_any = false;
    for (size_t i = 0; i < a->count;) {
        bool is = is_block(r, a, i);
        size_t size = is ? r->block : 1;
        for (size_t end = i + size; i < end; i++)
            a->is_large[i] = is;
        has_any |= is;
    }
    return has_any;
}

/// The room for a block that comes as zeros becomes new pages, or a large one if the system has it.
static bool clear_block(const struct gcl_residency *r, unsigned char *room) {
    size_t size = (size_t)r->block * GCL_CHUNK_SIZE;
    madvise(room, size, MADV_DONTNEED);
    return madvise(room, size, MADV_POPULATE_WRITE) == 0;
}

/// Gets what doesn't lie anywhere to the buffer: the store's bytes, zeros and what was kept of
/// them, and large pages of zeros.
static enum gcl_status get(struct gcl_residency *r, struct arrival *a) {
    struct gcl_store_transfer transfers[GCL_MOVE_MOST];
    size_t wanted = 0;
    a->buffer = take_buffer(r);
    if (!a->buffer)
        return GCL_NO_MEMORY;
    for (size_t i = 0; i < a->count; i++) {
        const struct gcl_coming *coming = &a->coming[i];
        unsigned char *room = room_for(r, a, i);
        bool is_first = a->is_large[i] && gcl_block_begin(r, coming->number) == coming->number;
        if (!coming->place && is_first)
            a->is_large[i] = clear_block(r, room);
        else if (!coming->place && a->is_large[i])
            a->is_large[i] = a->is_large[i - 1];
        else if (coming->patch)
            gcl_patch_put(coming->patch, memset(room, 0, GCL_CHUNK_SIZE));
        else if (!a->sources[i])
            transfers[wanted++] =
                (struct gcl_store_transfer){.bytes = room, .place = coming->place};
        if (!coming->place && (a->is_large[i] || coming->patch))
            a->sources[i] = room;
    }
    enum gcl_status status = gcl_store_get(r->options.store, transfers, wanted);
    for (size_t i = 0; i < a->count; i++) {
        if (!a->sources[i] && status == GCL_OK)
            a->sources[i] = room_for(r, a, i);
    }
    return status;
}

/// Finds where the bytes of chunks lie: zeros, the store's, or a buffer.
static enum gcl_status find_sources(struct gcl_residency *r, struct arrival *a) {
    bool lacks_some = mark_blocks(r, a);
    for (size_t i = 0; i < a->count; i++) {
        const struct gcl_coming *coming = &a->coming[i];
        a->sources[i] = coming->place   ? gcl_store_look(r->options.store, coming->place)
                        : coming->patch ? NULL
                                        : r->zeros + i * GCL_CHUNK_SIZE;
        lacks_some |= !a->sources[i];
    }
    return lacks_some ? get(r, a) : GCL_OK;
}

/// What couldn't be had comes as zeros.
static void sort(const struct gcl_residency *r, struct arrival *a) {
    for (size_t i = 0; i < a->count; i++) {
        const struct gcl_coming *coming = &a->coming[i];
        bool is_found = a->sources[i];
        struct gcl_piece piece = {coming->number,
                                  is_found ? a->sources[i] : r->zeros + i * GCL_CHUNK_SIZE};
        if (coming->is_moved || (a->is_large[i] && is_found))
            a->moved[a->moves++] = piece;
        else if (is_found && coming->keeps)
            a->shut[a->shuts++] = piece;
        else
            a->copied[a->copies++] = piece;
    }
}

enum gcl_status gcl_chunks_arrive(struct gcl_residency *r, const struct gcl_coming *coming,
                                  size_t count) {
    struct arrival a = {.coming = coming, .count = count};
    enum gcl_status status = find_sources(r, &a);
    sort(r, &a);
    enum gcl_status filled[] = {gcl_pieces_fill(r, a.copied, a.copies, true),
                                gcl_pieces_fill(r, a.shut, a.shuts, false),
                                gcl_pieces_move_in(r, a.moved, a.moves)};
    give_buffer(r, a.buffer);
    for (size_t i = 0; i < sizeof filled / sizeof filled[0] && status == GCL_OK; i++)
        status = filled[i];
    return status;
}
