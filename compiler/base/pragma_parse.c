// Pragmas from text. The grammar is grammar/pragma/grammar.js; libtree-sitter makes the tree, which
// becomes clauses here. Text with a mistake is cut in front of it: what is whole there is kept, and
// reading goes on with the next clause, behind the closing parenthesis of the one that is wrong.
#include <string.h>

#include "pragma_language.h"
#include "pragma_mistake.h"
#include "pragma_words.h"

static TSTree *parse(const char *text, size_t size) {
    TSParser *parser = ts_parser_new();
    bool fits = ts_parser_set_language(parser, tree_sitter_gcluster_pragma());
    g_assert(fits);
    TSTree *tree = ts_parser_parse_string(parser, NULL, text, (uint32_t)size);
    ts_parser_delete(parser);
    return tree;
}

// A backslash, blanks and a line end, which parse as space does.
static bool is_continuation(const GString *text, gsize at) {
    gsize next = at + 1 + strspn(text->str + at + 1, " \t");
    return text->str[next] == '\n' || text->str[next] == '\r';
}

// Bytes [begin, end) as they can be parsed, of the same length: what isn't ASCII is part of a name
// even where it isn't UTF-8, and a lone backslash or zero is a word that no pragma has.
static GString *plain_text(const char *text, uint32_t begin, uint32_t end) {
    GString *plain = g_string_new_len(text + begin, end - begin);
    for (gsize i = 0; i < plain->len; i++) {
        if ((unsigned char)plain->str[i] >= 0x80)
            plain->str[i] = '_';
        else if (plain->str[i] == '\0' || (plain->str[i] == '\\' && !is_continuation(plain, i)))
            plain->str[i] = '@';
    }
    return plain;
}

// Expressions of a tree without mistakes: each function returns the index of its node.

struct reader {
    const char *text; // of the node at 0
    uint32_t begin;   // where that is in the whole
    GArray *nodes;
};

static uint32_t begin_of(const struct reader *r, TSNode node) {
    return r->begin + ts_node_start_byte(node);
}

static uint32_t end_of(const struct reader *r, TSNode node) {
    return r->begin + ts_node_end_byte(node);
}

static bool is_type(TSNode node, const char *type) {
    return strcmp(ts_node_type(node), type) == 0;
}

static TSNode field(TSNode node, const char *name) {
    return ts_node_child_by_field_name(node, name, (uint32_t)strlen(name));
}

static struct gcl_pragma_object read_object(const struct reader *r, TSNode node) {
    g_autoptr(GString) name = g_string_new(NULL);
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++) {
        TSNode part = ts_node_named_child(node, i);
        if (is_type(part, "name"))
            g_string_append_printf(name, "%s%.*s", name->len ? "." : "",
                                   (int)(end_of(r, part) - begin_of(r, part)),
                                   r->text + ts_node_start_byte(part));
    }
    return (struct gcl_pragma_object){
        .name = g_utf8_make_valid(name->str, (gssize)name->len), // messages have it
        .begin = begin_of(r, node),
        .end = end_of(r, node),
    };
}

static uint8_t read_axis(TSNode node) {
    return (uint8_t)(*ts_node_type(ts_node_child(node, 0)) - 'x');
}

// The kind of node that an operator or an index with so many operands is.
static uint8_t find_kind(TSNode word, uint8_t operands) {
    uint8_t kind = GCL_PRAGMA_NODE_THREAD_INDEX;
    while (gcl_pragma_operators[kind].operand_count != operands ||
           !is_type(word, gcl_pragma_operators[kind].text))
        kind++;
    return kind;
}

static uint16_t add_node(struct reader *r, struct gcl_pragma_node node) {
    g_array_append_val(r->nodes, node);
    return (uint16_t)(r->nodes->len - 1);
}

static uint16_t read_expression(struct reader *r, TSNode node);

static uint16_t read_unary(struct reader *r, TSNode node) {
    TSNode word = field(node, "operator");
    uint16_t operand = read_expression(r, field(node, "operand"));
    if (is_type(word, "+"))
        return operand;
    return add_node(r, (struct gcl_pragma_node){.kind = find_kind(word, 1), .a = operand});
}

static uint16_t read_pair(struct reader *r, TSNode node, const char *word) {
    struct gcl_pragma_node pair = {.kind = find_kind(field(node, word), 2)};
    pair.a = read_expression(r, field(node, "left"));
    pair.b = read_expression(r, field(node, "right"));
    return add_node(r, pair);
}

static uint16_t read_conditional(struct reader *r, TSNode node) {
    struct gcl_pragma_node select = {.kind = GCL_PRAGMA_NODE_SELECT};
    select.a = read_expression(r, field(node, "condition"));
    select.b = read_expression(r, field(node, "consequence"));
    select.c = read_expression(r, field(node, "alternative"));
    return add_node(r, select);
}

static uint16_t read_number(struct reader *r, TSNode node) {
    struct gcl_pragma_node number = {.kind = GCL_PRAGMA_NODE_CONSTANT};
    bool too_large;
    gcl_pragma_words_number(r->text, ts_node_start_byte(node), ts_node_end_byte(node),
                            &number.value, &too_large);
    return add_node(r, number);
}

static uint16_t read_expression(struct reader *r, TSNode node) {
    if (is_type(node, "number"))
        return read_number(r, node);
    if (is_type(node, "object"))
        return add_node(r, (struct gcl_pragma_node){.kind = GCL_PRAGMA_NODE_OBJECT,
                                                    .object = read_object(r, node)});
    if (is_type(node, "index"))
        return add_node(r, (struct gcl_pragma_node){.kind = find_kind(field(node, "variable"), 0),
                                                    .axis = read_axis(field(node, "axis"))});
    if (is_type(node, "unary"))
        return read_unary(r, node);
    if (is_type(node, "binary"))
        return read_pair(r, node, "operator");
    if (is_type(node, "call"))
        return read_pair(r, node, "function");
    if (is_type(node, "conditional"))
        return read_conditional(r, node);
    return read_expression(r, field(node, "inner"));
}

// Clauses.

static void clear_node(gpointer data) {
    struct gcl_pragma_node *node = data;
    g_free(node->object.name);
}

static void read_range(struct reader *r, TSNode node, struct gcl_pragma_clause *clause) {
    static const struct gcl_pragma_node one = {.kind = GCL_PRAGMA_NODE_CONSTANT, .value = 1};
    TSNode count = field(node, "count");
    clause->nodes = r->nodes = g_array_new(FALSE, FALSE, sizeof(struct gcl_pragma_node));
    g_array_set_clear_func(clause->nodes, clear_node);
    clause->first = read_expression(r, field(node, "first"));
    clause->count = ts_node_is_null(count) ? add_node(r, one) : read_expression(r, count);
}

static uint8_t read_reduction(TSNode node) {
    static const char *const reductions[] = {
#define TEXT(name, text) text,
        GCL_PRAGMA_REDUCTIONS(TEXT)
#undef TEXT
    };
    uint8_t reduction = 0;
    while (!is_type(ts_node_child(node, 0), reductions[reduction]))
        reduction++;
    return reduction;
}

// Appends a clause for each object or access that a pragma lists.
static void read_objects(struct reader *r, TSNode node, struct gcl_pragma_clause prototype,
                         GArray *clauses) {
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++) {
        TSNode item = ts_node_named_child(node, i);
        bool is_access = is_type(item, "access");
        if (!is_access && !is_type(item, "object"))
            continue;
        struct gcl_pragma_clause clause = prototype;
        clause.begin = begin_of(r, item);
        clause.end = end_of(r, item);
        clause.object = read_object(r, is_access ? field(item, "object") : item);
        if (is_access)
            read_range(r, item, &clause);
        g_array_append_val(clauses, clause);
    }
}

static void read_clause(struct reader *r, TSNode node, GArray *clauses) {
    TSNode word = ts_node_child_count(node) > 0 ? ts_node_child(node, 0) : node;
    TSNode axis = field(node, "axis"), reduction = field(node, "operator");
    struct gcl_pragma_clause clause = {
        .kind = gcl_pragma_words_kind(r->text, ts_node_start_byte(word), ts_node_end_byte(word)),
        .begin = begin_of(r, node),
        .end = end_of(r, node),
    };
    if (!ts_node_is_null(axis))
        clause.axis = read_axis(axis);
    if (!ts_node_is_null(reduction))
        clause.reduction = read_reduction(reduction);
    if (clause.kind == GCL_PRAGMA_SPLIT || clause.kind == GCL_PRAGMA_SINGLE)
        g_array_append_val(clauses, clause);
    else
        read_objects(r, node, clause, clauses);
}

// Adds the clauses of bytes [begin, end), which are without mistakes; `open` if the last lacks its
// parenthesis.
static void read_clauses(const char *text, uint32_t begin, uint32_t end, bool open,
                         GArray *clauses) {
    g_autoptr(GString) plain = plain_text(text, begin, end);
    struct reader reader = {.text = text + begin, .begin = begin};
    if (open)
        g_string_append_c(plain, ')');
    TSTree *tree = parse(plain->str, plain->len);
    TSNode root = ts_tree_root_node(tree);
    g_assert(!ts_node_has_error(root));
    for (uint32_t i = 0; i < ts_node_named_child_count(root); i++) {
        TSNode child = ts_node_named_child(root, i);
        if (!is_type(child, "comment"))
            read_clause(&reader, child, clauses);
    }
    ts_tree_delete(tree);
}

// Tokens.

// Two signs that C reads as one, though the grammar may take the first alone.
static bool is_pair(const char *text, const struct gcl_pragma_token *a,
                    const struct gcl_pragma_token *b) {
    static const char pairs[][3] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->"};
    if (a->end != b->begin || a->end - a->begin != 1)
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
        if (memcmp(text + a->begin, pairs[i], 2) == 0)
            return true;
    }
    return false;
}

static void add_token(GArray *tokens, const char *text, struct gcl_pragma_token token) {
    struct gcl_pragma_token *last =
        tokens->len > 0 ? &g_array_index(tokens, struct gcl_pragma_token, tokens->len - 1) : NULL;
    if (last && is_pair(text, last, &token)) {
        last->end = last->begin + 2;
        last->symbol = (TSSymbol)-1;
        return;
    }
    // libtree-sitter makes one piece of all that it skips.
    if (token.symbol == (TSSymbol)-1)
        token.end = token.begin + 1;
    g_array_append_val(tokens, token);
}

// All leaves of the tree of bytes [begin, end): GArray of struct gcl_pragma_token.
static GArray *read_tokens(const char *text, uint32_t begin, uint32_t end) {
    g_autoptr(GString) plain = plain_text(text, begin, end);
    GArray *tokens = g_array_new(FALSE, FALSE, sizeof(struct gcl_pragma_token));
    TSTree *tree = parse(plain->str, plain->len);
    TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
    bool more = true;
    while (more) {
        TSNode node = ts_tree_cursor_current_node(&cursor);
        if (ts_tree_cursor_goto_first_child(&cursor))
            continue;
        const struct gcl_pragma_token token = {.begin = begin + ts_node_start_byte(node),
                                               .end = begin + ts_node_end_byte(node),
                                               .symbol = ts_node_symbol(node)};
        if (token.begin < token.end && !is_type(node, "comment"))
            add_token(tokens, text, token);
        while (!(more = ts_tree_cursor_goto_next_sibling(&cursor)) &&
               ts_tree_cursor_goto_parent(&cursor))
            ;
    }
    ts_tree_cursor_delete(&cursor);
    ts_tree_delete(tree);
    return tokens;
}

// The first token of the clause behind the one that begins at token `at`; their number if there is
// none.
static guint next_clause(const char *text, const GArray *tokens, guint at) {
    int open = 0;
    for (; at < tokens->len; at++) {
        const struct gcl_pragma_token *token = &g_array_index(tokens, struct gcl_pragma_token, at);
        open += text[token->begin] == '(';
        open -= text[token->begin] == ')' && open > 0;
        if (open > 0 || at + 1 == tokens->len)
            continue;
        if (gcl_pragma_words_kind(text, token[1].begin, token[1].end) <= GCL_PRAGMA_DISJOINT)
            return at + 1;
    }
    return tokens->len;
}

// Reads bytes [begin, end) up to the first mistake. Returns where to go on, `end` if nowhere.
static uint32_t read_part(const char *text, uint32_t begin, uint32_t end,
                          struct gcl_pragma_parsed *parsed) {
    bool cut = end - begin > GCL_PRAGMA_SIZE_MAX;
    g_autoptr(GArray) tokens = read_tokens(text, begin, cut ? begin + GCL_PRAGMA_SIZE_MAX : end);
    struct gcl_pragma_mistake mistake;
    if (!gcl_pragma_mistake_find(text, begin, tokens, cut, &mistake)) {
        read_clauses(text, begin, end, false, parsed->clauses);
        return end;
    }
    g_array_append_val(parsed->errors, mistake.error);
    if (mistake.kept > 0) {
        guint last = mistake.kept - 1;
        read_clauses(text, begin, g_array_index(tokens, struct gcl_pragma_token, last).end,
                     mistake.open, parsed->clauses);
    }
    guint next = next_clause(text, tokens, mistake.clause);
    return next < tokens->len ? g_array_index(tokens, struct gcl_pragma_token, next).begin : end;
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
    g_array_set_clear_func(parsed.clauses, clear_clause);
    g_array_set_clear_func(parsed.errors, clear_error);
    uint32_t at = begin;
    do
        at = read_part(text, at, end, &parsed);
    while (at < end);
    return parsed;
}

void gcl_pragma_parsed_finish(struct gcl_pragma_parsed *parsed) {
    g_array_unref(parsed->clauses);
    g_array_unref(parsed->errors);
}
