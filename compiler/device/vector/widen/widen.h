// Widening: the instructions of a lane function (cut/regions.h) for many threads at a time, one a
// lane. In order of use, from above:
//
//     control      which blocks run under a mask, and what follows them
//     assume       checks of what the analysis assumes; leave: how a vector function ends
//                  (frame: copies of what a block keeps across cuts)
//     instruction  one instruction: divide, memory (group: neighbours in memory, window: those that
//                  lie close together, twins: two accesses at once, prefetch: what loops will load,
//                  doubt: two ways of an access), atomic, warp, tell
//     lanes        what can't be widened, lane by lane (wide: what a lane does side by side)
//     pause        leaves a loop after a few iterations, to go on later
//     mask, value  the ground: masks, and values in the form in which they are asked for
//
// instruction and value call each other: the vector of a value that is only affine as long as
// nothing wraps is its instruction built anew.
//
// Values live in slots (allocas) between blocks, so that blocks may be skipped without a thought
// for SSA form; LLVM's sroa puts them into registers afterwards.
#ifndef GCL_DEVICE_VECTOR_WIDEN_H
#define GCL_DEVICE_VECTOR_WIDEN_H

#include "device/ir/cfg.h"
#include "device/ir/module.h"
#include "device/ir/uniformity.h"

/// How a source block runs in the vector function; node = a block, or a loop seen from outside,
/// which has the number of its header.
struct gcl_vector_block {
    bool varies;          ///< its mask differs from that of the loop around it
    bool masks_edges;     ///< its branch sets masks instead of jumping
    bool loop_varies;     ///< for headers: the loop as a node varies
    bool loop_masks_edge; ///< for headers: the loop as a node sets masks
    int after;            ///< node that follows when edges are masked, GCL_NOWHERE: end of the loop
    int after_loop;       ///< for headers: node that follows the loop when its edge is masked
    LLVMBasicBlockRef label;      ///< where to jump to
    LLVMBasicBlockRef loop_label; ///< for headers: where to jump from outside
    LLVMValueRef mask;            ///< slot, for blocks that vary
    LLVMValueRef loop_mask;       ///< slot, for loops that vary as a node
};

/// How a loop runs in the vector function.
struct gcl_vector_loop {
    bool diverges;             ///< lanes leave it at different times
    LLVMValueRef live;         ///< slot: lanes in this iteration; NULL: those of the loop around it
    LLVMValueRef next;         ///< slot: lanes that go round again, for divergent loops
    LLVMBasicBlockRef closing; ///< decides about the next iteration
};

/// A source value in the vector function. What isn't needed is NULL.
struct gcl_vector_value {
    LLVMValueRef scalar; ///< uniform values, bases of affine ones
    LLVMValueRef y;      ///< affine ones: distance of rows, an i64
    LLVMValueRef vector; ///< all lanes; for types that can't be elements, a pointer to an array
};

/// What was known of a source value before something else was.
struct gcl_vector_change {
    LLVMValueRef value;
    struct gcl_vector_value before;
};

/// A vector function while it is built from its lane function.
struct gcl_vector {
    struct gcl_module *m;
    const struct gcl_device_kernel *kernel;
    const struct gcl_device_region *region;
    const struct gcl_device_variant *variant;
    LLVMValueRef source; ///< the lane function
    const struct gcl_cfg *cfg;
    const struct gcl_uniformity *u;
    struct gcl_lane_geometry geometry;
    unsigned lanes;
    bool holds; ///< the frame that the function gets isn't in memory
    LLVMBuilderRef b;
    LLVMValueRef
        function;       ///< i32 (what the lane function takes, for the first lane; the mask's bits)
    LLVMValueRef block; ///< struct gcl_block
    unsigned block_at;  ///< its number among the parameters
    LLVMValueRef rest;  ///< in the function for whole vectors: gcl_sweep_build_rest
    LLVMBasicBlockRef allocas; ///< the first block: slots alone
    struct gcl_vector_block *blocks;
    struct gcl_vector_loop *loops;
    bool *guards;              ///< per block: if its branch parts lanes, `rest` takes over
    GHashTable *slots;         ///< source value -> struct gcl_vector_value of allocas
    GHashTable *values;        ///< source value -> struct gcl_vector_value, in the current block
    GPtrArray *held;           ///< source values of which something became known in this block
    GArray *changes;           ///< struct gcl_vector_change, since the outermost ways began
    unsigned ways;             ///< that have begun and not ended (gcl_vector_remember)
    GHashTable *groups;        ///< load or store -> struct gcl_group
    LLVMValueRef entry_mask;   ///< lanes that run at all; NULL: all
    LLVMValueRef mask;         ///< of the current block; NULL: all lanes
    LLVMValueRef first_thread; ///< number in the block of the first lane
    LLVMValueRef last_assumed; ///< behind this instruction all assumptions can be checked
    GPtrArray *waiting;        ///< atomic operations that are done with the next one
    GPtrArray *prefetched;     ///< loads whose lines are asked for
    GHashTable *whole;         ///< loads that all lanes have done
    LLVMValueRef twin;         ///< a store that is done with the next one
    LLVMValueRef state;        ///< where it keeps what lives on while it pauses; NULL: it doesn't
    uint64_t state_size;       ///< bytes of that
    LLVMValueRef turns;        ///< with a state: slot, how many iterations it runs until it pauses
    LLVMBasicBlockRef iterated, resume; ///< with a state: behind each iteration; goes on there
};

#endif
