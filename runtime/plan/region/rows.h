// Rows: runs one after the other whose begins and ends each move on evenly, as those of a matrix,
// of a triangle in it or of its diagonal. What rows of two sets make is rows again, as long as
// their ends come in the same order. Private to this room.
#ifndef GCL_PLAN_ROWS_H
#define GCL_PLAN_ROWS_H

#include "plan/region/strided.h"

/// `count` runs: the first one, and by how much begin and end move on.
struct gcl_rows {
    int64_t begin, end;
    int64_t begin_step, end_step;
    int64_t count;
};

/// Which bytes of two sets an operation keeps: those of the first alone, the second alone, both.
enum gcl_keep {
    GCL_KEEP_A = 1,
    GCL_KEEP_B = 2,
    GCL_KEEP_BOTH = 4,
};

/// The runs of a box that repeats a run at one stride.
struct gcl_rows gcl_rows_of(const struct gcl_strided *box);
/// A run from the begin of such a box on, cut where each next row of it begins.
struct gcl_rows gcl_rows_cut(const struct gcl_strided *run, const struct gcl_strided *box);
/// Of the first rows of `a` and `b`, those of which each pair lies as the first one does, and no
/// byte of it behind the begin of the next pair.
int64_t gcl_rows_pairs(const struct gcl_rows *a, const struct gcl_rows *b);
/// What of the pairs of rows, as many as gcl_rows_pairs says or fewer, is kept: up to two rows for
/// each pair, with as many runs.
enum { GCL_ROWS_KEPT = 2 };
size_t gcl_rows_keep(const struct gcl_rows *a, const struct gcl_rows *b, int64_t pairs,
                     unsigned keep, struct gcl_rows *kept);
/// Rows that are kept, as a box; false: none of their runs has a byte.
bool gcl_rows_box(struct gcl_rows rows, struct gcl_strided *box);

#endif
