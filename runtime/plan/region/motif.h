// A motif: boxes that a strided box repeats as it would repeat a run. The two fields of each
// structure that a kernel writes are a motif of two runs; what is left of a matrix when every
// second column of every third row is taken, one of a box and a run.
//
// Motifs are immutable and shared: who keeps a box keeps a hold on its motif. Their boxes are like
// those of a region (region.h): in ascending order, none touches the next, and the first begins at
// offset 0.
#ifndef GCL_PLAN_MOTIF_H
#define GCL_PLAN_MOTIF_H

#include <stdatomic.h>

#include "plan/region/strided.h"

/// How deep motifs are in each other at most.
enum { GCL_MOTIF_NESTING = 4 };

struct gcl_motif {
    atomic_size_t holders;
    struct gcl_motif *made_before; ///< by the same operation (sweep.h)
    uint64_t fingerprint;          ///< of its boxes, from offset 0 on
    int64_t size, run_count;
    size_t weight;    ///< boxes in it, also in motifs of its boxes
    uint32_t nesting; ///< 1: its boxes repeat runs
    size_t count;
    struct gcl_strided boxes[];
};

/// A motif of `count` boxes, 1 or more, that ascend and don't touch each other: moved so that the
/// first begins at 0, and held once. Holds their motifs. NULL: no memory.
struct gcl_motif *gcl_motif_create(const struct gcl_strided *boxes, size_t count);
/// Keeps a motif, which may be NULL, until it is released as often. Any thread.
void gcl_motif_hold(const struct gcl_motif *motif);
void gcl_motif_release(const struct gcl_motif *motif);

/// Boxes that a box is told by, its own and those in its motif.
size_t gcl_motif_weight(const struct gcl_strided *box);
/// Whether both have the same boxes; NULL is equal to itself alone.
bool gcl_motif_equal(const struct gcl_motif *a, const struct gcl_motif *b);

#endif
