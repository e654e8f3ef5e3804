// struct gcl_block as LLVM sees it, and the built-in variables that are read from it.
#include <string.h>

#include "intrinsics.h"
#include "module.h"
#include "regions.h"
#include "shim.h"

static LLVMTypeRef block_type(struct gcl_module *m) {
    LLVMTypeRef type = LLVMGetTypeByName2(m->context, "gcl_block");
    if (type)
        return type;
    LLVMTypeRef triple = LLVMArrayType2(gcl_i32(m), 3), i32 = gcl_i32(m), ptr = gcl_ptr(m);
    LLVMTypeRef fields[] = {triple, triple, triple, i32, i32, i32, ptr,
                            ptr,    ptr,    ptr,    ptr, ptr, ptr, ptr};
    type = LLVMStructCreateNamed(m->context, "gcl_block");
    LLVMStructSetBody(type, fields, G_N_ELEMENTS(fields), 0);
    return type;
}

void gcl_mark(struct gcl_module *m, LLVMValueRef instruction, const char *name) {
    unsigned kind = LLVMGetMDKindIDInContext(m->context, name, (unsigned)strlen(name));
    LLVMSetMetadata(instruction, kind,
                    LLVMMetadataAsValue(m->context, LLVMMDNodeInContext2(m->context, NULL, 0)));
}

bool gcl_is_marked(struct gcl_module *m, LLVMValueRef instruction, const char *name) {
    unsigned kind = LLVMGetMDKindIDInContext(m->context, name, (unsigned)strlen(name));
    return LLVMGetMetadata(instruction, kind) != NULL;
}

LLVMValueRef gcl_block_field(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef block,
                             enum gcl_block_field field, unsigned axis) {
    LLVMValueRef index[] = {gcl_u32(m, 0), gcl_u32(m, field), gcl_u32(m, axis)};
    unsigned count = field <= GCL_BLOCK_GRID_SIZE ? 3 : 2;
    return LLVMBuildInBoundsGEP2(builder, block_type(m), block, index, count, "");
}

LLVMValueRef gcl_block_load(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef block,
                            enum gcl_block_field field, unsigned axis) {
    LLVMTypeRef type = field < GCL_BLOCK_ARGUMENTS ? gcl_i32(m) : gcl_ptr(m);
    LLVMValueRef load =
        LLVMBuildLoad2(builder, type, gcl_block_field(m, builder, block, field, axis), "");
    if (field != GCL_BLOCK_THREAD)
        gcl_mark(m, load, "invariant.load");
    return load;
}

LLVMValueRef gcl_block_element(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef block,
                               enum gcl_block_field field, LLVMValueRef index) {
    LLVMTypeRef type = field == GCL_BLOCK_VALUE ? gcl_i64(m) : gcl_i32(m);
    LLVMValueRef array = gcl_block_load(m, builder, block, field, 0);
    LLVMValueRef wide = LLVMBuildZExt(builder, index, gcl_i64(m), "");
    return LLVMBuildInBoundsGEP2(builder, type, array, &wide, 1, "");
}

LLVMValueRef gcl_block_at(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef blocks,
                          LLVMValueRef index) {
    return LLVMBuildInBoundsGEP2(builder, block_type(m), blocks, &index, 1, "");
}

LLVMValueRef gcl_intrinsic_value(struct gcl_module *m, LLVMBuilderRef builder,
                                 const struct gcl_thread *thread, LLVMValueRef call) {
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

bool gcl_is_shared(struct gcl_module *m, LLVMValueRef block, LLVMValueRef address) {
    return is_shared(m, block, address, 8);
}

bool gcl_is_alone(struct gcl_module *m, LLVMValueRef block, LLVMValueRef i) {
    return (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i)) &&
           gcl_is_shared(m, block, LLVMGetOperand(i, 0));
}

LLVMTypeRef gcl_parameter_type(LLVMValueRef kernel, unsigned index) {
    LLVMTypeRef type = gcl_shim_byval(kernel, index);
    return type ? type : LLVMTypeOf(LLVMGetParam(kernel, index));
}

uint32_t gcl_parameter_offset(struct gcl_module *m, LLVMValueRef kernel, unsigned index) {
    uint32_t end = 0, offset = 0;
    for (unsigned i = 0; i <= index; i++) {
        bool is_last = i == LLVMCountParams(kernel);
        LLVMTypeRef type = is_last ? NULL : gcl_parameter_type(kernel, i);
        uint32_t size = is_last ? 0 : (uint32_t)LLVMABISizeOfType(m->layout, type);
        uint32_t alignment = size > 8 || is_last ? 16 : 8;
        offset = (end + alignment - 1) / alignment * alignment;
        end = offset + size;
    }
    return offset;
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

void gcl_thread_axes(LLVMBuilderRef builder, LLVMValueRef number, const LLVMValueRef size[2],
                     LLVMValueRef axis[3]) {
    LLVMValueRef row = LLVMBuildUDiv(builder, number, size[0], "");
    axis[0] = LLVMBuildURem(builder, number, size[0], "");
    axis[1] = LLVMBuildURem(builder, row, size[1], "");
    axis[2] = LLVMBuildUDiv(builder, row, size[1], "");
}

static LLVMValueRef runtime_block(struct gcl_module *m, LLVMBuilderRef builder) {
    LLVMTypeRef type = LLVMFunctionType(gcl_ptr(m), NULL, 0, 0);
    LLVMValueRef function = gcl_intrinsic_declare(m, "gcl_block_current", gcl_ptr(m));
    return LLVMBuildCall2(builder, type, function, NULL, 0, "");
}

static struct gcl_thread running_thread(struct gcl_module *m, LLVMBuilderRef builder) {
    struct gcl_thread t = {.block = runtime_block(m, builder)};
    LLVMValueRef size[] = {gcl_block_load(m, builder, t.block, GCL_BLOCK_SIZE, 0),
                           gcl_block_load(m, builder, t.block, GCL_BLOCK_SIZE, 1)};
    t.number = gcl_block_load(m, builder, t.block, GCL_BLOCK_THREAD, 0);
    gcl_thread_axes(builder, t.number, size, t.axis);
    return t;
}

static void lower_function(struct gcl_module *m, LLVMBuilderRef builder, LLVMValueRef function) {
    g_autoptr(GPtrArray) calls = g_ptr_array_new();
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsACallInst(i) && gcl_intrinsic_find(i))
                g_ptr_array_add(calls, i);
        }
    }
    if (calls->len == 0)
        return;
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    struct gcl_thread thread = running_thread(m, builder);
    for (guint i = 0; i < calls->len; i++)
        LLVMReplaceAllUsesWith(calls->pdata[i],
                               gcl_intrinsic_value(m, builder, &thread, calls->pdata[i]));
    for (guint i = 0; i < calls->len; i++) // not before: the builder stands at the first of them
        LLVMInstructionEraseFromParent(calls->pdata[i]);
}

void gcl_functions_lower(struct gcl_module *m) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        if (!gcl_module_kernel(m, f) && !LLVMIsDeclaration(f))
            lower_function(m, builder, f);
    }
    LLVMDisposeBuilder(builder);
}
