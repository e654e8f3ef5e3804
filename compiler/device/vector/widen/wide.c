// Wide: a lane that adds to the members of a structure in shared memory, or to a row of a small
// matrix there, has one operation on all of them. As memory is loaded and stored as a whole, that
// also waits once instead of several times where the next lane does the same.
#include "device/vector/widen/wide.h"

#include <assert.h>

#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/vector/widen/group.h"
#include "device/vector/widen/value.h"

enum { BYTES = 16 }; // of what is done at once

static bool is_sum(LLVMValueRef i) {
    LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(i);
    return operation == LLVMAtomicRMWBinOpFAdd || operation == LLVMAtomicRMWBinOpAdd;
}

// `index` without the constant that is added to it last.
static LLVMValueRef take_off(LLVMValueRef index, int64_t *constant) {
    LLVMOpcode extension = LLVMIsAInstruction(index) ? LLVMGetInstructionOpcode(index) : LLVMRet;
    bool extends = extension == LLVMZExt || extension == LLVMSExt;
    LLVMValueRef sum = extends ? LLVMGetOperand(index, 0) : index;
    bool is_or = LLVMIsAInstruction(sum) && LLVMGetInstructionOpcode(sum) == LLVMOr;
    bool is_add = LLVMIsAInstruction(sum) && LLVMGetInstructionOpcode(sum) == LLVMAdd;
    *constant = 0;
    if ((!is_or && !is_add) || !LLVMIsAConstantInt(LLVMGetOperand(sum, 1)) ||
        (is_or && !LLVMGetIsDisjoint(sum)) ||
        (is_add && extends && !(extension == LLVMSExt ? LLVMGetNSW(sum) : LLVMGetNUW(sum))))
        return sum;
    int64_t more = LLVMConstIntGetSExtValue(LLVMGetOperand(sum, 1));
    if (more < 0) // which is a large one where it is extended with zeros
        return sum;
    *constant = more;
    return LLVMGetOperand(sum, 0);
}

// The type of which an address counts elements last.
static LLVMTypeRef counted_type(LLVMValueRef address) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    for (int n = 2; n < LLVMGetNumOperands(address); n++) {
        if (LLVMGetTypeKind(type) != LLVMArrayTypeKind)
            return NULL;
        type = LLVMGetElementType(type);
    }
    return type;
}

static bool differ_in_last(LLVMValueRef a, LLVMValueRef b) {
    int count = LLVMGetNumOperands(a);
    if (count < 2 || count != LLVMGetNumOperands(b) ||
        LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b))
        return false;
    for (int n = 0; n < count - 1; n++) {
        if (LLVMGetOperand(a, (unsigned)n) != LLVMGetOperand(b, (unsigned)n))
            return false;
    }
    LLVMValueRef last[] = {LLVMGetOperand(a, (unsigned)count - 1),
                           LLVMGetOperand(b, (unsigned)count - 1)};
    return LLVMIsAInstruction(last[0]) && LLVMIsAInstruction(last[1]) &&
           LLVMTypeOf(last[0]) == LLVMTypeOf(last[1]);
}

static bool extends_alike(LLVMValueRef a, LLVMValueRef b) {
    LLVMOpcode opcodes[] = {LLVMGetInstructionOpcode(a), LLVMGetInstructionOpcode(b)};
    return opcodes[0] == opcodes[1] || (opcodes[0] != LLVMZExt && opcodes[0] != LLVMSExt &&
                                        opcodes[1] != LLVMZExt && opcodes[1] != LLVMSExt);
}

// Whether address b is `bytes` behind address a.
static bool is_behind(const struct gcl_vector *v, LLVMValueRef a, LLVMValueRef b, int64_t bytes) {
    int64_t offsets[2], constants[2];
    LLVMTargetDataRef layout = v->m->layout;
    LLVMValueRef bases[] = {gcl_shim_base(layout, a, &offsets[0]),
                            gcl_shim_base(layout, b, &offsets[1])};
    if (bases[0] == bases[1])
        return offsets[1] - offsets[0] == bytes;
    if (!LLVMIsAGetElementPtrInst(a) || !LLVMIsAGetElementPtrInst(b) || !differ_in_last(a, b) ||
        !counted_type(a))
        return false;
    unsigned last = (unsigned)LLVMGetNumOperands(a) - 1;
    LLVMValueRef indexes[] = {LLVMGetOperand(a, last), LLVMGetOperand(b, last)};
    if (!extends_alike(indexes[0], indexes[1]) ||
        take_off(indexes[0], &constants[0]) != take_off(indexes[1], &constants[1]))
        return false;
    int64_t size = (int64_t)LLVMABISizeOfType(layout, counted_type(a));
    return (constants[1] - constants[0]) * size == bytes;
}

unsigned gcl_wide_count(const struct gcl_vector *v, LLVMValueRef *instructions, unsigned count) {
    LLVMTypeRef type = LLVMTypeOf(instructions[0]);
    int64_t size = (int64_t)LLVMABISizeOfType(v->m->layout, type);
    unsigned most = 1, found = 1;
    while (found < count && LLVMTypeOf(instructions[found]) == type &&
           LLVMGetAtomicRMWBinOp(instructions[found]) == LLVMGetAtomicRMWBinOp(instructions[0]) &&
           is_behind(v, LLVMGetOperand(instructions[0], 0), LLVMGetOperand(instructions[found], 0),
                     found * size))
        found++;
    while (is_sum(instructions[0]) && 2 * most <= found && 2 * most * size <= BYTES)
        most *= 2;
    return most;
}

LLVMValueRef gcl_wide_array(struct gcl_vector *v, LLVMValueRef *instructions, unsigned count) {
    LLVMValueRef vectors[GCL_GROUP_MOST];
    for (unsigned n = 0; n < count; n++)
        vectors[n] = gcl_vector_lanes(v, LLVMGetOperand(instructions[n], 1));
    LLVMValueRef all = gcl_group_interleave(v, vectors, count);
    LLVMTypeRef type = LLVMTypeOf(instructions[0]);
    LLVMValueRef array = gcl_vector_slot(v, LLVMArrayType2(type, count * v->lanes), "array");
    LLVMSetAlignment(LLVMBuildStore(v->b, all, array), 64);
    return array;
}

void gcl_wide_run(struct gcl_vector *v, LLVMValueRef first, unsigned count, LLVMValueRef address,
                  LLVMValueRef array, LLVMValueRef lane) {
    assert(is_sum(first) && count > 1);
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(first), count);
    LLVMValueRef place = LLVMBuildInBoundsGEP2(v->b, type, array, &lane, 1, "");
    LLVMValueRef more = LLVMBuildLoad2(v->b, type, place, "");
    LLVMValueRef old = LLVMBuildLoad2(v->b, type, address, "");
    LLVMSetAlignment(old, LLVMGetAlignment(first));
    bool is_real = LLVMGetAtomicRMWBinOp(first) == LLVMAtomicRMWBinOpFAdd;
    LLVMValueRef sum =
        is_real ? LLVMBuildFAdd(v->b, old, more, "") : LLVMBuildAdd(v->b, old, more, "");
    LLVMSetAlignment(LLVMBuildStore(v->b, sum, address), LLVMGetAlignment(first));
}
