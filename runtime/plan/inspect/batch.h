// Batches: up to GCL_LANES blocks, threads or iterations of each level of a nest, a lane each, and
// what the nodes of an access are for them.
#ifndef GCL_PLAN_BATCH_H
#define GCL_PLAN_BATCH_H

#include "plan/inspect/contents.h"
#include "plan/inspect/nest.h"

/// A batch of a level.
struct gcl_batch {
    unsigned count;              ///< lanes
    uint16_t parents[GCL_LANES]; ///< of each lane, that of the level outside
    uint64_t index[GCL_LANES];   ///< what the level counts
    uint16_t chosen[GCL_LANES];  ///< lanes that go on further in
    unsigned chosen_count;
    struct gcl_lanes *
        *nodes; ///< by node: those of this level, of the outermost one, and taken ones
};

struct gcl_batches {
    struct gcl_nest nest;
    struct gcl_contents *contents;
    struct gcl_batch *list;  ///< by level
    uint16_t all[GCL_LANES]; ///< 0, 1, …
    int64_t steps;           ///< nodes that may still be computed, in each lane
    bool is_doubtful;        ///< a lane was chosen whose guards aren't known

    struct gcl_lanes *lanes; ///< of all batches
    struct gcl_lanes **nodes;
};

/// For an access of a launch. Borrows all that is given. False: nothing can be found, or no memory.
GCL_MUST_USE bool gcl_batches_init(struct gcl_batches *batches, const struct gcl_nest *nest,
                                   struct gcl_contents *contents);
/// Computes the nodes of a level for the batch's lanes, whose parents and index are set; the
/// batches of the levels further out are computed.
void gcl_batches_compute(struct gcl_batches *batches, unsigned level);
/// Drops chosen lanes that the guards of a level don't let through.
void gcl_batches_choose(struct gcl_batches *batches, unsigned level);
/// Finds where an access is in the wanted lanes of a batch, `count` of them, ascending.
void gcl_batches_find_addresses(struct gcl_batches *batches, const struct gcl_batch *batch,
                                uint16_t access, const uint16_t *wanted, unsigned count,
                                struct gcl_lanes *addresses);
/// Takes the nest as well.
void gcl_batches_finish(struct gcl_batches *batches);

#endif
