// Regions run their threads one after the other although they could run in vectors where each
// thread walks through a piece of memory of its own and does little with what it reads, as through
// a row of a sparse matrix. Its neighbours' elements lie far from its own ones, so a vector would
// gather all of them, which costs as much as a load for each lane and more, and would go on until
// the longest row has ended. A thread alone loads what lies side by side, and while it waits for
// one sum after the other the processor has begun with the next threads.
//
// Such a region does nothing of which the result could depend on which form of it runs: no
// division, root or function, no atomic operation, no warps.
#include "device/vector/walks.h"

#include <stdlib.h>

#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/lane.h"
#include "device/ir/uniformity.h"

enum {
    LANES = 16,
    SHORT_STEP = 16,    ///< bytes from one element to the next, at most a number of four parts
    LEAST_GATHERS = 2,  ///< in an iteration: a single one is faster than a sum that waits
    MOST_PER_GATHER = 2 ///< other operations, each as dear for one thread as for a vector
};

struct walk {
    struct gcl_module *m;
    const struct gcl_uniformity *u;
    LLVMBasicBlockRef loop; ///< its only block
};

static bool is_inside(const struct walk *w, LLVMValueRef value) {
    return LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) == w->loop;
}

static int64_t element_size(const struct walk *w, LLVMValueRef address) {
    return (int64_t)LLVMABISizeOfType(w->m->layout, LLVMGetGEPSourceElementType(address));
}

// What a counter of the loop gains in each iteration; 0: it isn't one.
static int64_t counter_step(const struct walk *w, LLVMValueRef phi) {
    LLVMValueRef next = phi;
    for (unsigned n = 0; n < LLVMCountIncoming(phi); n++) {
        if (LLVMGetIncomingBlock(phi, n) == w->loop)
            next = LLVMGetIncomingValue(phi, n);
    }
    if (!is_inside(w, next) || LLVMGetNumOperands(next) != 2 || LLVMGetOperand(next, 0) != phi ||
        !LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
        return 0;
    int64_t step = LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));
    if (LLVMIsAGetElementPtrInst(next))
        return step * element_size(w, next);
    return LLVMGetInstructionOpcode(next) == LLVMAdd ? step : 0;
}

// What an address or an index gains in each iteration; 0: nothing, or it isn't known.
static int64_t step_of(const struct walk *w, LLVMValueRef value) {
    if (!is_inside(w, value))
        return 0;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMPHI:
        return counter_step(w, value);
    case LLVMSExt:
    case LLVMZExt:
        return step_of(w, LLVMGetOperand(value, 0));
    case LLVMAdd:
        return is_inside(w, LLVMGetOperand(value, 1)) ? 0 : step_of(w, LLVMGetOperand(value, 0));
    case LLVMGetElementPtr:
        if (LLVMGetNumOperands(value) != 2)
            return 0;
        if (is_inside(w, LLVMGetOperand(value, 0)))
            return is_inside(w, LLVMGetOperand(value, 1)) ? 0
                                                          : step_of(w, LLVMGetOperand(value, 0));
        return element_size(w, value) * step_of(w, LLVMGetOperand(value, 1));
    default:
        return 0;
    }
}

// Whether an instruction gives the same on vectors and on scalars, and costs little on scalars.
static bool is_plain(LLVMValueRef i) {
    static const char *const calls[] = {"llvm.fmuladd.", "llvm.fma.",  "llvm.fabs.", "llvm.smax.",
                                        "llvm.smin.",    "llvm.umax.", "llvm.umin."};
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFDiv:
    case LLVMFRem:
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
    case LLVMAlloca:
        return false;
    case LLVMLoad:
    case LLVMStore:
        return LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic && !LLVMGetVolatile(i);
    case LLVMCall:
        for (size_t n = 0; n < G_N_ELEMENTS(calls); n++) {
            if (g_str_has_prefix(gcl_intrinsic_callee(i), calls[n]))
                return true;
        }
        return false;
    default:
        return true;
    }
}

static bool is_all_plain(LLVMValueRef lane) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(lane); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!is_plain(i))
                return false;
        }
    }
    return true;
}

// Whether the loop does little but load from where its thread alone is.
static bool walks(const struct walk *w) {
    unsigned gathers = 0, others = 0;
    bool walks = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(w->loop); i; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsAStoreInst(i))
            return false;
        if (LLVMIsALoadInst(i)) {
            LLVMValueRef address = LLVMGetOperand(i, 0);
            bool is_apart = gcl_uniformity_of(w->u, address).variance == GCL_VARIANCE_DIVERGENT;
            int64_t step = is_apart ? llabs(step_of(w, address)) : 0;
            gathers += is_apart;
            walks |= step > 0 && step <= SHORT_STEP;
        } else if (!LLVMIsAPHINode(i) && !LLVMIsACastInst(i) && !LLVMIsAGetElementPtrInst(i) &&
                   !LLVMIsATerminatorInst(i)) {
            others++;
        }
    }
    return walks && gathers >= LEAST_GATHERS && others <= MOST_PER_GATHER * gathers;
}

bool gcl_walks_suit(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                    const struct gcl_device_region *region) {
    if (!kernel->vector || kernel->has_warps || m->options->sanitize ||
        gcl_lane_is_long(region->lane) || !is_all_plain(region->lane))
        return false;
    const struct gcl_lane_geometry row = {GCL_GEOMETRY_ROW, LANES, LANES, false};
    LLVMValueRef thread[4];
    gcl_lane_thread(region->lane, thread);
    struct gcl_cfg *cfg = gcl_cfg_create(region->lane);
    bool suits = false;
    if (cfg->loop_count == 1 && cfg->loops[0].header == cfg->loops[0].latch) {
        struct gcl_uniformity *u = gcl_uniformity_create(m, region->lane, cfg, row, thread, true);
        const struct walk w = {m, u, cfg->blocks[cfg->loops[0].header].block};
        suits = u->divergent_loops[0] && walks(&w);
        if (suits && m->options->remarks)
            gcl_module_remark(m, kernel, LLVMGetBasicBlockTerminator(w.loop),
                              "a loop through memory of each thread's own, and all around it");
        gcl_uniformity_destroy(u);
    }
    gcl_cfg_destroy(cfg);
    return suits;
}
