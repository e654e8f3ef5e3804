// Accesses of vectors under a mask that is a constant become plain accesses of the lanes in it,
// where those lie side by side and are a power of two: the last steps of a reduction over a block,
// in which a few threads are left. What comes next then finds in the store buffer what a plain
// store left there; after a store under a mask, processors wait until it has reached the cache.
//
// Before: the optimised module, in which loops with a known end have been unrolled. After: nothing
// that other stages see.
#include "device/lower/narrow.h"

#include <assert.h>

#include "device/ir/intrinsics.h"
#include "device/ir/module.h"

enum { MOST = 64 }; // bytes

// Lanes that a mask lets through.
struct span {
    unsigned first, count;
};

static bool is_one(LLVMValueRef mask, unsigned lane) {
    LLVMValueRef bit = LLVMGetAggregateElement(mask, lane);
    return bit && LLVMIsAConstantInt(bit) && LLVMConstIntGetZExtValue(bit) == 1;
}

static bool is_zero(LLVMValueRef mask, unsigned lane) {
    LLVMValueRef bit = LLVMGetAggregateElement(mask, lane);
    return bit && LLVMIsAConstantInt(bit) && LLVMConstIntGetZExtValue(bit) == 0;
}

// False if lanes of `mask` lie apart, or some aren't known.
static bool find_span(LLVMValueRef mask, struct span *span) {
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(mask)), lane = 0;
    if (!LLVMIsAConstant(mask))
        return false;
    while (lane < lanes && is_zero(mask, lane))
        lane++;
    span->first = lane;
    while (lane < lanes && is_one(mask, lane))
        lane++;
    span->count = lane - span->first;
    while (lane < lanes && is_zero(mask, lane))
        lane++;
    return lane == lanes && span->count > 0;
}

// Whether the lanes of a span are what one instruction loads or stores.
static bool suits(const struct gcl_module *m, struct span span, LLVMTypeRef type) {
    LLVMTypeRef element = LLVMGetElementType(type);
    unsigned long long size = LLVMABISizeOfType(m->layout, element);
    return LLVMSizeOfTypeInBits(m->layout, element) == 8 * size &&
           (span.count & (span.count - 1)) == 0 && span.count * size <= MOST;
}

static LLVMValueRef place_of(struct gcl_module *m, LLVMBuilderRef b, LLVMValueRef address,
                             struct span span, LLVMTypeRef type) {
    LLVMValueRef index = gcl_u64(m, span.first);
    return span.first > 0
               ? LLVMBuildInBoundsGEP2(b, LLVMGetElementType(type), address, &index, 1, "")
               : address;
}

// The access that `alignment` is meant for begins at lane 0.
static void align(struct gcl_module *m, LLVMValueRef access, LLVMValueRef alignment,
                  struct span span, LLVMTypeRef type) {
    uint64_t bytes = LLVMConstIntGetZExtValue(alignment);
    uint64_t size = LLVMABISizeOfType(m->layout, LLVMGetElementType(type));
    LLVMSetAlignment(access, (unsigned)(span.first == 0 ? bytes : MIN(bytes, size)));
}

static void narrow_load(struct gcl_module *m, LLVMBuilderRef b, LLVMValueRef call,
                        struct span span) {
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMValueRef others = LLVMGetOperand(call, 3), places[MOST * 8];
    unsigned lanes = LLVMGetVectorSize(type);
    assert(lanes <= G_N_ELEMENTS(places));
    LLVMValueRef place = place_of(m, b, LLVMGetOperand(call, 0), span, type);
    LLVMValueRef few =
        LLVMBuildLoad2(b, LLVMVectorType(LLVMGetElementType(type), span.count), place, "");
    align(m, few, LLVMGetOperand(call, 1), span, type);
    for (unsigned l = 0; l < lanes; l++) {
        bool is_loaded = l >= span.first && l < span.first + span.count;
        places[l] = is_loaded ? gcl_u32(m, l - span.first) : LLVMGetPoison(gcl_i32(m));
    }
    LLVMValueRef value = LLVMBuildShuffleVector(b, few, LLVMGetPoison(LLVMTypeOf(few)),
                                                LLVMConstVector(places, lanes), "");
    value = LLVMBuildSelect(b, LLVMGetOperand(call, 2), value, others, "");
    LLVMReplaceAllUsesWith(call, value);
    LLVMInstructionEraseFromParent(call);
}

static void narrow_store(struct gcl_module *m, LLVMBuilderRef b, LLVMValueRef call,
                         struct span span) {
    LLVMValueRef value = LLVMGetOperand(call, 0), places[MOST];
    LLVMTypeRef type = LLVMTypeOf(value);
    for (unsigned l = 0; l < span.count; l++)
        places[l] = gcl_u32(m, span.first + l);
    LLVMValueRef few = LLVMBuildShuffleVector(b, value, LLVMGetPoison(type),
                                              LLVMConstVector(places, span.count), "");
    LLVMValueRef place = place_of(m, b, LLVMGetOperand(call, 1), span, type);
    align(m, LLVMBuildStore(b, few, place), LLVMGetOperand(call, 2), span, type);
    LLVMInstructionEraseFromParent(call);
}

static void narrow(struct gcl_module *m, LLVMBuilderRef b, LLVMValueRef i) {
    const char *callee = LLVMIsACallInst(i) ? gcl_intrinsic_callee(i) : "";
    bool loads = g_str_has_prefix(callee, "llvm.masked.load.");
    struct span span;
    if (!loads && !g_str_has_prefix(callee, "llvm.masked.store."))
        return;
    LLVMTypeRef type = LLVMTypeOf(loads ? i : LLVMGetOperand(i, 0));
    if (!find_span(LLVMGetOperand(i, loads ? 2 : 3), &span) || !suits(m, span, type))
        return;
    LLVMPositionBuilderBefore(b, i);
    if (loads)
        narrow_load(m, b, i, span);
    else
        narrow_store(m, b, i, span);
}

void gcl_narrow(struct gcl_module *m) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k)) {
            LLVMValueRef next, i = LLVMGetFirstInstruction(k);
            for (; i; i = next) {
                next = LLVMGetNextInstruction(i);
                narrow(m, b, i);
            }
        }
    }
    LLVMDisposeBuilder(b);
}
