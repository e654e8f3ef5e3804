// Runs kernels that were compiled with --sanitize=footprint, and checks what they say of each
// access: that it lies in the footprint of its block, which the access program gives; that what
// the footprint holds as certainly written is written; that no block writes what another one
// accesses. Disjointness needs no check of its own: blocks whose footprints are disjoint, and who
// keep to them, are disjoint, and what pragmas promise besides shows as a race if it isn't true.
//
// Launches run one at a time, each on one thread, block after block. Nothing then has to be atomic,
// one word a granule holds all that is to be known (shadow.c), and what is found doesn't depend on
// chance: two blocks race whether or not they happened to run at the same time.
//
// Each block is checked against a footprint of its own. To find one takes as long as running a
// small block, so many blocks are evaluated at once, and each has its share of that
// (plan/program/shares.h), which mostly is that of the block before, moved. How many are evaluated
// at once follows from the launch alone.
//
// Kernels run in vectors, as without the sanitizer, and tell of what all lanes access at once.
#ifndef GCL_EXEC_SANITIZE_H
#define GCL_EXEC_SANITIZE_H

#include <stdbool.h>

#include "exec/block/block.h"

struct gcl_space;

/// A launch of a kernel with GCL_KERNEL_SANITIZED. Borrowed for the call.
struct gcl_sanitize_launch {
    const struct gcl_block_launch *launch;
    struct gcl_space *space; ///< in which its memory lies
    uint64_t block_count;
    bool is_cooperative;
};

/// Runs all blocks. Does not return if an access lay outside of its footprint, or something wasn't
/// written that ought to be: the process ends with status 66.
void gcl_sanitize_run(const struct gcl_sanitize_launch *launch, struct gcl_block_pool *pool);
/// At the end of the process, when no launch runs: tells what hasn't been told. Returns the status
/// with which the process should end because of races, 0 if there was none.
int gcl_sanitize_end(void);

#endif
