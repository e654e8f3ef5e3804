// Instructions by their row in the table: the row's form says what the operands are.
#include "decode.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "../execute/steps.h"

bool ptx_take_modifier(struct ptx_instruction *instruction, const char *name) {
    for (size_t i = 0; i < instruction->modifier_count; i++)
        if (!instruction->is_used[i] &&
            ptx_token_is(&instruction->modifiers[i], PTX_DOTTED, name)) {
            instruction->is_used[i] = true;
            return true;
        }
    return false;
}

enum ptx_type ptx_take_type(struct ptx_instruction *instruction) {
    for (size_t i = 0; i < instruction->modifier_count; i++) {
        enum ptx_type type = ptx_type_of(instruction->modifiers[i]);
        if (instruction->is_used[i] || type == PTX_NONE)
            continue;
        instruction->is_used[i] = true;
        return type;
    }
    return PTX_NONE;
}

enum ptx_type ptx_need_type(struct ptx_reader *reader, struct ptx_instruction *instruction) {
    enum ptx_type type = ptx_take_type(instruction);
    if (type == PTX_NONE)
        ptx_fail(reader, instruction->line, "%.*s without a type", PTX_TEXT(instruction->name));
    return type;
}

unsigned ptx_take_one_of(struct ptx_instruction *instruction, const char *const *names,
                         unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (ptx_take_modifier(instruction, names[i]))
            return i;
    return count;
}

enum ptx_rounding ptx_take_rounding(struct ptx_instruction *instruction, bool *is_integral) {
    static const char *const names[] = {"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"};
    unsigned found = ptx_take_one_of(instruction, names, 9);
    *is_integral = found >= 5 && found < 9;
    return found == 9 ? PTX_NEAREST : (enum ptx_rounding)(found >= 5 ? found - 5 : found);
}

/// The instruction as it is written, without operands.
static void spell(const struct ptx_instruction *instruction, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "%.*s", PTX_TEXT(instruction->name));
    for (size_t i = 0; i < instruction->modifier_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, ".%.*s",
                                 PTX_TEXT(instruction->modifiers[i]));
}

void ptx_check_modifiers(struct ptx_reader *reader, const struct ptx_instruction *instruction) {
    char text[256];
    spell(instruction, text, sizeof text);
    for (size_t i = 0; i < instruction->modifier_count; i++)
        if (!instruction->is_used[i])
            ptx_fail(reader, instruction->line, "instruction %s is not known (for its .%.*s)", text,
                     PTX_TEXT(instruction->modifiers[i]));
}

bool ptx_has_operand(const struct ptx_instruction *instruction) {
    return instruction->at < instruction->operand_count;
}

struct ptx_operand *ptx_next_operand(struct ptx_reader *reader,
                                     struct ptx_instruction *instruction) {
    if (!ptx_has_operand(instruction))
        ptx_fail(reader, instruction->line, "%.*s has too few operands",
                 PTX_TEXT(instruction->name));
    return &instruction->operands[instruction->at++];
}

uint32_t ptx_constant(struct ptx_reader *reader, uint64_t value, uint8_t size) {
    if (size < 8)
        value &= (UINT64_C(1) << 8 * (size ? size : 4)) - 1;
    char key[9];
    memcpy(key, &value, 8);
    key[8] = (char)size;
    void **slot =
        ptx_names_at(&reader->constants, ptx_arena_text(&reader->module->arena, key, 9), 9);
    if (*slot)
        return (uint32_t)(uintptr_t)*slot;
    size_t offset = reader->pool_size, bytes = size ? (size_t)size * PTX_LANES : 64;
    while (reader->pool_capacity < offset + bytes)
        reader->pool = ptx_grow(reader->pool, reader->pool_capacity, &reader->pool_capacity, 1);
    if (size == 0) {
        uint32_t mask = value ? UINT32_MAX : 0;
        memcpy(reader->pool + offset, &mask, sizeof mask);
    }
    for (size_t lane = 0; size > 0 && lane < PTX_LANES; lane++) {
        memcpy(reader->pool + offset + lane * size, &value, size < 8 ? size : 8);
        if (size == 16)
            memset(reader->pool + offset + lane * size + 8, 0, 8);
    }
    reader->pool_size = offset + (bytes + 63) / 64 * 64;
    *slot = (void *)(uintptr_t)(offset | PTX_POOL);
    return (uint32_t)(offset | PTX_POOL);
}

/// The bits of an immediate operand in that type.
static uint64_t bits_of(struct ptx_reader *reader, const struct ptx_instruction *instruction,
                        const struct ptx_operand *operand, enum ptx_type type) {
    const struct ptx_type_fact *fact = &ptx_type_facts[type];
    if (operand->kind == PTX_O_INTEGER && fact->kind != 'f')
        return fact->kind == 'p' ? (operand->value != 0) ^ operand->is_negated : operand->value;
    if (operand->kind == PTX_O_FLOAT && fact->size == 4)
        return operand->value;
    if (operand->kind == PTX_O_DOUBLE && fact->size == 8)
        return operand->value;
    if (operand->kind == PTX_O_DOUBLE && fact->kind == 'f') {
        double wide;
        memcpy(&wide, &operand->value, sizeof wide);
        float narrow = (float)wide;
        uint32_t bits;
        memcpy(&bits, &narrow, sizeof bits);
        return bits;
    }
    ptx_fail(reader, instruction->line, "'%.*s' is no .%s", PTX_TEXT(operand->name), fact->name);
}

void ptx_note_place(struct ptx_reader *reader, const struct ptx_place *place) {
    struct ptx_code *code = reader->code;
    if (place->window != PTX_IN_SHARED)
        return;
    code->shared = ptx_grow(code->shared, code->shared_count, &reader->shared_use_capacity,
                            sizeof *code->shared);
    code->shared[code->shared_count++] = place;
}

/// An operation that puts what isn't a register or constant into a new register: an address, a
/// special register, the opposite of a predicate.
static uint32_t use_indirectly(struct ptx_reader *reader, struct ptx_instruction *instruction,
                               const struct ptx_operand *operand, enum ptx_type type) {
    static const char *const known[PTX_O_SINK + 1] = {
        [PTX_O_PLACE] = "", [PTX_O_CODE] = "", [PTX_O_SPECIAL] = ""};
    bool is_known =
        known[operand->kind] || (operand->kind == PTX_O_REGISTER && operand->is_negated);
    if (!is_known)
        ptx_fail(reader, instruction->line, "'%.*s' is no operand of %.*s", PTX_TEXT(operand->name),
                 PTX_TEXT(instruction->name));
    uint8_t size = type == PTX_PRED ? 0 : ptx_type_facts[type].size;
    size_t temporary = ptx_new_register(reader, size);
    struct ptx_operands operands = {
        .d = {(uint32_t)temporary << 1}, .d_count = 1, .d_size = {size}};
    ptx_emit_source(reader, instruction, operand, type, &operands);
    return (uint32_t)temporary << 1;
}

uint32_t ptx_use(struct ptx_reader *reader, struct ptx_instruction *instruction,
                 const struct ptx_operand *operand, enum ptx_type type, bool is_wider_allowed,
                 uint8_t *size) {
    *size = type == PTX_PRED ? 0 : ptx_type_facts[type].size;
    if (operand->kind == PTX_O_INTEGER || operand->kind == PTX_O_FLOAT ||
        operand->kind == PTX_O_DOUBLE)
        return ptx_constant(reader, bits_of(reader, instruction, operand, type), *size);
    if (operand->kind != PTX_O_REGISTER || operand->is_negated)
        return use_indirectly(reader, instruction, operand, type);
    uint8_t has = reader->registers[operand->reg].size;
    if (has != *size && !(is_wider_allowed && has > *size && *size > 0))
        ptx_fail(reader, instruction->line, "'%.*s' is no register for .%s",
                 PTX_TEXT(operand->name), ptx_type_facts[type].name);
    *size = has;
    return (uint32_t)operand->reg << 1;
}

uint32_t ptx_define(struct ptx_reader *reader, const struct ptx_instruction *instruction,
                    const struct ptx_operand *operand, enum ptx_type type, bool is_wider_allowed,
                    uint8_t *size) {
    *size = type == PTX_PRED ? 0 : ptx_type_facts[type].size;
    if (operand->kind == PTX_O_SINK)
        return (uint32_t)ptx_new_register(reader, *size) << 1;
    uint8_t has = operand->kind == PTX_O_REGISTER ? reader->registers[operand->reg].size : 255;
    if (operand->kind != PTX_O_REGISTER || operand->is_negated ||
        (has != *size && !(is_wider_allowed && has > *size && *size > 0)))
        ptx_fail(reader, instruction->line, "'%.*s' is no register for a .%s",
                 PTX_TEXT(operand->name), ptx_type_facts[type].name);
    *size = has;
    return (uint32_t)operand->reg << 1;
}

void ptx_add_use(struct ptx_reader *reader, struct ptx_instruction *instruction,
                 struct ptx_operands *operands, const struct ptx_operand *operand,
                 enum ptx_type type, bool is_wider_allowed) {
    assert(operands->s_count < 5);
    uint32_t place = ptx_use(reader, instruction, operand, type, is_wider_allowed,
                             &operands->s_size[operands->s_count]);
    operands->s[operands->s_count++] = place;
}

void ptx_add_define(struct ptx_reader *reader, const struct ptx_instruction *instruction,
                    struct ptx_operands *operands, const struct ptx_operand *operand,
                    enum ptx_type type, bool is_wider_allowed) {
    assert(operands->d_count < 4);
    uint32_t place = ptx_define(reader, instruction, operand, type, is_wider_allowed,
                                &operands->d_size[operands->d_count]);
    operands->d[operands->d_count++] = place;
}

struct ptx_op *ptx_emit(struct ptx_reader *reader, const struct ptx_instruction *instruction,
                        ptx_step *run) {
    assert(run);
    reader->ops =
        ptx_grow(reader->ops, reader->op_count, &reader->op_capacity, sizeof *reader->ops);
    struct ptx_op *op = &reader->ops[reader->op_count++];
    *op = (struct ptx_op){.run = run,
                          .line = instruction->line,
                          .file = reader->file,
                          .file_line = reader->file_line};
    if (instruction->is_guarded)
        op->guard = (uint32_t)instruction->guard << 2 | 1 | (instruction->is_guard_negated ? 2 : 0);
    return op;
}

struct ptx_op *ptx_emit_with(struct ptx_reader *reader, const struct ptx_instruction *instruction,
                             ptx_step *run, const struct ptx_operands *operands) {
    if (ptx_has_operand(instruction))
        ptx_fail(reader, instruction->line, "%.*s has too many operands",
                 PTX_TEXT(instruction->name));
    struct ptx_op *op = ptx_emit(reader, instruction, run);
    memcpy(op->d, operands->d, sizeof op->d);
    memcpy(op->s, operands->s, sizeof op->s);
    memcpy(op->d_size, operands->d_size, sizeof op->d_size);
    memcpy(op->s_size, operands->s_size, sizeof op->s_size);
    op->d_count = operands->d_count;
    op->s_count = operands->s_count;
    return op;
}

/// The integer type of twice the size.
static enum ptx_type twice(enum ptx_type type) {
    switch (type) {
    case PTX_U16:
        return PTX_U32;
    case PTX_S16:
        return PTX_S32;
    case PTX_U32:
        return PTX_U64;
    case PTX_S32:
        return PTX_S64;
    default:
        return PTX_NONE;
    }
}

static enum ptx_type type_of_letter(char letter, enum ptx_type type, enum ptx_type from) {
    switch (letter) {
    case 't':
        return type;
    case 'f':
        return from;
    case 'w':
        return twice(type);
    case '2':
        return PTX_B16;
    case '4':
        return PTX_B32;
    case '8':
        return PTX_B64;
    default:
        assert(letter == 'p' || letter == 'c');
        return PTX_PRED;
    }
}

/// The operand that is next, or the function's carry flag, which no instruction names.
static const struct ptx_operand *operand_of(struct ptx_reader *reader,
                                            struct ptx_instruction *instruction, char letter) {
    if (letter != 'c')
        return ptx_next_operand(reader, instruction);
    if (reader->carry.kind != PTX_O_REGISTER || reader->carry.count == 0) {
        reader->carry.kind = PTX_O_REGISTER;
        reader->carry.reg = ptx_new_register(reader, 0);
        reader->carry.count = 1;
    }
    return &reader->carry;
}

void ptx_decode_plain(struct ptx_reader *reader, struct ptx_instruction *instruction,
                      const struct ptx_row *row) {
    char text[256];
    spell(instruction, text, sizeof text);
    enum ptx_type type = ptx_take_type(instruction), from = ptx_take_type(instruction);
    bool is_integral, has_ftz = row->allowed & PTX_FTZ && ptx_take_modifier(instruction, "ftz");
    bool has_sat = row->allowed & PTX_SAT && ptx_take_modifier(instruction, "sat");
    bool is_relu = row->allowed & PTX_RELU && ptx_take_modifier(instruction, "relu");
    enum ptx_rounding rounding = PTX_NEAREST;
    if (row->allowed & PTX_ROUNDING)
        rounding = ptx_take_rounding(instruction, &is_integral);
    ptx_check_modifiers(reader, instruction);
    ptx_step *step = row->steps ? row->steps[type] : row->step;
    if (!step)
        ptx_fail(reader, instruction->line, "instruction %s is not known (for its type)", text);
    if ((strchr(row->form, 'f') && from == PTX_NONE) ||
        (strchr(row->form, 't') && type == PTX_NONE))
        ptx_fail(reader, instruction->line, "%s lacks a type", text);
    struct ptx_operands operands = {.d_count = 0};
    const char *letter = row->form;
    for (; *letter && *letter != '='; letter++)
        ptx_add_define(reader, instruction, &operands, operand_of(reader, instruction, *letter),
                       type_of_letter(*letter, type, from), false);
    for (letter += *letter == '='; *letter; letter++)
        ptx_add_use(reader, instruction, &operands, operand_of(reader, instruction, *letter),
                    type_of_letter(*letter, type, from), false);
    struct ptx_op *op = ptx_emit_with(reader, instruction, step, &operands);
    op->type = (uint8_t)type;
    op->from_type = (uint8_t)from;
    op->rounding = (uint8_t)rounding;
    op->has_ftz = has_ftz;
    op->has_sat = has_sat;
    op->is_relu = is_relu;
}

/// The instruction's name with the modifiers that are in rows' names, marked as used.
static const struct ptx_row *find_full_row(struct ptx_instruction *instruction) {
    static const char *const columns[] = {"ftz", "sat", "relu", "rn", "rz", "rm", "rp"};
    char name[256];
    size_t used = (size_t)snprintf(name, sizeof name, "%.*s", PTX_TEXT(instruction->name));
    for (size_t i = 0; i < instruction->modifier_count && used < sizeof name; i++) {
        struct ptx_token token = instruction->modifiers[i];
        bool is_column = ptx_type_of(token) != PTX_NONE;
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
            is_column |= ptx_token_is(&token, PTX_DOTTED, columns[k]);
        if (is_column)
            continue;
        instruction->is_used[i] = true;
        used += (size_t)snprintf(name + used, sizeof name - used, ".%.*s", PTX_TEXT(token));
    }
    return used < sizeof name ? ptx_find_row(name) : NULL;
}

static enum ptx_type first_type(const struct ptx_instruction *instruction) {
    for (size_t i = 0; i < instruction->modifier_count; i++)
        if (ptx_type_of(instruction->modifiers[i]) != PTX_NONE)
            return ptx_type_of(instruction->modifiers[i]);
    return PTX_NONE;
}

void ptx_decode(struct ptx_reader *reader, struct ptx_instruction *instruction) {
    char name[64], text[256];
    snprintf(name, sizeof name, "%.*s", PTX_TEXT(instruction->name));
    const struct ptx_row *row = ptx_find_row(name);
    if (!row || !row->decode)
        row = find_full_row(instruction);
    if (!row) {
        spell(instruction, text, sizeof text);
        ptx_fail(reader, instruction->line, "instruction %s is not known", text);
    }
    if (row->decode) {
        row->decode(reader, instruction, row);
        return;
    }
    enum ptx_type type = first_type(instruction);
    while (row->steps && !row->steps[type] && row[1].name && strcmp(row[1].name, row->name) == 0)
        row++;
    ptx_decode_plain(reader, instruction, row);
}
