// Initial values of variables: numbers, and addresses, which ptx_initialise fills in.
#include <assert.h>
#include <string.h>

#include "reader.h"

/// Where the next element goes, while nested braces are read.
struct cursor {
    struct ptx_place *place;
    enum ptx_type type;
    unsigned char *bytes;
    const size_t *extents;
    size_t extent_count;
};

static void store_number(struct ptx_reader *reader, const struct cursor *cursor, size_t offset,
                         struct ptx_token token, bool is_negative) {
    const struct ptx_type_fact *fact = &ptx_type_facts[cursor->type];
    uint64_t bits = token.value;
    if (token.kind == PTX_INTEGER && is_negative)
        bits = -bits;
    if (token.kind == PTX_FLOAT)
        bits ^= is_negative ? UINT32_C(1) << 31 : 0;
    if (token.kind == PTX_DOUBLE) {
        bits ^= is_negative ? UINT64_C(1) << 63 : 0;
        if (fact->size == 4) {
            double wide;
            memcpy(&wide, &bits, sizeof wide);
            float narrow = (float)wide;
            bits = 0;
            memcpy(&bits, &narrow, sizeof narrow);
        }
    }
    bool is_number =
        token.kind == PTX_INTEGER || token.kind == PTX_FLOAT || token.kind == PTX_DOUBLE;
    if (!is_number || fact->size > 8 || (token.kind == PTX_DOUBLE && fact->size < 4))
        ptx_fail(reader, token.line, "'%.*s' is no initial value", PTX_TEXT(token));
    memcpy(cursor->bytes + offset, &bits, fact->size);
}

/// name, name+4, generic(name)+4: an address; 0xFF00(name): some of its bits.
static void store_address(struct ptx_reader *reader, const struct cursor *cursor, size_t offset,
                          struct ptx_token name, struct ptx_relocation relocation) {
    const struct ptx_symbol *symbol = ptx_find_symbol(reader, name.text, name.length);
    if (!symbol || (symbol->kind != PTX_PLACE && symbol->kind != PTX_CODE))
        ptx_fail(reader, name.line, "'%.*s' is no variable or function", PTX_TEXT(name));
    relocation.place = symbol->place;
    relocation.code = symbol->code;
    if (symbol->place && symbol->place->window != PTX_IN_GLOBAL &&
        symbol->place->window != PTX_IN_CONST)
        ptx_fail(reader, name.line, "'%.*s' has no address at this time", PTX_TEXT(name));
    relocation.offset = offset;
    relocation.size = ptx_type_facts[cursor->type].size;
    if (relocation.size > 8)
        ptx_fail(reader, name.line, "an address in .%s", ptx_type_facts[cursor->type].name);
    while (ptx_is_sign(reader, '+') || ptx_is_sign(reader, '-')) {
        bool is_minus = ptx_is_sign(reader, '-');
        ptx_lex_next(&reader->lexer);
        is_minus ^= ptx_take_sign(reader, '-');
        uint64_t value = ptx_expect_integer(reader);
        relocation.addend += (int64_t)(is_minus ? -value : value);
    }
    relocation.variable = cursor->place->index;
    struct ptx_module *module = reader->module;
    module->relocations = ptx_grow(module->relocations, module->relocation_count,
                                   &reader->relocation_capacity, sizeof relocation);
    module->relocations[module->relocation_count++] = relocation;
}

static void read_generic(struct ptx_reader *reader, const struct cursor *cursor, size_t offset,
                         struct ptx_relocation relocation) {
    struct ptx_token name = ptx_expect(reader, PTX_WORD, "a variable");
    if (!ptx_token_is(&name, PTX_WORD, "generic") || !ptx_take_sign(reader, '(')) {
        store_address(reader, cursor, offset, name, relocation);
        return;
    }
    relocation.is_generic = true;
    name = ptx_expect(reader, PTX_WORD, "a variable");
    ptx_expect_sign(reader, ')');
    store_address(reader, cursor, offset, name, relocation);
}

static void read_element(struct ptx_reader *reader, const struct cursor *cursor, size_t offset) {
    bool is_negative = ptx_take_sign(reader, '-');
    struct ptx_token token = reader->lexer.token;
    if (token.kind == PTX_WORD) {
        read_generic(reader, cursor, offset, (struct ptx_relocation){.shift = 0});
        return;
    }
    ptx_lex_next(&reader->lexer);
    if (token.kind != PTX_INTEGER || !ptx_take_sign(reader, '(')) {
        store_number(reader, cursor, offset, token, is_negative);
        return;
    }
    struct ptx_relocation relocation = {.shift = 0};
    while (relocation.shift < 64 && token.value != UINT64_C(0xff) << relocation.shift)
        relocation.shift += 8;
    if (relocation.shift == 64)
        ptx_fail(reader, token.line, "'%.*s' is no mask of a byte", PTX_TEXT(token));
    read_generic(reader, cursor, offset, relocation);
    ptx_expect_sign(reader, ')');
}

/// The elements of one dimension, from `offset` on, `size` bytes of them.
static void read_dimension(struct ptx_reader *reader, const struct cursor *cursor, size_t dimension,
                           size_t offset, size_t size) {
    uint32_t line = reader->lexer.token.line;
    size_t step = dimension < cursor->extent_count ? size / cursor->extents[dimension] : size;
    size_t end = offset + size;
    ptx_expect_sign(reader, '{');
    while (!ptx_is_sign(reader, '}')) {
        if (offset + step > end)
            ptx_fail(reader, line, "more initial values than %s has elements", cursor->place->name);
        if (ptx_is_sign(reader, '{')) {
            if (dimension + 1 >= cursor->extent_count)
                ptx_fail(reader, line, "more braces than %s has dimensions", cursor->place->name);
            read_dimension(reader, cursor, dimension + 1, offset, step);
        } else if (dimension + 1 < cursor->extent_count) {
            ptx_fail(reader, line, "fewer braces than %s has dimensions", cursor->place->name);
        } else {
            read_element(reader, cursor, offset);
        }
        offset += step;
        if (!ptx_take_sign(reader, ','))
            break;
    }
    ptx_expect_sign(reader, '}');
}

void ptx_read_initial(struct ptx_reader *reader, struct ptx_place *place, enum ptx_type type,
                      const size_t *extents, size_t extent_count, unsigned char *bytes) {
    struct cursor cursor = {place, type, bytes, extents, extent_count};
    if (!ptx_is_sign(reader, '{')) {
        if (place->size < ptx_type_facts[type].size)
            ptx_fail(reader, reader->lexer.token.line, "%s has no element", place->name);
        read_element(reader, &cursor, 0);
        return;
    }
    if (place->size == 0)
        ptx_fail(reader, reader->lexer.token.line, "%s has no element", place->name);
    read_dimension(reader, &cursor, 0, 0, place->size);
}

/// The address that a relocation stands for.
static uint64_t address_of(const struct ptx_module *module,
                           const struct ptx_relocation *relocation) {
    if (relocation->code)
        return PTX_CODE_WINDOW + 16 * ((uint64_t)relocation->code->number + 1);
    assert(relocation->place->index < module->variable_count);
    uint64_t address = module->variables[relocation->place->index].address;
    bool is_offset = relocation->place->window == PTX_IN_CONST && !relocation->is_generic;
    return address - (is_offset ? PTX_CONST_WINDOW : 0);
}

void ptx_initialise(struct ptx_module *module, size_t index, unsigned char *bytes) {
    assert(index < module->variable_count);
    memcpy(bytes, module->variables[index].bytes, module->variables[index].size);
    for (size_t i = 0; i < module->relocation_count; i++) {
        const struct ptx_relocation *relocation = &module->relocations[i];
        if (relocation->variable != index)
            continue;
        uint64_t value = address_of(module, relocation) + (uint64_t)relocation->addend;
        value >>= relocation->shift;
        memcpy(bytes + relocation->offset, &value, relocation->size);
    }
}
