// Mathematical functions of many lanes at a time.
//
// A function of the C library reaches the code generator as a call (erff) or an LLVM intrinsic
// (llvm.sin.f32). There are three kinds:
//  - those that library/math_library.c implements, without branches: gcl_math_link puts its code
//    in the place of the call, and both code generators treat it like the program's own;
//  - those with a vector variant in glibc's libmvec that keeps to the error that CUDA documents
//    (CUDA C++ Programming Guide, "Mathematical Functions"): gcl_math_find knows them;
//  - all others, which are called lane by lane.
// Scalar code of the second kind calls the vector variant of its level too and takes one lane
// (gcl_math_lower): what a program computes doesn't depend on what could be vectorised.
#ifndef GCL_DEVICE_MATH_H
#define GCL_DEVICE_MATH_H

#include "device/ir/module.h"

/// A vector variant of a function of the C library.
struct gcl_math_variant {
    const char *name;   ///< of the scalar function: "sinf"
    const char *symbol; ///< "_ZGVeN16v_sinf"
    uint32_t level;     ///< enum gcl_cpu_level
    unsigned lanes;     ///< a call
    unsigned arguments; ///< 1 or 2
    bool is_double;     ///< what a lane holds; otherwise float
};

/// Our implementations as LLVM bitcode: __gcl_math_<name> computes <name>.
const char *gcl_math_library_bytes(size_t *size);
/// Links our implementations of functions of the C library in place of their calls.
void gcl_math_link(struct gcl_module *m);
/// Replaces calls of the second kind in scalar code by the vector variant of the level of their
/// function. For optimised functions that have the code of their level.
void gcl_math_lower(struct gcl_module *m);

/// The C library's name of the function that `call` calls, NULL if it isn't one of mathematics:
/// "sinf" for sinf itself and for llvm.sin.f32.
const char *gcl_math_name(LLVMValueRef call);

/// The variant of function `name` for a level, NULL if there is none that is accurate enough.
const struct gcl_math_variant *gcl_math_find(const char *name, uint32_t level);
/// The level of x86-64 from which on a function computes the same to the last bit; GCL_CPU_ANY:
/// each may differ.
uint32_t gcl_math_settles(LLVMValueRef function);

/// The function `name` without effects, declared if the module doesn't have it.
LLVMValueRef gcl_math_declare(struct gcl_module *m, const char *name, LLVMTypeRef type);

/// Calls function `name`, which has a variant for `level`, on `lanes` lanes: the arguments are
/// vectors of that many, or scalars if `lanes` is 1, and so is the result.
LLVMValueRef gcl_math_call(struct gcl_module *m, LLVMBuilderRef builder, uint32_t level,
                           const char *name, const LLVMValueRef *arguments, unsigned lanes);

#endif
