// Where code stands in the source of the user, as far as debug information tells.
#ifndef GCL_DEVICE_IR_SOURCE_H
#define GCL_DEVICE_IR_SOURCE_H

#include "device/ir/module.h"

/// A place in the source.
struct gcl_source {
    char *file; ///< as the user named it, to be freed; NULL: the place isn't known
    unsigned line;
    uint16_t column; ///< 0: the whole line
};

/// Where `instruction` of `function` stands in the user's source, never inside of our headers for
/// CUDA. An instruction without a place of its own gets that of a neighbour, or of the function.
struct gcl_source gcl_source_find(const struct gcl_module *m, LLVMValueRef function,
                                  LLVMValueRef instruction);
/// The file that a function or block stands in, as the user named it; of one without debug
/// information, the first input. To be freed.
char *gcl_source_file(const struct gcl_module *m, LLVMMetadataRef scope);
/// Whether an instruction is part of what our headers do to fetch from a texture.
bool gcl_source_is_texture(LLVMValueRef instruction);

#endif
