// Where pointers lead: an allocation and an offset, or a few of them under conditions.
//
// Shared memory, local variables and constant tables are seen by one block alone or never change;
// they are no accesses. What lies in parameters that are passed by value are arguments.
#include "device/access/target.h"

#include <assert.h>
#include <string.h>

#include "device/access/build.h"
#include "device/access/graph.h"
#include "device/access/guard.h"
#include "device/access/loop.h"
#include "device/access/value.h"
#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/module.h"
#include "device/ir/parameter.h"
#include "device/ir/shim.h"

enum {
    TERMS = 32,
    DEEPEST = 2500, ///< operands that are followed
};

static uint32_t zero(struct gcl_extraction *x) {
    return gcl_graph_constant(&x->graph, 64, 0);
}

static struct gcl_access_targets single(struct gcl_extraction *x, enum gcl_access_target_kind kind,
                                        uint32_t index) {
    struct gcl_access_targets targets = {
        .count = 1,
        .list = {{.kind = kind, .index = index, .offset = zero(x), .condition = GCL_NOTHING}}};
    return targets;
}

struct gcl_access_targets gcl_access_targets_anywhere(struct gcl_extraction *x,
                                                      enum gcl_reason_code code,
                                                      LLVMValueRef where) {
    return single(x, GCL_TARGET_ANY, gcl_access_reason(x, code, where));
}

static bool same_base(const struct gcl_access_target *a, const struct gcl_access_target *b) {
    return a->kind == b->kind && a->index == b->index && a->variable == b->variable;
}

static uint64_t open_of(const struct gcl_extraction *x, const struct gcl_access_target *target) {
    uint64_t open = gcl_graph_at(&x->graph, target->offset)->open;
    if (target->condition != GCL_NOTHING)
        open |= gcl_graph_at(&x->graph, target->condition)->open;
    return target->kind == GCL_TARGET_OPEN ? open | UINT64_C(1) << target->index : open;
}

// Whether what the members of a place stand for exists: an offset is a node of 64 bits, a condition
// one of 1 bit.
G_GNUC_UNUSED static bool is_sound(const struct gcl_extraction *x,
                                   const struct gcl_access_target *target) {
    if (gcl_graph_at(&x->graph, target->offset)->width != 64 ||
        (target->condition != GCL_NOTHING &&
         gcl_graph_at(&x->graph, target->condition)->width != 1))
        return false;
    switch (target->kind) {
    case GCL_TARGET_VARIABLE:
        return target->variable != NULL;
    case GCL_TARGET_LOADED:
        return target->index < x->records->len;
    case GCL_TARGET_ANY:
        return target->index < x->reasons->len;
    case GCL_TARGET_OPEN:
        return target->index < x->depth;
    default:
        return true;
    }
}

void gcl_access_add_target(struct gcl_extraction *x, struct gcl_access_targets *targets,
                           struct gcl_access_target target) {
    assert(is_sound(x, &target) && targets->count <= GCL_TARGETS);
    targets->open |= open_of(x, &target);
    for (unsigned i = 0; i < targets->count; i++) {
        const struct gcl_access_target *known = &targets->list[i];
        if (same_base(known, &target) && known->offset == target.offset &&
            known->condition == target.condition)
            return;
    }
    if (targets->count < GCL_TARGETS) {
        targets->list[targets->count++] = target;
        return;
    }
    // More than that are all: which of them it is hardly matters any more.
    targets->count = 1;
    targets->list[0] = gcl_access_targets_anywhere(x, GCL_REASON_BASE, x->function).list[0];
}

static void add_under(struct gcl_extraction *x, struct gcl_access_targets *to,
                      const struct gcl_access_targets *from, uint32_t condition) {
    for (unsigned i = 0; i < from->count; i++) {
        struct gcl_access_target target = from->list[i];
        target.condition =
            target.condition == GCL_NOTHING
                ? condition
                : gcl_graph_binary(&x->graph, GCL_NODE_AND, condition, target.condition);
        gcl_access_add_target(x, to, target);
    }
    to->open |= from->open;
}

static bool is_always_there(const struct gcl_access_targets *targets) {
    return targets->count == 1 && targets->list[0].condition == GCL_NOTHING;
}

static struct gcl_access_targets select_targets(struct gcl_extraction *x, uint32_t condition,
                                                const struct gcl_access_targets *a,
                                                const struct gcl_access_targets *b) {
    assert(gcl_graph_at(&x->graph, condition)->width == 1);
    struct gcl_access_targets result = {.open = a->open | b->open};
    if (a->count == 0 || b->count == 0) {
        const uint64_t open = result.open;
        result = a->count == 0 ? *b : *a;
        result.open = open;
        return result;
    }
    if (is_always_there(a) && is_always_there(b) && same_base(a->list, b->list)) {
        struct gcl_access_target target = a->list[0];
        target.offset = gcl_graph_select(&x->graph, condition, target.offset, b->list[0].offset);
        target.loops |= b->list[0].loops;
        gcl_access_add_target(x, &result, target);
        return result;
    }
    add_under(x, &result, a, condition);
    add_under(x, &result, b, gcl_graph_not(&x->graph, condition));
    return result;
}

struct gcl_access_targets gcl_access_shift_targets(struct gcl_extraction *x,
                                                   const struct gcl_access_targets *targets,
                                                   uint32_t offset) {
    assert(gcl_graph_at(&x->graph, offset)->width == 64);
    struct gcl_access_targets result = *targets;
    for (unsigned i = 0; i < result.count; i++) {
        result.list[i].offset =
            gcl_graph_binary(&x->graph, GCL_NODE_ADD, result.list[i].offset, offset);
        result.open |= open_of(x, &result.list[i]);
    }
    return result;
}

// Offsets.

static uint32_t scale(struct gcl_extraction *x, LLVMValueRef index, LLVMTypeRef element) {
    uint32_t size =
        gcl_graph_constant(&x->graph, 64, (int64_t)LLVMABISizeOfType(x->m->layout, element));
    uint32_t node = gcl_graph_resize(&x->graph, gcl_access_value(x, index), 64);
    return gcl_graph_binary(&x->graph, GCL_NODE_MULTIPLY, node, size);
}

static uint32_t step_inside(struct gcl_extraction *x, LLVMTypeRef *type, LLVMValueRef index) {
    if (LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
        assert(LLVMIsAConstantInt(index)); // as LLVM wants it of a structure's members
        unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
        uint64_t offset = LLVMOffsetOfElement(x->m->layout, *type, field);
        *type = LLVMStructGetTypeAtIndex(*type, field);
        return gcl_graph_constant(&x->graph, 64, (int64_t)offset);
    }
    *type = LLVMGetElementType(*type);
    return scale(x, index, *type);
}

static struct gcl_access_targets of_element(struct gcl_extraction *x, LLVMValueRef address) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    uint32_t offset = scale(x, LLVMGetOperand(address, 1), type);
    for (int i = 2; i < LLVMGetNumOperands(address); i++)
        offset = gcl_graph_binary(&x->graph, GCL_NODE_ADD, offset,
                                  step_inside(x, &type, LLVMGetOperand(address, (unsigned)i)));
    return gcl_access_shift_targets(x, gcl_access_find_targets(x, LLVMGetOperand(address, 0)),
                                    offset);
}

// Sources of pointers.

static struct gcl_access_targets of_global(struct gcl_extraction *x, LLVMValueRef constant) {
    size_t length;
    int64_t offset;
    LLVMValueRef global = gcl_shim_base(x->m->layout, constant, &offset);
    if (LLVMIsUndef(global) || LLVMIsAConstantPointerNull(global))
        return (struct gcl_access_targets){.count = 0};
    if (!LLVMIsAGlobalVariable(global))
        return gcl_access_targets_anywhere(x, GCL_REASON_BASE, constant);
    const char *name = LLVMGetValueName2(global, &length);
    int space = GPOINTER_TO_INT(g_hash_table_lookup(x->m->spaces, name));
    if (space == GCL_SPACE_SHARED)
        return single(x, GCL_TARGET_LOCAL, GCL_REASON_EXCHANGED_INDEX);
    if (LLVMIsGlobalConstant(global) && !LLVMIsDeclaration(global))
        return single(x, GCL_TARGET_LOCAL, GCL_REASON_OPERATION);
    struct gcl_access_targets targets = single(x, GCL_TARGET_VARIABLE, 0);
    targets.list[0].variable = g_hash_table_lookup(x->m->owners, name);
    targets.list[0].offset = gcl_graph_constant(&x->graph, 64, offset);
    if (!targets.list[0].variable || LLVMIsDeclaration(global))
        return gcl_access_targets_anywhere(x, GCL_REASON_BASE, constant);
    return targets;
}

static struct gcl_access_targets of_parameter(struct gcl_extraction *x, LLVMValueRef parameter) {
    for (unsigned i = 0; i < LLVMCountParams(x->function); i++) {
        if (LLVMGetParam(x->function, i) != parameter)
            continue;
        bool by_value = gcl_shim_byval(x->function, i) != NULL;
        return single(x, by_value ? GCL_TARGET_PARAMETER : GCL_TARGET_ARGUMENT,
                      gcl_parameter_offset(x->m, x->function, i));
    }
    return gcl_access_targets_anywhere(x, GCL_REASON_BASE, parameter);
}

// The byte of the packed arguments that a place in a parameter is; false if it isn't known.
static bool find_byte(const struct gcl_extraction *x, const struct gcl_access_target *target,
                      uint32_t *byte) {
    int64_t offset;
    if (target->kind != GCL_TARGET_PARAMETER ||
        !gcl_graph_is_constant(&x->graph, target->offset, &offset))
        return false;
    *byte = target->index + (uint32_t)offset;
    return true;
}

static bool is_global(const struct gcl_access_target *target) {
    return target->kind == GCL_TARGET_ARGUMENT || target->kind == GCL_TARGET_VARIABLE ||
           target->kind == GCL_TARGET_LOADED;
}

static uint64_t loops_of(const struct gcl_extraction *x, const struct gcl_access_target *target) {
    return target->loops | gcl_graph_at(&x->graph, target->offset)->loops;
}

static bool is_plain(LLVMValueRef load) {
    return !LLVMGetVolatile(load) && LLVMGetOrdering(load) == LLVMAtomicOrderingNotAtomic;
}

static struct gcl_access_targets load_from(struct gcl_extraction *x, LLVMValueRef load,
                                           const struct gcl_access_targets *from) {
    const struct gcl_access_target *target = &from->list[0];
    uint32_t byte;
    if (from->count == 0)
        return (struct gcl_access_targets){.count = 0};
    if (from->count == 1 && find_byte(x, target, &byte))
        return single(x, GCL_TARGET_ARGUMENT, byte);
    for (unsigned i = 0; i < from->count; i++) {
        if (from->list[i].kind == GCL_TARGET_LOCAL || from->list[i].kind == GCL_TARGET_PARAMETER)
            return gcl_access_targets_anywhere(x, GCL_REASON_BASE, load);
    }
    if (from->count > 1 || !is_global(target) || !is_plain(load))
        return gcl_access_targets_anywhere(x, GCL_REASON_LOADED_POINTER, load);
    struct gcl_access_targets result =
        single(x, GCL_TARGET_LOADED, gcl_access_record(x, load, GCL_ROLE_WHOLE, 0));
    result.list[0].loops = loops_of(x, target);
    return result;
}

static struct gcl_access_targets of_loaded(struct gcl_extraction *x, LLVMValueRef load) {
    const struct gcl_access_targets *from = gcl_access_find_targets(x, LLVMGetOperand(load, 0));
    struct gcl_access_targets result = load_from(x, load, from);
    result.open |= from->open;
    return result;
}

// A number that becomes a pointer: one that was a pointer before, and an offset.

static bool may_be_base(const struct gcl_graph_node *n) {
    return n->width == 64 && (n->kind == GCL_NODE_ARGUMENT || n->kind == GCL_NODE_LOAD);
}

static struct gcl_access_targets of_number(struct gcl_extraction *x, LLVMValueRef conversion) {
    uint32_t node =
        gcl_graph_resize(&x->graph, gcl_access_value(x, LLVMGetOperand(conversion, 0)), 64);
    uint32_t terms[TERMS], offset = zero(x), base = GCL_NOTHING;
    unsigned count = gcl_graph_terms(&x->graph, node, terms, TERMS), bases = 0;
    for (unsigned i = 0; i < count && count <= TERMS; i++) {
        bool is_base = may_be_base(gcl_graph_at(&x->graph, terms[i]));
        bases += is_base;
        if (is_base)
            base = terms[i];
        else
            offset = gcl_graph_binary(&x->graph, GCL_NODE_ADD, offset, terms[i]);
    }
    struct gcl_access_targets result = gcl_access_targets_anywhere(x, GCL_REASON_BASE, conversion);
    result.open = gcl_graph_at(&x->graph, node)->open;
    if (bases != 1)
        return result;
    const struct gcl_graph_node *n = gcl_graph_at(&x->graph, base);
    result.list[0] = (struct gcl_access_target){
        .kind = n->kind == GCL_NODE_LOAD ? GCL_TARGET_LOADED : GCL_TARGET_ARGUMENT,
        .index = n->a,
        .offset = offset,
        .condition = GCL_NOTHING,
        .loops = n->loops};
    return result;
}

static struct gcl_access_targets of_call(struct gcl_extraction *x, LLVMValueRef call) {
    const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(call);
    if (intrinsic && (intrinsic->kind == GCL_INTRINSIC_SHARED ||
                      intrinsic->kind == GCL_INTRINSIC_DYNAMIC_SHARED))
        return single(x, GCL_TARGET_LOCAL, GCL_REASON_EXCHANGED_INDEX);
    bool allocates = strcmp(gcl_intrinsic_callee(call), "gcl_device_malloc") == 0;
    return gcl_access_targets_anywhere(x, allocates ? GCL_REASON_DEVICE_MALLOC : GCL_REASON_BASE,
                                       call);
}

// Choices.

static struct gcl_access_targets of_select(struct gcl_extraction *x, LLVMValueRef i) {
    uint32_t condition = gcl_access_value(x, LLVMGetOperand(i, 0));
    const struct gcl_access_targets *a = gcl_access_find_targets(x, LLVMGetOperand(i, 1));
    return select_targets(x, condition, a, gcl_access_find_targets(x, LLVMGetOperand(i, 2)));
}

// Behind a loop. A pointer that was loaded in it isn't that of a certain iteration any more.
static void leave(struct gcl_extraction *x, struct gcl_access_targets *targets, int from, int to,
                  LLVMValueRef where) {
    uint64_t left = gcl_access_loops(x, from, to);
    for (unsigned i = 0; i < targets->count; i++) {
        struct gcl_access_target *target = &targets->list[i];
        target->offset = gcl_access_leave(x, target->offset, from, to, where);
        if (target->loops & left)
            target->offset = targets->open
                                 ? gcl_access_pending(x, 64, targets->open)
                                 : gcl_access_unknown(x, GCL_REASON_LOADED_POINTER, 64, where);
        if (target->condition != GCL_NOTHING)
            target->condition = gcl_access_leave(x, target->condition, from, to, where);
    }
}

static struct gcl_access_targets of_phi(struct gcl_extraction *x, LLVMValueRef phi) {
    int block = gcl_access_block(x, phi), loop = gcl_access_loop_at(x, block);
    struct gcl_access_targets result = {.count = 0};
    if (loop != GCL_NOWHERE)
        return gcl_access_pointer_recurrence(x, phi, loop);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        int from = gcl_cfg_index(x->cfg, LLVMGetIncomingBlock(phi, i));
        if (from < 0)
            continue;
        struct gcl_access_targets targets =
            *gcl_access_find_targets(x, LLVMGetIncomingValue(phi, i));
        leave(x, &targets, from, block, phi);
        if (result.count == 0)
            result = targets;
        else
            result = select_targets(x, gcl_access_choice(x, from, block), &targets, &result);
    }
    return result;
}

static struct gcl_access_targets find(struct gcl_extraction *x, LLVMValueRef pointer) {
    if (LLVMIsAArgument(pointer))
        return of_parameter(x, pointer);
    if (LLVMIsAConstant(pointer))
        return of_global(x, pointer);
    switch (LLVMGetInstructionOpcode(pointer)) {
    case LLVMGetElementPtr:
        return of_element(x, pointer);
    case LLVMBitCast:
    case LLVMFreeze:
        return *gcl_access_find_targets(x, LLVMGetOperand(pointer, 0));
    case LLVMSelect:
        return of_select(x, pointer);
    case LLVMPHI:
        return of_phi(x, pointer);
    case LLVMLoad:
        return of_loaded(x, pointer);
    case LLVMAlloca:
        return single(x, GCL_TARGET_LOCAL, GCL_REASON_OPERATION);
    case LLVMIntToPtr:
        return of_number(x, pointer);
    case LLVMCall:
        return of_call(x, pointer);
    default:
        return gcl_access_targets_anywhere(x, GCL_REASON_BASE, pointer);
    }
}

static const struct gcl_access_targets *remember(struct gcl_extraction *x, LLVMValueRef value,
                                                 const struct gcl_access_targets *targets) {
    assert((targets->open >> x->depth) == 0); // what follows from a closed phi isn't remembered
    for (unsigned i = 0; i < targets->count; i++)
        assert(is_sound(x, &targets->list[i]));
    struct gcl_access_targets *kept = g_memdup2(targets, sizeof *targets);
    g_ptr_array_add(x->kept, kept);
    g_hash_table_insert(targets->open ? x->open_targets : x->targets, value, kept);
    return kept;
}

const struct gcl_access_targets *gcl_access_find_targets(struct gcl_extraction *x,
                                                         LLVMValueRef pointer) {
    GHashTable *const tables[] = {x->targets, x->open_phi_targets, x->open_targets};
    for (size_t i = 0; i < G_N_ELEMENTS(tables); i++) {
        const struct gcl_access_targets *known = g_hash_table_lookup(tables[i], pointer);
        if (known)
            return known;
    }
    bool is_single = LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind;
    x->nesting++;
    struct gcl_access_targets targets =
        is_single && x->nesting < DEEPEST
            ? find(x, pointer)
            : gcl_access_targets_anywhere(x, GCL_REASON_BASE, pointer);
    x->nesting--;
    return remember(x, pointer, &targets);
}

uint32_t gcl_access_loaded(struct gcl_extraction *x, LLVMValueRef load, unsigned width,
                           enum gcl_record_role role, uint32_t lane, uint32_t extra) {
    assert(LLVMIsALoadInst(load) && (role == GCL_ROLE_LANE || (lane == 0 && extra == 0)));
    const struct gcl_access_targets *from = gcl_access_find_targets(x, LLVMGetOperand(load, 0));
    const struct gcl_access_target *target = &from->list[0];
    uint32_t byte;
    if (from->count == 1 && find_byte(x, target, &byte))
        return gcl_graph_leaf(&x->graph, GCL_NODE_ARGUMENT, width, byte + extra, 0);
    if (from->open && (from->count != 1 || !is_global(target)))
        return gcl_access_pending(x, width, from->open);
    if (from->count == 1 && target->kind == GCL_TARGET_LOCAL)
        return gcl_access_unknown(x, (enum gcl_reason_code)target->index, width, load);
    if (from->count == 1 && target->kind == GCL_TARGET_PARAMETER)
        return gcl_access_unknown(x, GCL_REASON_OPERATION, width, load);
    if (from->count != 1 || !is_global(target) || !is_plain(load))
        return gcl_access_unknown(x, GCL_REASON_DATA_INDEX, width, load);
    return gcl_graph_load(&x->graph, width, gcl_access_record(x, load, role, lane),
                          loops_of(x, target), from->open);
}
