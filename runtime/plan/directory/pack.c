// A number is seven bits a byte, the lowest first, with the eighth bit where another byte follows.
// A region is the number of its boxes, then of each: how far it begins behind the end of the one
// before, its length, its levels and those. Where the number of levels has REPEATS_MOTIF added, the
// boxes of the motif take the place of the length, written as those of a region. A taper has
// IS_TAPER in that place, its length, its growth and its level.
#include "plan/directory/pack.h"

#include <stdlib.h>

#include "plan/region/append.h"

enum {
    LONGEST = 10, ///< bytes of a number
    REPEATS_MOTIF = GCL_STRIDED_LEVELS + 1,
    IS_TAPER = REPEATS_MOTIF + GCL_STRIDED_LEVELS + 1,
};

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

static void pack_boxes(struct gcl_pack *out, const struct gcl_strided *boxes, size_t count) {
    int64_t end = 0;
    gcl_pack_number(out, count);
    for (size_t i = 0; i < count; i++) {
        const struct gcl_motif *motif = boxes[i].motif;
        uint32_t depth = gcl_strided_depth(&boxes[i]);
        gcl_pack_number(out, folded(boxes[i].begin - end));
        gcl_pack_number(out, boxes[i].growth ? IS_TAPER : depth + (motif ? REPEATS_MOTIF : 0));
        if (motif)
            pack_boxes(out, motif->boxes, motif->count);
        else
            gcl_pack_number(out, (uint64_t)boxes[i].length);
        if (boxes[i].growth)
            gcl_pack_number(out, folded(boxes[i].growth));
        for (uint32_t d = 0; d < depth; d++) {
            gcl_pack_number(out, (uint64_t)boxes[i].levels[d].stride);
            gcl_pack_number(out, (uint64_t)boxes[i].levels[d].count);
        }
        end = gcl_strided_end(&boxes[i]);
    }
}

void gcl_pack_region(struct gcl_pack *out, const struct gcl_region *region) {
    pack_boxes(out, gcl_region_boxes(region), gcl_region_box_count(region));
}

/// A number that a region may have, from `least` on.
static int64_t read_offset(struct gcl_unpack *in, int64_t least) {
    uint64_t value = gcl_unpack_number(in);
    in->has_failed |= value > (uint64_t)GCL_OFFSET_LIMIT || (int64_t)value < least;
    return in->has_failed ? least : (int64_t)value;
}

/// A region that is being read, and how deep in motifs its boxes lie.
struct reading {
    struct gcl_unpack *in;
    struct gcl_region_work *work;
    uint32_t nesting;
};

static void read_boxes(const struct reading *reading, struct gcl_region *draft);

/// Reads a motif, which the work holds. NULL: it isn't one.
static const struct gcl_motif *read_motif(const struct reading *reading) {
    const struct reading inner = {reading->in, reading->work, reading->nesting + 1};
    struct gcl_region draft = {.count = 0};
    struct gcl_motif *motif = NULL;
    reading->in->has_failed |= inner.nesting > GCL_MOTIF_NESTING;
    if (!reading->in->has_failed)
        read_boxes(&inner, &draft);
    if (!reading->in->has_failed && draft.count > 0)
        motif = gcl_motif_create(gcl_region_boxes(&draft), draft.count);
    gcl_draft_drop(&draft);
    reading->in->has_failed |= !motif;
    if (motif)
        gcl_region_work_keep(reading->work, motif);
    return motif;
}

/// Reads the run or motif of a box that begins at `begin`, and the number of its levels.
static struct gcl_strided read_copy(const struct reading *reading, int64_t begin, uint64_t *depth) {
    struct gcl_unpack *in = reading->in;
    struct gcl_strided box = gcl_strided_run(0, 1);
    *depth = gcl_unpack_number(in);
    if (*depth == IS_TAPER) {
        *depth = 1;
        box.length = read_offset(in, 1);
        box.growth = unfolded(gcl_unpack_number(in));
        in->has_failed |=
            box.growth == 0 || box.growth < -GCL_OFFSET_LIMIT || box.growth > GCL_OFFSET_LIMIT;
    } else if (*depth > REPEATS_MOTIF && !in->has_failed) {
        *depth -= REPEATS_MOTIF;
        box.motif = read_motif(reading);
        const struct gcl_strided *last = box.motif ? &box.motif->boxes[box.motif->count - 1] : &box;
        box.length = gcl_strided_end(last);
    } else {
        box.length = read_offset(in, 1);
    }
    in->has_failed |= *depth > GCL_STRIDED_LEVELS || begin < -GCL_OFFSET_LIMIT ||
                      begin > GCL_OFFSET_LIMIT - box.length;
    box.begin = in->has_failed ? 0 : begin;
    return box;
}

/// Adds the level of a taper, no run of which reaches the next one.
static bool add_level_of_taper(struct gcl_strided *box, int64_t stride, int64_t count) {
    int64_t grown, last, end;
    box->levels[0] = (struct gcl_level){stride, count};
    return !__builtin_mul_overflow(count - 1, box->growth, &grown) &&
           !__builtin_add_overflow(grown, box->length, &last) && last > 0 &&
           !__builtin_add_overflow(box->begin + (count - 1) * stride, last, &end) &&
           end <= GCL_OFFSET_LIMIT && box->length < stride && last - box->growth < stride;
}

/// Adds level `index` of a box that stays within limits. False: it isn't one in normal form.
static bool add_level(struct gcl_strided *box, uint64_t index, int64_t stride, int64_t count) {
    if (box->growth)
        return add_level_of_taper(box, stride, count);
    if (!box->motif || index > 0)
        return gcl_strided_repeat(box, stride, count);
    box->levels[0] = (struct gcl_level){stride, count};
    return stride > box->length;
}

/// Reads a box that follows one that ends at `end`. Whether offsets stay within the limits is for
/// who appends it to see: they are cut off.
static struct gcl_strided read_box(const struct reading *reading, int64_t end) {
    struct gcl_unpack *in = reading->in;
    int64_t gap = unfolded(gcl_unpack_number(in));
    uint64_t depth;
    in->has_failed |= gap < -GCL_OFFSET_LIMIT || gap > GCL_OFFSET_LIMIT;
    struct gcl_strided box = read_copy(reading, in->has_failed ? 0 : end + gap, &depth);
    for (uint64_t d = 0; d < depth && !in->has_failed; d++) {
        int64_t stride = read_offset(in, 1), count = read_offset(in, 2), extent;
        in->has_failed |= __builtin_mul_overflow(stride, count, &extent) ||
                          extent > GCL_OFFSET_LIMIT - gcl_strided_end(&box) ||
                          stride < gcl_strided_end(&box) - box.begin ||
                          !add_level(&box, d, stride, count);
    }
    return box;
}

static void read_boxes(const struct reading *reading, struct gcl_region *draft) {
    struct gcl_unpack *in = reading->in;
    uint64_t count = gcl_unpack_number(in);
    for (uint64_t i = 0; i < count && !in->has_failed; i++) {
        int64_t end = i > 0 ? gcl_region_bounds(draft).end : 0;
        struct gcl_strided box = read_box(reading, end);
        in->has_failed |= (i > 0 && box.begin < end) || !gcl_append(draft, box, reading->work);
    }
}

void gcl_unpack_region(struct gcl_unpack *in, struct gcl_region *region) {
    struct gcl_region_work work = gcl_region_work();
    const struct reading reading = {in, &work, 0};
    read_boxes(&reading, region);
    if (in->has_failed)
        gcl_draft_drop(region);
    else
        gcl_draft_keep(region);
    gcl_region_work_finish(&work);
}
