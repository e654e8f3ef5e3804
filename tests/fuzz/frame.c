// Streams of frames from any bytes: in whatever pieces they come, the same frames are read, and
// those are written again as the same bytes.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/transport/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds)
        abort();
}

static size_t minimum(uint64_t a, size_t b) {
    return a < b ? (size_t)a : b;
}

// Feeds a frame's prefix and head in pieces of at most `piece` bytes; returns how many bytes that
// took, 0 if they are refused or not all there.
static size_t read_head(struct gcl_frame_reader *reader, const uint8_t *data, size_t size,
                        size_t piece) {
    size_t at = 0, lacks;
    gcl_frame_restart(reader);
    for (uint8_t *room = gcl_frame_room(reader, &lacks); lacks > 0;
         room = gcl_frame_room(reader, &lacks)) {
        size_t taken = minimum(lacks, minimum(piece, size - at));
        require(room >= reader->bytes && room + lacks <= reader->bytes + sizeof reader->bytes);
        memcpy(room, data + at, taken);
        at += taken;
        if (taken == 0 || gcl_frame_add(reader, taken))
            return 0;
    }
    return at;
}

static void check_frame(const struct gcl_frame_reader *reader, const uint8_t *data, size_t size) {
    uint8_t written[GCL_FRAME_MAX_SIZE];
    size_t head_size;
    const uint8_t *head = gcl_frame_head(reader, &head_size);
    require(head_size >= GCL_WIRE_HEAD_SIZE && head_size <= GCL_WIRE_MAX_SIZE);
    require(gcl_frame_payload_size(reader) <= GCL_FRAME_MAX_PAYLOAD);
    require(gcl_frame_write(head, head_size, gcl_frame_payload_size(reader), written) == size);
    require(memcmp(written, data, size) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct gcl_frame_reader *whole = malloc(sizeof *whole), *pieces = malloc(sizeof *pieces);
    size_t at = 0, taken = 1;
    int frames = 0;
    require(whole && pieces);
    while (at < size && taken > 0) {
        taken = read_head(whole, data + at, size - at, size);
        require(read_head(pieces, data + at, size - at, 5) == taken);
        if (taken == 0)
            break;
        check_frame(whole, data + at, taken);
        require(gcl_frame_payload_size(pieces) == gcl_frame_payload_size(whole));
        at += taken;
        at += minimum(gcl_frame_payload_size(whole), size - at);
        frames++;
    }
    free(whole);
    free(pieces);
    return frames > 0 ? 0 : -1;
}
