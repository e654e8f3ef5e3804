// Makes functions of loops that retry a compare-and-swap until nobody came in between: what CUDA
// has no instruction for, and atomicInc() and atomicDec(), are such loops. In vectors each round
// would let one lane through where all want the same place, and lanes² rounds take long; one after
// the other no lane retries at all. The vectoriser runs calls lane by lane, and the call is inlined
// there.
//
// A loop that retries is left depending on an exchange that expects what the loop has read. The
// read before its first round goes along, or all lanes but the first would come too late.
//
// Before: lane functions have the control flow that ir/cfg.h wants.
#include "device/cut/retries.h"

#include <string.h>

#include "device/ir/block.h"
#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/lane.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"

static const char mark[] = "gcl-retries";

bool gcl_retries_calls(LLVMValueRef call) {
    return LLVMGetCallSiteStringAttribute(call, (unsigned)LLVMAttributeFunctionIndex, mark,
                                          sizeof mark - 1) != NULL;
}

static bool is_exchange(LLVMValueRef i) {
    return LLVMIsAAtomicCmpXchgInst(i) != NULL;
}

static bool reads(LLVMValueRef i) {
    return LLVMIsALoadInst(i) || is_exchange(i);
}

// Lanes that work together, as a warp or in lockstep, have to stay together.
static bool is_together(LLVMValueRef i) {
    if (LLVMIsAStoreInst(i))
        return LLVMGetVolatile(i);
    return LLVMIsACallInst(i) && gcl_intrinsic_find(i);
}

// The exchange that `loop` retries, NULL if it doesn't or has to run in vectors.
static LLVMValueRef find_exchange(const struct gcl_cfg *cfg, int loop) {
    LLVMValueRef exchange = NULL;
    for (int b = 0; b < cfg->count; b++) {
        if (!gcl_cfg_in_loop(cfg, b, loop))
            continue;
        LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[b].block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (is_together(i))
                return NULL;
            if (is_exchange(i) && cfg->blocks[b].loop == loop &&
                gcl_cfg_follows(cfg, loop, LLVMGetOperand(i, 1), reads))
                exchange = i;
        }
    }
    return exchange && gcl_cfg_is_left_by(cfg, loop, is_exchange) ? exchange : NULL;
}

// Where the part begins that runs lane by lane: the read before the first round, if nothing behind
// it has an effect.
static LLVMValueRef find_start(const struct gcl_cfg *cfg, int loop, LLVMValueRef exchange) {
    int header = cfg->loops[loop].header, before = cfg->blocks[header].predecessors[0];
    if (before == cfg->loops[loop].latch)
        before = cfg->blocks[header].predecessors[1];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg->blocks[before].block);
    for (LLVMValueRef i = end; i; i = LLVMGetPreviousInstruction(i)) {
        if (LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == LLVMGetOperand(exchange, 0))
            return i;
        if (LLVMIsAStoreInst(i) || LLVMIsACallInst(i) || LLVMIsAAtomicRMWInst(i) ||
            is_exchange(i) || LLVMIsAPHINode(i))
            break;
    }
    return end;
}

static void mark_call(struct gcl_module *m, LLVMValueRef call) {
    gcl_module_add_attribute(m, LLVMGetCalledValue(call), "alwaysinline");
    LLVMAddCallSiteAttribute(call, (unsigned)LLVMAttributeFunctionIndex,
                             LLVMCreateStringAttribute(m->context, mark, sizeof mark - 1, "", 0));
}

static bool outline(struct gcl_module *m, LLVMValueRef lane, const struct gcl_cfg *cfg, int loop,
                    LLVMValueRef exchange) {
    LLVMValueRef line = gcl_module_line(m, exchange);
    g_autoptr(GPtrArray) blocks = g_ptr_array_new(), alone = g_ptr_array_new();
    for (int b = 0; b < cfg->count; b++) {
        LLVMBasicBlockRef block = cfg->blocks[b].block;
        if (!gcl_cfg_in_loop(cfg, b, loop))
            continue;
        g_ptr_array_add(blocks, block);
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (gcl_block_is_alone(m, gcl_lane_block(lane), i))
                g_ptr_array_add(alone, i);
        }
    }
    LLVMValueRef call = gcl_shim_outline(find_start(cfg, loop, exchange),
                                         (LLVMBasicBlockRef *)blocks->pdata, blocks->len);
    if (!call)
        return false;
    for (guint i = 0; i < alone->len; i++)
        gcl_shim_lower_atomic(alone->pdata[i]);
    mark_call(m, call);
    gcl_module_set_line(m, call, line);
    return true;
}

static bool outline_one(struct gcl_module *m, LLVMValueRef lane) {
    struct gcl_cfg *cfg = gcl_cfg_create(lane);
    bool found = false;
    for (int loop = 0; loop < cfg->loop_count && !found; loop++) {
        LLVMValueRef exchange = find_exchange(cfg, loop);
        found = exchange && outline(m, lane, cfg, loop, exchange);
    }
    gcl_cfg_destroy(cfg);
    return found;
}

// Outlining changes the control flow, so that it is looked at anew.
void gcl_retries_outline(struct gcl_module *m, LLVMValueRef lane) {
    while (outline_one(m, lane)) {
    }
}

bool gcl_retries_needs_thread(LLVMValueRef lane) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(lane); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (gcl_retries_asks_for_thread(i))
                return true;
        }
    }
    return false;
}

bool gcl_retries_asks_for_thread(LLVMValueRef i) {
    if (!LLVMIsACallInst(i))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(i);
    if (LLVMIsAFunction(callee) && LLVMIsDeclaration(callee))
        return gcl_intrinsic_is_runtime(callee);
    return !gcl_retries_calls(i) || gcl_retries_needs_thread(callee);
}
