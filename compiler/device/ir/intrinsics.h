// The functions that our CUDA headers call and the code generator knows.
#ifndef GCL_DEVICE_INTRINSICS_H
#define GCL_DEVICE_INTRINSICS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "device/ir/module.h"
#include "gcluster/kernel.h"

/// What a known function asks for.
enum gcl_intrinsic_kind {
    GCL_INTRINSIC_NONE,
    GCL_INTRINSIC_THREAD, ///< threadIdx, `axis` 0 to 2; 3: the number in the block
    GCL_INTRINSIC_BLOCK_INDEX,
    GCL_INTRINSIC_BLOCK_SIZE,
    GCL_INTRINSIC_GRID_SIZE,
    GCL_INTRINSIC_SHARED,         ///< address of static shared memory
    GCL_INTRINSIC_DYNAMIC_SHARED, ///< address of dynamic shared memory
    GCL_INTRINSIC_DYNAMIC_SIZE,
    GCL_INTRINSIC_CUT, ///< threads wait here
};

/// How a cut's operands are passed.
enum gcl_cut_form {
    GCL_FORM_NONE,       ///< ()
    GCL_FORM_VALUE,      ///< (value)
    GCL_FORM_MASK,       ///< (mask)
    GCL_FORM_MASK_VALUE, ///< (mask, value)
    GCL_FORM_MASK_VALUE_LANE,
};

struct gcl_intrinsic {
    const char *name;
    enum gcl_intrinsic_kind kind;
    unsigned axis;
    enum gcl_cut_kind cut;
    enum gcl_cut_operation operation;
    enum gcl_cut_form form;
};

/// Part of the name of the function of our headers that fetches from a texture.
#define GCL_TEXTURE_FUNCTION "__gcl_sample_level"

/// The intrinsic that `value`, a function or a direct call, is or calls; NULL for anything else.
const struct gcl_intrinsic *gcl_intrinsic_find(LLVMValueRef value);
/// Whether an instruction is a barrier of a block.
bool gcl_intrinsic_is_barrier(LLVMValueRef instruction);
/// Declares the intrinsic `name` if need be and returns it.
LLVMValueRef gcl_intrinsic_declare(struct gcl_module *m, const char *name, LLVMTypeRef type);
/// The name of the function that `i` calls; "" if it is no call, or one through a pointer.
const char *gcl_intrinsic_callee(LLVMValueRef i);
/// Whether an instruction calls through a pointer.
bool gcl_intrinsic_is_by_pointer(LLVMValueRef i);
/// Calls LLVM's intrinsic `name` with the given overloads.
LLVMValueRef gcl_intrinsic_call_llvm(struct gcl_module *m, LLVMBuilderRef builder, const char *name,
                                     LLVMTypeRef *overload, unsigned overloads,
                                     LLVMValueRef *arguments, unsigned count);
/// Converts a float to an integer of 32 or 64 bits as PTX's cvt does (PTX ISA, "cvt"): what is out
/// of range becomes the nearest in range; NaN becomes 0, or, from a double or to 64 bits, the
/// integer whose highest bit alone is set.
LLVMValueRef gcl_intrinsic_to_integer(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef x,
                                      LLVMTypeRef to, bool is_signed);
/// Gives functions of the runtime their own names, so that a device's printf isn't the host's.
void gcl_intrinsics_rename(struct gcl_module *m);
/// True if a call of `function` may look at the running thread's number.
bool gcl_intrinsic_is_runtime(LLVMValueRef function);

#endif
