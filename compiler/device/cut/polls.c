// Finds loops in which a thread waits for another one, and cuts them: threads of a block run one
// after the other here, so whoever waits must let the others go first.
//
// A loop waits if a round of it may be like the one before until another thread changes memory: a
// condition by which it is left follows from a look at memory, and from nothing that the loop
// itself moves on. A look is a volatile or atomic read, an atomic operation that leaves memory as
// it is when it is repeated (a comparison, an exchange, a maximum, an addition of 0), or any read
// where the loop has a fence. Looks for a lock are among them. Not among them are loops that retry
// a comparison with what they have just read, of which somebody gets out at every turn, and looks
// at places that follow from the last one, as along a list.
//
// What a loop that only looks may look at is anything: one that does nothing else waits also where
// the place moves, as it may come round again.
//
// Loops in which a thread waits for a lock are noted: a kernel that has one must not run in
// vectors, where who waits keeps the other lanes from giving the lock back.
#include "device/cut/polls.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "device/cut/cut.h"
#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/lower/sanitize.h"

// What a value follows from, inside of a loop; KNOWN: that has been asked.
enum { LOOKS = 1, MOVES = 2, KNOWN = 4 };

// A loop that is looked at.
struct search {
    const struct gcl_cfg *cfg;
    int loop;
    bool has_fence, has_barrier;
    GHashTable *traits;     ///< value -> what it follows from, | KNOWN
    GHashTable *conditions; ///< LLVMValueRef that have been asked whether they wait
};

static bool has_order(LLVMValueRef load) {
    return LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic;
}

// Whether an atomic operation leaves memory as it is when it is repeated.
static bool repeats(LLVMValueRef rmw) {
    LLVMValueRef operand = LLVMGetOperand(rmw, 1);
    switch (LLVMGetAtomicRMWBinOp(rmw)) {
    case LLVMAtomicRMWBinOpXchg:
    case LLVMAtomicRMWBinOpAnd:
    case LLVMAtomicRMWBinOpOr:
    case LLVMAtomicRMWBinOpMax:
    case LLVMAtomicRMWBinOpMin:
    case LLVMAtomicRMWBinOpUMax:
    case LLVMAtomicRMWBinOpUMin:
    case LLVMAtomicRMWBinOpFMax:
    case LLVMAtomicRMWBinOpFMin:
        return true;
    default:
        return LLVMIsNull(operand);
    }
}

// Calls by which nothing happens: sleeping and looking at a clock is waiting, and the sanitizer
// only looks on.
static bool is_idle(const char *name) {
    static const char *const names[] = {"gcl_device_nanosleep", "gcl_device_clock",
                                        "gcl_device_globaltimer", GCL_TELL};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

static bool reads_shared_state(LLVMValueRef i) {
    if (LLVMIsALoadInst(i))
        return has_order(i);
    return LLVMIsAAtomicRMWInst(i) && LLVMGetAtomicRMWBinOp(i) != LLVMAtomicRMWBinOpXchg &&
           repeats(i);
}

// Anything by which a loop does more than wait.
static bool works(LLVMValueRef i) {
    if (LLVMIsAStoreInst(i) || LLVMIsAAtomicCmpXchgInst(i))
        return true;
    if (LLVMIsAAtomicRMWInst(i))
        return !reads_shared_state(i);
    if (!LLVMIsACallInst(i))
        return false;
    const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(i);
    if (intrinsic)
        return intrinsic->kind == GCL_INTRINSIC_CUT;
    return !is_idle(gcl_intrinsic_callee(i));
}

// What takes a lock: an exchange, or a compare-and-swap that expects a constant. One that expects
// what it has read before is a loop that somebody gets out of at every turn.
static bool takes_lock(LLVMValueRef i) {
    if (LLVMIsAAtomicCmpXchgInst(i))
        return LLVMIsAConstant(LLVMGetOperand(i, 1)) != NULL;
    return LLVMIsAAtomicRMWInst(i) && LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg;
}

static bool is_inside(const struct search *s, LLVMValueRef value) {
    return LLVMIsAInstruction(value) &&
           gcl_cfg_in_loop(s->cfg, gcl_cfg_index(s->cfg, LLVMGetInstructionParent(value)), s->loop);
}

static bool is_header_phi(const struct search *s, LLVMValueRef value) {
    return LLVMIsAPHINode(value) &&
           LLVMGetInstructionParent(value) == s->cfg->blocks[s->cfg->loops[s->loop].header].block;
}

// What a value of the loop's header is in the next round.
static LLVMValueRef next_of(const struct search *s, LLVMValueRef phi) {
    LLVMBasicBlockRef latch = s->cfg->blocks[s->cfg->loops[s->loop].latch].block;
    unsigned n = 0;
    while (LLVMGetIncomingBlock(phi, n) != latch)
        n++;
    return LLVMGetIncomingValue(phi, n);
}

static bool passes_on(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
    case LLVMSelect:
    case LLVMExtractValue:
    case LLVMFreeze:
    case LLVMBitCast:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        return true;
    default:
        return false;
    }
}

// What of an instruction's operands its result is made of: of a read the place alone.
static int operand_count(LLVMValueRef i) {
    if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
        return 1;
    return LLVMIsACallInst(i) ? LLVMGetNumOperands(i) - 1 : LLVMGetNumOperands(i);
}

// Whether a value is worked out from `phi`, rather than being that, or nothing to do with it.
// `seen` has an instruction once it was come to by steps that pass values on, and, | 1, by others.
static bool is_made_of(const struct search *s, LLVMValueRef value, LLVMValueRef phi, bool is_made,
                       GHashTable *seen) {
    if (value == phi)
        return is_made;
    if (!is_inside(s, value) || !g_hash_table_add(seen, (char *)value + is_made))
        return false;
    for (int n = 0; n < operand_count(value); n++) {
        if (is_made_of(s, LLVMGetOperand(value, (unsigned)n), phi, is_made || !passes_on(value),
                       seen))
            return true;
    }
    return false;
}

static bool changes(const struct search *s, LLVMValueRef phi) {
    g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);
    return is_made_of(s, next_of(s, phi), phi, false, seen);
}

// Whether a value is what the loop has read.
static bool is_read(const struct search *s, LLVMValueRef value, GHashTable *seen) {
    if (!is_inside(s, value) || !g_hash_table_add(seen, value))
        return false;
    if (LLVMIsALoadInst(value) || LLVMIsAAtomicRMWInst(value) || LLVMIsAAtomicCmpXchgInst(value))
        return true;
    if (!passes_on(value))
        return false;
    for (int n = 0; n < LLVMGetNumOperands(value); n++) {
        if (is_read(s, LLVMGetOperand(value, (unsigned)n), seen))
            return true;
    }
    return false;
}

// Whether the loop, rather than one inside of it, retries a comparison with what it has read.
static bool is_retry(const struct search *s, LLVMValueRef i) {
    g_autoptr(GHashTable) seen = NULL;
    if (!LLVMIsAAtomicCmpXchgInst(i) ||
        s->cfg->blocks[gcl_cfg_index(s->cfg, LLVMGetInstructionParent(i))].loop != s->loop)
        return false;
    seen = g_hash_table_new(g_direct_hash, g_direct_equal);
    return is_read(s, LLVMGetOperand(i, 1), seen);
}

static unsigned traits_of(struct search *s, LLVMValueRef value);
static bool may_wait(struct search *s, LLVMValueRef condition);

static unsigned traits_of_operands(struct search *s, LLVMValueRef i) {
    unsigned traits = 0;
    int count = LLVMIsACallInst(i) ? LLVMGetNumOperands(i) - 1 : LLVMGetNumOperands(i);
    for (int n = 0; n < count; n++)
        traits |= traits_of(s, LLVMGetOperand(i, (unsigned)n));
    return traits;
}

static LLVMValueRef base_of(LLVMValueRef pointer) {
    while (LLVMIsAGetElementPtrInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

// Whether two addresses are the same variable of shared memory, or one of them both.
static bool is_same_place(LLVMValueRef a, LLVMValueRef b) {
    const struct gcl_intrinsic *intrinsic = LLVMIsACallInst(a) ? gcl_intrinsic_find(a) : NULL;
    if (a == b)
        return true;
    if (intrinsic && intrinsic->kind == GCL_INTRINSIC_SHARED)
        return LLVMIsACallInst(b) && gcl_intrinsic_find(b) == intrinsic;
    return LLVMIsAGetElementPtrInst(a) && LLVMIsAGetElementPtrInst(b) &&
           LLVMGetNumOperands(a) == 2 && LLVMGetNumOperands(b) == 2 &&
           LLVMGetOperand(a, 1) == LLVMGetOperand(b, 1) &&
           is_same_place(LLVMGetOperand(a, 0), LLVMGetOperand(b, 0));
}

// What one thread of a block has looked at and others read behind a barrier.
static unsigned traits_of_stored(struct search *s, LLVMValueRef load) {
    LLVMValueRef place = LLVMGetOperand(load, 0);
    for (int b = 0; b < s->cfg->count && s->has_barrier; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(s->cfg->blocks[b].block);
        for (; i && gcl_cfg_in_loop(s->cfg, b, s->loop); i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAStoreInst(i) && is_same_place(LLVMGetOperand(i, 1), place) &&
                (traits_of(s, LLVMGetOperand(i, 0)) & (LOOKS | MOVES)) == LOOKS)
                return LOOKS;
        }
    }
    return 0;
}

static unsigned traits_of_look(struct search *s, LLVMValueRef i) {
    if (LLVMIsALoadInst(i) && !has_order(i) &&
        (!s->has_fence || LLVMIsAAllocaInst(base_of(LLVMGetOperand(i, 0)))))
        return traits_of_operands(s, i) | traits_of_stored(s, i);
    if (is_retry(s, i) || (LLVMIsAAtomicRMWInst(i) && !repeats(i)))
        return MOVES;
    return traits_of_operands(s, i) | LOOKS;
}

// Whether the branch at the end of block `b` decides by which way threads come to block `to`.
static bool decides(const struct search *s, int b, int to) {
    const struct gcl_cfg_block *block = &s->cfg->blocks[b];
    if (block->successors[1] == GCL_NOWHERE || !gcl_cfg_in_loop(s->cfg, b, s->loop))
        return false;
    if (block->postdominator == to)
        return true;
    if (to <= b || (block->postdominator != GCL_NOWHERE && block->postdominator < to))
        return false;
    g_autofree bool *between = g_new0(bool, s->cfg->count);
    gcl_cfg_between(s->cfg, b, block->postdominator, s->loop, between);
    return between[to];
}

// Whether it is by a look that a value is this or that where ways come together.
static bool is_chosen_by_look(struct search *s, LLVMValueRef phi) {
    int to = gcl_cfg_index(s->cfg, LLVMGetInstructionParent(phi));
    for (int b = 0; b < s->cfg->count; b++) {
        if (decides(s, b, to) &&
            may_wait(s, LLVMGetCondition(LLVMGetBasicBlockTerminator(s->cfg->blocks[b].block))))
            return true;
    }
    return false;
}

static unsigned find_traits(struct search *s, LLVMValueRef value) {
    if (LLVMIsALoadInst(value) || LLVMIsAAtomicRMWInst(value) || LLVMIsAAtomicCmpXchgInst(value))
        return traits_of_look(s, value);
    if (is_header_phi(s, value))
        return changes(s, value) ? MOVES : traits_of(s, next_of(s, value));
    if (LLVMIsACallInst(value) && is_idle(gcl_intrinsic_callee(value)))
        return MOVES; // time does
    unsigned traits = traits_of_operands(s, value);
    return LLVMIsAPHINode(value) && is_chosen_by_look(s, value) ? traits | LOOKS : traits;
}

// What a value follows from, of what happens in the loop.
static unsigned traits_of(struct search *s, LLVMValueRef value) {
    if (!is_inside(s, value))
        return 0;
    unsigned known = GPOINTER_TO_UINT(g_hash_table_lookup(s->traits, value));
    if (known)
        return known & ~(unsigned)KNOWN;
    g_hash_table_insert(s->traits, value, GUINT_TO_POINTER(KNOWN)); // while it is looked for
    unsigned traits = find_traits(s, value);
    g_hash_table_insert(s->traits, value, GUINT_TO_POINTER(traits | KNOWN));
    return traits;
}

// Whether a condition consists of several, each of which may decide.
static bool is_logic(LLVMValueRef i) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    return opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor || opcode == LLVMSelect ||
           opcode == LLVMPHI || opcode == LLVMFreeze;
}

// Whether a condition may be what it is, round after round, until another thread changes memory.
static bool may_wait(struct search *s, LLVMValueRef condition) {
    if (!is_inside(s, condition) || !g_hash_table_add(s->conditions, condition))
        return false;
    if (is_header_phi(s, condition))
        return !changes(s, condition) && may_wait(s, next_of(s, condition));
    bool is_bit = LLVMGetTypeKind(LLVMTypeOf(condition)) == LLVMIntegerTypeKind &&
                  LLVMGetIntTypeWidth(LLVMTypeOf(condition)) == 1;
    if (!is_bit || !is_logic(condition))
        return (traits_of(s, condition) & (LOOKS | MOVES)) == LOOKS;
    for (int n = 0; n < LLVMGetNumOperands(condition); n++) {
        if (may_wait(s, LLVMGetOperand(condition, (unsigned)n)))
            return true;
    }
    return LLVMIsAPHINode(condition) && is_chosen_by_look(s, condition);
}

// Whether a way through block `b` leads round the loop without passing `passed`.
static bool leads_round(const struct search *s, int b, int passed, bool *seen) {
    if (b == passed || seen[b] || !gcl_cfg_in_loop(s->cfg, b, s->loop))
        return false;
    seen[b] = true;
    if (b == s->cfg->loops[s->loop].latch)
        return true;
    for (int n = 0; n < 2; n++) {
        int next = s->cfg->blocks[b].successors[n];
        if (next != GCL_NOWHERE && leads_round(s, next, passed, seen))
            return true;
    }
    return false;
}

// Notes what is in the loop. False if nothing is that a thread could wait by, or each round
// retries, so that somebody gets on.
static bool scan(struct search *s) {
    bool looks = false;
    for (int b = 0; b < s->cfg->count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(s->cfg->blocks[b].block);
        for (; i && gcl_cfg_in_loop(s->cfg, b, s->loop); i = LLVMGetNextInstruction(i)) {
            g_autofree bool *seen = NULL;
            s->has_fence |= LLVMIsAFenceInst(i) != NULL;
            s->has_barrier |= gcl_intrinsic_is_barrier(i);
            looks |= LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
                     LLVMIsAFenceInst(i) || (LLVMIsALoadInst(i) && has_order(i));
            if (!is_retry(s, i))
                continue;
            seen = g_new0(bool, s->cfg->count);
            if (!leads_round(s, s->cfg->loops[s->loop].header, b, seen))
                return false;
        }
    }
    return looks;
}

static bool is_exit(const struct gcl_cfg *cfg, int b, int loop) {
    if (!gcl_cfg_in_loop(cfg, b, loop) || cfg->blocks[b].successors[1] == GCL_NOWHERE)
        return false;
    return !gcl_cfg_in_loop(cfg, cfg->blocks[b].successors[0], loop) ||
           !gcl_cfg_in_loop(cfg, cfg->blocks[b].successors[1], loop);
}

static bool looks_again(const struct gcl_cfg *cfg, int loop) {
    struct search s = {.cfg = cfg, .loop = loop};
    if (!scan(&s))
        return false;
    g_autoptr(GHashTable) traits = s.traits = g_hash_table_new(g_direct_hash, g_direct_equal);
    g_autoptr(GHashTable) conditions = s.conditions =
        g_hash_table_new(g_direct_hash, g_direct_equal);
    for (int b = 0; b < cfg->count; b++) {
        if (is_exit(cfg, b, loop) &&
            may_wait(&s, LLVMGetCondition(LLVMGetBasicBlockTerminator(cfg->blocks[b].block))))
            return true;
    }
    return false;
}

static bool only_waits(const struct gcl_cfg *cfg, int loop) {
    for (int b = 0; b < cfg->count; b++) {
        LLVMBasicBlockRef block = cfg->blocks[b].block;
        if (!gcl_cfg_in_loop(cfg, b, loop))
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (works(i))
                return false;
        }
    }
    return true;
}

// Where the kernel's own source has the loop, or the call of what has it.
static LLVMMetadataRef place_of(const struct gcl_cfg *cfg, int loop) {
    LLVMMetadataRef place = NULL;
    for (int b = 0; b < cfg->count && !place; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[b].block);
        for (; i && !place && gcl_cfg_in_loop(cfg, b, loop); i = LLVMGetNextInstruction(i))
            place = LLVMGetDebugLocLine(i) > 0 ? LLVMInstructionGetDebugLoc(i) : NULL;
    }
    while (place && LLVMDILocationGetInlinedAt(place))
        place = LLVMDILocationGetInlinedAt(place);
    return place;
}

// Cuts the way back to the loop's begin: who leaves the loop runs on.
static void add_yield(struct gcl_module *m, const struct gcl_cfg *cfg, int loop) {
    LLVMBasicBlockRef header = cfg->blocks[cfg->loops[loop].header].block;
    LLVMBasicBlockRef back = gcl_shim_split_edge(cfg->blocks[cfg->loops[loop].latch].block, header);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), NULL, 0, 0);
    LLVMValueRef yield = LLVMGetNamedFunction(m->module, "__gcl_yield");
    if (!yield)
        yield = LLVMAddFunction(m->module, "__gcl_yield", type);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(back));
    LLVMSetCurrentDebugLocation2(builder, place_of(cfg, loop));
    LLVMBuildCall2(builder, type, yield, NULL, 0, "");
    LLVMDisposeBuilder(builder);
}

void gcl_polls_cut(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    struct gcl_cfg *cfg = gcl_cfg_create(kernel->function);
    // Where nothing else is cut, a lock is given back before another thread of the block runs:
    // debuggers, which can't follow threads over these cuts, get by without.
    bool needs_none = kernel->mirror && gcl_cut_count(kernel->function) == 0;
    g_autofree bool *waits = g_new0(bool, cfg->loop_count);
    for (int loop = 0; loop < cfg->loop_count; loop++) {
        bool locks = gcl_cfg_is_left_by(cfg, loop, takes_lock);
        kernel->locks |= locks;
        if (locks && needs_none)
            continue;
        if (!looks_again(cfg, loop) &&
            !(only_waits(cfg, loop) && gcl_cfg_is_left_by(cfg, loop, reads_shared_state)))
            continue;
        waits[loop] = kernel->yields = true;
        kernel->polls |= !locks;
    }
    for (int loop = 0; loop < cfg->loop_count; loop++) {
        if (waits[loop])
            add_yield(m, cfg, loop);
    }
    gcl_cfg_destroy(cfg);
}
