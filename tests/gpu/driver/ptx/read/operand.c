// Operands, as far as they can be understood without their instruction.
#include <ctype.h>
#include <string.h>

#include "reader.h"

/// %r12 of %r<20>: every way to cut digits off the end is tried.
static bool find_numbered(const struct ptx_reader *reader, struct ptx_token name, size_t *number) {
    size_t value = 0, unit = 1;
    for (size_t length = name.length;
         length > 1 && isdigit((unsigned char)name.text[length - 1]);) {
        length--;
        value += unit * (size_t)(name.text[length] - '0');
        unit *= 10;
        if (unit > 100000000)
            return false;
        if (name.text[length] == '0' && length + 1 < name.length)
            continue;
        const struct ptx_symbol *symbol = ptx_find_symbol(reader, name.text, length);
        if (symbol && symbol->kind == PTX_REGISTERS && value < symbol->count) {
            *number = symbol->number + value;
            return true;
        }
    }
    return false;
}

bool ptx_find_register(const struct ptx_reader *reader, struct ptx_token name, size_t *number) {
    const struct ptx_symbol *symbol = ptx_find_symbol(reader, name.text, name.length);
    if (!symbol)
        return find_numbered(reader, name, number);
    *number = symbol->number;
    return symbol->kind == PTX_REGISTER;
}

/// A register, a symbol, or a name that isn't known.
static struct ptx_operand read_name(struct ptx_reader *reader) {
    struct ptx_operand operand = {.name = reader->lexer.token};
    ptx_lex_next(&reader->lexer);
    if (ptx_find_register(reader, operand.name, &operand.reg)) {
        operand.kind = PTX_O_REGISTER;
        return operand;
    }
    struct ptx_symbol *symbol = ptx_find_symbol(reader, operand.name.text, operand.name.length);
    if (ptx_token_is(&operand.name, PTX_WORD, "_")) {
        operand.kind = PTX_O_SINK;
    } else if (ptx_token_is(&operand.name, PTX_WORD, "WARP_SZ")) {
        operand.kind = PTX_O_INTEGER;
        operand.value = PTX_LANES;
    } else if (symbol && symbol->kind == PTX_PLACE) {
        operand.kind = PTX_O_PLACE;
        operand.place = symbol->place;
    } else if (symbol && symbol->kind == PTX_CODE) {
        operand.kind = PTX_O_CODE;
        operand.code = symbol->code;
    } else if (operand.name.text[0] == '%') {
        operand.kind = PTX_O_SPECIAL;
        if (reader->lexer.token.kind == PTX_DOTTED && reader->lexer.token.is_adjacent) {
            operand.part = reader->lexer.token;
            ptx_lex_next(&reader->lexer);
        }
    } else {
        operand.kind = PTX_O_NAME;
    }
    return operand;
}

static struct ptx_operand read_number(struct ptx_reader *reader) {
    bool is_negative = ptx_take_sign(reader, '-'), is_inverted = ptx_take_sign(reader, '~');
    struct ptx_token token = reader->lexer.token;
    struct ptx_operand operand = {.name = token, .value = token.value};
    if (token.kind == PTX_INTEGER) {
        operand.kind = PTX_O_INTEGER;
        if (is_inverted)
            operand.value = ~operand.value;
        if (is_negative)
            operand.value = -operand.value;
    } else if (token.kind == PTX_FLOAT) {
        operand.kind = PTX_O_FLOAT;
        operand.value ^= is_negative ? UINT32_C(1) << 31 : 0;
    } else if (token.kind == PTX_DOUBLE) {
        operand.kind = PTX_O_DOUBLE;
        operand.value ^= is_negative ? UINT64_C(1) << 63 : 0;
    } else {
        ptx_fail(reader, token.line, "'%.*s' is no operand", PTX_TEXT(token));
    }
    ptx_lex_next(&reader->lexer);
    return operand;
}

/// + 4, + -4, - 4, behind a name: added to the operand's value.
static void read_offsets(struct ptx_reader *reader, struct ptx_operand *operand) {
    while (ptx_is_sign(reader, '+') || ptx_is_sign(reader, '-')) {
        bool is_minus = ptx_is_sign(reader, '-');
        ptx_lex_next(&reader->lexer);
        is_minus ^= ptx_take_sign(reader, '-');
        uint64_t value = ptx_expect_integer(reader);
        operand->value += is_minus ? -value : value;
    }
}

static struct ptx_operand read_address(struct ptx_reader *reader) {
    uint32_t line = reader->lexer.token.line;
    struct ptx_operand base = {.kind = PTX_O_INTEGER};
    base = reader->lexer.token.kind == PTX_WORD ? read_name(reader) : read_number(reader);
    read_offsets(reader, &base);
    ptx_expect_sign(reader, ']');
    if (base.kind != PTX_O_REGISTER && base.kind != PTX_O_PLACE && base.kind != PTX_O_INTEGER)
        ptx_fail(reader, line, "'%.*s' is no address", PTX_TEXT(base.name));
    base.has_register = base.kind == PTX_O_REGISTER;
    base.kind = PTX_O_ADDRESS;
    return base;
}

static struct ptx_operand read_single(struct ptx_reader *reader);

static struct ptx_operand read_list(struct ptx_reader *reader, char end) {
    struct ptx_operand items[64], list = {.kind = PTX_O_LIST, .name = reader->lexer.token};
    while (!ptx_is_sign(reader, end)) {
        if (list.count == sizeof items / sizeof *items)
            ptx_fail(reader, list.name.line, "more than %zu elements in a list", list.count);
        if (ptx_is_sign(reader, '{') || ptx_is_sign(reader, '('))
            ptx_fail(reader, list.name.line, "a list in a list");
        items[list.count++] = read_single(reader);
        if (!ptx_take_sign(reader, ','))
            break;
    }
    ptx_expect_sign(reader, end);
    list.items = ptx_arena_allocate(&reader->module->arena, list.count * sizeof *items);
    memcpy(list.items, items, list.count * sizeof *items);
    return list;
}

static struct ptx_operand read_single(struct ptx_reader *reader) {
    if (ptx_take_sign(reader, '['))
        return read_address(reader);
    if (ptx_take_sign(reader, '{'))
        return read_list(reader, '}');
    if (ptx_take_sign(reader, '('))
        return read_list(reader, ')');
    bool is_negated = ptx_take_sign(reader, '!');
    struct ptx_operand operand =
        reader->lexer.token.kind == PTX_WORD ? read_name(reader) : read_number(reader);
    operand.is_negated = is_negated;
    if (operand.kind == PTX_O_PLACE)
        read_offsets(reader, &operand);
    return operand;
}

struct ptx_operand ptx_read_operand(struct ptx_reader *reader) {
    struct ptx_operand operand = read_single(reader);
    if (ptx_take_sign(reader, '|')) {
        operand.second = ptx_arena_allocate(&reader->module->arena, sizeof *operand.second);
        *operand.second = read_single(reader);
    }
    return operand;
}
