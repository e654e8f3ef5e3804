// Windows: lanes whose elements lie close together, the same way for all vectors.
//
// Let a number that counts the lanes be taken apart by bits u that all of them share. If it is a
// multiple of the lanes in the first one, what is done to the bits of that number and to those of
// the lane stays side by side: (base + lane) & u is (base & u) + (lane & u). So where the lanes lie
// from the first one on follows from u alone, and LLVM moves what is made from it out of the loop
// over the block's vectors. What is left for 16 lanes are two vectors and a permutation, instead of
// an access each. For LLVM to see that, these places are built anew here, without the base.
//
// The second vector ends with the last element, so that nothing is touched behind it: neither what
// may not exist, nor what the next vector loads, which would wait for a store to it.
#include "device/vector/widen/window.h"

#include <assert.h>

#include "device/ir/module.h"
#include "device/ir/uniformity.h"
#include "device/vector/widen/value.h"
#include "device/vector/widen/widen.h"

// ROOM: elements among which all lanes of a vector are looked for.
enum { LANES = 16, SIZE = 4, ROOM = 1024 };

// Whether the places of lanes follow from what they share. Sets `*has_bits` if by taking bits
// apart: what only may wrap is no window.
static bool is_regular(struct gcl_vector *v, LLVMValueRef value, bool *has_bits) {
    struct gcl_value_info info = gcl_vector_info(v, value);
    if (!info.unsure)
        return info.variance != GCL_VARIANCE_DIVERGENT;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    if (opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMLShr) {
        *has_bits = true;
        return true;
    }
    if (!gcl_uniformity_passes_on(value))
        return false;
    for (int n = 0; n < LLVMGetNumOperands(value); n++) {
        if (!is_regular(v, LLVMGetOperand(value, (unsigned)n), has_bits))
            return false;
    }
    return true;
}

bool gcl_window_suits(struct gcl_vector *v, LLVMValueRef i) {
    bool loads = LLVMIsALoadInst(i) != NULL;
    LLVMValueRef address = LLVMGetOperand(i, loads ? 0 : 1);
    LLVMTypeRef type = LLVMTypeOf(loads ? i : LLVMGetOperand(i, 0));
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    struct gcl_value_info info = gcl_vector_info(v, address);
    bool has_bits = false;
    return v->variant->target->level == GCL_CPU_V4 && v->lanes % LANES == 0 &&
           v->lanes <= GCL_WINDOW_MOST * LANES && !(loads && v->mask) && !LLVMGetVolatile(i) &&
           (kind == LLVMIntegerTypeKind || kind == LLVMFloatTypeKind) &&
           LLVMABISizeOfType(v->m->layout, type) == SIZE && info.unsure && info.x_stride != 0 &&
           is_regular(v, address, &has_bits) && has_bits;
}

// Places: what lanes have more than the first one, an integer each. What that relies on is
// required.

static void require(struct gcl_vector *v, struct gcl_window *w, LLVMValueRef condition) {
    w->holds = w->holds ? LLVMBuildAnd(v->b, w->holds, condition, "") : condition;
}

// All lanes of an i1 vector.
static void require_all(struct gcl_vector *v, struct gcl_window *w, LLVMValueRef conditions) {
    LLVMTypeRef type = LLVMTypeOf(conditions);
    require(v, w, gcl_vector_call_intrinsic(v, "llvm.vector.reduce.and", &type, 1, &conditions, 1));
}

static LLVMValueRef reduce(struct gcl_vector *v, const char *name, LLVMValueRef vector) {
    LLVMTypeRef type = LLVMTypeOf(vector);
    return gcl_vector_call_intrinsic(v, name, &type, 1, &vector, 1);
}

static LLVMValueRef splat(struct gcl_vector *v, LLVMValueRef scalar, LLVMTypeRef vector) {
    LLVMValueRef first =
        LLVMBuildInsertElement(v->b, LLVMGetPoison(vector), scalar, gcl_u64(v->m, 0), "");
    LLVMTypeRef zeros = LLVMVectorType(gcl_i32(v->m), LLVMGetVectorSize(vector));
    return LLVMBuildShuffleVector(v->b, first, LLVMGetPoison(vector), LLVMConstNull(zeros), "");
}

static LLVMValueRef places_of(struct gcl_vector *v, struct gcl_window *w, LLVMValueRef value);

static LLVMValueRef places_of_bits(struct gcl_vector *v, struct gcl_window *w, LLVMValueRef i) {
    assert((v->lanes & (v->lanes - 1)) == 0); // whose low bits are those of a lane
    LLVMTypeRef type = LLVMTypeOf(i);
    unsigned number = gcl_uniformity_number(v->u, i);
    LLVMValueRef first = gcl_vector_scalar(v, LLVMGetOperand(i, number));
    LLVMValueRef by = gcl_vector_splat(v, gcl_vector_scalar(v, LLVMGetOperand(i, 1 - number)));
    LLVMValueRef lane = gcl_vector_places(v, type, false, 1);
    LLVMValueRef low = LLVMBuildAnd(v->b, first, LLVMConstInt(type, v->lanes - 1, 0), "");
    require(v, w, LLVMBuildICmp(v->b, LLVMIntEQ, low, LLVMConstNull(type), ""));
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAnd:
        return LLVMBuildAnd(v->b, lane, by, "");
    case LLVMOr:
        return LLVMBuildAnd(v->b, lane, LLVMBuildNot(v->b, by, ""), "");
    default:
        return LLVMBuildLShr(v->b, lane, by, "");
    }
}

// The lanes must be where they are without wrapping: from the first one on, all within ROOM.
static LLVMValueRef places_of_extension(struct gcl_vector *v, struct gcl_window *w,
                                        LLVMValueRef i) {
    LLVMValueRef narrow = LLVMGetOperand(i, 0), places = places_of(v, w, narrow);
    LLVMTypeRef type = LLVMTypeOf(narrow);
    bool is_signed = gcl_uniformity_keeps_sign(i);
    uint64_t most = UINT64_MAX >> (64 - LLVMGetIntTypeWidth(type)) >> is_signed;
    LLVMValueRef room = gcl_vector_splat(v, LLVMConstInt(type, ROOM, 0));
    require_all(v, w, LLVMBuildICmp(v->b, LLVMIntULT, places, room, ""));
    require(v, w,
            LLVMBuildICmp(v->b, is_signed ? LLVMIntSLE : LLVMIntULE, gcl_vector_scalar(v, narrow),
                          LLVMConstInt(type, most - ROOM, 0), ""));
    return LLVMBuildZExt(v->b, places, gcl_vector_type(v, LLVMTypeOf(i)), "");
}

static LLVMValueRef places_of_address(struct gcl_vector *v, struct gcl_window *w, LLVMValueRef i) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    LLVMValueRef sum = places_of(v, w, LLVMGetOperand(i, 0));
    for (int n = 1; n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef index = LLVMGetOperand(i, (unsigned)n);
        if (n > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
            continue;
        }
        if (n > 1)
            type = LLVMGetElementType(type);
        if (gcl_vector_info(v, index).variance == GCL_VARIANCE_UNIFORM)
            continue;
        LLVMValueRef size = gcl_u64(v->m, LLVMABISizeOfType(v->m->layout, type));
        LLVMValueRef bytes =
            LLVMBuildMul(v->b, places_of(v, w, index), gcl_vector_splat(v, size), "");
        sum = LLVMBuildAdd(v->b, sum, bytes, "");
    }
    return sum;
}

static LLVMValueRef places_of_product(struct gcl_vector *v, struct gcl_window *w, LLVMValueRef i) {
    assert(gcl_vector_info(v, LLVMGetOperand(i, 0)).variance == GCL_VARIANCE_UNIFORM ||
           gcl_vector_info(v, LLVMGetOperand(i, 1)).variance == GCL_VARIANCE_UNIFORM);
    unsigned uniform = gcl_vector_info(v, LLVMGetOperand(i, 1)).variance == GCL_VARIANCE_UNIFORM;
    LLVMValueRef factor = gcl_vector_scalar(v, LLVMGetOperand(i, uniform));
    return LLVMBuildBinOp(v->b, LLVMGetInstructionOpcode(i),
                          places_of(v, w, LLVMGetOperand(i, 1 - uniform)),
                          gcl_vector_splat(v, factor), "");
}

static LLVMValueRef places_of(struct gcl_vector *v, struct gcl_window *w, LLVMValueRef value) {
    struct gcl_value_info info = gcl_vector_info(v, value);
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    LLVMTypeRef type = is_pointer ? gcl_i64(v->m) : LLVMTypeOf(value);
    if (!info.unsure)
        return gcl_vector_places(v, type, false, info.x_stride);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    switch (opcode) {
    case LLVMAdd:
    case LLVMSub:
        return LLVMBuildBinOp(v->b, opcode, places_of(v, w, LLVMGetOperand(value, 0)),
                              places_of(v, w, LLVMGetOperand(value, 1)), "");
    case LLVMMul:
    case LLVMShl:
        return places_of_product(v, w, value);
    case LLVMTrunc:
        return LLVMBuildTrunc(v->b, places_of(v, w, LLVMGetOperand(value, 0)),
                              gcl_vector_type(v, type), "");
    case LLVMZExt:
    case LLVMSExt:
        return places_of_extension(v, w, value);
    case LLVMGetElementPtr:
        return places_of_address(v, w, value);
    default:
        return places_of_bits(v, w, value);
    }
}

// The window of the first 16 lanes. That of others is the same, only elsewhere.

static LLVMValueRef constants(struct gcl_vector *v, int first) {
    LLVMValueRef elements[LANES];
    for (int l = 0; l < LANES; l++)
        elements[l] = LLVMConstInt(gcl_i32(v->m), (unsigned long long)(first + l), 1);
    return LLVMConstVector(elements, LANES);
}

// Each lane is at an element of its own behind that of the lane before, none outside.
static void require_order(struct gcl_vector *v, struct gcl_window *w, LLVMValueRef bytes) {
    LLVMValueRef outside = gcl_u64(v->m, ~(uint64_t)((2 * LANES - 1) * SIZE));
    outside = LLVMBuildAnd(v->b, bytes, splat(v, outside, LLVMTypeOf(bytes)), "");
    require_all(v, w,
                LLVMBuildICmp(v->b, LLVMIntEQ, outside, LLVMConstNull(LLVMTypeOf(bytes)), ""));
    LLVMValueRef before = LLVMBuildShuffleVector(v->b, LLVMConstAllOnes(LLVMTypeOf(w->index)),
                                                 w->index, constants(v, LANES - 1), "");
    require_all(v, w, LLVMBuildICmp(v->b, LLVMIntSGT, w->index, before, ""));
}

struct gcl_window gcl_window_find(struct gcl_vector *v, LLVMValueRef i) {
    assert(gcl_window_suits(v, i));
    LLVMValueRef address = LLVMGetOperand(i, LLVMIsALoadInst(i) ? 0 : 1);
    LLVMTypeRef type = LLVMVectorType(gcl_i32(v->m), LANES);
    struct gcl_window w = {.first = gcl_vector_scalar(v, address)};
    LLVMValueRef places = places_of(v, &w, address), own = gcl_vector_part(v, places, 0, LANES);
    w.index = LLVMBuildUDiv(v->b, LLVMBuildTrunc(v->b, own, type, ""),
                            splat(v, gcl_u32(v->m, SIZE), type), "");
    require_order(v, &w, own);
    LLVMValueRef last = LLVMBuildExtractElement(v->b, w.index, gcl_u64(v->m, LANES - 1), "");
    w.second = LLVMBuildSub(v->b, last, gcl_u32(v->m, LANES - 1), "");
    for (unsigned part = 0; part < v->lanes / LANES; part++)
        w.parts[part] = LLVMBuildExtractElement(v->b, places, gcl_u64(v->m, part * LANES), "");
    return w;
}

LLVMValueRef gcl_window_splat(struct gcl_vector *v, LLVMValueRef scalar) {
    return splat(v, scalar, LLVMVectorType(LLVMTypeOf(scalar), LANES));
}

static LLVMValueRef move(struct gcl_vector *v, LLVMValueRef address, LLVMTypeRef type,
                         LLVMValueRef count) {
    return LLVMBuildGEP2(v->b, type, address, &count, 1, "");
}

LLVMValueRef gcl_window_part(struct gcl_vector *v, const struct gcl_window *w, unsigned part) {
    return move(v, w->first, LLVMInt8TypeInContext(v->m->context), w->parts[part]);
}

LLVMValueRef gcl_window_load_vector(struct gcl_vector *v, LLVMValueRef i, LLVMValueRef address) {
    assert(LLVMIsALoadInst(i));
    LLVMTypeRef type = LLVMVectorType(gcl_i32(v->m), LANES);
    LLVMValueRef load = LLVMBuildLoad2(v->b, type, address, "");
    LLVMSetAlignment(load, LLVMGetAlignment(i));
    return load;
}

LLVMValueRef gcl_window_load(struct gcl_vector *v, const struct gcl_window *w, LLVMValueRef i) {
    LLVMTypeRef i32 = gcl_i32(v->m), type = LLVMVectorType(i32, LANES);
    LLVMValueRef parts[GCL_WINDOW_MOST];
    LLVMValueRef in_second = LLVMBuildSub(v->b, gcl_u32(v->m, LANES), w->second, "");
    in_second = LLVMBuildAdd(v->b, w->index, splat(v, in_second, type), "");
    LLVMValueRef is_first =
        LLVMBuildICmp(v->b, LLVMIntULT, w->index, splat(v, gcl_u32(v->m, LANES), type), "");
    LLVMValueRef from = LLVMBuildSelect(v->b, is_first, w->index, in_second, "");
    for (unsigned part = 0; part < v->lanes / LANES; part++) {
        LLVMValueRef address = gcl_window_part(v, w, part);
        LLVMValueRef arguments[] = {gcl_window_load_vector(v, i, address), from,
                                    gcl_window_load_vector(v, i, move(v, address, i32, w->second))};
        parts[part] =
            gcl_vector_call_intrinsic(v, "llvm.x86.avx512.vpermi2var.d.512", NULL, 0, arguments, 3);
    }
    LLVMValueRef lanes = gcl_vector_join(v, parts, v->lanes / LANES);
    return LLVMBuildBitCast(v->b, lanes, gcl_vector_type(v, LLVMTypeOf(i)), "");
}

// Stores: the lane of each element in the window is the number of elements of lanes before it.

LLVMValueRef gcl_window_taken(struct gcl_vector *v, const struct gcl_window *w) {
    LLVMValueRef one = gcl_window_splat(v, gcl_u32(v->m, 1));
    return reduce(v, "llvm.vector.reduce.or", LLVMBuildShl(v->b, one, w->index, ""));
}

LLVMValueRef gcl_window_lanes_from(struct gcl_vector *v, LLVMValueRef taken, LLVMValueRef begin,
                                   LLVMValueRef others) {
    LLVMTypeRef i32 = gcl_i32(v->m), type = LLVMVectorType(i32, LANES);
    LLVMTypeRef mask = LLVMVectorType(LLVMInt1TypeInContext(v->m->context), LANES);
    LLVMValueRef own = LLVMBuildLShr(v->b, taken, begin, "");
    LLVMValueRef before = LLVMBuildXor(v->b, taken, LLVMBuildShl(v->b, own, begin, ""), "");
    before = gcl_vector_call_intrinsic(v, "llvm.ctpop", &i32, 1, &before, 1);
    own = LLVMBuildTrunc(v->b, own, LLVMInt16TypeInContext(v->m->context), "");
    LLVMValueRef arguments[] = {
        LLVMBuildAdd(v->b, gcl_window_splat(v, before), constants(v, 0), ""),
        others ? others : LLVMConstNull(type), LLVMBuildBitCast(v->b, own, mask, "")};
    return gcl_vector_call_intrinsic(v, "llvm.x86.avx512.mask.expand", &type, 1, arguments, 3);
}

static void store_vector(struct gcl_vector *v, LLVMValueRef i, LLVMValueRef lanes,
                         LLVMValueRef address, LLVMValueRef bits) {
    LLVMTypeRef mask = LLVMVectorType(LLVMInt1TypeInContext(v->m->context), LANES);
    LLVMTypeRef overload[] = {LLVMTypeOf(lanes), gcl_ptr(v->m)};
    bits = LLVMBuildTrunc(v->b, bits, LLVMInt16TypeInContext(v->m->context), "");
    LLVMValueRef arguments[] = {lanes, address, gcl_u32(v->m, LLVMGetAlignment(i)),
                                LLVMBuildBitCast(v->b, bits, mask, "")};
    gcl_vector_call_intrinsic(v, "llvm.masked.store", overload, 2, arguments, 4);
}

// Which elements of a part's window are stored to.
static LLVMValueRef stored(struct gcl_vector *v, LLVMValueRef taken, unsigned part) {
    if (!v->mask)
        return taken;
    LLVMValueRef mask = gcl_vector_part(v, v->mask, part * LANES, LANES);
    LLVMValueRef bits = LLVMBuildBitCast(v->b, mask, LLVMInt16TypeInContext(v->m->context), "");
    LLVMValueRef arguments[] = {LLVMBuildZExt(v->b, bits, gcl_i32(v->m), ""), taken};
    return gcl_vector_call_intrinsic(v, "llvm.x86.bmi.pdep.32", NULL, 0, arguments, 2);
}

void gcl_window_store(struct gcl_vector *v, const struct gcl_window *w, LLVMValueRef i,
                      LLVMValueRef lanes) {
    assert(LLVMIsAStoreInst(i) && LLVMGetVectorSize(LLVMTypeOf(lanes)) == v->lanes);
    const char *permute = "llvm.x86.avx512.permvar.si.512";
    LLVMTypeRef i32 = gcl_i32(v->m);
    LLVMValueRef taken = gcl_window_taken(v, w);
    LLVMValueRef first = gcl_window_lanes_from(v, taken, gcl_u32(v->m, 0), NULL);
    LLVMValueRef second = gcl_window_lanes_from(v, taken, w->second, NULL);
    lanes = LLVMBuildBitCast(v->b, lanes, gcl_vector_type(v, i32), "");
    for (unsigned part = 0; part < v->lanes / LANES; part++) {
        LLVMValueRef address = gcl_window_part(v, w, part), bits = stored(v, taken, part);
        LLVMValueRef own = gcl_vector_part(v, lanes, part * LANES, LANES);
        LLVMValueRef low[] = {own, first}, high[] = {own, second};
        store_vector(v, i, gcl_vector_call_intrinsic(v, permute, NULL, 0, low, 2), address, bits);
        store_vector(v, i, gcl_vector_call_intrinsic(v, permute, NULL, 0, high, 2),
                     move(v, address, i32, w->second), LLVMBuildLShr(v->b, bits, w->second, ""));
    }
}
