// Integers of LLVM's to nodes, one instruction at a time and on demand. What isn't understood
// becomes an unknown with a reason.
#include "device/access/value.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "device/access/build.h"
#include "device/access/graph.h"
#include "device/access/guard.h"
#include "device/access/loop.h"
#include "device/access/target.h"
#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/parameter.h"
#include "device/ir/source.h"

// What is larger than that isn't followed to its end.
enum { MOST_NODES = 300000, DEEPEST = 2000 };

// Which table holds a key now: one whose node is still open doesn't outlive that.
bool gcl_access_recall(const struct gcl_extraction *x, void *key, uint32_t *node) {
    GHashTable *const tables[] = {x->values, x->open_phis, x->open_values};
    gpointer found = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(tables) && !found; i++)
        found = g_hash_table_lookup(tables[i], key);
    *node = GPOINTER_TO_UINT(found) - 1;
    return found != NULL;
}

uint32_t gcl_access_remember(struct gcl_extraction *x, void *key, uint32_t node) {
    bool open = gcl_graph_at(&x->graph, node)->open != 0;
    // What follows from a phi whose form is found already would never be forgotten.
    assert((gcl_graph_at(&x->graph, node)->open >> x->depth) == 0);
    g_hash_table_insert(open ? x->open_values : x->values, key, GUINT_TO_POINTER(node + 1));
    return node;
}

int gcl_access_block(const struct gcl_extraction *x, LLVMValueRef instruction) {
    int block = gcl_cfg_index(x->cfg, LLVMGetInstructionParent(instruction));
    assert(block != GCL_NOWHERE); // dead code is neither read nor used by what is
    return block;
}

uint32_t gcl_access_record(struct gcl_extraction *x, LLVMValueRef instruction,
                           enum gcl_record_role role, uint32_t lane) {
    g_autofree char *key = g_strdup_printf("%p %d %u", (void *)instruction, (int)role, lane);
    gpointer known = g_hash_table_lookup(x->record_index, key);
    if (known)
        return GPOINTER_TO_UINT(known) - 1;
    struct gcl_record record = {instruction, role, lane, GCL_NOTHING};
    g_array_append_val(x->records, record);
    g_hash_table_insert(x->record_index, g_steal_pointer(&key), GUINT_TO_POINTER(x->records->len));
    return x->records->len - 1;
}

// Reasons and places in the source.

uint16_t gcl_access_file(struct gcl_extraction *x, const char *name) {
    for (guint i = 0; i < x->files->len; i++) {
        if (strcmp(x->files->pdata[i], name) == 0)
            return (uint16_t)i;
    }
    g_ptr_array_add(x->files, g_strdup(name));
    return (uint16_t)(x->files->len - 1);
}

struct gcl_source_position gcl_access_source(struct gcl_extraction *x, LLVMValueRef instruction) {
    struct gcl_source source = gcl_source_find(x->m, x->function, instruction);
    g_autofree char *file = source.file;
    if (!file)
        return (struct gcl_source_position){.line = 0};
    return (struct gcl_source_position){
        .line = source.line, .column = source.column, .file = gcl_access_file(x, file)};
}

uint32_t gcl_access_reason_at(struct gcl_extraction *x, enum gcl_reason_code code,
                              const struct gcl_source_position *place) {
    struct gcl_reason reason = {(uint16_t)code, GCL_NONE, *place};
    for (guint i = 0; i < x->reasons->len; i++) {
        const struct gcl_reason *known = &g_array_index(x->reasons, struct gcl_reason, i);
        if (known->code == code && memcmp(&known->place, &reason.place, sizeof reason.place) == 0)
            return i;
    }
    g_array_append_val(x->reasons, reason);
    return x->reasons->len - 1;
}

uint32_t gcl_access_reason(struct gcl_extraction *x, enum gcl_reason_code code,
                           LLVMValueRef where) {
    struct gcl_source_position place = gcl_access_source(x, where);
    return gcl_access_reason_at(x, code, &place);
}

uint32_t gcl_access_unknown(struct gcl_extraction *x, enum gcl_reason_code code, unsigned width,
                            LLVMValueRef where) {
    uint64_t loops = 0;
    if (LLVMIsAInstruction(where))
        loops = gcl_access_loops(x, gcl_access_block(x, where), 0);
    return gcl_graph_unknown(&x->graph, width, gcl_access_reason(x, code, where), loops);
}

uint32_t gcl_access_pending(struct gcl_extraction *x, unsigned width, uint64_t open) {
    assert(open != 0 && (open >> x->depth) == 0); // it is asked for again once all are closed
    return gcl_graph_load(&x->graph, width, GCL_NOTHING, UINT64_MAX, open);
}

// Operations.

static uint32_t operand(struct gcl_extraction *x, LLVMValueRef i, unsigned index) {
    return gcl_access_value(x, LLVMGetOperand(i, index));
}

static uint32_t binary(struct gcl_extraction *x, enum gcl_node_kind kind, LLVMValueRef i) {
    uint32_t a = operand(x, i, 0), b = operand(x, i, 1);
    return gcl_graph_binary(&x->graph, kind, a, b);
}

static uint32_t convert_comparison(struct gcl_extraction *x, LLVMValueRef i) {
    static const struct {
        enum gcl_node_kind kind;
        bool swap, invert;
    } forms[] = {
        [LLVMIntEQ] = {GCL_NODE_EQ, false, false},   [LLVMIntNE] = {GCL_NODE_EQ, false, true},
        [LLVMIntUGT] = {GCL_NODE_ULT, true, false},  [LLVMIntUGE] = {GCL_NODE_ULT, false, true},
        [LLVMIntULT] = {GCL_NODE_ULT, false, false}, [LLVMIntULE] = {GCL_NODE_ULT, true, true},
        [LLVMIntSGT] = {GCL_NODE_SLT, true, false},  [LLVMIntSGE] = {GCL_NODE_SLT, false, true},
        [LLVMIntSLT] = {GCL_NODE_SLT, false, false}, [LLVMIntSLE] = {GCL_NODE_SLT, true, true},
    };
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(i);
    assert((size_t)predicate < G_N_ELEMENTS(forms) && forms[predicate].kind);
    uint32_t a = operand(x, i, forms[predicate].swap), b = operand(x, i, !forms[predicate].swap);
    uint32_t result = gcl_graph_binary(&x->graph, forms[predicate].kind, a, b);
    return forms[predicate].invert ? gcl_graph_not(&x->graph, result) : result;
}

static uint32_t convert_select(struct gcl_extraction *x, LLVMValueRef i) {
    uint32_t condition = operand(x, i, 0), a = operand(x, i, 1), b = operand(x, i, 2);
    return gcl_graph_select(&x->graph, condition, a, b);
}

static uint32_t convert_join(struct gcl_extraction *x, LLVMValueRef phi, int block) {
    uint32_t result = GCL_NOTHING;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        int from = gcl_cfg_index(x->cfg, LLVMGetIncomingBlock(phi, i));
        if (LLVMIsUndef(value) || from < 0)
            continue;
        uint32_t node = gcl_access_leave(x, gcl_access_value(x, value), from, block, phi);
        if (result == GCL_NOTHING)
            result = node;
        else if (node != result)
            result = gcl_graph_select(&x->graph, gcl_access_choice(x, from, block), node, result);
    }
    if (result != GCL_NOTHING)
        return result;
    return gcl_access_unknown(x, GCL_REASON_OPERATION, LLVMGetIntTypeWidth(LLVMTypeOf(phi)), phi);
}

static uint32_t convert_phi(struct gcl_extraction *x, LLVMValueRef phi) {
    int block = gcl_access_block(x, phi), loop = gcl_access_loop_at(x, block);
    if (loop != GCL_NOWHERE)
        return gcl_access_recurrence(x, phi, loop);
    return convert_join(x, phi, block);
}

// Calls.

static uint32_t index_leaf(struct gcl_extraction *x, enum gcl_node_kind kind, unsigned axis) {
    assert(axis < 3 && kind >= GCL_NODE_THREAD_INDEX && kind <= GCL_NODE_GRID_SIZE);
    return gcl_graph_leaf(&x->graph, kind, 32, axis, 0);
}

// A thread's number in its block.
static uint32_t thread_number(struct gcl_extraction *x) {
    uint32_t number = index_leaf(x, GCL_NODE_THREAD_INDEX, 2);
    for (unsigned axis = 2; axis-- > 0;) {
        number = gcl_graph_binary(&x->graph, GCL_NODE_MULTIPLY,
                                  index_leaf(x, GCL_NODE_BLOCK_SIZE, axis), number);
        number = gcl_graph_binary(&x->graph, GCL_NODE_ADD,
                                  index_leaf(x, GCL_NODE_THREAD_INDEX, axis), number);
    }
    return number;
}

static uint32_t convert_intrinsic(struct gcl_extraction *x, LLVMValueRef call,
                                  const struct gcl_intrinsic *intrinsic, unsigned width) {
    switch (intrinsic->kind) {
    case GCL_INTRINSIC_THREAD:
        return intrinsic->axis == 3 ? thread_number(x)
                                    : index_leaf(x, GCL_NODE_THREAD_INDEX, intrinsic->axis);
    case GCL_INTRINSIC_BLOCK_INDEX:
        return index_leaf(x, GCL_NODE_BLOCK_INDEX, intrinsic->axis);
    case GCL_INTRINSIC_BLOCK_SIZE:
        return index_leaf(x, GCL_NODE_BLOCK_SIZE, intrinsic->axis);
    case GCL_INTRINSIC_GRID_SIZE:
        return index_leaf(x, GCL_NODE_GRID_SIZE, intrinsic->axis);
    case GCL_INTRINSIC_CUT:
        return gcl_access_unknown(x, GCL_REASON_EXCHANGED_INDEX, width, call);
    default:
        return gcl_access_unknown(x, GCL_REASON_OPERATION, width, call);
    }
}

static uint32_t absolute(struct gcl_graph *g, uint32_t a) {
    uint32_t zero = gcl_graph_constant(g, gcl_graph_at(g, a)->width, 0);
    return gcl_graph_select(g, gcl_graph_binary(g, GCL_NODE_SLT, a, zero), gcl_graph_negate(g, a),
                            a);
}

// (a:b << c), its upper half, for a constant c.
static uint32_t funnel(struct gcl_graph *g, uint32_t a, uint32_t b, unsigned by) {
    unsigned width = gcl_graph_at(g, a)->width;
    assert(by > 0 && by < width);
    a = gcl_graph_binary(g, GCL_NODE_SHL, a, gcl_graph_constant(g, width, by));
    b = gcl_graph_binary(g, GCL_NODE_LSHR, b, gcl_graph_constant(g, width, width - by));
    return gcl_graph_binary(g, GCL_NODE_OR, a, b);
}

static bool is_llvm(const char *name, const char *operation) {
    return g_str_has_prefix(name, "llvm.") && g_str_has_prefix(name + 5, operation) &&
           name[5 + strlen(operation)] == '.';
}

static uint32_t convert_llvm(struct gcl_extraction *x, LLVMValueRef call, const char *name,
                             unsigned width) {
    static const struct {
        const char *name;
        enum gcl_node_kind kind;
    } pairs[] = {{"umin", GCL_NODE_UMIN},
                 {"umax", GCL_NODE_UMAX},
                 {"smin", GCL_NODE_SMIN},
                 {"smax", GCL_NODE_SMAX}};
    int64_t by;
    for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
        if (is_llvm(name, pairs[i].name))
            return binary(x, pairs[i].kind, call);
    }
    if (is_llvm(name, "abs"))
        return absolute(&x->graph, operand(x, call, 0));
    if (is_llvm(name, "usub.sat"))
        return gcl_graph_binary(&x->graph, GCL_NODE_SUBTRACT, operand(x, call, 0),
                                binary(x, GCL_NODE_UMIN, call));
    if (is_llvm(name, "expect"))
        return operand(x, call, 0);
    if (is_llvm(name, "fshl") && gcl_graph_is_constant(&x->graph, operand(x, call, 2), &by) &&
        by > 0 && by < width)
        return funnel(&x->graph, operand(x, call, 0), operand(x, call, 1), (unsigned)by);
    bool is_float = g_str_has_prefix(name, "llvm.fpto") || g_str_has_prefix(name, "llvm.lr") ||
                    g_str_has_prefix(name, "llvm.llr");
    return gcl_access_unknown(x, is_float ? GCL_REASON_FLOAT_INDEX : GCL_REASON_OPERATION, width,
                              call);
}

static uint32_t convert_call(struct gcl_extraction *x, LLVMValueRef call, unsigned width) {
    const struct gcl_intrinsic *intrinsic = gcl_intrinsic_find(call);
    if (intrinsic)
        return convert_intrinsic(x, call, intrinsic, width);
    const char *name = gcl_intrinsic_callee(call);
    if (g_str_has_prefix(name, "llvm."))
        return convert_llvm(x, call, name, width);
    return gcl_access_unknown(x, GCL_REASON_OPERATION, width, call);
}

// An element of a vector that is loaded.
static uint32_t convert_element(struct gcl_extraction *x, LLVMValueRef i, unsigned width) {
    LLVMValueRef vector = LLVMGetOperand(i, 0), index = LLVMGetOperand(i, 1);
    if (!LLVMIsALoadInst(vector) || !LLVMIsAConstantInt(index))
        return gcl_access_unknown(x, GCL_REASON_OPERATION, width, i);
    uint32_t lane = (uint32_t)LLVMConstIntGetZExtValue(index);
    return gcl_access_loaded(x, vector, width, GCL_ROLE_LANE, lane, lane * (width / 8));
}

// The address, as far as it is a number that is known at launch.
static uint32_t convert_address(struct gcl_extraction *x, LLVMValueRef pointer, LLVMValueRef where,
                                unsigned width) {
    assert(LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind);
    const struct gcl_access_targets *targets = gcl_access_find_targets(x, pointer);
    const struct gcl_access_target *place = &targets->list[0];
    if (LLVMIsNull(pointer))
        return gcl_graph_constant(&x->graph, width, 0);
    if (targets->open && (targets->count != 1 || place->kind == GCL_TARGET_OPEN))
        return gcl_access_pending(x, width, targets->open);
    if (targets->count != 1 ||
        (place->kind != GCL_TARGET_ARGUMENT && place->kind != GCL_TARGET_LOADED))
        return gcl_access_unknown(x, GCL_REASON_OPERATION, width, where);
    uint32_t base = place->kind == GCL_TARGET_ARGUMENT
                        ? gcl_graph_leaf(&x->graph, GCL_NODE_ARGUMENT, 64, place->index, 0)
                        : gcl_graph_load(&x->graph, 64, place->index, place->loops, targets->open);
    return gcl_graph_resize(&x->graph,
                            gcl_graph_binary(&x->graph, GCL_NODE_ADD, base, place->offset), width);
}

static uint32_t cast(struct gcl_extraction *x, enum gcl_node_kind kind, LLVMValueRef i,
                     unsigned width) {
    return gcl_graph_cast(&x->graph, kind, width, operand(x, i, 0));
}

static bool is_number(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64;
}

static bool has_numbers(LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
    return is_number(type) || LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static uint32_t convert_instruction(struct gcl_extraction *x, LLVMValueRef i, unsigned width) {
    static const enum gcl_node_kind kinds[] = {
        [LLVMAdd] = GCL_NODE_ADD,   [LLVMSub] = GCL_NODE_SUBTRACT, [LLVMMul] = GCL_NODE_MULTIPLY,
        [LLVMUDiv] = GCL_NODE_UDIV, [LLVMSDiv] = GCL_NODE_SDIV,    [LLVMURem] = GCL_NODE_UREM,
        [LLVMSRem] = GCL_NODE_SREM, [LLVMShl] = GCL_NODE_SHL,      [LLVMLShr] = GCL_NODE_LSHR,
        [LLVMAShr] = GCL_NODE_ASHR, [LLVMAnd] = GCL_NODE_AND,      [LLVMOr] = GCL_NODE_OR,
        [LLVMXor] = GCL_NODE_XOR,
    };
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    if (opcode == LLVMOr && width > 1 && LLVMGetIsDisjoint(i))
        return binary(x, GCL_NODE_ADD, i);
    if (opcode < G_N_ELEMENTS(kinds) && kinds[opcode])
        return binary(x, kinds[opcode], i);
    switch (opcode) {
    case LLVMICmp:
        return has_numbers(i) ? convert_comparison(x, i)
                              : gcl_access_unknown(x, GCL_REASON_OPERATION, 1, i);
    case LLVMFCmp:
        return gcl_access_unknown(x, GCL_REASON_DATA_GUARD, 1, i);
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
        if (!has_numbers(i))
            return gcl_access_unknown(x, GCL_REASON_OPERATION, width, i);
        return cast(x,
                    opcode == LLVMZExt   ? GCL_NODE_ZEXT
                    : opcode == LLVMSExt ? GCL_NODE_SEXT
                                         : GCL_NODE_TRUNC,
                    i, width);
    case LLVMSelect:
        return convert_select(x, i);
    case LLVMFreeze:
        return operand(x, i, 0);
    case LLVMPHI:
        return convert_phi(x, i);
    case LLVMLoad:
        return gcl_access_loaded(x, i, width, GCL_ROLE_WHOLE, 0, 0);
    case LLVMCall:
        return convert_call(x, i, width);
    case LLVMPtrToInt:
        return convert_address(x, LLVMGetOperand(i, 0), i, width);
    case LLVMExtractElement:
        return convert_element(x, i, width);
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMBitCast:
        return gcl_access_unknown(x, GCL_REASON_FLOAT_INDEX, width, i);
    case LLVMAtomicRMW:
    case LLVMExtractValue: // of a compare-and-swap, most of the time
        return gcl_access_unknown(x, GCL_REASON_DATA_INDEX, width, i);
    default:
        return gcl_access_unknown(x, GCL_REASON_OPERATION, width, i);
    }
}

static uint32_t convert_parameter(struct gcl_extraction *x, LLVMValueRef value, unsigned width) {
    for (unsigned i = 0; i < LLVMCountParams(x->function); i++) {
        if (LLVMGetParam(x->function, i) == value)
            return gcl_graph_leaf(&x->graph, GCL_NODE_ARGUMENT, width,
                                  gcl_parameter_offset(x->m, x->function, i), 0);
    }
    return gcl_access_unknown(x, GCL_REASON_OPERATION, width, value);
}

static uint32_t convert(struct gcl_extraction *x, LLVMValueRef value, unsigned width) {
    LLVMTypeRef type = LLVMTypeOf(value);
    if (x->graph.nodes->len > MOST_NODES || x->nesting > DEEPEST)
        return gcl_access_unknown(x, GCL_REASON_SIZE, width, value);
    if (is_number(type) && LLVMIsAInstruction(value))
        return convert_instruction(x, value, width);
    if (is_number(type) && LLVMIsAArgument(value))
        return convert_parameter(x, value, width);
    return gcl_access_unknown(x, GCL_REASON_OPERATION, width, value);
}

uint32_t gcl_access_value(struct gcl_extraction *x, LLVMValueRef value) {
    uint32_t node;
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return convert_address(x, value, value, 64);
    unsigned width = is_number(type) ? LLVMGetIntTypeWidth(type) : 64;
    if (LLVMIsAConstantInt(value) && is_number(type))
        return gcl_graph_constant(&x->graph, width, LLVMConstIntGetSExtValue(value));
    if (gcl_access_recall(x, value, &node))
        return node;
    x->nesting++;
    node = convert(x, value, width);
    x->nesting--;
    assert(gcl_graph_at(&x->graph, node)->width == width);
    return gcl_access_remember(x, value, node);
}
