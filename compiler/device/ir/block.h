// struct gcl_block (gcluster/kernel.h) as LLVM sees it: the addresses and values of its fields, and
// what the built-in variables of the running thread are read from.
#ifndef GCL_DEVICE_IR_BLOCK_H
#define GCL_DEVICE_IR_BLOCK_H

#include "device/ir/module.h"

/// Fields of struct gcl_block, in order.
enum gcl_block_field {
    GCL_BLOCK_INDEX,
    GCL_BLOCK_SIZE,
    GCL_BLOCK_GRID_SIZE,
    GCL_BLOCK_THREAD_COUNT,
    GCL_BLOCK_THREAD,
    GCL_BLOCK_DYNAMIC_SIZE,
    GCL_BLOCK_RUNNING,
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
/// Loads a field that doesn't change while a block runs.
LLVMValueRef gcl_block_load(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef block,
                            enum gcl_block_field field, unsigned axis);
/// The address of element `index` in the array of 32- or 64-bit values that a field points to.
LLVMValueRef gcl_block_element(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef block,
                               enum gcl_block_field field, LLVMValueRef index);
/// Element `index` of an array of blocks.
LLVMValueRef gcl_block_at(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef blocks,
                          LLVMValueRef index);
/// Loads the kernel's arguments from where the block has them packed, one a parameter.
void gcl_block_load_arguments(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef block,
                              LLVMValueRef kernel, LLVMValueRef *arguments);

/// Stores gcl_block.running for code from here on. A fault may stop that anywhere, so no access to
/// memory is moved past the store.
void gcl_block_set_running(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef block,
                           LLVMValueRef running);
/// Like gcl_block_set_running, for `count` threads from `first` on.
void gcl_block_note_running(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef block,
                            LLVMValueRef first, LLVMValueRef count);

/// Whether an address leads into the shared memory of `block`, which one worker alone looks at.
bool gcl_block_is_shared(struct gcl_module *m, LLVMValueRef block, LLVMValueRef address);
/// Whether `i` is an atomic operation that nobody could interrupt: on shared memory of `block`.
bool gcl_block_is_alone(struct gcl_module *m, LLVMValueRef block, LLVMValueRef i);

/// The place of thread `number` in a block of that size along x and y.
void gcl_block_thread_axes(LLVMBuilderRef builder, LLVMValueRef number, const LLVMValueRef size[2],
                           LLVMValueRef axis[3]);

/// The running thread: what its numbers are in IR.
struct gcl_block_thread {
    LLVMValueRef block;
    LLVMValueRef number;
    LLVMValueRef axis[3];
};

/// What an intrinsic that isn't a cut evaluates to, built at `builder`.
LLVMValueRef gcl_block_intrinsic(struct gcl_module *m, LLVMBuilderRef builder,
                                 const struct gcl_block_thread *thread, LLVMValueRef call);

#endif
