// Control messages from any bytes: what is taken for one is written again as the same bytes.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/wire/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t bytes[GCL_WIRE_MAX_CARD_SIZE];
    struct gcl_wire_message message;
    struct gcl_wire_card card;
    struct gcl_wire_seat seat;

    bool is_message = !gcl_wire_read(data, size, &message);
    bool is_card = !gcl_wire_read_card(data, size, &card);
    bool is_seat = !gcl_wire_read_seat(data, size, &seat);
    if (is_message) {
        require(gcl_wire_write(&message, bytes, sizeof bytes) == size);
        require(memcmp(bytes, data, size) == 0);
    }
    if (is_card || is_seat) {
        size_t written =
            is_card ? gcl_wire_write_card(&card, bytes) : gcl_wire_write_seat(&seat, bytes);
        require(written == size);
        // Of their head only the kind is kept.
        require(memcmp(bytes + GCL_WIRE_HEAD_SIZE, data + GCL_WIRE_HEAD_SIZE,
                       size - GCL_WIRE_HEAD_SIZE) == 0);
    }
    return is_message || is_card || is_seat ? 0 : -1;
}
