// Values of the vector function: where they are kept, and instructions on them. A uniform value is
// one scalar, an affine one its base and the distance of its rows, a divergent one a vector; what
// can't be an element of a vector is an array in memory.
#include "device/vector/widen/value.h"

#include <assert.h>
#include <string.h>

#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/uniformity.h"
#include "device/vector/widen/instruction.h"
#include "device/vector/widen/lanes.h"
#include "device/vector/widen/mask.h"
#include "device/vector/widen/widen.h"

bool gcl_vector_widens(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) <= 64;
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
        return true;
    default:
        return false;
    }
}

LLVMTypeRef gcl_vector_type(const struct gcl_vector *v, LLVMTypeRef element) {
    return LLVMVectorType(element, v->lanes);
}

struct gcl_value_info gcl_vector_info(const struct gcl_vector *v, LLVMValueRef value) {
    return gcl_uniformity_of(v->u, value);
}

// Slots.

LLVMValueRef gcl_vector_slot(struct gcl_vector *v, LLVMTypeRef type, const char *name) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(v->b);
    LLVMPositionBuilderAtEnd(v->b, v->allocas);
    assert(here != v->allocas && !LLVMGetBasicBlockTerminator(v->allocas));
    LLVMValueRef slot = LLVMBuildAlloca(v->b, type, name);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind || LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        LLVMSetAlignment(slot, 64);
    LLVMPositionBuilderAtEnd(v->b, here);
    return slot;
}

static struct gcl_vector_value *slots_of(struct gcl_vector *v, LLVMValueRef value) {
    struct gcl_vector_value *slots = g_hash_table_lookup(v->slots, value);
    if (slots)
        return slots;
    struct gcl_value_info info = gcl_vector_info(v, value);
    LLVMTypeRef type = LLVMTypeOf(value);
    assert(LLVMGetTypeKind(type) != LLVMVoidTypeKind);
    slots = g_new0(struct gcl_vector_value, 1);
    if (info.variance != GCL_VARIANCE_DIVERGENT)
        slots->scalar = gcl_vector_slot(v, type, "");
    else if (gcl_vector_widens(type))
        slots->vector = gcl_vector_slot(v, gcl_vector_type(v, type), "");
    else
        slots->vector = gcl_vector_slot(v, LLVMArrayType2(type, v->lanes), "");
    if (info.variance == GCL_VARIANCE_AFFINE && info.has_y)
        slots->y = gcl_vector_slot(v, gcl_i64(v->m), "");
    g_hash_table_insert(v->slots, value, slots);
    return slots;
}

// What an unsure value is made from may be asked for wherever that value is, and so may that of
// values that lanes work out for themselves.
bool gcl_vector_leaves_block(const struct gcl_vector *v, LLVMValueRef value) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAPHINode(user) ||
            LLVMGetInstructionParent(user) != LLVMGetInstructionParent(value) ||
            gcl_vector_info(v, user).unsure || gcl_lane_loop_works_out(v, user))
            return true;
    }
    return false;
}

static bool is_array(const struct gcl_vector *v, LLVMValueRef value) {
    return gcl_vector_info(v, value).variance == GCL_VARIANCE_DIVERGENT &&
           !gcl_vector_widens(LLVMTypeOf(value));
}

static LLVMValueRef store(struct gcl_vector *v, LLVMValueRef value, LLVMValueRef slot) {
    assert(LLVMIsAAllocaInst(slot) && LLVMGetAllocatedType(slot) == LLVMTypeOf(value));
    LLVMValueRef instruction = LLVMBuildStore(v->b, value, slot);
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind)
        LLVMSetAlignment(instruction, 64);
    return instruction;
}

static LLVMValueRef load(struct gcl_vector *v, LLVMTypeRef type, LLVMValueRef slot) {
    assert(LLVMIsAAllocaInst(slot) && LLVMGetAllocatedType(slot) == type);
    LLVMValueRef instruction = LLVMBuildLoad2(v->b, type, slot, "");
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        LLVMSetAlignment(instruction, 64);
    return instruction;
}

static struct gcl_vector_value *known(struct gcl_vector *v, LLVMValueRef value) {
    struct gcl_vector_value *found = g_hash_table_lookup(v->values, value);
    if (!found) {
        found = g_new0(struct gcl_vector_value, 1);
        g_hash_table_insert(v->values, value, found);
    }
    return found;
}

// What is known of a value, which is about to change: way back and next block hear of it.
static struct gcl_vector_value *change(struct gcl_vector *v, LLVMValueRef value) {
    struct gcl_vector_value *found = known(v, value);
    const struct gcl_vector_change before = {value, *found};
    g_ptr_array_add(v->held, value);
    if (v->ways > 0)
        g_array_append_val(v->changes, before);
    return found;
}

// Whether a value has the form that its shape asks for. Coordinates may have more (vector.c).
G_GNUC_UNUSED static bool suits(const struct gcl_vector *v, LLVMValueRef value,
                                const struct gcl_vector_value *built) {
    struct gcl_value_info info = gcl_vector_info(v, value);
    LLVMTypeRef type = LLVMTypeOf(value);
    if ((built->scalar && LLVMTypeOf(built->scalar) != type && !LLVMIsAAllocaInst(value)) ||
        (built->y && LLVMTypeOf(built->y) != gcl_i64(v->m)))
        return false;
    if (built->vector && gcl_vector_widens(type) &&
        LLVMTypeOf(built->vector) != gcl_vector_type(v, type))
        return false;
    if (LLVMIsAArgument(value))
        return built->scalar || built->vector;
    if (info.variance == GCL_VARIANCE_DIVERGENT)
        return built->vector && !built->scalar;
    return built->scalar && !built->vector && (!built->y || info.variance == GCL_VARIANCE_AFFINE);
}

void gcl_vector_define(struct gcl_vector *v, LLVMValueRef value, struct gcl_vector_value built) {
    assert(suits(v, value, &built));
    *change(v, value) = built;
    if (is_array(v, value) || LLVMIsAArgument(value) || !gcl_vector_leaves_block(v, value))
        return;
    const struct gcl_vector_value *slots = slots_of(v, value);
    if (slots->scalar)
        store(v, built.scalar, slots->scalar);
    if (slots->y)
        store(v, built.y ? built.y : gcl_u64(v->m, 0), slots->y);
    if (slots->vector)
        store(v, built.vector, slots->vector);
}

guint gcl_vector_remember(struct gcl_vector *v) {
    v->ways++;
    return v->changes->len;
}

void gcl_vector_recall(struct gcl_vector *v, guint mark) {
    assert(v->ways > 0 && mark <= v->changes->len);
    for (guint c = v->changes->len; c-- > mark;) {
        const struct gcl_vector_change *change =
            &g_array_index(v->changes, struct gcl_vector_change, c);
        *known(v, change->value) = change->before;
        g_ptr_array_add(v->held, change->value);
    }
    g_array_set_size(v->changes, mark);
}

void gcl_vector_end_ways(struct gcl_vector *v) {
    assert(v->ways > 0);
    v->ways--;
    assert(v->ways > 0 || v->changes->len == 0);
}

static LLVMValueRef if_constant(LLVMValueRef built) {
    return built && LLVMIsAConstant(built) ? built : NULL;
}

// Vectors of coordinates are made at the start of the function, which is passed first.
static bool stays(const struct gcl_vector *v, LLVMValueRef value) {
    return LLVMIsAArgument(value) && gcl_vector_info(v, value).variance == GCL_VARIANCE_DIVERGENT;
}

void gcl_vector_forget(struct gcl_vector *v) {
    for (guint h = 0, count = v->held->len; h < count; h++) {
        LLVMValueRef value = v->held->pdata[h];
        if (stays(v, value))
            continue;
        struct gcl_vector_value *known = change(v, value);
        known->vector = if_constant(known->vector);
        if (LLVMIsAArgument(value))
            continue;
        known->scalar = if_constant(known->scalar);
        known->y = if_constant(known->y);
    }
    g_ptr_array_set_size(v->held, 0);
}

LLVMValueRef gcl_vector_scalar(struct gcl_vector *v, LLVMValueRef value) {
    if (!LLVMIsAInstruction(value) && !LLVMIsAArgument(value))
        return value;
    assert(LLVMIsAArgument(value) || gcl_vector_info(v, value).variance != GCL_VARIANCE_DIVERGENT);
    struct gcl_vector_value *found = known(v, value);
    if (!found->scalar)
        change(v, value)->scalar = load(v, LLVMTypeOf(value), slots_of(v, value)->scalar);
    return found->scalar;
}

LLVMValueRef gcl_vector_y(struct gcl_vector *v, LLVMValueRef value) {
    struct gcl_value_info info = gcl_vector_info(v, value);
    if (info.variance != GCL_VARIANCE_AFFINE || !info.has_y)
        return NULL;
    struct gcl_vector_value *found = known(v, value);
    if (!found->y)
        change(v, value)->y = load(v, gcl_i64(v->m), slots_of(v, value)->y);
    return found->y;
}

LLVMValueRef gcl_vector_splat(struct gcl_vector *v, LLVMValueRef scalar) {
    assert(LLVMGetTypeKind(LLVMTypeOf(scalar)) != LLVMVectorTypeKind);
    LLVMTypeRef type = gcl_vector_type(v, LLVMTypeOf(scalar));
    if (LLVMIsAConstant(scalar)) {
        g_autofree LLVMValueRef *elements = g_new(LLVMValueRef, v->lanes);
        for (unsigned l = 0; l < v->lanes; l++)
            elements[l] = scalar;
        return LLVMConstVector(elements, v->lanes);
    }
    LLVMValueRef first =
        LLVMBuildInsertElement(v->b, LLVMGetPoison(type), scalar, gcl_u64(v->m, 0), "");
    LLVMValueRef zeros = LLVMConstNull(LLVMVectorType(gcl_i32(v->m), v->lanes));
    return LLVMBuildShuffleVector(v->b, first, LLVMGetPoison(type), zeros, "");
}

LLVMValueRef gcl_vector_places(struct gcl_vector *v, LLVMTypeRef element, bool rows,
                               int64_t factor) {
    assert(v->geometry.row > 0 && v->lanes % v->geometry.row == 0);
    g_autofree LLVMValueRef *elements = g_new(LLVMValueRef, v->lanes);
    for (unsigned l = 0; l < v->lanes; l++) {
        int64_t place = rows ? l / v->geometry.row : l % v->geometry.row;
        elements[l] = LLVMConstInt(element, (uint64_t)(factor * place), 1);
    }
    return LLVMConstVector(elements, v->lanes);
}

// base + x_stride * X + y * Y, all lanes of it.
static LLVMValueRef spread(struct gcl_vector *v, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    struct gcl_value_info info = gcl_vector_info(v, value);
    bool is_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    LLVMTypeRef number = is_pointer ? gcl_i64(v->m) : type;
    LLVMValueRef base = gcl_vector_scalar(v, value), y = gcl_vector_y(v, value);
    LLVMValueRef offsets = gcl_vector_places(v, number, false, info.x_stride);
    if (y) {
        y = gcl_vector_splat(v, LLVMBuildIntCast2(v->b, y, number, 1, ""));
        LLVMValueRef rows = gcl_vector_places(v, number, true, 1);
        offsets = LLVMBuildAdd(v->b, offsets, LLVMBuildMul(v->b, y, rows, ""), "");
    }
    if (is_pointer)
        return LLVMBuildGEP2(v->b, LLVMInt8TypeInContext(v->m->context), base, &offsets, 1, "");
    return LLVMBuildAdd(v->b, gcl_vector_splat(v, base), offsets, "");
}

LLVMValueRef gcl_vector_lane(struct gcl_vector *v, LLVMValueRef value, LLVMValueRef lane) {
    assert(gcl_vector_info(v, value).variance == GCL_VARIANCE_AFFINE);
    assert(LLVMTypeOf(lane) == gcl_i64(v->m));
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef base = gcl_vector_scalar(v, value), y = gcl_vector_y(v, value);
    LLVMValueRef row = gcl_u64(v->m, v->geometry.row);
    LLVMValueRef x = v->geometry.row < v->lanes ? LLVMBuildURem(v->b, lane, row, "") : lane;
    LLVMValueRef stride = gcl_u64(v->m, (uint64_t)gcl_vector_info(v, value).x_stride);
    LLVMValueRef offset = LLVMBuildMul(v->b, x, stride, "");
    if (y)
        offset = LLVMBuildAdd(v->b, offset,
                              LLVMBuildMul(v->b, y, LLVMBuildUDiv(v->b, lane, row, ""), ""), "");
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildGEP2(v->b, LLVMInt8TypeInContext(v->m->context), base, &offset, 1, "");
    return LLVMBuildAdd(v->b, base, LLVMBuildIntCast2(v->b, offset, type, 1, ""), "");
}

LLVMValueRef gcl_vector_lanes(struct gcl_vector *v, LLVMValueRef value) {
    if (!LLVMIsAInstruction(value) && !LLVMIsAArgument(value))
        return gcl_vector_splat(v, value);
    struct gcl_vector_value *found = known(v, value);
    struct gcl_value_info info = gcl_vector_info(v, value);
    if (found->vector)
        return found->vector;
    assert(gcl_vector_widens(LLVMTypeOf(value)) || info.variance == GCL_VARIANCE_DIVERGENT);
    LLVMValueRef built;
    if (info.variance == GCL_VARIANCE_DIVERGENT) {
        LLVMValueRef slot = slots_of(v, value)->vector;
        built = is_array(v, value) ? slot : load(v, gcl_vector_type(v, LLVMTypeOf(value)), slot);
    } else if (info.unsure) {
        built = gcl_vector_build_lanes(v, value); // as it is, whatever wraps
    } else if (info.variance == GCL_VARIANCE_AFFINE) {
        built = spread(v, value);
    } else {
        built = gcl_vector_splat(v, gcl_vector_scalar(v, value));
    }
    assert(is_array(v, value) || LLVMTypeOf(built) == gcl_vector_type(v, LLVMTypeOf(value)));
    return change(v, value)->vector = built;
}

// Phis.

struct gcl_vector_value gcl_vector_read(struct gcl_vector *v, LLVMValueRef value, LLVMValueRef as) {
    assert(LLVMIsAPHINode(as) && LLVMTypeOf(value) == LLVMTypeOf(as));
    struct gcl_value_info info = gcl_vector_info(v, as);
    struct gcl_vector_value read = {0};
    if (info.variance != GCL_VARIANCE_DIVERGENT)
        read.scalar = gcl_vector_scalar(v, value);
    else if (is_array(v, as))
        read.vector = gcl_vector_array(v, value);
    else
        read.vector = gcl_vector_lanes(v, value);
    if (info.variance == GCL_VARIANCE_AFFINE && info.has_y) {
        read.y = gcl_vector_y(v, value);
        read.y = read.y ? read.y : gcl_u64(v->m, 0);
    }
    return read;
}

static void assign_scalar(struct gcl_vector *v, LLVMValueRef slot, LLVMValueRef value,
                          LLVMValueRef taken) {
    if (taken)
        value = LLVMBuildSelect(v->b, taken, value, load(v, LLVMTypeOf(value), slot), "");
    store(v, value, slot);
}

// Lane by lane, if any lane comes that way: the loop over lanes takes one at least.
static void assign_array(struct gcl_vector *v, LLVMTypeRef type, LLVMValueRef to, LLVMValueRef from,
                         LLVMValueRef mask) {
    LLVMBasicBlockRef some = NULL, behind = NULL;
    if (mask) {
        some = LLVMAppendBasicBlockInContext(v->m->context, v->function, "assign");
        behind = LLVMAppendBasicBlockInContext(v->m->context, v->function, "assigned");
        LLVMBuildCondBr(v->b, gcl_vector_any(v, mask), some, behind);
        LLVMPositionBuilderAtEnd(v->b, some);
    }
    struct gcl_lane_loop loop = gcl_lane_loop_begin(v, mask);
    LLVMValueRef place = LLVMBuildInBoundsGEP2(v->b, type, to, &loop.lane, 1, "");
    LLVMBuildStore(v->b, gcl_vector_element(v, type, from, loop.lane), place);
    gcl_lane_loop_end(v, &loop);
    if (behind) {
        LLVMBuildBr(v->b, behind);
        LLVMPositionBuilderAtEnd(v->b, behind);
    }
}

void gcl_vector_assign(struct gcl_vector *v, LLVMValueRef phi, struct gcl_vector_value from,
                       LLVMValueRef mask, LLVMValueRef taken) {
    assert(LLVMIsAPHINode(phi) && suits(v, phi, &from));
    const struct gcl_vector_value *slots = slots_of(v, phi);
    if (slots->scalar)
        assign_scalar(v, slots->scalar, from.scalar, taken);
    if (slots->y)
        assign_scalar(v, slots->y, from.y, taken);
    if (!slots->vector)
        return;
    if (is_array(v, phi)) {
        assign_array(v, LLVMTypeOf(phi), slots->vector, from.vector, mask);
        return;
    }
    if (mask)
        from.vector = LLVMBuildSelect(v->b, mask, from.vector,
                                      load(v, LLVMTypeOf(from.vector), slots->vector), "");
    store(v, from.vector, slots->vector);
}

LLVMValueRef gcl_vector_call_intrinsic(struct gcl_vector *v, const char *name,
                                       LLVMTypeRef *overload, unsigned overloads,
                                       LLVMValueRef *arguments, unsigned count) {
    return gcl_intrinsic_call_llvm(v->m, v->b, name, overload, overloads, arguments, count);
}

// Parts.

static LLVMValueRef integers(struct gcl_vector *v, unsigned count, int first, int step) {
    g_autofree LLVMValueRef *elements = g_new(LLVMValueRef, count);
    for (unsigned l = 0; l < count; l++)
        elements[l] = LLVMConstInt(gcl_i32(v->m), (unsigned long long)(first + step * (int)l), 1);
    return LLVMConstVector(elements, count);
}

LLVMValueRef gcl_vector_part(struct gcl_vector *v, LLVMValueRef vector, unsigned first,
                             unsigned count) {
    assert(first + count <= LLVMGetVectorSize(LLVMTypeOf(vector)));
    return LLVMBuildShuffleVector(v->b, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                  integers(v, count, (int)first, 1), "");
}

LLVMValueRef gcl_vector_reverse(struct gcl_vector *v, LLVMValueRef vector) {
    assert(LLVMGetVectorSize(LLVMTypeOf(vector)) == v->lanes);
    return LLVMBuildShuffleVector(v->b, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                  integers(v, v->lanes, (int)v->lanes - 1, -1), "");
}

// Two at a time.
LLVMValueRef gcl_vector_join(struct gcl_vector *v, LLVMValueRef *parts, unsigned count) {
    assert(count > 0 && (count & (count - 1)) == 0); // two at a time
    unsigned length = LLVMGetVectorSize(LLVMTypeOf(parts[0]));
    for (; count > 1; count /= 2, length *= 2) {
        for (unsigned r = 0; r < count / 2; r++)
            parts[r] = LLVMBuildShuffleVector(v->b, parts[2 * r], parts[2 * r + 1],
                                              integers(v, 2 * length, 0, 1), "");
    }
    return parts[0];
}

LLVMValueRef gcl_vector_thread(struct gcl_vector *v, LLVMValueRef lane) {
    assert(LLVMTypeOf(lane) == gcl_i64(v->m));
    return LLVMBuildAdd(v->b, v->first_thread, LLVMBuildTrunc(v->b, lane, gcl_i32(v->m), ""), "");
}
