// Adds prefetches to loops around barriers: of what a loop reads in its next turn.
//
// A block's threads read together what they need before a barrier, compute, and come back. The
// processor can't look ahead over as much as a block computes, and its own prefetchers follow only
// steps within a page. So where the address of a load moves by a step of the loop that is the same
// in every turn, and long or unknown, what lies one step ahead is asked for. That never faults.
//
// The blocks that a worker runs one after the other are such a loop as well, around the kernel, in
// which it may be several steps.
//
// Before: loops have one header and one latch (ir/cfg.h). After: calls of llvm.prefetch, in which
// each thread means what it will load itself; vectors make one a cache line of them.
#include "device/cut/prefetch.h"

#include <assert.h>
#include <string.h>

#include "device/cut/step.h"
#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/module.h"

enum { PAGE = 4096, LINE = 64 };
// Bytes. Blocks that each read at least so much in a row, rather than a tile of many rows, are over
// before the next one's lines come, so lines are asked for further ahead. On Zen 4 a reduction of
// 2 KiB a block gains a fifth by that; 4 and 16 KiB ahead are less good.
enum { ROW = 512, FAR = 8192 };

// From one block to the next, `step` times as many blocks as lead far enough ahead for a prefetch;
// `step` itself in a loop of the kernel.
static LLVMValueRef lengthened(struct gcl_step_search *s, LLVMValueRef step) {
    long long bytes = LLVMIsAConstantInt(step) ? LLVMConstIntGetSExtValue(step) : 0;
    if (s->loop != GCL_NOWHERE || llabs(bytes) < ROW)
        return step;
    return gcl_u64(s->m, (uint64_t)(bytes * ((FAR - 1) / llabs(bytes) + 1)));
}

static void prefetch(struct gcl_step_search *s, LLVMValueRef load) {
    assert(LLVMIsALoadInst(load));
    LLVMValueRef address = LLVMGetOperand(load, 0);
    if (!gcl_step_is_global(address))
        return;
    LLVMPositionBuilderBefore(s->b, load);
    s->failed = false;
    LLVMValueRef step = gcl_step_of(s, address, GCL_STEP_DEPTH);
    long long least = s->loop == GCL_NOWHERE ? LINE : PAGE / 2;
    if (s->failed ||
        (LLVMIsAConstantInt(step) && llabs((long long)LLVMConstIntGetSExtValue(step)) < least))
        return;
    LLVMTypeRef i8 = LLVMInt8TypeInContext(s->m->context), pointer = gcl_ptr(s->m);
    LLVMValueRef distance = lengthened(s, step);
    LLVMValueRef ahead = LLVMBuildGEP2(s->b, i8, address, &distance, 1, "");
    // Reading, for the second level: rows a power of two apart share few lines of the first.
    LLVMValueRef arguments[] = {ahead, gcl_u32(s->m, 0), gcl_u32(s->m, 2), gcl_u32(s->m, 1)};
    gcl_intrinsic_call_llvm(s->m, s->b, "llvm.prefetch", &pointer, 1, arguments, 4);
}

// Marks loops with barriers; loops[-1] stands for the kernel.
static void mark_loops_with_barriers(const struct gcl_cfg *cfg, bool *loops) {
    for (int b = 0; b < cfg->count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[b].block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            const struct gcl_intrinsic *intrinsic =
                LLVMIsACallInst(i) ? gcl_intrinsic_find(i) : NULL;
            if (intrinsic && intrinsic->kind == GCL_INTRINSIC_CUT &&
                intrinsic->cut == GCL_CUT_BARRIER)
                loops[cfg->blocks[b].loop] = loops[GCL_NOWHERE] = true;
        }
    }
}

void gcl_prefetch_build(struct gcl_module *m, struct gcl_device_kernel *kernel) {
    struct gcl_cfg *cfg = gcl_cfg_create(kernel->function);
    g_autofree bool *marked = g_new0(bool, cfg->loop_count + 1);
    struct gcl_step_search s = {.m = m,
                                .cfg = cfg,
                                .counter = GCL_INTRINSIC_BLOCK_INDEX,
                                .b = LLVMCreateBuilderInContext(m->context)};
    mark_loops_with_barriers(cfg, marked + 1);
    for (int b = 0; b < cfg->count; b++) {
        s.loop = cfg->blocks[b].loop;
        if (!marked[s.loop + 1])
            continue;
        LLVMValueRef i = LLVMGetFirstInstruction(cfg->blocks[b].block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsALoadInst(i))
                prefetch(&s, i);
        }
    }
    LLVMDisposeBuilder(s.b);
    gcl_cfg_destroy(cfg);
}
