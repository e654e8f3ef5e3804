// Locals that a block keeps across cuts lie in its frame: first those of which the block has one
// copy, then an array over the threads for each of the others (cut/regions.c lays them out). While
// a block runs they are in copies that LLVM can put into registers.
#include "device/vector/widen/frame.h"

#include <assert.h>

#include "device/ir/module.h"

void gcl_frame_copy_kept(struct gcl_module *m, LLVMBuilderRef b, const GArray *kept,
                         LLVMValueRef to, LLVMValueRef from) {
    LLVMTypeRef i8 = LLVMInt8TypeInContext(m->context);
    for (guint i = 0; i < kept->len; i++) {
        const struct gcl_device_kept *k = &g_array_index(kept, struct gcl_device_kept, i);
        assert(k->offset % LLVMABIAlignmentOfType(m->layout, k->type) == 0);
        LLVMValueRef offset = gcl_u64(m, k->offset);
        LLVMValueRef source = LLVMBuildInBoundsGEP2(b, i8, from, &offset, 1, "");
        LLVMValueRef value = LLVMBuildLoad2(b, k->type, source, "");
        LLVMBuildStore(b, value, LLVMBuildInBoundsGEP2(b, i8, to, &offset, 1, ""));
    }
}

void gcl_frame_copy_framed(struct gcl_module *m, LLVMBuilderRef b,
                           const struct gcl_device_kernel *kernel,
                           const struct gcl_frame_part *part, LLVMValueRef to, LLVMValueRef from) {
    LLVMTypeRef i8 = LLVMInt8TypeInContext(m->context);
    assert(part->lanes > 0 && part->threads % part->lanes == 0);
    assert(LLVMTypeOf(part->first) == gcl_i64(m));
    for (guint i = 0; i < kernel->framed->len; i++) {
        const struct gcl_device_kept *k = &g_array_index(kernel->framed, struct gcl_device_kept, i);
        uint64_t array = kernel->kept_size + (uint64_t)k->offset * part->threads;
        LLVMValueRef size = gcl_u64(m, LLVMABISizeOfType(m->layout, k->type));
        LLVMValueRef offset =
            LLVMBuildAdd(b, LLVMBuildMul(b, part->first, size, ""), gcl_u64(m, array), "");
        unsigned alignment = LLVMABIAlignmentOfType(m->layout, k->type);
        LLVMValueRef source = LLVMBuildInBoundsGEP2(b, i8, from, &offset, 1, "");
        LLVMValueRef value = LLVMBuildLoad2(b, LLVMVectorType(k->type, part->lanes), source, "");
        LLVMSetAlignment(value, alignment);
        LLVMValueRef place = LLVMBuildInBoundsGEP2(b, i8, to, &offset, 1, "");
        LLVMSetAlignment(LLVMBuildStore(b, value, place), alignment);
    }
}

LLVMValueRef gcl_frame_add_kept(struct gcl_module *m, LLVMBuilderRef b,
                                const struct gcl_device_kernel *kernel) {
    LLVMTypeRef i8 = LLVMInt8TypeInContext(m->context);
    assert(kernel->kept_size % 16 == 0);
    LLVMValueRef place = LLVMBuildAlloca(b, LLVMArrayType2(i8, kernel->kept_size), "kept");
    LLVMSetAlignment(place, 16);
    return place;
}
