// From a text to a module: its directives, and the heads of its functions. After all is read, what
// depends on the whole module: constant memory, and entries' static shared memory.
#include <assert.h>
#include <string.h>

#include "reader.h"

enum { MOST_FORMALS = 1024 };

static struct ptx_code *add_code(struct ptx_reader *reader, struct ptx_token name) {
    struct ptx_symbol *symbol = ptx_find_symbol(reader, name.text, name.length);
    if (symbol && symbol->kind != PTX_CODE)
        ptx_fail(reader, name.line, "'%.*s' is declared twice", PTX_TEXT(name));
    if (symbol)
        return symbol->code;
    struct ptx_module *module = reader->module;
    struct ptx_code *code = ptx_arena_allocate(&module->arena, sizeof *code);
    code->facts.name = ptx_arena_text(&module->arena, name.text, name.length);
    code->facts.module = module;
    code->facts.max_threads = 1024;
    code->number = (uint32_t)module->code_count;
    static const char *const names[] = {"", "vprintf", "__assertfail", "malloc", "free"};
    for (unsigned i = 1; i < sizeof names / sizeof *names; i++)
        if (strcmp(code->facts.name, names[i]) == 0)
            code->builtin = (enum ptx_builtin)i;
    module->codes =
        ptx_grow(module->codes, module->code_count, &reader->code_capacity, sizeof *module->codes);
    module->codes[module->code_count++] = code;
    ptx_add_symbol(reader, name, PTX_CODE)->code = code;
    return code;
}

struct formals {
    struct ptx_place *places[MOST_FORMALS];
    struct ptx_token names[MOST_FORMALS];
    size_t count;
};

/// (.param …, .param …)
static void read_formals(struct ptx_reader *reader, struct formals *formals) {
    formals->count = 0;
    if (!ptx_take_sign(reader, '('))
        return;
    while (!ptx_is_sign(reader, ')')) {
        struct ptx_token word = ptx_expect(reader, PTX_DOTTED, ".param");
        if (!ptx_token_is(&word, PTX_DOTTED, "param"))
            ptx_fail(reader, word.line, "parameters in .%.*s are not known", PTX_TEXT(word));
        if (formals->count == MOST_FORMALS)
            ptx_fail(reader, word.line, "more than %d parameters", MOST_FORMALS);
        formals->places[formals->count] =
            ptx_read_parameter(reader, &formals->names[formals->count]);
        formals->count++;
        if (!ptx_take_sign(reader, ','))
            break;
    }
    ptx_expect_sign(reader, ')');
}

static size_t align(size_t offset, size_t alignment) {
    return (offset + alignment - 1) & ~(alignment - 1);
}

/// Parameters of an entry lie in what a launch passes.
static void lay_out_parameters(struct ptx_reader *reader, struct ptx_code *code) {
    struct ptx_parameter *parameters =
        ptx_arena_allocate(&reader->module->arena, code->formal_count * sizeof *parameters);
    size_t size = 0;
    for (size_t i = 0; i < code->formal_count; i++) {
        struct ptx_place *place = code->formals[i];
        size = align(size, place->alignment);
        place->offset = size;
        parameters[i] = (struct ptx_parameter){size, place->size, place->alignment};
        size += place->size;
    }
    code->facts.parameters = parameters;
    code->facts.parameter_count = code->formal_count;
    code->facts.parameter_size = size;
}

/// Parameters and results of other functions lie in the local memory of their frame.
static void lay_out_locals(struct ptx_code *code) {
    size_t size = 0;
    for (size_t i = 0; i < code->result_count + code->formal_count; i++) {
        struct ptx_place *place =
            i < code->result_count ? code->results[i] : code->formals[i - code->result_count];
        size = align(size, place->alignment);
        place->window = PTX_IN_LOCAL;
        place->offset = size;
        size += place->size;
    }
    code->facts.local_size = size;
}

static struct ptx_place **copy_places(struct ptx_reader *reader, const struct formals *formals) {
    struct ptx_place **places =
        ptx_arena_allocate(&reader->module->arena, formals->count * sizeof *places);
    memcpy(places, formals->places, formals->count * sizeof *places);
    return places;
}

/// .maxntid 256, 1, 1: extents, 1 where nothing is said.
static void read_extents(struct ptx_reader *reader, uint32_t extents[3]) {
    extents[0] = extents[1] = extents[2] = 1;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t line = reader->lexer.token.line;
        uint64_t extent = ptx_expect_integer(reader);
        if (extent == 0 || extent > 1024)
            ptx_fail(reader, line, "a block of %llu threads", (unsigned long long)extent);
        extents[i] = (uint32_t)extent;
        if (!ptx_take_sign(reader, ','))
            break;
    }
}

/// Directives between a function's head and its body.
static void read_tuning(struct ptx_reader *reader, struct ptx_code *code) {
    while (reader->lexer.token.kind == PTX_DOTTED) {
        struct ptx_token token = reader->lexer.token;
        uint32_t extents[3];
        ptx_lex_next(&reader->lexer);
        if (ptx_token_is(&token, PTX_DOTTED, "maxntid")) {
            read_extents(reader, extents);
            code->facts.max_threads = extents[0] * extents[1] * extents[2];
        } else if (ptx_token_is(&token, PTX_DOTTED, "reqntid")) {
            read_extents(reader, code->facts.required);
            const uint32_t *required = code->facts.required;
            code->facts.max_threads = required[0] * required[1] * required[2];
        } else if (ptx_token_is(&token, PTX_DOTTED, "minnctapersm")) {
            code->facts.min_blocks = (uint32_t)ptx_expect_integer(reader);
        } else if (ptx_token_is(&token, PTX_DOTTED, "maxnreg")) {
            ptx_expect_integer(reader);
        } else if (ptx_token_is(&token, PTX_DOTTED, "pragma")) {
            ptx_expect(reader, PTX_STRING, "a string");
            ptx_expect_sign(reader, ';');
        } else if (!ptx_token_is(&token, PTX_DOTTED, "noreturn")) {
            ptx_fail(reader, token.line, "'.%.*s' is not known of a function", PTX_TEXT(token));
        }
    }
}

static void add_entry(struct ptx_reader *reader, struct ptx_code *code) {
    struct ptx_module *module = reader->module;
    module->entries = ptx_grow(module->entries, module->entry_count, &reader->entry_capacity,
                               sizeof *module->entries);
    module->entries[module->entry_count++] = &code->facts;
}

static void read_function(struct ptx_reader *reader, bool is_entry) {
    struct formals *results = ptx_arena_allocate(&reader->module->arena, 2 * sizeof *results);
    struct formals *formals = results + 1;
    if (!is_entry)
        read_formals(reader, results);
    struct ptx_token name = ptx_expect(reader, PTX_WORD, "a function's name");
    struct ptx_code *code = add_code(reader, name);
    read_formals(reader, formals);
    code->line = name.line;
    code->is_entry = is_entry;
    read_tuning(reader, code);
    bool is_declaration = ptx_take_sign(reader, ';');
    if (code->is_defined && is_declaration)
        return;
    if (code->is_defined)
        ptx_fail(reader, name.line, "'%.*s' is defined twice", PTX_TEXT(name));
    code->result_count = results->count;
    code->results = copy_places(reader, results);
    code->formal_count = formals->count;
    code->formals = copy_places(reader, formals);
    if (is_entry)
        lay_out_parameters(reader, code);
    else
        lay_out_locals(code);
    if (is_declaration)
        return;
    if (is_entry)
        add_entry(reader, code);
    code->is_defined = true;
    code->builtin = PTX_NO_BUILTIN;
    reader->code = code;
    ptx_open_scope(reader);
    for (size_t i = 0; i < formals->count; i++)
        ptx_add_symbol(reader, formals->names[i], PTX_PLACE)->place = formals->places[i];
    for (size_t i = 0; i < results->count; i++)
        ptx_add_symbol(reader, results->names[i], PTX_PLACE)->place = results->places[i];
    ptx_read_body(reader, code);
    ptx_close_scope(reader);
    reader->code = NULL;
}

static void skip_braces(struct ptx_reader *reader) {
    unsigned depth = 0;
    do {
        if (reader->lexer.token.kind == PTX_END)
            ptx_fail(reader, reader->lexer.token.line, "'}' is missing");
        depth += ptx_is_sign(reader, '{');
        depth -= ptx_is_sign(reader, '}');
        ptx_lex_next(&reader->lexer);
    } while (depth > 0);
}

/// .file 1 "x.cu", and what may follow.
static void read_file(struct ptx_reader *reader) {
    uint32_t line = reader->lexer.token.line;
    uint64_t number = ptx_expect_integer(reader);
    struct ptx_token name = ptx_expect(reader, PTX_STRING, "a file's name");
    if (number > 100000)
        ptx_fail(reader, line, "file %llu", (unsigned long long)number);
    struct ptx_module *module = reader->module;
    while (module->file_count <= number) {
        module->files = ptx_grow(module->files, module->file_count, &reader->file_capacity,
                                 sizeof *module->files);
        module->files[module->file_count++] = NULL;
    }
    module->files[number] = ptx_arena_text(&module->arena, name.text, name.length);
    while (ptx_take_sign(reader, ','))
        ptx_expect_integer(reader);
}

/// Directives that say how a name is linked; which decides nothing here but whether it is defined.
static bool is_linkage(const struct ptx_token *token, bool *is_extern) {
    if (ptx_token_is(token, PTX_DOTTED, "extern")) {
        *is_extern = true;
        return true;
    }
    return ptx_token_is(token, PTX_DOTTED, "visible") || ptx_token_is(token, PTX_DOTTED, "weak") ||
           ptx_token_is(token, PTX_DOTTED, "common");
}

static void read_target(struct ptx_reader *reader) {
    do
        ptx_expect(reader, PTX_WORD, "a target");
    while (ptx_take_sign(reader, ','));
}

static void read_version(struct ptx_reader *reader) {
    struct ptx_token token = reader->lexer.token;
    if (token.kind != PTX_DOUBLE && token.kind != PTX_INTEGER)
        ptx_fail(reader, token.line, "a version expected instead of '%.*s'", PTX_TEXT(token));
    ptx_lex_next(&reader->lexer);
}

/// One directive of the module.
static void read_directive(struct ptx_reader *reader) {
    bool is_extern = false;
    struct ptx_token token = ptx_expect(reader, PTX_DOTTED, "a directive");
    while (is_linkage(&token, &is_extern))
        token = ptx_expect(reader, PTX_DOTTED, "a directive");
    if (ptx_token_is(&token, PTX_DOTTED, "version"))
        read_version(reader);
    else if (ptx_token_is(&token, PTX_DOTTED, "target"))
        read_target(reader);
    else if (ptx_token_is(&token, PTX_DOTTED, "address_size")) {
        if (ptx_expect_integer(reader) != 64)
            ptx_fail(reader, token.line, "addresses of 32 bits are not known");
    } else if (ptx_token_is(&token, PTX_DOTTED, "entry"))
        read_function(reader, true);
    else if (ptx_token_is(&token, PTX_DOTTED, "func"))
        read_function(reader, false);
    else if (ptx_token_is(&token, PTX_DOTTED, "global"))
        ptx_read_variables(reader, PTX_IN_GLOBAL, is_extern);
    else if (ptx_token_is(&token, PTX_DOTTED, "const"))
        ptx_read_variables(reader, PTX_IN_CONST, is_extern);
    else if (ptx_token_is(&token, PTX_DOTTED, "shared"))
        ptx_read_variables(reader, PTX_IN_SHARED, is_extern);
    else if (ptx_token_is(&token, PTX_DOTTED, "file"))
        read_file(reader);
    else if (ptx_token_is(&token, PTX_DOTTED, "section")) {
        ptx_lex_next(&reader->lexer);
        skip_braces(reader);
    } else if (ptx_token_is(&token, PTX_DOTTED, "pragma")) {
        ptx_expect(reader, PTX_STRING, "a string");
        ptx_expect_sign(reader, ';');
    } else
        ptx_fail(reader, token.line, "directive .%.*s is not known", PTX_TEXT(token));
}

/// Marks what a function may run: itself, what it calls, and all whose address may be called.
static void mark_reachable(const struct ptx_module *module, const struct ptx_code *code,
                           bool *is_reached) {
    if (is_reached[code->number])
        return;
    is_reached[code->number] = true;
    for (size_t i = 0; i < code->callee_count; i++)
        mark_reachable(module, code->callees[i], is_reached);
    if (!code->calls_indirectly)
        return;
    for (size_t i = 0; i < module->code_count; i++)
        if (!module->codes[i]->is_entry)
            mark_reachable(module, module->codes[i], is_reached);
}

/// Offsets of the shared variables that an entry may use; dynamic memory begins behind those.
static void lay_out_shared(struct ptx_module *module, struct ptx_code *entry) {
    bool *is_reached = ptx_arena_allocate(&module->arena, module->code_count * sizeof *is_reached);
    mark_reachable(module, entry, is_reached);
    uint64_t *offsets = ptx_arena_allocate(&module->arena, module->shared_count * sizeof *offsets);
    bool *is_used = ptx_arena_allocate(&module->arena, module->shared_count * sizeof *is_used);
    size_t size = 0, dynamic_alignment = 1;
    for (size_t i = 0; i < module->code_count; i++)
        for (size_t k = 0; is_reached[i] && k < module->codes[i]->shared_count; k++)
            is_used[module->codes[i]->shared[k]->index] = true;
    for (size_t i = 0; i < module->shared_count; i++) {
        const struct ptx_place *place = module->shared[i];
        if (!is_used[i])
            continue;
        if (place->is_extern) {
            dynamic_alignment =
                place->alignment > dynamic_alignment ? place->alignment : dynamic_alignment;
            continue;
        }
        offsets[i] = size = align(size, place->alignment);
        size += place->size;
    }
    size = align(size, dynamic_alignment);
    for (size_t i = 0; i < module->shared_count; i++)
        if (module->shared[i]->is_extern)
            offsets[i] = size;
    entry->facts.shared_size = size;
    entry->shared_offsets = offsets;
}

static void finish(struct ptx_reader *reader) {
    struct ptx_module *module = reader->module;
    for (size_t i = 0; i < module->code_count; i++) {
        struct ptx_code *code = module->codes[i];
        if (!code->is_defined && !code->builtin)
            for (size_t k = 0; k < module->code_count; k++)
                for (size_t c = 0; c < module->codes[k]->callee_count; c++)
                    if (module->codes[k]->callees[c] == code)
                        ptx_fail(reader, code->line, "%s is called but not defined",
                                 code->facts.name);
    }
    for (size_t i = 0; i < module->entry_count; i++)
        lay_out_shared(module, module->codes[ptx_code_of(module->entries[i])->number]);
    module->const_bytes = ptx_arena_allocate(&module->arena, module->const_size + 1);
    for (size_t i = 0; i < module->variable_count; i++) {
        struct ptx_variable *variable = &module->variables[i];
        if (variable->space != PTX_CONST)
            continue;
        variable->storage = module->const_bytes + (variable->address - PTX_CONST_WINDOW);
        memcpy(variable->storage, variable->bytes, variable->size);
    }
}

static void finish_reader(struct ptx_reader *reader) {
    ptx_names_finish(&reader->names);
    ptx_names_finish(&reader->constants);
    free(reader->ops);
    free(reader->registers);
    free(reader->pending);
    free(reader->pool);
}

struct ptx_module *ptx_parse(const char *text, char *error, size_t error_size) {
    struct ptx_reader *reader = calloc(1, sizeof *reader);
    struct ptx_module *module = calloc(1, sizeof *module);
    if (!reader || !module)
        abort();
    reader->module = module;
    reader->error = error;
    reader->error_size = error_size;
    if (setjmp(reader->failed)) {
        finish_reader(reader);
        ptx_free(reader->module);
        free(reader);
        return NULL;
    }
    ptx_lex_begin(&reader->lexer, text);
    while (reader->lexer.token.kind != PTX_END)
        read_directive(reader);
    finish(reader);
    finish_reader(reader);
    module = reader->module;
    free(reader);
    return module;
}

void ptx_free(struct ptx_module *module) {
    if (!module)
        return;
    for (size_t i = 0; i < module->code_count; i++) {
        free(module->codes[i]->callees);
        free(module->codes[i]->shared);
    }
    free(module->variables);
    free(module->relocations);
    free(module->shared);
    free(module->codes);
    free(module->entries);
    free(module->files);
    ptx_arena_finish(&module->arena);
    free(module);
}

const struct ptx_function *ptx_find(const struct ptx_module *module, const char *name) {
    for (size_t i = 0; i < module->entry_count; i++)
        if (strcmp(module->entries[i]->name, name) == 0)
            return module->entries[i];
    return NULL;
}

size_t ptx_functions(const struct ptx_module *module, const struct ptx_function *const **list) {
    *list = module->entries;
    return module->entry_count;
}

size_t ptx_variables(struct ptx_module *module, struct ptx_variable **list) {
    *list = module->variables;
    return module->variable_count;
}
