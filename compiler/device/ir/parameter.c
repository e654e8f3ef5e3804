// Where each parameter of a kernel lies in the packed arguments of a launch: as in CUDA, at the
// next multiple of its alignment, since programs may pack them themselves (cuLaunchKernel's
// `extra`). The tables tell the runtime (device/tables.c), code reads them from there (block.c),
// and access programs name pointers by these offsets (access/).
#include "device/ir/parameter.h"

#include <assert.h>
#include <string.h>

#include "device/ir/module.h"
#include "device/ir/shim.h"

LLVMTypeRef gcl_parameter_type(LLVMValueRef kernel, unsigned index) {
    assert(index < LLVMCountParams(kernel));
    LLVMTypeRef type = gcl_shim_byval(kernel, index);
    return type ? type : LLVMTypeOf(LLVMGetParam(kernel, index));
}

static uint32_t alignment_of(const struct gcl_module *m, LLVMValueRef kernel, unsigned index) {
    uint32_t alignment = LLVMABIAlignmentOfType(m->layout, gcl_parameter_type(kernel, index));
    LLVMAttributeRef said = LLVMGetEnumAttributeAtIndex(
        kernel, index + 1, LLVMGetEnumAttributeKindForName("align", strlen("align")));
    // Of a pointer that is said of what it leads to.
    bool is_own = said && gcl_shim_byval(kernel, index);
    return is_own ? MAX(alignment, (uint32_t)LLVMGetEnumAttributeValue(said)) : alignment;
}

uint32_t gcl_parameter_offset(struct gcl_module *m, LLVMValueRef kernel, unsigned index) {
    assert(index <= LLVMCountParams(kernel));
    uint32_t end = 0, offset = 0;
    for (unsigned i = 0; i <= index; i++) {
        bool is_last = i == LLVMCountParams(kernel);
        LLVMTypeRef type = is_last ? NULL : gcl_parameter_type(kernel, i);
        uint32_t size = is_last ? 0 : (uint32_t)LLVMABISizeOfType(m->layout, type);
        uint32_t alignment = is_last ? 16 : alignment_of(m, kernel, i);
        offset = (end + alignment - 1) / alignment * alignment;
        end = offset + size;
    }
    return offset;
}
