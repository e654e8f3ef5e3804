// Control messages as bytes: there and back, and everything that is none is refused.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cluster/wire/secret.h"
#include "cluster/wire/wire.h"

static size_t write_lost(uint8_t *bytes) {
    struct gcl_wire_message message = {.kind = GCL_WIRE_LOST, .from = 7, .token = 42};
    message.lost.node = 0x01020304;
    strcpy(message.lost.reason, "its process has ended");
    return gcl_wire_write(&message, bytes, GCL_WIRE_MAX_SIZE);
}

static void back(void **state) {
    uint8_t bytes[GCL_WIRE_MAX_SIZE];
    struct gcl_wire_message message;
    (void)state;
    size_t size = write_lost(bytes);
    assert_int_equal(size, GCL_WIRE_HEAD_SIZE + 4 + 2 + 21);
    assert_null(gcl_wire_read(bytes, size, &message));
    assert_int_equal(message.kind, GCL_WIRE_LOST);
    assert_int_equal(message.from, 7);
    assert_int_equal(message.token, 42);
    assert_int_equal(message.lost.node, 0x01020304);
    assert_string_equal(message.lost.reason, "its process has ended");
    assert_int_equal(bytes[GCL_WIRE_HEAD_SIZE], 4); // little-endian
}

static void damaged(void **state) {
    uint8_t bytes[GCL_WIRE_MAX_SIZE + 1];
    struct gcl_wire_message message;
    (void)state;
    size_t size = write_lost(bytes);
    for (size_t cut = 0; cut < size; cut++) {
        uint8_t *exact = malloc(cut + 1); // so that a sanitizer sees reads behind it
        memcpy(exact, bytes, cut);
        assert_non_null(gcl_wire_read(exact, cut, &message));
        free(exact);
    }
    assert_non_null(gcl_wire_read(bytes, size + 1, &message));
    assert_non_null(gcl_wire_read(bytes, sizeof bytes, &message));
    bytes[0] ^= 1;
    assert_non_null(gcl_wire_read(bytes, size, &message));
    write_lost(bytes);
    bytes[2]++; // version
    assert_non_null(gcl_wire_read(bytes, size, &message));
    write_lost(bytes);
    bytes[3] = 200; // kind
    assert_non_null(gcl_wire_read(bytes, size, &message));
    write_lost(bytes);
    bytes[GCL_WIRE_HEAD_SIZE + 4 + 1] = 0xff; // length of the text
    assert_non_null(gcl_wire_read(bytes, size, &message));
    write_lost(bytes);
    bytes[size - 1] = 27; // an escape sequence
    assert_non_null(gcl_wire_read(bytes, size, &message));
}

static void cards(void **state) {
    uint8_t bytes[GCL_WIRE_MAX_CARD_SIZE];
    struct gcl_wire_card card = {.host = "n1", .door_port = 65535, .memory = UINT64_C(1) << 40};
    struct gcl_wire_card read;
    struct gcl_wire_message message;
    (void)state;
    size_t size = gcl_wire_write_card(&card, bytes);
    assert_null(gcl_wire_read_card(bytes, size, &read));
    assert_string_equal(read.host, "n1");
    assert_int_equal(read.memory, UINT64_C(1) << 40);
    assert_non_null(gcl_wire_read_card(bytes, size - 1, &read));
    assert_non_null(gcl_wire_read(bytes, size, &message)); // a card is no message
    card.door_port = 65536;
    assert_int_equal(gcl_wire_write_card(&card, bytes), 0);
}

static void seats(void **state) {
    uint8_t bytes[GCL_WIRE_MAX_SEAT_SIZE];
    struct gcl_wire_seat seat = {.host = "n1", .seat.gpu_count = GCL_SEAT_GPUS}, read;
    struct gcl_wire_card card;
    (void)state;
    memset(seat.host, 'n', sizeof seat.host - 1);
    CPU_SET(1023, &seat.seat.threads);
    seat.seat.gpus[15].place = gcl_seat_place(1, 0x3b, 0); // by members: no padding is written
    seat.seat.gpus[15].number = 7;
    size_t size = gcl_wire_write_seat(&seat, bytes);
    assert_true(size > 0);
    assert_null(gcl_wire_read_seat(bytes, size, &read));
    assert_memory_equal(&read, &seat, sizeof seat);
    assert_non_null(gcl_wire_read_seat(bytes, size - 1, &read));
    assert_non_null(gcl_wire_read_card(bytes, size, &card)); // it is none
    seat.seat.gpu_count++;
    assert_int_equal(gcl_wire_write_seat(&seat, bytes), 0);
}

static void secrets(void **state) {
    uint8_t one[GCL_SECRET_SIZE] = {1}, two[GCL_SECRET_SIZE] = {2};
    uint8_t a[GCL_WIRE_NONCE_SIZE] = {3}, b[GCL_WIRE_NONCE_SIZE] = {4};
    uint8_t p[GCL_WIRE_PROOF_SIZE], q[GCL_WIRE_PROOF_SIZE];
    (void)state;
    assert_true(gcl_secret_token(one, 0, 1) != gcl_secret_token(one, 1, 0));
    assert_true(gcl_secret_token(one, 0, 1) != gcl_secret_token(two, 0, 1));
    gcl_secret_prove(one, "node", 1, a, b, p);
    gcl_secret_prove(two, "node", 1, a, b, q);
    assert_false(gcl_secret_equal(p, q, sizeof p));
    gcl_secret_prove(one, "node", 1, b, a, q);
    assert_false(gcl_secret_equal(p, q, sizeof p));
    gcl_secret_prove(one, "node", 1, a, b, q);
    assert_true(gcl_secret_equal(p, q, sizeof p));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(back),  cmocka_unit_test(damaged), cmocka_unit_test(cards),
        cmocka_unit_test(seats), cmocka_unit_test(secrets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
