// The prefix is checked as soon as it is there: from then on it says how much belongs to the head.
#include "frame.h"

#include <assert.h>
#include <string.h>

static uint64_t read_number(const uint8_t *bytes, int size) {
    uint64_t number = 0;
    for (int i = 0; i < size; i++)
        number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}

static void write_number(uint64_t number, uint8_t *bytes, int size) {
    for (int i = 0; i < size; i++)
        bytes[i] = (uint8_t)(number >> 8 * i);
}

size_t gcl_frame_write(const uint8_t *head, size_t head_size, uint64_t payload_size, uint8_t *out) {
    write_number(head_size, out, 4);
    write_number(payload_size, out + 4, 8);
    memcpy(out + GCL_FRAME_PREFIX_SIZE, head, head_size);
    return GCL_FRAME_PREFIX_SIZE + head_size;
}

static size_t head_size(const struct gcl_frame_reader *reader) {
    return (size_t)read_number(reader->bytes, 4);
}

uint8_t *gcl_frame_room(struct gcl_frame_reader *reader, size_t *size) {
    size_t end = GCL_FRAME_PREFIX_SIZE;
    if (reader->size >= GCL_FRAME_PREFIX_SIZE)
        end += head_size(reader);
    assert(reader->size <= end);
    *size = end - reader->size;
    return reader->bytes + reader->size;
}

const char *gcl_frame_add(struct gcl_frame_reader *reader, size_t size) {
    assert(size <= sizeof reader->bytes - reader->size);
    reader->size += size;
    if (reader->size != GCL_FRAME_PREFIX_SIZE)
        return NULL;
    if (head_size(reader) < GCL_WIRE_HEAD_SIZE)
        return "it is too short";
    if (head_size(reader) > GCL_WIRE_MAX_SIZE)
        return "it is too long";
    if (gcl_frame_payload_size(reader) > GCL_FRAME_MAX_PAYLOAD)
        return "its payload is too large";
    return NULL;
}

const uint8_t *gcl_frame_head(const struct gcl_frame_reader *reader, size_t *size) {
    *size = head_size(reader);
    assert(reader->size == GCL_FRAME_PREFIX_SIZE + *size);
    return reader->bytes + GCL_FRAME_PREFIX_SIZE;
}

uint64_t gcl_frame_payload_size(const struct gcl_frame_reader *reader) {
    return read_number(reader->bytes + 4, 8);
}

void gcl_frame_restart(struct gcl_frame_reader *reader) {
    reader->size = 0;
}
