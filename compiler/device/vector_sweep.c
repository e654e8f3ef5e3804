// What runs around the functions for vectors: the loops over a block's vectors, the way from region
// to region as far as all threads go it together, and what the runtime calls.
#include <string.h>

#include "vector.h"

struct sweep {
    const struct gcl_vector_build *build;
    struct gcl_module *m;
    LLVMBuilderRef b;
    LLVMValueRef function, block;
    LLVMValueRef here;       ///< the cut before which threads are meant, or GCL_ANYWHERE
    LLVMValueRef *arguments; ///< of the lane function
    LLVMValueRef size[3];    ///< of the block
    LLVMValueRef threads;
    LLVMValueRef low, high; ///< slots: extremes of where threads go on
    LLVMValueRef left;      ///< what the region leaves for the next, if it does
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

// Bits of the lanes that stand before cut `here`, if it is one.
static LLVMValueRef lanes_here(struct sweep *s, LLVMValueRef first, LLVMValueRef among) {
    unsigned lanes = s->build->lanes;
    LLVMTypeRef i32 = gcl_i32(s->m), type = LLVMVectorType(i32, lanes);
    LLVMBasicBlockRef all = LLVMGetInsertBlock(s->b);
    LLVMBasicBlockRef some = new_block(s, "some"), chosen = new_block(s, "chosen");
    LLVMValueRef anywhere =
        LLVMBuildICmp(s->b, LLVMIntEQ, s->here, gcl_u32(s->m, GCL_ANYWHERE), "");
    LLVMBuildCondBr(s->b, anywhere, chosen, some);
    LLVMPositionBuilderAtEnd(s->b, some);
    LLVMValueRef place = gcl_block_element(s->m, s->b, s->block, GCL_BLOCK_NEXT, first);
    LLVMTypeRef overload[] = {type, gcl_ptr(s->m)};
    LLVMTypeRef bits = LLVMVectorType(LLVMInt1TypeInContext(s->m->context), lanes);
    LLVMValueRef arguments[] = {place, gcl_u32(s->m, 4), LLVMBuildBitCast(s->b, among, bits, ""),
                                LLVMConstNull(type)};
    unsigned id = LLVMLookupIntrinsicID("llvm.masked.load", strlen("llvm.masked.load"));
    LLVMValueRef load = LLVMGetIntrinsicDeclaration(s->m->module, id, overload, 2);
    LLVMValueRef next = LLVMBuildCall2(s->b, LLVMGlobalGetValueType(load), load, arguments, 4, "");
    LLVMValueRef here =
        LLVMBuildInsertElement(s->b, LLVMGetPoison(type), s->here, gcl_u32(s->m, 0), "");
    here = LLVMBuildShuffleVector(s->b, here, LLVMGetPoison(type), LLVMConstNull(type), "");
    LLVMValueRef equal = LLVMBuildICmp(s->b, LLVMIntEQ, next, here, "");
    LLVMTypeRef mask = LLVMIntTypeInContext(s->m->context, lanes);
    LLVMValueRef ways[] = {among,
                           LLVMBuildAnd(s->b, LLVMBuildBitCast(s->b, equal, mask, ""), among, "")};
    LLVMBasicBlockRef from[] = {all, some};
    LLVMBuildBr(s->b, chosen);
    LLVMPositionBuilderAtEnd(s->b, chosen);
    LLVMValueRef result = LLVMBuildPhi(s->b, mask, "");
    LLVMAddIncoming(result, ways, from, 2);
    return result;
}

// The threads from `first` to `end`.
static void run_rest(struct sweep *s, LLVMValueRef first, LLVMValueRef end, LLVMValueRef here) {
    LLVMValueRef rest = s->build->rest;
    LLVMValueRef arguments[] = {s->block, s->left, first, end, here};
    note_next(s, LLVMBuildCall2(s->b, LLVMGlobalGetValueType(rest), rest, arguments, 5, ""));
}

// Runs the threads from `first` on that belong to one vector, `count` of them. `suits`: they lie
// as the function for whole vectors supposes; NULL: always. Ends in block `behind`.
static void run_vector(struct sweep *s, LLVMValueRef first, LLVMValueRef count, LLVMValueRef suits,
                       LLVMBasicBlockRef behind) {
    LLVMBasicBlockRef full = new_block(s, "full"), part = new_block(s, "part");
    LLVMValueRef whole = LLVMBuildICmp(s->b, LLVMIntEQ, count, gcl_u32(s->m, s->build->lanes), "");
    if (suits)
        whole = LLVMBuildAnd(s->b, whole, suits, "");
    LLVMBuildCondBr(s->b, whole, full, part);
    LLVMPositionBuilderAtEnd(s->b, full);
    call(s, s->build->full, NULL);
    LLVMBuildBr(s->b, behind);
    LLVMPositionBuilderAtEnd(s->b, part);
    run_rest(s, first, LLVMBuildAdd(s->b, first, count, ""), gcl_u32(s->m, GCL_ANYWHERE));
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

// How many of the threads from `first` to `end` are in its vector.
static LLVMValueRef vector_count(struct sweep *s, LLVMValueRef first, LLVMValueRef end) {
    unsigned lanes = s->build->lanes;
    bool is_exact = LLVMIsAConstantInt(end) && LLVMConstIntGetZExtValue(end) % lanes == 0;
    if (is_exact)
        return gcl_u32(s->m, lanes);
    return gcl_minimum(s->b, LLVMBuildSub(s->b, end, first, ""), gcl_u32(s->m, lanes));
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
    run_vector(s, first, vector_count(s, x.value, s->size[0]), NULL, x.latch);
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
    run_vector(s, t.value, vector_count(s, t.value, s->threads), suits, t.latch);
    end_loop(s, &t);
}

// One thread after the other, with the lane function: `count` of them from `first` on, in one row.
static void run_threads(struct sweep *s, LLVMValueRef first, LLVMValueRef count) {
    struct gcl_module *m = s->m;
    LLVMValueRef lane = s->build->lane, x = s->arguments[LLVMCountParams(lane) - 5];
    struct counter i = begin_loop(s, count, gcl_u32(m, 1));
    LLVMBasicBlockRef run = new_block(s, "run");
    LLVMValueRef thread = LLVMBuildAdd(s->b, first, i.value, "");
    LLVMValueRef next_place = gcl_block_element(m, s->b, s->block, GCL_BLOCK_NEXT, thread);
    if (gcl_vector_may_part(s->build->kernel)) {
        LLVMBasicBlockRef some = new_block(s, "some");
        LLVMValueRef anywhere =
            LLVMBuildICmp(s->b, LLVMIntEQ, s->here, gcl_u32(m, GCL_ANYWHERE), "");
        LLVMBuildCondBr(s->b, anywhere, run, some);
        LLVMPositionBuilderAtEnd(s->b, some);
        LLVMValueRef stands = LLVMBuildLoad2(s->b, gcl_i32(m), next_place, "");
        LLVMBuildCondBr(s->b, LLVMBuildICmp(s->b, LLVMIntEQ, stands, s->here, ""), run, i.latch);
    } else {
        LLVMBuildBr(s->b, run);
    }
    LLVMPositionBuilderAtEnd(s->b, run);
    s->arguments[LLVMCountParams(lane) - 6] = thread;
    s->arguments[LLVMCountParams(lane) - 5] = LLVMBuildAdd(s->b, x, i.value, "");
    LLVMBuildStore(s->b, thread, gcl_block_field(m, s->b, s->block, GCL_BLOCK_THREAD, 0));
    LLVMValueRef next = LLVMBuildCall2(s->b, LLVMGlobalGetValueType(lane), lane, s->arguments,
                                       LLVMCountParams(lane), "");
    if (s->build->region->diverges)
        LLVMBuildStore(s->b, next, next_place);
    note_next(s, next);
    LLVMBuildBr(s->b, i.latch);
    end_loop(s, &i);
}

// The lanes of one vector, `count` threads from `first` on, that are meant.
static void run_lanes(struct sweep *s, LLVMValueRef first, LLVMValueRef count) {
    LLVMBasicBlockRef run = new_block(s, "run"), behind = new_block(s, "behind");
    LLVMValueRef bits = first_lanes(s, count);
    if (gcl_vector_may_part(s->build->kernel))
        bits = lanes_here(s, first, bits);
    LLVMValueRef any = LLVMBuildICmp(s->b, LLVMIntNE, bits, LLVMConstNull(LLVMTypeOf(bits)), "");
    LLVMBuildCondBr(s->b, any, run, behind);
    LLVMPositionBuilderAtEnd(s->b, run);
    call(s, s->build->masked, bits);
    LLVMBuildBr(s->b, behind);
    LLVMPositionBuilderAtEnd(s->b, behind);
}

// From the place of one piece to that of the next in its row, or to the next row.
static void step_place(struct sweep *s, const LLVMValueRef places[3], LLVMValueRef count) {
    LLVMTypeRef i32 = gcl_i32(s->m);
    LLVMValueRef step = count;
    for (unsigned axis = 0; axis < 3; axis++) {
        LLVMValueRef next =
            LLVMBuildAdd(s->b, LLVMBuildLoad2(s->b, i32, places[axis], ""), step, "");
        LLVMValueRef wraps = LLVMBuildICmp(s->b, LLVMIntEQ, next, s->size[axis], "");
        step = LLVMBuildZExt(s->b, wraps, i32, "");
        next = LLVMBuildSelect(s->b, wraps, gcl_u32(s->m, 0), next, "");
        LLVMBuildStore(s->b, next, places[axis]);
    }
}

// Runs threads, piece by piece: what lies in one row, no more than a vector. Warps go on in the
// next row.
static void sweep_pieces(struct sweep *s, LLVMValueRef begin, LLVMValueRef end) {
    LLVMValueRef axis[3], places[3];
    bool has_warps = s->build->kernel->has_warps;
    gcl_thread_axes(s->b, begin, s->size, axis);
    for (unsigned i = 0; i < 3; i++) {
        places[i] = LLVMBuildAlloca(s->b, gcl_i32(s->m), "");
        LLVMBuildStore(s->b, axis[i], places[i]);
    }
    LLVMBasicBlockRef before = LLVMGetInsertBlock(s->b);
    LLVMBasicBlockRef head = new_block(s, "head"), done = new_block(s, "done");
    LLVMBuildBr(s->b, head);
    LLVMPositionBuilderAtEnd(s->b, head);
    LLVMValueRef t = LLVMBuildPhi(s->b, gcl_i32(s->m), "");
    LLVMAddIncoming(t, &begin, &before, 1);
    for (unsigned i = 0; i < 3; i++)
        axis[i] = LLVMBuildLoad2(s->b, gcl_i32(s->m), places[i], "");
    LLVMValueRef count = LLVMBuildSub(s->b, end, t, "");
    if (s->build->lanes > 0)
        count = gcl_minimum(s->b, count, gcl_u32(s->m, s->build->lanes));
    if (has_warps)
        set_number(s, t);
    else
        set_thread(s, t, axis[0], axis[1], axis[2]);
    if (!has_warps)
        count = gcl_minimum(s->b, count, LLVMBuildSub(s->b, s->size[0], axis[0], ""));
    if (s->build->lanes > 0)
        run_lanes(s, t, count);
    else
        run_threads(s, t, count);
    step_place(s, places, count);
    LLVMValueRef next = LLVMBuildAdd(s->b, t, count, "");
    LLVMBasicBlockRef latch = LLVMGetInsertBlock(s->b);
    LLVMAddIncoming(t, &next, &latch, 1);
    LLVMBuildCondBr(s->b, LLVMBuildICmp(s->b, LLVMIntULT, next, end, ""), head, done);
    LLVMPositionBuilderAtEnd(s->b, done);
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

// A function of region `number`, with its slots.
static void begin(struct sweep *s, guint number, const char *what, LLVMTypeRef *parameters,
                  unsigned count) {
    struct gcl_module *m = s->m;
    LLVMTypeRef type = LLVMFunctionType(gcl_i32(m), parameters, count, 0);
    g_autofree char *name = g_strdup_printf("%s.region%u.%s.%s", s->build->kernel->name, number,
                                            s->build->variant->target->cpu, what);
    s->function = LLVMAddFunction(m->module, name, type);
    LLVMSetLinkage(s->function, LLVMInternalLinkage);
    gcl_target_set(m, s->function, s->build->variant->target);
    s->b = LLVMCreateBuilderInContext(m->context);
    s->block = LLVMGetParam(s->function, 0);
    LLVMPositionBuilderAtEnd(s->b, new_block(s, "entry"));
    s->low = LLVMBuildAlloca(s->b, gcl_i32(m), "low");
    s->high = LLVMBuildAlloca(s->b, gcl_i32(m), "high");
    LLVMBuildStore(s->b, gcl_u32(m, UINT32_MAX), s->low);
    LLVMBuildStore(s->b, gcl_u32(m, 0), s->high);
    load_shape(s);
}

static void set_inlining(struct sweep *s, const char *inlining) {
    unsigned kind = LLVMGetEnumAttributeKindForName(inlining, strlen(inlining));
    LLVMAddAttributeAtIndex(s->function, (unsigned)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(s->m->context, kind, 0));
}

// What calls of the lane function, and of those for vectors, have in common.
static void load_arguments(struct sweep *s) {
    const struct gcl_device_kernel *kernel = s->build->kernel;
    unsigned count = LLVMCountParams(kernel->function);
    s->arguments = g_new0(LLVMValueRef, LLVMCountParams(s->build->lane) + 1);
    gcl_block_load_arguments(s->m, s->b, s->block, kernel->function, s->arguments);
    s->arguments[count] = s->block;
    s->arguments[count + 5] = gcl_block_load(s->m, s->b, s->block, GCL_BLOCK_FRAME, 0);
    s->arguments[count + 6] = s->left;
}

static LLVMValueRef end(struct sweep *s) {
    LLVMValueRef low = LLVMBuildLoad2(s->b, gcl_i32(s->m), s->low, "");
    LLVMValueRef high = LLVMBuildLoad2(s->b, gcl_i32(s->m), s->high, "");
    LLVMValueRef same = LLVMBuildICmp(s->b, LLVMIntEQ, low, high, "");
    LLVMBuildRet(s->b, LLVMBuildSelect(s->b, same, low, gcl_u32(s->m, GCL_DIVERGED), ""));
    LLVMDisposeBuilder(s->b);
    g_free(s->arguments);
    return s->function;
}

LLVMValueRef gcl_rest_build(const struct gcl_vector_build *build, guint number) {
    struct sweep s = {.build = build, .m = build->m};
    LLVMTypeRef i32 = gcl_i32(s.m), parameters[] = {gcl_ptr(s.m), gcl_ptr(s.m), i32, i32, i32};
    begin(&s, number, "rest", parameters, G_N_ELEMENTS(parameters));
    set_inlining(&s, "noinline");
    s.left = LLVMGetParam(s.function, 1);
    s.here = LLVMGetParam(s.function, 4);
    load_arguments(&s);
    sweep_pieces(&s, LLVMGetParam(s.function, 2), LLVMGetParam(s.function, 3));
    return end(&s);
}

// What regions pass on once a block is written to a copy, so that every vector finds what the
// region before has left.
static void begin_copy(struct sweep *s) {
    const struct gcl_device_kernel *kernel = s->build->kernel;
    s->left = LLVMConstNull(gcl_ptr(s->m));
    if (!s->build->region->keeps)
        return;
    LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(s->m->context), kernel->kept_size);
    s->left = LLVMBuildAlloca(s->b, bytes, "left");
    LLVMSetAlignment(s->left, 16);
    LLVMBuildMemCpy(s->b, s->left, 16, gcl_block_load(s->m, s->b, s->block, GCL_BLOCK_FRAME, 0), 16,
                    gcl_u64(s->m, kernel->kept_size));
}

static void end_copy(struct sweep *s) {
    if (s->build->region->keeps)
        LLVMBuildMemCpy(s->b, gcl_block_load(s->m, s->b, s->block, GCL_BLOCK_FRAME, 0), 16, s->left,
                        16, gcl_u64(s->m, s->build->kernel->kept_size));
}

LLVMValueRef gcl_some_build(const struct gcl_vector_build *build, guint number) {
    struct sweep s = {.build = build, .m = build->m};
    LLVMTypeRef parameters[] = {gcl_ptr(s.m), gcl_i32(s.m)};
    begin(&s, number, "some", parameters, G_N_ELEMENTS(parameters));
    set_inlining(&s, "alwaysinline");
    begin_copy(&s);
    run_rest(&s, gcl_u32(s.m, 0), s.threads, LLVMGetParam(s.function, 1));
    end_copy(&s);
    return end(&s);
}

LLVMValueRef gcl_sweep_build(const struct gcl_vector_build *build, guint number) {
    struct sweep s = {.build = build, .m = build->m};
    LLVMTypeRef parameter = gcl_ptr(s.m);
    begin(&s, number, "all", &parameter, 1);
    set_inlining(&s, "alwaysinline");
    begin_copy(&s);
    load_arguments(&s);
    if (!build->full)
        run_rest(&s, gcl_u32(s.m, 0), s.threads, gcl_u32(s.m, GCL_ANYWHERE));
    else if (gcl_vector_geometry(build, true).linear)
        sweep_numbers(&s, gcl_variant_is_shaped(build->variant));
    else
        sweep_rows(&s);
    end_copy(&s);
    return end(&s);
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
    LLVMValueRef chained[] = {block, gcl_u32(m, number)};
    LLVMBuildRet(b, call_sweep(b, chain, chained, 2));
    LLVMDisposeBuilder(b);
    return function;
}
