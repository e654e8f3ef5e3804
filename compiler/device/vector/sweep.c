// The loops over a block's vectors in one region: whole vectors where threads fill them, the rest
// for what is left, and where each thread goes on.
#include "device/vector/sweep.h"

#include <string.h>

#include "device/cut/retries.h"
#include "device/ir/block.h"
#include "device/ir/intrinsics.h"
#include "device/ir/lane.h"
#include "device/ir/module.h"
#include "device/ir/target.h"
#include "device/ir/variant.h"
#include "device/vector/choose.h"
#include "device/vector/vector.h"
#include "device/vector/widen/frame.h"
#include "device/vector/widen/pause.h"

struct sweep {
    const struct gcl_vector_build *build;
    struct gcl_module *m;
    LLVMBuilderRef b;
    LLVMValueRef function, block;
    LLVMValueRef blocks, count; ///< several that run together; NULL: `block` alone
    LLVMValueRef before;        ///< of them: threads of those before `block`
    LLVMValueRef here;          ///< the cut before which threads are meant, or GCL_ANYWHERE
    LLVMValueRef *arguments;    ///< of the lane function
    LLVMValueRef size[3];       ///< of the block
    LLVMValueRef threads;
    LLVMValueRef low, high; ///< slots: extremes of where threads go on
    LLVMValueRef kept;      ///< what the region before has left of which the block has one copy
    LLVMValueRef left;      ///< what this one leaves, so that every vector finds what was there
    LLVMValueRef passed;    ///< a copy of `left` for functions that aren't inlined
    LLVMValueRef frame;     ///< each thread's locals, but for arrays
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

// Blocks that run together share the note of the first one.
static void note_running(struct sweep *s, LLVMValueRef first, LLVMValueRef count) {
    LLVMValueRef number = s->count ? LLVMBuildAdd(s->b, s->before, first, "") : first;
    gcl_block_note_running(s->m, s->b, s->count ? s->blocks : s->block, number, count);
}

static void note_block(struct sweep *s) {
    if (s->build->streams)
        note_running(s, gcl_u32(s->m, 0), s->threads);
}

static void note_vector(struct sweep *s, LLVMValueRef first) {
    if (!s->build->streams)
        note_running(s, first, gcl_u32(s->m, s->build->lanes));
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
    LLVMValueRef next =
        gcl_intrinsic_call_llvm(s->m, s->b, "llvm.masked.load", overload, 2, arguments, 4);
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

// The threads from `first` to `end`. What the block has one copy of is in registers as long as no
// function gets its address, so this one gets copies.
static void run_rest(struct sweep *s, LLVMValueRef first, LLVMValueRef end, LLVMValueRef here) {
    const struct gcl_device_region *region = s->build->region;
    LLVMValueRef rest = s->build->rest;
    LLVMValueRef memory = gcl_block_load(s->m, s->b, s->block, GCL_BLOCK_FRAME, 0);
    LLVMValueRef arguments[] = {s->block, s->passed, first, end, here};
    gcl_frame_copy_kept(s->m, s->b, region->takes, memory, s->kept);
    gcl_frame_copy_kept(s->m, s->b, region->leaves, s->passed, s->left);
    if (s->count)
        note_running(s, first, LLVMBuildSub(s->b, end, first, ""));
    note_next(s, LLVMBuildCall2(s->b, LLVMGlobalGetValueType(rest), rest, arguments, 5, ""));
    gcl_frame_copy_kept(s->m, s->b, region->leaves, s->left, s->passed);
    note_block(s);
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
    note_vector(s, first);
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
    gcl_block_thread_axes(s->b, number, s->size, axis);
    set_thread(s, number, axis[0], axis[1], axis[2]);
}

// A loop of a counter from 0, or `first`, to `end`, not included.
struct counter {
    LLVMBasicBlockRef latch, behind, head;
    LLVMValueRef value, end;
    LLVMValueRef step;
};

static struct counter begin_loop_at(struct sweep *s, LLVMValueRef first, LLVMValueRef end,
                                    LLVMValueRef step) {
    struct counter c = {.end = end, .step = step};
    LLVMBasicBlockRef before = LLVMGetInsertBlock(s->b);
    c.head = new_block(s, "head");
    c.latch = new_block(s, "latch");
    c.behind = new_block(s, "behind");
    LLVMBuildBr(s->b, c.head);
    LLVMPositionBuilderAtEnd(s->b, c.head);
    c.value = LLVMBuildPhi(s->b, gcl_i32(s->m), "");
    LLVMAddIncoming(c.value, &first, &before, 1);
    return c;
}

static struct counter begin_loop(struct sweep *s, LLVMValueRef end, LLVMValueRef step) {
    return begin_loop_at(s, gcl_u32(s->m, 0), end, step);
}

static void end_loop(struct sweep *s, struct counter *c) {
    LLVMPositionBuilderAtEnd(s->b, c->latch);
    LLVMValueRef next = LLVMBuildNUWAdd(s->b, c->value, c->step, "");
    LLVMAddIncoming(c->value, &next, &c->latch, 1);
    LLVMBuildCondBr(s->b, LLVMBuildICmp(s->b, LLVMIntULT, next, c->end, ""), c->head, c->behind);
    LLVMPositionBuilderAtEnd(s->b, c->behind);
}

// The loop over the blocks that run together, from `first` on, where `block` is the one meant.
static struct counter begin_blocks(struct sweep *s, LLVMValueRef first) {
    struct counter c = begin_loop_at(s, first, s->count, gcl_u32(s->m, 1));
    s->before = LLVMBuildMul(s->b, c.value, s->threads, "");
    s->block = gcl_block_at(s->m, s->b, s->blocks, c.value);
    s->arguments[LLVMCountParams(s->build->kernel->function) + GCL_LANE_BLOCK] = s->block;
    note_block(s);
    return c;
}

static void end_blocks(struct sweep *s, struct counter *c) {
    LLVMBuildBr(s->b, c->latch);
    end_loop(s, c);
    s->block = s->blocks;
}

// How many of the threads from `first` to `end` are in its vector.
static LLVMValueRef vector_count(struct sweep *s, LLVMValueRef first, LLVMValueRef end) {
    unsigned lanes = s->build->lanes;
    bool is_exact = LLVMIsAConstantInt(end) && LLVMConstIntGetZExtValue(end) % lanes == 0;
    if (is_exact)
        return gcl_u32(s->m, lanes);
    return gcl_minimum(s->b, LLVMBuildSub(s->b, end, first, ""), gcl_u32(s->m, lanes));
}

// `whole` steps, or what is left of `all` from `begun` on.
static LLVMValueRef at_most(struct sweep *s, LLVMValueRef whole, LLVMValueRef all,
                            LLVMValueRef begun) {
    return gcl_minimum(s->b, whole, LLVMBuildSub(s->b, all, begun, ""));
}

// Vectors of one row of threads with the same y and z.
static void sweep_row(struct sweep *s, LLVMValueRef row, LLVMBasicBlockRef behind) {
    LLVMValueRef lanes = gcl_u32(s->m, s->build->lanes);
    LLVMValueRef y = LLVMBuildURem(s->b, row, s->size[1], "");
    LLVMValueRef z = LLVMBuildUDiv(s->b, row, s->size[1], "");
    struct counter x = begin_loop(s, s->size[0], lanes);
    LLVMValueRef first = LLVMBuildAdd(s->b, LLVMBuildMul(s->b, row, s->size[0], ""), x.value, "");
    set_thread(s, first, x.value, y, z);
    run_vector(s, first, vector_count(s, x.value, s->size[0]), NULL, x.latch);
    end_loop(s, &x);
    LLVMBuildBr(s->b, behind);
}

// Vectors within rows.
static void sweep_rows(struct sweep *s) {
    LLVMValueRef rows = LLVMBuildMul(s->b, s->size[1], s->size[2], ""), one = gcl_u32(s->m, 1);
    if (!s->count) {
        struct counter row = begin_loop(s, rows, one);
        sweep_row(s, row.value, row.latch);
        end_loop(s, &row);
        return;
    }
    LLVMValueRef few = gcl_u32(s->m, GCL_STRIP_ROWS);
    struct counter group = begin_loop(s, rows, few);
    struct counter blocks = begin_blocks(s, gcl_u32(s->m, 0));
    struct counter row = begin_loop(s, at_most(s, few, rows, group.value), one);
    sweep_row(s, LLVMBuildAdd(s->b, group.value, row.value, ""), row.latch);
    end_loop(s, &row);
    end_blocks(s, &blocks);
    LLVMBuildBr(s->b, group.latch);
    end_loop(s, &group);
}

// The vector that begins at thread `t`, whatever the rows. Coordinates are those of its first lane.
static void run_number(struct sweep *s, LLVMValueRef t, LLVMBasicBlockRef behind) {
    LLVMValueRef lanes = gcl_u32(s->m, s->build->lanes), suits = NULL;
    set_number(s, t);
    if (!gcl_variant_is_shaped(s->build->variant)) { // one row alone, or rows of whole vectors
        LLVMValueRef rest = LLVMBuildURem(s->b, s->size[0], lanes, "");
        suits = LLVMBuildOr(s->b, LLVMBuildICmp(s->b, LLVMIntEQ, rest, gcl_u32(s->m, 0), ""),
                            LLVMBuildICmp(s->b, LLVMIntEQ, s->size[0], s->threads, ""), "");
    }
    run_vector(s, t, vector_count(s, t, s->threads), suits, behind);
}

// Vectors one after the other.
static void sweep_numbers(struct sweep *s) {
    LLVMValueRef lanes = gcl_u32(s->m, s->build->lanes);
    if (!s->count) {
        struct counter t = begin_loop(s, s->threads, lanes);
        run_number(s, t.value, t.latch);
        end_loop(s, &t);
        return;
    }
    uint32_t row = s->build->variant->block_size[0]; // of vectors that are rows
    LLVMValueRef few = gcl_u32(s->m, MAX(GCL_STRIP_ROWS * row, s->build->lanes));
    struct counter group = begin_loop(s, s->threads, few);
    struct counter blocks = begin_blocks(s, gcl_u32(s->m, 0));
    struct counter t = begin_loop(s, at_most(s, few, s->threads, group.value), lanes);
    run_number(s, LLVMBuildAdd(s->b, group.value, t.value, ""), t.latch);
    end_loop(s, &t);
    end_blocks(s, &blocks);
    LLVMBuildBr(s->b, group.latch);
    end_loop(s, &group);
}

// The state of vector `number`.
static LLVMValueRef state_of(struct sweep *s, LLVMValueRef states, LLVMValueRef number) {
    LLVMTypeRef state = LLVMArrayType2(LLVMInt8TypeInContext(s->m->context), s->build->state_size);
    return LLVMBuildInBoundsGEP2(s->b, state, states, &number, 1, "");
}

// Calls the function for whole vectors for the one at thread `t`, once more unless it is done.
// `any`: where it is noted that one has paused. Ends in block `behind`.
static void step_vector(struct sweep *s, LLVMValueRef t, LLVMValueRef state, LLVMValueRef any,
                        LLVMBasicBlockRef behind) {
    LLVMTypeRef i32 = gcl_i32(s->m);
    LLVMBasicBlockRef run = new_block(s, "step"), done = new_block(s, "done");
    LLVMBasicBlockRef paused = new_block(s, "paused");
    LLVMValueRef is = LLVMBuildLoad2(s->b, i32, state, "");
    LLVMValueRef is_done = LLVMBuildICmp(s->b, LLVMIntEQ, is, gcl_u32(s->m, GCL_STATE_DONE), "");
    LLVMBuildCondBr(s->b, is_done, behind, run);
    LLVMPositionBuilderAtEnd(s->b, run);
    set_number(s, t);
    note_vector(s, t);
    unsigned count = LLVMCountParams(s->build->lane);
    s->arguments[count] = state;
    LLVMTypeRef type = LLVMGlobalGetValueType(s->build->full);
    LLVMValueRef next = LLVMBuildCall2(s->b, type, s->build->full, s->arguments, count + 1, "");
    LLVMValueRef is_paused = LLVMBuildICmp(s->b, LLVMIntEQ, next, gcl_u32(s->m, GCL_PAUSED), "");
    LLVMBuildCondBr(s->b, is_paused, paused, done);
    LLVMPositionBuilderAtEnd(s->b, paused);
    LLVMBuildStore(s->b, gcl_u32(s->m, 1), any);
    LLVMBuildBr(s->b, behind);
    LLVMPositionBuilderAtEnd(s->b, done);
    LLVMBuildStore(s->b, gcl_u32(s->m, GCL_STATE_DONE), state);
    note_next(s, next);
    LLVMBuildBr(s->b, behind);
}

// One round: a few iterations of each vector of the blocks from `first` on, `count` of them.
static void step_blocks(struct sweep *s, LLVMValueRef first, LLVMValueRef count,
                        LLVMValueRef states, LLVMValueRef any) {
    unsigned lanes = s->build->lanes;
    LLVMValueRef vectors = gcl_u32(s->m, gcl_variant_threads(s->build->variant) / lanes);
    LLVMValueRef all = s->count;
    s->count = LLVMBuildAdd(s->b, first, count, "");
    struct counter t = begin_loop(s, s->threads, gcl_u32(s->m, lanes));
    struct counter blocks = begin_blocks(s, first);
    LLVMValueRef number = LLVMBuildSub(s->b, blocks.value, first, "");
    number = LLVMBuildMul(s->b, number, vectors, "");
    number = LLVMBuildAdd(s->b, number, LLVMBuildUDiv(s->b, t.value, gcl_u32(s->m, lanes), ""), "");
    step_vector(s, t.value, state_of(s, states, number), any, blocks.latch);
    end_loop(s, &blocks);
    s->block = s->blocks;
    LLVMBuildBr(s->b, t.latch);
    end_loop(s, &t);
    s->count = all;
}

// All vectors of as many blocks as there is room for, a few iterations each in turn: a row of
// memory along x is read on one go, as processors expect it.
static void sweep_steps(struct sweep *s) {
    enum { ROOM = 1 << 16 }; // bytes of states, beside what the iterations read in the second cache
    LLVMTypeRef i8 = LLVMInt8TypeInContext(s->m->context), i32 = gcl_i32(s->m);
    uint32_t vectors = gcl_variant_threads(s->build->variant) / s->build->lanes;
    uint64_t fitting = ROOM / (s->build->state_size * vectors);
    uint32_t most = (uint32_t)MAX(fitting, 1);
    LLVMValueRef any = LLVMBuildAlloca(s->b, i32, "any"), few = gcl_u32(s->m, most);
    LLVMValueRef states =
        LLVMBuildAlloca(s->b, LLVMArrayType2(i8, s->build->state_size * vectors * most), "states");
    LLVMSetAlignment(states, 64);
    LLVMValueRef alone = LLVMBuildICmp(s->b, LLVMIntEQ, s->count, gcl_u32(s->m, 1), "");
    LLVMValueRef first = LLVMBuildSelect(s->b, alone, gcl_u32(s->m, GCL_STATE_ALONE),
                                         gcl_u32(s->m, GCL_STATE_FRESH), "");
    struct counter group = begin_loop(s, s->count, few);
    LLVMValueRef count = at_most(s, few, s->count, group.value);
    struct counter start =
        begin_loop(s, LLVMBuildMul(s->b, count, gcl_u32(s->m, vectors), ""), gcl_u32(s->m, 1));
    LLVMBuildStore(s->b, first, state_of(s, states, start.value));
    LLVMBuildBr(s->b, start.latch);
    end_loop(s, &start);
    LLVMBasicBlockRef round = new_block(s, "round");
    LLVMBuildBr(s->b, round);
    LLVMPositionBuilderAtEnd(s->b, round);
    LLVMBuildStore(s->b, gcl_u32(s->m, 0), any);
    step_blocks(s, group.value, count, states, any);
    LLVMValueRef goes_on =
        LLVMBuildICmp(s->b, LLVMIntNE, LLVMBuildLoad2(s->b, i32, any, ""), gcl_u32(s->m, 0), "");
    LLVMBuildCondBr(s->b, goes_on, round, group.latch);
    end_loop(s, &group);
}

// All threads, by the function for parts of a block.
static void sweep_rest(struct sweep *s) {
    struct counter blocks;
    if (s->count)
        blocks = begin_blocks(s, gcl_u32(s->m, 0));
    run_rest(s, gcl_u32(s->m, 0), s->threads, gcl_u32(s->m, GCL_ANYWHERE));
    if (s->count)
        end_blocks(s, &blocks);
}

// Calls the lane function for `count` threads of one row, from `first` on, one after the other.
static void run_threads(struct sweep *s, LLVMValueRef first, LLVMValueRef count) {
    struct gcl_module *m = s->m;
    LLVMValueRef lane = s->build->lane;
    LLVMValueRef *number =
        &s->arguments[LLVMCountParams(s->build->kernel->function) + GCL_LANE_THREAD];
    LLVMValueRef x = number[1];
    struct counter i = begin_loop(s, count, gcl_u32(m, 1));
    LLVMBasicBlockRef run = new_block(s, "run");
    LLVMValueRef thread = LLVMBuildAdd(s->b, first, i.value, "");
    LLVMValueRef next_place = gcl_block_element(m, s->b, s->block, GCL_BLOCK_NEXT, thread);
    if (gcl_choose_may_part(s->build->kernel)) {
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
    number[0] = thread;
    number[1] = LLVMBuildAdd(s->b, x, i.value, "");
    if (gcl_retries_needs_thread(lane))
        LLVMBuildStore(s->b, thread, gcl_block_field(m, s->b, s->block, GCL_BLOCK_THREAD, 0));
    note_running(s, thread, gcl_u32(m, 1));
    LLVMValueRef next = LLVMBuildCall2(s->b, LLVMGlobalGetValueType(lane), lane, s->arguments,
                                       LLVMCountParams(lane), "");
    if (s->build->region->diverges)
        LLVMBuildStore(s->b, next, next_place);
    note_next(s, next);
    LLVMBuildBr(s->b, i.latch);
    end_loop(s, &i);
}

// The lanes of one vector that are meant: `count` of them, behind `before` others. `first` is the
// thread of the first lane.
static void run_lanes(struct sweep *s, LLVMValueRef first, LLVMValueRef before,
                      LLVMValueRef count) {
    LLVMBasicBlockRef run = new_block(s, "run"), behind = new_block(s, "behind");
    LLVMValueRef bits = first_lanes(s, count);
    bits = LLVMBuildShl(s->b, bits, LLVMBuildIntCast2(s->b, before, LLVMTypeOf(bits), 0, ""), "");
    if (gcl_choose_may_part(s->build->kernel))
        bits = lanes_here(s, first, bits);
    LLVMValueRef any = LLVMBuildICmp(s->b, LLVMIntNE, bits, LLVMConstNull(LLVMTypeOf(bits)), "");
    LLVMBuildCondBr(s->b, any, run, behind);
    LLVMPositionBuilderAtEnd(s->b, run);
    note_running(s, LLVMBuildAdd(s->b, first, before, ""), count);
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

// Runs the first ones of the threads from `t` to `end`, and returns how many: what lies in one row,
// and in one vector. Vectors begin where those of whole rows do, on which ir/uniformity.c counts:
// what runs may begin later. Warps go on in the next row.
static LLVMValueRef run_piece(struct sweep *s, LLVMValueRef t, LLVMValueRef end,
                              LLVMValueRef axis[3]) {
    struct gcl_module *m = s->m;
    LLVMValueRef count = LLVMBuildSub(s->b, end, t, ""), before = gcl_u32(m, 0);
    bool has_warps = s->build->region->has_warps;
    unsigned lanes = s->build->lanes;
    if (!has_warps)
        count = gcl_minimum(s->b, count, LLVMBuildSub(s->b, s->size[0], axis[0], ""));
    if (!has_warps && lanes > 0)
        before = LLVMBuildAnd(s->b, axis[0], gcl_u32(m, lanes - 1), "");
    if (lanes > 0)
        count = gcl_minimum(s->b, count, LLVMBuildSub(s->b, gcl_u32(m, lanes), before, ""));
    LLVMValueRef first = LLVMBuildSub(s->b, t, before, "");
    if (has_warps)
        set_number(s, first);
    else
        set_thread(s, first, LLVMBuildSub(s->b, axis[0], before, ""), axis[1], axis[2]);
    if (lanes > 0)
        run_lanes(s, first, before, count);
    else
        run_threads(s, first, count);
    return count;
}

static void sweep_pieces(struct sweep *s, LLVMValueRef begin, LLVMValueRef end) {
    LLVMValueRef axis[3], places[3];
    gcl_block_thread_axes(s->b, begin, s->size, axis);
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
    LLVMValueRef count = run_piece(s, t, end, axis);
    step_place(s, places, count);
    LLVMValueRef next = LLVMBuildAdd(s->b, t, count, "");
    LLVMBasicBlockRef latch = LLVMGetInsertBlock(s->b);
    LLVMAddIncoming(t, &next, &latch, 1);
    LLVMBuildCondBr(s->b, LLVMBuildICmp(s->b, LLVMIntULT, next, end, ""), head, done);
    LLVMPositionBuilderAtEnd(s->b, done);
}

// Few vectors, with what they keep in registers.
static void sweep_held(struct sweep *s) {
    const uint32_t *size = s->build->variant->block_size;
    for (uint32_t t = 0; t < size[0] * size[1] * size[2]; t += s->build->lanes) {
        set_number(s, gcl_u32(s->m, t));
        note_vector(s, gcl_u32(s->m, t));
        call(s, s->build->full, NULL);
    }
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

// What calls of the lane function, and of those for vectors, have in common.
static void load_arguments(struct sweep *s) {
    const struct gcl_device_kernel *kernel = s->build->kernel;
    unsigned count = LLVMCountParams(kernel->function);
    s->arguments = g_new0(LLVMValueRef, LLVMCountParams(s->build->lane) + 1);
    gcl_block_load_arguments(s->m, s->b, s->block, kernel->function, s->arguments);
    s->arguments[count] = s->block;
    s->arguments[count + GCL_LANE_KEPT] = s->kept;
    s->arguments[count + GCL_LANE_LEFT] = s->left;
    s->arguments[count + GCL_LANE_FRAME] = s->frame;
}

// Writes down where each thread goes on, for vectors that have said so for the first lane alone:
// the second one has GCL_DIVERGED there.
static void spread_next(struct sweep *s) {
    struct gcl_module *m = s->m;
    LLVMTypeRef i32 = gcl_i32(m);
    LLVMValueRef one = gcl_u32(m, 1), lanes = gcl_u32(m, s->build->lanes);
    struct counter t = begin_loop(s, LLVMBuildSub(s->b, s->threads, one, ""), one);
    LLVMBasicBlockRef spread = new_block(s, "spread");
    LLVMValueRef first = gcl_block_element(m, s->b, s->block, GCL_BLOCK_NEXT, t.value);
    LLVMValueRef second = LLVMBuildInBoundsGEP2(s->b, i32, first, &one, 1, "");
    LLVMValueRef mark = LLVMBuildLoad2(s->b, i32, second, "");
    LLVMValueRef is_marked = LLVMBuildICmp(s->b, LLVMIntEQ, mark, gcl_u32(m, GCL_DIVERGED), "");
    LLVMBuildCondBr(s->b, is_marked, spread, t.latch);
    LLVMPositionBuilderAtEnd(s->b, spread);
    LLVMValueRef next = LLVMBuildLoad2(s->b, i32, first, "");
    struct counter l = begin_loop(s, lanes, one);
    LLVMBuildStore(s->b, next, LLVMBuildInBoundsGEP2(s->b, i32, first, &l.value, 1, ""));
    LLVMBuildBr(s->b, l.latch);
    end_loop(s, &l);
    LLVMBuildBr(s->b, t.latch);
    end_loop(s, &t);
}

// `spreads`: some vectors may have said where they go on for their first lane alone.
static LLVMValueRef end(struct sweep *s, bool spreads) {
    LLVMValueRef low = LLVMBuildLoad2(s->b, gcl_i32(s->m), s->low, "");
    LLVMValueRef high = LLVMBuildLoad2(s->b, gcl_i32(s->m), s->high, "");
    LLVMValueRef same = LLVMBuildICmp(s->b, LLVMIntEQ, low, high, "");
    LLVMBasicBlockRef together = new_block(s, "together"), apart = new_block(s, "apart");
    LLVMBuildCondBr(s->b, same, together, apart);
    LLVMPositionBuilderAtEnd(s->b, together);
    LLVMBuildRet(s->b, low);
    LLVMPositionBuilderAtEnd(s->b, apart);
    if (spreads)
        spread_next(s);
    LLVMBuildRet(s->b, gcl_u32(s->m, GCL_DIVERGED));
    LLVMDisposeBuilder(s->b);
    g_free(s->arguments);
    return s->function;
}

LLVMValueRef gcl_sweep_build_rest(const struct gcl_vector_build *build, guint number) {
    struct sweep s = {.build = build, .m = build->m};
    LLVMTypeRef i32 = gcl_i32(s.m), parameters[] = {gcl_ptr(s.m), gcl_ptr(s.m), i32, i32, i32};
    begin(&s, number, "rest", parameters, G_N_ELEMENTS(parameters));
    gcl_module_add_attribute(s.m, s.function, "noinline");
    s.kept = s.frame = gcl_block_load(s.m, s.b, s.block, GCL_BLOCK_FRAME, 0);
    s.left = LLVMGetParam(s.function, 1);
    s.here = LLVMGetParam(s.function, 4);
    load_arguments(&s);
    sweep_pieces(&s, LLVMGetParam(s.function, 2), LLVMGetParam(s.function, 3));
    return end(&s, false);
}

// What regions pass on once a block is written to a copy, so that every vector finds what the
// region before has left.
static void begin_copy(struct sweep *s) {
    s->left = gcl_frame_add_kept(s->m, s->b, s->build->kernel);
    s->passed = gcl_frame_add_kept(s->m, s->b, s->build->kernel);
    gcl_frame_copy_kept(s->m, s->b, s->build->region->leaves, s->left, s->kept);
}

static void end_copy(struct sweep *s) {
    gcl_frame_copy_kept(s->m, s->b, s->build->region->leaves, s->kept, s->left);
}

LLVMValueRef gcl_sweep_build_some(const struct gcl_vector_build *build, guint number) {
    struct sweep s = {.build = build, .m = build->m};
    LLVMTypeRef parameters[] = {gcl_ptr(s.m), gcl_i32(s.m)};
    begin(&s, number, "some", parameters, G_N_ELEMENTS(parameters));
    gcl_module_add_attribute(s.m, s.function, "alwaysinline");
    s.kept = gcl_block_load(s.m, s.b, s.block, GCL_BLOCK_FRAME, 0);
    begin_copy(&s);
    run_rest(&s, gcl_u32(s.m, 0), s.threads, LLVMGetParam(s.function, 1));
    end_copy(&s);
    return end(&s, false);
}

LLVMValueRef gcl_sweep_build(const struct gcl_vector_build *build, guint number) {
    struct sweep s = {.build = build, .m = build->m};
    LLVMTypeRef parameters[] = {gcl_ptr(s.m), gcl_i32(s.m), gcl_ptr(s.m), gcl_ptr(s.m)};
    begin(&s, number, "all", parameters, G_N_ELEMENTS(parameters));
    gcl_module_add_attribute(s.m, s.function, "alwaysinline");
    s.blocks = s.block;
    s.count = build->kernel->strips ? LLVMGetParam(s.function, 1) : NULL;
    s.kept = LLVMGetParam(s.function, 2);
    s.frame = LLVMGetParam(s.function, 3);
    begin_copy(&s);
    load_arguments(&s);
    if (!s.count)
        note_block(&s);
    if (!build->full)
        sweep_rest(&s);
    else if (build->pauses)
        sweep_steps(&s);
    else if (build->holds)
        sweep_held(&s);
    else if (gcl_choose_geometry(build, true).linear)
        sweep_numbers(&s);
    else
        sweep_rows(&s);
    end_copy(&s);
    return end(&s, build->full && build->region->diverges);
}
