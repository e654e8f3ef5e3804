// What LLVM offers in C++ alone, with a C face.
#ifndef GCL_DEVICE_SHIM_H
#define GCL_DEVICE_SHIM_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Turns the constant expressions over `global` that instructions use into instructions.
void gcl_shim_expand_uses(LLVMValueRef global);
/// The global that constant `pointer` leads to, and how many bytes behind its start.
LLVMValueRef gcl_shim_base(LLVMTargetDataRef layout, LLVMValueRef pointer, int64_t *offset);
/// The name of a C++ function without namespaces, classes, arguments: from its symbol. NULL if that
/// is none of C++'s. To be freed with free.
char *gcl_shim_base_name(const char *symbol);
/// The name in the source with a template's arguments; of a variable, its name.
char *gcl_shim_source_name(const char *symbol);
/// Is called for a field of a kernel's parameter in the source: its name, behind those of the
/// structs that it is in
/// ("" for a parameter that is no struct); its byte in the parameter; the size in bytes of what it
/// points to, 0 if that isn't known or the field is no pointer.
typedef void gcl_shim_field(void *context, const char *name, uint64_t offset, uint64_t element);
/// Calls `visit` for each field of parameter number `parameter` of a function, as debug information
/// describes it.
void gcl_shim_visit_fields(LLVMValueRef function, unsigned parameter, gcl_shim_field *visit,
                           void *context);
/// Takes what debug information knows of variables out of functions, but for mirrors (mirror.h).
void gcl_shim_drop_variables(LLVMModuleRef module);
/// Describes a variable to debuggers as what the pointer in `slot` leads to.
void gcl_shim_describe_behind(LLVMValueRef variable, LLVMValueRef slot);
/// Takes all debug information out of functions but mirrors.
void gcl_shim_describe_mirrors_alone(LLVMModuleRef module);
/// Makes functions that have been made of a kernel's instructions the kernel's for debuggers, and
/// their lines those functions'.
void gcl_shim_describe_lines(LLVMModuleRef module);
/// Takes mirrors off the module's lists of what is kept though nobody calls it, or puts them there,
/// so that no pass changes what they take and return.
void gcl_shim_forget_used_mirrors(LLVMModuleRef module);
void gcl_shim_use_mirrors(LLVMModuleRef module);
/// The name of a C++ function as the source has it, with namespaces, without arguments:
/// "space::kernel". NULL if the symbol is none of C++'s. To be freed with free.
char *gcl_shim_qualified_name(const char *symbol);
/// Lists constructors of the machine's objects in .init_array: not every linker knows .ctors, which
/// LLVM's C API chooses.
void gcl_shim_use_init_array(LLVMTargetMachineRef machine);
/// True if the machine's processor has all of `features`, such as "+avx2,+fma".
int gcl_shim_has_features(LLVMTargetMachineRef machine, const char *features);
/// Whether `before` has run whenever `instruction` of the same function runs.
int gcl_shim_dominates(LLVMValueRef before, LLVMValueRef instruction);
/// Whether an integer, or each of a vector's, is below a bound where an instruction uses it, as far
/// as its bits tell.
int gcl_shim_is_below(LLVMValueRef instruction, LLVMValueRef integer, uint64_t bound);
/// A constant of an integer's type, or of a vector's of those.
LLVMValueRef gcl_shim_splat(LLVMTypeRef type, uint64_t value);
/// A copy of a function, beside it in its module.
LLVMValueRef gcl_shim_clone_function(LLVMValueRef function);
/// Adds a pointer parameter behind those of a function: passed by value as a `byval`, or as the
/// pointer that it is (NULL). Takes the function's place everywhere but in its calls, which lack
/// the argument until gcl_shim_add_argument. Returns the new function.
LLVMValueRef gcl_shim_add_parameter(LLVMValueRef function, LLVMTypeRef byval);
/// Makes a call one of `function`, with an argument more.
void gcl_shim_add_argument(LLVMValueRef call, LLVMValueRef function, LLVMValueRef argument);
/// Makes a call through a pointer one of `function` where the pointer is that function's address;
/// the call remains for other addresses. Does nothing if it can't call such a function.
void gcl_shim_split_call(LLVMValueRef call, LLVMValueRef function);
/// Sets a flag of a module, whatever it was.
void gcl_shim_set_flag(LLVMModuleRef module, const char *name, uint32_t value);
/// Moves the functions of `library` that `module` declares into it, with what they need, and frees
/// the library. False if they don't fit.
int gcl_shim_link_needed(LLVMModuleRef module, LLVMModuleRef library);
/// Leaves the declaration of a function or variable.
void gcl_shim_drop_body(LLVMValueRef global);
/// How often a block of a function runs for one that it is called by, if all conditions but those
/// of loops hold: `factor` times the values of parameters.
struct gcl_shim_trips {
    double factor;
    unsigned parameters[2], parameter_count;
};
typedef void gcl_shim_trip(void *context, LLVMBasicBlockRef block,
                           const struct gcl_shim_trips *trips);
/// Calls `visit` for each block of a function whose loops are in LLVM's simple form; `trips` NULL:
/// data decides, or something else that isn't a number or at most two parameters.
void gcl_shim_visit_trips(LLVMValueRef function, gcl_shim_trip *visit, void *context);
/// Splits a block in front of an instruction, so that LLVM's code generator leaves it split: it
/// merges no block that has an address.
void gcl_shim_split_block(LLVMValueRef before);
/// A block of its own on the way from a block to one of its successors.
LLVMBasicBlockRef gcl_shim_split_edge(LLVMBasicBlockRef from, LLVMBasicBlockRef to);
/// Takes all metadata off an instruction but !invariant.load.
void gcl_shim_drop_metadata(LLVMValueRef instruction);
/// How many bytes behind its base an address with constant indices lies, -1 for any other.
int64_t gcl_shim_offset(LLVMTargetDataRef layout, LLVMValueRef address);
/// The byval type of a parameter, NULL if it has none.
LLVMTypeRef gcl_shim_byval(LLVMValueRef function, unsigned parameter);
/// Takes all fast-math flags off an instruction that has any: they can only be added in C.
void gcl_shim_make_strict(LLVMValueRef instruction);

/// Moves what stands from `first` on to the end of its block, and `blocks`, which are only entered
/// from there, to a new function, and returns its call; NULL if LLVM can't.
LLVMValueRef gcl_shim_outline(LLVMValueRef first, LLVMBasicBlockRef *blocks, unsigned count);
/// Whether an instruction may change memory, or may read or change it.
int gcl_shim_may_write(LLVMValueRef instruction);
int gcl_shim_uses_memory(LLVMValueRef instruction);
/// Makes a load, an operation and a store of an atomic operation.
void gcl_shim_lower_atomic(LLVMValueRef instruction);

#ifdef __cplusplus
}
#endif
#endif
