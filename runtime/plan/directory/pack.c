// A number is seven bits a byte, the lowest first, with the eighth bit where another byte follows.
// A region is the number of its boxes, then of each: how far it begins behind the end of the one
// before, its length, its levels and those.
#include "plan/directory/pack.h"

#include <stdlib.h>

#include "plan/region/sweep.h"

enum { LONGEST = 10 }; ///< bytes of a number

void gcl_pack_number(struct gcl_pack *out, uint64_t value) {
    if (out->capacity < out->size + LONGEST && !out->has_failed) {
        size_t capacity = 2 * out->capacity + 8 * LONGEST;
        unsigned char *bytes = realloc(out->bytes, capacity);
        out->has_failed = !bytes;
        out->bytes = bytes ? bytes : out->bytes;
        out->capacity = bytes ? capacity : out->capacity;
    }
    for (bool is_last = out->has_failed; !is_last; value >>= 7) {
        is_last = value < 128;
        out->bytes[out->size++] = (unsigned char)((value & 127) | (is_last ? 0 : 128));
    }
}

uint64_t gcl_unpack_number(struct gcl_unpack *in) {
    uint64_t value = 0;
    for (unsigned i = 0; i < LONGEST && !in->has_failed; i++) {
        if (in->at == in->end)
            break;
        unsigned char byte = *in->at++;
        value |= (uint64_t)(byte & 127) << (7 * i);
        if (byte < 128)
            return value;
    }
    in->has_failed = true;
    return 0;
}

static uint64_t folded(int64_t value) {
    return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

static int64_t unfolded(uint64_t value) {
    return (int64_t)(value >> 1 ^ ((value & 1) ? UINT64_MAX : 0));
}

void gcl_pack_region(struct gcl_pack *out, const struct gcl_region *region) {
    const struct gcl_strided *boxes = gcl_region_boxes(region);
    int64_t end = 0;
    gcl_pack_number(out, gcl_region_box_count(region));
    for (size_t i = 0; i < gcl_region_box_count(region); i++) {
        uint32_t depth = gcl_strided_depth(&boxes[i]);
        gcl_pack_number(out, folded(boxes[i].begin - end));
        gcl_pack_number(out, (uint64_t)boxes[i].length);
        gcl_pack_number(out, depth);
        for (uint32_t d = 0; d < depth; d++) {
            gcl_pack_number(out, (uint64_t)boxes[i].levels[d].stride);
            gcl_pack_number(out, (uint64_t)boxes[i].levels[d].count);
        }
        end = gcl_strided_end(&boxes[i]);
    }
}

/// A number that a region may have, from `least` on.
static int64_t read_offset(struct gcl_unpack *in, int64_t least) {
    uint64_t value = gcl_unpack_number(in);
    in->has_failed |= value > (uint64_t)GCL_OFFSET_LIMIT || (int64_t)value < least;
    return in->has_failed ? least : (int64_t)value;
}

/// Whether offsets stay within the limits is for who pushes it to see: they are cut off.
static struct gcl_strided read_box(struct gcl_unpack *in, int64_t end) {
    int64_t gap = unfolded(gcl_unpack_number(in));
    in->has_failed |= gap < -GCL_OFFSET_LIMIT || gap > GCL_OFFSET_LIMIT;
    int64_t begin = in->has_failed ? 0 : end + gap, length = read_offset(in, 1);
    in->has_failed |= begin < -GCL_OFFSET_LIMIT || begin > GCL_OFFSET_LIMIT - length;
    struct gcl_strided box = gcl_strided_run(0, 1);
    if (!in->has_failed)
        box = gcl_strided_run(begin, begin + length);
    uint64_t depth = gcl_unpack_number(in);
    in->has_failed |= depth > GCL_STRIDED_LEVELS;
    for (uint64_t d = 0; d < depth && !in->has_failed; d++) {
        int64_t stride = read_offset(in, 1), count = read_offset(in, 2), extent;
        in->has_failed |= __builtin_mul_overflow(stride, count, &extent) ||
                          extent > GCL_OFFSET_LIMIT - gcl_strided_end(&box) ||
                          stride < gcl_strided_end(&box) - box.begin ||
                          !gcl_strided_repeat(&box, stride, count);
    }
    return box;
}

void gcl_unpack_region(struct gcl_unpack *in, struct gcl_region *region) {
    struct gcl_sweep_budget budget = {.steps = 4 * (int64_t)GCL_REGION_MOST_BOXES};
    uint64_t count = gcl_unpack_number(in);
    for (uint64_t i = 0; i < count && !in->has_failed; i++) {
        int64_t end = i > 0 ? gcl_region_bounds(region).end : 0;
        struct gcl_strided box = read_box(in, end);
        in->has_failed |= (i > 0 && box.begin < end) || !gcl_sweep_push(region, box, &budget);
    }
    if (in->has_failed)
        gcl_region_finish(region);
}
