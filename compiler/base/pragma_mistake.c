// libtree-sitter mends what it can't parse, and doesn't say what it would have taken instead. So a
// mistake is found by going once more through the tokens with the parse tables: an LR automaton
// stops at the first token that can't go on, and its stack says what could. Depth and length are
// limited here, too, so that the tree of a pragma without mistakes can be read without checks.
#include "pragma_mistake.h"

#include <stdarg.h>
#include <string.h>

#include <tree_sitter/parser.h>

#include "pragma_language.h"
#include "pragma_words.h"
#include "spell.h"

enum { START_STATE = 1, END_SYMBOL = 0, NO_SYMBOL = (TSSymbol)-1 };

// A state of the automaton, and the symbol that led there.
struct entry {
    TSStateId state;
    TSSymbol symbol;
};

struct checker {
    const TSLanguage *language;
    const char *text;
    uint32_t begin;
    GArray *tokens;
    bool cut;
    guint at;       // the token that is looked at
    GArray *stack;  // struct entry
    unsigned nodes; // of this access's expressions
    struct gcl_pragma_mistake *mistake;
    bool failed;
};

// The automaton.

static uint16_t table_entry(const TSLanguage *language, TSStateId state, TSSymbol symbol) {
    if (symbol >= language->symbol_count)
        return 0;
    if (state < language->large_state_count)
        return language->parse_table[state * language->symbol_count + symbol];
    const uint16_t *data = language->small_parse_table +
                           language->small_parse_table_map[state - language->large_state_count];
    for (uint16_t groups = *data++; groups > 0; groups--) {
        uint16_t value = *data++;
        for (uint16_t symbols = *data++; symbols > 0; symbols--) {
            if (*data++ == symbol)
                return value;
        }
    }
    return 0;
}

static const struct entry *entry_at(const GArray *stack, guint i) {
    return &g_array_index(stack, struct entry, i);
}

static TSStateId top(const GArray *stack) {
    return entry_at(stack, stack->len - 1)->state;
}

// The action for a token, NULL if there is none. The grammar has no conflicts, but for repetitions:
// there reducing is what the parser does.
static const TSParseAction *find_action(const TSLanguage *language, TSStateId state,
                                        TSSymbol symbol) {
    const TSParseActionEntry *entry =
        &language->parse_actions[table_entry(language, state, symbol)];
    for (uint8_t i = 1; i <= entry->entry.count; i++) {
        const TSParseAction *action = &entry[i].action;
        if (action->type != TSParseActionTypeShift || !action->shift.repetition)
            return action;
    }
    return NULL;
}

static const char *symbol_name(const struct checker *c, TSSymbol symbol) {
    return symbol < c->language->symbol_count ? c->language->symbol_names[symbol] : "";
}

static bool is_named(const struct checker *c, guint entry, const char *name) {
    return entry < c->stack->len &&
           strcmp(symbol_name(c, entry_at(c->stack, entry)->symbol), name) == 0;
}

static bool is_in_range(const struct checker *c) {
    for (guint i = 0; i < c->stack->len; i++) {
        if (is_named(c, i, "["))
            return true;
    }
    return false;
}

static void add_node(struct checker *c, guint last);

// Called in front of a reduction: those that make a node of an expression are counted.
static void count_node(struct checker *c, const TSParseAction *reduce) {
    static const char *const nodes[] = {"conditional", "binary", "call",
                                        "index",       "unary",  "object"};
    const char *name = symbol_name(c, reduce->reduce.symbol);
    guint first = c->stack->len - reduce->reduce.child_count;
    bool sign = strcmp(name, "unary") == 0 && is_named(c, first, "+");
    if (sign || !is_in_range(c))
        return;
    for (size_t i = 0; i < G_N_ELEMENTS(nodes); i++) {
        if (strcmp(name, nodes[i]) == 0)
            add_node(c, c->at - 1);
    }
}

// Takes a token from `stack`; false if it can't go on with it. `c` counts nodes, or is NULL.
static bool take(const TSLanguage *language, GArray *stack, TSSymbol symbol, struct checker *c) {
    const TSParseAction *action;
    while ((action = find_action(language, top(stack), symbol)) != NULL) {
        if (action->type == TSParseActionTypeAccept)
            return true;
        struct entry next = {.state = action->shift.state, .symbol = symbol};
        if (action->type == TSParseActionTypeShift) {
            g_array_append_val(stack, next);
            return true;
        }
        if (action->type != TSParseActionTypeReduce)
            break;
        if (c)
            count_node(c, action);
        g_array_set_size(stack, stack->len - action->reduce.child_count);
        next.symbol = action->reduce.symbol;
        next.state = table_entry(language, top(stack), next.symbol);
        g_array_append_val(stack, next);
    }
    return false;
}

static TSSymbol symbol_of(const TSLanguage *language, const char *name, bool named) {
    return ts_language_symbol_for_name(language, name, (uint32_t)strlen(name), named);
}

static bool takes_symbol(const struct checker *c, TSSymbol symbol) {
    g_autoptr(GArray) copy = g_array_copy(c->stack);
    return take(c->language, copy, symbol, NULL);
}

// True if the word could come next.
static bool takes(const struct checker *c, const char *word) {
    return takes_symbol(c, symbol_of(c->language, word, false));
}

static bool takes_name(const struct checker *c, const char *name) {
    return takes_symbol(c, symbol_of(c->language, name, true));
}

// Tokens.

static const struct gcl_pragma_token *token_at(const struct checker *c, guint i) {
    return &g_array_index(c->tokens, struct gcl_pragma_token, i);
}

// The token looked at; at the end an empty one behind the last.
static struct gcl_pragma_token this_token(const struct checker *c) {
    if (c->at < c->tokens->len)
        return *token_at(c, c->at);
    uint32_t end = c->at > 0 ? token_at(c, c->at - 1)->end : c->begin;
    return (struct gcl_pragma_token){.begin = end, .end = end};
}

static bool is_word(const struct checker *c, guint i, const char *word) {
    size_t length = strlen(word);
    const struct gcl_pragma_token *token = token_at(c, i);
    return token->end - token->begin == length && memcmp(c->text + token->begin, word, length) == 0;
}

static bool is_symbol(const struct checker *c, guint i, const char *name) {
    return strcmp(symbol_name(c, token_at(c, i)->symbol), name) == 0;
}

static bool begins_name(char c) {
    return g_ascii_isalpha(c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

// True if the token in front of the one looked at can end an object.
static bool is_behind_name(const struct checker *c) {
    guint last = c->at - 1;
    return is_symbol(c, last, "name") || is_word(c, last, "min") || is_word(c, last, "max");
}

// A text as a message can show it, to be freed.
static char *show(const char *begin, size_t length) {
    enum { LONGEST = 40 };
    GString *text = g_string_new_len(begin, (gssize)MIN(length, LONGEST));
    for (gsize i = 0; i < text->len; i++) {
        if (g_ascii_iscntrl(text->str[i]))
            text->str[i] = '?';
    }
    g_string_append(text, length > LONGEST ? "..." : "");
    char *valid = g_utf8_make_valid(text->str, (gssize)text->len);
    g_string_free(text, TRUE);
    return valid;
}

static char *show_token(const struct checker *c, struct gcl_pragma_token token) {
    return show(c->text + token.begin, token.end - token.begin);
}

// "a.b", the object whose last name is in front of the token looked at; to be freed.
static char *object_before(const struct checker *c) {
    g_autoptr(GString) name = g_string_new(NULL);
    guint first = c->at - 1;
    while (first >= 2 && is_word(c, first - 1, ".") && is_symbol(c, first - 2, "name"))
        first -= 2;
    for (guint i = first; i < c->at; i++)
        g_string_append_len(name, c->text + token_at(c, i)->begin,
                            token_at(c, i)->end - token_at(c, i)->begin);
    return g_utf8_make_valid(name->str, (gssize)name->len);
}

// Mistakes.

static void fail(struct checker *c, struct gcl_pragma_token where, const char *help,
                 const char *format, ...) G_GNUC_PRINTF(4, 5);

static void fail(struct checker *c, struct gcl_pragma_token where, const char *help,
                 const char *format, ...) {
    if (c->failed)
        return;
    va_list arguments;
    va_start(arguments, format);
    c->mistake->error = (struct gcl_pragma_error){
        .begin = where.begin,
        .end = MAX(where.end, where.begin + 1),
        .message = g_strdup_vprintf(format, arguments),
        .help = g_strdup(help),
    };
    va_end(arguments);
    c->failed = true;
}

static void fail_expected(struct checker *c, const char *what, const char *help) {
    g_autofree char *last = show_token(c, *token_at(c, c->at - 1));
    fail(c, this_token(c), help, "expected %s after '%s'", what, last);
}

// A node of which token `last` is the last.
static void add_node(struct checker *c, guint last) {
    if (c->nodes++ == GCL_PRAGMA_NODES_MAX)
        fail(c, *token_at(c, last), "say it with fewer operations", "expression is too long");
}

static void fail_unknown_clause(struct checker *c) {
    static const char clauses[] =
        "clauses are split, single, reads, writes, reduces, replicate and disjoint";
    struct gcl_pragma_token token = this_token(c);
    bool is_name = c->at < c->tokens->len && begins_name(c->text[token.begin]);
    if (!is_name && c->at > 0) {
        fail_expected(c, "a clause", clauses);
        return;
    }
    if (!is_name) {
        fail(c, token, clauses,
             c->tokens->len == 0 ? "'#pragma gcluster' without a clause"
                                 : "expected a clause after 'gcluster'");
        return;
    }
    g_autofree char *word = show_token(c, token);
    g_autoptr(GPtrArray) candidates = g_ptr_array_new();
    for (size_t i = 0; i < GCL_PRAGMA_KIND_COUNT; i++)
        g_ptr_array_add(candidates, (gpointer)gcl_pragma_words_clauses[i]);
    const char *nearest = gcl_spell_nearest(word, candidates);
    g_autofree char *guess = nearest ? g_strdup_printf("did you mean '%s'?", nearest) : NULL;
    fail(c, token, guess ? guess : clauses, "'%s' is not a clause of '#pragma gcluster'", word);
}

// What C has and pragmas haven't, behind an object in an expression.
static void fail_after_object(struct checker *c) {
    g_autofree char *object = object_before(c);
    if (is_word(c, c->at, "["))
        fail(c, this_token(c), "name a range that holds all of them; it may be larger than needed",
             "'%s[...]' would be read from memory, which an expression can't", object);
    else if (is_word(c, c->at, "("))
        fail(c, this_token(c), "there are only min(a, b) and max(a, b)",
             "'%s' can't be called in a pragma", object);
    else if (is_word(c, c->at, "->"))
        fail(c, this_token(c), "only fields of a struct passed by value are known at launch",
             "'%s' is followed by a field in memory", object);
}

static void fail_range(struct checker *c) {
    g_autofree char *object = object_before(c);
    g_autofree char *help = g_strdup_printf("say which elements: %s[first : count]", object);
    fail_expected(c, "'['", help);
}

// The automaton can't go on with the token looked at: what it would take says what lacks.
static void fail_unexpected(struct checker *c) {
    static const char *const signs[] = {"]", ")", ":", ",", "(", "."};
    if (takes(c, gcl_pragma_words_clauses[0])) {
        fail_unknown_clause(c);
    } else if (takes(c, "x")) {
        fail_expected(c, "'x', 'y' or 'z'", NULL);
    } else if (takes_name(c, "number")) {
        fail_expected(c, "a value", NULL);
    } else if (takes(c, "min") && takes(c, "^")) {
        fail_expected(c, "'+', '&', '|', '^', 'min' or 'max'", "write reduces(+: sum)");
    } else if (takes_name(c, "name")) {
        fail_expected(
            c, is_word(c, c->at - 1, ".") ? "the name of a field" : "the name of a parameter",
            NULL);
    } else if (takes(c, "[")) {
        fail_range(c);
    } else {
        if (c->at < c->tokens->len && takes(c, "*") && is_behind_name(c))
            fail_after_object(c);
        for (size_t i = 0; i < G_N_ELEMENTS(signs) && !c->failed; i++) {
            g_autofree char *what = g_strdup_printf("'%s'", signs[i]);
            if (takes(c, signs[i]))
                fail_expected(c, what, NULL);
        }
    }
    g_assert(c->failed);
}

static void check_number(struct checker *c, struct gcl_pragma_token token) {
    g_autofree char *shown = show_token(c, token);
    int64_t value;
    bool large;
    if (!gcl_pragma_words_number(c->text, token.begin, token.end, &value, &large))
        fail(c, token, large ? "the largest number is 9223372036854775807" : NULL,
             large ? "'%s' is too large" : "'%s' is not an integer", shown);
}

// How many operations and parentheses the operand that comes next is inside: what is left open on
// the stack.
static unsigned depth(const struct checker *c) {
    unsigned result = 2;
    for (guint i = c->stack->len - 1; i > 0 && !is_named(c, i, "["); i--) {
        if (is_named(c, i, "("))
            result += 2;
        else if (is_named(c, i, "?") || is_named(c, i, "~") || is_named(c, i, "!"))
            result++;
        else if ((is_named(c, i, "-") || is_named(c, i, "+")) &&
                 entry_at(c->stack, i - 1)->symbol < c->language->token_count)
            result++;
    }
    return result;
}

// In front of an operand.
static void check_operand(struct checker *c) {
    static const char *const types[] = {"int",  "unsigned", "long",   "short",  "char",
                                        "bool", "float",    "double", "size_t", "signed"};
    guint open = c->stack->len - 1;
    bool parenthesis =
        is_named(c, open, "(") && !is_named(c, open - 1, "min") && !is_named(c, open - 1, "max");
    for (size_t i = 0; parenthesis && c->at < c->tokens->len && i < G_N_ELEMENTS(types); i++) {
        if (is_word(c, c->at, types[i]))
            fail(c, this_token(c), "leave it out: all arithmetic is on signed integers of 64 bits",
                 "conversion to '%s' in a pragma", types[i]);
    }
    if (depth(c) > GCL_PRAGMA_DEPTH)
        fail(c, this_token(c), "say it with fewer parentheses", "expression is nested too deep");
}

// A word is a keyword where the grammar takes one; where libtree-sitter mends, it doesn't know.
static void settle_word(struct checker *c) {
    struct gcl_pragma_token *token = &g_array_index(c->tokens, struct gcl_pragma_token, c->at);
    if (!begins_name(c->text[token->begin]))
        return;
    token->symbol = ts_language_symbol_for_name(c->language, c->text + token->begin,
                                                token->end - token->begin, false);
    if (token->symbol == 0 || !takes_symbol(c, token->symbol))
        token->symbol = symbol_of(c->language, "name", true);
}

static void check_end(struct checker *c) {
    if (c->cut)
        fail(c, this_token(c), "write several pragmas", "pragma is longer than %d bytes",
             GCL_PRAGMA_SIZE_MAX);
    else if (!take(c->language, c->stack, END_SYMBOL, c))
        fail_unexpected(c);
}

// Goes on by one token, or fails.
static void check_token(struct checker *c) {
    bool at_end = c->at == c->tokens->len;
    if (!at_end)
        settle_word(c);
    struct gcl_pragma_token token = this_token(c);
    if (takes_name(c, "number"))
        check_operand(c);
    if (c->failed)
        return;
    if (at_end) {
        check_end(c);
        return;
    }
    if (!take(c->language, c->stack, token.symbol, c))
        fail_unexpected(c);
    if (c->failed)
        return;
    if (is_symbol(c, c->at, "number")) {
        check_number(c, token);
        add_node(c, c->at);
    } else if (is_word(c, c->at, "[")) {
        c->nodes = 0;
    }
}

// True if the object in front of the token looked at isn't all of it.
static bool goes_on(const struct checker *c) {
    return c->at < c->tokens->len && is_word(c, c->at, ".") && takes(c, ".");
}

// Notes how much of what has been read is whole, and where the clause begins.
static void note_place(struct checker *c) {
    struct gcl_pragma_mistake *mistake = c->mistake;
    if (takes(c, gcl_pragma_words_clauses[0])) {
        mistake->clause = c->at;
        if (c->at > 0 && takes_symbol(c, END_SYMBOL)) {
            mistake->kept = c->at;
            mistake->open = false;
        }
    } else if ((!is_in_range(c) || is_named(c, c->stack->len - 1, "]")) && takes(c, ")") &&
               takes(c, ",") && !goes_on(c)) {
        mistake->kept = c->at;
        mistake->open = true;
    }
}

bool gcl_pragma_mistake_find(const char *text, uint32_t begin, GArray *tokens, bool cut,
                             struct gcl_pragma_mistake *mistake) {
    struct gcl_pragma_mistake found = {.clause = 0};
    struct checker checker = {
        .language = tree_sitter_gcluster_pragma(),
        .text = text,
        .begin = begin,
        .tokens = tokens,
        .cut = cut,
        .stack = g_array_new(FALSE, FALSE, sizeof(struct entry)),
        .mistake = &found,
    };
    const struct entry start = {.state = START_STATE, .symbol = NO_SYMBOL};
    g_array_append_val(checker.stack, start);
    for (; checker.at <= tokens->len && !checker.failed; checker.at++) {
        note_place(&checker);
        check_token(&checker);
    }
    g_array_unref(checker.stack);
    if (checker.failed)
        *mistake = found;
    return checker.failed;
}
