// A cut through a box leaves whole copies to either side of it and the copy that it goes through,
// which is cut alike, down to a run.
#include "plan/region/parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plan/region/motif.h"

void gcl_parts_init(struct gcl_parts *parts) {
    parts->count = 0;
    parts->capacity = GCL_PARTS_FEW;
    parts->boxes = parts->few;
}

void gcl_parts_finish(struct gcl_parts *parts) {
    if (parts->boxes != parts->few)
        free(parts->boxes);
    gcl_parts_init(parts);
}

bool gcl_parts_add(struct gcl_parts *parts, const struct gcl_strided *box) {
    if (parts->count == parts->capacity) {
        bool is_few = parts->boxes == parts->few;
        struct gcl_strided *boxes =
            realloc(is_few ? NULL : parts->boxes, 2 * parts->capacity * sizeof *boxes);
        if (!boxes)
            return false;
        if (is_few)
            memcpy(boxes, parts->few, sizeof parts->few);
        parts->boxes = boxes;
        parts->capacity *= 2;
    }
    parts->boxes[parts->count++] = *box;
    return true;
}

/// Adds what of a motif that begins at `origin` is in [begin, end).
static bool add_motif(struct gcl_parts *parts, const struct gcl_motif *motif, int64_t origin,
                      int64_t begin, int64_t end) {
    const struct gcl_strided *first =
        gcl_strided_search(motif->boxes, motif->count, begin - origin);
    size_t i = first ? (size_t)(first - motif->boxes) : 0;
    bool ok = true;
    for (; i < motif->count && motif->boxes[i].begin < end - origin && ok; i++) {
        struct gcl_strided box = motif->boxes[i];
        box.begin += origin;
        ok = gcl_parts_add_within(parts, &box, begin, end);
    }
    return ok;
}

bool gcl_parts_add_copies(struct gcl_parts *parts, const struct gcl_strided *box, int64_t first,
                          int64_t count) {
    if (gcl_strided_has_copies(box, count)) {
        struct gcl_strided copies = gcl_strided_copies(box, first, count);
        return gcl_parts_add(parts, &copies);
    }
    int64_t origin = box->begin + first * box->levels[0].stride;
    return add_motif(parts, box->motif, origin, origin, origin + box->length);
}

/// Adds what of copy `index` of a box's uppermost level is in [begin, end).
static bool add_copy_within(struct gcl_parts *parts, const struct gcl_strided *box, int64_t index,
                            int64_t begin, int64_t end) {
    if (!gcl_strided_has_copies(box, 1))
        return add_motif(parts, box->motif, box->begin + index * box->levels[0].stride, begin, end);
    struct gcl_strided copy = gcl_strided_copies(box, index, 1);
    return gcl_parts_add_within(parts, &copy, begin, end);
}

bool gcl_parts_add_within(struct gcl_parts *parts, const struct gcl_strided *box, int64_t begin,
                          int64_t end) {
    uint32_t depth = gcl_strided_depth(box);
    int64_t box_end = gcl_strided_end(box);
    if (begin >= end || box_end <= begin || box->begin >= end)
        return true;
    if (begin <= box->begin && box_end <= end)
        return gcl_parts_add(parts, box);
    begin = begin > box->begin ? begin : box->begin;
    end = end < box_end ? end : box_end;
    if (depth == 0) {
        struct gcl_strided inside = gcl_strided_run(begin, end);
        return gcl_parts_add(parts, &inside);
    }

    // Copies [first, last) are inside; those next to them may be in part.
    const struct gcl_level *level = &box->levels[depth - 1];
    int64_t stride = level->stride, low = begin - box->begin, high = end - box->begin;
    int64_t first = (low + stride - 1) / stride;
    first = first < level->count ? first : level->count;
    int64_t last = gcl_strided_copies_before(box, end);
    int64_t next = last > first ? last : first;
    bool ok = true;
    if (first > 0 && gcl_strided_copies_before(box, begin) < first)
        ok = add_copy_within(parts, box, first - 1, begin, end);
    if (ok && first < last)
        ok = gcl_parts_add_copies(parts, box, first, last - first);
    if (ok && next < level->count && next * stride < high)
        ok = add_copy_within(parts, box, next, begin, end);
    return ok;
}
