// Messages come out of a ring as they were put in, whatever their sizes, and garbage doesn't.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cluster/messages/ring.h"

enum { ROOM = 4096, MESSAGES = 20000, MOST_WAITING = 64, GARBAGE = 1000 };

static struct gcl_ring *create(void) {
    struct gcl_ring *ring = aligned_alloc(64, sizeof *ring + ROOM);
    assert_non_null(ring);
    memset(ring, 0, sizeof *ring + ROOM);
    return ring;
}

static unsigned char value_of(uint64_t moment, size_t at) {
    return (unsigned char)(moment * 31 + at * 7);
}

/// False: there is no room.
static bool put(struct gcl_ring *ring, uint64_t moment, size_t size) {
    if (ring->taken < gcl_ring_wanted(ring, ROOM, size))
        return false;
    unsigned char *out = gcl_ring_place(ring, ROOM, size);
    assert_true(out >= ring->bytes && out + size <= ring->bytes + ROOM);
    for (size_t i = 0; i < size; i++)
        out[i] = value_of(moment, i);
    ring->written = gcl_ring_close(ring, ROOM, moment, size);
    assert_true(ring->written - ring->taken <= ROOM);
    return true;
}

static void take(struct gcl_ring *ring, uint64_t moment, size_t size) {
    struct gcl_ring_message message = gcl_ring_first(ring, ROOM);
    assert_non_null(message.bytes);
    assert_int_equal(message.moment, moment);
    assert_int_equal(message.size, size);
    for (size_t i = 0; i < size; i++)
        assert_int_equal(message.bytes[i], value_of(moment, i));
    ring->taken = message.end;
}

static void messages_come_in_order(void **state) {
    (void)state;
    struct gcl_ring *ring = create();
    size_t sizes[MESSAGES];
    uint64_t written = 0, taken = 0;
    srand(7);
    while (taken < MESSAGES) {
        bool writes = written < MESSAGES && (written == taken || rand() % 3);
        if (writes && written - taken < MOST_WAITING) {
            sizes[written] = 1 + (size_t)rand() % (rand() % 4 ? 60 : gcl_ring_most(ROOM));
            writes = put(ring, written, sizes[written]);
            assert_true(writes || written > taken); // an empty ring has room for any message
            written += writes;
        }
        if (taken < written && (!writes || rand() % 2)) {
            take(ring, taken, sizes[taken]);
            taken++;
        }
    }
    assert_int_equal(ring->written, ring->taken);
    free(ring);
}

static void garbage_is_no_message(void **state) {
    (void)state;
    struct gcl_ring *ring = create();
    srand(8);
    for (int i = 0; i < GARBAGE; i++) {
        for (size_t at = 0; at < ROOM; at++)
            ring->bytes[at] = (unsigned char)(rand() % 4 ? 0xff : rand());
        if (i % 2)
            memset(ring->bytes, 0xff, ROOM); // fillers
        ring->taken = (uint64_t)(rand() % (ROOM / 16)) * 16;
        ring->written = ring->taken + 16;
        struct gcl_ring_message message = gcl_ring_first(ring, ROOM);
        if (message.bytes)
            assert_true(message.bytes >= ring->bytes && message.size <= gcl_ring_most(ROOM) &&
                        message.bytes + message.size <= ring->bytes + ROOM);
    }
    free(ring);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_come_in_order),
        cmocka_unit_test(garbage_is_no_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
