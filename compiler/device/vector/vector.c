// Builds the code of a region from its lane function. For each level of processors there is one
// function for any part of a block of any shape (the rest), and for each shape of block that is
// known one for vectors of threads that all run, with a loop over the block around it. That one
// leaves to the rest what doesn't fill vectors, and vectors that a bound parts.
#include "device/vector/vector.h"

#include <assert.h>
#include <string.h>

#include "device/ir/block.h"
#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/lane.h"
#include "device/ir/module.h"
#include "device/ir/shim.h"
#include "device/ir/target.h"
#include "device/ir/uniformity.h"
#include "device/ir/variant.h"
#include "device/lower/sanitize.h"
#include "device/vector/chain.h"
#include "device/vector/choose.h"
#include "device/vector/sweep.h"
#include "device/vector/widen/assume.h"
#include "device/vector/widen/control.h"
#include "device/vector/widen/mask.h"
#include "device/vector/widen/value.h"

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
               (gcl_intrinsic_find(i) || !g_str_has_prefix(gcl_intrinsic_callee(i), "llvm.") ||
                g_str_has_prefix(gcl_intrinsic_callee(i), "llvm.mem"));
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
    if (gcl_vector_info(v, condition).variance == GCL_VARIANCE_UNIFORM)
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
               gcl_vector_info(v, LLVMGetOperand(condition, 0)).variance !=
                   GCL_VARIANCE_DIVERGENT &&
               gcl_vector_info(v, LLVMGetOperand(condition, 1)).variance !=
                   GCL_VARIANCE_DIVERGENT &&
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

static LLVMValueRef declare(const struct gcl_vector_build *b, bool is_full) {
    struct gcl_module *m = b->m;
    unsigned count = LLVMCountParams(b->lane);
    g_autofree LLVMTypeRef *types = g_new(LLVMTypeRef, count + 1);
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(LLVMGetParam(b->lane, i));
    types[count] = is_full ? gcl_ptr(m) : LLVMIntTypeInContext(m->context, b->lanes);
    size_t length;
    g_autofree char *name = g_strdup_printf("%s.%s.%s", LLVMGetValueName2(b->lane, &length),
                                            b->variant->target->cpu, is_full ? "full" : "masked");
    LLVMTypeRef type = LLVMFunctionType(gcl_i32(m), types, count + (!is_full || b->pauses), 0);
    LLVMValueRef function = LLVMAddFunction(m->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    gcl_target_set(m, function, b->variant->target);
    // In the loop around it, long code would take LLVM much longer.
    const char *inlining = is_full || !gcl_lane_is_long(b->lane) ? "alwaysinline" : "noinline";
    gcl_module_add_attribute(m, function, "nounwind");
    gcl_module_add_attribute(m, function, inlining);
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

static struct gcl_vector vector_begin(const struct gcl_vector_build *b, bool is_full) {
    LLVMValueRef function = is_full ? b->full : b->masked;
    unsigned count = LLVMCountParams(b->kernel->function);
    assert(LLVMCountParams(b->lane) == count + GCL_LANE_COUNT);
    return (struct gcl_vector){
        .m = b->m,
        .kernel = b->kernel,
        .region = b->region,
        .variant = b->variant,
        .source = b->lane,
        .cfg = b->cfg,
        .geometry = gcl_choose_geometry(b, is_full),
        .lanes = b->lanes,
        .holds = b->holds,
        .b = LLVMCreateBuilderInContext(b->m->context),
        .function = function,
        .rest = is_full ? b->rest : NULL,
        .state = b->pauses ? LLVMGetParam(function, LLVMCountParams(b->lane)) : NULL,
        .blocks = g_new0(struct gcl_vector_block, b->cfg->count),
        .loops = g_new0(struct gcl_vector_loop, b->cfg->loop_count + 1),
        .guards = g_new0(bool, b->cfg->count),
        .slots = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free),
        .values = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free),
        .held = g_ptr_array_new(),
        .changes = g_array_new(FALSE, FALSE, sizeof(struct gcl_vector_change)),
        .groups = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_rc_box_release),
        .waiting = g_ptr_array_new(),
        .prefetched = g_ptr_array_new(),
        .whole = g_hash_table_new(g_direct_hash, g_direct_equal),
        .block_at = count,
        .block = LLVMGetParam(function, count),
        .first_thread = LLVMGetParam(function, count + 1),
    };
}

static void vector_end(struct gcl_vector *v) {
    assert(v->waiting->len == 0 && !v->twin && v->ways == 0);
    LLVMDisposeBuilder(v->b);
    g_free(v->blocks);
    g_free(v->loops);
    g_free(v->guards);
    g_hash_table_destroy(v->slots);
    g_hash_table_destroy(v->values);
    g_ptr_array_unref(v->held);
    g_array_unref(v->changes);
    g_hash_table_destroy(v->groups);
    g_ptr_array_unref(v->waiting);
    g_ptr_array_unref(v->prefetched);
    g_hash_table_destroy(v->whole);
}

static void build_function(struct gcl_vector_build *b, bool is_full) {
    struct gcl_vector v = vector_begin(b, is_full);
    LLVMValueRef thread[4];
    for (unsigned i = 0; i < 4; i++)
        thread[i] = LLVMGetParam(v.source, v.block_at + 1 + (i + 1) % 4);
    struct gcl_uniformity *u =
        gcl_uniformity_create(b->m, v.source, b->cfg, v.geometry, thread, is_full);
    v.u = u;
    v.allocas = LLVMAppendBasicBlockInContext(b->m->context, v.function, "slots");
    LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(b->m->context, v.function, "start");
    LLVMPositionBuilderAtEnd(v.b, start);
    define_parameters(&v, thread);
    if (!is_full)
        v.entry_mask =
            gcl_vector_mask_of_bits(&v, LLVMGetParam(v.function, LLVMCountParams(b->lane)));
    if (is_full) {
        v.last_assumed = gcl_vector_last_assumed(&v);
        find_guards(&v);
        if (gcl_module_dumps(b->m, "uniformity"))
            gcl_uniformity_print(u);
    }
    gcl_vector_plan(&v);
    gcl_vector_body(&v);
    LLVMPositionBuilderAtEnd(v.b, v.allocas);
    LLVMBuildBr(v.b, start);
    assert(LLVMGetFirstBasicBlock(v.function) == v.allocas);
    b->state_size = v.state_size;
    gcl_uniformity_destroy(u);
    vector_end(&v);
}

static void build_cfg(struct gcl_vector_build *b, bool is_full) {
    struct gcl_cfg *cfg = gcl_cfg_create(b->lane);
    b->cfg = cfg;
    b->pauses = is_full && gcl_choose_pauses(b);
    *(is_full ? &b->full : &b->masked) = declare(b, is_full);
    build_function(b, is_full);
    gcl_cfg_destroy(cfg);
}

LLVMValueRef *gcl_vector_build_rests(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                                     struct gcl_device_variant *general) {
    LLVMValueRef *rests = g_new0(LLVMValueRef, kernel->regions->len);
    for (guint r = 0; r < kernel->regions->len; r++) {
        struct gcl_vector_build b = {.m = m, .kernel = kernel, .variant = general};
        b.region = &g_array_index(kernel->regions, struct gcl_device_region, r);
        b.lane = general->lanes[r];
        b.lanes = gcl_choose_masked_lanes(&b);
        if (b.lanes > 0)
            build_cfg(&b, false);
        rests[r] = gcl_sweep_build_rest(&b, r);
    }
    return rests;
}

void gcl_vector_build(struct gcl_module *m, struct gcl_device_kernel *kernel,
                      struct gcl_device_variant *variant, LLVMValueRef *rests) {
    guint count = kernel->regions->len;
    g_autofree LLVMValueRef *all = g_new(LLVMValueRef, count), *some = g_new(LLVMValueRef, count);
    struct gcl_vector_build chained = {.m = m, .kernel = kernel, .variant = variant};
    chained.holds = gcl_choose_holds_frame(&chained);
    for (guint r = 0; r < count; r++) {
        struct gcl_vector_build b = {.m = m, .kernel = kernel, .variant = variant};
        b.region = &g_array_index(kernel->regions, struct gcl_device_region, r);
        b.lane = variant->lanes[r];
        b.holds = chained.holds;
        b.rest = rests[r];
        b.streams = gcl_choose_streams(&b);
        if (gcl_variant_threads(variant) < GCL_LEAST_LANES && !kernel->has_warps)
            b.rest = gcl_sweep_build_rest(&b, r);
        else
            b.lanes = gcl_choose_lanes(&b, b.lane);
        if (b.lanes > 0 && gcl_choose_wants_full(&b))
            build_cfg(&b, true);
        all[r] = gcl_sweep_build(&b, r);
        some[r] = gcl_choose_may_part(kernel) ? gcl_sweep_build_some(&b, r) : NULL;
    }
    LLVMValueRef chain = gcl_chain_build(&chained, all);
    for (guint r = 0; r < count; r++)
        variant->functions[r] = gcl_chain_build_entry(m, kernel, variant, r, chain, some[r]);
}
