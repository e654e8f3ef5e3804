// A bit for each unit of the largest power of two that divides the accesses' size: for elements of
// 4 bytes a gigabyte takes 32 MiB of bits. Runs of bits become runs of bytes a batch at a time.
#include "plan/region/marks.h"

#include <stdlib.h>

enum { WORD = 64, BATCH = 1 << 16 };

/// Runs on their way into a region.
struct batch {
    struct gcl_span *runs;
    size_t count;
    struct gcl_region *region;
    bool exact;
};

bool gcl_marks_init(struct gcl_marks *marks, int64_t extent, uint32_t size) {
    unsigned shift = size > 0 ? (unsigned)__builtin_ctz(size) : 0;
    shift = shift > 12 ? 12 : shift;
    *marks = (struct gcl_marks){.size = extent, .shift = shift, .first = UINT64_MAX};
    marks->bits = calloc(((uint64_t)extent >> shift) / WORD + 1, sizeof *marks->bits);
    return marks->bits != NULL;
}

void gcl_marks_set(struct gcl_marks *marks, int64_t offset, int64_t length) {
    int64_t begin = offset < 0 ? 0 : offset;
    int64_t end = length > marks->size - offset ? marks->size : offset + length;
    uint64_t unit = (UINT64_C(1) << marks->shift) - 1;
    marks->is_rounded |= begin != offset || end - offset != length ||
                         (((uint64_t)begin | (uint64_t)end) & unit) != 0;
    if (begin >= end)
        return;
    uint64_t from = (uint64_t)begin >> marks->shift, to = ((uint64_t)end - 1) >> marks->shift;
    for (uint64_t word = from / WORD; word <= to / WORD; word++) {
        uint64_t low = word == from / WORD ? from % WORD : 0;
        uint64_t high = word == to / WORD ? to % WORD : WORD - 1;
        marks->bits[word] |= (UINT64_MAX >> (WORD - 1 - high)) & (UINT64_MAX << low);
    }
    marks->first = from / WORD < marks->first ? from / WORD : marks->first;
    marks->last = to / WORD > marks->last ? to / WORD : marks->last;
}

static void flush(struct batch *batch) {
    struct gcl_region bytes = {0};
    batch->exact &= gcl_region_from_runs(batch->runs, batch->count, &bytes);
    batch->exact &= gcl_region_unite(batch->region, &bytes, batch->region);
    batch->count = 0;
    gcl_region_finish(&bytes);
}

// A run of units; one that goes on where the last one ended is part of that.
static void add(struct batch *batch, const struct gcl_marks *marks, uint64_t from, uint64_t to) {
    int64_t begin = (int64_t)(from << marks->shift), end = (int64_t)(to << marks->shift);
    end = end > marks->size ? marks->size : end;
    if (batch->count > 0 && batch->runs[batch->count - 1].end == begin) {
        batch->runs[batch->count - 1].end = end;
        return;
    }
    if (batch->count == BATCH)
        flush(batch);
    batch->runs[batch->count++] = (struct gcl_span){begin, end};
}

bool gcl_marks_region(const struct gcl_marks *marks, struct gcl_region *region) {
    struct batch batch = {.region = region, .exact = !marks->is_rounded};
    gcl_region_finish(region);
    *region = (struct gcl_region){0};
    batch.runs = malloc(BATCH * sizeof *batch.runs);
    if (!batch.runs) {
        *region = gcl_region_run(0, marks->size);
        return false;
    }
    for (uint64_t word = marks->first; word <= marks->last; word++) {
        for (uint64_t bits = marks->bits[word], from = 0; bits != 0 && from < WORD;) {
            from += (uint64_t)__builtin_ctzll(bits >> from);
            uint64_t rest = ~(bits >> from);
            uint64_t length = rest ? (uint64_t)__builtin_ctzll(rest) : WORD;
            add(&batch, marks, word * WORD + from, word * WORD + from + length);
            from += length;
            bits = from < WORD ? bits >> from << from : 0;
        }
    }
    flush(&batch);
    free(batch.runs);
    return batch.exact;
}

void gcl_marks_finish(struct gcl_marks *marks) {
    free(marks->bits);
    *marks = (struct gcl_marks){.bits = NULL};
}
