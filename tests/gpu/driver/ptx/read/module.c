// What stands outside of functions: directives, variables, functions' heads; and the words and
// scopes that all of the parser uses.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reader.h"

enum { MOST_EXTENTS = 8, MOST_SCOPES = 64, MOST_FORMALS = 1024 };
/// Bytes of a variable that is accepted.
#define MOST_BYTES (UINT64_C(1) << 26)
/// Bytes of all variables in constant memory: ten banks of 64 KiB.
#define MOST_CONST_BYTES ((size_t)655360)

const struct ptx_type_fact ptx_type_facts[PTX_TYPE_COUNT] = {
#define X(name, text, size, kind) {text, size, kind},
    PTX_TYPES(X)
#undef X
};

void ptx_fail(struct ptx_reader *reader, uint32_t line, const char *format, ...) {
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (reader->error_size > 0)
        snprintf(reader->error, reader->error_size, "line %u: %s", line, what);
    longjmp(reader->failed, 1);
}

bool ptx_is_sign(const struct ptx_reader *reader, char sign) {
    return reader->lexer.token.kind == PTX_SIGN && reader->lexer.token.text[0] == sign;
}

bool ptx_take_sign(struct ptx_reader *reader, char sign) {
    if (!ptx_is_sign(reader, sign))
        return false;
    ptx_lex_next(&reader->lexer);
    return true;
}

void ptx_expect_sign(struct ptx_reader *reader, char sign) {
    struct ptx_token token = reader->lexer.token;
    if (!ptx_take_sign(reader, sign))
        ptx_fail(reader, token.line, "'%c' expected instead of '%.*s'", sign, PTX_TEXT(token));
}

struct ptx_token ptx_expect(struct ptx_reader *reader, enum ptx_token_kind kind, const char *what) {
    struct ptx_token token = reader->lexer.token;
    if (token.kind != kind)
        ptx_fail(reader, token.line, "%s expected instead of '%.*s'", what, PTX_TEXT(token));
    ptx_lex_next(&reader->lexer);
    return token;
}

uint64_t ptx_expect_integer(struct ptx_reader *reader) {
    return ptx_expect(reader, PTX_INTEGER, "a number").value;
}

struct ptx_symbol *ptx_find_symbol(const struct ptx_reader *reader, const char *text,
                                   size_t length) {
    return ptx_names_find(&reader->names, text, length);
}

struct ptx_symbol *ptx_add_symbol(struct ptx_reader *reader, struct ptx_token name,
                                  enum ptx_symbol_kind kind) {
    void **slot = ptx_names_at(&reader->names, name.text, name.length);
    struct ptx_symbol *old = *slot;
    if (old && old->depth == reader->depth)
        ptx_fail(reader, name.line, "'%.*s' is declared twice", PTX_TEXT(name));
    struct ptx_symbol *symbol = ptx_arena_allocate(&reader->module->arena, sizeof *symbol);
    *symbol = (struct ptx_symbol){.kind = kind,
                                  .text = name.text,
                                  .length = name.length,
                                  .depth = reader->depth,
                                  .shadowed = old,
                                  .previous = reader->scope[reader->depth]};
    reader->scope[reader->depth] = symbol;
    *slot = symbol;
    return symbol;
}

void ptx_open_scope(struct ptx_reader *reader) {
    if (reader->depth + 1 == MOST_SCOPES)
        ptx_fail(reader, reader->lexer.token.line, "more than %d braces deep", MOST_SCOPES - 1);
    reader->scope[++reader->depth] = NULL;
}

void ptx_close_scope(struct ptx_reader *reader) {
    assert(reader->depth > 0);
    for (struct ptx_symbol *s = reader->scope[reader->depth]; s; s = s->previous)
        *ptx_names_at(&reader->names, s->text, s->length) = s->shadowed;
    reader->depth--;
}

enum ptx_type ptx_type_of(struct ptx_token token) {
    for (unsigned type = PTX_NONE + 1; type < PTX_TYPE_COUNT; type++)
        if (ptx_token_is(&token, token.kind, ptx_type_facts[type].name))
            return (enum ptx_type)type;
    return PTX_NONE;
}

/// What a declaration says of a variable before its name.
struct declared {
    enum ptx_type type;
    size_t alignment;
    unsigned elements; ///< .v4: 4
};

static struct declared read_declared(struct ptx_reader *reader) {
    struct declared declared = {.elements = 1};
    while (reader->lexer.token.kind == PTX_DOTTED) {
        struct ptx_token token = reader->lexer.token;
        ptx_lex_next(&reader->lexer);
        if (ptx_token_is(&token, PTX_DOTTED, "align"))
            declared.alignment = ptx_expect_integer(reader);
        else if (ptx_token_is(&token, PTX_DOTTED, "v2"))
            declared.elements = 2;
        else if (ptx_token_is(&token, PTX_DOTTED, "v4"))
            declared.elements = 4;
        else if (ptx_type_of(token) != PTX_NONE)
            declared.type = ptx_type_of(token);
        else if (!ptx_token_is(&token, PTX_DOTTED, "ptr") &&
                 !ptx_token_is(&token, PTX_DOTTED, "global") &&
                 !ptx_token_is(&token, PTX_DOTTED, "shared") &&
                 !ptx_token_is(&token, PTX_DOTTED, "const") &&
                 !ptx_token_is(&token, PTX_DOTTED, "local"))
            ptx_fail(reader, token.line, "'.%.*s' is not known of a variable", PTX_TEXT(token));
    }
    if (declared.type == PTX_NONE || declared.type == PTX_PRED)
        ptx_fail(reader, reader->lexer.token.line, "the variable's type is missing");
    size_t natural = ptx_type_facts[declared.type].size * declared.elements;
    if (declared.alignment == 0)
        declared.alignment = natural;
    if (declared.alignment > 4096 || (declared.alignment & (declared.alignment - 1)))
        ptx_fail(reader, reader->lexer.token.line, ".align %zu", declared.alignment);
    return declared;
}

/// [4][8] behind a name; [] counts 0 elements. Returns the bytes of all.
static uint64_t read_extents(struct ptx_reader *reader, uint64_t size, size_t *extents,
                             size_t *extent_count) {
    *extent_count = 0;
    while (ptx_take_sign(reader, '[')) {
        uint32_t line = reader->lexer.token.line;
        uint64_t extent = ptx_is_sign(reader, ']') ? 0 : ptx_expect_integer(reader);
        ptx_expect_sign(reader, ']');
        if (*extent_count == MOST_EXTENTS || extent > MOST_BYTES || size * extent > MOST_BYTES)
            ptx_fail(reader, line, "a variable of more than %llu bytes or %d dimensions",
                     (unsigned long long)MOST_BYTES, MOST_EXTENTS);
        extents[(*extent_count)++] = (size_t)extent;
        size *= extent;
    }
    return size;
}

struct ptx_place *ptx_read_parameter(struct ptx_reader *reader, struct ptx_token *name) {
    struct declared declared = read_declared(reader);
    *name = ptx_expect(reader, PTX_WORD, "a name");
    size_t extents[MOST_EXTENTS], extent_count;
    struct ptx_place *place = ptx_arena_allocate(&reader->module->arena, sizeof *place);
    place->name = ptx_arena_text(&reader->module->arena, name->text, name->length);
    place->window = PTX_IN_PARAM;
    place->alignment = declared.alignment;
    place->size = (size_t)read_extents(
        reader, (uint64_t)ptx_type_facts[declared.type].size * declared.elements, extents,
        &extent_count);
    if (place->size > 1 << 20)
        ptx_fail(reader, name->line, "a parameter of %zu bytes", place->size);
    return place;
}

/// A variable in global or constant memory: one of the module's. Returns its initial bytes.
static unsigned char *add_variable(struct ptx_reader *reader, struct ptx_place *place,
                                   uint32_t line) {
    struct ptx_module *module = reader->module;
    module->variables = ptx_grow(module->variables, module->variable_count,
                                 &reader->variable_capacity, sizeof *module->variables);
    struct ptx_variable *variable = &module->variables[module->variable_count];
    unsigned char *bytes = ptx_arena_allocate(&module->arena, place->size);
    *variable = (struct ptx_variable){.name = place->name,
                                      .space = PTX_GLOBAL,
                                      .size = place->size,
                                      .alignment = place->alignment,
                                      .bytes = bytes,
                                      .is_extern = place->is_extern};
    place->index = module->variable_count++;
    if (place->window != PTX_IN_CONST)
        return bytes;
    variable->space = PTX_CONST;
    module->const_size = (module->const_size + place->alignment - 1) & ~(place->alignment - 1);
    place->offset = module->const_size;
    variable->address = PTX_CONST_WINDOW + place->offset;
    module->const_size += place->size;
    if (module->const_size > MOST_CONST_BYTES)
        ptx_fail(reader, line, "constant memory of more than %zu bytes", MOST_CONST_BYTES);
    return bytes;
}

static void add_shared(struct ptx_reader *reader, struct ptx_place *place) {
    struct ptx_module *module = reader->module;
    module->shared = ptx_grow(module->shared, module->shared_count, &reader->shared_capacity,
                              sizeof *module->shared);
    place->index = module->shared_count;
    module->shared[module->shared_count++] = place;
}

/// A variable that lies in each thread's local memory, in the frame of the function.
static void add_local(struct ptx_reader *reader, struct ptx_place *place, uint32_t line) {
    size_t *size = &reader->code->facts.local_size;
    *size = (*size + place->alignment - 1) & ~(place->alignment - 1);
    place->offset = *size;
    *size += place->size;
    if (*size > 512 << 10)
        ptx_fail(reader, line, "local memory of more than 512 KiB");
}

static void read_variable(struct ptx_reader *reader, const struct declared *declared,
                          enum ptx_window window, bool is_extern) {
    struct ptx_token name = ptx_expect(reader, PTX_WORD, "a name");
    size_t extents[MOST_EXTENTS], extent_count;
    struct ptx_place *place = ptx_arena_allocate(&reader->module->arena, sizeof *place);
    *place =
        (struct ptx_place){.name = ptx_arena_text(&reader->module->arena, name.text, name.length),
                           .window = window,
                           .alignment = declared->alignment,
                           .is_extern = is_extern};
    uint64_t element = (uint64_t)ptx_type_facts[declared->type].size * declared->elements;
    place->size = (size_t)read_extents(reader, element, extents, &extent_count);
    if (window != PTX_IN_GLOBAL && place->size > MOST_BYTES / 64)
        ptx_fail(reader, name.line, "%s has %zu bytes", place->name, place->size);
    ptx_add_symbol(reader, name, PTX_PLACE)->place = place;
    unsigned char *bytes = NULL;
    if (window == PTX_IN_GLOBAL || window == PTX_IN_CONST)
        bytes = add_variable(reader, place, name.line);
    else if (window == PTX_IN_SHARED)
        add_shared(reader, place);
    else if (reader->code)
        add_local(reader, place, name.line);
    else
        ptx_fail(reader, name.line, "%s is local outside of a function", place->name);
    if (!ptx_take_sign(reader, '='))
        return;
    if (!bytes)
        ptx_fail(reader, name.line, "%s can't have an initial value", place->name);
    ptx_read_initial(reader, place, declared->type, extents, extent_count, bytes);
}

void ptx_read_variables(struct ptx_reader *reader, enum ptx_window window, bool is_extern) {
    struct declared declared = read_declared(reader);
    do
        read_variable(reader, &declared, window, is_extern);
    while (ptx_take_sign(reader, ','));
    ptx_expect_sign(reader, ';');
}
