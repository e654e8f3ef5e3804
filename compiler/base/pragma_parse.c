// A parser by recursive descent with one token of look-ahead, as the grammar in pragma.h is
// written. A mistake sets `failed`, which keeps every function from saying more about this clause;
// the next clause begins behind the closing parenthesis.
#include <stdarg.h>
#include <string.h>

#include "pragma.h"
#include "spell.h"

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_SIGN };

struct token {
    enum token_kind kind;
    uint32_t begin;
    uint32_t end;
};

struct parser {
    const char *text;
    uint32_t at;
    uint32_t end;
    struct token last;
    struct token token; // the next one
    struct gcl_pragma_parsed *parsed;
    GArray *nodes; // of this clause
    unsigned depth;
    bool failed; // in this clause
};

// Tokens.

static char peek(const struct parser *p, uint32_t ahead) {
    return p->end - p->at > ahead ? p->text[p->at + ahead] : '\0';
}

static bool is_word(char c) {
    return g_ascii_isalnum(c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

// Length of a backslash with the line end behind it, 0 if there is none.
static uint32_t continuation(const struct parser *p) {
    uint32_t length = 1;
    if (peek(p, 0) != '\\')
        return 0;
    while (peek(p, length) == ' ' || peek(p, length) == '\t')
        length++;
    if (!is_line_end(peek(p, length)))
        return 0;
    return peek(p, length) == '\r' && peek(p, length + 1) == '\n' ? length + 2 : length + 1;
}

static uint32_t comment(const struct parser *p) {
    uint32_t length = 2, left = p->end - p->at;
    if (peek(p, 0) != '/' || (peek(p, 1) != '/' && peek(p, 1) != '*'))
        return 0;
    if (peek(p, 1) == '/') {
        while (length < left && !(is_line_end(peek(p, length)) && peek(p, length - 1) != '\\'))
            length++;
        return length;
    }
    while (length < left && !(peek(p, length) == '*' && peek(p, length + 1) == '/'))
        length++;
    return MIN(length + 2, left);
}

static void skip_space(struct parser *p) {
    while (p->at < p->end) {
        uint32_t length = MAX(continuation(p), comment(p));
        if (!length && !g_ascii_isspace(peek(p, 0)))
            return;
        p->at += MAX(length, 1);
    }
}

static uint32_t sign_length(const struct parser *p) {
    static const char pairs[][3] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->"};
    for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
        if (peek(p, 0) == pairs[i][0] && peek(p, 1) == pairs[i][1])
            return 2;
    }
    return 1;
}

static void advance(struct parser *p) {
    uint32_t length = 0;
    p->last = p->token;
    skip_space(p);
    p->token = (struct token){.kind = TOKEN_END, .begin = p->last.end, .end = p->last.end};
    if (p->at == p->end)
        return;
    p->token.begin = p->at;
    p->token.kind = TOKEN_SIGN;
    while (is_word(peek(p, length)) ||
           (length > 0 && p->token.kind == TOKEN_NUMBER && strchr(".'", peek(p, length)) != NULL &&
            peek(p, length) != '\0')) {
        if (length++ == 0)
            p->token.kind = g_ascii_isdigit(peek(p, 0)) ? TOKEN_NUMBER : TOKEN_NAME;
    }
    p->at += length ? length : sign_length(p);
    p->token.end = p->at;
}

static bool is(const struct parser *p, const char *word) {
    size_t length = strlen(word);
    return p->token.kind != TOKEN_END && p->token.end - p->token.begin == length &&
           memcmp(p->text + p->token.begin, word, length) == 0;
}

static bool accept(struct parser *p, const char *word) {
    bool found = is(p, word);
    if (found)
        advance(p);
    return found;
}

// The text of a token as a message can show it, to be freed.
static char *show(const struct parser *p, struct token token) {
    enum { LONGEST = 40 };
    uint32_t length = token.end - token.begin;
    GString *text = g_string_new_len(p->text + token.begin, MIN(length, LONGEST));
    for (gsize i = 0; i < text->len; i++) {
        if (g_ascii_iscntrl(text->str[i]))
            text->str[i] = '?';
    }
    g_string_append(text, length > LONGEST ? "..." : "");
    char *valid = g_utf8_make_valid(text->str, (gssize)text->len);
    g_string_free(text, TRUE);
    return valid;
}

// Mistakes.

static void fail(struct parser *p, struct token where, const char *help, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

static void fail(struct parser *p, struct token where, const char *help, const char *format, ...) {
    if (p->failed)
        return;
    va_list arguments;
    va_start(arguments, format);
    struct gcl_pragma_error error = {
        .begin = where.begin,
        .end = MAX(where.end, where.begin + 1),
        .message = g_strdup_vprintf(format, arguments),
        .help = g_strdup(help),
    };
    va_end(arguments);
    g_array_append_val(p->parsed->errors, error);
    p->failed = true;
}

static void fail_expected(struct parser *p, const char *what, const char *help) {
    g_autofree char *last = show(p, p->last);
    fail(p, p->token, help, "expected %s after '%s'", what, last);
}

static void expect(struct parser *p, const char *word) {
    if (accept(p, word))
        return;
    g_autofree char *what = g_strdup_printf("'%s'", word);
    fail_expected(p, what, NULL);
}

// "did you mean '…'?", or `otherwise`; to be freed.
static char *suggest(const char *word, const GPtrArray *candidates, const char *otherwise) {
    const char *nearest = gcl_spell_nearest(word, candidates);
    return nearest ? g_strdup_printf("did you mean '%s'?", nearest) : g_strdup(otherwise);
}

// Expressions: each function returns the index of its node, anything after a mistake.

static uint16_t parse_expression(struct parser *p);

static uint16_t add_node(struct parser *p, struct gcl_pragma_node node) {
    if (p->nodes->len >= GCL_PRAGMA_NODES_MAX)
        fail(p, p->last, "say it with fewer operations", "expression is too long");
    if (p->failed) {
        g_free(node.object.name);
        return 0;
    }
    g_array_append_val(p->nodes, node);
    return (uint16_t)(p->nodes->len - 1);
}

static uint16_t parse_number(struct parser *p) {
    g_autofree char *shown = show(p, p->token), *digits = g_strdup(shown);
    const char *start = digits;
    guint64 value = 0;
    guint base = 10;
    g_autoptr(GError) error = NULL;
    for (size_t i = strlen(digits); i > 1 && strchr("uUlLzZ", digits[i - 1]); i--)
        digits[i - 1] = '\0';
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
        base = 16;
        start += 2;
    } else if (digits[0] == '0' && digits[1]) {
        base = 8;
        start++;
    }
    if (!g_ascii_string_to_unsigned(start, base, 0, G_MAXINT64, &value, &error)) {
        bool large =
            g_error_matches(error, G_NUMBER_PARSER_ERROR, G_NUMBER_PARSER_ERROR_OUT_OF_BOUNDS);
        fail(p, p->token, large ? "the largest number is 9223372036854775807" : NULL,
             large ? "'%s' is too large" : "'%s' is not an integer", shown);
    }
    advance(p);
    return add_node(
        p, (struct gcl_pragma_node){.kind = GCL_PRAGMA_NODE_CONSTANT, .value = (int64_t)value});
}

static uint8_t parse_axis(struct parser *p) {
    static const char *const axes[] = {"x", "y", "z"};
    for (uint8_t i = 0; i < 3; i++) {
        if (accept(p, axes[i]))
            return i;
    }
    fail_expected(p, "'x', 'y' or 'z'", NULL);
    return 0;
}

static struct gcl_pragma_object parse_object(struct parser *p, const char *what) {
    struct gcl_pragma_object object = {.begin = p->token.begin};
    if (p->token.kind != TOKEN_NAME) {
        fail_expected(p, what, NULL);
        return object;
    }
    g_autoptr(GString) name = g_string_new(NULL);
    do {
        if (p->token.kind != TOKEN_NAME)
            fail_expected(p, "the name of a field", NULL);
        else
            g_string_append_printf(name, "%s%.*s", name->len ? "." : "",
                                   (int)(p->token.end - p->token.begin), p->text + p->token.begin);
        object.end = p->token.end;
        if (!p->failed)
            advance(p);
    } while (!p->failed && accept(p, "."));
    if (!p->failed)
        object.name = g_utf8_make_valid(name->str, (gssize)name->len); // messages have it
    return object;
}

static uint16_t parse_object_value(struct parser *p) {
    struct gcl_pragma_object object = parse_object(p, "a value");
    if (is(p, "["))
        fail(p, p->token, "name a range that holds all of them; it may be larger than needed",
             "'%s[...]' would be read from memory, which an expression can't", object.name);
    else if (is(p, "("))
        fail(p, p->token, "there are only min(a, b) and max(a, b)",
             "'%s' can't be called in a pragma", object.name);
    else if (is(p, "->"))
        fail(p, p->token, "only fields of a struct passed by value are known at launch",
             "'%s' is followed by a field in memory", object.name);
    return add_node(p, (struct gcl_pragma_node){.kind = GCL_PRAGMA_NODE_OBJECT, .object = object});
}

static uint16_t parse_call(struct parser *p, enum gcl_pragma_node_kind kind) {
    struct gcl_pragma_node node = {.kind = (uint8_t)kind};
    expect(p, "(");
    node.a = parse_expression(p);
    expect(p, ",");
    node.b = parse_expression(p);
    expect(p, ")");
    return add_node(p, node);
}

static uint16_t parse_index(struct parser *p, enum gcl_pragma_node_kind kind) {
    struct gcl_pragma_node node = {.kind = (uint8_t)kind};
    expect(p, ".");
    if (!p->failed)
        node.axis = parse_axis(p);
    return add_node(p, node);
}

// After an opening parenthesis.
static void refuse_cast(struct parser *p) {
    static const char *const types[] = {"int",  "unsigned", "long",   "short",  "char",
                                        "bool", "float",    "double", "size_t", "signed"};
    for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
        if (is(p, types[i]))
            fail(p, p->token, "leave it out: all arithmetic is on signed integers of 64 bits",
                 "conversion to '%s' in a pragma", types[i]);
    }
}

static bool is_call(const struct parser *p) {
    struct parser ahead = *p;
    advance(&ahead);
    return is(&ahead, "(");
}

static uint16_t parse_name(struct parser *p) {
    for (int kind = 0; kind < GCL_PRAGMA_NODE_COUNT; kind++) {
        const struct gcl_pragma_operator *info = &gcl_pragma_operators[kind];
        bool called = info->operand_count > 0;
        if (!is(p, info->text) || (called && !is_call(p)))
            continue;
        advance(p);
        return called ? parse_call(p, (enum gcl_pragma_node_kind)kind)
                      : parse_index(p, (enum gcl_pragma_node_kind)kind);
    }
    return parse_object_value(p);
}

static uint16_t parse_primary(struct parser *p) {
    if (p->token.kind == TOKEN_NUMBER)
        return parse_number(p);
    if (p->token.kind == TOKEN_NAME)
        return parse_name(p);
    if (!accept(p, "(")) {
        fail_expected(p, "a value", NULL);
        return 0;
    }
    refuse_cast(p);
    uint16_t node = parse_expression(p);
    expect(p, ")");
    return node;
}

// True, with a mistake, if the text nests deeper than the stack allows.
static bool enters_too_deep(struct parser *p) {
    if (p->depth++ >= GCL_PRAGMA_DEPTH)
        fail(p, p->token, "say it with fewer parentheses", "expression is nested too deep");
    return p->failed;
}

static uint16_t parse_unary(struct parser *p) {
    static const struct {
        char text[2];
        uint8_t kind;
    } signs[] = {{"-", GCL_PRAGMA_NODE_NEGATE},
                 {"~", GCL_PRAGMA_NODE_COMPLEMENT},
                 {"!", GCL_PRAGMA_NODE_NOT}};
    uint16_t result = 0;
    if (enters_too_deep(p))
        return result;
    for (size_t i = 0; i < G_N_ELEMENTS(signs); i++) {
        if (!accept(p, signs[i].text))
            continue;
        result = parse_unary(p);
        p->depth--;
        return add_node(p, (struct gcl_pragma_node){.kind = signs[i].kind, .a = result});
    }
    result = accept(p, "+") ? parse_unary(p) : parse_primary(p);
    p->depth--;
    return result;
}

// The operator with two operands that comes next, GCL_PRAGMA_NODE_COUNT if none does.
static enum gcl_pragma_node_kind next_operator(const struct parser *p) {
    int kind = GCL_PRAGMA_NODE_MULTIPLY;
    while (kind <= GCL_PRAGMA_NODE_OR &&
           !(p->token.kind == TOKEN_SIGN && is(p, gcl_pragma_operators[kind].text)))
        kind++;
    return kind <= GCL_PRAGMA_NODE_OR ? (enum gcl_pragma_node_kind)kind : GCL_PRAGMA_NODE_COUNT;
}

// Operators that bind at least as tightly as `binding`; those of one rank from left to right.
static uint16_t parse_binary(struct parser *p, uint8_t binding) {
    uint16_t left = parse_unary(p);
    while (!p->failed) {
        enum gcl_pragma_node_kind kind = next_operator(p);
        if (kind == GCL_PRAGMA_NODE_COUNT || gcl_pragma_operators[kind].binding < binding)
            break;
        advance(p);
        struct gcl_pragma_node node = {.kind = (uint8_t)kind, .a = left};
        node.b = parse_binary(p, (uint8_t)(gcl_pragma_operators[kind].binding + 1));
        left = add_node(p, node);
    }
    return left;
}

static uint16_t parse_expression(struct parser *p) {
    if (enters_too_deep(p))
        return 0;
    uint16_t result = parse_binary(p, gcl_pragma_operators[GCL_PRAGMA_NODE_OR].binding);
    if (!p->failed && accept(p, "?")) {
        struct gcl_pragma_node node = {.kind = GCL_PRAGMA_NODE_SELECT, .a = result};
        node.b = parse_expression(p);
        expect(p, ":");
        node.c = parse_expression(p);
        result = add_node(p, node);
    }
    p->depth--;
    return result;
}

// Clauses.

static void clear_node(gpointer data) {
    struct gcl_pragma_node *node = data;
    g_free(node->object.name);
}

static void parse_range(struct parser *p, struct gcl_pragma_clause *clause) {
    if (!p->failed && !is(p, "[")) {
        g_autofree char *help =
            g_strdup_printf("say which elements: %s[first : count]", clause->object.name);
        fail_expected(p, "'['", help);
        return;
    }
    clause->nodes = p->nodes = g_array_new(FALSE, FALSE, sizeof(struct gcl_pragma_node));
    g_array_set_clear_func(clause->nodes, clear_node);
    p->depth = 0;
    accept(p, "[");
    clause->first = parse_expression(p);
    if (accept(p, ":"))
        clause->count = parse_expression(p);
    else
        clause->count =
            add_node(p, (struct gcl_pragma_node){.kind = GCL_PRAGMA_NODE_CONSTANT, .value = 1});
    expect(p, "]");
}

// Objects, with ranges or without, up to the closing parenthesis; a clause for each.
static void parse_objects(struct parser *p, const struct gcl_pragma_clause *prototype) {
    do {
        struct gcl_pragma_clause clause = *prototype;
        clause.begin = p->token.begin;
        clause.object = parse_object(p, "the name of a parameter");
        if (clause.kind == GCL_PRAGMA_READS || clause.kind == GCL_PRAGMA_WRITES)
            parse_range(p, &clause);
        clause.end = p->last.end;
        if (p->failed)
            gcl_pragma_clause_clear(&clause);
        else
            g_array_append_val(p->parsed->clauses, clause);
    } while (!p->failed && accept(p, ","));
}

static uint8_t parse_reduction(struct parser *p) {
    static const char *const reductions[] = {
#define TEXT(name, text) text,
        GCL_PRAGMA_REDUCTIONS(TEXT)
#undef TEXT
    };
    for (uint8_t i = 0; i < G_N_ELEMENTS(reductions); i++) {
        if (!accept(p, reductions[i]))
            continue;
        expect(p, ":");
        return i;
    }
    fail_expected(p, "'+', '&', '|', '^', 'min' or 'max'", "write reduces(+: sum)");
    return 0;
}

static void parse_clause(struct parser *p, struct gcl_pragma_clause clause) {
    clause.begin = p->last.begin;
    clause.end = p->last.end;
    if (clause.kind != GCL_PRAGMA_SINGLE) {
        expect(p, "(");
        if (p->failed)
            return;
    }
    if (clause.kind == GCL_PRAGMA_SPLIT)
        clause.axis = parse_axis(p);
    else if (clause.kind == GCL_PRAGMA_REDUCES)
        clause.reduction = parse_reduction(p);
    if (p->failed)
        return;
    if (clause.kind != GCL_PRAGMA_SPLIT && clause.kind != GCL_PRAGMA_SINGLE)
        parse_objects(p, &clause);
    if (clause.kind != GCL_PRAGMA_SINGLE)
        expect(p, ")");
    clause.end = p->last.end;
    if (!p->failed && (clause.kind == GCL_PRAGMA_SPLIT || clause.kind == GCL_PRAGMA_SINGLE))
        g_array_append_val(p->parsed->clauses, clause);
}

static const char *const keywords[] = {
#define TEXT(name, keyword) keyword,
    GCL_PRAGMA_KINDS(TEXT)
#undef TEXT
};

// The kind of clause that comes next, or the number of kinds.
static uint8_t next_kind(const struct parser *p) {
    uint8_t kind = 0;
    while (kind < G_N_ELEMENTS(keywords) && !is(p, keywords[kind]))
        kind++;
    return kind;
}

static void fail_unknown(struct parser *p) {
    static const char clauses[] =
        "clauses are split, single, reads, writes, reduces, replicate and disjoint";
    if (p->token.kind != TOKEN_NAME) {
        if (p->token.kind == TOKEN_END && p->last.end == p->last.begin)
            fail(p, p->token, clauses, "'#pragma gcluster' without a clause");
        else if (p->last.end == p->last.begin)
            fail(p, p->token, clauses, "expected a clause after 'gcluster'");
        else
            fail_expected(p, "a clause", clauses);
        return;
    }
    g_autofree char *word = show(p, p->token);
    g_autoptr(GPtrArray) candidates = g_ptr_array_new();
    for (size_t i = 0; i < G_N_ELEMENTS(keywords); i++)
        g_ptr_array_add(candidates, (gpointer)keywords[i]);
    g_autofree char *help = suggest(word, candidates, clauses);
    fail(p, p->token, help, "'%s' is not a clause of '#pragma gcluster'", word);
}

// To the next clause that has a keyword, behind the parentheses of the one that begins at `start`.
static void recover(struct parser *p, struct token start) {
    int open = 0;
    p->failed = false;
    p->at = start.end;
    p->token = start;
    do {
        if (is(p, "("))
            open++;
        else if (is(p, ")") && open > 0)
            open--;
        advance(p);
    } while (p->token.kind != TOKEN_END && (open > 0 || next_kind(p) == G_N_ELEMENTS(keywords)));
}

static void clear_clause(gpointer data) {
    gcl_pragma_clause_clear(data);
}

static void clear_error(gpointer data) {
    struct gcl_pragma_error *error = data;
    g_free(error->message);
    g_free(error->help);
}

struct gcl_pragma_parsed gcl_pragma_parse(const char *text, uint32_t begin, uint32_t end) {
    struct gcl_pragma_parsed parsed = {
        .clauses = g_array_new(FALSE, FALSE, sizeof(struct gcl_pragma_clause)),
        .errors = g_array_new(FALSE, FALSE, sizeof(struct gcl_pragma_error)),
    };
    struct parser p = {.text = text,
                       .at = begin,
                       .end = end,
                       .token = {.begin = begin, .end = begin},
                       .parsed = &parsed};
    g_array_set_clear_func(parsed.clauses, clear_clause);
    g_array_set_clear_func(parsed.errors, clear_error);
    advance(&p);
    do {
        struct token start = p.token;
        uint8_t kind = next_kind(&p);
        if (kind < G_N_ELEMENTS(keywords)) {
            advance(&p);
            parse_clause(&p, (struct gcl_pragma_clause){.kind = kind});
        } else {
            fail_unknown(&p);
        }
        if (p.failed)
            recover(&p, start);
        else if (accept(&p, ",") && p.token.kind == TOKEN_END)
            fail_unknown(&p);
    } while (p.token.kind != TOKEN_END);
    return parsed;
}

void gcl_pragma_parsed_finish(struct gcl_pragma_parsed *parsed) {
    g_array_unref(parsed->clauses);
    g_array_unref(parsed->errors);
}
