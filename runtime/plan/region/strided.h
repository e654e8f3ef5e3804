// A strided box of bytes: a run, repeated at a stride, that repeated at a larger one, and so on for
// up to three levels. Only boxes in normal form exist: what one copy covers ends before the next
// copy begins and doesn't touch it, and no two levels can be told as one. So a box's runs ascend,
// they are maximal, and equal sets have equal boxes.
//
// A box of one level whose runs become longer, or shorter, by the same number of bytes from each to
// the next is a taper: a triangle of a matrix, or the stairs between two nodes' parts of it. What
// is left of its rows' stride is a taper as well.
//
// Where what is repeated isn't a run (two fields of each structure of an array), it is a motif
// (motif.h): boxes, which may repeat motifs in turn. A motif is always repeated; one copy of it is
// the list of its boxes.
#ifndef GCL_PLAN_STRIDED_H
#define GCL_PLAN_STRIDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Offsets are in [-GCL_OFFSET_LIMIT, GCL_OFFSET_LIMIT], so that sums of a few never overflow. No
/// allocation has a byte beyond: its address would take more than 57 bits.
#define GCL_OFFSET_LIMIT (INT64_C(1) << 60)

enum { GCL_STRIDED_LEVELS = 3 };

struct gcl_motif;

/// Something `count` times, every `stride` bytes.
struct gcl_level {
    int64_t stride, count;
};

struct gcl_strided {
    int64_t begin, length; ///< the first run, or from the first to the last byte of the first motif
    struct gcl_level levels[GCL_STRIDED_LEVELS]; ///< strides ascend; those unused are {0, 1}
    int64_t growth;                ///< of a taper: bytes from each run to the next; 0: it is none
    const struct gcl_motif *motif; ///< what is repeated; NULL: a run
};

/// The run [begin, end), which isn't empty.
struct gcl_strided gcl_strided_run(int64_t begin, int64_t end);
/// The number of levels in use: 0 is a run.
static inline uint32_t gcl_strided_depth(const struct gcl_strided *box) {
    uint32_t depth = 0;
    while (depth < GCL_STRIDED_LEVELS && box->levels[depth].count > 1)
        depth++;
    return depth;
}
/// The end of the last run.
int64_t gcl_strided_end(const struct gcl_strided *box);
/// Runs in a box.
int64_t gcl_strided_run_count(const struct gcl_strided *box);
/// Bytes in a box.
int64_t gcl_strided_size(const struct gcl_strided *box);
/// Finds the last run of a box that begins at or before `offset`, which isn't before the box.
/// False: it ends before that byte.
bool gcl_strided_run_at(const struct gcl_strided *box, int64_t offset, int64_t *begin,
                        int64_t *length);
/// Of boxes that ascend, the last one that begins at or before `offset`; NULL: none does.
const struct gcl_strided *gcl_strided_search(const struct gcl_strided *boxes, size_t count,
                                             int64_t offset);
/// Whether one is the other translated.
bool gcl_strided_same_shape(const struct gcl_strided *box, const struct gcl_strided *other);

/// Whether `count` copies of the uppermost level are a box: one copy of a motif isn't. `box` isn't
/// a run.
bool gcl_strided_has_copies(const struct gcl_strided *box, int64_t count);
/// `count` copies of the uppermost level, from copy `first` on.
struct gcl_strided gcl_strided_copies(const struct gcl_strided *box, int64_t first, int64_t count);
/// Bytes from the first to the last of one copy of the uppermost level, the first one of a taper.
int64_t gcl_strided_copy_extent(const struct gcl_strided *box);

/// The copies of the uppermost level that end at or before `offset`: the first ones, at most all.
int64_t gcl_strided_copies_before(const struct gcl_strided *box, int64_t offset);

/// Repeats `box`, `count` times, every `stride` bytes: at least what it extends over. False, and
/// nothing done, if that isn't a box.
bool gcl_strided_repeat(struct gcl_strided *box, int64_t stride, int64_t count);
/// Makes `box` the union with `next`, which begins after its end. False, and nothing done, if that
/// isn't a box of the same kind of copies.
bool gcl_strided_append(struct gcl_strided *box, const struct gcl_strided *next);
/// Runs that are worth a taper: fewer are in many sets by chance.
enum { GCL_TAPER_LEAST = 4 };
/// Makes the first of GCL_TAPER_LEAST boxes in ascending order, of which `next` is the last, the
/// taper that they are. False, and nothing done, if they aren't one, or no runs.
bool gcl_strided_taper(struct gcl_strided boxes[GCL_TAPER_LEAST - 1],
                       const struct gcl_strided *next);

/// Whether boxes are in normal form, ascend and don't touch, for asserts.
bool gcl_strided_are_ordered(const struct gcl_strided *boxes, size_t count);

/// A number that depends on nothing but the set of bytes in disjoint boxes, and adds up over
/// disjoint sets (modulo 2^61 - 1): the sum of x^(offset - origin) over its bytes, times a
/// constant. No box begins before `origin`.
uint64_t gcl_strided_fingerprint(const struct gcl_strided *boxes, size_t count, int64_t origin);
/// The fingerprint of a set in which a part with the fingerprint `taken` is replaced by bytes of
/// the fingerprint `added`.
uint64_t gcl_strided_fingerprint_replace(uint64_t fingerprint, uint64_t taken, uint64_t added);

#endif
