// Builds the code of a region from its lane function. For each level of processors there is one
// function for any part of a block of any shape (the rest), and for each shape of block that is
// known one for vectors of threads that all run, with a loop over the block around it. That one
// leaves to the rest what doesn't fill vectors, and vectors that a bound parts.
//
// How the lanes lie over the block follows from its shape where that is known, and from what the
// kernel does: warp operations need vectors that are warps. Where x doesn't follow the lane, the
// vectors of a warp take the rest, with coordinates of their own for every lane.
#include "vector.h"

#include <string.h>

#include "intrinsics.h"
#include "shim.h"

enum { WARP = 32 };

// Lanes.

enum { SHORT = 200, LONG = 800, LEAST = 4 };

// Whether vectors are parts of rows, or whole rows.
static bool tile(const uint32_t size[3], unsigned lanes) {
    uint32_t plane = size[0] * size[1];
    return size[0] % lanes == 0 || (lanes % size[0] == 0 && size[0] > 1 && lanes <= plane &&
                                    (size[2] == 1 || plane % lanes == 0));
}

// Whether the code loads or stores numbers of 64 bits that fill twice as many registers.
static bool has_doubles(LLVMValueRef lane) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(lane); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef value = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i;
            if ((LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) &&
                LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMDoubleTypeKind)
                return true;
        }
    }
    return false;
}

// Vectors that fill four registers: enough to hide latencies, few enough that loops keep what they
// need in registers, and that arrays which are walked along are each read a few lines at a time.
// Long code has more to keep, and would grow with the lanes.
static unsigned choose_lanes(const struct gcl_vector_build *b, LLVMValueRef lane) {
    uint32_t level = b->variant->target->level, length = gcl_lane_length(lane);
    const uint32_t *size = b->variant->block_size;
    unsigned lanes = gcl_target_register(level); // of 4 bytes, in 4 registers
    if (b->kernel->has_warps)
        return WARP;
    if (length > SHORT)
        lanes /= length > LONG ? 4 : 2;
    else if (level == GCL_CPU_V4 && size[1] > 1 && size[0] < lanes)
        lanes *= 2; // rows read what they share once
    else if (has_doubles(lane))
        lanes /= 2;
    if (!gcl_variant_is_shaped(b->variant))
        return lanes;
    if (b->kernel->strips)
        lanes = MIN(lanes, MAX(GCL_STRIP_ROWS * size[0], LEAST));
    for (unsigned fitting = lanes; fitting >= LEAST && fitting >= MIN(size[0] / 4, 16);
         fitting /= 2) {
        if (tile(size, fitting))
            return fitting;
    }
    while (lanes > size[0] && lanes > LEAST)
        lanes /= 2;
    return lanes;
}

// Code for part of the lanes fills one register: it would grow with the lanes, few of which run.
// Without support for masks by the processor there is no such code.
static unsigned choose_masked_lanes(const struct gcl_vector_build *b) {
    uint32_t level = b->variant->target->level;
    if (b->kernel->has_warps)
        return WARP;
    if (b->variant->by_threads)
        return 0;
    return level == GCL_CPU_V4 ? 16 : level == GCL_CPU_V3 ? 8 : 0;
}

struct gcl_geometry gcl_vector_geometry(const struct gcl_vector_build *b, bool is_full) {
    const uint32_t *size = b->variant->block_size;
    unsigned lanes = b->lanes;
    struct gcl_geometry row = {GCL_GEOMETRY_ROW, lanes, lanes, b->kernel->has_warps};
    struct gcl_geometry any = {GCL_GEOMETRY_ANY, lanes, lanes, true};
    if (!gcl_variant_is_shaped(b->variant))
        return b->kernel->has_warps && !is_full ? any : row;
    if (size[0] % lanes == 0 || (b->kernel->has_warps && size[1] * size[2] == 1))
        return row;
    if (tile(size, lanes))
        return (struct gcl_geometry){GCL_GEOMETRY_ROWS, lanes, size[0], true};
    return b->kernel->has_warps ? any : row;
}

bool gcl_vector_may_part(const struct gcl_device_kernel *kernel) {
    for (guint r = 0; r < kernel->regions->len; r++) {
        if (g_array_index(kernel->regions, struct gcl_device_region, r).diverges)
            return true;
    }
    return false;
}

// Guards.

static bool has_effect(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
        return true;
    case LLVMCall:
        return !gcl_sanitize_tells(i) &&
               (gcl_intrinsic_find(i) || !g_str_has_prefix(gcl_called(i), "llvm.") ||
                g_str_has_prefix(gcl_called(i), "llvm.mem"));
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

// Long code for blocks of any size is compiled once.
static bool is_long(LLVMValueRef lane) {
    return gcl_lane_length(lane) > 2 * SHORT;
}

static LLVMValueRef declare(const struct gcl_vector_build *b, bool is_full) {
    struct gcl_module *m = b->m;
    unsigned count = LLVMCountParams(b->lane);
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
    // In the loop around it, long code would take LLVM much longer.
    const char *inlining = is_full || !is_long(b->lane) ? "alwaysinline" : "noinline";
    gcl_add_attribute(m, function, "nounwind");
    gcl_add_attribute(m, function, inlining);
    unsigned noalias = LLVMGetEnumAttributeKindForName("noalias", 7);
    for (unsigned i = 1; i <= count; i++) {
        LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(b->lane, i, noalias);
        if (attribute)
            LLVMAddAttributeAtIndex(function, i, attribute);
    }
    return function;
}

// Quotients of numbers below 2048: half a step off every whole one, far more than rounding moves
// them.
static LLVMValueRef divide_numbers(struct gcl_vector *v, LLVMValueRef a, LLVMValueRef b) {
    LLVMTypeRef real = LLVMFloatTypeInContext(v->m->context), reals = gcl_vector_type(v, real);
    LLVMValueRef half = gcl_vector_splat(v, LLVMConstReal(real, 0.5));
    LLVMValueRef one = LLVMConstReal(real, 1), by = LLVMBuildSIToFP(v->b, b, real, "");
    LLVMValueRef inverse = gcl_vector_splat(v, LLVMBuildFDiv(v->b, one, by, ""));
    LLVMValueRef middle = LLVMBuildFAdd(v->b, LLVMBuildSIToFP(v->b, a, reals, ""), half, "");
    return LLVMBuildFPToSI(v->b, LLVMBuildFMul(v->b, middle, inverse, ""), LLVMTypeOf(a), "");
}

// a - b c
static LLVMValueRef rest_of(struct gcl_vector *v, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    return LLVMBuildSub(v->b, a, LLVMBuildMul(v->b, b, gcl_vector_splat(v, c), ""), "");
}

// Coordinates of lanes whose numbers are all that is known of them.
static void spread_coordinates(struct gcl_vector *v, const LLVMValueRef thread[4]) {
    LLVMValueRef nx = gcl_block_load(v->m, v->b, v->block, GCL_BLOCK_SIZE, 0);
    LLVMValueRef ny = gcl_block_load(v->m, v->b, v->block, GCL_BLOCK_SIZE, 1);
    LLVMValueRef t = gcl_vector_lanes(v, thread[3]), row = divide_numbers(v, t, nx);
    LLVMValueRef z = divide_numbers(v, row, ny);
    LLVMValueRef axis[] = {rest_of(v, t, row, nx), rest_of(v, row, z, ny), z};
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

static void build_function(const struct gcl_vector_build *b, bool is_full) {
    struct gcl_vector v = {
        .m = b->m,
        .kernel = b->kernel,
        .region = b->region,
        .variant = b->variant,
        .source = b->lane,
        .cfg = b->cfg,
        .geometry = gcl_vector_geometry(b, is_full),
        .lanes = b->lanes,
        .holds = b->holds,
        .b = LLVMCreateBuilderInContext(b->m->context),
        .function = is_full ? b->full : b->masked,
        .rest = is_full ? b->rest : NULL,
        .blocks = g_new0(struct gcl_vector_block, b->cfg->count),
        .loops = g_new0(struct gcl_vector_loop, b->cfg->loop_count + 1),
        .guards = g_new0(bool, b->cfg->count),
        .slots = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free),
        .values = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free),
        .groups = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_rc_box_release),
        .waiting = g_ptr_array_new(),
        .prefetched = g_ptr_array_new(),
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
            gcl_vector_mask_of_bits(&v, LLVMGetParam(v.function, LLVMCountParams(b->lane)));
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
    g_hash_table_destroy(v.groups);
    g_ptr_array_unref(v.waiting);
    g_ptr_array_unref(v.prefetched);
}

LLVMValueRef gcl_vector_thread(struct gcl_vector *v, LLVMValueRef lane) {
    return LLVMBuildAdd(v->b, v->first_thread, LLVMBuildTrunc(v->b, lane, gcl_i32(v->m), ""), "");
}

// The rest finds everything in memory. It gets copies, so that what is copied can stay in
// registers.
void gcl_vector_hand_over(struct gcl_vector *v) {
    LLVMValueRef *parameter = g_newa(LLVMValueRef, GCL_LANE_COUNT), first = v->first_thread;
    for (unsigned i = 0; i < GCL_LANE_COUNT; i++)
        parameter[i] = LLVMGetParam(v->function, v->block_at + i);
    LLVMTypeRef i8 = LLVMInt8TypeInContext(v->m->context);
    LLVMValueRef memory = gcl_block_load(v->m, v->b, v->block, GCL_BLOCK_FRAME, 0);
    LLVMValueRef left = gcl_vector_slot(v, LLVMArrayType2(i8, v->kernel->kept_size), "left");
    struct gcl_frame_part part = {LLVMBuildZExt(v->b, first, gcl_i64(v->m), ""), v->lanes,
                                  gcl_variant_threads(v->variant)};
    gcl_copy_kept(v->m, v->b, v->region->takes, memory, parameter[GCL_LANE_KEPT]);
    gcl_copy_kept(v->m, v->b, v->region->leaves, left, parameter[GCL_LANE_LEFT]);
    if (v->holds)
        gcl_copy_framed(v->m, v->b, v->kernel, &part, memory, parameter[GCL_LANE_FRAME]);
    LLVMValueRef end = LLVMBuildAdd(v->b, first, gcl_u32(v->m, v->lanes), "");
    LLVMValueRef arguments[] = {v->block, left, first, end, gcl_u32(v->m, GCL_ANYWHERE)};
    LLVMTypeRef type = LLVMGlobalGetValueType(v->rest);
    LLVMValueRef next = LLVMBuildCall2(v->b, type, v->rest, arguments, 5, "");
    gcl_copy_kept(v->m, v->b, v->region->leaves, parameter[GCL_LANE_LEFT], left);
    if (v->holds)
        gcl_copy_framed(v->m, v->b, v->kernel, &part, parameter[GCL_LANE_FRAME], memory);
    LLVMBuildRet(v->b, next);
}

static void store_next(struct gcl_vector *v, LLVMValueRef next) {
    LLVMValueRef place = gcl_block_element(v->m, v->b, v->block, GCL_BLOCK_NEXT, v->first_thread);
    LLVMTypeRef overload[] = {LLVMTypeOf(next), gcl_ptr(v->m)};
    LLVMValueRef arguments[] = {next, place, gcl_u32(v->m, 4), gcl_vector_mask(v, v->entry_mask)};
    gcl_vector_call_intrinsic(v, "llvm.masked.store", overload, 2, arguments, 4);
}

// Where all lanes go on, in the places of the first two: gcl_sweep_build has it spread if it has
// to.
static void mark_next(struct gcl_vector *v, LLVMValueRef next) {
    LLVMValueRef place = gcl_block_element(v->m, v->b, v->block, GCL_BLOCK_NEXT, v->first_thread);
    LLVMTypeRef type = LLVMVectorType(gcl_i32(v->m), 2);
    LLVMValueRef both =
        LLVMBuildInsertElement(v->b, LLVMGetPoison(type), next, gcl_u32(v->m, 0), "");
    both = LLVMBuildInsertElement(v->b, both, gcl_u32(v->m, GCL_DIVERGED), gcl_u32(v->m, 1), "");
    LLVMSetAlignment(LLVMBuildStore(v->b, both, place), 4);
}

void gcl_vector_return(struct gcl_vector *v, LLVMValueRef next) {
    bool is_uniform = gcl_vector_info(v, next).shape == GCL_SHAPE_UNIFORM;
    if (v->region->diverges && v->rest && is_uniform)
        mark_next(v, gcl_vector_scalar(v, next));
    else if (v->region->diverges)
        store_next(v, gcl_vector_lanes(v, next));
    if (is_uniform) {
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
    bool is_only = v->kernel->shapes->len == 1 && is_long(v->source);
    if (v->m->options->remarks && (v->rest || is_only))
        gcl_module_remark(v->m, v->kernel, i, what);
}

static void build_cfg(struct gcl_vector_build *b, bool is_full) {
    struct gcl_cfg *cfg = gcl_cfg_create(b->lane);
    b->cfg = cfg;
    *(is_full ? &b->full : &b->masked) = declare(b, is_full);
    build_function(b, is_full);
    gcl_cfg_destroy(cfg);
}

LLVMValueRef *gcl_vector_rests(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                               struct gcl_device_variant *general) {
    LLVMValueRef *rests = g_new0(LLVMValueRef, kernel->regions->len);
    for (guint r = 0; r < kernel->regions->len; r++) {
        struct gcl_vector_build b = {.m = m, .kernel = kernel, .variant = general};
        b.region = &g_array_index(kernel->regions, struct gcl_device_region, r);
        b.lane = general->lanes[r];
        b.lanes = choose_masked_lanes(&b);
        if (b.lanes > 0)
            build_cfg(&b, false);
        rests[r] = gcl_rest_build(&b, r);
    }
    return rests;
}

// Whether a region is worth code for whole vectors. Code for any size is not, beside code for all
// sizes that launches have, as far as the source says.
static bool wants_full(const struct gcl_vector_build *b) {
    const uint32_t *size = b->variant->block_size;
    if (b->variant->target->level == GCL_CPU_V2 || b->variant->by_threads)
        return false;
    if (!gcl_variant_is_shaped(b->variant))
        return b->kernel->any_size && !is_long(b->lane);
    enum gcl_geometry_kind kind = gcl_vector_geometry(b, true).kind;
    return kind == GCL_GEOMETRY_ROW ? size[0] >= b->lanes : size[0] * size[1] * size[2] >= b->lanes;
}

// Whether what the block's threads keep across cuts fits in half of the registers, so that nothing
// of it need ever be stored.
static bool holds_frame(struct gcl_vector_build *b) {
    const struct gcl_device_kernel *kernel = b->kernel;
    const uint32_t *size = b->variant->block_size;
    uint32_t threads = gcl_variant_threads(b->variant), bytes = 0;
    uint32_t most = b->variant->target->level == GCL_CPU_V4 ? 1024 : 256;
    if (!gcl_variant_is_shaped(b->variant) || b->variant->target->level < GCL_CPU_V3)
        return false;
    for (guint i = 0; i < kernel->framed->len; i++) {
        LLVMTypeRef type = g_array_index(kernel->framed, struct gcl_device_kept, i).type;
        uint32_t element = (uint32_t)LLVMABISizeOfType(b->m->layout, type);
        if (!gcl_vector_widens(type) || LLVMSizeOfTypeInBits(b->m->layout, type) != 8 * element)
            return false;
        bytes += element * threads;
    }
    unsigned lanes = 0;
    for (guint r = 0; r < kernel->regions->len; r++) {
        b->lanes = choose_lanes(b, b->variant->lanes[r]);
        enum gcl_geometry_kind kind = gcl_vector_geometry(b, true).kind;
        if (is_long(b->variant->lanes[r]) || kind == GCL_GEOMETRY_ANY ||
            (lanes && lanes != b->lanes) || (kind == GCL_GEOMETRY_ROW && size[0] % b->lanes != 0))
            return false;
        lanes = b->lanes;
    }
    return bytes > 0 && bytes <= most && (threads == lanes || threads == 2 * lanes);
}

void gcl_vector_build(struct gcl_module *m, struct gcl_device_kernel *kernel,
                      struct gcl_device_variant *variant, LLVMValueRef *rests) {
    guint count = kernel->regions->len;
    g_autofree LLVMValueRef *all = g_new(LLVMValueRef, count), *some = g_new(LLVMValueRef, count);
    struct gcl_vector_build chained = {.m = m, .kernel = kernel, .variant = variant};
    chained.holds = holds_frame(&chained);
    for (guint r = 0; r < count; r++) {
        struct gcl_vector_build b = {.m = m, .kernel = kernel, .variant = variant};
        b.region = &g_array_index(kernel->regions, struct gcl_device_region, r);
        b.lane = variant->lanes[r];
        b.holds = chained.holds;
        b.rest = rests[r];
        if (gcl_variant_threads(variant) < LEAST && !kernel->has_warps)
            b.rest = gcl_rest_build(&b, r);
        else
            b.lanes = choose_lanes(&b, b.lane);
        if (b.lanes > 0 && wants_full(&b))
            build_cfg(&b, true);
        all[r] = gcl_sweep_build(&b, r);
        some[r] = gcl_vector_may_part(kernel) ? gcl_some_build(&b, r) : NULL;
    }
    LLVMValueRef chain = gcl_chain_build(&chained, all);
    for (guint r = 0; r < count; r++)
        variant->functions[r] = gcl_entry_build(m, kernel, variant, r, chain, some[r]);
}
