// What runs around the functions for vectors: the loop over a block's vectors, the way from region
// to region as far as all threads go it together, and what the runtime calls.
#include <string.h>

#include "vector.h"

struct sweep {
    const struct gcl_vector_build *build;
    struct gcl_module *m;
    LLVMBuilderRef b;
    LLVMValueRef function, block;
    LLVMValueRef here;       ///< the cut before which threads are meant; NULL: all are
    LLVMValueRef *arguments; ///< of the lane function
    LLVMValueRef size[3];    ///< of the block
    LLVMValueRef threads;
    LLVMValueRef low, high; ///< slots: extremes of where threads go on
    LLVMValueRef kept;      ///< what the region leaves for the next, if it does
};

static LLVMBasicBlockRef new_block(struct sweep *s, const char *name) {
    return LLVMAppendBasicBlockInContext(s->m->context, s->function, name);
}

static void note_next(struct sweep *s, LLVMValueRef next) {
    LLVMTypeRef i32 = gcl_i32(s->m);
    LLVMValueRef low = LLVMBuildLoad2(s->b, i32, s->low, "");
    LLVMValueRef high = LLVMBuildLoad2(s->b, i32, s->high, "");
    LLVMBuildStore(s->b, gcl_minimum(s->b, low, next), s->low);
    LLVMBuildStore(s->b, gcl_maximum(s->b, high, next), s->high);
}

static void call(struct sweep *s, LLVMValueRef function, LLVMValueRef bits) {
    unsigned count = LLVMCountParams(s->build->lane);
    s->arguments[count] = bits;
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    note_next(s, LLVMBuildCall2(s->b, type, function, s->arguments, count + (bits != NULL), ""));
}

// Bits of the first `count` lanes, 1 to all of them.
static LLVMValueRef first_lanes(struct sweep *s, LLVMValueRef count) {
    unsigned lanes = s->build->lanes;
    LLVMTypeRef type = LLVMIntTypeInContext(s->m->context, lanes);
    LLVMValueRef unused = LLVMBuildSub(s->b, gcl_u32(s->m, lanes), count, "");
    unused = LLVMBuildIntCast2(s->b, unused, type, 0, "");
    return LLVMBuildLShr(s->b, LLVMConstAllOnes(type), unused, "");
}

// Bits of the lanes that stand before cut `here`.
static LLVMValueRef lanes_here(struct sweep *s, LLVMValueRef first, LLVMValueRef among) {
    unsigned lanes = s->build->lanes;
    LLVMTypeRef i32 = gcl_i32(s->m), type = LLVMVectorType(i32, lanes);
    LLVMValueRef place = gcl_block_element(s->m, s->b, s->block, GCL_BLOCK_NEXT, first);
    LLVMTypeRef overload[] = {type, gcl_ptr(s->m)};
    LLVMTypeRef bits = LLVMVectorType(LLVMInt1TypeInContext(s->m->context), lanes);
    LLVMValueRef arguments[] = {place, gcl_u32(s->m, 4), LLVMBuildBitCast(s->b, among, bits, ""),
                                LLVMConstNull(type)};
    unsigned id = LLVMLookupIntrinsicID("llvm.masked.load", strlen("llvm.masked.load"));
    LLVMValueRef load = LLVMGetIntrinsicDeclaration(s->m->module, id, overload, 2);
    LLVMValueRef next = LLVMBuildCall2(s->b, LLVMGlobalGetValueType(load), load, arguments, 4, "");
    LLVMValueRef zeros = LLVMConstNull(type);
    LLVMValueRef here =
        LLVMBuildInsertElement(s->b, LLVMGetPoison(type), s->here, gcl_u32(s->m, 0), "");
    here = LLVMBuildShuffleVector(s->b, here, LLVMGetPoison(type), zeros, "");
    LLVMValueRef equal = LLVMBuildICmp(s->b, LLVMIntEQ, next, here, "");
    return LLVMBuildBitCast(s->b, equal, LLVMIntTypeInContext(s->m->context, lanes), "");
}

// Runs one vector of `count` threads from `first` on, of which those before cut `here` are meant,
// or all of them. `suits`: they lie as the full function supposes; NULL: always. Ends in block
// `behind`.
static void run_vector(struct sweep *s, LLVMValueRef first, LLVMValueRef count, LLVMValueRef suits,
                       LLVMBasicBlockRef behind) {
    LLVMBasicBlockRef part = new_block(s, "part"), some = new_block(s, "some");
    if (!s->here && s->build->full) {
        LLVMBasicBlockRef full = new_block(s, "full");
        LLVMValueRef whole =
            LLVMBuildICmp(s->b, LLVMIntEQ, count, gcl_u32(s->m, s->build->lanes), "");
        if (suits)
            whole = LLVMBuildAnd(s->b, whole, suits, "");
        LLVMBuildCondBr(s->b, whole, full, part);
        LLVMPositionBuilderAtEnd(s->b, full);
        call(s, s->build->full, NULL);
        LLVMBuildBr(s->b, behind);
    } else {
        LLVMBuildBr(s->b, part);
    }
    LLVMPositionBuilderAtEnd(s->b, part);
    LLVMValueRef bits = first_lanes(s, count);
    if (s->here)
        bits = LLVMBuildAnd(s->b, bits, lanes_here(s, first, bits), "");
    LLVMValueRef any = LLVMBuildICmp(s->b, LLVMIntNE, bits, LLVMConstNull(LLVMTypeOf(bits)), "");
    LLVMBuildCondBr(s->b, any, some, behind);
    LLVMPositionBuilderAtEnd(s->b, some);
    call(s, s->build->masked, bits);
    LLVMBuildBr(s->b, behind);
}

static void set_thread(struct sweep *s, LLVMValueRef number, LLVMValueRef x, LLVMValueRef y,
                       LLVMValueRef z) {
    unsigned count = LLVMCountParams(s->build->kernel->function);
    LLVMValueRef thread[] = {number, x, y, z};
    memcpy(&s->arguments[count + 1], thread, sizeof thread);
}

static void set_number(struct sweep *s, LLVMValueRef number) {
    LLVMValueRef axis[3];
    gcl_thread_axes(s->b, number, s->size, axis);
    set_thread(s, number, axis[0], axis[1], axis[2]);
}

// A loop of a counter from 0 to `end`, not included.
struct counter {
    LLVMBasicBlockRef latch, behind, head;
    LLVMValueRef value, end;
    LLVMValueRef step;
};

static struct counter begin_loop(struct sweep *s, LLVMValueRef end, LLVMValueRef step) {
    struct counter c = {.end = end, .step = step};
    LLVMBasicBlockRef before = LLVMGetInsertBlock(s->b);
    LLVMValueRef zero = gcl_u32(s->m, 0);
    c.head = new_block(s, "head");
    c.latch = new_block(s, "latch");
    c.behind = new_block(s, "behind");
    LLVMBuildBr(s->b, c.head);
    LLVMPositionBuilderAtEnd(s->b, c.head);
    c.value = LLVMBuildPhi(s->b, gcl_i32(s->m), "");
    LLVMAddIncoming(c.value, &zero, &before, 1);
    return c;
}

static void end_loop(struct sweep *s, struct counter *c) {
    LLVMPositionBuilderAtEnd(s->b, c->latch);
    LLVMValueRef next = LLVMBuildNUWAdd(s->b, c->value, c->step, "");
    LLVMAddIncoming(c->value, &next, &c->latch, 1);
    LLVMBuildCondBr(s->b, LLVMBuildICmp(s->b, LLVMIntULT, next, c->end, ""), c->head, c->behind);
    LLVMPositionBuilderAtEnd(s->b, c->behind);
}

// Vectors within rows of threads with the same y and z.
static void sweep_rows(struct sweep *s) {
    LLVMValueRef lanes = gcl_u32(s->m, s->build->lanes);
    struct counter row =
        begin_loop(s, LLVMBuildMul(s->b, s->size[1], s->size[2], ""), gcl_u32(s->m, 1));
    LLVMValueRef y = LLVMBuildURem(s->b, row.value, s->size[1], "");
    LLVMValueRef z = LLVMBuildUDiv(s->b, row.value, s->size[1], "");
    struct counter x = begin_loop(s, s->size[0], lanes);
    LLVMValueRef first =
        LLVMBuildAdd(s->b, LLVMBuildMul(s->b, row.value, s->size[0], ""), x.value, "");
    set_thread(s, first, x.value, y, z);
    LLVMValueRef left = LLVMBuildSub(s->b, s->size[0], x.value, "");
    run_vector(s, first, gcl_minimum(s->b, left, lanes), NULL, x.latch);
    end_loop(s, &x);
    LLVMBuildBr(s->b, row.latch);
    end_loop(s, &row);
}

// Vectors one after the other, whatever the rows. Coordinates are those of the first lane.
static void sweep_numbers(struct sweep *s, bool always_suits) {
    LLVMValueRef lanes = gcl_u32(s->m, s->build->lanes), suits = NULL;
    struct counter t = begin_loop(s, s->threads, lanes);
    set_number(s, t.value);
    if (!always_suits) { // one row alone, or rows of whole vectors
        LLVMValueRef rest = LLVMBuildURem(s->b, s->size[0], lanes, "");
        suits = LLVMBuildOr(s->b, LLVMBuildICmp(s->b, LLVMIntEQ, rest, gcl_u32(s->m, 0), ""),
                            LLVMBuildICmp(s->b, LLVMIntEQ, s->size[0], s->threads, ""), "");
    }
    LLVMValueRef left = LLVMBuildSub(s->b, s->threads, t.value, "");
    run_vector(s, t.value, gcl_minimum(s->b, left, lanes), suits, t.latch);
    end_loop(s, &t);
}

// One thread after the other, with the lane function.
static void sweep_threads(struct sweep *s) {
    struct gcl_module *m = s->m;
    struct counter t = begin_loop(s, s->threads, gcl_u32(m, 1));
    LLVMBasicBlockRef run = new_block(s, "run");
    LLVMValueRef next_place = gcl_block_element(m, s->b, s->block, GCL_BLOCK_NEXT, t.value);
    if (s->here) {
        LLVMValueRef stands = LLVMBuildLoad2(s->b, gcl_i32(m), next_place, "");
        LLVMBuildCondBr(s->b, LLVMBuildICmp(s->b, LLVMIntEQ, stands, s->here, ""), run, t.latch);
    } else {
        LLVMBuildBr(s->b, run);
    }
    LLVMPositionBuilderAtEnd(s->b, run);
    set_number(s, t.value);
    LLVMBuildStore(s->b, t.value, gcl_block_field(m, s->b, s->block, GCL_BLOCK_THREAD, 0));
    LLVMValueRef lane = s->build->lane;
    LLVMValueRef next = LLVMBuildCall2(s->b, LLVMGlobalGetValueType(lane), lane, s->arguments,
                                       LLVMCountParams(s->build->lane), "");
    if (s->build->region->diverges)
        LLVMBuildStore(s->b, next, next_place);
    note_next(s, next);
    LLVMBuildBr(s->b, t.latch);
    end_loop(s, &t);
}

// What regions pass on once a block is written to a copy, so that every vector finds what the
// region before has left.
static void copy_kept(struct sweep *s, LLVMValueRef to, LLVMValueRef from) {
    LLVMBuildMemCpy(s->b, to, 16, from, 16, gcl_u64(s->m, s->build->kernel->kept_size));
}

static void load_shape(struct sweep *s) {
    const uint32_t *known = s->build->variant->block_size;
    bool is_shaped = gcl_variant_is_shaped(s->build->variant);
    for (unsigned axis = 0; axis < 3; axis++)
        s->size[axis] = is_shaped ? gcl_u32(s->m, known[axis])
                                  : gcl_block_load(s->m, s->b, s->block, GCL_BLOCK_SIZE, axis);
    s->threads = is_shaped ? gcl_u32(s->m, known[0] * known[1] * known[2])
                           : gcl_block_load(s->m, s->b, s->block, GCL_BLOCK_THREAD_COUNT, 0);
}

static LLVMValueRef declare_sweep(const struct gcl_vector_build *build, guint number,
                                  bool is_selective) {
    struct gcl_module *m = build->m;
    LLVMTypeRef parameters[] = {gcl_ptr(m), gcl_i32(m)};
    LLVMTypeRef type = LLVMFunctionType(gcl_i32(m), parameters, is_selective ? 2 : 1, 0);
    g_autofree char *name =
        g_strdup_printf("%s.region%u.%s.%s", build->kernel->name, number,
                        build->variant->target->cpu, is_selective ? "some" : "all");
    LLVMValueRef function = LLVMAddFunction(m->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    gcl_target_set(m, function, build->variant->target);
    unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
    LLVMAddAttributeAtIndex(function, (unsigned)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(m->context, kind, 0));
    return function;
}

LLVMValueRef gcl_sweep_build(const struct gcl_vector_build *build, guint number,
                             bool is_selective) {
    struct gcl_module *m = build->m;
    unsigned count = LLVMCountParams(build->kernel->function);
    struct sweep s = {.build = build, .m = m, .b = LLVMCreateBuilderInContext(m->context)};
    s.function = declare_sweep(build, number, is_selective);
    s.block = LLVMGetParam(s.function, 0);
    s.here = is_selective ? LLVMGetParam(s.function, 1) : NULL;
    s.arguments = g_new0(LLVMValueRef, LLVMCountParams(build->lane) + 1);
    LLVMPositionBuilderAtEnd(s.b, new_block(&s, "entry"));
    s.low = LLVMBuildAlloca(s.b, gcl_i32(m), "low");
    s.high = LLVMBuildAlloca(s.b, gcl_i32(m), "high");
    s.kept = LLVMBuildAlloca(
        s.b, LLVMArrayType2(LLVMInt8TypeInContext(m->context), build->kernel->kept_size), "kept");
    LLVMSetAlignment(s.kept, 16);
    LLVMBuildStore(s.b, gcl_u32(m, UINT32_MAX), s.low);
    LLVMBuildStore(s.b, gcl_u32(m, 0), s.high);
    gcl_block_load_arguments(m, s.b, s.block, build->kernel->function, s.arguments);
    s.arguments[count] = s.block;
    load_shape(&s);
    LLVMValueRef frame = gcl_block_load(m, s.b, s.block, GCL_BLOCK_FRAME, 0);
    s.arguments[count + 5] = frame;
    s.arguments[count + 6] = s.kept;
    if (build->region->keeps)
        copy_kept(&s, s.kept, frame);
    if (build->is_threaded)
        sweep_threads(&s);
    else if (gcl_vector_geometry(build, true).linear)
        sweep_numbers(&s, gcl_variant_is_shaped(build->variant));
    else
        sweep_rows(&s);
    if (build->region->keeps)
        copy_kept(&s, frame, s.kept);
    LLVMValueRef low = LLVMBuildLoad2(s.b, gcl_i32(m), s.low, "");
    LLVMValueRef high = LLVMBuildLoad2(s.b, gcl_i32(m), s.high, "");
    LLVMValueRef same = LLVMBuildICmp(s.b, LLVMIntEQ, low, high, "");
    LLVMBuildRet(s.b, LLVMBuildSelect(s.b, same, low, gcl_u32(m, GCL_DIVERGED), ""));
    LLVMDisposeBuilder(s.b);
    g_free(s.arguments);
    return s.function;
}

// The regions of a kernel, one after the other.

static LLVMValueRef call_sweep(LLVMBuilderRef b, LLVMValueRef sweep, LLVMValueRef *arguments,
                               unsigned count) {
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(sweep), sweep, arguments, count, "");
}

static bool is_plain_barrier(const struct gcl_device_kernel *kernel, guint r) {
    const struct gcl_cut *cut = &g_array_index(kernel->regions, struct gcl_device_region, r).cut;
    return cut->kind == GCL_CUT_BARRIER && cut->operation == GCL_REDUCE_NONE;
}

LLVMValueRef gcl_chain_build(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                             const struct gcl_device_variant *variant, LLVMValueRef *sweeps) {
    LLVMTypeRef parameters[] = {gcl_ptr(m), gcl_i32(m)};
    LLVMTypeRef type = LLVMFunctionType(gcl_i32(m), parameters, 2, 0);
    g_autofree char *name = g_strdup_printf("%s.%s", kernel->name, variant->target->cpu);
    LLVMValueRef function = LLVMAddFunction(m->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    gcl_target_set(m, function, variant->target);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(m->context, function, "entry");
    LLVMBasicBlockRef choose = LLVMAppendBasicBlockInContext(m->context, function, "choose");
    LLVMBasicBlockRef passed = LLVMAppendBasicBlockInContext(m->context, function, "passed");
    LLVMBasicBlockRef stop = LLVMAppendBasicBlockInContext(m->context, function, "stop");
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMBuildBr(b, choose);
    LLVMPositionBuilderAtEnd(b, choose);
    LLVMValueRef region = LLVMBuildPhi(b, gcl_i32(m), ""), first = LLVMGetParam(function, 1);
    LLVMAddIncoming(region, &first, &entry, 1);
    LLVMValueRef start = LLVMBuildSwitch(b, region, stop, kernel->regions->len);
    LLVMPositionBuilderAtEnd(b, passed);
    LLVMValueRef next = LLVMBuildPhi(b, gcl_i32(m), "");
    LLVMValueRef barrier = LLVMBuildSwitch(b, next, stop, kernel->regions->len);
    for (guint r = 0; r < kernel->regions->len; r++) {
        LLVMBasicBlockRef run = LLVMAppendBasicBlockInContext(m->context, function, "region");
        LLVMPositionBuilderAtEnd(b, run);
        LLVMValueRef block = LLVMGetParam(function, 0);
        LLVMValueRef result = call_sweep(b, sweeps[r], &block, 1);
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
    LLVMBuildRet(b, last);
    LLVMDisposeBuilder(b);
    return function;
}

LLVMValueRef gcl_entry_build(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                             const struct gcl_device_variant *variant, guint number,
                             LLVMValueRef chain, LLVMValueRef selective) {
    LLVMValueRef function = gcl_variant_declare(m, kernel, variant, number);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(m->context, function, "entry");
    LLVMBasicBlockRef all = LLVMAppendBasicBlockInContext(m->context, function, "all");
    LLVMBasicBlockRef some = LLVMAppendBasicBlockInContext(m->context, function, "some");
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMValueRef here = LLVMGetParam(function, 3), block = LLVMGetParam(function, 0);
    LLVMValueRef everybody = LLVMBuildICmp(b, LLVMIntEQ, here, gcl_u32(m, GCL_ANYWHERE), "");
    LLVMBuildCondBr(b, everybody, all, some);
    LLVMPositionBuilderAtEnd(b, all);
    LLVMValueRef chained[] = {block, gcl_u32(m, number)};
    LLVMBuildRet(b, call_sweep(b, chain, chained, 2));
    LLVMPositionBuilderAtEnd(b, some);
    LLVMValueRef selected[] = {block, here};
    LLVMBuildRet(b, call_sweep(b, selective, selected, 2));
    LLVMDisposeBuilder(b);
    return function;
}
