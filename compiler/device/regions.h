// Between the stages that cut a kernel, build its regions and run their lanes.
#ifndef GCL_DEVICE_REGIONS_H
#define GCL_DEVICE_REGIONS_H

#include "module.h"

/// The type of parameter `index` as the source has it: what lies in the packed arguments. Differs
/// from the LLVM parameter's for structs passed by value.
LLVMTypeRef gcl_parameter_type(LLVMValueRef kernel, unsigned index);
/// Bytes of that parameter, and its offset in the packed arguments; the end for index = count.
uint32_t gcl_parameter_offset(struct gcl_module *m, LLVMValueRef kernel, unsigned index);

/// The cut at the end of `block`, NULL if there is none.
LLVMValueRef gcl_cut_before(LLVMBasicBlockRef block);
/// Whether working `i` out anew costs less than keeping it.
bool gcl_is_cheap(LLVMValueRef i);
bool gcl_kernel_has_cuts(const struct gcl_device_kernel *kernel);

/// Fields of struct gcl_block, in order.
enum gcl_block_field {
    GCL_BLOCK_INDEX,
    GCL_BLOCK_SIZE,
    GCL_BLOCK_GRID_SIZE,
    GCL_BLOCK_THREAD_COUNT,
    GCL_BLOCK_THREAD,
    GCL_BLOCK_DYNAMIC_SIZE,
    GCL_BLOCK_ARGUMENTS,
    GCL_BLOCK_SHARED,
    GCL_BLOCK_DYNAMIC_SHARED,
    GCL_BLOCK_FRAME,
    GCL_BLOCK_NEXT,
    GCL_BLOCK_VALUE,
    GCL_BLOCK_MASK,
    GCL_BLOCK_LANE,
};

/// The address of a field; `axis` picks the element of the first three.
LLVMValueRef gcl_block_field(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef block,
                             enum gcl_block_field field, unsigned axis);
/// Empty metadata: "invariant.load" as LLVM means it; "gcl.kept" is a load that a lane function may
/// do first, as it changes nothing there; "gcl.frame" one of what the thread has left for itself in
/// the frame; "gcl.entry" stands where all that it needs is known.
void gcl_mark(struct gcl_module *m, LLVMValueRef instruction, const char *name);
bool gcl_is_marked(struct gcl_module *m, LLVMValueRef instruction, const char *name);
/// Loads a field that doesn't change while a block runs.
LLVMValueRef gcl_block_load(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef block,
                            enum gcl_block_field field, unsigned axis);
/// The address of element `index` in the array of 32- or 64-bit values that a field points to.
LLVMValueRef gcl_block_element(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef block,
                               enum gcl_block_field field, LLVMValueRef index);

/// Whether an address leads into the shared memory of `block`, which one worker alone looks at.
bool gcl_is_shared(struct gcl_module *m, LLVMValueRef block, LLVMValueRef address);
/// Whether `i` is an atomic operation that nobody could interrupt: on shared memory of `block`.
bool gcl_is_alone(struct gcl_module *m, LLVMValueRef block, LLVMValueRef i);

/// Element `index` of an array of blocks.
LLVMValueRef gcl_block_at(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef blocks,
                          LLVMValueRef index);
/// Loads the kernel's arguments from where the block has them packed, one a parameter.
void gcl_block_load_arguments(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef block,
                              LLVMValueRef kernel, LLVMValueRef *arguments);
/// The place of thread `number` in a block of that size along x and y.
void gcl_thread_axes(LLVMBuilderRef builder, LLVMValueRef number, const LLVMValueRef size[2],
                     LLVMValueRef axis[3]);

/// The running thread: what its numbers are in IR.
struct gcl_thread {
    LLVMValueRef block;
    LLVMValueRef number;
    LLVMValueRef axis[3];
};

/// What an intrinsic that isn't a cut evaluates to, built at `builder`.
LLVMValueRef gcl_intrinsic_value(struct gcl_module *m, LLVMBuilderRef builder,
                                 const struct gcl_thread *thread, LLVMValueRef call);

/// Declares the function of region `number` in a variant of its kernel, without a body.
LLVMValueRef gcl_variant_declare(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                                 const struct gcl_device_variant *variant, guint number);
/// Whether the variant is for one size of blocks alone.
bool gcl_variant_is_shaped(const struct gcl_device_variant *variant);
/// How many threads its blocks have; UINT32_MAX if any number.
uint32_t gcl_variant_threads(const struct gcl_device_variant *variant);
/// What a lane function takes behind the kernel's parameters.
enum gcl_lane_parameter {
    GCL_LANE_BLOCK,
    GCL_LANE_THREAD,                     ///< its number; x, y and z follow
    GCL_LANE_KEPT = GCL_LANE_THREAD + 4, ///< where locals of which the block has one copy are
    GCL_LANE_LEFT,                       ///< where the region leaves them
    GCL_LANE_FRAME,                      ///< where each thread's own locals are, but for arrays
    GCL_LANE_COUNT,
};
/// The parameter of a lane function that is its block.
LLVMValueRef gcl_lane_block(LLVMValueRef lane);
/// The target for which a kernel that runs in vectors has a variant, its last, that runs thread by
/// thread with the same results; NULL: none.
const struct gcl_device_target *gcl_variant_by_threads(const struct gcl_module *m,
                                                       const struct gcl_device_kernel *kernel);
/// Whether a kernel runs several blocks along x at once; for one whose regions exist.
bool gcl_strips_suit(struct gcl_module *m, const struct gcl_device_kernel *kernel);
/// How many instructions a lane function has.
unsigned gcl_lane_length(LLVMValueRef lane);
/// Makes a function of each loop of `lane` that retries an atomic operation.
void gcl_retries_outline(struct gcl_module *m, LLVMValueRef lane);
/// Whether `call` is one of such a function.
bool gcl_retries(LLVMValueRef call);
/// Whether `i` is a call of code that may ask which thread is running.
bool gcl_asks_for_thread(LLVMValueRef i);
/// Functions, one a region, that run any part of a block of any shape (vector.h: gcl_rest_build):
/// what all variants for the processor of `general` share. To be freed.
LLVMValueRef *gcl_vector_rests(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                               struct gcl_device_variant *general);
/// Fills `variant->functions`: every region runs its threads as vectors.
void gcl_vector_build(struct gcl_module *m, struct gcl_device_kernel *kernel,
                      struct gcl_device_variant *variant, LLVMValueRef *rests);
/// The same, its threads one after the other.
void gcl_lanes_build(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                     struct gcl_device_variant *variant);

/// Makes the functions that stay functions ask the runtime for their block.
void gcl_functions_lower(struct gcl_module *m);

#endif
