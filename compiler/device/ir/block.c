// struct gcl_block as LLVM sees it, and the built-in variables that are read from it.
#include "device/ir/block.h"

#include <assert.h>
#include <string.h>

#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/parameter.h"
#include "device/ir/shim.h"

static LLVMTypeRef block_type(struct gcl_module *m) {
    LLVMTypeRef type = LLVMGetTypeByName2(m->context, "gcl_block");
    if (type)
        return type;
    LLVMTypeRef triple = LLVMArrayType2(gcl_i32(m), 3), i32 = gcl_i32(m), ptr = gcl_ptr(m);
    LLVMTypeRef fields[] = {triple, triple, triple, i32, i32, i32, i32, ptr,
                            ptr,    ptr,    ptr,    ptr, ptr, ptr, ptr};
    type = LLVMStructCreateNamed(m->context, "gcl_block");
    LLVMStructSetBody(type, fields, G_N_ELEMENTS(fields), 0);
    return type;
}

LLVMValueRef gcl_block_field(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef block,
                             enum gcl_block_field field, unsigned axis) {
    LLVMValueRef index[] = {gcl_u32(m, 0), gcl_u32(m, field), gcl_u32(m, axis)};
    unsigned count = field <= GCL_BLOCK_GRID_SIZE ? 3 : 2;
    assert(axis < (count == 3 ? 3 : 1));
    return LLVMBuildInBoundsGEP2(builder, block_type(m), block, index, count, "");
}

LLVMValueRef gcl_block_load(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef block,
                            enum gcl_block_field field, unsigned axis) {
    LLVMTypeRef type = field < GCL_BLOCK_ARGUMENTS ? gcl_i32(m) : gcl_ptr(m);
    LLVMValueRef load =
        LLVMBuildLoad2(builder, type, gcl_block_field(m, builder, block, field, axis), "");
    if (field != GCL_BLOCK_THREAD && field != GCL_BLOCK_RUNNING)
        gcl_module_mark(m, load, "invariant.load");
    return load;
}

LLVMValueRef gcl_block_element(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef block,
                               enum gcl_block_field field, LLVMValueRef index) {
    assert(field >= GCL_BLOCK_NEXT && LLVMTypeOf(index) == gcl_i32(m)); // an array over threads
    LLVMTypeRef type = field == GCL_BLOCK_VALUE ? gcl_i64(m) : gcl_i32(m);
    LLVMValueRef array = gcl_block_load(m, builder, block, field, 0);
    LLVMValueRef wide = LLVMBuildZExt(builder, index, gcl_i64(m), "");
    return LLVMBuildInBoundsGEP2(builder, type, array, &wide, 1, "");
}

LLVMValueRef gcl_block_at(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef blocks,
                          LLVMValueRef index) {
    return LLVMBuildInBoundsGEP2(builder, block_type(m), blocks, &index, 1, "");
}

LLVMValueRef gcl_block_intrinsic(struct gcl_module *m, LLVMBuilderRef builder,
                                 const struct gcl_block_thread *thread, LLVMValueRef call) {
    const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(call);
    LLVMValueRef block = thread->block;
    switch (intrinsic->kind) {
    case GCL_INTRINSIC_THREAD:
        return intrinsic->axis < 3 ? thread->axis[intrinsic->axis] : thread->number;
    case GCL_INTRINSIC_BLOCK_INDEX:
        return gcl_block_load(m, builder, block, GCL_BLOCK_INDEX, intrinsic->axis);
    case GCL_INTRINSIC_BLOCK_SIZE:
        return gcl_block_load(m, builder, block, GCL_BLOCK_SIZE, intrinsic->axis);
    case GCL_INTRINSIC_GRID_SIZE:
        return gcl_block_load(m, builder, block, GCL_BLOCK_GRID_SIZE, intrinsic->axis);
    case GCL_INTRINSIC_SHARED:
        return gcl_block_load(m, builder, block, GCL_BLOCK_SHARED, 0);
    case GCL_INTRINSIC_DYNAMIC_SHARED:
        return gcl_block_load(m, builder, block, GCL_BLOCK_DYNAMIC_SHARED, 0);
    case GCL_INTRINSIC_DYNAMIC_SIZE:
        return gcl_block_load(m, builder, block, GCL_BLOCK_DYNAMIC_SIZE, 0);
    default:
        return NULL;
    }
}

// Assembly without an instruction that, for all that passes know, accesses any memory.
static void keep_order(struct gcl_module *m, LLVMBuilderRef builder) {
    static const char clobbers[] = "~{memory}";
    // Without these, passes would think that what follows might not run, and know less of it.
    static const char *const attributes[] = {"nounwind", "willreturn"};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), NULL, 0, 0);
    LLVMValueRef nothing =
        LLVMGetInlineAsm(type, "", 0, clobbers, strlen(clobbers), 1, 0, LLVMInlineAsmDialectATT, 0);
    LLVMValueRef call = LLVMBuildCall2(builder, type, nothing, NULL, 0, "");
    for (unsigned i = 0; i < G_N_ELEMENTS(attributes); i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i]));
        LLVMAddCallSiteAttribute(call, (unsigned)LLVMAttributeFunctionIndex,
                                 LLVMCreateEnumAttribute(m->context, kind, 0));
    }
}

void gcl_block_set_running(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef block,
                           LLVMValueRef running) {
    keep_order(m, builder);
    LLVMBuildStore(builder, running, gcl_block_field(m, builder, block, GCL_BLOCK_RUNNING, 0));
    keep_order(m, builder);
}

void gcl_block_note_running(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef block,
                            LLVMValueRef first, LLVMValueRef count) {
    LLVMValueRef factor = gcl_u32(m, GCL_RUNNING_COUNT);
    LLVMValueRef counted = LLVMBuildMul(builder, count, factor, "");
    gcl_block_set_running(m, builder, block, LLVMBuildAdd(builder, first, counted, ""));
}

static bool is_shared(struct gcl_module *m, LLVMValueRef block, LLVMValueRef address,
                      unsigned depth) {
    if (!LLVMIsAInstruction(address) || depth == 0)
        return false;
    switch (LLVMGetInstructionOpcode(address)) {
    case LLVMGetElementPtr:
    case LLVMFreeze:
        return is_shared(m, block, LLVMGetOperand(address, 0), depth - 1);
    case LLVMSelect:
        return is_shared(m, block, LLVMGetOperand(address, 1), depth - 1) &&
               is_shared(m, block, LLVMGetOperand(address, 2), depth - 1);
    case LLVMLoad: {
        LLVMValueRef field = LLVMGetOperand(address, 0);
        if (!LLVMIsAGetElementPtrInst(field) || LLVMGetOperand(field, 0) != block)
            return false;
        int64_t offset = gcl_shim_offset(m->layout, field);
        return offset == (int64_t)G_STRUCT_OFFSET(struct gcl_block, shared) ||
               offset == (int64_t)G_STRUCT_OFFSET(struct gcl_block, dynamic_shared);
    }
    default:
        return false;
    }
}

bool gcl_block_is_shared(struct gcl_module *m, LLVMValueRef block, LLVMValueRef address) {
    return is_shared(m, block, address, 8);
}

bool gcl_block_is_alone(struct gcl_module *m, LLVMValueRef block, LLVMValueRef i) {
    return (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i)) &&
           gcl_block_is_shared(m, block, LLVMGetOperand(i, 0));
}

void gcl_block_load_arguments(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef block,
                              LLVMValueRef kernel, LLVMValueRef *arguments) {
    LLVMValueRef packed = gcl_block_load(m, builder, block, GCL_BLOCK_ARGUMENTS, 0);
    for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel, i));
        LLVMValueRef offset = gcl_u64(m, gcl_parameter_offset(m, kernel, i));
        LLVMValueRef place = LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(m->context),
                                                   packed, &offset, 1, "");
        bool by_value = gcl_parameter_type(kernel, i) != type;
        arguments[i] = by_value ? place : LLVMBuildLoad2(builder, type, place, "");
    }
}

void gcl_block_thread_axes(LLVMBuilderRef builder, LLVMValueRef number, const LLVMValueRef size[2],
                           LLVMValueRef axis[3]) {
    assert(LLVMTypeOf(number) == LLVMTypeOf(size[0]) && LLVMTypeOf(number) == LLVMTypeOf(size[1]));
    LLVMValueRef row = LLVMBuildUDiv(builder, number, size[0], "");
    axis[0] = LLVMBuildURem(builder, number, size[0], "");
    axis[1] = LLVMBuildURem(builder, row, size[1], "");
    axis[2] = LLVMBuildUDiv(builder, row, size[1], "");
}
