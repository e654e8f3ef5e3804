// A message that doesn't fit before the end of the ring starts at its begin; a head that says so
// fills what is left. Messages and heads are multiples of a head's size, so that one always fits.
#include "ring.h"

#include <assert.h>
#include <string.h>

#define FILLER UINT64_MAX

struct head {
    uint64_t moment;
    uint64_t size; ///< FILLER: nothing follows before the end of the ring
};

static size_t span_of(size_t size) {
    size_t unit = sizeof(struct head);
    return unit + (size + unit - 1) / unit * unit;
}

/// Bytes that are left unused before a message, since it wouldn't fit there.
static size_t gap_before(uint64_t position, size_t room, size_t size) {
    size_t at = position & (room - 1);
    assert((room & (room - 1)) == 0 && at % sizeof(struct head) == 0);
    return at + span_of(size) > room ? room - at : 0;
}

static uint64_t written_of(const struct gcl_ring *ring) {
    return atomic_load_explicit(&ring->written, memory_order_relaxed); // the writer's own
}

uint64_t gcl_ring_wanted(const struct gcl_ring *ring, size_t room, size_t size) {
    uint64_t written = written_of(ring);
    uint64_t end = written + gap_before(written, room, size) + span_of(size);
    assert(size > 0 && size <= gcl_ring_most(room));
    return end > room ? end - room : 0;
}

unsigned char *gcl_ring_place(struct gcl_ring *ring, size_t room, size_t size) {
    uint64_t written = written_of(ring);
    size_t at = written & (room - 1), gap = gap_before(written, room, size);
    assert(atomic_load(&ring->taken) >= gcl_ring_wanted(ring, room, size));
    if (gap > 0) {
        const struct head filler = {.size = FILLER};
        memcpy(ring->bytes + at, &filler, sizeof filler);
        at = 0;
    }
    return ring->bytes + at + sizeof(struct head);
}

uint64_t gcl_ring_close(struct gcl_ring *ring, size_t room, uint64_t moment, size_t size) {
    uint64_t begin = written_of(ring);
    begin += gap_before(begin, room, size);
    const struct head head = {moment, size};
    memcpy(ring->bytes + (begin & (room - 1)), &head, sizeof head);
    return begin + span_of(size);
}

struct gcl_ring_message gcl_ring_first(const struct gcl_ring *ring, size_t room) {
    uint64_t taken = atomic_load_explicit(&ring->taken, memory_order_relaxed); // the reader's own
    size_t at = taken & (room - 1);
    struct head head;
    assert(atomic_load(&ring->written) > taken);
    memcpy(&head, ring->bytes + at, sizeof head);
    if (head.size == FILLER) {
        taken += room - at;
        at = 0;
        memcpy(&head, ring->bytes, sizeof head);
    }
    if (head.size > gcl_ring_most(room) || at + span_of(head.size) > room)
        return (struct gcl_ring_message){.bytes = NULL};
    return (struct gcl_ring_message){.moment = head.moment,
                                     .bytes = ring->bytes + at + sizeof head,
                                     .size = head.size,
                                     .end = taken + span_of(head.size)};
}
