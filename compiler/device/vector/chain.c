// The regions of a kernel, one after the other: from barrier to barrier as long as all threads of
// the block come to the same plain one. What the block has one copy of, and where it fits what each
// thread has, stays in registers meanwhile; it goes to memory where the runtime has to do
// something.
#include "device/vector/chain.h"

#include <assert.h>

#include "device/ir/block.h"
#include "device/ir/module.h"
#include "device/ir/target.h"
#include "device/ir/variant.h"
#include "device/vector/vector.h"
#include "device/vector/widen/frame.h"

static LLVMValueRef call_sweep(LLVMBuilderRef b, LLVMValueRef sweep, LLVMValueRef *arguments,
                               unsigned count) {
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(sweep), sweep, arguments, count, "");
}

static bool is_plain_barrier(const struct gcl_device_kernel *kernel, guint r) {
    const struct gcl_cut *cut = &g_array_index(kernel->regions, struct gcl_device_region, r).cut;
    return (cut->kind == GCL_CUT_BARRIER && cut->operation == GCL_REDUCE_NONE) ||
           cut->kind == GCL_CUT_ORDER;
}

// What a chain has in registers.
struct held {
    const struct gcl_vector_build *build;
    LLVMValueRef kept, frame;
    LLVMValueRef memory; ///< the block's frame
};

static struct held hold(const struct gcl_vector_build *build, LLVMBuilderRef b,
                        LLVMValueRef block) {
    struct gcl_module *m = build->m;
    const uint32_t *size = build->variant->block_size;
    struct held h = {.build = build, .kept = gcl_frame_add_kept(m, b, build->kernel)};
    if (build->holds) {
        uint64_t bytes = build->kernel->kept_size +
                         (uint64_t)build->kernel->frame_size * size[0] * size[1] * size[2];
        LLVMTypeRef i8 = LLVMInt8TypeInContext(m->context);
        h.frame = LLVMBuildAlloca(b, LLVMArrayType2(i8, bytes), "frame");
        LLVMSetAlignment(h.frame, 64);
    }
    h.memory = gcl_block_load(m, b, block, GCL_BLOCK_FRAME, 0);
    h.frame = h.frame ? h.frame : h.memory;
    return h;
}

static void copy_held(const struct held *h, LLVMBuilderRef b, bool back) {
    // Only blocks of a known size, which whole vectors fill, have a frame in registers.
    assert(!h->build->holds || gcl_variant_is_shaped(h->build->variant));
    struct gcl_module *m = h->build->m;
    const uint32_t *size = h->build->variant->block_size;
    struct gcl_frame_part part = {.lanes = h->build->lanes, .threads = size[0] * size[1] * size[2]};
    gcl_frame_copy_kept(m, b, h->build->kernel->kept, back ? h->memory : h->kept,
                        back ? h->kept : h->memory);
    for (uint32_t t = 0; h->build->holds && t < part.threads; t += part.lanes) {
        part.first = gcl_u64(m, t);
        gcl_frame_copy_framed(m, b, h->build->kernel, &part, back ? h->memory : h->frame,
                              back ? h->frame : h->memory);
    }
}

static LLVMValueRef declare_chain(const struct gcl_vector_build *build) {
    struct gcl_module *m = build->m;
    LLVMTypeRef parameters[] = {gcl_ptr(m), gcl_i32(m), gcl_i32(m)};
    LLVMTypeRef type = LLVMFunctionType(gcl_i32(m), parameters, G_N_ELEMENTS(parameters), 0);
    g_autofree char *name =
        g_strdup_printf("%s.%s", build->kernel->name, build->variant->target->cpu);
    LLVMValueRef function = LLVMAddFunction(m->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    gcl_target_set(m, function, build->variant->target);
    return function;
}

// The start of a chain: what it holds, found in memory unless the block starts.
static struct held begin_chain(const struct gcl_vector_build *build, LLVMBuilderRef b,
                               LLVMValueRef function, LLVMBasicBlockRef choose) {
    struct gcl_module *m = build->m;
    LLVMBasicBlockRef entry = LLVMInsertBasicBlockInContext(m->context, choose, "entry");
    LLVMBasicBlockRef resume = LLVMAppendBasicBlockInContext(m->context, function, "resume");
    LLVMPositionBuilderAtEnd(b, entry);
    struct held held = hold(build, b, LLVMGetParam(function, 0));
    LLVMValueRef first = LLVMGetParam(function, 2);
    LLVMValueRef starts = LLVMBuildICmp(b, LLVMIntEQ, first, gcl_u32(m, 0), "");
    LLVMBuildCondBr(b, starts, choose, resume);
    LLVMPositionBuilderAtEnd(b, resume);
    copy_held(&held, b, false);
    LLVMBuildBr(b, choose);
    LLVMPositionBuilderAtEnd(b, choose);
    LLVMValueRef region = LLVMBuildPhi(b, gcl_i32(m), "");
    LLVMValueRef values[] = {first, first};
    LLVMBasicBlockRef from[] = {entry, resume};
    LLVMAddIncoming(region, values, from, 2);
    return held;
}

// The end of a chain: what it holds goes to memory unless the block has ended.
static void end_chain(const struct held *held, LLVMBuilderRef b, LLVMValueRef last) {
    struct gcl_module *m = held->build->m;
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInsertBlock(b));
    LLVMBasicBlockRef pause = LLVMAppendBasicBlockInContext(m->context, function, "pause");
    LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(m->context, function, "end");
    LLVMValueRef ends = LLVMBuildICmp(b, LLVMIntEQ, last, gcl_u32(m, GCL_EXIT), "");
    LLVMBuildCondBr(b, ends, end, pause);
    LLVMPositionBuilderAtEnd(b, pause);
    copy_held(held, b, true);
    LLVMBuildBr(b, end);
    LLVMPositionBuilderAtEnd(b, end);
    LLVMBuildRet(b, last);
}

LLVMValueRef gcl_chain_build(const struct gcl_vector_build *build, LLVMValueRef *sweeps) {
    struct gcl_module *m = build->m;
    const struct gcl_device_kernel *kernel = build->kernel;
    LLVMValueRef function = declare_chain(build);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
    LLVMBasicBlockRef choose = LLVMAppendBasicBlockInContext(m->context, function, "choose");
    LLVMBasicBlockRef passed = LLVMAppendBasicBlockInContext(m->context, function, "passed");
    LLVMBasicBlockRef stop = LLVMAppendBasicBlockInContext(m->context, function, "stop");
    struct held held = begin_chain(build, b, function, choose);
    LLVMValueRef region = LLVMGetFirstInstruction(choose);
    LLVMValueRef start = LLVMBuildSwitch(b, region, stop, kernel->regions->len);
    LLVMPositionBuilderAtEnd(b, passed);
    LLVMValueRef next = LLVMBuildPhi(b, gcl_i32(m), "");
    LLVMValueRef barrier = LLVMBuildSwitch(b, next, stop, kernel->regions->len);
    for (guint r = 0; r < kernel->regions->len; r++) {
        LLVMBasicBlockRef run = LLVMAppendBasicBlockInContext(m->context, function, "region");
        LLVMPositionBuilderAtEnd(b, run);
        LLVMValueRef arguments[] = {LLVMGetParam(function, 0), LLVMGetParam(function, 1), held.kept,
                                    held.frame};
        LLVMValueRef result = call_sweep(b, sweeps[r], arguments, G_N_ELEMENTS(arguments));
        LLVMBuildBr(b, passed);
        LLVMAddIncoming(next, &result, &run, 1);
        LLVMAddCase(start, gcl_u32(m, r), run);
        if (!is_plain_barrier(kernel, r))
            continue;
        LLVMAddCase(barrier, gcl_u32(m, r), choose);
        LLVMAddIncoming(region, &next, &passed, 1); // one for each case
    }
    LLVMPositionBuilderAtEnd(b, stop);
    LLVMValueRef last = LLVMBuildPhi(b, gcl_i32(m), "");
    LLVMAddIncoming(last, &region, &choose, 1);
    LLVMAddIncoming(last, &next, &passed, 1);
    end_chain(&held, b, last);
    LLVMDisposeBuilder(b);
    return function;
}

LLVMValueRef gcl_chain_build_entry(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                                   const struct gcl_device_variant *variant, guint number,
                                   LLVMValueRef chain, LLVMValueRef some) {
    LLVMValueRef function = gcl_variant_declare(m, kernel, variant, number);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
    LLVMValueRef here = LLVMGetParam(function, 3), block = LLVMGetParam(function, 0);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(m->context, function, "entry"));
    if (some) {
        LLVMBasicBlockRef all = LLVMAppendBasicBlockInContext(m->context, function, "all");
        LLVMBasicBlockRef selected = LLVMAppendBasicBlockInContext(m->context, function, "some");
        LLVMValueRef everybody = LLVMBuildICmp(b, LLVMIntEQ, here, gcl_u32(m, GCL_ANYWHERE), "");
        LLVMBuildCondBr(b, everybody, all, selected);
        LLVMPositionBuilderAtEnd(b, selected);
        LLVMValueRef arguments[] = {block, here};
        LLVMBuildRet(b, call_sweep(b, some, arguments, 2));
        LLVMPositionBuilderAtEnd(b, all);
    }
    LLVMValueRef count = gcl_u32(m, 1);
    if (kernel->strips)
        count = LLVMBuildUDiv(b, LLVMGetParam(function, 2),
                              gcl_block_load(m, b, block, GCL_BLOCK_THREAD_COUNT, 0), "");
    LLVMValueRef chained[] = {block, count, gcl_u32(m, number)};
    LLVMBuildRet(b, call_sweep(b, chain, chained, G_N_ELEMENTS(chained)));
    LLVMDisposeBuilder(b);
    return function;
}
