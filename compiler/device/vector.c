// Builds the code of a region from its lane function: one function for a vector of threads that all
// run, one for vectors of which some do, and around them a loop over the block.
//
// How the lanes lie over the block follows from its shape where that is known, and from what the
// kernel does: warp operations need vectors that are warps. Where x doesn't follow the lane, the
// vectors of a warp take the second function, with coordinates of their own for every lane.
#include "vector.h"

#include <string.h>

#include "intrinsics.h"
#include "shim.h"

enum { WARP = 32 };

// The two functions and what they are made from.
struct build {
    struct gcl_module *m;
    const struct gcl_device_kernel *kernel;
    const struct gcl_device_region *region;
    const struct gcl_device_variant *variant;
    LLVMValueRef lane;
    const struct gcl_cfg *cfg;
    bool has_warps;   ///< the kernel has warp operations
    bool is_long;     ///< too long for two functions
    bool is_threaded; ///< not worth vectors at all: runs thread by thread
    unsigned lanes;
    LLVMValueRef full; ///< NULL for long regions
    LLVMValueRef masked;
};

static bool is_warp_operation(LLVMValueRef i) {
    const struct gcl_intrinsic *intrinsic = LLVMIsACallInst(i) ? gcl_intrinsic_find(i) : NULL;
    return intrinsic && intrinsic->kind == GCL_INTRINSIC_CUT;
}

static bool any_instruction(LLVMValueRef function, bool (*is)(LLVMValueRef)) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (is(i))
                return true;
        }
    }
    return false;
}

static bool has_warps(const struct gcl_device_kernel *kernel) {
    for (guint r = 0; r < kernel->regions->len; r++) {
        if (any_instruction(g_array_index(kernel->regions, struct gcl_device_region, r).lane,
                            is_warp_operation))
            return true;
    }
    return false;
}

// Lanes.

enum { SHORT = 200, LONG = 800 };

unsigned gcl_lane_length(LLVMValueRef lane) {
    unsigned length = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(lane); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            length++;
    }
    return length;
}

// Vectors of 32-bit values that fill four registers: enough to hide latencies, few enough that
// loops keep what they need in registers. Long code has more to keep, and would grow with the
// lanes.
static unsigned choose_lanes(const struct build *b, unsigned length) {
    uint32_t level = b->variant->target->level;
    unsigned lanes = level == GCL_CPU_V4 ? 64 : level == GCL_CPU_V3 ? 32 : 16;
    if (b->has_warps)
        return WARP;
    if (length > SHORT)
        return length > LONG ? lanes / 4 : lanes / 2;
    // Rows read what they share once.
    bool has_rows = b->variant->block_size[1] > 1 && b->variant->block_size[0] < lanes;
    return has_rows && level == GCL_CPU_V4 ? 2 * lanes : lanes;
}

static bool is_shaped(const struct gcl_device_variant *variant) {
    return variant->block_size[0] != 0;
}

static struct gcl_geometry choose_geometry(const struct build *b, bool is_full) {
    const uint32_t *size = b->variant->block_size;
    unsigned lanes = b->lanes;
    struct gcl_geometry row = {GCL_GEOMETRY_ROW, lanes, lanes, b->has_warps};
    struct gcl_geometry any = {GCL_GEOMETRY_ANY, lanes, lanes, true};
    if (!is_shaped(b->variant))
        return b->has_warps && !is_full ? any : row;
    if (size[0] % lanes == 0 || (b->has_warps && size[1] * size[2] == 1))
        return row;
    bool fills = lanes % size[0] == 0 && (size[2] == 1 || size[0] * size[1] % lanes == 0);
    if (fills && size[0] > 1 && size[0] < lanes && size[1] * size[2] > 1)
        return (struct gcl_geometry){GCL_GEOMETRY_ROWS, lanes, size[0], true};
    return b->has_warps ? any : row;
}

// Guards.

static bool has_effect(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
        return true;
    case LLVMCall: {
        size_t length;
        LLVMValueRef callee = LLVMGetCalledValue(i);
        return !LLVMIsAFunction(callee) || gcl_intrinsic_find(i) ||
               strncmp(LLVMGetValueName2(callee, &length), "llvm.", 5) != 0 ||
               strncmp(LLVMGetValueName2(callee, &length), "llvm.mem", 8) == 0;
    }
    default:
        return false;
    }
}

// Whether a number depends on the block's place in the grid.
static bool is_global(const struct gcl_vector *v, LLVMValueRef value, unsigned depth) {
    if (!LLVMIsAInstruction(value) || depth == 0)
        return false;
    if (LLVMIsALoadInst(value)) {
        LLVMValueRef place = LLVMGetOperand(value, 0), block = LLVMGetParam(v->source, v->block_at);
        int64_t offset = place == block ? 0 : gcl_shim_offset(v->m->layout, place);
        return (place == block ||
                (LLVMIsAGetElementPtrInst(place) && LLVMGetOperand(place, 0) == block)) &&
               offset >= 0 && offset < (int64_t)G_STRUCT_OFFSET(struct gcl_block, block_size);
    }
    for (int n = 0; n < LLVMGetNumOperands(value); n++) {
        if (is_global(v, LLVMGetOperand(value, (unsigned)n), depth - 1))
            return true;
    }
    return false;
}

// A comparison of places in the grid, and not for equality: few vectors lie on both sides of it.
static bool is_bound(const struct gcl_vector *v, LLVMValueRef condition, unsigned depth) {
    if (gcl_vector_info(v, condition).shape == GCL_SHAPE_UNIFORM)
        return true;
    if (!LLVMIsAInstruction(condition) || depth == 0)
        return false;
    switch (LLVMGetInstructionOpcode(condition)) {
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return is_bound(v, LLVMGetOperand(condition, 0), depth - 1) &&
               is_bound(v, LLVMGetOperand(condition, 1), depth - 1);
    case LLVMSelect:
        return is_bound(v, LLVMGetOperand(condition, 0), depth - 1) &&
               is_bound(v, LLVMGetOperand(condition, 1), depth - 1) &&
               is_bound(v, LLVMGetOperand(condition, 2), depth - 1);
    case LLVMICmp:
        return LLVMGetICmpPredicate(condition) != LLVMIntEQ &&
               LLVMGetICmpPredicate(condition) != LLVMIntNE &&
               gcl_vector_info(v, LLVMGetOperand(condition, 0)).shape != GCL_SHAPE_DIVERGENT &&
               gcl_vector_info(v, LLVMGetOperand(condition, 1)).shape != GCL_SHAPE_DIVERGENT &&
               is_global(v, condition, 8);
    default:
        return false;
    }
}

// Branches before which nothing has had an effect: starting anew from there costs little.
static void find_guards(struct gcl_vector *v) {
    enum { FEW = 64 };
    g_autofree int *before = g_new0(int, v->cfg->count);
    for (int b = 0; b < v->cfg->count; b++) {
        const struct gcl_cfg_block *block = &v->cfg->blocks[b];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block->block);
        before[b] = block->loop == GCL_NOWHERE ? 0 : FEW;
        for (int p = 0; p < block->predecessor_count; p++)
            before[b] =
                MAX(before[b], block->predecessors[p] < b ? before[block->predecessors[p]] : FEW);
        LLVMValueRef i = LLVMGetFirstInstruction(block->block);
        for (; i != end && before[b] < FEW; i = LLVMGetNextInstruction(i))
            before[b] = has_effect(i) ? FEW : before[b] + 1;
        v->guards[b] =
            before[b] < FEW && v->u->branches[b] && is_bound(v, LLVMGetCondition(end), 4);
    }
}

// The functions.

static unsigned parameter_count(const struct build *b) {
    return LLVMCountParams(b->lane);
}

static LLVMValueRef declare(const struct build *b, bool is_full) {
    struct gcl_module *m = b->m;
    unsigned count = parameter_count(b);
    g_autofree LLVMTypeRef *types = g_new(LLVMTypeRef, count + 1);
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(LLVMGetParam(b->lane, i));
    types[count] = LLVMIntTypeInContext(m->context, b->lanes);
    size_t length;
    g_autofree char *name = g_strdup_printf("%s.%s.%s", LLVMGetValueName2(b->lane, &length),
                                            b->variant->target->cpu, is_full ? "full" : "masked");
    LLVMTypeRef type = LLVMFunctionType(gcl_i32(m), types, count + (is_full ? 0 : 1), 0);
    LLVMValueRef function = LLVMAddFunction(m->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    gcl_target_set(m, function, b->variant->target);
    const char *inlining = is_full ? "alwaysinline" : "noinline";
    unsigned kinds[] = {LLVMGetEnumAttributeKindForName("nounwind", 8),
                        LLVMGetEnumAttributeKindForName(inlining, strlen(inlining))};
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
        LLVMAddAttributeAtIndex(function, (unsigned)LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(m->context, kinds[i], 0));
    unsigned noalias = LLVMGetEnumAttributeKindForName("noalias", 7);
    for (unsigned i = 1; i <= count; i++) {
        LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(b->lane, i, noalias);
        if (attribute)
            LLVMAddAttributeAtIndex(function, i, attribute);
    }
    return function;
}

// Coordinates of lanes whose numbers are all that is known of them.
static void spread_coordinates(struct gcl_vector *v, const LLVMValueRef thread[4]) {
    LLVMValueRef nx = gcl_block_load(v->m, v->b, v->block, GCL_BLOCK_SIZE, 0);
    LLVMValueRef ny = gcl_block_load(v->m, v->b, v->block, GCL_BLOCK_SIZE, 1);
    LLVMValueRef t = gcl_vector_lanes(v, thread[3]);
    nx = gcl_vector_splat(v, nx);
    ny = gcl_vector_splat(v, ny);
    LLVMValueRef row = gcl_vector_divide(v, LLVMUDiv, t, nx);
    LLVMValueRef axis[] = {gcl_vector_divide(v, LLVMURem, t, nx),
                           gcl_vector_divide(v, LLVMURem, row, ny),
                           gcl_vector_divide(v, LLVMUDiv, row, ny)};
    for (unsigned i = 0; i < 3; i++)
        gcl_vector_define(v, thread[i], (struct gcl_vector_value){.vector = axis[i]});
}

// The lane function's parameters, and thread numbers, as values of the vector function.
static void define_parameters(struct gcl_vector *v, const LLVMValueRef thread[4]) {
    for (unsigned i = 0; i < LLVMCountParams(v->source); i++) {
        struct gcl_vector_value value = {.scalar = LLVMGetParam(v->function, i)};
        LLVMValueRef parameter = LLVMGetParam(v->source, i);
        if (v->geometry.kind == GCL_GEOMETRY_ROWS && parameter == thread[1])
            value.y = gcl_u64(v->m, 1);
        if (v->geometry.kind == GCL_GEOMETRY_ROWS && parameter == thread[3])
            value.y = gcl_u64(v->m, v->geometry.row);
        gcl_vector_define(v, parameter, value);
    }
    if (v->geometry.kind == GCL_GEOMETRY_ANY)
        spread_coordinates(v, thread);
}

// base + offset of the lane at one corner doesn't wrap: as wide as it gets, it is what the width
// of the value can hold.
static LLVMValueRef check_corner(struct gcl_vector *v, LLVMValueRef value, bool is_unsigned,
                                 bool right, bool bottom) {
    struct gcl_value_info info = gcl_vector_info(v, value);
    LLVMTypeRef i64 = gcl_i64(v->m), type = LLVMTypeOf(value);
    int64_t x = right ? info.x_stride * (int64_t)(v->geometry.row - 1) : 0;
    LLVMValueRef y = gcl_vector_y(v, value);
    LLVMValueRef corner =
        LLVMBuildIntCast2(v->b, gcl_vector_scalar(v, value), i64, !is_unsigned, "");
    corner = LLVMBuildAdd(v->b, corner, gcl_u64(v->m, (uint64_t)x), "");
    if (bottom && y) {
        LLVMValueRef rows = gcl_u64(v->m, v->lanes / v->geometry.row - 1);
        corner = LLVMBuildAdd(v->b, corner, LLVMBuildMul(v->b, y, rows, ""), "");
    }
    LLVMValueRef narrow = LLVMBuildTrunc(v->b, corner, type, "");
    LLVMValueRef back = LLVMBuildIntCast2(v->b, narrow, i64, !is_unsigned, "");
    return LLVMBuildICmp(v->b, LLVMIntEQ, back, corner, "");
}

// Values are linear over the lanes, so looking at the corners is enough.
LLVMValueRef gcl_vector_is_linear(struct gcl_vector *v, LLVMValueRef value, bool is_unsigned) {
    LLVMValueRef holds = LLVMConstInt(LLVMInt1TypeInContext(v->m->context), 1, 0);
    bool has_y = gcl_vector_info(v, value).has_y;
    for (unsigned corner = 0; corner < (has_y ? 4 : 2); corner++)
        holds = LLVMBuildAnd(
            v->b, holds, check_corner(v, value, is_unsigned, corner & 1, (corner & 2) != 0), "");
    return holds;
}

static void check_assumptions(struct gcl_vector *v) {
    LLVMValueRef holds = LLVMConstInt(LLVMInt1TypeInContext(v->m->context), 1, 0);
    for (guint i = 0; i < v->u->assumptions->len; i++) {
        const struct gcl_assumption *a =
            &g_array_index(v->u->assumptions, struct gcl_assumption, i);
        holds = LLVMBuildAnd(v->b, holds, gcl_vector_is_linear(v, a->value, a->is_unsigned), "");
    }
    if (LLVMIsAConstant(holds))
        return;
    LLVMBasicBlockRef on = LLVMAppendBasicBlockInContext(v->m->context, v->function, "on");
    LLVMBasicBlockRef wraps = LLVMAppendBasicBlockInContext(v->m->context, v->function, "wraps");
    LLVMBuildCondBr(v->b, holds, on, wraps);
    LLVMPositionBuilderAtEnd(v->b, wraps);
    gcl_vector_hand_over(v);
    LLVMPositionBuilderAtEnd(v->b, on);
}

void gcl_vector_check(struct gcl_vector *v, LLVMValueRef i) {
    if (i == v->last_assumed)
        check_assumptions(v);
}

static LLVMValueRef last_assumed(const struct gcl_vector *v) {
    LLVMValueRef last = NULL;
    LLVMBasicBlockRef entry = v->cfg->blocks[0].block;
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
        for (guint a = 0; a < v->u->assumptions->len; a++) {
            if (g_array_index(v->u->assumptions, struct gcl_assumption, a).value == i)
                last = i;
        }
    }
    return last;
}

static void build_function(const struct build *b, bool is_full) {
    struct gcl_vector v = {
        .m = b->m,
        .kernel = b->kernel,
        .region = b->region,
        .variant = b->variant,
        .source = b->lane,
        .cfg = b->cfg,
        .geometry = choose_geometry(b, is_full),
        .lanes = b->lanes,
        .b = LLVMCreateBuilderInContext(b->m->context),
        .function = is_full ? b->full : b->masked,
        .masked = is_full ? b->masked : NULL,
        .blocks = g_new0(struct gcl_vector_block, b->cfg->count),
        .loops = g_new0(struct gcl_vector_loop, b->cfg->loop_count + 1),
        .guards = g_new0(bool, b->cfg->count),
        .slots = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free),
        .values = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free),
    };
    unsigned count = LLVMCountParams(b->kernel->function);
    LLVMValueRef thread[4];
    for (unsigned i = 0; i < 4; i++)
        thread[i] = LLVMGetParam(v.source, count + 1 + (i + 1) % 4);
    struct gcl_uniformity *u =
        gcl_uniformity_create(b->m, v.source, b->cfg, v.geometry, thread, is_full);
    v.u = u;
    v.block_at = count;
    v.block = LLVMGetParam(v.function, count);
    v.first_thread = LLVMGetParam(v.function, count + 1);
    v.allocas = LLVMAppendBasicBlockInContext(b->m->context, v.function, "slots");
    LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(b->m->context, v.function, "start");
    LLVMPositionBuilderAtEnd(v.b, start);
    define_parameters(&v, thread);
    if (!is_full)
        v.entry_mask =
            LLVMBuildBitCast(v.b, LLVMGetParam(v.function, parameter_count(b)),
                             gcl_vector_type(&v, LLVMInt1TypeInContext(b->m->context)), "mask");
    if (is_full) {
        v.last_assumed = last_assumed(&v);
        find_guards(&v);
        if (gcl_module_dumps(b->m, "uniformity"))
            gcl_uniformity_print(u);
    }
    gcl_vector_plan(&v);
    gcl_vector_body(&v);
    LLVMPositionBuilderAtEnd(v.b, v.allocas);
    LLVMBuildBr(v.b, start);
    gcl_uniformity_destroy(u);
    LLVMDisposeBuilder(v.b);
    g_free(v.blocks);
    g_free(v.loops);
    g_free(v.guards);
    g_hash_table_destroy(v.slots);
    g_hash_table_destroy(v.values);
}

LLVMValueRef gcl_vector_thread(struct gcl_vector *v, LLVMValueRef lane) {
    return LLVMBuildAdd(v->b, v->first_thread, LLVMBuildTrunc(v->b, lane, gcl_i32(v->m), ""), "");
}

void gcl_vector_hand_over(struct gcl_vector *v) {
    unsigned count = LLVMCountParams(v->function);
    g_autofree LLVMValueRef *arguments = g_new(LLVMValueRef, count + 1);
    for (unsigned i = 0; i < count; i++)
        arguments[i] = LLVMGetParam(v->function, i);
    arguments[count] = LLVMConstAllOnes(LLVMIntTypeInContext(v->m->context, v->lanes));
    LLVMTypeRef type = LLVMGlobalGetValueType(v->masked);
    LLVMBuildRet(v->b, LLVMBuildCall2(v->b, type, v->masked, arguments, count + 1, ""));
}

static void store_next(struct gcl_vector *v, LLVMValueRef next) {
    LLVMValueRef place = gcl_block_element(v->m, v->b, v->block, GCL_BLOCK_NEXT, v->first_thread);
    LLVMTypeRef overload[] = {LLVMTypeOf(next), gcl_ptr(v->m)};
    LLVMValueRef arguments[] = {next, place, gcl_u32(v->m, 4), gcl_vector_mask(v, v->entry_mask)};
    gcl_vector_call_intrinsic(v, "llvm.masked.store", overload, 2, arguments, 4);
}

void gcl_vector_return(struct gcl_vector *v, LLVMValueRef next) {
    if (v->region->diverges)
        store_next(v, gcl_vector_lanes(v, next));
    if (gcl_vector_info(v, next).shape == GCL_SHAPE_UNIFORM) {
        LLVMBuildRet(v->b, gcl_vector_scalar(v, next));
        return;
    }
    LLVMValueRef lanes = gcl_vector_lanes(v, next);
    LLVMValueRef low = gcl_vector_reduce(v, "llvm.vector.reduce.umin", lanes, UINT32_MAX);
    LLVMValueRef high = gcl_vector_reduce(v, "llvm.vector.reduce.umax", lanes, 0);
    LLVMValueRef same = LLVMBuildICmp(v->b, LLVMIntEQ, low, high, "");
    LLVMBuildRet(v->b, LLVMBuildSelect(v->b, same, low, gcl_u32(v->m, GCL_DIVERGED), ""));
}

void gcl_vector_remark(struct gcl_vector *v, LLVMValueRef i, const char *what) {
    if (!v->m->options->remarks || !v->masked)
        return;
    gcl_module_remark(v->m, v->kernel, i, what);
}

// The loop over the block.

struct sweep {
    const struct build *build;
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

static void load_arguments(struct sweep *s) {
    struct gcl_module *m = s->m;
    LLVMValueRef kernel = s->build->kernel->function;
    unsigned count = LLVMCountParams(kernel);
    LLVMValueRef packed = gcl_block_load(m, s->b, s->block, GCL_BLOCK_ARGUMENTS, 0);
    for (unsigned i = 0; i < count; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel, i));
        LLVMValueRef offset = gcl_u64(m, gcl_parameter_offset(m, kernel, i));
        LLVMValueRef place =
            LLVMBuildInBoundsGEP2(s->b, LLVMInt8TypeInContext(m->context), packed, &offset, 1, "");
        bool by_value = gcl_parameter_type(kernel, i) != type;
        s->arguments[i] = by_value ? place : LLVMBuildLoad2(s->b, type, place, "");
    }
    s->arguments[count] = s->block;
}

static LLVMValueRef minimum(struct sweep *s, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildSelect(s->b, LLVMBuildICmp(s->b, LLVMIntULT, a, b, ""), a, b, "");
}

static LLVMValueRef maximum(struct sweep *s, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildSelect(s->b, LLVMBuildICmp(s->b, LLVMIntUGT, a, b, ""), a, b, "");
}

static void note_next(struct sweep *s, LLVMValueRef next) {
    LLVMTypeRef i32 = gcl_i32(s->m);
    LLVMBuildStore(s->b, minimum(s, LLVMBuildLoad2(s->b, i32, s->low, ""), next), s->low);
    LLVMBuildStore(s->b, maximum(s, LLVMBuildLoad2(s->b, i32, s->high, ""), next), s->high);
}

static void call(struct sweep *s, LLVMValueRef function, LLVMValueRef bits) {
    unsigned count = parameter_count(s->build);
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
    LLVMValueRef bits;
    if (!s->here && !s->build->full) {
        LLVMBuildBr(s->b, part);
        LLVMPositionBuilderAtEnd(s->b, part);
        bits = first_lanes(s, count);
    } else if (s->here) {
        LLVMBuildBr(s->b, part);
        LLVMPositionBuilderAtEnd(s->b, part);
        bits = first_lanes(s, count);
        bits = LLVMBuildAnd(s->b, bits, lanes_here(s, first, bits), "");
    } else {
        LLVMBasicBlockRef full = new_block(s, "full");
        LLVMValueRef whole =
            LLVMBuildICmp(s->b, LLVMIntEQ, count, gcl_u32(s->m, s->build->lanes), "");
        if (suits)
            whole = LLVMBuildAnd(s->b, whole, suits, "");
        LLVMBuildCondBr(s->b, whole, full, part);
        LLVMPositionBuilderAtEnd(s->b, full);
        call(s, s->build->full, NULL);
        LLVMBuildBr(s->b, behind);
        LLVMPositionBuilderAtEnd(s->b, part);
        bits = first_lanes(s, count);
    }
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
    run_vector(s, first, minimum(s, left, lanes), NULL, x.latch);
    end_loop(s, &x);
    LLVMBuildBr(s->b, row.latch);
    end_loop(s, &row);
}

// Vectors one after the other, whatever the rows. Coordinates are those of the first lane.
static void sweep_numbers(struct sweep *s, bool always_suits) {
    LLVMValueRef lanes = gcl_u32(s->m, s->build->lanes), suits = NULL;
    struct counter t = begin_loop(s, s->threads, lanes);
    LLVMValueRef row = LLVMBuildUDiv(s->b, t.value, s->size[0], "");
    set_thread(s, t.value, LLVMBuildURem(s->b, t.value, s->size[0], ""),
               LLVMBuildURem(s->b, row, s->size[1], ""), LLVMBuildUDiv(s->b, row, s->size[1], ""));
    if (!always_suits) { // one row alone, or rows of whole vectors
        LLVMValueRef rest = LLVMBuildURem(s->b, s->size[0], lanes, "");
        suits = LLVMBuildOr(s->b, LLVMBuildICmp(s->b, LLVMIntEQ, rest, gcl_u32(s->m, 0), ""),
                            LLVMBuildICmp(s->b, LLVMIntEQ, s->size[0], s->threads, ""), "");
    }
    LLVMValueRef left = LLVMBuildSub(s->b, s->threads, t.value, "");
    run_vector(s, t.value, minimum(s, left, lanes), suits, t.latch);
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
    LLVMValueRef row = LLVMBuildUDiv(s->b, t.value, s->size[0], "");
    set_thread(s, t.value, LLVMBuildURem(s->b, t.value, s->size[0], ""),
               LLVMBuildURem(s->b, row, s->size[1], ""), LLVMBuildUDiv(s->b, row, s->size[1], ""));
    LLVMBuildStore(s->b, t.value, gcl_block_field(m, s->b, s->block, GCL_BLOCK_THREAD, 0));
    LLVMValueRef lane = s->build->lane;
    LLVMValueRef next = LLVMBuildCall2(s->b, LLVMGlobalGetValueType(lane), lane, s->arguments,
                                       parameter_count(s->build), "");
    if (s->build->region->diverges)
        LLVMBuildStore(s->b, next, next_place);
    note_next(s, next);
    LLVMBuildBr(s->b, t.latch);
    end_loop(s, &t);
}

// What regions pass on once a block is written to a copy, so that every vector finds what the
// region before has left.
static LLVMValueRef frame_of(struct sweep *s) {
    return gcl_block_load(s->m, s->b, s->block, GCL_BLOCK_FRAME, 0);
}

static void copy_kept(struct sweep *s, LLVMValueRef to, LLVMValueRef from) {
    LLVMBuildMemCpy(s->b, to, 16, from, 16, gcl_u64(s->m, s->build->kernel->kept_size));
}

static void load_shape(struct sweep *s) {
    const uint32_t *known = s->build->variant->block_size;
    for (unsigned axis = 0; axis < 3; axis++)
        s->size[axis] = is_shaped(s->build->variant)
                            ? gcl_u32(s->m, known[axis])
                            : gcl_block_load(s->m, s->b, s->block, GCL_BLOCK_SIZE, axis);
    s->threads = is_shaped(s->build->variant)
                     ? gcl_u32(s->m, known[0] * known[1] * known[2])
                     : gcl_block_load(s->m, s->b, s->block, GCL_BLOCK_THREAD_COUNT, 0);
}

static LLVMValueRef declare_sweep(const struct build *build, guint number, bool is_selective) {
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

// i32 (ptr block[, i32 here]): the region for all threads of the block, or those before cut `here`.
static LLVMValueRef build_sweep(const struct build *build, guint number, bool is_selective) {
    struct gcl_module *m = build->m;
    unsigned count = LLVMCountParams(build->kernel->function);
    struct sweep s = {.build = build, .m = m, .b = LLVMCreateBuilderInContext(m->context)};
    s.function = declare_sweep(build, number, is_selective);
    s.block = LLVMGetParam(s.function, 0);
    s.here = is_selective ? LLVMGetParam(s.function, 1) : NULL;
    s.arguments = g_new0(LLVMValueRef, parameter_count(build) + 1);
    LLVMPositionBuilderAtEnd(s.b, new_block(&s, "entry"));
    s.low = LLVMBuildAlloca(s.b, gcl_i32(m), "low");
    s.high = LLVMBuildAlloca(s.b, gcl_i32(m), "high");
    s.kept = LLVMBuildAlloca(
        s.b, LLVMArrayType2(LLVMInt8TypeInContext(m->context), build->kernel->kept_size), "kept");
    LLVMSetAlignment(s.kept, 16);
    LLVMBuildStore(s.b, gcl_u32(m, UINT32_MAX), s.low);
    LLVMBuildStore(s.b, gcl_u32(m, 0), s.high);
    load_arguments(&s);
    load_shape(&s);
    LLVMValueRef frame = frame_of(&s);
    s.arguments[count + 5] = frame;
    s.arguments[count + 6] = s.kept;
    if (build->region->keeps)
        copy_kept(&s, s.kept, frame);
    if (build->is_threaded)
        sweep_threads(&s);
    else if (choose_geometry(build, true).linear)
        sweep_numbers(&s, is_shaped(build->variant));
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

// i32 (ptr block, i32 region): as long as all threads come to the same barrier they go on at once;
// returns where the runtime has to do something.
static LLVMValueRef build_chain(struct gcl_module *m, const struct gcl_device_kernel *kernel,
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

// What the runtime calls: gcl_region.
static LLVMValueRef build_region(struct gcl_module *m, const struct gcl_device_kernel *kernel,
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

// Long code is compiled once, for any mask; and where masks have no support by the processor, not
// in vectors.
static void build_vectors(struct build *b, guint number) {
    b->region = &g_array_index(b->kernel->regions, struct gcl_device_region, number);
    b->lane = b->variant->lanes[number];
    unsigned length = gcl_lane_length(b->lane);
    b->is_long = length > SHORT;
    b->is_threaded = b->is_long && !b->has_warps && b->variant->target->level < GCL_CPU_V3;
    b->full = b->masked = NULL;
    if (b->is_threaded)
        return;
    struct gcl_cfg *cfg = gcl_cfg_create(b->lane);
    b->cfg = cfg;
    b->lanes = choose_lanes(b, length);
    b->masked = declare(b, false);
    if (!b->is_long) {
        b->full = declare(b, true);
        build_function(b, true);
    }
    build_function(b, false);
    gcl_cfg_destroy(cfg);
}

void gcl_vector_build(struct gcl_module *m, struct gcl_device_kernel *kernel,
                      struct gcl_device_variant *variant) {
    guint count = kernel->regions->len;
    g_autofree LLVMValueRef *all = g_new(LLVMValueRef, count), *some = g_new(LLVMValueRef, count);
    struct build b = {.m = m, .kernel = kernel, .variant = variant};
    b.has_warps = has_warps(kernel);
    for (guint r = 0; r < count; r++) {
        build_vectors(&b, r);
        all[r] = build_sweep(&b, r, false);
        some[r] = build_sweep(&b, r, true);
    }
    LLVMValueRef chain = build_chain(m, kernel, variant, all);
    for (guint r = 0; r < count; r++)
        variant->functions[r] = build_region(m, kernel, variant, r, chain, some[r]);
}
