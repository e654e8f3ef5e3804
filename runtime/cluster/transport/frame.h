// How messages follow each other in a stream: the size of the head (32 bits), the size of the
// payload (64 bits), both little-endian, the head, the payload.
//
// A reader takes a stream in pieces of any size up to the end of a head; payloads go straight to
// where they are wanted. What it accepts never makes it read or write outside of itself.
#ifndef GCL_CLUSTER_FRAME_H
#define GCL_CLUSTER_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/wire/wire.h"

enum { GCL_FRAME_PREFIX_SIZE = 12 };
#define GCL_FRAME_MAX_SIZE (GCL_FRAME_PREFIX_SIZE + GCL_WIRE_MAX_SIZE)
/// No payload is larger: it lies in one process' memory.
#define GCL_FRAME_MAX_PAYLOAD (UINT64_C(1) << 47)

struct gcl_frame_reader {
    uint8_t bytes[GCL_FRAME_MAX_SIZE]; ///< prefix and head, as far as they have come
    size_t size;
};

/// Writes prefix and head, of at most GCL_WIRE_MAX_SIZE bytes; `out` has room for
/// GCL_FRAME_MAX_SIZE. Returns their size.
size_t gcl_frame_write(const uint8_t *head, size_t head_size, uint64_t payload_size, uint8_t *out);

/// Where the next bytes go, and how many may: 0 when the head is whole.
uint8_t *gcl_frame_room(struct gcl_frame_reader *reader, size_t *size);
/// Tells the reader that `size` bytes have come into its room. NULL, or why this is no frame: a
/// text for people.
const char *gcl_frame_add(struct gcl_frame_reader *reader, size_t size);

/// Of a reader whose head is whole: the head, which lies in the reader.
const uint8_t *gcl_frame_head(const struct gcl_frame_reader *reader, size_t *size);
uint64_t gcl_frame_payload_size(const struct gcl_frame_reader *reader);
/// The next frame begins.
void gcl_frame_restart(struct gcl_frame_reader *reader);

#endif
