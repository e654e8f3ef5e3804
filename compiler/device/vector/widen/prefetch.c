// Asks for memory some iterations ahead. Neighbouring threads read side by side, and each goes on
// a whole grid or row further: the lanes' loop then comes to another page each time, where no
// processor expects it, and would wait for every line.
//
// What an address gains in an iteration is worked out from the source, as far as it is a sum that
// counts along with the loop. The result is a hint only, so it may ignore that numbers wrap. The
// last iterations ask for nothing, since what lies behind the end would take as long to come; thus
// loops of which it isn't known when they end are left alone. So are loops that store, which got
// slower (a stencil that marches over rows by a fifth), and lanes in rows, which wait for several
// places at once.
#include "device/vector/widen/prefetch.h"

#include <stdlib.h>

#include "device/ir/block.h"
#include "device/ir/cfg.h"
#include "device/ir/lane.h"
#include "device/ir/module.h"
#include "device/ir/uniformity.h"
#include "device/vector/widen/value.h"
#include "device/vector/widen/widen.h"

enum {
    AHEAD = 4,         ///< iterations: best for loops that take from 5 to 200 ns for each
    LINE = 64,         ///< bytes
    CLOSE = 3,         ///< llvm.prefetch's word for the cache of the first level
    SHORT_STEP = 2048, ///< bytes; processors see shorter steps coming
};

enum question {
    STEP,    ///< what a value gains in an iteration
    ADVANCE, ///< how much more it is than `phi`, which it becomes
    VALUE,   ///< what it is now
};

struct walk {
    struct gcl_vector *v;
    int loop;
    enum question question;
    LLVMValueRef phi;
    bool is_unsigned; ///< how narrow values grow
    unsigned depth;
};

static LLVMValueRef ask(struct walk *w, LLVMValueRef value);

static int loop_of(const struct gcl_vector *v, LLVMValueRef i) {
    return v->cfg->blocks[gcl_cfg_index(v->cfg, LLVMGetInstructionParent(i))].loop;
}

static bool is_invariant(const struct walk *w, LLVMValueRef value) {
    return !LLVMIsAInstruction(value) ||
           !gcl_cfg_in_loop(w->v->cfg, gcl_cfg_index(w->v->cfg, LLVMGetInstructionParent(value)),
                            w->loop);
}

// The scalar of a value that doesn't depend on the lane, or the first lane's, as an i64.
static LLVMValueRef widened(struct walk *w, LLVMValueRef value) {
    if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind ||
        gcl_vector_info(w->v, value).variance == GCL_VARIANCE_DIVERGENT)
        return NULL;
    return LLVMBuildIntCast2(w->v->b, gcl_vector_scalar(w->v, value), gcl_i64(w->v->m),
                             !w->is_unsigned, "");
}

// What a phi of the loop's header becomes; NULL for others.
static LLVMValueRef after_iteration(const struct gcl_vector *v, int loop, LLVMValueRef phi) {
    const struct gcl_cfg_loop *l = &v->cfg->loops[loop];
    if (LLVMGetInstructionParent(phi) != v->cfg->blocks[l->header].block)
        return NULL;
    for (unsigned n = 0; n < LLVMCountIncoming(phi); n++) {
        if (LLVMGetIncomingBlock(phi, n) == v->cfg->blocks[l->latch].block)
            return LLVMGetIncomingValue(phi, n);
    }
    return NULL;
}

static LLVMValueRef ask_phi(struct walk *w, LLVMValueRef phi) {
    LLVMValueRef next = after_iteration(w->v, w->loop, phi);
    if (!next || w->question == ADVANCE)
        return NULL;
    if (w->question == VALUE)
        return widened(w, phi);
    struct walk advance = *w;
    advance.question = ADVANCE;
    advance.phi = phi;
    return ask(&advance, next);
}

static LLVMValueRef ask_sum(struct walk *w, LLVMValueRef i) {
    LLVMValueRef a = ask(w, LLVMGetOperand(i, 0));
    LLVMValueRef b = a ? ask(w, LLVMGetOperand(i, 1)) : NULL;
    if (!b)
        return NULL;
    return LLVMGetInstructionOpcode(i) == LLVMSub ? LLVMBuildSub(w->v->b, a, b, "")
                                                  : LLVMBuildAdd(w->v->b, a, b, "");
}

static LLVMValueRef ask_product(struct walk *w, LLVMValueRef i) {
    bool is_shift = LLVMGetInstructionOpcode(i) == LLVMShl;
    unsigned other = is_shift || is_invariant(w, LLVMGetOperand(i, 1)) ? 1 : 0;
    LLVMValueRef by = LLVMGetOperand(i, other);
    if (w->question == ADVANCE || !is_invariant(w, by) ||
        gcl_vector_info(w->v, by).variance > GCL_VARIANCE_UNIFORM)
        return NULL;
    LLVMValueRef factor = widened(w, by);
    LLVMValueRef value = factor ? ask(w, LLVMGetOperand(i, 1 - other)) : NULL;
    if (!value)
        return NULL;
    return is_shift ? LLVMBuildShl(w->v->b, value, factor, "")
                    : LLVMBuildMul(w->v->b, value, factor, "");
}

static LLVMValueRef ask_address(struct walk *w, LLVMValueRef i) {
    struct gcl_vector *v = w->v;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    LLVMValueRef sum = ask(w, LLVMGetOperand(i, 0));
    for (int n = 1; n < LLVMGetNumOperands(i) && sum; n++) {
        LLVMValueRef index = LLVMGetOperand(i, (unsigned)n);
        if (n > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
            continue; // a constant
        }
        if (n > 1)
            type = LLVMGetElementType(type);
        LLVMValueRef size = gcl_u64(v->m, LLVMABISizeOfType(v->m->layout, type));
        LLVMValueRef term = ask(w, index);
        sum = term ? LLVMBuildAdd(v->b, sum, LLVMBuildMul(v->b, term, size, ""), "") : NULL;
    }
    return sum;
}

// An i64; NULL: not known.
static LLVMValueRef ask(struct walk *w, LLVMValueRef value) {
    if (value == w->phi)
        return gcl_u64(w->v->m, 0);
    if (is_invariant(w, value))
        return w->question == STEP ? gcl_u64(w->v->m, 0) : widened(w, value);
    if (w->depth == 0)
        return NULL;
    w->depth--;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMPHI:
        return ask_phi(w, value);
    case LLVMAdd:
    case LLVMSub:
        return ask_sum(w, value);
    case LLVMOr:
        return LLVMIsAConstant(LLVMGetOperand(value, 1)) ? ask_sum(w, value) : NULL;
    case LLVMMul:
    case LLVMShl:
        return ask_product(w, value);
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
        return ask(w, LLVMGetOperand(value, 0));
    case LLVMGetElementPtr:
        return ask_address(w, value);
    default:
        return NULL;
    }
}

static LLVMValueRef answer(struct gcl_vector *v, int loop, LLVMValueRef value,
                           enum question question, bool is_unsigned) {
    struct walk w = {v, loop, question, NULL, is_unsigned, 32};
    return ask(&w, value);
}

// The end of the loop.

// The comparison that decides about the next iteration; NULL: there are others, or none.
static LLVMValueRef last_test(const struct gcl_vector *v, int loop, bool *goes_on) {
    const struct gcl_cfg_loop *l = &v->cfg->loops[loop];
    int exits = 0, exiting = GCL_NOWHERE;
    for (int b = 0; b < v->cfg->count; b++) {
        const int *to = v->cfg->blocks[b].successors;
        if (!gcl_cfg_in_loop(v->cfg, b, loop) || (to[0] != l->exit && to[1] != l->exit))
            continue;
        exits++;
        exiting = b;
    }
    if (l->exit == GCL_NOWHERE || exits != 1)
        return NULL;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(v->cfg->blocks[exiting].block);
    if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end))
        return NULL;
    LLVMValueRef condition = LLVMGetCondition(end);
    *goes_on = v->cfg->blocks[exiting].successors[1] == l->exit;
    return LLVMIsAICmpInst(condition) ? condition : NULL;
}

// How two i64 compare if narrower numbers did as given and the first is on its way up, or down.
static LLVMIntPredicate wide_predicate(LLVMIntPredicate predicate, bool goes_on, bool is_up) {
    switch (predicate) {
    case LLVMIntULT:
    case LLVMIntSLT:
        return goes_on ? LLVMIntSLT : LLVMIntSGE;
    case LLVMIntULE:
    case LLVMIntSLE:
        return goes_on ? LLVMIntSLE : LLVMIntSGT;
    case LLVMIntUGT:
    case LLVMIntSGT:
        return goes_on ? LLVMIntSGT : LLVMIntSLE;
    case LLVMIntUGE:
    case LLVMIntSGE:
        return goes_on ? LLVMIntSGE : LLVMIntSLT;
    default:
        return is_up ? LLVMIntSLT : LLVMIntSGT;
    }
}

static bool is_unsigned(LLVMIntPredicate predicate) {
    return predicate == LLVMIntULT || predicate == LLVMIntULE || predicate == LLVMIntUGT ||
           predicate == LLVMIntUGE;
}

// An i1: the loop, for its first lane, gets as far as it asks ahead. NULL: not known.
static LLVMValueRef gets_there(struct gcl_vector *v, int loop) {
    bool goes_on;
    LLVMValueRef test = last_test(v, loop, &goes_on);
    if (!test)
        return NULL;
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(test);
    bool is_equality = predicate == LLVMIntEQ || predicate == LLVMIntNE;
    LLVMValueRef left = LLVMGetOperand(test, 0), right = LLVMGetOperand(test, 1);
    if ((is_equality && goes_on != (predicate == LLVMIntNE)) ||
        gcl_vector_info(v, right).variance > GCL_VARIANCE_UNIFORM)
        return NULL;
    LLVMValueRef step = answer(v, loop, left, STEP, false);
    LLVMValueRef stays = answer(v, loop, right, STEP, false);
    if (!step || !stays || !LLVMIsNull(stays) || (is_equality && !LLVMIsAConstantInt(step)))
        return NULL;
    LLVMValueRef now = answer(v, loop, left, VALUE, is_unsigned(predicate));
    LLVMValueRef end = answer(v, loop, right, VALUE, is_unsigned(predicate));
    if (!now || !end)
        return NULL;
    bool is_up = is_equality && LLVMConstIntGetSExtValue(step) > 0;
    // The test asks about the next iteration already
    LLVMValueRef way = LLVMBuildMul(v->b, step, gcl_u64(v->m, AHEAD - 1), "");
    return LLVMBuildICmp(v->b, wide_predicate(predicate, goes_on, is_up),
                         LLVMBuildAdd(v->b, now, way, ""), end, "");
}

// What is asked for.

static void prefetch(struct gcl_vector *v, LLVMValueRef place, unsigned locality) {
    LLVMTypeRef overload = gcl_ptr(v->m);
    LLVMValueRef arguments[] = {place, gcl_u32(v->m, 0), gcl_u32(v->m, locality), gcl_u32(v->m, 1)};
    gcl_vector_call_intrinsic(v, "llvm.prefetch", &overload, 1, arguments, 4);
}

static LLVMValueRef behind(struct gcl_vector *v, LLVMValueRef place, LLVMValueRef offset) {
    return LLVMBuildGEP2(v->b, LLVMInt8TypeInContext(v->m->context), place, &offset, 1, "");
}

// The lines of all lanes' elements, in rows that lie `y` apart (NULL: in one place).
static void prefetch_rows(struct gcl_vector *v, LLVMValueRef place, LLVMValueRef y, int64_t size,
                          unsigned locality) {
    unsigned rows = y ? v->lanes / v->geometry.row : 1;
    for (unsigned r = 0; r < rows; r++) {
        for (int64_t byte = 0; byte < size; byte += LINE)
            prefetch(v, behind(v, place, gcl_u64(v->m, (uint64_t)byte)), locality);
        if (y)
            place = behind(v, place, y);
    }
}

// What an address would be if everything unknown in it had some arbitrary, large value: two that
// differ by little do so whatever the values are. `next`: in the next iteration.
static uint64_t sample(const struct gcl_vector *v, int loop, LLVMValueRef value, bool next,
                       unsigned depth) {
    const uint64_t unknown = ((uint64_t)(uintptr_t)value >> 4) * UINT64_C(0x9e3779b97f4a7c15);
    if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64)
        return (uint64_t)LLVMConstIntGetSExtValue(value);
    if (!LLVMIsAInstruction(value) || depth == 0)
        return unknown;
    if (LLVMIsAPHINode(value)) {
        LLVMValueRef then = next ? after_iteration(v, loop, value) : NULL;
        return then ? sample(v, loop, then, false, depth - 1) : unknown;
    }
    bool is_address = LLVMIsAGetElementPtrInst(value) && LLVMGetNumOperands(value) == 2;
    bool is_pair = LLVMIsABinaryOperator(value) || is_address;
    if (!is_pair && !LLVMIsACastInst(value))
        return unknown;
    uint64_t a = sample(v, loop, LLVMGetOperand(value, 0), next, depth - 1);
    uint64_t b = is_pair ? sample(v, loop, LLVMGetOperand(value, 1), next, depth - 1) : 0;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMGetElementPtr:
        return a + b * LLVMABISizeOfType(v->m->layout, LLVMGetGEPSourceElementType(value));
    case LLVMAdd:
        return a + b;
    case LLVMOr:
        return LLVMIsAConstantInt(LLVMGetOperand(value, 1)) ? a + b : unknown;
    case LLVMSub:
        return a - b;
    case LLVMMul:
        return a * b;
    case LLVMShl:
        return b < 64 ? a << b : unknown;
    case LLVMSExt:
    case LLVMZExt:
        return a;
    default:
        return unknown;
    }
}

// Whether `other` reads in this or one of the next iterations, by `step`, what `address` does now.
static bool leads(uint64_t address, uint64_t other, uint64_t step, bool is_asked_for) {
    enum { FAR = 2 };
    for (unsigned n = is_asked_for ? 0 : 1; n <= FAR; n++) {
        int64_t distance = (int64_t)(other - address - n * step);
        if (distance > -LINE && distance < LINE)
            return true;
    }
    return false;
}

// Whether another load of the loop asks for the lines, or has done so.
static bool is_asked_for(const struct gcl_vector *v, LLVMValueRef load, int loop) {
    enum { DEPTH = 10 };
    LLVMValueRef address = LLVMGetOperand(load, 0);
    uint64_t now = sample(v, loop, address, false, DEPTH);
    uint64_t step = sample(v, loop, address, true, DEPTH) - now;
    for (int b = 0; b < v->cfg->count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(v->cfg->blocks[b].block);
        for (; i && v->cfg->blocks[b].loop == loop; i = LLVMGetNextInstruction(i)) {
            if (i == load || !LLVMIsALoadInst(i))
                continue;
            uint64_t other = sample(v, loop, LLVMGetOperand(i, 0), false, DEPTH);
            if (leads(now, other, step, g_ptr_array_find(v->prefetched, i, NULL)))
                return true;
        }
    }
    return false;
}

// Whether threads store what others may see in the loop. Memory is then busy with both ways.
static bool stores(const struct gcl_vector *v, int loop) {
    for (int b = 0; b < v->cfg->count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(v->cfg->blocks[b].block);
        for (; i && gcl_cfg_in_loop(v->cfg, b, loop); i = LLVMGetNextInstruction(i)) {
            LLVMValueRef place = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
            if (!place || gcl_block_is_shared(v->m, gcl_lane_block(v->source), place))
                continue;
            while (LLVMIsAGetElementPtrInst(place))
                place = LLVMGetOperand(place, 0);
            if (!LLVMIsAAllocaInst(place))
                return true;
        }
    }
    return false;
}

// Whether asking for the lines of an address pays that gains `step` in each iteration.
static bool is_far(LLVMValueRef step) {
    return step &&
           (!LLVMIsAConstantInt(step) || llabs(LLVMConstIntGetSExtValue(step)) >= SHORT_STEP);
}

void gcl_vector_prefetch(struct gcl_vector *v, LLVMValueRef i) {
    LLVMValueRef address = LLVMGetOperand(i, 0);
    struct gcl_value_info info = gcl_vector_info(v, address);
    int loop = loop_of(v, i);
    if (loop == GCL_NOWHERE || info.variance == GCL_VARIANCE_DIVERGENT || info.has_y ||
        llabs(info.x_stride) > LINE ||
        gcl_block_is_shared(v->m, gcl_lane_block(v->source), address) || stores(v, loop) ||
        is_asked_for(v, i, loop))
        return;
    LLVMValueRef step = answer(v, loop, address, STEP, false);
    LLVMValueRef there = is_far(step) ? gets_there(v, loop) : NULL;
    if (!there)
        return;
    g_ptr_array_add(v->prefetched, i);
    LLVMValueRef ahead = LLVMBuildMul(v->b, step, gcl_u64(v->m, AHEAD), "");
    ahead = LLVMBuildSelect(v->b, there, ahead, gcl_u64(v->m, 0), "");
    int64_t size = (int64_t)LLVMABISizeOfType(v->m->layout, LLVMTypeOf(i));
    int64_t last = info.x_stride * (int64_t)(v->geometry.row - 1);
    ahead = LLVMBuildAdd(v->b, ahead, gcl_u64(v->m, (uint64_t)MIN(last, 0)), "");
    prefetch_rows(v, behind(v, gcl_vector_scalar(v, address), ahead), NULL, size + llabs(last),
                  CLOSE);
}

// Where lanes lie far apart, or some don't run, the hint isn't worth its instructions.
void gcl_vector_prefetch_call(struct gcl_vector *v, LLVMValueRef call) {
    LLVMValueRef address = LLVMGetOperand(call, 0);
    struct gcl_value_info info = gcl_vector_info(v, address);
    if (!v->rest || info.variance == GCL_VARIANCE_DIVERGENT || llabs(info.x_stride) > LINE)
        return;
    int64_t last = info.x_stride * (int64_t)(v->geometry.row - 1);
    LLVMValueRef first =
        behind(v, gcl_vector_scalar(v, address), gcl_u64(v->m, (uint64_t)MIN(last, 0)));
    prefetch_rows(v, first, gcl_vector_y(v, address), llabs(last) + 1,
                  (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 2)));
}
