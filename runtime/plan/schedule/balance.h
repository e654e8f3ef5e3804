// How the blocks of launches are divided among nodes that aren't equally fast: by what kernels have
// taken on each of them.
//
// One cut is for all kernels, since data would go to and fro between kernels that are cut
// differently. A node's share is the one with which all nodes need the same time for what they have
// done lately, each kernel with as many blocks as all of them have run of it. The cut changes only
// for so much time as all bytes that change nodes take WORTH times; what it could have saved so far
// counts: who waits until a change would have paid is never far from who knew before.
//
// All nodes decide alike, from the same figures, and so always have the same cut.
#ifndef GCL_PLAN_BALANCE_H
#define GCL_PLAN_BALANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/directory/directory.h"

/// What blocks of one kernel have taken on a node.
struct gcl_balance_figures {
    double busy_ns; ///< of all threads together
    double blocks;
};

struct gcl_balance {
    uint32_t node_count;
    uint32_t *weights; ///< each node's part of all blocks, in parts of their sum
    double missed_ns;  ///< what a better cut would have saved since the last change
};

/// Starts with weights, which are copied. False: no memory.
bool gcl_balance_init(struct gcl_balance *balance, uint32_t node_count, const uint32_t *weights);
void gcl_balance_finish(struct gcl_balance *balance);

/// Decides anew. `figures` has those of each kernel on node 0, then on node 1, and so on, since the
/// last decision; `threads` of each node run blocks at the same time; `bytes_per_ns` move between
/// nodes. Returns whether the cut is another one; without memory it stays.
bool gcl_balance_decide(struct gcl_balance *balance, const struct gcl_balance_figures *figures,
                        uint32_t kernel_count, const double *threads,
                        struct gcl_directory *directory, double bytes_per_ns);

#endif
