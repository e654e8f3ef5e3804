// A strided box of bytes: a run, repeated at a stride, that repeated at a larger one, and so on for
// up to three levels. Only boxes in normal form exist: what one copy covers ends before the next
// copy begins and doesn't touch it, and no two levels can be told as one. So a box's runs ascend,
// they are maximal, and equal sets have equal boxes.
#ifndef GCL_PLAN_STRIDED_H
#define GCL_PLAN_STRIDED_H

#include <stdbool.h>
#include <stdint.h>

/// Offsets are in [-GCL_OFFSET_LIMIT, GCL_OFFSET_LIMIT], so that sums of a few never overflow. No
/// allocation has a byte beyond: its address would take more than 57 bits.
#define GCL_OFFSET_LIMIT (INT64_C(1) << 60)

enum {
    GCL_STRIDED_LEVELS = 3,
    GCL_STRIDED_PARTS = GCL_STRIDED_LEVELS + 1, ///< boxes at most on either side of an offset
};

/// Something `count` times, every `stride` bytes.
struct gcl_level {
    int64_t stride, count;
};

struct gcl_strided {
    int64_t begin, length;                       ///< the first run
    struct gcl_level levels[GCL_STRIDED_LEVELS]; ///< strides ascend; those unused are {0, 1}
};

/// A box divided in two at an offset, each side in ascending order.
struct gcl_strided_halves {
    struct gcl_strided before[GCL_STRIDED_PARTS], after[GCL_STRIDED_PARTS];
    uint32_t before_count, after_count;
};

/// The run [begin, end), which isn't empty.
struct gcl_strided gcl_strided_run(int64_t begin, int64_t end);
/// The number of levels in use: 0 is a run.
uint32_t gcl_strided_depth(const struct gcl_strided *box);
/// The end of the last run.
int64_t gcl_strided_end(const struct gcl_strided *box);
/// Runs in a box.
int64_t gcl_strided_run_count(const struct gcl_strided *box);
/// Bytes in a box.
int64_t gcl_strided_size(const struct gcl_strided *box);
bool gcl_strided_contains(const struct gcl_strided *box, int64_t offset);
/// Whether one is the other translated.
bool gcl_strided_same_shape(const struct gcl_strided *box, const struct gcl_strided *other);

/// `count` copies of the uppermost level, from copy `first` on. `box` isn't a run.
struct gcl_strided gcl_strided_copies(const struct gcl_strided *box, int64_t first, int64_t count);
/// Bytes from the first to the last of one copy of the uppermost level.
int64_t gcl_strided_copy_extent(const struct gcl_strided *box);
void gcl_strided_divide(const struct gcl_strided *box, int64_t offset,
                        struct gcl_strided_halves *cut);

/// Repeats `box`, `count` times, every `stride` bytes: at least what it extends over. False, and
/// nothing done, if that isn't a box.
bool gcl_strided_repeat(struct gcl_strided *box, int64_t stride, int64_t count);
/// Makes `box` the union with `next`, which begins after its end. False, and nothing done, if that
/// isn't a box of the same kind of copies.
bool gcl_strided_append(struct gcl_strided *box, const struct gcl_strided *next);

/// Whether a box is in normal form, for asserts.
bool gcl_strided_is_normal(const struct gcl_strided *box);

/// A number that depends on nothing but the set of bytes, and adds up over disjoint sets (modulo
/// 2^61 - 1): the sum of x^offset over its bytes, times a constant.
uint64_t gcl_strided_fingerprint(const struct gcl_strided *box);

#endif
