// The room of regions: sets of bytes, and the arithmetic by which access programs become such sets.
// Nothing in it knows nodes or allocations. To be read in this order:
//
//     strided.h      a box of bytes: a run, repeated at up to three strides
//     motif.h        what a box repeats that isn't a run
//     rows.h         runs whose begins and ends move on evenly
//     region.h       a set of bytes as a list of boxes
//     parts.h        what of a box lies in a range; append.h: how boxes become a list; sweep.h: how
//                    two lists become one; runs.h: the same for a few runs
//     gaps.h         how near runs have to be told as one
//     marks.h        bytes found in any order, a bit for each
//     form.h         affine forms over a box of threads, blocks and iterations
//     piece.h        such a box with the forms of everything that an access program starts from
//     scalar.h       nodes of access programs as numbers, for one thread
//     progression.h  values that change by the same amount with each iteration
//
// A region: a set of bytes of one allocation, as offsets in it, or relative to a pointer into it.
//
// A region is a list of strided boxes (strided.h) in ascending order, each ending before the next
// begins. A run is a box of no level, so there is one representation, not two, and what nearly is a
// box stays small: 8,192 rows of a matrix cut at two offsets are a run, a box and a run. Operations
// take boxes whole: they walk the two lists as if they were runs, cut a box only where the other
// set begins or ends inside of it, and where both repeat with the same stride they work on one copy
// and repeat the result; rows of different strides, or that grow, they take together as long as
// they lie in the same way. So their time is that of the boxes, not of the runs; where two boxes
// don't fit together (strides that don't divide each other) it is that of the runs. Boxes that
// interleave aren't in this list: together they are a box that repeats a motif, as fields of
// structures are.
//
// A set that is one box is one here nearly always, however it was made (put together from random
// ranges, all but 4 of 20,000 were), but one set may have several lists: use gcl_region_equal and
// gcl_region_hash, which depend on nothing but the bytes.
//
// What can't be represented is rounded up: each operation that returns bool says whether its
// result is exact. If not, `out` is one run that covers it: the result would have more than
// GCL_REGION_MOST_BOXES boxes, finding it takes more than four times as many steps, memory is
// short, or offsets are beyond GCL_OFFSET_LIMIT, where they are cut off.
//
// `out` is a region that was zeroed or holds an earlier result, which it loses; it may be an
// input too. Regions may be moved by assignment, and are to be finished. Up to
// GCL_REGION_FEW boxes need no memory. Everything here is pure.
#ifndef GCL_PLAN_REGION_H
#define GCL_PLAN_REGION_H

#include <stddef.h>

#include "base/status.h"
#include "plan/region/motif.h"

enum {
    GCL_REGION_FEW = 1,              ///< a run or a box, as nearly all are
    GCL_REGION_MOST_BOXES = 1 << 18, ///< 16 MiB
    GCL_REGION_MOST_LEVELS = 16,     ///< of a box to make a region from
};

/// Bytes [begin, end).
struct gcl_span {
    int64_t begin, end;
};

/// Zeroed, a region is empty. Its content is private to region.c, append.c and sweep.c.
struct gcl_region {
    size_t count, capacity; ///< capacity 0: they are `few`
    union {
        struct gcl_strided few[GCL_REGION_FEW];
        struct gcl_strided *many;
    };
};

/// The bytes [begin, end), cut off at the limits; empty if begin >= end.
struct gcl_region gcl_region_run(int64_t begin, int64_t end);
/// The union of the `count` runs, in any order, overlapping or not, empty or not. Sorts them.
GCL_MUST_USE bool gcl_region_from_runs(struct gcl_span *runs, size_t count, struct gcl_region *out);
/// `length` bytes from `begin` on, repeated at each of `level_count` (up to GCL_REGION_MOST_LEVELS)
/// strides, in any order. Strides may be negative or 0, and copies may overlap. A length or count
/// of 0 or less makes it empty.
GCL_MUST_USE bool gcl_region_from_box(int64_t begin, int64_t length, const struct gcl_level *levels,
                                      size_t level_count, struct gcl_region *out);
GCL_MUST_USE bool gcl_region_copy(const struct gcl_region *region, struct gcl_region *out);
void gcl_region_finish(struct gcl_region *region);

GCL_MUST_USE bool gcl_region_unite(const struct gcl_region *a, const struct gcl_region *b,
                                   struct gcl_region *out);
GCL_MUST_USE bool gcl_region_intersect(const struct gcl_region *a, const struct gcl_region *b,
                                       struct gcl_region *out);
/// What is in `a` and not in `b`.
GCL_MUST_USE bool gcl_region_subtract(const struct gcl_region *a, const struct gcl_region *b,
                                      struct gcl_region *out);
/// What is in [begin, end).
GCL_MUST_USE bool gcl_region_clip(const struct gcl_region *region, struct gcl_span range,
                                  struct gcl_region *out);
GCL_MUST_USE bool gcl_region_translate(const struct gcl_region *region, int64_t shift,
                                       struct gcl_region *out);
/// The union of `level.count` copies, each `level.stride` bytes (any number) after the one before.
GCL_MUST_USE bool gcl_region_repeat(const struct gcl_region *region, struct gcl_level level,
                                    struct gcl_region *out);

/// Joins near runs of a region of more than `most_boxes` boxes, at least two, until there are not
/// more of them. False: it has what lies between them as well.
bool gcl_region_simplify(struct gcl_region *region, size_t most_boxes);

/// Whether boxes are in normal form, ascend and don't touch, for asserts. Each result is so.
bool gcl_region_is_valid(const struct gcl_region *region);
bool gcl_region_is_empty(const struct gcl_region *region);
bool gcl_region_contains_byte(const struct gcl_region *region, int64_t offset);
/// Finds the maximal run that holds the byte at `offset`. False: the byte isn't in the region; the
/// run is the last one before it, if there is any.
bool gcl_region_run_at(const struct gcl_region *region, int64_t offset, struct gcl_span *run);
/// Whether `region` has all bytes of the range.
bool gcl_region_contains_range(const struct gcl_region *region, struct gcl_span range);
/// Whether `region` has all bytes of `part`. When that takes too many steps: false.
bool gcl_region_contains(const struct gcl_region *region, const struct gcl_region *part);
/// Whether a byte is in both. When that takes too many steps: true.
bool gcl_region_overlaps(const struct gcl_region *a, const struct gcl_region *b);
/// Exact, however many steps it takes.
bool gcl_region_equal(const struct gcl_region *a, const struct gcl_region *b);
/// A number that equal sets have in common.
uint64_t gcl_region_hash(const struct gcl_region *region);
/// Like gcl_region_hash; faster where most boxes are those of another region, whose hash is known.
uint64_t gcl_region_hash_like(const struct gcl_region *region, const struct gcl_region *other,
                              uint64_t hash);

/// Bytes of memory that a region takes besides struct gcl_region.
size_t gcl_region_memory(const struct gcl_region *region);
/// From the first to the last byte; [0, 0) if it is empty.
struct gcl_span gcl_region_bounds(const struct gcl_region *region);
/// Bytes in a region.
int64_t gcl_region_size(const struct gcl_region *region);
/// Maximal runs in a region.
int64_t gcl_region_run_count(const struct gcl_region *region);
/// Boxes that a region is told by: those of its list, and those in motifs.
size_t gcl_region_weight(const struct gcl_region *region);
/// The boxes of a region, gcl_region_box_count of them, in ascending order, until it changes.
const struct gcl_strided *gcl_region_boxes(const struct gcl_region *region);
size_t gcl_region_box_count(const struct gcl_region *region);
/// The box in which `offset` lies if the region has it: the last one that begins at or before it.
/// NULL: none does.
const struct gcl_strided *gcl_region_box_at(const struct gcl_region *region, int64_t offset);

/// Goes through maximal runs in ascending order. Starts as {.region = …}; the region must not
/// change.
struct gcl_region_cursor {
    const struct gcl_region *region;
    /// Of the next run: the box of the list, that of its motif, and so on; each as its number, and
    /// which of its copies.
    struct gcl_region_position {
        size_t box;
        int64_t index[GCL_STRIDED_LEVELS];
    } at[GCL_MOTIF_NESTING + 1];
};
/// False if there is no run any more.
bool gcl_region_next(struct gcl_region_cursor *cursor, struct gcl_span *run);

/// Copies the bytes of a region one after the other to `packed`; offset 0 is at `place`.
void gcl_region_pack(const struct gcl_region *region, const unsigned char *place,
                     unsigned char *packed);
/// Copies those of packed bytes that are in `limits` to `out`, where offset `limits.begin` is
/// first.
void gcl_region_unpack(const struct gcl_region *region, const unsigned char *packed,
                       struct gcl_span limits, unsigned char *out);

/// Writes a region for people, cut to fit: "[0, 4096)", "8192 runs of 1022 B every 1024 B from 4",
/// "100 runs of 4 to 400 B every 512 B from 0", "[0, 4) + [8, 16)", "empty". Returns `out`.
const char *gcl_region_format(const struct gcl_region *region, char *out, size_t size);

#endif
