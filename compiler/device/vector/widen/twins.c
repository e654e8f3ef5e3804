// Twins: what lanes compare and exchange, as in sorting networks and butterflies. Their elements
// are `distance` apart. Where that is less than a vector is wide, neither of both accesses is
// contiguous, but together 16 lanes may fill two vectors: these are loaded and stored as they lie,
// and permuted in between. So no lane is loaded twice, and no vector overlaps what the last one
// has stored, for which processors wait.
//
// Stores of whole vectors under a mask have lanes that don't run write what they have read, where
// nobody else looks at that memory: in the shared memory of a block, which one thread runs. None of
// them may then be where another one stores, whatever the program means by it: as 32 lanes fill 32
// elements, none is.
#include "device/vector/widen/twins.h"

#include <assert.h>

#include "device/ir/block.h"
#include "device/ir/lane.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/ir/uniformity.h"
#include "device/vector/widen/group.h"
#include "device/vector/widen/value.h"

// LANES: of a vector. LINE: its bytes. FAR: steps back to what has loaded.
enum { LANES = 16, SIZE = 4, LINE = LANES * SIZE, FAR = 64 };

static LLVMValueRef address_of(LLVMValueRef i) {
    return LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
}

// Finding.

static bool is_uniform(const struct gcl_vector *v, LLVMValueRef value) {
    return gcl_vector_info(v, value).variance <= GCL_VARIANCE_UNIFORM;
}

// `value` without what all lanes add to it.
static LLVMValueRef strip(const struct gcl_vector *v, LLVMValueRef value) {
    while (LLVMIsABinaryOperator(value)) {
        LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
        LLVMValueRef left = LLVMGetOperand(value, 0), right = LLVMGetOperand(value, 1);
        if ((opcode == LLVMAdd || opcode == LLVMSub) && is_uniform(v, right))
            value = left;
        else if (opcode == LLVMAdd && is_uniform(v, left))
            value = right;
        else
            break;
    }
    return value;
}

static bool extends(LLVMValueRef i) {
    return LLVMIsAZExtInst(i) || LLVMIsASExtInst(i);
}

// Whether lanes of both values lie in the same way.
static bool are_alike(const struct gcl_vector *v, LLVMValueRef a, LLVMValueRef b) {
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(a)) == LLVMPointerTypeKind; // of one object
    a = strip(v, a);
    b = strip(v, b);
    if (a == b || (!is_pointer && is_uniform(v, a) && is_uniform(v, b)))
        return true;
    bool are_addresses = LLVMIsAGetElementPtrInst(a) && LLVMIsAGetElementPtrInst(b) &&
                         LLVMGetGEPSourceElementType(a) == LLVMGetGEPSourceElementType(b);
    bool extend = extends(a) && extends(b) &&
                  LLVMGetInstructionOpcode(a) == LLVMGetInstructionOpcode(b) &&
                  LLVMTypeOf(LLVMGetOperand(a, 0)) == LLVMTypeOf(LLVMGetOperand(b, 0));
    if ((!are_addresses && !extend) || LLVMGetNumOperands(a) != LLVMGetNumOperands(b))
        return false;
    for (int n = 0; n < LLVMGetNumOperands(a); n++) {
        if (!are_alike(v, LLVMGetOperand(a, (unsigned)n), LLVMGetOperand(b, (unsigned)n)))
            return false;
    }
    return true;
}

static bool suits(struct gcl_vector *v, LLVMValueRef i) {
    return LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic && gcl_window_suits(v, i) &&
           gcl_group_of(v, i)->count == 1;
}

LLVMValueRef gcl_twins_second(struct gcl_vector *v, LLVMValueRef i) {
    if (!suits(v, i))
        return NULL;
    g_autoptr(GHashTable) late = g_hash_table_new(g_direct_hash, g_direct_equal);
    LLVMValueRef b = LLVMGetNextInstruction(i);
    for (; b && !gcl_shim_uses_memory(b); b = LLVMGetNextInstruction(b))
        g_hash_table_add(late, b);
    if (!b || LLVMGetInstructionOpcode(b) != LLVMGetInstructionOpcode(i) || !suits(v, b) ||
        !are_alike(v, address_of(i), address_of(b)))
        return NULL;
    bool is_late = LLVMIsALoadInst(i) && g_hash_table_contains(late, address_of(b));
    return is_late ? NULL : b;
}

static bool is_known(const struct gcl_vector *v, LLVMValueRef load, LLVMValueRef store) {
    return LLVMGetInstructionParent(load) == LLVMGetInstructionParent(store) ||
           gcl_vector_leaves_block(v, load);
}

LLVMValueRef gcl_twins_kept(struct gcl_vector *v, LLVMValueRef i, LLVMValueRef between) {
    if (!gcl_block_is_shared(v->m, gcl_lane_block(v->source), address_of(i)))
        return NULL;
    LLVMValueRef before = i;
    for (unsigned steps = 0; steps < FAR; steps++) {
        int block = gcl_cfg_index(v->cfg, LLVMGetInstructionParent(before));
        before = LLVMGetPreviousInstruction(before);
        if (!before && v->cfg->blocks[block].predecessor_count == 1)
            before = LLVMGetBasicBlockTerminator(
                v->cfg->blocks[v->cfg->blocks[block].predecessors[0]].block);
        if (!before || (before != between && gcl_shim_may_write(before)))
            return NULL;
        if (LLVMIsALoadInst(before) && address_of(before) == address_of(i) &&
            LLVMTypeOf(before) == LLVMTypeOf(LLVMGetOperand(i, 0)))
            return g_hash_table_contains(v->whole, before) && is_known(v, before, i) ? before
                                                                                     : NULL;
    }
    return NULL;
}

bool gcl_twins_are_all(struct gcl_vector *v, LLVMBasicBlockRef block) {
    LLVMValueRef a = LLVMGetFirstInstruction(block), end = LLVMGetBasicBlockTerminator(block);
    LLVMValueRef b = LLVMIsAStoreInst(a) ? gcl_twins_second(v, a) : NULL;
    return b && LLVMGetNextInstruction(a) == b && LLVMGetNextInstruction(b) == end &&
           gcl_twins_kept(v, a, NULL) && gcl_twins_kept(v, b, a);
}

// Where lanes lie.

// `condition` if `first` holds: without that, it may be poison.
static LLVMValueRef and_then(struct gcl_vector *v, LLVMValueRef first, LLVMValueRef condition) {
    LLVMValueRef never = LLVMConstNull(LLVMInt1TypeInContext(v->m->context));
    return LLVMBuildSelect(v->b, first, condition, never, "");
}

static LLVMValueRef is_equal(struct gcl_vector *v, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildICmp(v->b, LLVMIntEQ, a, b, "");
}

// Each part begins at least `bytes` behind the one before.
static LLVMValueRef parts_rise(struct gcl_vector *v, const struct gcl_twins *t, uint64_t bytes) {
    LLVMValueRef all = LLVMConstInt(LLVMInt1TypeInContext(v->m->context), 1, 0);
    for (unsigned part = 1; part < v->lanes / LANES; part++) {
        LLVMValueRef step =
            LLVMBuildSub(v->b, t->window.parts[part], t->window.parts[part - 1], "");
        all = LLVMBuildAnd(v->b, all,
                           LLVMBuildICmp(v->b, LLVMIntSGE, step, gcl_u64(v->m, bytes), ""), "");
    }
    return all;
}

static LLVMValueRef elements_apart(struct gcl_vector *v, const struct gcl_twins *t) {
    LLVMValueRef count = LLVMBuildLShr(v->b, t->distance, gcl_u64(v->m, 2), "");
    return LLVMBuildTrunc(v->b, count, gcl_i32(v->m), "");
}

// 32 bits: those of the elements of a's lanes and of b's, of 16 lanes.
static LLVMValueRef lanes_fill(struct gcl_vector *v, const struct gcl_twins *t) {
    LLVMValueRef bytes = LLVMBuildAnd(v->b, t->distance, gcl_u64(v->m, 2 * LINE - SIZE), "");
    LLVMValueRef is_near = is_equal(v, bytes, t->distance);
    LLVMValueRef taken = gcl_window_taken(v, &t->window);
    LLVMValueRef shift = LLVMBuildAnd(v->b, elements_apart(v, t), gcl_u32(v->m, 2 * LANES - 1), "");
    LLVMValueRef all = LLVMBuildOr(v->b, taken, LLVMBuildShl(v->b, taken, shift, ""), "");
    all = is_equal(v, all, gcl_u32(v->m, UINT32_MAX));
    return LLVMBuildAnd(v->b, LLVMBuildAnd(v->b, is_near, all, ""), parts_rise(v, t, 2 * LINE), "");
}

static LLVMValueRef distance_of(struct gcl_vector *v, LLVMValueRef a, LLVMValueRef b);

static LLVMValueRef distance_of_addresses(struct gcl_vector *v, LLVMValueRef a, LLVMValueRef b) {
    assert(LLVMIsAGetElementPtrInst(a) && LLVMIsAGetElementPtrInst(b)); // as are_alike has found
    LLVMTypeRef type = LLVMGetGEPSourceElementType(a);
    LLVMValueRef sum = distance_of(v, LLVMGetOperand(a, 0), LLVMGetOperand(b, 0));
    for (int n = 1; n < LLVMGetNumOperands(a); n++) {
        LLVMValueRef indexes[] = {LLVMGetOperand(a, (unsigned)n), LLVMGetOperand(b, (unsigned)n)};
        bool is_field = n > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind;
        if (is_field)
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(indexes[0]));
        else if (n > 1)
            type = LLVMGetElementType(type);
        if (indexes[0] == indexes[1] || is_field)
            continue; // other fields are found out by comparison
        LLVMValueRef count = distance_of(v, indexes[0], indexes[1]);
        count = LLVMBuildIntCast2(v->b, count, gcl_i64(v->m), 1, "");
        LLVMValueRef size = gcl_u64(v->m, LLVMABISizeOfType(v->m->layout, type));
        sum = LLVMBuildAdd(v->b, sum, LLVMBuildMul(v->b, count, size, ""), "");
    }
    return sum;
}

// What lanes of `b` have more than those of `a`, if nothing wraps: from what is added to them, so
// that LLVM sees that it is the same for all vectors.
static LLVMValueRef distance_of(struct gcl_vector *v, LLVMValueRef a, LLVMValueRef b) {
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(a)) == LLVMPointerTypeKind;
    if (a == b)
        return LLVMConstNull(is_pointer ? gcl_i64(v->m) : LLVMTypeOf(a));
    if (is_pointer)
        return distance_of_addresses(v, a, b);
    if (extends(a) && extends(b))
        return LLVMBuildSExt(v->b, distance_of(v, LLVMGetOperand(a, 0), LLVMGetOperand(b, 0)),
                             LLVMTypeOf(a), "");
    return LLVMBuildSub(v->b, gcl_vector_scalar(v, b), gcl_vector_scalar(v, a), "");
}

struct gcl_twins gcl_twins_find(struct gcl_vector *v, LLVMValueRef a, LLVMValueRef b) {
    LLVMTypeRef i64 = gcl_i64(v->m);
    struct gcl_twins t = {.a = a, .b = b, .window = gcl_window_find(v, a)};
    struct gcl_window other = gcl_window_find(v, b);
    LLVMValueRef real = LLVMBuildSub(v->b, LLVMBuildPtrToInt(v->b, other.first, i64, ""),
                                     LLVMBuildPtrToInt(v->b, t.window.first, i64, ""), "");
    t.distance = distance_of(v, address_of(a), address_of(b));
    LLVMValueRef holds = LLVMBuildAnd(v->b, t.window.holds, other.holds, "");
    holds = LLVMBuildAnd(v->b, holds, is_equal(v, real, t.distance), "");
    t.fill = and_then(v, holds, lanes_fill(v, &t));
    LLVMValueRef last = LLVMBuildExtractElement(v->b, t.window.index, gcl_u64(v->m, LANES - 1), "");
    LLVMValueRef is_even = is_equal(v, last, gcl_u32(v->m, LANES - 1)); // the index rises
    t.even = and_then(v, holds, is_even);
    return t;
}

// Loading and storing.

static LLVMValueRef permute(struct gcl_vector *v, LLVMValueRef a, LLVMValueRef from,
                            LLVMValueRef b) {
    LLVMValueRef arguments[] = {a, from, b};
    return gcl_vector_call_intrinsic(v, "llvm.x86.avx512.vpermi2var.d.512", NULL, 0, arguments, 3);
}

static LLVMValueRef add(struct gcl_vector *v, LLVMValueRef vector, LLVMValueRef scalar) {
    return LLVMBuildAdd(v->b, vector, gcl_window_splat(v, scalar), "");
}

// The two vectors that part `part` of both fills begin there and a line behind.
static LLVMValueRef line_of(struct gcl_vector *v, LLVMValueRef address, unsigned line) {
    LLVMValueRef offset = gcl_u64(v->m, line * (uint64_t)LINE);
    return LLVMBuildGEP2(v->b, LLVMInt8TypeInContext(v->m->context), address, &offset, 1, "");
}

// Where b's lanes are if a's begin at `address`.
static LLVMValueRef other_of(struct gcl_vector *v, const struct gcl_twins *t,
                             LLVMValueRef address) {
    LLVMValueRef offset = t->distance;
    return LLVMBuildGEP2(v->b, LLVMInt8TypeInContext(v->m->context), address, &offset, 1, "");
}

LLVMValueRef gcl_twins_load_filled(struct gcl_vector *v, const struct gcl_twins *t) {
    unsigned count = v->lanes / LANES;
    LLVMValueRef parts[2 * GCL_WINDOW_MOST];
    LLVMValueRef from[] = {t->window.index, add(v, t->window.index, elements_apart(v, t))};
    for (unsigned part = 0; part < count; part++) {
        LLVMValueRef address = gcl_window_part(v, &t->window, part);
        LLVMValueRef low = gcl_window_load_vector(v, t->a, address);
        LLVMValueRef high = gcl_window_load_vector(v, t->a, line_of(v, address, 1));
        for (unsigned n = 0; n < 2; n++)
            parts[n * count + part] = permute(v, low, from[n], high);
    }
    return gcl_vector_join(v, parts, 2 * count);
}

LLVMValueRef gcl_twins_load_even(struct gcl_vector *v, const struct gcl_twins *t) {
    unsigned count = v->lanes / LANES;
    LLVMValueRef parts[2 * GCL_WINDOW_MOST];
    for (unsigned part = 0; part < count; part++) {
        LLVMValueRef address = gcl_window_part(v, &t->window, part);
        parts[part] = gcl_window_load_vector(v, t->a, address);
        parts[count + part] = gcl_window_load_vector(v, t->b, other_of(v, t, address));
    }
    return gcl_vector_join(v, parts, 2 * count);
}

// For each of 16 elements from `begin` on, which of 16 lanes of a and 16 of b has it; `taken` has
// the bits of those of a, and b has all others.
static LLVMValueRef lanes_of(struct gcl_vector *v, LLVMValueRef taken, unsigned begin) {
    LLVMValueRef first = gcl_u32(v->m, begin), count = gcl_u32(v->m, LANES);
    LLVMValueRef a = gcl_window_lanes_from(v, taken, first, NULL);
    a = LLVMBuildSub(v->b, a, gcl_window_splat(v, count), "");
    return add(v, gcl_window_lanes_from(v, LLVMBuildNot(v->b, taken, ""), first, a), count);
}

static void store_vector(struct gcl_vector *v, LLVMValueRef i, LLVMValueRef vector,
                         LLVMValueRef address) {
    LLVMSetAlignment(LLVMBuildStore(v->b, vector, address), LLVMGetAlignment(i));
}

void gcl_twins_store_filled(struct gcl_vector *v, const struct gcl_twins *t,
                            LLVMValueRef lanes[2]) {
    LLVMTypeRef type = gcl_vector_type(v, gcl_i32(v->m));
    LLVMValueRef taken = gcl_window_taken(v, &t->window);
    LLVMValueRef a = LLVMBuildBitCast(v->b, lanes[0], type, "");
    LLVMValueRef b = LLVMBuildBitCast(v->b, lanes[1], type, "");
    LLVMValueRef from[] = {lanes_of(v, taken, 0), lanes_of(v, taken, LANES)};
    for (unsigned part = 0; part < v->lanes / LANES; part++) {
        LLVMValueRef address = gcl_window_part(v, &t->window, part);
        LLVMValueRef own = gcl_vector_part(v, a, part * LANES, LANES);
        LLVMValueRef other = gcl_vector_part(v, b, part * LANES, LANES);
        for (unsigned line = 0; line < 2; line++)
            store_vector(v, t->a, permute(v, own, from[line], other), line_of(v, address, line));
    }
}

static void store_lines(struct gcl_vector *v, const struct gcl_twins *t, LLVMValueRef i) {
    LLVMValueRef lanes = gcl_vector_lanes(v, LLVMGetOperand(i, 0));
    for (unsigned part = 0; part < v->lanes / LANES; part++) {
        LLVMValueRef address = gcl_window_part(v, &t->window, part);
        if (i == t->b)
            address = other_of(v, t, address);
        LLVMValueRef own = gcl_vector_part(v, lanes, part * LANES, LANES);
        if (!v->mask) {
            store_vector(v, i, own, address);
            continue;
        }
        LLVMTypeRef overload[] = {LLVMTypeOf(own), gcl_ptr(v->m)};
        LLVMValueRef arguments[] = {own, address, gcl_u32(v->m, LLVMGetAlignment(i)),
                                    gcl_vector_part(v, v->mask, part * LANES, LANES)};
        gcl_vector_call_intrinsic(v, "llvm.masked.store", overload, 2, arguments, 4);
    }
}

void gcl_twins_store_even(struct gcl_vector *v, const struct gcl_twins *t) {
    store_lines(v, t, t->a);
    store_lines(v, t, t->b);
}
