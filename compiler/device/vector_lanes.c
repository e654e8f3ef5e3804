// What can't be widened is done lane by lane: a loop over the lanes that run, around the one
// instruction. Its operands wait in arrays, and so does what it returns.
#include <string.h>

#include "intrinsics.h"
#include "shim.h"
#include "vector.h"

static LLVMBasicBlockRef new_block(struct gcl_vector *v, const char *name) {
    return LLVMAppendBasicBlockInContext(v->m->context, v->function, name);
}

static LLVMTypeRef bits_type(struct gcl_vector *v) {
    return LLVMIntTypeInContext(v->m->context, v->lanes);
}

struct gcl_lane_loop gcl_lane_loop_begin(struct gcl_vector *v, LLVMValueRef mask) {
    struct gcl_lane_loop loop = {.body = new_block(v, "lane")};
    LLVMValueRef bits = gcl_vector_mask_bits(v, mask);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(v->b);
    LLVMBuildBr(v->b, loop.body);
    LLVMPositionBuilderAtEnd(v->b, loop.body);
    loop.left = LLVMBuildPhi(v->b, bits_type(v), "left");
    LLVMAddIncoming(loop.left, &bits, &before, 1);
    LLVMTypeRef type = bits_type(v);
    LLVMValueRef arguments[] = {loop.left,
                                LLVMConstInt(LLVMInt1TypeInContext(v->m->context), 1, 0)};
    LLVMValueRef lane = gcl_vector_call_intrinsic(v, "llvm.cttz", &type, 1, arguments, 2);
    loop.lane = LLVMBuildIntCast2(v->b, lane, gcl_i64(v->m), 0, "");
    return loop;
}

void gcl_lane_loop_end(struct gcl_vector *v, const struct gcl_lane_loop *loop) {
    LLVMBasicBlockRef behind = new_block(v, "lanes.done"), latch = LLVMGetInsertBlock(v->b);
    LLVMValueRef one = LLVMConstInt(bits_type(v), 1, 0);
    LLVMValueRef rest = LLVMBuildAnd(v->b, loop->left, LLVMBuildSub(v->b, loop->left, one, ""), "");
    LLVMValueRef more = LLVMBuildICmp(v->b, LLVMIntNE, rest, LLVMConstNull(bits_type(v)), "");
    LLVMAddIncoming(loop->left, &rest, &latch, 1);
    LLVMBuildCondBr(v->b, more, loop->body, behind);
    LLVMPositionBuilderAtEnd(v->b, behind);
}

// A bit takes a byte in memory; other odd integers have elements of their size in memory.
static LLVMTypeRef memory_type(struct gcl_vector *v, LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return type;
    return LLVMIntTypeInContext(v->m->context, 8 * (unsigned)LLVMABISizeOfType(v->m->layout, type));
}

LLVMValueRef gcl_vector_array(struct gcl_vector *v, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value), memory = memory_type(v, type);
    bool widens = gcl_vector_widens(type);
    if (!widens && gcl_vector_info(v, value).shape == GCL_SHAPE_DIVERGENT)
        return gcl_vector_lanes(v, value);
    LLVMValueRef array = gcl_vector_slot(v, LLVMArrayType2(memory, v->lanes), "array");
    if (!widens) { // the same for all lanes, in a type that has no vectors
        struct gcl_lane_loop loop = gcl_lane_loop_begin(v, NULL);
        LLVMValueRef place = LLVMBuildInBoundsGEP2(v->b, type, array, &loop.lane, 1, "");
        LLVMBuildStore(v->b, gcl_vector_scalar(v, value), place);
        gcl_lane_loop_end(v, &loop);
        return array;
    }
    LLVMValueRef lanes = gcl_vector_lanes(v, value);
    if (memory != type)
        lanes = LLVMBuildZExt(v->b, lanes, gcl_vector_type(v, memory), "");
    LLVMSetAlignment(LLVMBuildStore(v->b, lanes, array), 64);
    return array;
}

LLVMValueRef gcl_vector_element(struct gcl_vector *v, LLVMTypeRef type, LLVMValueRef array,
                                LLVMValueRef lane) {
    LLVMTypeRef memory = memory_type(v, type);
    LLVMValueRef place = LLVMBuildInBoundsGEP2(v->b, memory, array, &lane, 1, "");
    LLVMValueRef element = LLVMBuildLoad2(v->b, memory, place, "");
    return memory == type ? element : LLVMBuildTrunc(v->b, element, type, "");
}

// Code outside of the region may ask which thread is running.
static void note_thread(struct gcl_vector *v, LLVMValueRef i, LLVMValueRef lane) {
    if (!gcl_asks_for_thread(i))
        return;
    LLVMBuildStore(v->b, gcl_vector_thread(v, lane),
                   gcl_block_field(v->m, v->b, v->block, GCL_BLOCK_THREAD, 0));
}

static LLVMValueRef result_array(struct gcl_vector *v, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        return NULL;
    if (!gcl_vector_widens(type))
        return gcl_vector_lanes(v, i); // its own slot
    return gcl_vector_slot(v, LLVMArrayType2(memory_type(v, type), v->lanes), "results");
}

static void keep_result(struct gcl_vector *v, LLVMValueRef array, LLVMValueRef lane,
                        LLVMValueRef result) {
    LLVMTypeRef type = LLVMTypeOf(result), memory = memory_type(v, type);
    if (memory != type)
        result = LLVMBuildZExt(v->b, result, memory, "");
    LLVMBuildStore(v->b, result, LLVMBuildInBoundsGEP2(v->b, memory, array, &lane, 1, ""));
}

static LLVMValueRef load_results(struct gcl_vector *v, LLVMTypeRef type, LLVMValueRef array) {
    LLVMTypeRef memory = memory_type(v, type);
    LLVMValueRef lanes = LLVMBuildLoad2(v->b, gcl_vector_type(v, memory), array, "");
    LLVMSetAlignment(lanes, 64);
    return memory == type ? lanes : LLVMBuildTrunc(v->b, lanes, gcl_vector_type(v, type), "");
}

static bool is_common(const struct gcl_vector *v, LLVMValueRef operand) {
    return LLVMIsAConstant(operand) || gcl_vector_info(v, operand).shape <= GCL_SHAPE_UNIFORM;
}

// Operands of one lane. Those that are arithmetic on others are worked out anew in the loop, so
// that only what they start from has to wait in memory, and as narrow as it is.
bool gcl_lane_works_out(const struct gcl_vector *v, LLVMValueRef value) {
    return LLVMIsAInstruction(value) && gcl_vector_info(v, value).shape == GCL_SHAPE_DIVERGENT &&
           (LLVMIsAGetElementPtrInst(value) || LLVMIsAZExtInst(value) || LLVMIsASExtInst(value));
}

// Whether a value's lanes lie on a line that is known.
static bool is_linear(const struct gcl_vector *v, LLVMValueRef value) {
    struct gcl_value_info info = gcl_vector_info(v, value);
    return info.shape == GCL_SHAPE_AFFINE && !info.unsure;
}

static void prepare_operand(struct gcl_vector *v, GHashTable *arrays, LLVMValueRef value) {
    if (is_common(v, value) || g_hash_table_contains(arrays, value))
        return;
    if (is_linear(v, value)) { // outside of the loop
        gcl_vector_scalar(v, value);
        gcl_vector_y(v, value);
        return;
    }
    if (!gcl_lane_works_out(v, value)) {
        g_hash_table_insert(arrays, value, gcl_vector_array(v, value));
        return;
    }
    for (int n = 0; n < LLVMGetNumOperands(value); n++)
        prepare_operand(v, arrays, LLVMGetOperand(value, (unsigned)n));
}

static LLVMValueRef operand_of(struct gcl_vector *v, GHashTable *arrays, LLVMValueRef value,
                               LLVMValueRef lane) {
    if (is_common(v, value))
        return gcl_vector_scalar(v, value);
    if (is_linear(v, value))
        return gcl_vector_lane(v, value, lane);
    if (!gcl_lane_works_out(v, value))
        return gcl_vector_element(v, LLVMTypeOf(value), g_hash_table_lookup(arrays, value), lane);
    LLVMValueRef clone = LLVMInstructionClone(value);
    for (int n = 0; n < LLVMGetNumOperands(value); n++)
        LLVMSetOperand(clone, (unsigned)n,
                       operand_of(v, arrays, LLVMGetOperand(value, (unsigned)n), lane));
    gcl_shim_drop_metadata(clone);
    LLVMInsertIntoBuilder(v->b, clone);
    return clone;
}

// The array of results, NULL if there are none.
static LLVMValueRef run_lanes(struct gcl_vector *v, LLVMValueRef i, const char *why) {
    int count = LLVMGetNumOperands(i);
    g_autoptr(GHashTable) arrays = g_hash_table_new(g_direct_hash, g_direct_equal);
    g_autofree LLVMValueRef *operands = g_new(LLVMValueRef, count);
    gcl_vector_remark(v, i, why);
    for (int n = 0; n < count; n++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)n);
        prepare_operand(v, arrays, operand);
        if (is_common(v, operand))
            gcl_vector_scalar(v, operand); // outside of the loop
    }
    LLVMValueRef results = result_array(v, i);
    struct gcl_lane_loop loop = gcl_lane_loop_begin(v, v->mask);
    note_thread(v, i, loop.lane);
    for (int n = 0; n < count; n++)
        operands[n] = operand_of(v, arrays, LLVMGetOperand(i, (unsigned)n), loop.lane);
    LLVMValueRef clone = LLVMInstructionClone(i);
    for (int n = 0; n < count; n++)
        LLVMSetOperand(clone, (unsigned)n, operands[n]);
    gcl_shim_drop_metadata(clone);
    LLVMInsertIntoBuilder(v->b, clone);
    if (results)
        keep_result(v, results, loop.lane, clone);
    if (gcl_is_alone(v->m, gcl_lane_block(v->source), i))
        gcl_shim_lower_atomic(clone);
    gcl_lane_loop_end(v, &loop);
    return results;
}

LLVMValueRef gcl_vector_by_lane(struct gcl_vector *v, LLVMValueRef i, const char *why) {
    return load_results(v, LLVMTypeOf(i), run_lanes(v, i, why));
}

void gcl_vector_one_by_one(struct gcl_vector *v, LLVMValueRef i, const char *why) {
    LLVMValueRef results = run_lanes(v, i, why);
    if (!results)
        return;
    if (gcl_vector_widens(LLVMTypeOf(i)))
        results = load_results(v, LLVMTypeOf(i), results);
    gcl_vector_define(v, i, (struct gcl_vector_value){.vector = results});
}
