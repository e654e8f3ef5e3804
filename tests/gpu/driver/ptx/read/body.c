// Functions' bodies: declarations, labels, instructions. Labels become operations of their own,
// where groups of lanes meet; branches to labels that are not known yet wait until the label's
// scope ends.
#include <assert.h>
#include <string.h>

#include "../execute/steps.h"
#include "reader.h"

enum { MOST_REGISTERS = 1 << 20 };

size_t ptx_new_register(struct ptx_reader *reader, uint8_t size) {
    if (reader->register_count == MOST_REGISTERS)
        ptx_fail(reader, reader->lexer.token.line, "more than %d registers", MOST_REGISTERS);
    reader->registers = ptx_grow(reader->registers, reader->register_count,
                                 &reader->register_capacity, sizeof *reader->registers);
    reader->registers[reader->register_count] = (struct ptx_register){.size = size};
    return reader->register_count++;
}

/// .reg .b32 %r<8>, %x;
static void read_registers(struct ptx_reader *reader) {
    struct ptx_token word = ptx_expect(reader, PTX_DOTTED, "a type");
    enum ptx_type type = ptx_type_of(word);
    if (type == PTX_NONE)
        ptx_fail(reader, word.line, "'.%.*s' is no register's type", PTX_TEXT(word));
    uint8_t size = type == PTX_PRED ? 0 : ptx_type_facts[type].size;
    do {
        struct ptx_token name = ptx_expect(reader, PTX_WORD, "a register's name");
        uint64_t count = 1;
        bool is_range = ptx_take_sign(reader, '<');
        if (is_range) {
            count = ptx_expect_integer(reader);
            ptx_expect_sign(reader, '>');
            if (count > MOST_REGISTERS)
                ptx_fail(reader, name.line, "more than %d registers", MOST_REGISTERS);
        }
        struct ptx_symbol *symbol =
            ptx_add_symbol(reader, name, is_range ? PTX_REGISTERS : PTX_REGISTER);
        symbol->number = reader->register_count;
        symbol->count = (size_t)count;
        for (uint64_t i = 0; i < count; i++)
            ptx_new_register(reader, size);
    } while (ptx_take_sign(reader, ','));
    ptx_expect_sign(reader, ';');
}

/// .loc 1 12 3, function_name $name, inlined_at 1 20 5
static void read_loc(struct ptx_reader *reader) {
    uint64_t file = ptx_expect_integer(reader), line = ptx_expect_integer(reader);
    ptx_expect_integer(reader);
    if (line > 0) {
        reader->file = (uint32_t)file;
        reader->file_line = (uint32_t)line;
    }
    while (ptx_take_sign(reader, ',')) {
        ptx_expect(reader, PTX_WORD, "function_name or inlined_at");
        while (reader->lexer.token.kind == PTX_INTEGER || reader->lexer.token.kind == PTX_WORD ||
               ptx_is_sign(reader, '+')) {
            bool was_word = reader->lexer.token.kind == PTX_WORD;
            ptx_lex_next(&reader->lexer);
            if (was_word && !ptx_is_sign(reader, '+'))
                break;
        }
    }
}

static void skip_statement(struct ptx_reader *reader) {
    while (!ptx_take_sign(reader, ';')) {
        if (reader->lexer.token.kind == PTX_END)
            ptx_fail(reader, reader->lexer.token.line, "';' is missing");
        ptx_lex_next(&reader->lexer);
    }
}

static void read_directive(struct ptx_reader *reader) {
    struct ptx_token token = reader->lexer.token;
    ptx_lex_next(&reader->lexer);
    if (ptx_token_is(&token, PTX_DOTTED, "reg"))
        read_registers(reader);
    else if (ptx_token_is(&token, PTX_DOTTED, "local") || ptx_token_is(&token, PTX_DOTTED, "param"))
        ptx_read_variables(reader, PTX_IN_LOCAL, false);
    else if (ptx_token_is(&token, PTX_DOTTED, "shared"))
        ptx_read_variables(reader, PTX_IN_SHARED, false);
    else if (ptx_token_is(&token, PTX_DOTTED, "global"))
        ptx_read_variables(reader, PTX_IN_GLOBAL, false);
    else if (ptx_token_is(&token, PTX_DOTTED, "const"))
        ptx_read_variables(reader, PTX_IN_CONST, false);
    else if (ptx_token_is(&token, PTX_DOTTED, "loc"))
        read_loc(reader);
    else if (ptx_token_is(&token, PTX_DOTTED, "pragma"))
        skip_statement(reader);
    else
        ptx_fail(reader, token.line, "directive .%.*s is not known in a function", PTX_TEXT(token));
}

void ptx_await_label(struct ptx_reader *reader, struct ptx_token name, size_t *slot) {
    reader->pending = ptx_grow(reader->pending, reader->pending_count, &reader->pending_capacity,
                               sizeof *reader->pending);
    reader->pending[reader->pending_count++] =
        (struct ptx_pending){.name = name, .op = reader->op_count - 1, .slot = slot};
}

/// name: .branchtargets a, b, c;
static void read_targets(struct ptx_reader *reader, struct ptx_token name) {
    struct ptx_token tokens[1024];
    size_t count = 0;
    do {
        if (count == sizeof tokens / sizeof *tokens)
            ptx_fail(reader, name.line, "more than %zu targets", count);
        tokens[count++] = ptx_expect(reader, PTX_WORD, "a label");
    } while (ptx_take_sign(reader, ','));
    ptx_expect_sign(reader, ';');
    struct ptx_targets *targets = ptx_arena_allocate(&reader->module->arena, sizeof *targets);
    targets->count = count;
    targets->ops = ptx_arena_allocate(&reader->module->arena, count * sizeof *targets->ops);
    targets->numbers = ptx_arena_allocate(&reader->module->arena, count * sizeof *targets->numbers);
    for (size_t i = 0; i < count; i++)
        ptx_await_label(reader, tokens[i], &targets->numbers[i]);
    ptx_add_symbol(reader, name, PTX_TARGETS)->targets = targets;
}

/// What stands behind `name:`.
static void read_label(struct ptx_reader *reader, struct ptx_token name) {
    if (ptx_token_is(&reader->lexer.token, PTX_DOTTED, "callprototype")) {
        skip_statement(reader);
        ptx_add_symbol(reader, name, PTX_PROTOTYPE);
    } else if (ptx_token_is(&reader->lexer.token, PTX_DOTTED, "branchtargets")) {
        ptx_lex_next(&reader->lexer);
        read_targets(reader, name);
    } else {
        ptx_add_symbol(reader, name, PTX_LABEL)->number = reader->op_count;
        struct ptx_instruction none = {.line = name.line};
        ptx_emit(reader, &none, ptx_step_join);
    }
}

static void read_modifiers(struct ptx_reader *reader, struct ptx_instruction *instruction) {
    while (reader->lexer.token.kind == PTX_DOTTED) {
        if (instruction->modifier_count == PTX_MOST_MODIFIERS)
            ptx_fail(reader, instruction->line, "more than %d modifiers", PTX_MOST_MODIFIERS);
        instruction->modifiers[instruction->modifier_count++] = reader->lexer.token;
        ptx_lex_next(&reader->lexer);
    }
}

static void read_instruction(struct ptx_reader *reader, struct ptx_instruction *instruction) {
    read_modifiers(reader, instruction);
    while (!ptx_is_sign(reader, ';')) {
        if (instruction->operand_count == PTX_MOST_OPERANDS)
            ptx_fail(reader, instruction->line, "more than %d operands", PTX_MOST_OPERANDS);
        instruction->operands[instruction->operand_count++] = ptx_read_operand(reader);
        if (!ptx_take_sign(reader, ','))
            break;
    }
    ptx_expect_sign(reader, ';');
    ptx_decode(reader, instruction);
}

/// @p or @!p
static void read_guard(struct ptx_reader *reader, struct ptx_instruction *instruction) {
    instruction->is_guarded = true;
    instruction->is_guard_negated = ptx_take_sign(reader, '!');
    struct ptx_token name = ptx_expect(reader, PTX_WORD, "a predicate");
    if (!ptx_find_register(reader, name, &instruction->guard) ||
        reader->registers[instruction->guard].size != 0)
        ptx_fail(reader, name.line, "'%.*s' is no predicate", PTX_TEXT(name));
}

static void read_statement(struct ptx_reader *reader) {
    struct ptx_instruction instruction = {.line = reader->lexer.token.line};
    if (ptx_take_sign(reader, '@'))
        read_guard(reader, &instruction);
    instruction.name = ptx_expect(reader, PTX_WORD, "an instruction");
    if (!instruction.is_guarded && ptx_take_sign(reader, ':'))
        read_label(reader, instruction.name);
    else
        read_instruction(reader, &instruction);
}

/// Resolves what branches to labels that the scope which ends can see; the rest waits for the one
/// outside.
static void resolve_pending(struct ptx_reader *reader) {
    size_t kept = 0;
    for (size_t i = 0; i < reader->pending_count; i++) {
        struct ptx_pending pending = reader->pending[i];
        const struct ptx_symbol *symbol =
            ptx_find_symbol(reader, pending.name.text, pending.name.length);
        if (!symbol || symbol->kind != PTX_LABEL)
            reader->pending[kept++] = pending;
        else if (pending.slot)
            *pending.slot = symbol->number;
        else
            reader->ops[pending.op].value = symbol->number;
    }
    reader->pending_count = kept;
}

/// Operations are where they stay: what was their numbers becomes their addresses.
static void link_targets(struct ptx_code *code) {
    for (size_t i = 0; i < code->op_count; i++) {
        struct ptx_op *op = &code->ops[i];
        if (op->run == ptx_step_branch) {
            op->extra = &code->ops[op->value];
        } else if (op->run == ptx_step_branch_indexed) {
            const struct ptx_targets *targets = op->extra;
            for (size_t k = 0; k < targets->count; k++)
                targets->ops[k] = &code->ops[targets->numbers[k]];
        }
    }
}

static void finish_body(struct ptx_reader *reader, struct ptx_code *code) {
    struct ptx_instruction none = {.line = reader->lexer.token.line};
    ptx_emit(reader, &none, ptx_step_return);
    ptx_place_registers(reader);
    struct ptx_arena *arena = &reader->module->arena;
    code->op_count = reader->op_count;
    code->ops = ptx_arena_allocate(arena, code->op_count * sizeof *code->ops);
    memcpy(code->ops, reader->ops, code->op_count * sizeof *code->ops);
    code->pool_size = reader->pool_size;
    code->pool = ptx_arena_allocate(arena, code->pool_size + 1);
    if (code->pool_size > 0)
        memcpy(code->pool, reader->pool, code->pool_size);
    link_targets(code);
}

static void begin_body(struct ptx_reader *reader) {
    reader->op_count = reader->register_count = reader->pending_count = reader->pool_size = 0;
    reader->callee_capacity = reader->shared_use_capacity = 0;
    reader->file = reader->file_line = 0;
    reader->carry.count = 0;
    ptx_names_finish(&reader->constants);
}

void ptx_read_body(struct ptx_reader *reader, struct ptx_code *code) {
    begin_body(reader);
    ptx_expect_sign(reader, '{');
    unsigned outside = reader->depth;
    ptx_open_scope(reader);
    while (reader->depth > outside) {
        if (ptx_take_sign(reader, '{')) {
            ptx_open_scope(reader);
        } else if (ptx_take_sign(reader, '}')) {
            resolve_pending(reader);
            ptx_close_scope(reader);
        } else if (reader->lexer.token.kind == PTX_DOTTED) {
            read_directive(reader);
        } else {
            read_statement(reader);
        }
    }
    if (reader->pending_count > 0)
        ptx_fail(reader, reader->pending[0].name.line, "there is no label '%.*s'",
                 PTX_TEXT(reader->pending[0].name));
    finish_body(reader, code);
}
