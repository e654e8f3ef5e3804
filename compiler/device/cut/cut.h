// The cut: where a kernel falls apart because its threads wait for each other, so that each part, a
// region, can run for all threads of a block before the next part does.
//
// Before: everything that holds a cut is inlined into its kernel (lower/inline.h), variables are
// lowered, and control flow has one way out (GCL_ONE_WAY_OUT). After: a kernel has regions, each a
// lane function: the way of one thread from one cut to the next. Stages, in order:
//
//     polls      loops in which threads wait for what others write, or for a lock, get a cut too
//     lockstep   what relies on warps in step, or on all warps having read, gets vectors that are
//                warps, or cuts; order finds it in imagined moments of a launch (moment) and on
//                ways without a wait (ways), and tells the user (order_tell)
//     stretch    where threads read from several parts of what their block reads, each part is
//                read by all of them before the next
//     prefetch   loops around barriers ask early for what they read next
//     cut        basic blocks end at cuts, and what is cheap is worked out anew behind them
//     demote     what crosses a cut goes through memory, once a thread or once a block
//     regions    one lane function a region
//     hoist      lane functions in the form that the vectoriser reads; retries: loops that retry an
//                atomic operation become functions
//
// Between prefetch and demote the lines of instructions are noted (gcl_module_keep_lines), debug
// information is dropped, and critical edges are split. Lane functions are copied for the sizes of
// blocks that are known (vector/variants.h) before hoist, which changes all copies.
#ifndef GCL_DEVICE_CUT_CUT_H
#define GCL_DEVICE_CUT_CUT_H

#include "device/ir/module.h"

/// Ends basic blocks at cuts, and works out anew behind them what is cheap. Warp operations of
/// kernels that run in vectors stay instructions and make vectors warps
/// (gcl_device_kernel.has_warps).
void gcl_cut_kernel(struct gcl_module *m, struct gcl_device_kernel *kernel);
/// How many cuts a function has.
unsigned gcl_cut_count(LLVMValueRef function);
/// Whether `i` is something that the threads of a warp do together.
bool gcl_cut_is_warp_operation(LLVMValueRef i);
/// Cuts a kernel in front of `before`: a call of the intrinsic `name` (ir/intrinsics.c).
LLVMValueRef gcl_cut_add(struct gcl_module *m, LLVMValueRef before, const char *name,
                         LLVMValueRef *arguments, unsigned count);
/// The cut at the end of `block`, NULL if there is none.
LLVMValueRef gcl_cut_before(LLVMBasicBlockRef block);
/// `value` worked out anew in front of `before`, anywhere in its function; NULL if it doesn't
/// follow from arguments and thread numbers in a few cheap steps.
LLVMValueRef gcl_cut_recompute(struct gcl_module *m, LLVMValueRef before, LLVMValueRef value);
/// Whether working `i` out anew costs less than keeping it.
bool gcl_cut_is_cheap(LLVMValueRef i);

#endif
