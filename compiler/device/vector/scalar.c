// Runs a region for a range of a block's threads, one after the other: rows of threads with the
// same y and z, and in each a loop over x. It is the reference for the vectoriser, and the way of
// kernels whose threads wait for each other in loops. Threads that stand before one cut, with
// others between them, are run stretch by stretch, by a call of the runtime's.
#include "device/vector/scalar.h"

#include <string.h>

#include "device/cut/retries.h"
#include "device/ir/block.h"
#include "device/ir/lane.h"
#include "device/ir/module.h"
#include "device/ir/variant.h"

struct lanes {
    struct gcl_module *m;
    LLVMBuilderRef builder;
    const struct gcl_device_kernel *kernel;
    const struct gcl_device_region *region;
    LLVMValueRef function;
    LLVMValueRef block, begin, end; ///< parameters
    LLVMValueRef *arguments;        ///< of the lane function; the last five change per thread
    LLVMValueRef size[2];           ///< blockDim.x, .y
    LLVMBasicBlockRef entry, row, lane, row_end, done;
};

static LLVMBasicBlockRef new_block(struct lanes *l, const char *name) {
    return LLVMAppendBasicBlockInContext(l->m->context, l->function, name);
}

static void prepare(struct lanes *l) {
    l->block = LLVMGetParam(l->function, 0);
    l->begin = LLVMGetParam(l->function, 1);
    l->end = LLVMGetParam(l->function, 2);
    l->entry = new_block(l, "entry");
    l->row = new_block(l, "row");
    l->lane = new_block(l, "lane");
    l->row_end = new_block(l, "row.end");
    l->done = new_block(l, "done");
}

// Leaves to the runtime what isn't asked of all threads of the range; it comes back for each
// stretch of those that are meant.
static void build_stretches(struct lanes *l) {
    struct gcl_module *m = l->m;
    LLVMBasicBlockRef some = new_block(l, "some"), all = new_block(l, "all");
    LLVMValueRef here = LLVMGetParam(l->function, 3);
    LLVMPositionBuilderAtEnd(l->builder, l->entry);
    LLVMValueRef is_all = LLVMBuildICmp(l->builder, LLVMIntEQ, here, gcl_u32(m, GCL_ANYWHERE), "");
    LLVMBuildCondBr(l->builder, is_all, all, some);

    LLVMPositionBuilderAtEnd(l->builder, some);
    LLVMTypeRef types[] = {gcl_ptr(m), gcl_ptr(m), gcl_i32(m), gcl_i32(m), gcl_i32(m)};
    LLVMTypeRef type = LLVMFunctionType(gcl_i32(m), types, G_N_ELEMENTS(types), 0);
    LLVMValueRef helper = LLVMGetNamedFunction(m->module, "gcl_region_run_stretches");
    if (!helper)
        helper = LLVMAddFunction(m->module, "gcl_region_run_stretches", type);
    LLVMValueRef arguments[] = {l->function, l->block, l->begin, l->end, here};
    LLVMBuildRet(l->builder,
                 LLVMBuildCall2(l->builder, type, helper, arguments, G_N_ELEMENTS(arguments), ""));
    LLVMPositionBuilderAtEnd(l->builder, all);
    l->entry = all;
}

// Loads what is the same for all threads, once.
static void load_arguments(struct lanes *l) {
    struct gcl_module *m = l->m;
    unsigned count = LLVMCountParams(l->kernel->function);
    l->arguments = g_new(LLVMValueRef, count + GCL_LANE_COUNT);
    gcl_block_load_arguments(m, l->builder, l->block, l->kernel->function, l->arguments);
    l->arguments[count] = l->block;
    l->arguments[count + GCL_LANE_KEPT] = LLVMConstNull(gcl_ptr(m));
    l->arguments[count + GCL_LANE_LEFT] = LLVMConstNull(gcl_ptr(m));
    l->arguments[count + GCL_LANE_FRAME] =
        gcl_block_load(m, l->builder, l->block, GCL_BLOCK_FRAME, 0);
    l->size[0] = gcl_block_load(m, l->builder, l->block, GCL_BLOCK_SIZE, 0);
    l->size[1] = gcl_block_load(m, l->builder, l->block, GCL_BLOCK_SIZE, 1);
}

static LLVMValueRef phi(struct lanes *l, const char *name, LLVMValueRef first,
                        LLVMBasicBlockRef from) {
    LLVMValueRef value = LLVMBuildPhi(l->builder, gcl_i32(l->m), name);
    LLVMAddIncoming(value, &first, &from, 1);
    return value;
}

// The lowest and highest next region seen so far: equal at the end if no thread parted ways.
struct extremes {
    LLVMValueRef low;
    LLVMValueRef high;
};

// Calls the lane function for one thread; returns its next region.
static LLVMValueRef call_lane(struct lanes *l, LLVMValueRef thread, const LLVMValueRef axis[3]) {
    unsigned count = LLVMCountParams(l->kernel->function);
    l->arguments[count + 1] = thread;
    memcpy(&l->arguments[count + 2], axis, 3 * sizeof *axis);
    if (gcl_retries_needs_thread(l->region->lane))
        LLVMBuildStore(l->builder, thread,
                       gcl_block_field(l->m, l->builder, l->block, GCL_BLOCK_THREAD, 0));
    gcl_block_note_running(l->m, l->builder, l->block, thread, gcl_u32(l->m, 1));
    LLVMTypeRef type = LLVMGlobalGetValueType(l->region->lane);
    LLVMValueRef next = LLVMBuildCall2(l->builder, type, l->region->lane, l->arguments,
                                       count + GCL_LANE_COUNT, "next");
    if (l->region->diverges)
        LLVMBuildStore(l->builder, next,
                       gcl_block_element(l->m, l->builder, l->block, GCL_BLOCK_NEXT, thread));
    return next;
}

// A row of threads: t, t + 1, … with x from x0 on.
static struct extremes build_row(struct lanes *l, LLVMValueRef t, LLVMValueRef span,
                                 const LLVMValueRef start[3], struct extremes before) {
    LLVMBuilderRef b = l->builder;
    LLVMPositionBuilderAtEnd(b, l->lane);
    LLVMValueRef i = phi(l, "lane.index", gcl_u32(l->m, 0), l->row);
    struct extremes seen = {phi(l, "low", before.low, l->row), phi(l, "high", before.high, l->row)};
    LLVMValueRef axis[] = {LLVMBuildNUWAdd(b, start[0], i, "x"), start[1], start[2]};
    LLVMValueRef next = call_lane(l, LLVMBuildNUWAdd(b, t, i, "thread"), axis);
    struct extremes after = {gcl_minimum(l->builder, seen.low, next),
                             gcl_maximum(l->builder, seen.high, next)};
    LLVMValueRef following = LLVMBuildNUWAdd(b, i, gcl_u32(l->m, 1), "");
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntULT, following, span, "");
    LLVMBuildCondBr(b, more, l->lane, l->row_end);
    LLVMAddIncoming(i, &following, &l->lane, 1);
    LLVMAddIncoming(seen.low, &after.low, &l->lane, 1);
    LLVMAddIncoming(seen.high, &after.high, &l->lane, 1);
    return after;
}

static void build_rows(struct lanes *l) {
    LLVMBuilderRef b = l->builder;
    struct gcl_module *m = l->m;
    LLVMBuildBr(b, l->row);
    LLVMPositionBuilderAtEnd(b, l->row);
    LLVMValueRef t = phi(l, "t", l->begin, l->entry);
    struct extremes seen = {phi(l, "row.low", gcl_u32(m, UINT32_MAX), l->entry),
                            phi(l, "row.high", gcl_u32(m, 0), l->entry)};
    LLVMValueRef start[3];
    gcl_block_thread_axes(b, t, l->size, start);
    LLVMValueRef span = gcl_minimum(l->builder, LLVMBuildSub(b, l->size[0], start[0], ""),
                                    LLVMBuildSub(b, l->end, t, ""));
    LLVMBuildBr(b, l->lane);
    struct extremes after = build_row(l, t, span, start, seen);

    LLVMPositionBuilderAtEnd(b, l->row_end);
    LLVMValueRef following = LLVMBuildNUWAdd(b, t, span, "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, following, l->end, ""), l->row, l->done);
    LLVMAddIncoming(t, &following, &l->row_end, 1);
    LLVMAddIncoming(seen.low, &after.low, &l->row_end, 1);
    LLVMAddIncoming(seen.high, &after.high, &l->row_end, 1);

    LLVMPositionBuilderAtEnd(b, l->done);
    LLVMValueRef same = LLVMBuildICmp(b, LLVMIntEQ, after.low, after.high, "");
    LLVMBuildRet(b, LLVMBuildSelect(b, same, after.low, gcl_u32(m, GCL_DIVERGED), ""));
}

void gcl_scalar_build(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                      struct gcl_device_variant *variant) {
    for (guint r = 0; r < kernel->regions->len; r++) {
        struct lanes l = {
            .m = m,
            .kernel = kernel,
            .region = &g_array_index(kernel->regions, struct gcl_device_region, r),
            .function = gcl_variant_declare(m, kernel, variant, r),
            .builder = LLVMCreateBuilderInContext(m->context),
        };
        prepare(&l);
        build_stretches(&l);
        load_arguments(&l);
        build_rows(&l);
        variant->functions[r] = l.function;
        LLVMDisposeBuilder(l.builder);
        g_free(l.arguments);
    }
}
