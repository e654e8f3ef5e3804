// The SPMD vectoriser: builds from the lane function of a region (regions.c) functions that run it
// for many threads at a time, one a lane.
//
//     control    which blocks run under a mask, and what follows them
//     value      instructions on scalars and vectors
//     divide     divisions
//     memory     loads, stores and atomics
//     group      those of neighbours in memory
//     window     those that lie close together
//     prefetch   what loops will load, ahead of time
//     warp       shuffles, votes and reductions
//     tell       what the sanitizer is told of
//     lanes      what can't be widened, lane by lane
//     sweep      the loops over the vectors of a block, and what the runtime calls
//
// Values live in slots (allocas) between blocks, so that blocks may be skipped without a thought
// for SSA form; LLVM's sroa puts them into registers afterwards.
#ifndef GCL_DEVICE_VECTOR_H
#define GCL_DEVICE_VECTOR_H

#include "cfg.h"
#include "module.h"
#include "regions.h"
#include "uniformity.h"

/// How a source block runs in the vector function; node = a block, or a loop seen from outside,
/// which has the number of its header.
struct gcl_vector_block {
    bool varies;          ///< its mask differs from that of the loop around it
    bool masks_edges;     ///< its branch sets masks instead of jumping
    bool loop_varies;     ///< for headers: the loop as a node varies
    bool loop_masks_edge; ///< for headers: the loop as a node sets masks
    int after;            ///< node that follows when edges are masked, GCL_NOWHERE: end of the loop
    int after_loop;       ///< the same for the loop as a node
    LLVMBasicBlockRef label;      ///< where to jump to
    LLVMBasicBlockRef loop_label; ///< for headers: where to jump from outside
    LLVMValueRef mask;            ///< slot, for blocks that vary
    LLVMValueRef loop_mask;       ///< slot, for loops that vary as a node
};

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

struct gcl_vector {
    struct gcl_module *m;
    const struct gcl_device_kernel *kernel;
    const struct gcl_device_region *region;
    const struct gcl_device_variant *variant;
    LLVMValueRef source; ///< the lane function
    const struct gcl_cfg *cfg;
    const struct gcl_uniformity *u;
    struct gcl_geometry geometry;
    unsigned lanes;
    bool holds; ///< the frame that the function gets isn't in memory
    LLVMBuilderRef b;
    LLVMValueRef
        function;       ///< i32 (what the lane function takes, for the first lane; the mask's bits)
    LLVMValueRef block; ///< struct gcl_block
    unsigned block_at;  ///< its number among the parameters
    LLVMValueRef rest;  ///< in the function for whole vectors: gcl_rest_build
    LLVMBasicBlockRef allocas; ///< the first block: slots alone
    struct gcl_vector_block *blocks;
    struct gcl_vector_loop *loops;
    bool *guards;              ///< per block: if its branch parts lanes, `rest` takes over
    GHashTable *slots;         ///< source value -> struct gcl_vector_value of allocas
    GHashTable *values;        ///< source value -> struct gcl_vector_value, in the current block
    GHashTable *groups;        ///< load or store -> struct gcl_group
    LLVMValueRef entry_mask;   ///< lanes that run at all; NULL: all
    LLVMValueRef mask;         ///< of the current block; NULL: all lanes
    LLVMValueRef first_thread; ///< number in the block of the first lane
    LLVMValueRef last_assumed; ///< behind this instruction all assumptions can be checked
    GPtrArray *waiting;        ///< atomic operations that are done with the next one
    GPtrArray *prefetched;     ///< loads whose lines are asked for
};

/// The functions for one region, and what they are made from.
struct gcl_vector_build {
    struct gcl_module *m;
    const struct gcl_device_kernel *kernel;
    const struct gcl_device_region *region;
    const struct gcl_device_variant *variant;
    LLVMValueRef lane;
    const struct gcl_cfg *cfg;
    unsigned lanes;      ///< of the function for vectors; 0: none, threads run one by one
    bool holds;          ///< the frame's locals stay in registers while a block runs
    LLVMValueRef full;   ///< for whole vectors; NULL if there is none
    LLVMValueRef masked; ///< for part of the lanes, inside of `rest`
    LLVMValueRef rest;   ///< gcl_rest_build
};

/// Threads of a block whose number is known: `lanes` of them, from `first` (an i64) on.
struct gcl_frame_part {
    LLVMValueRef first;
    unsigned lanes;
    uint32_t threads;
};

/// How the lanes lie for the function for whole vectors, or the one for part of the lanes.
struct gcl_geometry gcl_vector_geometry(const struct gcl_vector_build *b, bool is_full);
/// Whether threads of the kernel may stand before different cuts.
bool gcl_vector_may_part(const struct gcl_device_kernel *kernel);

// sweep
/// i32 (ptr block, ptr left, i32 begin, i32 end, i32 here): region `number` for the threads that a
/// gcl_region gets, in blocks of any shape; returns what that does. `left` is where it leaves what
/// the block has one copy of.
LLVMValueRef gcl_rest_build(const struct gcl_vector_build *build, guint number);
/// i32 (ptr block, i32 here): that for the threads of a block.
LLVMValueRef gcl_some_build(const struct gcl_vector_build *build, guint number);
/// i32 (ptr blocks, i32 count, ptr kept, ptr frame): region `number` for all threads of the blocks,
/// of which there is one unless the kernel strips, in whole vectors where it can; `kept` has the
/// locals of which the block has one copy, `frame` those of each thread.
LLVMValueRef gcl_sweep_build(const struct gcl_vector_build *build, guint number);
/// Copies locals of which the block has one copy.
void gcl_copy_kept(struct gcl_module *m, LLVMBuilderRef b, const GArray *kept, LLVMValueRef to,
                   LLVMValueRef from);
/// The same for locals that each thread has.
void gcl_copy_framed(struct gcl_module *m, LLVMBuilderRef b, const struct gcl_device_kernel *kernel,
                     const struct gcl_frame_part *part, LLVMValueRef to, LLVMValueRef from);
/// i32 (ptr blocks, i32 count, i32 region): goes on through `sweeps`, one a region, as long as all
/// threads come to the same plain barrier; returns where the runtime has to do something.
LLVMValueRef gcl_chain_build(const struct gcl_vector_build *build, LLVMValueRef *sweeps);
/// What the runtime calls for region `number`: gcl_region.
LLVMValueRef gcl_entry_build(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                             const struct gcl_device_variant *variant, guint number,
                             LLVMValueRef chain, LLVMValueRef some);

// value.c
LLVMTypeRef gcl_vector_type(const struct gcl_vector *v, LLVMTypeRef element);
/// Whether values of the type can be elements of LLVM vectors.
bool gcl_vector_widens(LLVMTypeRef type);
struct gcl_value_info gcl_vector_info(const struct gcl_vector *v, LLVMValueRef value);
LLVMValueRef gcl_vector_slot(struct gcl_vector *v, LLVMTypeRef type, const char *name);
/// A uniform value, or the base of an affine one.
LLVMValueRef gcl_vector_scalar(struct gcl_vector *v, LLVMValueRef value);
/// The distance of rows of an affine value as an i64, NULL if it is 0.
LLVMValueRef gcl_vector_y(struct gcl_vector *v, LLVMValueRef value);
/// All lanes of a value as a vector; only for types that widen.
LLVMValueRef gcl_vector_lanes(struct gcl_vector *v, LLVMValueRef value);
/// Lane `lane` (an i64) of an affine value that isn't unsure.
LLVMValueRef gcl_vector_lane(struct gcl_vector *v, LLVMValueRef value, LLVMValueRef lane);
LLVMValueRef gcl_vector_splat(struct gcl_vector *v, LLVMValueRef scalar);
/// The place of each lane in its row (`rows` false) or of its row, times `factor`.
LLVMValueRef gcl_vector_places(struct gcl_vector *v, LLVMTypeRef element, bool rows,
                               int64_t factor);
void gcl_vector_define(struct gcl_vector *v, LLVMValueRef value, struct gcl_vector_value built);
/// Starts a block: nothing is in registers, but constants stay what they are.
void gcl_vector_forget(struct gcl_vector *v);
/// A copy of what is in registers, and the way back to it.
GHashTable *gcl_vector_remember(struct gcl_vector *v);
void gcl_vector_recall(struct gcl_vector *v, GHashTable *values);
void gcl_vector_instruction(struct gcl_vector *v, LLVMValueRef i);
/// Moves `from` into the slot of `phi`, for the lanes in `mask` (NULL: all) only.
void gcl_vector_assign(struct gcl_vector *v, LLVMValueRef phi, struct gcl_vector_value from,
                       LLVMValueRef mask, LLVMValueRef taken);
struct gcl_vector_value gcl_vector_read(struct gcl_vector *v, LLVMValueRef value, LLVMValueRef as);
/// The function for an LLVM intrinsic with the given overloads.
LLVMValueRef gcl_vector_call_intrinsic(struct gcl_vector *v, const char *name,
                                       LLVMTypeRef *overload, unsigned overloads,
                                       LLVMValueRef *arguments, unsigned count);

// divide.c
/// The quotient or rest of 32-bit integers: of vectors, or of a vector and a scalar.
LLVMValueRef gcl_vector_divide(struct gcl_vector *v, LLVMOpcode opcode, LLVMValueRef a,
                               LLVMValueRef b);
/// A division of integers, which diverges.
LLVMValueRef gcl_vector_quotient(struct gcl_vector *v, LLVMValueRef i);
/// Whether `i`, a division of floating-point numbers, is better done as gcl_vector_reciprocal does.
bool gcl_vector_is_reciprocal(const struct gcl_vector *v, LLVMValueRef i);
/// The vector of what `i` is, to the last bit.
LLVMValueRef gcl_vector_reciprocal(struct gcl_vector *v, LLVMValueRef i);

// mask.c
/// `mask` as an i1 vector; a constant for NULL.
LLVMValueRef gcl_vector_mask(struct gcl_vector *v, LLVMValueRef mask);
/// A mask from its bits, and back.
LLVMValueRef gcl_vector_mask_of_bits(struct gcl_vector *v, LLVMValueRef bits);
LLVMValueRef gcl_vector_mask_bits(struct gcl_vector *v, LLVMValueRef mask);
/// Whether any lane is in `mask`; an i1.
LLVMValueRef gcl_vector_any(struct gcl_vector *v, LLVMValueRef mask);
LLVMValueRef gcl_vector_all(struct gcl_vector *v, LLVMValueRef mask);
/// The lanes of `mask` in which `condition` is `wanted`; poison of lanes outside doesn't spread.
LLVMValueRef gcl_vector_narrow(struct gcl_vector *v, LLVMValueRef mask, LLVMValueRef condition,
                               bool wanted);

/// LLVM's reduction `name` over the lanes of the current mask.
LLVMValueRef gcl_vector_reduce(struct gcl_vector *v, const char *name, LLVMValueRef lanes,
                               uint64_t neutral);

// vector.c
/// Notes for the user that `i` is done lane by lane.
void gcl_vector_remark(struct gcl_vector *v, LLVMValueRef i, const char *what);
/// Ends the function: the lanes go on in region `next`.
void gcl_vector_return(struct gcl_vector *v, LLVMValueRef next);
/// Leaves the whole work to `rest`, and ends the function.
void gcl_vector_hand_over(struct gcl_vector *v);
/// The number of lane `lane` (an i64) in the block.
LLVMValueRef gcl_vector_thread(struct gcl_vector *v, LLVMValueRef lane);

/// An i1: `value`, an integer, doesn't wrap over the lanes.
LLVMValueRef gcl_vector_is_linear(struct gcl_vector *v, LLVMValueRef value, bool is_unsigned);
/// Checks what the analysis assumes, behind the instruction where that is possible.
void gcl_vector_check(struct gcl_vector *v, LLVMValueRef i);

// control.c
void gcl_vector_plan(struct gcl_vector *v);
void gcl_vector_body(struct gcl_vector *v);

// group.c
enum { GCL_GROUP_MOST = 8 };
/// Loads or stores of one block side by side in memory, which are done at once.
struct gcl_group {
    LLVMValueRef members[GCL_GROUP_MOST]; ///< by address
    unsigned count;                       ///< a power of two; 1: has no neighbours
    LLVMValueRef first, last;             ///< of them in the program
    int64_t distance;                     ///< bytes from members[0] to `first`
    LLVMValueRef lanes[GCL_GROUP_MOST];   ///< what they have loaded
};
/// The group that a load or store belongs to, the same for all members.
struct gcl_group *gcl_group_of(struct gcl_vector *v, LLVMValueRef i);
/// Fills `lanes` from the vector of all members of all lanes as they lie in memory.
void gcl_group_sort(struct gcl_vector *v, struct gcl_group *g, LLVMValueRef joined);
/// Such a vector of what members store.
LLVMValueRef gcl_group_merge(struct gcl_vector *v, const struct gcl_group *g);

// window.c
enum { GCL_WINDOW_MOST = 8 };
/// How lanes lie: each 16 of them in order in two vectors of 16 elements of 4 bytes.
struct gcl_window {
    LLVMValueRef holds;                  ///< an i1: they do
    LLVMValueRef first;                  ///< address of the first lane
    LLVMValueRef parts[GCL_WINDOW_MOST]; ///< bytes from there to each 16 lanes
    LLVMValueRef index;                  ///< of each lane: its element, 0 to 31
    LLVMValueRef second;                 ///< at which element the second vector begins, 0 to 16
};
/// Whether lanes may lie like that for `i`, a load or store.
bool gcl_window_suits(struct gcl_vector *v, LLVMValueRef i);
/// Only for such.
struct gcl_window gcl_window_find(struct gcl_vector *v, LLVMValueRef i);
/// What lanes load, and a store of `lanes`: only where the window holds.
LLVMValueRef gcl_window_load(struct gcl_vector *v, const struct gcl_window *w, LLVMValueRef i);
void gcl_window_store(struct gcl_vector *v, const struct gcl_window *w, LLVMValueRef i,
                      LLVMValueRef lanes);

// memory.c
/// Elements of a vector, and vectors (a power of two) one behind the other.
LLVMValueRef gcl_vector_part(struct gcl_vector *v, LLVMValueRef vector, unsigned first,
                             unsigned count);
LLVMValueRef gcl_vector_join(struct gcl_vector *v, LLVMValueRef *parts, unsigned count);
/// Whether `count` neighbours of a load or store, from it on, can be done at once.
bool gcl_vector_may_group(struct gcl_vector *v, LLVMValueRef i, unsigned count);
void gcl_vector_load(struct gcl_vector *v, LLVMValueRef i);
void gcl_vector_store(struct gcl_vector *v, LLVMValueRef i);
void gcl_vector_atomic(struct gcl_vector *v, LLVMValueRef i);

// prefetch.c
/// Asks for what `i`, a load that is about to be built, will read some iterations later.
void gcl_vector_prefetch(struct gcl_vector *v, LLVMValueRef i);
/// Builds a call of llvm.prefetch for all lanes.
void gcl_vector_prefetch_call(struct gcl_vector *v, LLVMValueRef call);

// tell.c
/// Tells the sanitizer of what all lanes are about to access: builds a call of GCL_TELL.
void gcl_vector_tell(struct gcl_vector *v, LLVMValueRef call);

// warp.c
void gcl_vector_warp(struct gcl_vector *v, LLVMValueRef call);

// lanes
struct gcl_lane_loop {
    LLVMBasicBlockRef body;
    LLVMValueRef lane; ///< i64
    LLVMValueRef left; ///< bits of lanes to come
};
struct gcl_lane_loop gcl_lane_loop_begin(struct gcl_vector *v, LLVMValueRef mask);
void gcl_lane_loop_end(struct gcl_vector *v, const struct gcl_lane_loop *loop);
/// Runs `i`, whose result can be a vector's element, lane by lane; the vector of results.
LLVMValueRef gcl_vector_by_lane(struct gcl_vector *v, LLVMValueRef i, const char *why);
/// Runs `i` lane by lane.
void gcl_vector_one_by_one(struct gcl_vector *v, LLVMValueRef i, const char *why);
/// Runs `i`, an atomic operation, lane by lane: with the next ones, if they are on shared memory
/// and nobody asks for what they return. Otherwise false.
bool gcl_vector_together(struct gcl_vector *v, LLVMValueRef i, const char *why);
/// Whether such loops do a cheap instruction anew instead of taking its result from memory.
bool gcl_lane_works_out(const struct gcl_vector *v, LLVMValueRef value);
/// The place of a value's lanes in memory: an array.
LLVMValueRef gcl_vector_array(struct gcl_vector *v, LLVMValueRef value);
/// Element `lane` of such an array, as a value of `type`.
LLVMValueRef gcl_vector_element(struct gcl_vector *v, LLVMTypeRef type, LLVMValueRef array,
                                LLVMValueRef lane);

#endif
