// What one node has for others in an exchange: both sides make the same messages of it, one for
// each of them if it is small, and bytes come to their places.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cluster/messages/freight.h"

enum { NODES = 4, MOST = 12, ROOM = 96 << 10, ROUNDS = 2000 };

static void pack(const struct gcl_packer *self, const struct gcl_region *region,
                 const unsigned char *place, unsigned char *packed) {
    (void)self;
    gcl_region_pack(region, place, packed);
}

static void unpack(const struct gcl_packer *self, const struct gcl_region *region,
                   const unsigned char *packed, unsigned char *place) {
    (void)self;
    gcl_region_unpack(region, packed, (struct gcl_span){0, ROOM}, place);
}

static const struct gcl_packer packer = {.pack = pack, .unpack = unpack};
static unsigned char sources[MOST][ROOM], targets[MOST][ROOM], aside[MOST][ROOM];

/// An exchange as the node sees it that sends, node 0, and as those do that receive.
struct exchange {
    struct gcl_region regions[MOST];
    struct gcl_request sent[MOST], received[MOST];
    size_t count;
    size_t sizes[NODES], messages[NODES]; ///< of each peer: bytes of the last message, and messages
};

static int64_t below(int64_t limit) {
    return rand() % limit;
}

static struct gcl_region make_region(void) {
    struct gcl_region region = {.count = 0};
    if (below(2)) {
        int64_t begin = below(ROOM / 2);
        return gcl_region_run(begin, begin + 1 + below(below(4) ? 2000 : ROOM / 2));
    }
    struct gcl_level level = {64 + below(64), 2 + below(300)};
    assert_true(gcl_region_from_box(below(ROOM / 2), 1 + below(63), &level, 1, &region));
    return region;
}

static struct exchange *make_exchange(void) {
    static struct exchange x;
    memset(&x, 0, sizeof x);
    x.count = (size_t)below(MOST + 1);
    for (size_t i = 0; i < x.count; i++) {
        gcl_node peer = 1 + (gcl_node)below(NODES - 1);
        x.regions[i] = make_region();
        x.sent[i] = (struct gcl_request){.peer = peer,
                                         .is_sent = true,
                                         .tag = 100 + i,
                                         .size = (size_t)gcl_region_size(&x.regions[i]),
                                         .region = &x.regions[i],
                                         .place = sources[i],
                                         .packer = &packer};
        x.received[i] = x.sent[i];
        x.received[i].peer = 0;
        x.received[i].is_sent = false;
        x.received[i].place = targets[i];
        x.received[i].bytes = below(3) ? NULL : aside[i];
        x.sizes[peer] += x.sent[i].size;
        if (x.messages[peer] == 0 || x.sizes[peer] > GCL_FREIGHT_TOGETHER) {
            x.messages[peer]++;
            x.sizes[peer] = x.sent[i].size;
        }
    }
    return &x;
}

static void finish_exchange(struct exchange *x) {
    for (size_t i = 0; i < x->count; i++)
        gcl_region_finish(&x->regions[i]);
}

/// The freight of the requests from or to one peer, or, if that is none, of all.
static struct gcl_freight load(const struct exchange *x, bool is_sent, gcl_node peer,
                               const struct gcl_request **room) {
    struct gcl_freight freight;
    size_t count = 0;
    for (size_t i = 0; i < x->count; i++) {
        if (peer == GCL_NO_NODE || x->sent[i].peer == peer)
            room[count++] = is_sent ? &x->sent[i] : &x->received[i];
    }
    assert_true(gcl_freight_init(&freight, room, count));
    gcl_freight_load(&freight, 0, freight.count);
    return freight;
}

/// Carries one node's messages over, and takes them from those of the sender that are left.
static void carry(const struct exchange *x, gcl_node node, struct gcl_freight *sender) {
    const struct gcl_request *room[MOST];
    struct gcl_freight freight = load(x, false, node, room);
    assert_int_equal(freight.count, x->messages[node]);
    for (size_t i = 0; i < freight.count; i++) {
        struct gcl_request *to = &freight.messages[i], *from = sender->messages;
        while (from < sender->messages + sender->count && from->tag != to->tag)
            from++;
        assert_true(from < sender->messages + sender->count);
        assert_int_equal(from->peer, node);
        assert_int_equal(from->size, to->size);
        memcpy(to->bytes, from->bytes, to->size);
        from->tag = 0;
    }
    gcl_freight_unload(&freight, 0, freight.count);
    gcl_freight_finish(&freight);
}

static void check_bytes(const struct exchange *x) {
    static unsigned char wanted[ROOM];
    for (size_t i = 0; i < x->count; i++) {
        gcl_region_pack(&x->regions[i], sources[i], wanted);
        if (x->received[i].bytes) {
            assert_memory_equal(aside[i], wanted, x->sent[i].size);
            continue;
        }
        memset(aside[i], 0, ROOM); // what isn't sent stays as it is
        gcl_region_unpack(&x->regions[i], wanted, (struct gcl_span){0, ROOM}, aside[i]);
        assert_memory_equal(targets[i], aside[i], ROOM);
    }
}

static void messages_carry_requests(void **state) {
    (void)state;
    srand(5);
    for (size_t i = 0; i < sizeof sources; i++)
        ((unsigned char *)sources)[i] = (unsigned char)(1 + below(255));
    for (int round = 0; round < ROUNDS; round++) {
        const struct gcl_request *room[MOST];
        struct exchange *x = make_exchange();
        memset(targets, 0, sizeof targets);
        struct gcl_freight sender = load(x, true, GCL_NO_NODE, room);
        for (gcl_node node = 1; node < NODES; node++)
            carry(x, node, &sender);
        for (size_t i = 0; i < sender.count; i++)
            assert_int_equal(sender.messages[i].tag, 0);
        check_bytes(x);
        gcl_freight_finish(&sender);
        finish_exchange(x);
    }
}

static void words_stay_messages_of_their_own(void **state) {
    (void)state;
    unsigned char bytes[3] = {1, 2, 3};
    struct gcl_region run = gcl_region_run(0, 1);
    const struct gcl_request requests[] = {
        {.peer = 1, .tag = 1, .bytes = &bytes[0], .size = 1},
        {.peer = 1, .tag = 2, .bytes = &bytes[1], .size = 1},
        {.peer = 1, .tag = 3, .size = 1, .region = &run, .place = &bytes[2], .packer = &packer}};
    const struct gcl_request *room[] = {&requests[0], &requests[1], &requests[2]};
    struct gcl_freight freight;
    assert_true(gcl_freight_init(&freight, room, 3));
    assert_int_equal(freight.count, 3);
    for (size_t i = 0; i < 3; i++) // and none is copied
        assert_ptr_equal(freight.messages[i].bytes, &bytes[i]);
    gcl_freight_finish(&freight);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(messages_carry_requests),
                                       cmocka_unit_test(words_stay_messages_of_their_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
