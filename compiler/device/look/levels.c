// A loop for each level of the nest, as runtime/plan/inspect/inspect.c goes through them, but the
// innermost one is two: strips of as many iterations as there is room for offsets, and in each the
// loop over its iterations, which has no branch but those around loads, and calls nothing, so that
// LLVM vectorises it. What is found wrong in a strip shows when it ends.
//
// A lane goes on, as in an inspection, where guards hold or aren't known. Whether something that
// isn't in a window would have made a difference is for the inspection to say: a look that misses
// something in a lane that goes on ends.
#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <stddef.h>
#include <string.h>

#include "device/look/maker.h"
#include "gcluster/look.h"

static LLVMBasicBlockRef block(struct gcl_look_maker *s, const char *name) {
    return LLVMAppendBasicBlockInContext(s->m->context, s->function, name);
}

static LLVMValueRef wide(struct gcl_look_maker *s, LLVMValueRef bit) {
    return LLVMBuildZExt(s->builder, bit, gcl_i64(s->m), "");
}

static LLVMValueRef is_set(struct gcl_look_maker *s, LLVMValueRef value) {
    return LLVMBuildICmp(s->builder, LLVMIntNE, value, LLVMConstNull(LLVMTypeOf(value)), "");
}

static void set(struct gcl_look_maker *s, LLVMValueRef variable, uint64_t value) {
    LLVMBuildStore(s->builder, gcl_u64(s->m, value), variable);
}

/// Sets a variable if `bit`; it stays set.
static void add_bit(struct gcl_look_maker *s, LLVMValueRef variable, LLVMValueRef bit) {
    LLVMValueRef both = LLVMBuildOr(s->builder, gcl_look_read(s, variable), wide(s, bit), "");
    LLVMBuildStore(s->builder, both, variable);
}

/// Goes to `out` if `condition`, else on.
static void leave_if(struct gcl_look_maker *s, LLVMValueRef condition, LLVMBasicBlockRef out) {
    LLVMBasicBlockRef on = block(s, "");
    LLVMBuildCondBr(s->builder, condition, out, on);
    LLVMPositionBuilderAtEnd(s->builder, on);
}

// What a lane does.

/// Whether a lane of a level goes on; `*is_doubtful`: if it does, some guard isn't known.
static LLVMValueRef find_chosen(struct gcl_look_maker *s, unsigned at, LLVMValueRef *is_doubtful) {
    const struct gcl_nest_list guards = s->nest->levels[at].guards;
    LLVMBuilderRef b = s->builder;
    LLVMValueRef chosen = gcl_look_bit(s, true);
    *is_doubtful = gcl_look_bit(s, false);
    for (uint32_t g = guards.begin; g < guards.end; g++) {
        const struct gcl_guard *guard = &s->nest->program->guards[s->nest->guards[g]];
        const struct gcl_look_value *node = &s->nodes[guard->node];
        LLVMValueRef holds = is_set(s, node->value), unknown = LLVMBuildNot(b, node->known, "");
        if (guard->kind == GCL_GUARD_FAILS)
            holds = LLVMBuildNot(b, holds, "");
        chosen = LLVMBuildAnd(b, chosen, LLVMBuildOr(b, holds, unknown, ""), "");
        *is_doubtful = LLVMBuildOr(b, *is_doubtful, unknown, "");
    }
    return chosen;
}

static const struct gcl_look_value *condition_of(const struct gcl_look_maker *s, unsigned at) {
    return &s->nodes[s->nest->program->guards[s->nest->levels[at].index].node];
}

/// What it costs to compute a lane of a level.
static uint64_t steps_of(const struct gcl_look_maker *s, unsigned at) {
    const struct gcl_nest_list nodes = s->nest->levels[at].nodes;
    return nodes.end - nodes.begin + 1;
}

/// Takes the steps of `lanes` lanes; ends the look if there aren't so many.
static void spend(struct gcl_look_maker *s, unsigned at, LLVMValueRef lanes) {
    LLVMValueRef spent = LLVMBuildMul(s->builder, lanes, gcl_u64(s->m, steps_of(s, at)), "");
    LLVMValueRef left = LLVMBuildSub(s->builder, gcl_look_read(s, s->steps), spent, "");
    LLVMBuildStore(s->builder, left, s->steps);
    LLVMValueRef is_late = LLVMBuildICmp(s->builder, LLVMIntSLT, left, gcl_u64(s->m, 0), "");
    leave_if(s, is_late, s->late);
}

// Taking.

static void store_reading(struct gcl_look_maker *s, LLVMValueRef windows, unsigned i) {
    size_t begin = i * sizeof(struct gcl_look_window);
    LLVMValueRef least =
        gcl_look_at(s, windows, gcl_u64(s->m, begin + offsetof(struct gcl_look_window, least)));
    LLVMValueRef greatest =
        gcl_look_at(s, windows, gcl_u64(s->m, begin + offsetof(struct gcl_look_window, greatest)));
    LLVMBuildStore(s->builder, gcl_look_read(s, s->readings[i].least), least);
    LLVMBuildStore(s->builder, gcl_look_read(s, s->readings[i].greatest), greatest);
}

static void begin_to_fill(struct gcl_look_maker *s) {
    set(s, s->filled, 0);
    set(s, s->sparse, 0);
    for (unsigned i = 0; i < s->nest->origins->load_count; i++) {
        set(s, s->readings[i].least, UINT64_MAX);
        set(s, s->readings[i].greatest, 0);
    }
}

/// Has taken what there is, and ends the look if that is refused.
static void take(struct gcl_look_maker *s) {
    LLVMTypeRef i32 = gcl_i32(s->m), ptr = gcl_ptr(s->m);
    LLVMTypeRef types[] = {ptr, ptr, gcl_i64(s->m), i32};
    LLVMTypeRef type = LLVMFunctionType(i32, types, G_N_ELEMENTS(types), 0);
    LLVMValueRef windows = gcl_look_field(s, ptr, s->look, offsetof(struct gcl_look, windows));
    LLVMValueRef taker = gcl_look_field(s, ptr, s->look, offsetof(struct gcl_look, take));
    for (unsigned i = 0; i < s->nest->origins->load_count; i++)
        store_reading(s, windows, i);
    LLVMValueRef sparse = LLVMBuildTrunc(s->builder, gcl_look_read(s, s->sparse), i32, "");
    LLVMValueRef arguments[] = {s->look, s->offsets, gcl_look_read(s, s->filled), sparse};
    LLVMValueRef goes_on =
        LLVMBuildCall2(s->builder, type, taker, arguments, G_N_ELEMENTS(arguments), "");
    unsigned kind = LLVMGetEnumAttributeKindForName("nocapture", strlen("nocapture"));
    LLVMAddCallSiteAttribute(goes_on, 2, LLVMCreateEnumAttribute(s->m->context, kind, 0));
    begin_to_fill(s);
    leave_if(s, LLVMBuildNot(s->builder, is_set(s, goes_on), ""), s->missed);
}

// Where levels begin and end.

static LLVMValueRef on_axis(struct gcl_look_maker *s, size_t field, unsigned axis) {
    LLVMValueRef value = gcl_look_field(s, gcl_i32(s->m), s->look, field + axis * sizeof(uint32_t));
    return LLVMBuildZExt(s->builder, value, gcl_i64(s->m), "");
}

/// Where a level begins and ends; a loop ends earlier.
static void find_range(struct gcl_look_maker *s, unsigned at, LLVMValueRef *begin,
                       LLVMValueRef *end) {
    const struct gcl_nest_level *level = &s->nest->levels[at];
    *begin = gcl_u64(s->m, 0);
    *end = gcl_u64(s->m, UINT64_MAX);
    if (level->kind == GCL_LEVEL_LOOP)
        return;
    LLVMValueRef size = on_axis(s, offsetof(struct gcl_look, block), level->index);
    *end = size;
    if (level->kind == GCL_LEVEL_THREAD)
        return;
    *begin = on_axis(s, offsetof(struct gcl_look, begin), level->index);
    *end = on_axis(s, offsetof(struct gcl_look, end), level->index);
    if (level->kind == GCL_LEVEL_BLOCK)
        return;
    *begin = LLVMBuildMul(s->builder, *begin, size, "");
    *end = LLVMBuildMul(s->builder, *end, size, "");
}

// The innermost level.

/// Variables of a strip, 64 bits each.
struct strip {
    LLVMValueRef lane;    ///< 0, 1, …
    LLVMValueRef bad;     ///< what some lane does can't be told
    LLVMValueRef goes_on; ///< of a loop: there is another iteration
};

/// Finds the offset of a lane.
static void find_lane(struct gcl_look_maker *s, unsigned at, const struct strip *strip,
                      LLVMValueRef place) {
    const struct gcl_look_value *offset =
        &s->nodes[s->nest->program->accesses[s->nest->access].offset];
    LLVMBuilderRef b = s->builder;
    LLVMValueRef nowhere = gcl_u64(s->m, (uint64_t)GCL_LOOK_NOWHERE), is_doubtful;
    LLVMValueRef chosen = find_chosen(s, at, &is_doubtful);
    LLVMValueRef is_nowhere = LLVMBuildICmp(b, LLVMIntEQ, offset->value, nowhere, "");
    LLVMValueRef is_bad = LLVMBuildOr(b, LLVMBuildNot(b, offset->known, ""), s->has_missed, "");
    is_bad = LLVMBuildAnd(b, chosen, LLVMBuildOr(b, is_bad, is_nowhere, ""), "");
    if (s->nest->levels[at].kind == GCL_LEVEL_LOOP)
        is_bad = LLVMBuildOr(b, is_bad, LLVMBuildNot(b, condition_of(s, at)->known, ""), "");
    LLVMBuildStore(b, LLVMBuildSelect(b, chosen, offset->value, nowhere, ""), place);
    add_bit(s, strip->bad, is_bad);
    add_bit(s, s->doubtful, LLVMBuildAnd(b, chosen, is_doubtful, ""));
    add_bit(s, s->sparse, LLVMBuildNot(b, chosen, ""));
}

/// Has LLVM put no iterations beside each other but those of one vector: loops of kernels tend to
/// be short.
static void keep_narrow(struct gcl_look_maker *s, LLVMValueRef latch) {
    static const char name[] = "llvm.loop.interleave.count", kind[] = "llvm.loop";
    LLVMContextRef context = s->m->context;
    LLVMMetadataRef self = LLVMTemporaryMDNode(context, NULL, 0);
    LLVMMetadataRef count[] = {LLVMMDStringInContext2(context, name, sizeof name - 1),
                               LLVMValueAsMetadata(gcl_u32(s->m, 1))};
    LLVMMetadataRef parts[] = {self, LLVMMDNodeInContext2(context, count, 2)};
    LLVMMetadataRef loop = LLVMMDNodeInContext2(context, parts, 2); // distinct, as it has itself
    LLVMMetadataReplaceAllUsesWith(self, loop);
    LLVMSetMetadata(latch, LLVMGetMDKindIDInContext(context, kind, sizeof kind - 1),
                    LLVMMetadataAsValue(context, loop));
}

/// The loop over the lanes of a strip, which counts from `first` on, up to `count` of them.
static void make_lanes(struct gcl_look_maker *s, unsigned at, const struct strip *strip,
                       LLVMValueRef first, LLVMValueRef count) {
    LLVMBasicBlockRef lanes = block(s, "lanes"), after = block(s, "");
    LLVMBuilderRef b = s->builder;
    LLVMTypeRef i64 = gcl_i64(s->m);
    LLVMValueRef filled = gcl_look_read(s, s->filled);
    LLVMValueRef begin = LLVMBuildGEP2(b, i64, s->offsets, &filled, 1, "");
    set(s, strip->lane, 0);
    set(s, strip->bad, 0);
    LLVMBuildBr(b, lanes);
    LLVMPositionBuilderAtEnd(b, lanes);
    LLVMValueRef lane = gcl_look_read(s, strip->lane);
    s->counters[at] = LLVMBuildAdd(b, first, lane, "");
    gcl_look_compute_nodes(s, at);
    find_lane(s, at, strip, LLVMBuildGEP2(b, i64, begin, &lane, 1, ""));
    LLVMValueRef next = LLVMBuildAdd(b, lane, gcl_u64(s->m, 1), "");
    LLVMValueRef goes_on = LLVMBuildICmp(b, LLVMIntULT, next, count, "");
    LLVMBuildStore(b, next, strip->lane);
    if (s->nest->levels[at].kind == GCL_LEVEL_LOOP) {
        LLVMValueRef has_next = is_set(s, condition_of(s, at)->value);
        LLVMBuildStore(b, wide(s, has_next), strip->goes_on);
        goes_on = LLVMBuildAnd(b, goes_on, has_next, "");
    }
    LLVMValueRef latch = LLVMBuildCondBr(b, goes_on, lanes, after);
    if (s->nest->levels[at].kind == GCL_LEVEL_LOOP)
        keep_narrow(s, latch);
    LLVMPositionBuilderAtEnd(b, after);
}

static void make_strips(struct gcl_look_maker *s, unsigned at) {
    struct strip strip = {gcl_look_variable(s), gcl_look_variable(s), gcl_look_variable(s)};
    LLVMBasicBlockRef head = block(s, "strips"), full = block(s, "full"), done = block(s, "");
    LLVMBuilderRef b = s->builder;
    LLVMValueRef counter = gcl_look_variable(s), begin, end, room = gcl_u64(s->m, GCL_LOOK_ROOM);
    find_range(s, at, &begin, &end);
    LLVMBuildStore(b, begin, counter);
    set(s, strip.goes_on, 1);
    LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, head);
    LLVMValueRef first = gcl_look_read(s, counter);
    LLVMValueRef is_more = LLVMBuildICmp(b, LLVMIntULT, first, end, "");
    is_more = LLVMBuildAnd(b, is_more, is_set(s, gcl_look_read(s, strip.goes_on)), "");
    leave_if(s, LLVMBuildNot(b, is_more, ""), done);
    LLVMValueRef left = LLVMBuildSub(b, room, gcl_look_read(s, s->filled), "");
    make_lanes(s, at, &strip, first, gcl_minimum(b, left, LLVMBuildSub(b, end, first, "")));
    LLVMValueRef lanes = gcl_look_read(s, strip.lane);
    LLVMValueRef filled = LLVMBuildAdd(b, gcl_look_read(s, s->filled), lanes, "");
    LLVMBuildStore(b, LLVMBuildAdd(b, first, lanes, ""), counter);
    LLVMBuildStore(b, filled, s->filled);
    leave_if(s, is_set(s, gcl_look_read(s, strip.bad)), s->missed);
    spend(s, at, lanes);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, filled, room, ""), full, head);
    LLVMPositionBuilderAtEnd(b, full);
    take(s);
    LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, done);
}

// Levels around it.

static void make_level(struct gcl_look_maker *s, unsigned at);

/// What a lane of a level does that others are inside of; goes to `next` then.
static void make_outer_lane(struct gcl_look_maker *s, unsigned at, LLVMBasicBlockRef next) {
    LLVMBasicBlockRef inside = block(s, "inside");
    LLVMValueRef is_doubtful;
    gcl_look_compute_nodes(s, at);
    spend(s, at, gcl_u64(s->m, 1));
    if (s->nest->levels[at].kind == GCL_LEVEL_LOOP)
        leave_if(s, LLVMBuildNot(s->builder, condition_of(s, at)->known, ""), s->missed);
    LLVMValueRef chosen = find_chosen(s, at, &is_doubtful);
    LLVMBuildCondBr(s->builder, chosen, inside, next);
    LLVMPositionBuilderAtEnd(s->builder, inside);
    leave_if(s, s->has_missed, s->missed);
    add_bit(s, s->doubtful, is_doubtful);
    make_level(s, at + 1);
    LLVMBuildBr(s->builder, next);
}

static void make_outer(struct gcl_look_maker *s, unsigned at) {
    LLVMBasicBlockRef head = block(s, "level"), next = block(s, "next"), done = block(s, "");
    LLVMBuilderRef b = s->builder;
    LLVMValueRef counter = gcl_look_variable(s), begin, end;
    find_range(s, at, &begin, &end);
    LLVMBuildStore(b, begin, counter);
    LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, head);
    s->counters[at] = gcl_look_read(s, counter);
    leave_if(s, LLVMBuildICmp(b, LLVMIntUGE, s->counters[at], end, ""), done);
    make_outer_lane(s, at, next);
    LLVMPositionBuilderAtEnd(b, next);
    LLVMBuildStore(b, LLVMBuildAdd(b, s->counters[at], gcl_u64(s->m, 1), ""), counter);
    if (s->nest->levels[at].kind == GCL_LEVEL_LOOP)
        LLVMBuildCondBr(b, is_set(s, condition_of(s, at)->value), head, done);
    else
        LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, done);
}

static void make_level(struct gcl_look_maker *s, unsigned at) {
    if (at + 1 == s->nest->count)
        make_strips(s, at);
    else
        make_outer(s, at);
}

static void make_end(struct gcl_look_maker *s, LLVMBasicBlockRef end, enum gcl_look_end result) {
    LLVMPositionBuilderAtEnd(s->builder, end);
    LLVMBuildRet(s->builder, gcl_u32(s->m, result));
}

void gcl_look_make_levels(struct gcl_look_maker *s) {
    LLVMValueRef is_doubtful;
    LLVMBasicBlockRef around = block(s, "");
    assert(s->nest->count > 1);
    begin_to_fill(s);
    set(s, s->doubtful, 0);
    LLVMBuildStore(s->builder,
                   gcl_look_field(s, gcl_i64(s->m), s->look, offsetof(struct gcl_look, steps)),
                   s->steps);
    s->counters[0] = gcl_u64(s->m, 0);
    gcl_look_compute_nodes(s, 0);
    leave_if(s, s->has_missed, s->missed);
    LLVMValueRef chosen = find_chosen(s, 0, &is_doubtful);
    add_bit(s, s->doubtful, LLVMBuildAnd(s->builder, chosen, is_doubtful, ""));
    leave_if(s, LLVMBuildNot(s->builder, chosen, ""), around);
    make_level(s, 1);
    LLVMBuildBr(s->builder, around);
    LLVMPositionBuilderAtEnd(s->builder, around);
    take(s);
    LLVMValueRef doubt =
        gcl_look_at(s, s->look, gcl_u64(s->m, offsetof(struct gcl_look, is_doubtful)));
    LLVMValueRef is_any = gcl_look_read(s, s->doubtful);
    LLVMBuildStore(s->builder, LLVMBuildTrunc(s->builder, is_any, gcl_i32(s->m), ""), doubt);
    LLVMBuildBr(s->builder, s->found);
    make_end(s, s->found, GCL_LOOK_FOUND);
    make_end(s, s->missed, GCL_LOOK_MISSED);
    make_end(s, s->late, GCL_LOOK_LONG);
}
