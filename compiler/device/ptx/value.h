// What registers of a PTX text hold. Values are kept as bits: integers of 1 (predicates), 8, 16, 32
// or 64 bits; instructions of floating-point numbers cast on the way in and out.
#ifndef GCL_DEVICE_PTX_VALUE_H
#define GCL_DEVICE_PTX_VALUE_H

#include "device/ir/module.h"
#include "device/ptx/statement.h"

/// The carry of extended-precision arithmetic, which outlives the `asm` that leaves it.
struct gcl_ptx_carry {
    LLVMBasicBlockRef block; ///< where it is known
    LLVMValueRef value;      ///< NULL: it isn't
};

/// A text that is being translated.
struct gcl_ptx {
    struct gcl_module *m;
    LLVMBuilderRef b; ///< stands in front of `call`
    LLVMValueRef call;
    GHashTable *registers; ///< name -> LLVMValueRef
    unsigned outputs;      ///< how many of `$0`, `$1`, … are results; they come first
    struct gcl_ptx_carry *carry;
    LLVMModuleRef library; ///< library/ptx_library.c; the functions that instructions call by name
    bool calls_library;
};

/// Bits of a plain type: 32 for u32, 1 for pred; 0 for what isn't one, such as f16x2.
unsigned gcl_ptx_bits(const char *type);
bool gcl_ptx_is_real(const char *type);
bool gcl_ptx_is_signed(const char *type);
/// The LLVM type of a plain type, NULL for what isn't one.
LLVMTypeRef gcl_ptx_llvm_type(struct gcl_ptx *p, const char *type);
LLVMTypeRef gcl_ptx_integer(struct gcl_ptx *p, unsigned bits);
LLVMTypeRef gcl_ptx_void(struct gcl_ptx *p);

/// A value's bits as an integer.
LLVMValueRef gcl_ptx_as_bits(struct gcl_ptx *p, LLVMValueRef value);
/// What a register or number of that name holds, as bits; NULL if that isn't known.
LLVMValueRef gcl_ptx_read(struct gcl_ptx *p, const char *name);
/// The same as a value of a plain type.
LLVMValueRef gcl_ptx_read_as(struct gcl_ptx *p, const char *name, const char *type);
/// Operand number `index` as a value of a plain type; NULL if it is none.
LLVMValueRef gcl_ptx_operand(struct gcl_ptx *p, const struct gcl_ptx_statement *s, unsigned index,
                             const char *type);
/// Whether the statement is done, as a bit; NULL: always.
LLVMValueRef gcl_ptx_condition(struct gcl_ptx *p, const struct gcl_ptx_statement *s);
/// Puts a value into a register, where the statement's predicate holds.
void gcl_ptx_write(struct gcl_ptx *p, const struct gcl_ptx_statement *s, const char *name,
                   LLVMValueRef value);

/// Calls a function of the runtime or of our headers, of up to eight arguments.
LLVMValueRef gcl_ptx_call(struct gcl_ptx *p, const char *name, LLVMTypeRef result,
                          LLVMValueRef *arguments, unsigned count);
/// A variable of the thread's own, of `count` elements.
LLVMValueRef gcl_ptx_local(struct gcl_ptx *p, LLVMTypeRef element, unsigned count);
/// The number of this thread's lane.
LLVMValueRef gcl_ptx_lane(struct gcl_ptx *p);

#endif
