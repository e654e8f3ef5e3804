// Global variables and the slots that hold their addresses at run time.
#ifndef GCL_DEVICE_LOWER_GLOBALS_H
#define GCL_DEVICE_LOWER_GLOBALS_H

#include "device/ir/module.h"

/// Replaces every use of `global` in an instruction by what `make` builds in front of it. Uses in
/// initialisers stay.
void gcl_globals_replace(struct gcl_module *m, LLVMValueRef global,
                         LLVMValueRef (*make)(struct gcl_module *, LLVMBuilderRef, void *),
                         void *data);
/// Adds a slot named after `name`: a word that the runtime sets before kernels run.
LLVMValueRef gcl_globals_add_slot(struct gcl_module *m, const char *name);
/// Loads the address that a slot holds; kernels never see it change.
LLVMValueRef gcl_globals_load_slot(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef slot);
/// Bytes from the start of a structure or an array to one of its elements.
uint64_t gcl_globals_offset_inside(struct gcl_module *m, LLVMTypeRef type, unsigned index);
/// The index in gcl_module.variables of the variable whose initial bytes are `image`; G_MAXUINT:
/// none.
guint gcl_globals_find_variable(struct gcl_module *m, LLVMValueRef image);
/// Whether a variable of the source is global or constant memory that the runtime places.
bool gcl_globals_is_variable(struct gcl_module *m, LLVMValueRef global);

#endif
