// Memory accesses of all lanes. What an affine address tells decides: one scalar access, a
// contiguous vector, one for each row, or a gather and scatter.
//
// Lanes act in order: where several store to one place, the last one counts, as when threads run
// one after the other.
#include "device/vector/widen/memory.h"

#include <assert.h>

#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/ir/uniformity.h"
#include "device/vector/widen/doubt.h"
#include "device/vector/widen/group.h"
#include "device/vector/widen/lanes.h"
#include "device/vector/widen/mask.h"
#include "device/vector/widen/prefetch.h"
#include "device/vector/widen/twins.h"
#include "device/vector/widen/value.h"
#include "device/vector/widen/widen.h"
#include "device/vector/widen/window.h"

// How the lanes' elements lie in memory.
enum pattern {
    ONE,        ///< all in the same place
    CONTIGUOUS, ///< one behind the other
    REVERSED,   ///< side by side, last lane first
    ROWS,       ///< each row contiguous
    ROW_SPLATS, ///< one place for each row
    STRIDED,    ///< every second, third or fourth of such elements
    WORDS,      ///< of one or two bytes, at the same place in words one behind the other
    SCATTERED,
};

enum { QUAD = 4 }; // lanes

static int64_t size_of(const struct gcl_vector *v, LLVMTypeRef type) {
    return (int64_t)LLVMABISizeOfType(v->m->layout, type);
}

// Elements that lie in memory as in a vector.
static bool is_packed(struct gcl_vector *v, LLVMTypeRef type) {
    return gcl_vector_widens(type) &&
           LLVMSizeOfTypeInBits(v->m->layout, type) == 8 * LLVMABISizeOfType(v->m->layout, type);
}

static enum pattern pattern_of(struct gcl_vector *v, LLVMValueRef address, int64_t size) {
    struct gcl_value_info info = gcl_vector_info(v, address);
    if (info.variance == GCL_VARIANCE_UNIFORM)
        return ONE;
    if (info.variance == GCL_VARIANCE_DIVERGENT)
        return SCATTERED;
    if (!info.has_y && v->geometry.kind == GCL_GEOMETRY_ROWS)
        return info.x_stride == size ? ROWS : SCATTERED;
    if (!info.has_y)
        return info.x_stride == size ? CONTIGUOUS : info.x_stride == -size ? REVERSED : SCATTERED;
    LLVMValueRef y = gcl_vector_y(v, address);
    if (info.x_stride == size && LLVMIsAConstantInt(y) &&
        LLVMConstIntGetSExtValue(y) == size * (int64_t)v->geometry.row)
        return CONTIGUOUS;
    if (info.x_stride == size)
        return ROWS;
    return info.x_stride == 0 ? ROW_SPLATS : SCATTERED;
}

// What lies between the lanes' elements may be read along with them: words as a whole, and
// everything from the first to the last lane if all run.
static enum pattern pattern_of_load(struct gcl_vector *v, LLVMValueRef i) {
    enum { WORD = 4, MOST = 4 };
    LLVMValueRef address = LLVMGetOperand(i, 0);
    int64_t size = size_of(v, LLVMTypeOf(i)), stride = gcl_vector_info(v, address).x_stride;
    if (LLVMGetVolatile(i) || LLVMGetAlignment(i) < size ||
        pattern_of(v, address, stride) != CONTIGUOUS)
        return SCATTERED;
    if (size < WORD)
        return stride == WORD ? WORDS : SCATTERED;
    return !v->mask && stride > 0 && stride % size == 0 && stride <= MOST * size ? STRIDED
                                                                                 : SCATTERED;
}

static LLVMValueRef row_address(struct gcl_vector *v, LLVMValueRef address, unsigned row) {
    assert(row < v->lanes / v->geometry.row);
    LLVMValueRef y = gcl_vector_y(v, address);
    if (!y) // every row in the same place
        return gcl_vector_scalar(v, address);
    LLVMValueRef distance = LLVMBuildMul(v->b, y, gcl_u64(v->m, row), "");
    return LLVMBuildGEP2(v->b, LLVMInt8TypeInContext(v->m->context), gcl_vector_scalar(v, address),
                         &distance, 1, "");
}

// Single accesses.

static LLVMValueRef load_part(struct gcl_vector *v, LLVMValueRef i, LLVMTypeRef type,
                              LLVMValueRef address, LLVMValueRef mask) {
    assert(!mask || LLVMGetVectorSize(LLVMTypeOf(mask)) == LLVMGetVectorSize(type));
    unsigned alignment = LLVMGetAlignment(i);
    if (!mask) {
        LLVMValueRef load = LLVMBuildLoad2(v->b, type, address, "");
        LLVMSetAlignment(load, alignment);
        LLVMSetVolatile(load, LLVMGetVolatile(i));
        return load;
    }
    LLVMTypeRef overload[] = {type, gcl_ptr(v->m)};
    LLVMValueRef arguments[] = {address, gcl_u32(v->m, alignment), mask, LLVMGetPoison(type)};
    return gcl_vector_call_intrinsic(v, "llvm.masked.load", overload, 2, arguments, 4);
}

static void store_part(struct gcl_vector *v, LLVMValueRef i, LLVMValueRef value,
                       LLVMValueRef address, LLVMValueRef mask) {
    assert(!mask || LLVMGetVectorSize(LLVMTypeOf(mask)) == LLVMGetVectorSize(LLVMTypeOf(value)));
    unsigned alignment = LLVMGetAlignment(i);
    if (!mask) {
        LLVMValueRef store = LLVMBuildStore(v->b, value, address);
        LLVMSetAlignment(store, alignment);
        LLVMSetVolatile(store, LLVMGetVolatile(i));
        return;
    }
    LLVMTypeRef overload[] = {LLVMTypeOf(value), gcl_ptr(v->m)};
    LLVMValueRef arguments[] = {value, address, gcl_u32(v->m, alignment), mask};
    gcl_vector_call_intrinsic(v, "llvm.masked.store", overload, 2, arguments, 4);
}

static LLVMValueRef last_place(struct gcl_vector *v, LLVMValueRef address, LLVMTypeRef type) {
    int64_t size = (int64_t)LLVMABISizeOfType(v->m->layout, type);
    LLVMValueRef back = gcl_u64(v->m, (uint64_t)(-size * (int64_t)(v->lanes - 1)));
    return LLVMBuildGEP2(v->b, LLVMInt8TypeInContext(v->m->context), gcl_vector_scalar(v, address),
                         &back, 1, "");
}

// Whether the processor has instructions for an access; without them LLVM would lay out a branch
// for each lane.
static bool is_supported(struct gcl_vector *v, enum pattern pattern, LLVMTypeRef type, bool loads) {
    uint32_t level = v->variant->target->level;
    bool is_small = LLVMABISizeOfType(v->m->layout, type) < 4;
    if (pattern == WORDS)
        return !v->mask || level >= GCL_CPU_V3;
    if (pattern == ONE || pattern == STRIDED || level == GCL_CPU_V4)
        return !(pattern == SCATTERED && is_small);
    if (pattern == SCATTERED || (pattern == ROW_SPLATS && (v->mask || !loads)))
        return loads && level == GCL_CPU_V3 && !is_small && v->rest;
    return !v->mask || (level == GCL_CPU_V3 && !is_small);
}

// Groups: one behind the other, or in pairs anywhere.

static enum pattern group_pattern(struct gcl_vector *v, const struct gcl_group *g,
                                  LLVMValueRef address, LLVMTypeRef type) {
    enum pattern pattern = pattern_of(v, address, g->count * size_of(v, type));
    return g->count == 1 || pattern == CONTIGUOUS ? pattern : SCATTERED;
}

bool gcl_vector_may_group(struct gcl_vector *v, LLVMValueRef i, unsigned count) {
    bool loads = LLVMIsALoadInst(i) != NULL;
    LLVMValueRef address = LLVMGetOperand(i, loads ? 0 : 1);
    LLVMTypeRef type = LLVMTypeOf(loads ? i : LLVMGetOperand(i, 0));
    int64_t size = size_of(v, type);
    bool is_pair = count == 2 && size == 4 && is_supported(v, SCATTERED, gcl_i64(v->m), loads);
    if (pattern_of(v, address, count * size) == CONTIGUOUS)
        return is_supported(v, CONTIGUOUS, type, loads) &&
               (is_pair || !gcl_vector_info(v, address).unsure);
    return is_pair && pattern_of(v, address, size) == SCATTERED;
}

// Where a group begins, from the address of its first member in the program: that of others may not
// be known yet.
static LLVMValueRef begin_of(struct gcl_vector *v, const struct gcl_group *g, LLVMValueRef first) {
    if (g->distance == 0)
        return first;
    LLVMValueRef back = gcl_u64(v->m, (uint64_t)-g->distance);
    return LLVMBuildGEP2(v->b, LLVMInt8TypeInContext(v->m->context), first, &back, 1, "");
}

// The mask with each lane's bit `count` times.
static LLVMValueRef spread_mask(struct gcl_vector *v, unsigned count) {
    if (!v->mask || count == 1)
        return v->mask;
    g_autofree LLVMValueRef *places = g_new(LLVMValueRef, v->lanes * count);
    for (unsigned n = 0; n < v->lanes * count; n++)
        places[n] = gcl_u32(v->m, n / count);
    return LLVMBuildShuffleVector(v->b, v->mask, LLVMGetPoison(LLVMTypeOf(v->mask)),
                                  LLVMConstVector(places, v->lanes * count), "");
}

// Masks: where only accesses of all lanes have an instruction, they get a way of their own.

static bool wants_all(struct gcl_vector *v, const struct gcl_group *g, enum pattern pattern,
                      LLVMTypeRef type, bool loads) {
    LLVMValueRef mask = v->mask;
    if (!mask || g->count > 1 || pattern == ONE || is_supported(v, pattern, type, loads))
        return false;
    v->mask = NULL;
    bool wants = is_supported(v, pattern, type, loads);
    v->mask = mask;
    return wants;
}

static struct gcl_doubt begin_all(struct gcl_vector *v, LLVMValueRef address) {
    gcl_vector_scalar(v, address);
    gcl_vector_y(v, address);
    return gcl_doubt_begin_ways(v, gcl_vector_all(v, v->mask));
}

// Loads.

static LLVMValueRef load_rows(struct gcl_vector *v, LLVMValueRef i, bool splat) {
    unsigned length = v->geometry.row, count = v->lanes / length;
    LLVMValueRef address = LLVMGetOperand(i, 0);
    LLVMTypeRef element = LLVMTypeOf(i), type = LLVMVectorType(element, length);
    LLVMValueRef rows[64];
    assert(count <= G_N_ELEMENTS(rows));
    bool once = !gcl_vector_y(v, address) && !v->mask;
    for (unsigned r = 0; r < count; r++) {
        if (once && r > 0) {
            rows[r] = rows[0];
            continue;
        }
        LLVMValueRef place = row_address(v, address, r);
        LLVMValueRef mask = v->mask ? gcl_vector_part(v, v->mask, r * length, length) : NULL;
        rows[r] = load_part(v, i, splat ? element : type, place, mask);
        if (splat) {
            LLVMValueRef first =
                LLVMBuildInsertElement(v->b, LLVMGetPoison(type), rows[r], gcl_u64(v->m, 0), "");
            rows[r] =
                LLVMBuildShuffleVector(v->b, first, LLVMGetPoison(type),
                                       LLVMConstNull(LLVMVectorType(gcl_i32(v->m), length)), "");
        }
    }
    return gcl_vector_join(v, rows, count);
}

// What takes the place of an element: two of 32 bits are one of 64.
static LLVMTypeRef scattered_type(struct gcl_vector *v, const struct gcl_group *g,
                                  LLVMTypeRef type) {
    return gcl_vector_type(v, g->count == 1 ? type : gcl_i64(v->m));
}

static LLVMValueRef gather(struct gcl_vector *v, const struct gcl_group *g) {
    LLVMValueRef i = g->members[0];
    assert(g->count <= 2); // a pair of 32 bits, or one
    LLVMTypeRef type = scattered_type(v, g, LLVMTypeOf(i));
    LLVMValueRef addresses = gcl_vector_lanes(v, LLVMGetOperand(g->first, 0));
    addresses = begin_of(v, g, addresses);
    LLVMTypeRef overload[] = {type, LLVMTypeOf(addresses)};
    LLVMValueRef arguments[] = {addresses, gcl_u32(v->m, LLVMGetAlignment(i)),
                                gcl_vector_mask(v, v->mask), LLVMGetPoison(type)};
    LLVMValueRef loaded =
        gcl_vector_call_intrinsic(v, "llvm.masked.gather", overload, 2, arguments, 4);
    return LLVMBuildBitCast(v->b, loaded, LLVMVectorType(LLVMTypeOf(i), v->lanes * g->count), "");
}

// Loads whole vectors, as many as elements lie from one lane to the next, and picks each lane's
// element from them; the last vector ends with the last lane's element.
static LLVMValueRef load_strided(struct gcl_vector *v, LLVMValueRef i) {
    LLVMTypeRef type = gcl_vector_type(v, LLVMTypeOf(i));
    int64_t size = size_of(v, LLVMTypeOf(i));
    unsigned step = (unsigned)(gcl_vector_info(v, LLVMGetOperand(i, 0)).x_stride / size);
    assert(!v->mask && step > 1); // lanes in between are loaded too
    g_autofree LLVMValueRef *from = g_new(LLVMValueRef, v->lanes);
    LLVMValueRef result = LLVMGetPoison(type);
    for (unsigned c = 0; c < step; c++) {
        unsigned first = c < step - 1 ? c * v->lanes : c * (v->lanes - 1);
        LLVMValueRef offset = gcl_u64(v->m, (uint64_t)size * first);
        LLVMValueRef place =
            LLVMBuildGEP2(v->b, LLVMInt8TypeInContext(v->m->context),
                          gcl_vector_scalar(v, LLVMGetOperand(i, 0)), &offset, 1, "");
        LLVMValueRef part = LLVMBuildLoad2(v->b, type, place, "");
        LLVMSetAlignment(part, (unsigned)size);
        for (unsigned l = 0; l < v->lanes; l++)
            from[l] = gcl_u32(v->m, l * step / v->lanes == c ? v->lanes + l * step - first : l);
        result = LLVMBuildShuffleVector(v->b, result, part, LLVMConstVector(from, v->lanes), "");
    }
    return result;
}

static LLVMValueRef load_words(struct gcl_vector *v, LLVMValueRef i) {
    LLVMTypeRef i32 = gcl_i32(v->m), i64 = gcl_i64(v->m), type = LLVMTypeOf(i);
    LLVMTypeRef bits = LLVMIntTypeInContext(v->m->context, 8 * (unsigned)size_of(v, type));
    LLVMValueRef address = gcl_vector_scalar(v, LLVMGetOperand(i, 0));
    LLVMTypeRef overload[] = {LLVMTypeOf(address), i64};
    LLVMValueRef arguments[] = {address, gcl_u64(v->m, ~(uint64_t)3)};
    LLVMValueRef start = gcl_vector_call_intrinsic(v, "llvm.ptrmask", overload, 2, arguments, 2);
    LLVMValueRef byte =
        LLVMBuildAnd(v->b, LLVMBuildPtrToInt(v->b, address, i32, ""), gcl_u32(v->m, 3), "");
    LLVMValueRef shift = LLVMBuildMul(v->b, byte, gcl_u32(v->m, 8), "");
    LLVMValueRef words = load_part(v, i, gcl_vector_type(v, i32), start, v->mask);
    words = LLVMBuildLShr(v->b, words, gcl_vector_splat(v, shift), "");
    words = LLVMBuildTrunc(v->b, words, gcl_vector_type(v, bits), "");
    return LLVMBuildBitCast(v->b, words, gcl_vector_type(v, type), "");
}

static LLVMValueRef load_pattern(struct gcl_vector *v, const struct gcl_group *g,
                                 enum pattern pattern) {
    LLVMValueRef i = g->members[0], address = LLVMGetOperand(g->first, 0);
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(i), v->lanes * g->count);
    switch (pattern) {
    case CONTIGUOUS:
        return load_part(v, i, type, begin_of(v, g, gcl_vector_scalar(v, address)),
                         spread_mask(v, g->count));
    case REVERSED:
        return gcl_vector_reverse(v, load_part(v, i, type, last_place(v, address, LLVMTypeOf(i)),
                                               v->mask ? gcl_vector_reverse(v, v->mask) : NULL));
    case ROWS:
        return load_rows(v, i, false);
    case ROW_SPLATS:
        return v->mask ? gather(v, g) : load_rows(v, i, true);
    case STRIDED:
        return load_strided(v, i);
    case WORDS:
        return load_words(v, i);
    default:
        return gather(v, g);
    }
}

static LLVMValueRef load_supported(struct gcl_vector *v, const struct gcl_group *g,
                                   enum pattern pattern) {
    if (g->count > 1 || is_supported(v, pattern, LLVMTypeOf(g->members[0]), true))
        return load_pattern(v, g, pattern);
    return gcl_vector_by_lane(v, g->members[0],
                              "a load that the processor has no vector instruction for");
}

static LLVMValueRef load_lanes(struct gcl_vector *v, const struct gcl_group *g,
                               enum pattern pattern) {
    LLVMValueRef mask = v->mask, address = LLVMGetOperand(g->members[0], 0);
    if (!wants_all(v, g, pattern, LLVMTypeOf(g->members[0]), true))
        return load_supported(v, g, pattern);
    struct gcl_doubt ways = begin_all(v, address);
    v->mask = NULL;
    LLVMValueRef all = load_supported(v, g, pattern);
    v->mask = mask;
    gcl_doubt_settle(v, &ways);
    LLVMValueRef some = load_supported(v, g, pattern);
    return gcl_doubt_end(v, &ways, all, some);
}

// Lanes in no order that is known when compiling.
static LLVMValueRef load_scattered(struct gcl_vector *v, const struct gcl_group *g) {
    LLVMValueRef i = g->members[0];
    if (g->count > 1 || !gcl_window_suits(v, i))
        return load_lanes(v, g, SCATTERED);
    struct gcl_window window = gcl_window_find(v, i);
    struct gcl_doubt ways = gcl_doubt_begin_ways(v, window.holds);
    LLVMValueRef close = gcl_window_load(v, &window, i);
    gcl_doubt_settle(v, &ways);
    LLVMValueRef apart = load_lanes(v, g, SCATTERED);
    return gcl_doubt_end(v, &ways, close, apart);
}

static LLVMValueRef load_group(struct gcl_vector *v, const struct gcl_group *g) {
    LLVMValueRef address = LLVMGetOperand(g->first, 0);
    enum pattern pattern = group_pattern(v, g, address, LLVMTypeOf(g->members[0]));
    if (pattern == SCATTERED && g->count == 1)
        pattern = pattern_of_load(v, g->members[0]);
    if (pattern == SCATTERED)
        return load_scattered(v, g);
    if (!gcl_vector_info(v, address).unsure)
        return load_lanes(v, g, pattern);
    struct gcl_doubt doubt = gcl_doubt_begin(v, address);
    LLVMValueRef sure = load_lanes(v, g, pattern);
    gcl_doubt_settle(v, &doubt);
    LLVMValueRef unsure = load_scattered(v, g);
    return gcl_doubt_end(v, &doubt, sure, unsure);
}

static void load_twins(struct gcl_vector *v, LLVMValueRef a, LLVMValueRef b) {
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(a), 2 * v->lanes);
    struct gcl_twins twins = gcl_twins_find(v, a, b);
    struct gcl_doubt fill = gcl_doubt_begin_ways(v, twins.fill);
    LLVMValueRef filled = LLVMBuildBitCast(v->b, gcl_twins_load_filled(v, &twins), type, "");
    gcl_doubt_settle(v, &fill);
    struct gcl_doubt even = gcl_doubt_begin_ways(v, twins.even);
    LLVMValueRef lines = LLVMBuildBitCast(v->b, gcl_twins_load_even(v, &twins), type, "");
    gcl_doubt_settle(v, &even);
    LLVMValueRef each[] = {load_lanes(v, gcl_group_of(v, a), SCATTERED),
                           load_lanes(v, gcl_group_of(v, b), SCATTERED)};
    LLVMValueRef both = gcl_doubt_end(v, &even, lines, gcl_vector_join(v, each, 2));
    both = gcl_doubt_end(v, &fill, filled, both);
    gcl_group_sort(v, gcl_group_of(v, a), gcl_vector_part(v, both, 0, v->lanes));
    gcl_group_sort(v, gcl_group_of(v, b), gcl_vector_part(v, both, v->lanes, v->lanes));
}

void gcl_vector_load(struct gcl_vector *v, LLVMValueRef i) {
    bool is_atomic = LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    if (!is_atomic)
        gcl_vector_prefetch(v, i);
    if (gcl_vector_info(v, i).variance == GCL_VARIANCE_UNIFORM) {
        LLVMValueRef clone = LLVMInstructionClone(i);
        LLVMSetOperand(clone, 0, gcl_vector_scalar(v, LLVMGetOperand(i, 0)));
        gcl_shim_drop_metadata(clone);
        LLVMInsertIntoBuilder(v->b, clone);
        gcl_vector_define(v, i, (struct gcl_vector_value){.scalar = clone});
        return;
    }
    if (!is_packed(v, LLVMTypeOf(i)) || is_atomic) {
        gcl_vector_one_by_one(v, i, "a load of a whole structure, or an atomic one");
        return;
    }
    struct gcl_group *g = gcl_group_of(v, i);
    LLVMValueRef twin = g->lanes[0] ? NULL : gcl_twins_second(v, i);
    unsigned place = 0;
    if (twin)
        load_twins(v, i, twin);
    else if (!g->lanes[0])
        gcl_group_sort(v, g, load_group(v, g));
    if (!v->mask)
        g_hash_table_add(v->whole, i);
    assert(g->lanes[0]);
    while (g->members[place] != i)
        place++;
    gcl_vector_define(v, i, (struct gcl_vector_value){.vector = g->lanes[place]});
}

// Stores.

// The last lane that runs, as an index.
static LLVMValueRef last_lane(struct gcl_vector *v) {
    if (!v->mask)
        return gcl_u64(v->m, v->lanes - 1);
    LLVMValueRef bits = gcl_vector_mask_bits(v, v->mask);
    LLVMTypeRef type = LLVMTypeOf(bits);
    LLVMValueRef arguments[] = {bits, LLVMConstInt(LLVMInt1TypeInContext(v->m->context), 1, 0)};
    LLVMValueRef zeros = gcl_vector_call_intrinsic(v, "llvm.ctlz", &type, 1, arguments, 2);
    LLVMValueRef lane = LLVMBuildSub(v->b, LLVMConstInt(type, v->lanes - 1, 0), zeros, "");
    return LLVMBuildIntCast2(v->b, lane, gcl_i64(v->m), 0, "");
}

static void store_one(struct gcl_vector *v, LLVMValueRef i) {
    LLVMValueRef value = LLVMGetOperand(i, 0), scalar;
    assert(gcl_vector_info(v, LLVMGetOperand(i, 1)).variance == GCL_VARIANCE_UNIFORM);
    if (gcl_vector_info(v, value).variance == GCL_VARIANCE_UNIFORM)
        scalar = gcl_vector_scalar(v, value);
    else
        scalar = LLVMBuildExtractElement(v->b, gcl_vector_lanes(v, value), last_lane(v), "");
    LLVMValueRef clone = LLVMInstructionClone(i);
    LLVMSetOperand(clone, 0, scalar);
    LLVMSetOperand(clone, 1, gcl_vector_scalar(v, LLVMGetOperand(i, 1)));
    gcl_shim_drop_metadata(clone);
    LLVMInsertIntoBuilder(v->b, clone);
}

static void store_rows(struct gcl_vector *v, LLVMValueRef i) {
    unsigned length = v->geometry.row;
    assert(v->lanes % length == 0);
    LLVMValueRef lanes = gcl_vector_lanes(v, LLVMGetOperand(i, 0));
    for (unsigned r = 0; r < v->lanes / length; r++)
        store_part(v, i, gcl_vector_part(v, lanes, r * length, length),
                   row_address(v, LLVMGetOperand(i, 1), r),
                   v->mask ? gcl_vector_part(v, v->mask, r * length, length) : NULL);
}

static void scatter(struct gcl_vector *v, const struct gcl_group *g, LLVMValueRef lanes) {
    LLVMValueRef i = g->members[0];
    assert(g->count <= 2); // a pair of 32 bits, or one
    LLVMTypeRef type = scattered_type(v, g, LLVMTypeOf(LLVMGetOperand(i, 0)));
    LLVMValueRef addresses = gcl_vector_lanes(v, LLVMGetOperand(g->first, 1));
    addresses = begin_of(v, g, addresses);
    LLVMTypeRef overload[] = {type, LLVMTypeOf(addresses)};
    LLVMValueRef arguments[] = {LLVMBuildBitCast(v->b, lanes, type, ""), addresses,
                                gcl_u32(v->m, LLVMGetAlignment(i)), gcl_vector_mask(v, v->mask)};
    gcl_vector_call_intrinsic(v, "llvm.masked.scatter", overload, 2, arguments, 4);
}

// `lanes`: what the group stores, as it will lie in memory.
static void store_pattern(struct gcl_vector *v, const struct gcl_group *g, LLVMValueRef lanes,
                          enum pattern pattern) {
    LLVMValueRef i = g->members[0], address = LLVMGetOperand(g->first, 1);
    switch (pattern) {
    case CONTIGUOUS:
        store_part(v, i, lanes, begin_of(v, g, gcl_vector_scalar(v, address)),
                   spread_mask(v, g->count));
        break;
    case REVERSED:
        store_part(v, i, gcl_vector_reverse(v, lanes),
                   last_place(v, address, LLVMTypeOf(LLVMGetOperand(i, 0))),
                   v->mask ? gcl_vector_reverse(v, v->mask) : NULL);
        break;
    case ROWS:
        store_rows(v, i);
        break;
    default:
        scatter(v, g, lanes);
    }
}

static void store_supported(struct gcl_vector *v, const struct gcl_group *g, LLVMValueRef lanes,
                            enum pattern pattern) {
    LLVMValueRef i = g->members[0];
    if (pattern == ONE)
        store_one(v, i);
    else if (g->count > 1 || is_supported(v, pattern, LLVMTypeOf(LLVMGetOperand(i, 0)), false))
        store_pattern(v, g, lanes, pattern);
    else
        gcl_vector_one_by_one(v, i, "a store that the processor has no vector instruction for");
}

static void store_lanes(struct gcl_vector *v, const struct gcl_group *g, LLVMValueRef lanes,
                        enum pattern pattern) {
    LLVMValueRef mask = v->mask, i = g->members[0];
    if (!wants_all(v, g, pattern, LLVMTypeOf(LLVMGetOperand(i, 0)), false)) {
        store_supported(v, g, lanes, pattern);
        return;
    }
    struct gcl_doubt ways = begin_all(v, LLVMGetOperand(i, 1));
    v->mask = NULL;
    store_supported(v, g, lanes, pattern);
    v->mask = mask;
    gcl_doubt_settle(v, &ways);
    store_supported(v, g, lanes, pattern);
    gcl_doubt_end(v, &ways, NULL, NULL);
}

// Each four lanes one behind the other.
static void store_quads(struct gcl_vector *v, const struct gcl_group *g, LLVMValueRef lanes) {
    LLVMValueRef addresses = begin_of(v, g, gcl_vector_lanes(v, LLVMGetOperand(g->first, 1)));
    assert(!v->mask && v->lanes % QUAD == 0);
    for (unsigned lane = 0; lane < v->lanes; lane += QUAD)
        store_part(v, g->members[0], gcl_vector_part(v, lanes, lane * g->count, QUAD * g->count),
                   LLVMBuildExtractElement(v->b, addresses, gcl_u64(v->m, lane), ""), NULL);
}

// An i1: lanes lie as store_quads stores them. NULL: nobody knows.
static LLVMValueRef find_quads(struct gcl_vector *v, const struct gcl_group *g) {
    LLVMValueRef address = LLVMGetOperand(g->first, 1);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(g->first, 0));
    struct gcl_value_info info = gcl_vector_info(v, address);
    if (v->mask || !info.unsure || info.x_stride != g->count * size_of(v, type) ||
        v->lanes % QUAD != 0 || !is_supported(v, SCATTERED, type, false))
        return NULL;
    LLVMValueRef holds = gcl_doubt_is_linear_by_part(v, address, QUAD);
    return LLVMIsAConstant(holds) ? NULL : holds;
}

static void store_scattered(struct gcl_vector *v, const struct gcl_group *g, LLVMValueRef lanes) {
    LLVMValueRef i = g->members[0];
    struct gcl_window window = {0};
    bool is_window = g->count == 1 && gcl_window_suits(v, i);
    if (is_window)
        window = gcl_window_find(v, i);
    LLVMValueRef holds = is_window ? window.holds : find_quads(v, g);
    if (!holds) {
        store_lanes(v, g, lanes, SCATTERED);
        return;
    }
    struct gcl_doubt ways = gcl_doubt_begin_ways(v, holds);
    if (is_window)
        gcl_window_store(v, &window, i, lanes);
    else
        store_quads(v, g, lanes);
    gcl_doubt_settle(v, &ways);
    store_lanes(v, g, lanes, SCATTERED);
    gcl_doubt_end(v, &ways, NULL, NULL);
}

static void store_group(struct gcl_vector *v, const struct gcl_group *g) {
    LLVMValueRef value = LLVMGetOperand(g->members[0], 0);
    LLVMValueRef address = LLVMGetOperand(g->first, 1);
    enum pattern pattern = group_pattern(v, g, address, LLVMTypeOf(value));
    LLVMValueRef lanes = pattern == ONE ? NULL : gcl_group_merge(v, g);
    if (pattern == SCATTERED) {
        store_scattered(v, g, lanes);
        return;
    }
    if (!gcl_vector_info(v, address).unsure) {
        store_lanes(v, g, lanes, pattern);
        return;
    }
    struct gcl_doubt doubt = gcl_doubt_begin(v, address);
    store_lanes(v, g, lanes, pattern);
    gcl_doubt_settle(v, &doubt);
    store_scattered(v, g, lanes);
    gcl_doubt_end(v, &doubt, NULL, NULL);
}

// What lanes store, and what they keep where they don't run.
static LLVMValueRef lanes_or_kept(struct gcl_vector *v, LLVMValueRef i, LLVMValueRef kept) {
    LLVMValueRef lanes = gcl_vector_lanes(v, LLVMGetOperand(i, 0));
    return v->mask ? LLVMBuildSelect(v->b, v->mask, lanes, gcl_vector_lanes(v, kept), "") : lanes;
}

// Both stores at the second one.
static void store_twins(struct gcl_vector *v, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef kept[] = {gcl_twins_kept(v, a, NULL), gcl_twins_kept(v, b, a)};
    if (v->mask && (!kept[0] || !kept[1])) {
        store_group(v, gcl_group_of(v, a));
        store_group(v, gcl_group_of(v, b));
        return;
    }
    LLVMValueRef lanes[] = {lanes_or_kept(v, a, kept[0]), lanes_or_kept(v, b, kept[1])};
    struct gcl_twins twins = gcl_twins_find(v, a, b);
    struct gcl_doubt filled = gcl_doubt_begin_ways(v, twins.fill);
    gcl_twins_store_filled(v, &twins, lanes);
    gcl_doubt_settle(v, &filled);
    struct gcl_doubt even = gcl_doubt_begin_ways(v, twins.even);
    gcl_twins_store_even(v, &twins);
    gcl_doubt_settle(v, &even);
    store_lanes(v, gcl_group_of(v, a), gcl_vector_lanes(v, LLVMGetOperand(a, 0)), SCATTERED);
    store_lanes(v, gcl_group_of(v, b), gcl_vector_lanes(v, LLVMGetOperand(b, 0)), SCATTERED);
    gcl_doubt_end(v, &even, NULL, NULL);
    gcl_doubt_end(v, &filled, NULL, NULL);
}

void gcl_vector_store(struct gcl_vector *v, LLVMValueRef i) {
    LLVMValueRef value = LLVMGetOperand(i, 0), address = LLVMGetOperand(i, 1);
    if (gcl_vector_info(v, value).variance == GCL_VARIANCE_UNIFORM &&
        gcl_vector_info(v, address).variance == GCL_VARIANCE_UNIFORM) {
        store_one(v, i);
        return;
    }
    if (!is_packed(v, LLVMTypeOf(value)) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) {
        gcl_vector_one_by_one(v, i, "a store of a whole structure, or an atomic one");
        return;
    }
    const struct gcl_group *g = gcl_group_of(v, i);
    LLVMValueRef first = v->twin, second = gcl_twins_second(v, i);
    if (i != g->last)
        return;
    v->twin = first ? NULL : second ? i : NULL;
    if (first)
        store_twins(v, first, i);
    else if (!second)
        store_group(v, g);
}
