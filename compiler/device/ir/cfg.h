// The control flow of one function: order, postdominators, loops. A snapshot: blocks are numbers in
// reverse postorder, and the function must not change while it is used.
//
// Before: LLVM's lower-switch, fix-irreducible, unify-loop-exits, mergereturn, loop-simplify and
// lcssa have run, so branches have at most two targets, loops have one header, one latch and one
// block behind them, and the function returns in one place.
#ifndef GCL_DEVICE_CFG_H
#define GCL_DEVICE_CFG_H

#include <glib.h>
#include <llvm-c/Core.h>
#include <stdbool.h>

enum { GCL_NOWHERE = -1 };

struct gcl_cfg_loop {
    int header;
    int latch;
    int exit;   ///< the block behind it, GCL_NOWHERE for a loop without end
    int parent; ///< the loop around it, GCL_NOWHERE
};

struct gcl_cfg_block {
    LLVMBasicBlockRef block;
    int successors[2]; ///< GCL_NOWHERE where there is none; both may be the same
    int *predecessors;
    int predecessor_count;
    int postdominator; ///< immediate; GCL_NOWHERE for the block that returns
    int loop;          ///< the innermost loop around it, GCL_NOWHERE
};

struct gcl_cfg {
    struct gcl_cfg_block *blocks; ///< in reverse postorder, loops in one piece
    int count;
    struct gcl_cfg_loop *loops;
    int loop_count;
    GHashTable *index; ///< LLVMBasicBlockRef -> number + 1
};

struct gcl_cfg *gcl_cfg_create(LLVMValueRef function);
void gcl_cfg_destroy(struct gcl_cfg *cfg);
/// Whether blocks are in reverse postorder, loops behind those around them, and each loop begins
/// with its header; for asserts.
bool gcl_cfg_is_sound(const struct gcl_cfg *cfg);

int gcl_cfg_index(const struct gcl_cfg *cfg, LLVMBasicBlockRef block);
/// Whether block `b` is in `loop` or in a loop inside of it; everything is in GCL_NOWHERE.
bool gcl_cfg_in_loop(const struct gcl_cfg *cfg, int b, int loop);
/// Marks in `seen`, which has a place for each block, what can run between the starts and
/// block `end`, neither of them included unless a start is passed again. Doesn't leave `loop`.
void gcl_cfg_between(const struct gcl_cfg *cfg, int from, int end, int loop, bool *seen);
/// Whether `value` follows, inside of `loop`, from an instruction for which `on` holds.
bool gcl_cfg_follows(const struct gcl_cfg *cfg, int loop, LLVMValueRef value,
                     bool (*on)(LLVMValueRef));
/// Whether a condition by which `loop` is left follows from an instruction for which `on` holds.
bool gcl_cfg_is_left_by(const struct gcl_cfg *cfg, int loop, bool (*on)(LLVMValueRef));

#endif
