// Nodes are computed as runtime/plan/inspect/lanes.c and batch.c compute them, values and what is
// known of them, so that a look finds what an inspection does, lane by lane. A value that isn't
// known is any number, never poison: what is computed from it may be stored, though not used.
#include <assert.h>
#include <stddef.h>

#include "device/look/maker.h"
#include "gcluster/look.h"

static LLVMTypeRef type_of(const struct gcl_look_maker *s, unsigned width) {
    return LLVMIntTypeInContext(s->m->context, width);
}

static LLVMValueRef number(const struct gcl_look_maker *s, unsigned width, uint64_t value) {
    return LLVMConstInt(type_of(s, width), value, 0);
}

LLVMValueRef gcl_look_bit(struct gcl_look_maker *s, bool value) {
    return number(s, 1, value);
}

LLVMValueRef gcl_look_at(struct gcl_look_maker *s, LLVMValueRef begin, LLVMValueRef offset) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(s->m->context);
    return LLVMBuildGEP2(s->builder, byte, begin, &offset, 1, "");
}

LLVMValueRef gcl_look_field(struct gcl_look_maker *s, LLVMTypeRef type, LLVMValueRef begin,
                            size_t offset) {
    return LLVMBuildLoad2(s->builder, type, gcl_look_at(s, begin, gcl_u64(s->m, offset)), "");
}

LLVMValueRef gcl_look_variable(struct gcl_look_maker *s) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(s->m->context);
    LLVMValueRef first = LLVMGetFirstInstruction(s->entry);
    if (first)
        LLVMPositionBuilderBefore(builder, first);
    else
        LLVMPositionBuilderAtEnd(builder, s->entry);
    LLVMValueRef variable = LLVMBuildAlloca(builder, gcl_i64(s->m), "");
    LLVMDisposeBuilder(builder);
    return variable;
}

LLVMValueRef gcl_look_read(struct gcl_look_maker *s, LLVMValueRef variable) {
    return LLVMBuildLoad2(s->builder, gcl_i64(s->m), variable, "");
}

static LLVMValueRef cast(const struct gcl_look_maker *s, LLVMValueRef value, unsigned width) {
    return LLVMBuildIntCast2(s->builder, value, type_of(s, width), 0, "");
}

// Memory.

static unsigned window_of(const struct gcl_look_maker *s, uint16_t access) {
    unsigned i = 0;
    while (i < s->nest->origins->load_count && s->nest->origins->loads[i] != access)
        i++;
    return i;
}

/// Notes that a number at an offset in a window is read if `is_in`.
static void note(struct gcl_look_maker *s, const struct gcl_look_reading *reading,
                 LLVMValueRef offset, LLVMValueRef is_in) {
    LLVMBuilderRef b = s->builder;
    LLVMValueRef most = gcl_u64(s->m, UINT64_MAX), none = gcl_u64(s->m, 0);
    LLVMValueRef low = LLVMBuildSelect(b, is_in, offset, most, "");
    LLVMValueRef high = LLVMBuildSelect(b, is_in, offset, none, "");
    LLVMValueRef less = gcl_minimum(b, gcl_look_read(s, reading->least), low);
    LLVMValueRef more = gcl_maximum(b, gcl_look_read(s, reading->greatest), high);
    LLVMBuildStore(b, less, reading->least);
    LLVMBuildStore(b, more, reading->greatest);
}

/// A number of so many bytes at an offset in a window if `is_in`, else 0.
static LLVMValueRef read_if(struct gcl_look_maker *s, const struct gcl_look_reading *reading,
                            LLVMValueRef offset, LLVMValueRef is_in, unsigned bytes) {
    LLVMBuilderRef b = s->builder;
    LLVMTypeRef type = type_of(s, bytes * 8);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef read = LLVMAppendBasicBlockInContext(s->m->context, s->function, "read");
    LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(s->m->context, s->function, "");
    LLVMBuildCondBr(b, is_in, read, after);
    LLVMPositionBuilderAtEnd(b, read);
    LLVMValueRef there = LLVMBuildLoad2(b, type, gcl_look_at(s, reading->bytes, offset), "");
    LLVMSetAlignment(there, 1);
    LLVMBuildBr(b, after);
    LLVMPositionBuilderAtEnd(b, after);
    LLVMValueRef value = LLVMBuildPhi(b, type, "");
    LLVMValueRef values[] = {there, LLVMConstNull(type)};
    LLVMBasicBlockRef blocks[] = {read, before};
    LLVMAddIncoming(value, values, blocks, 2);
    return value;
}

static struct gcl_look_value load(struct gcl_look_maker *s, const struct gcl_node *node) {
    const struct gcl_program *program = s->nest->program;
    const struct gcl_access *access = &program->accesses[node->a];
    const struct gcl_look_value unknown = {number(s, node->width, 0), gcl_look_bit(s, false)};
    unsigned bytes = (node->width + 7u) / 8, window = window_of(s, node->a);
    LLVMBuilderRef b = s->builder;
    if (access->size < bytes || access->offset == GCL_NONE ||
        window == s->nest->origins->load_count || program->bases[access->base].kind == GCL_BASE_ANY)
        return unknown;
    const struct gcl_look_reading *reading = &s->readings[window];
    const struct gcl_look_value *place = &s->nodes[access->offset];
    LLVMValueRef none = gcl_u64(s->m, 0), length = gcl_u64(s->m, bytes - 1);
    LLVMValueRef offset = LLVMBuildAdd(b, reading->shift, place->value, "");
    LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntUGT, reading->size, length, "");
    LLVMValueRef end =
        LLVMBuildSelect(b, fits, LLVMBuildSub(b, reading->size, length, ""), none, "");
    LLVMValueRef is_in = LLVMBuildICmp(b, LLVMIntULT, offset, end, "");
    LLVMValueRef is_there = LLVMBuildICmp(b, LLVMIntNE, reading->size, none, "");
    LLVMValueRef is_out = LLVMBuildAnd(b, LLVMBuildNot(b, is_in, ""), is_there, "");
    s->has_missed = LLVMBuildOr(b, s->has_missed, LLVMBuildAnd(b, is_out, place->known, ""), "");
    is_in = LLVMBuildAnd(b, is_in, place->known, "");
    note(s, reading, offset, is_in);
    LLVMValueRef value = read_if(s, reading, offset, is_in, bytes);
    return (struct gcl_look_value){cast(s, value, node->width), is_in};
}

// Other leaves.

static LLVMValueRef argument(struct gcl_look_maker *s, const struct gcl_node *node) {
    LLVMValueRef arguments =
        gcl_look_field(s, gcl_ptr(s->m), s->look, offsetof(struct gcl_look, arguments));
    LLVMValueRef there =
        gcl_look_field(s, type_of(s, (node->width + 7u) / 8 * 8), arguments, node->a);
    LLVMSetAlignment(there, 1);
    return cast(s, there, node->width);
}

static LLVMValueRef size_on(struct gcl_look_maker *s, size_t sizes, unsigned axis) {
    return gcl_look_field(s, gcl_i32(s->m), s->look, sizes + axis * sizeof(uint32_t));
}

/// What a launch gives to all threads.
static struct gcl_look_value given(struct gcl_look_maker *s, const struct gcl_node *node) {
    const struct gcl_look_value unknown = {number(s, node->width, 0), gcl_look_bit(s, false)};
    LLVMValueRef value;
    if (node->kind == GCL_NODE_CONSTANT)
        value = number(s, 64, (uint64_t)s->nest->program->constants[node->a]);
    else if (node->kind == GCL_NODE_ARGUMENT)
        value = argument(s, node);
    else if (node->kind == GCL_NODE_BLOCK_SIZE)
        value = size_on(s, offsetof(struct gcl_look, block), node->a);
    else if (node->kind == GCL_NODE_GRID_SIZE)
        value = size_on(s, offsetof(struct gcl_look, grid), node->a);
    else
        return unknown;
    return (struct gcl_look_value){cast(s, value, node->width), gcl_look_bit(s, true)};
}

static struct gcl_look_value leaf(struct gcl_look_maker *s, unsigned level,
                                  const struct gcl_node *node) {
    LLVMValueRef count = s->counters[level];
    if (node->kind == GCL_NODE_LOAD)
        return load(s, node);
    if (level == 0)
        return given(s, node);
    if (node->kind == GCL_NODE_GLOBAL_INDEX && s->nest->levels[level].kind == GCL_LEVEL_THREAD) {
        unsigned block = gcl_nest_level_of(s->nest, GCL_LEVEL_BLOCK, node->a);
        assert(block < level);
        LLVMValueRef size = cast(s, size_on(s, offsetof(struct gcl_look, block), node->a), 64);
        LLVMValueRef first = LLVMBuildMul(s->builder, size, s->counters[block], "");
        count = LLVMBuildAdd(s->builder, first, count, "");
    }
    return (struct gcl_look_value){cast(s, count, node->width), gcl_look_bit(s, true)};
}

// Operations.

/// By 0 it is 0, and the least number has no opposite.
static LLVMValueRef quotient(struct gcl_look_maker *s, uint8_t kind, LLVMValueRef a,
                             LLVMValueRef b) {
    LLVMBuilderRef builder = s->builder;
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef zero = LLVMConstNull(type), one = LLVMConstInt(type, 1, 0);
    LLVMValueRef ones = LLVMConstAllOnes(type);
    bool is_signed = kind == GCL_NODE_SDIV || kind == GCL_NODE_SREM;
    LLVMOpcode opcode = kind == GCL_NODE_UDIV   ? LLVMUDiv
                        : kind == GCL_NODE_UREM ? LLVMURem
                        : kind == GCL_NODE_SDIV ? LLVMSDiv
                                                : LLVMSRem;
    LLVMValueRef by_none = LLVMBuildICmp(builder, LLVMIntEQ, b, zero, "");
    LLVMValueRef by_minus = LLVMBuildICmp(builder, LLVMIntEQ, b, ones, "");
    LLVMValueRef is_odd = is_signed ? LLVMBuildOr(builder, by_none, by_minus, "") : by_none;
    LLVMValueRef result =
        LLVMBuildBinOp(builder, opcode, a, LLVMBuildSelect(builder, is_odd, one, b, ""), "");
    if (is_signed) {
        LLVMValueRef opposite = kind == GCL_NODE_SREM ? zero : LLVMBuildNeg(builder, a, "");
        result = LLVMBuildSelect(builder, by_minus, opposite, result, "");
    }
    return LLVMBuildSelect(builder, by_none, zero, result, "");
}

/// By the width or more it is 0, or the sign.
static LLVMValueRef shift(struct gcl_look_maker *s, uint8_t kind, LLVMValueRef a, LLVMValueRef b) {
    LLVMBuilderRef builder = s->builder;
    LLVMTypeRef type = LLVMTypeOf(a);
    unsigned width = LLVMGetIntTypeWidth(type);
    LLVMValueRef last = LLVMConstInt(type, width - 1, 0), zero = LLVMConstNull(type);
    LLVMValueRef fits = LLVMBuildICmp(builder, LLVMIntULE, b, last, "");
    LLVMValueRef by = LLVMBuildSelect(builder, fits, b, last, "");
    if (kind == GCL_NODE_ASHR)
        return LLVMBuildAShr(builder, a, by, "");
    LLVMValueRef result =
        kind == GCL_NODE_SHL ? LLVMBuildShl(builder, a, by, "") : LLVMBuildLShr(builder, a, by, "");
    return LLVMBuildSelect(builder, fits, result, zero, "");
}

static LLVMValueRef choose(struct gcl_look_maker *s, LLVMIntPredicate predicate, LLVMValueRef a,
                           LLVMValueRef b) {
    return LLVMBuildSelect(s->builder, LLVMBuildICmp(s->builder, predicate, a, b, ""), a, b, "");
}

static LLVMValueRef binary(struct gcl_look_maker *s, uint8_t kind, LLVMValueRef a, LLVMValueRef b) {
    switch (kind) {
    case GCL_NODE_ADD:
        return LLVMBuildAdd(s->builder, a, b, "");
    case GCL_NODE_SUBTRACT:
        return LLVMBuildSub(s->builder, a, b, "");
    case GCL_NODE_MULTIPLY:
        return LLVMBuildMul(s->builder, a, b, "");
    case GCL_NODE_AND:
        return LLVMBuildAnd(s->builder, a, b, "");
    case GCL_NODE_OR:
        return LLVMBuildOr(s->builder, a, b, "");
    case GCL_NODE_XOR:
        return LLVMBuildXor(s->builder, a, b, "");
    case GCL_NODE_UMIN:
        return choose(s, LLVMIntULT, a, b);
    case GCL_NODE_UMAX:
        return choose(s, LLVMIntUGT, a, b);
    case GCL_NODE_SMIN:
        return choose(s, LLVMIntSLT, a, b);
    case GCL_NODE_SMAX:
        return choose(s, LLVMIntSGT, a, b);
    case GCL_NODE_EQ:
        return LLVMBuildICmp(s->builder, LLVMIntEQ, a, b, "");
    case GCL_NODE_ULT:
        return LLVMBuildICmp(s->builder, LLVMIntULT, a, b, "");
    case GCL_NODE_SLT:
        return LLVMBuildICmp(s->builder, LLVMIntSLT, a, b, "");
    default:
        return kind <= GCL_NODE_SREM ? quotient(s, kind, a, b) : shift(s, kind, a, b);
    }
}

static LLVMValueRef is_set(struct gcl_look_maker *s, LLVMValueRef value) {
    return LLVMBuildICmp(s->builder, LLVMIntNE, value, LLVMConstNull(LLVMTypeOf(value)), "");
}

/// Whether an operand is enough: 0 for one of `and`, 1 for one of `or`.
static LLVMValueRef decides(struct gcl_look_maker *s, const struct gcl_node *node,
                            struct gcl_look_value operand) {
    LLVMValueRef is_one = is_set(s, operand.value);
    if (node->kind == GCL_NODE_AND)
        return LLVMBuildAnd(s->builder, operand.known, LLVMBuildNot(s->builder, is_one, ""), "");
    if (node->kind == GCL_NODE_OR && node->width == 1)
        return LLVMBuildAnd(s->builder, operand.known, is_one, "");
    return gcl_look_bit(s, false);
}

static struct gcl_look_value operation(struct gcl_look_maker *s, const struct gcl_node *node) {
    LLVMBuilderRef builder = s->builder;
    const struct gcl_look_value a = s->nodes[node->a];
    if (node->kind == GCL_NODE_SEXT)
        return (struct gcl_look_value){
            LLVMBuildIntCast2(builder, a.value, type_of(s, node->width), 1, ""), a.known};
    if (node->kind == GCL_NODE_ZEXT || node->kind == GCL_NODE_TRUNC)
        return (struct gcl_look_value){cast(s, a.value, node->width), a.known};
    const struct gcl_look_value b = s->nodes[node->b];
    if (node->kind == GCL_NODE_SELECT) {
        const struct gcl_look_value c = s->nodes[node->c];
        LLVMValueRef is_b = is_set(s, a.value);
        LLVMValueRef known = LLVMBuildSelect(builder, is_b, b.known, c.known, "");
        return (struct gcl_look_value){LLVMBuildSelect(builder, is_b, b.value, c.value, ""),
                                       LLVMBuildAnd(builder, known, a.known, "")};
    }
    LLVMValueRef known = LLVMBuildAnd(builder, a.known, b.known, "");
    known = LLVMBuildOr(builder, known, decides(s, node, a), "");
    known = LLVMBuildOr(builder, known, decides(s, node, b), "");
    return (struct gcl_look_value){binary(s, node->kind, a.value, b.value), known};
}

void gcl_look_compute_nodes(struct gcl_look_maker *s, unsigned at) {
    const struct gcl_nest_level *level = &s->nest->levels[at];
    s->has_missed = gcl_look_bit(s, false);
    for (uint32_t i = level->nodes.begin; i < level->nodes.end; i++) {
        uint16_t index = s->nest->nodes[i];
        const struct gcl_node *node = &s->nest->program->nodes[index];
        s->nodes[index] = node->kind < GCL_NODE_ADD ? leaf(s, at, node) : operation(s, node);
    }
}
