// Instructions whose operands no form says: mov, cvt, setp, control, and what lanes do together.
#include <string.h>

#include "../execute/steps.h"
#include "decode.h"

static bool is_special(const struct ptx_operand *operand, const char *name) {
    return ptx_token_is(&operand->name, PTX_WORD, name);
}

/// A special register: ptx_special, with the axis in `value`.
static void emit_special(struct ptx_reader *reader, struct ptx_instruction *instruction,
                         const struct ptx_operand *operand, const struct ptx_operands *operands) {
    static const char *const names[] = {
#define X(name, text) text,
        PTX_SPECIALS(X)
#undef X
    };
    unsigned kind = 0, count = sizeof names / sizeof *names;
    while (kind < count && !is_special(operand, names[kind]))
        kind++;
    bool has_axes = kind <= PTX_SPECIAL_NCTAID;
    bool has_part = operand->part.length > 0;
    char axis = has_part && operand->part.length == 1 ? operand->part.text[0] : 0;
    bool is_axis = axis == 'x' || axis == 'y' || axis == 'z';
    if (kind == count || (has_axes ? !is_axis : has_part))
        ptx_fail(reader, instruction->line, "'%.*s%s%.*s' is no register", PTX_TEXT(operand->name),
                 has_part ? "." : "", PTX_TEXT(operand->part));
    struct ptx_op *op = ptx_emit(reader, instruction, ptx_step_special);
    op->kind = (uint8_t)kind;
    op->value = has_axes ? (uint64_t)(axis - 'x') : 0;
    op->d[0] = operands->d[0];
    op->d_size[0] = operands->d_size[0];
    op->d_count = 1;
    if (op->d_size[0] < 4)
        ptx_fail(reader, instruction->line, "'%.*s' doesn't fit", PTX_TEXT(operand->name));
}

/// The function's address may be called from here on.
static void note_callee(struct ptx_reader *reader, const struct ptx_code *callee) {
    struct ptx_code *code = reader->code;
    code->callees = ptx_grow(code->callees, code->callee_count, &reader->callee_capacity,
                             sizeof *code->callees);
    code->callees[code->callee_count++] = callee;
}

void ptx_emit_source(struct ptx_reader *reader, struct ptx_instruction *instruction,
                     const struct ptx_operand *operand, enum ptx_type type,
                     const struct ptx_operands *operands) {
    if (operand->kind == PTX_O_SPECIAL) {
        emit_special(reader, instruction, operand, operands);
        return;
    }
    struct ptx_op *op =
        ptx_emit(reader, instruction,
                 operand->kind == PTX_O_REGISTER ? ptx_step_predicate_not : ptx_step_address);
    op->d[0] = operands->d[0];
    op->d_size[0] = operands->d_size[0];
    op->d_count = 1;
    if (operand->kind == PTX_O_REGISTER) {
        if (type != PTX_PRED || reader->registers[operand->reg].size != 0)
            ptx_fail(reader, instruction->line, "'!%.*s' is no predicate", PTX_TEXT(operand->name));
        op->s[0] = (uint32_t)operand->reg << 1;
        op->s_count = 1;
        return;
    }
    if (op->d_size[0] < 4 || (operand->kind == PTX_O_CODE && op->d_size[0] < 8))
        ptx_fail(reader, instruction->line, "the address '%.*s' doesn't fit",
                 PTX_TEXT(operand->name));
    op->value = operand->value;
    if (operand->kind == PTX_O_CODE) {
        op->value += PTX_CODE_WINDOW + 16 * ((uint64_t)operand->code->number + 1);
        note_callee(reader, operand->code);
    } else {
        op->extra = operand->place;
        ptx_note_place(reader, operand->place);
    }
}

/// mov.b64 %rd, {%r1, %r2}: the type of each element.
static enum ptx_type element_type(struct ptx_reader *reader,
                                  const struct ptx_instruction *instruction, enum ptx_type type,
                                  size_t count) {
    size_t size = ptx_type_facts[type].size / (count ? count : 1);
    if (size * count == ptx_type_facts[type].size && count <= 4)
        for (unsigned t = PTX_B8; t < PTX_TYPE_COUNT; t++)
            if (ptx_type_facts[t].kind == 'b' && ptx_type_facts[t].size == size)
                return (enum ptx_type)t;
    ptx_fail(reader, instruction->line, "mov of %zu elements as .%s", count,
             ptx_type_facts[type].name);
}

void ptx_decode_move(struct ptx_reader *reader, struct ptx_instruction *instruction,
                     const struct ptx_row *row) {
    (void)row;
    enum ptx_type type = ptx_need_type(reader, instruction);
    ptx_check_modifiers(reader, instruction);
    struct ptx_operands operands = {.d_count = 0};
    struct ptx_operand *to = ptx_next_operand(reader, instruction);
    struct ptx_operand *from = ptx_next_operand(reader, instruction);
    if (to->kind == PTX_O_LIST) {
        enum ptx_type element = element_type(reader, instruction, type, to->count);
        for (size_t i = 0; i < to->count; i++)
            ptx_add_define(reader, instruction, &operands, &to->items[i], element, false);
        ptx_add_use(reader, instruction, &operands, from, type, false);
        ptx_emit_with(reader, instruction, ptx_step_unpack, &operands);
        return;
    }
    ptx_add_define(reader, instruction, &operands, to, type, false);
    if (from->kind == PTX_O_LIST) {
        enum ptx_type element = element_type(reader, instruction, type, from->count);
        for (size_t i = 0; i < from->count; i++)
            ptx_add_use(reader, instruction, &operands, &from->items[i], element, false);
        ptx_emit_with(reader, instruction, ptx_step_pack, &operands);
    } else if (from->kind == PTX_O_SPECIAL || from->kind == PTX_O_PLACE ||
               from->kind == PTX_O_CODE || from->is_negated) {
        ptx_emit_source(reader, instruction, from, type, &operands);
    } else {
        ptx_add_use(reader, instruction, &operands, from, type, false);
        ptx_emit_with(reader, instruction, ptx_step_move, &operands);
    }
}

/// cvt.rn.f16x2.f32 d, a, b: two operands for a pair.
static bool is_pair(enum ptx_type type) {
    return type == PTX_F16X2 || type == PTX_BF16X2;
}

void ptx_decode_convert(struct ptx_reader *reader, struct ptx_instruction *instruction,
                        const struct ptx_row *row) {
    (void)row;
    bool is_integral, has_ftz = ptx_take_modifier(instruction, "ftz");
    bool has_sat = ptx_take_modifier(instruction, "sat");
    bool is_relu = ptx_take_modifier(instruction, "relu");
    enum ptx_rounding rounding = ptx_take_rounding(instruction, &is_integral);
    enum ptx_type type = ptx_need_type(reader, instruction),
                  from = ptx_need_type(reader, instruction);
    ptx_check_modifiers(reader, instruction);
    if (type == PTX_PRED || from == PTX_PRED || (is_pair(type) && from != PTX_F32) ||
        (is_pair(from)) || ptx_type_facts[type].size > 8 || ptx_type_facts[from].size > 8)
        ptx_fail(reader, instruction->line, "instruction cvt.%s.%s is not known",
                 ptx_type_facts[type].name, ptx_type_facts[from].name);
    struct ptx_operands operands = {.d_count = 0};
    ptx_add_define(reader, instruction, &operands, ptx_next_operand(reader, instruction), type,
                   true);
    for (int i = 0; i < (is_pair(type) ? 2 : 1); i++)
        ptx_add_use(reader, instruction, &operands, ptx_next_operand(reader, instruction), from,
                    true);
    struct ptx_op *op = ptx_emit_with(reader, instruction, ptx_step_convert, &operands);
    op->type = (uint8_t)type;
    op->from_type = (uint8_t)from;
    op->rounding = (uint8_t)rounding;
    op->is_integral = is_integral;
    op->has_ftz = has_ftz;
    op->has_sat = has_sat;
    op->is_relu = is_relu;
    op->run = ptx_choose_convert(op);
}

enum { NO_JOIN = 3 };

/// What setp and set share: comparison, and the operation that joins the result to a predicate.
static void take_comparison(struct ptx_reader *reader, struct ptx_instruction *instruction,
                            uint8_t *comparison, uint8_t *join) {
    static const char *const comparisons[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",
                                              "equ", "neu", "ltu", "leu", "gtu", "geu",
                                              "num", "nan", "lo",  "ls",  "hi",  "hs"};
    static const uint8_t meanings[] = {PTX_EQ,  PTX_NE,  PTX_LT,  PTX_LE,  PTX_GT,  PTX_GE,
                                       PTX_EQU, PTX_NEU, PTX_LTU, PTX_LEU, PTX_GTU, PTX_GEU,
                                       PTX_NUM, PTX_NAN, PTX_LT,  PTX_LE,  PTX_GT,  PTX_GE};
    static const char *const joins[] = {"and", "or", "xor"};
    unsigned found = ptx_take_one_of(instruction, comparisons, 18);
    if (found == 18)
        ptx_fail(reader, instruction->line, "%.*s without a comparison",
                 PTX_TEXT(instruction->name));
    *comparison = meanings[found];
    *join = (uint8_t)ptx_take_one_of(instruction, joins, 3);
}

static void check_comparison(struct ptx_reader *reader, const struct ptx_instruction *instruction,
                             enum ptx_type type, uint8_t comparison) {
    char kind = ptx_type_facts[type].kind;
    bool is_float = kind == 'f' || kind == 'h' || kind == 'z' || kind == 'H' || kind == 'Z';
    if (type == PTX_PRED || ptx_type_facts[type].size < 2 || type == PTX_B128 ||
        (!is_float && comparison > PTX_GE) || (kind == 'b' && comparison > PTX_NE))
        ptx_fail(reader, instruction->line, "%.*s has no such comparison of .%s",
                 PTX_TEXT(instruction->name), ptx_type_facts[type].name);
}

/// setp.lt.and.s32 p|q, a, b, c
void ptx_decode_setp(struct ptx_reader *reader, struct ptx_instruction *instruction,
                     const struct ptx_row *row) {
    (void)row;
    uint8_t comparison, join;
    bool has_ftz = ptx_take_modifier(instruction, "ftz");
    take_comparison(reader, instruction, &comparison, &join);
    enum ptx_type type = ptx_need_type(reader, instruction);
    ptx_check_modifiers(reader, instruction);
    check_comparison(reader, instruction, type, comparison);
    struct ptx_operands operands = {.d_count = 0};
    struct ptx_operand *to = ptx_next_operand(reader, instruction);
    ptx_add_define(reader, instruction, &operands, to, PTX_PRED, false);
    if (to->second)
        ptx_add_define(reader, instruction, &operands, to->second, PTX_PRED, false);
    for (int i = 0; i < 2; i++)
        ptx_add_use(reader, instruction, &operands, ptx_next_operand(reader, instruction), type,
                    false);
    if (join != NO_JOIN)
        ptx_add_use(reader, instruction, &operands, ptx_next_operand(reader, instruction), PTX_PRED,
                    false);
    struct ptx_op *op = ptx_emit_with(reader, instruction, ptx_choose_setp(type), &operands);
    op->type = (uint8_t)type;
    op->comparison = comparison;
    op->kind = join;
    op->has_ftz = has_ftz;
}

/// set.lt.u32.f32 d, a, b: a setp, and what makes a number of its result.
void ptx_decode_set(struct ptx_reader *reader, struct ptx_instruction *instruction,
                    const struct ptx_row *row) {
    (void)row;
    uint8_t comparison, join;
    bool has_ftz = ptx_take_modifier(instruction, "ftz");
    take_comparison(reader, instruction, &comparison, &join);
    enum ptx_type type = ptx_need_type(reader, instruction),
                  from = ptx_need_type(reader, instruction);
    ptx_check_modifiers(reader, instruction);
    check_comparison(reader, instruction, from, comparison);
    if (type != PTX_U32 && type != PTX_S32 && type != PTX_F32)
        ptx_fail(reader, instruction->line, "instruction set with .%s is not known",
                 ptx_type_facts[type].name);
    struct ptx_operands to = {.d_count = 0};
    ptx_add_define(reader, instruction, &to, ptx_next_operand(reader, instruction), type, false);
    struct ptx_operands operands = {.d = {(uint32_t)ptx_new_register(reader, 0) << 1},
                                    .d_count = 1};
    for (int i = 0; i < 2; i++)
        ptx_add_use(reader, instruction, &operands, ptx_next_operand(reader, instruction), from,
                    false);
    if (join != NO_JOIN)
        ptx_add_use(reader, instruction, &operands, ptx_next_operand(reader, instruction), PTX_PRED,
                    false);
    struct ptx_op *op = ptx_emit_with(reader, instruction, ptx_choose_setp(from), &operands);
    op->type = (uint8_t)from;
    op->comparison = comparison;
    op->kind = join;
    op->has_ftz = has_ftz;
    to.s[0] = ptx_constant(reader, type == PTX_F32 ? 0x3f800000 : UINT32_MAX, 4);
    to.s[1] = ptx_constant(reader, 0, 4);
    to.s[2] = operands.d[0];
    to.s_size[0] = to.s_size[1] = 4;
    to.s_count = 3;
    ptx_emit_with(reader, instruction, ptx_step_select_32, &to);
}

/// The space of cvta, isspacep: its window's first address; false for global.
static uint64_t take_base(struct ptx_reader *reader, struct ptx_instruction *instruction,
                          bool *is_global) {
    static const char *const names[] = {"global", "shared", "shared::cta", "local",
                                        "const",  "param",  "param::entry"};
    static const uint64_t bases[] = {0,
                                     PTX_SHARED_WINDOW,
                                     PTX_SHARED_WINDOW,
                                     PTX_LOCAL_WINDOW,
                                     PTX_CONST_WINDOW,
                                     PTX_PARAM_WINDOW,
                                     PTX_PARAM_WINDOW};
    unsigned found = ptx_take_one_of(instruction, names, 7);
    if (found == 7)
        ptx_fail(reader, instruction->line, "%.*s without a known space",
                 PTX_TEXT(instruction->name));
    *is_global = found == 0;
    return bases[found];
}

/// Addresses of parameter memory are generic ones.
void ptx_decode_cvta(struct ptx_reader *reader, struct ptx_instruction *instruction,
                     const struct ptx_row *row) {
    (void)row;
    bool is_global, is_to = ptx_take_modifier(instruction, "to");
    uint64_t base = take_base(reader, instruction, &is_global);
    enum ptx_type type = ptx_need_type(reader, instruction);
    ptx_check_modifiers(reader, instruction);
    if (ptx_type_facts[type].size != 8)
        ptx_fail(reader, instruction->line, "cvta of 32 bits is not known");
    struct ptx_operands operands = {.d_count = 0};
    ptx_add_define(reader, instruction, &operands, ptx_next_operand(reader, instruction), type,
                   false);
    ptx_add_use(reader, instruction, &operands, ptx_next_operand(reader, instruction), type, false);
    if (is_global || base == PTX_PARAM_WINDOW) {
        ptx_emit_with(reader, instruction, ptx_step_move, &operands);
        return;
    }
    operands.s[1] = ptx_constant(reader, is_to ? -base : base, 8);
    operands.s_size[1] = 8;
    operands.s_count = 2;
    ptx_emit_with(reader, instruction, ptx_step_add_64, &operands);
}

void ptx_decode_isspacep(struct ptx_reader *reader, struct ptx_instruction *instruction,
                         const struct ptx_row *row) {
    bool is_global;
    uint64_t base = take_base(reader, instruction, &is_global);
    ptx_check_modifiers(reader, instruction);
    struct ptx_operands operands = {.d_count = 0};
    ptx_add_define(reader, instruction, &operands, ptx_next_operand(reader, instruction), PTX_PRED,
                   false);
    ptx_add_use(reader, instruction, &operands, ptx_next_operand(reader, instruction), PTX_U64,
                false);
    struct ptx_op *op = ptx_emit_with(reader, instruction, row->step, &operands);
    op->value = base;
}

void ptx_decode_branch(struct ptx_reader *reader, struct ptx_instruction *instruction,
                       const struct ptx_row *row) {
    (void)row;
    ptx_take_modifier(instruction, "uni");
    ptx_check_modifiers(reader, instruction);
    struct ptx_token name = ptx_next_operand(reader, instruction)->name;
    ptx_emit_with(reader, instruction, ptx_step_branch, &(struct ptx_operands){.d_count = 0});
    ptx_await_label(reader, name, NULL);
}

void ptx_decode_branch_indexed(struct ptx_reader *reader, struct ptx_instruction *instruction,
                               const struct ptx_row *row) {
    (void)row;
    ptx_take_modifier(instruction, "idx");
    ptx_take_modifier(instruction, "uni");
    ptx_check_modifiers(reader, instruction);
    struct ptx_operands operands = {.d_count = 0};
    ptx_add_use(reader, instruction, &operands, ptx_next_operand(reader, instruction), PTX_U32,
                false);
    struct ptx_token name = ptx_next_operand(reader, instruction)->name;
    const struct ptx_symbol *symbol = ptx_find_symbol(reader, name.text, name.length);
    if (!symbol || symbol->kind != PTX_TARGETS)
        ptx_fail(reader, instruction->line, "'%.*s' is no list of targets", PTX_TEXT(name));
    ptx_emit_with(reader, instruction, ptx_step_branch_indexed, &operands)->extra = symbol->targets;
}

void ptx_decode_return(struct ptx_reader *reader, struct ptx_instruction *instruction,
                       const struct ptx_row *row) {
    ptx_take_modifier(instruction, "uni");
    ptx_check_modifiers(reader, instruction);
    ptx_emit_with(reader, instruction, row->step, &(struct ptx_operands){.d_count = 0});
}

/// The variables of a call's list.
static const struct ptx_place **places_of(struct ptx_reader *reader,
                                          const struct ptx_instruction *instruction,
                                          const struct ptx_operand *list) {
    const struct ptx_place **places =
        ptx_arena_allocate(&reader->module->arena, list->count * sizeof *places);
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].kind != PTX_O_PLACE || list->items[i].place->window != PTX_IN_LOCAL)
            ptx_fail(reader, instruction->line, "'%.*s' is no .param variable",
                     PTX_TEXT(list->items[i].name));
        places[i] = list->items[i].place;
    }
    return places;
}

static void check_lists(struct ptx_reader *reader, const struct ptx_instruction *instruction,
                        const struct ptx_call *call) {
    const struct ptx_code *code = call->code;
    bool is_right =
        call->argument_count == code->formal_count && call->result_count <= code->result_count;
    for (size_t i = 0; is_right && i < call->argument_count; i++)
        is_right = call->arguments[i]->size == code->formals[i]->size;
    for (size_t i = 0; is_right && i < call->result_count; i++)
        is_right = call->results[i]->size == code->results[i]->size;
    if (!is_right)
        ptx_fail(reader, instruction->line, "the call of %s doesn't have its parameters",
                 code->facts.name);
}

static ptx_step *step_of_call(const struct ptx_code *code) {
    static ptx_step *const steps[] = {ptx_step_call, ptx_step_vprintf, ptx_step_assertfail,
                                      ptx_step_malloc, ptx_step_free};
    return steps[code ? code->builtin : PTX_NO_BUILTIN];
}

/// call (results), function, (arguments), prototype: all but the function may be missing.
void ptx_decode_call(struct ptx_reader *reader, struct ptx_instruction *instruction,
                     const struct ptx_row *row) {
    (void)row;
    ptx_take_modifier(instruction, "uni");
    ptx_check_modifiers(reader, instruction);
    struct ptx_call *call = ptx_arena_allocate(&reader->module->arena, sizeof *call);
    struct ptx_operands operands = {.d_count = 0};
    struct ptx_operand *operand = ptx_next_operand(reader, instruction);
    if (operand->kind == PTX_O_LIST) {
        call->results = places_of(reader, instruction, operand);
        call->result_count = operand->count;
        operand = ptx_next_operand(reader, instruction);
    }
    struct ptx_operand *target = operand;
    if (ptx_has_operand(instruction) && instruction->operands[instruction->at].kind == PTX_O_LIST) {
        operand = ptx_next_operand(reader, instruction);
        call->arguments = places_of(reader, instruction, operand);
        call->argument_count = operand->count;
    }
    if (ptx_has_operand(instruction))
        ptx_next_operand(reader, instruction);
    if (target->kind == PTX_O_CODE) {
        call->code = target->code;
        note_callee(reader, target->code);
        if (target->code->is_entry)
            ptx_fail(reader, instruction->line, "%s is an entry", target->code->facts.name);
        check_lists(reader, instruction, call);
    } else {
        ptx_add_use(reader, instruction, &operands, target, PTX_U64, false);
        reader->code->calls_indirectly = true;
    }
    ptx_emit_with(reader, instruction, step_of_call(call->code), &operands)->extra = call;
    struct ptx_instruction none = {.line = instruction->line};
    ptx_emit(reader, &none, ptx_step_join);
}

/// bar.sync a, b; barrier.cta.red.popc.u32 d, a, b, p …
void ptx_decode_barrier(struct ptx_reader *reader, struct ptx_instruction *instruction,
                        const struct ptx_row *row) {
    static const char *const names[] = {"sync", "arrive", "red"};
    static const char *const joins[] = {"popc", "and", "or"};
    for (size_t i = 0; i < instruction->modifier_count; i++)
        if (ptx_token_is(&instruction->modifiers[i], PTX_DOTTED, "warp")) {
            ptx_decode_lanes(reader, instruction, row);
            return;
        }
    ptx_take_modifier(instruction, "cta");
    ptx_take_modifier(instruction, "aligned");
    unsigned kind = ptx_take_one_of(instruction, names, 3);
    unsigned join = kind == 2 ? ptx_take_one_of(instruction, joins, 3) : 0;
    enum ptx_type type = kind == 2 ? ptx_need_type(reader, instruction) : PTX_NONE;
    ptx_check_modifiers(reader, instruction);
    if (kind == 3 || join == 3 || (kind == 2 && type != (join == 0 ? PTX_U32 : PTX_PRED)))
        ptx_fail(reader, instruction->line, "a barrier that is not known");
    struct ptx_operands operands = {.d_count = 0};
    if (kind == 2)
        ptx_add_define(reader, instruction, &operands, ptx_next_operand(reader, instruction), type,
                       false);
    ptx_add_use(reader, instruction, &operands, ptx_next_operand(reader, instruction), PTX_U32,
                false);
    struct ptx_operand all = {.kind = PTX_O_INTEGER};
    size_t behind = kind == 2 ? 1 : 0;
    bool has_count = instruction->operand_count - instruction->at > behind;
    ptx_add_use(reader, instruction, &operands,
                has_count ? ptx_next_operand(reader, instruction) : &all, PTX_U32, false);
    if (kind == 2)
        ptx_add_use(reader, instruction, &operands, ptx_next_operand(reader, instruction), PTX_PRED,
                    false);
    struct ptx_op *op = ptx_emit_with(reader, instruction, ptx_step_barrier, &operands);
    op->kind = (uint8_t)(kind == 2 ? PTX_BARRIER_POPC + join : kind);
}

/// An instruction for lanes of a mask: by the row's form, with the mask its last operand.
void ptx_decode_lanes(struct ptx_reader *reader, struct ptx_instruction *instruction,
                      const struct ptx_row *row) {
    char name[128];
    const struct ptx_lanes_row *found = NULL;
    size_t used = 0;
    for (size_t i = 0; i < instruction->modifier_count; i++) {
        struct ptx_token token = instruction->modifiers[i];
        if (ptx_type_of(token) != PTX_NONE || used + token.length + 2 > sizeof name)
            continue;
        name[used++] = '.';
        memcpy(name + used, token.text, token.length);
        used += token.length;
        instruction->is_used[i] = true;
    }
    name[used] = 0;
    enum ptx_type type = ptx_take_type(instruction);
    ptx_check_modifiers(reader, instruction);
    for (const struct ptx_lanes_row *r = ptx_lanes_rows; r->name; r++)
        if (strncmp(r->name, row->name, strlen(row->name)) == 0 &&
            strcmp(r->name + strlen(row->name), name) == 0 && (r->types >> type & 1))
            found = r;
    if (!found)
        ptx_fail(reader, instruction->line, "instruction %s%s.%s is not known", row->name, name,
                 ptx_type_facts[type].name);
    struct ptx_operands operands = {.d_count = 0};
    if (found->has_result) {
        struct ptx_operand *to = ptx_next_operand(reader, instruction);
        bool is_predicate = type == PTX_PRED;
        ptx_add_define(reader, instruction, &operands, to,
                       is_predicate    ? PTX_PRED
                       : found->is_b32 ? PTX_B32
                                       : type,
                       false);
        if (to->second)
            ptx_add_define(reader, instruction, &operands, to->second, PTX_PRED, false);
    }
    for (const char *letter = found->form; *letter; letter++)
        ptx_add_use(reader, instruction, &operands, ptx_next_operand(reader, instruction),
                    *letter == 'p'   ? PTX_PRED
                    : *letter == '4' ? PTX_B32
                                     : type,
                    false);
    struct ptx_op *op = ptx_emit_with(reader, instruction, ptx_step_lanes, &operands);
    op->type = (uint8_t)type;
    op->extra = found;
}
