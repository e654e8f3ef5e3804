// Inline PTX: from the text of an `asm` in device code to IR of the CPU's that does the same (PTX
// ISA 8.5, "Instruction Set"), statement by statement. Files:
//
//     statement   what a statement says; value: what registers hold
//     integer     arithmetic, logic, comparisons; real: the same of floats, and conversions
//     memory      loads, stores, atomics, copies; together: what threads do with each other
//     library     all else, by name: library/ptx_library.c has a function for each instruction
//
// What isn't known is never guessed: it stays as it is, for GPUs.
#ifndef GCL_DEVICE_PTX_PTX_H
#define GCL_DEVICE_PTX_PTX_H

#include "device/ptx/value.h"

/// What the texts of a module have in common. Zeroed before the first one.
struct gcl_ptx_module {
    LLVMModuleRef library; ///< once one of them needs it
    bool is_called;
    struct gcl_ptx_carry carry;
};

/// Replaces `call`, a call of inline assembly, by IR that does the same. Returns the statement that
/// isn't known, to be freed with g_free, and leaves the call as it stands; NULL if all went well.
char *gcl_ptx_translate(struct gcl_module *m, struct gcl_ptx_module *texts, LLVMValueRef call);
/// After the last text of a module: puts in what they call.
void gcl_ptx_finish(struct gcl_module *m, struct gcl_ptx_module *texts);
/// Has threads that come to inline assembly that is still there end their launch, with a message
/// that names the first statement that isn't known, and its place.
void gcl_ptx_refuse(struct gcl_module *m);

/// Each translates a statement of the kind that its file is about. False: it isn't known.
bool gcl_ptx_integer_translate(struct gcl_ptx *p, const struct gcl_ptx_statement *s);
bool gcl_ptx_real_translate(struct gcl_ptx *p, const struct gcl_ptx_statement *s);
bool gcl_ptx_memory_translate(struct gcl_ptx *p, const struct gcl_ptx_statement *s);
bool gcl_ptx_together_translate(struct gcl_ptx *p, const struct gcl_ptx_statement *s);
bool gcl_ptx_library_translate(struct gcl_ptx *p, const struct gcl_ptx_statement *s);

/// The address that an operand is, as a pointer: of shared memory, which addresses count from its
/// begin, where `space` says so. Where the statement's predicate doesn't hold it is that of `size`
/// bytes which nobody else knows. NULL: it isn't known.
LLVMValueRef gcl_ptx_address(struct gcl_ptx *p, const struct gcl_ptx_statement *s,
                             const struct gcl_ptx_operand *o, bool is_shared, unsigned size);

#endif
