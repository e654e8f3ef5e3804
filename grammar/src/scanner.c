// What a table-driven lexer can't tell: raw strings, and preprocessor lines that stand where no
// item of the grammar can.
//
// A conditional is part of the tree (preproc_if and kin) if each of its branches is a list of whole
// items. That is decided at `#if` by looking ahead to its `#endif`: brackets have to be balanced
// and the text has to end as an item does. Otherwise the branch that comes first is read as if the
// others weren't there: directives are preproc_line and the other branches preproc_inactive, which
// may stand anywhere, as comments may. What stands under `#if 0` is preproc_inactive, too.
//
// And macros that only a preprocessor could read: `CHECK(cudaFree(p))` without a semicolon,
// `TEST(a, b) {`, `HOST_DEVICE int f()`, `UNROLL for (…)`. They are told by what follows them, and
// those without parentheses by their capitals, too.
#include "macros.h"

#include <stdlib.h>
#include <string.h>

enum {
    DELIMITER_MAX = 16, // C++'s limit
    LEVELS_MAX = 120,
    NESTED_MAX = 16,
};

// What a conditional that isn't closed yet is.
enum level {
    LEVEL_TREE = 't',  // part of the tree
    LEVEL_TAKEN = 'f', // lines; this branch is read, others won't be
    LEVEL_DEAD = 'd',  // lines; no branch has been read yet
};

struct scanner {
    uint8_t line_left; // 1 if the rest of a line is to be told
    uint8_t delimiter_length;
    uint8_t level_count;
    uint8_t levels[LEVELS_MAX];
    int32_t delimiter[DELIMITER_MAX];
};

// Raw strings: R"delimiter(content)delimiter".

static bool scan_delimiter(struct scanner *scanner, TSLexer *lexer) {
    if (scanner->delimiter_length > 0) {
        // The content has ended because these characters follow.
        for (uint8_t i = 0; i < scanner->delimiter_length; i++) {
            if (lexer->lookahead != scanner->delimiter[i])
                return false;
            step(lexer);
        }
        scanner->delimiter_length = 0;
        return true;
    }
    uint8_t length = 0;
    while (lexer->lookahead != '(') {
        int32_t c = lexer->lookahead;
        if (lexer->eof(lexer) || length == DELIMITER_MAX || is_blank(c) || is_line_end(c) ||
            c == ')' || c == '\\' || c == '"')
            return false;
        scanner->delimiter[length++] = c;
        step(lexer);
    }
    scanner->delimiter_length = length;
    return length > 0;
}

// Reads a raw string's content, up to the `)` of its closing delimiter or to the end of the file.
static bool scan_content(const struct scanner *scanner, TSLexer *lexer) {
    for (;;) {
        lexer->mark_end(lexer);
        if (lexer->eof(lexer))
            return true;
        if (lexer->lookahead != ')') {
            step(lexer);
            continue;
        }
        step(lexer);
        uint8_t i = 0;
        while (i < scanner->delimiter_length && lexer->lookahead == scanner->delimiter[i]) {
            step(lexer);
            i++;
        }
        if (i == scanner->delimiter_length && lexer->lookahead == '"')
            return true;
    }
}

// Lines.

// Steps to the line's end, over continuations and block comments.
static void skip_line(TSLexer *lexer) {
    int32_t last = 0;
    while (!lexer->eof(lexer) && !is_line_end(lexer->lookahead)) {
        int32_t c = lexer->lookahead;
        step(lexer);
        if (c == '\\' && is_line_end(lexer->lookahead)) {
            bool carriage = lexer->lookahead == '\r';
            step(lexer);
            if (carriage && lexer->lookahead == '\n')
                step(lexer);
        } else if (c == '*' && last == '/') {
            for (last = 0; !lexer->eof(lexer) && !(last == '*' && lexer->lookahead == '/');) {
                last = lexer->lookahead;
                step(lexer);
            }
        } else if (c == '/' && last == '/') {
            while (!lexer->eof(lexer) && !is_line_end(lexer->lookahead)) {
                c = lexer->lookahead;
                step(lexer);
                if (c == '\\' && lexer->lookahead == '\r')
                    step(lexer);
                if (c == '\\' && lexer->lookahead == '\n')
                    step(lexer);
            }
        }
        last = c;
    }
}

static void skip_blanks(TSLexer *lexer) {
    while (is_blank(lexer->lookahead))
        step(lexer);
}

// The token of the directive at `#`, which is LINE for any that isn't about a condition.
static enum token read_directive(TSLexer *lexer) {
    static const struct {
        char word[9];
        uint8_t token;
    } words[] = {{"if", IF},     {"ifdef", IFDEF},     {"ifndef", IFNDEF},
                 {"elif", ELIF}, {"elifdef", ELIFDEF}, {"elifndef", ELIFNDEF},
                 {"else", ELSE}, {"endif", ENDIF}};
    char word[10] = "";
    size_t length = 0;
    step(lexer);
    skip_blanks(lexer);
    while (is_word(lexer->lookahead)) {
        if (length < sizeof word - 1)
            word[length++] = (char)(lexer->lookahead < 0x80 ? lexer->lookahead : '?');
        step(lexer);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(word, words[i].word) == 0)
            return (enum token)words[i].token;
    }
    return LINE;
}

static bool opens(enum token token) {
    return token == IF || token == IFDEF || token == IFNDEF;
}

static bool is_alternative(enum token token) {
    return token == ELIF || token == ELIFDEF || token == ELIFNDEF || token == ELSE;
}

// Marks the end of a token that goes on to the conditional's next alternative, or to its `#endif`
// if it has to be `last`.
static void skip_branches(TSLexer *lexer, bool last) {
    unsigned depth = 0;
    skip_line(lexer);
    lexer->mark_end(lexer);
    while (!lexer->eof(lexer)) {
        while (is_blank(lexer->lookahead) || is_line_end(lexer->lookahead))
            step(lexer);
        if (lexer->lookahead == '#') {
            enum token token = read_directive(lexer);
            if (depth == 0 && (token == ENDIF || (is_alternative(token) && !last)))
                return;
            depth += opens(token);
            depth -= token == ENDIF;
        }
        skip_line(lexer);
        lexer->mark_end(lexer);
    }
}

// Looking ahead.

// Counts a bracket. False if it closes one that this branch hasn't opened.
static bool count_bracket(struct brackets *open, int32_t c) {
    open->round += (c == '(') - (c == ')');
    open->square += (c == '[') - (c == ']');
    open->curly += (c == '{') - (c == '}');
    return open->round >= 0 && open->square >= 0 && open->curly >= 0;
}

// Whether a character can't begin an item.
static bool continues_item(int32_t c) {
    return c != 0 && strchr("{)]},?=/.|&<>\"", c) != NULL;
}

static bool ends_item(const struct view *view) {
    const struct brackets *open = &view->open;
    return open->round == 0 && open->square == 0 && open->curly == 0 &&
           (view->last == 0 || view->last == ';' || view->last == '}' || view->last == ':');
}

// Looks at one word or other character of a branch. False if the branch can't be whole items: its
// first word is `else`, say.
static bool look_at_text(struct view *view) {
    TSLexer *lexer = view->lexer;
    int32_t c = lexer->lookahead;
    bool first = view->last == 0;
    if (is_word(c)) {
        char word[6] = "";
        size_t length = 0;
        while (is_word(lexer->lookahead)) {
            if (length < sizeof word - 1)
                word[length] = (char)lexer->lookahead;
            length++;
            if (!look(view))
                break;
        }
        view->last = 'a';
        return !(first && ((length == 4 && memcmp(word, "else", 4) == 0) ||
                           (length == 5 && memcmp(word, "catch", 5) == 0)));
    }
    look(view);
    if (c == '/' && look_over_comment(view))
        return true;
    view->last = c;
    if (c == '"' || c == '\'')
        look_over_quoted(view, c);
    return count_bracket(&view->open, c) && !(first && continues_item(c));
}

// True if all branches of the conditional, whose first line the lexer is on, are whole items.
static bool has_whole_items(TSLexer *lexer) {
    struct view view = {.lexer = lexer, .left = LOOK_AHEAD};
    struct brackets outer[NESTED_MAX];
    unsigned nested = 0;
    look_over_line(&view);
    while (view.left > 0 && !lexer->eof(lexer)) {
        bool line_start = false;
        while (is_blank(lexer->lookahead) || is_line_end(lexer->lookahead)) {
            line_start |= is_line_end(lexer->lookahead);
            if (!look(&view))
                return true;
        }
        if (lexer->lookahead != '#' || !line_start) {
            if (!lexer->eof(lexer) && !look_at_text(&view))
                return false;
            continue;
        }
        enum token token = read_directive(lexer);
        if (nested == 0 && (token == ENDIF || is_alternative(token))) {
            if (!ends_item(&view))
                return false;
            if (token == ENDIF)
                return true;
            view.last = 0;
        } else if (opens(token)) {
            if (nested == NESTED_MAX)
                return true;
            outer[nested++] = view.open;
        } else if (is_alternative(token)) {
            view.open = outer[nested - 1];
        } else if (token == ENDIF) {
            nested--;
        }
        look_over_line(&view);
    }
    return true;
}

// Directives.

// Whether what follows `#if` is 0 alone, or with a comment, at which the lexer is left.
static bool is_never(TSLexer *lexer) {
    skip_blanks(lexer);
    if (lexer->lookahead != '0')
        return false;
    step(lexer);
    skip_blanks(lexer);
    if (lexer->lookahead == '/')
        skip_line(lexer);
    return lexer->eof(lexer) || is_line_end(lexer->lookahead);
}

static void push(struct scanner *scanner, enum level level) {
    if (scanner->level_count < LEVELS_MAX)
        scanner->levels[scanner->level_count++] = (uint8_t)level;
}

static bool scan_opening(struct scanner *scanner, TSLexer *lexer, bool in_list, enum token token) {
    bool never = token == IF && is_never(lexer);
    skip_blanks(lexer);
    bool bare = lexer->eof(lexer) || is_line_end(lexer->lookahead);
    if (never && bare) {
        push(scanner, LEVEL_DEAD);
        skip_branches(lexer, false);
        return found(lexer, INACTIVE);
    }
    bool whole = in_list && has_whole_items(lexer);
    push(scanner, whole ? LEVEL_TREE : LEVEL_TAKEN);
    scanner->line_left = !whole && !bare;
    return found(lexer, whole ? token : LINE);
}

static bool scan_line(TSLexer *lexer) {
    skip_line(lexer);
    lexer->mark_end(lexer);
    return found(lexer, LINE);
}

// Scans a directive; the lexer is at its `#`.
static bool scan_directive(struct scanner *scanner, TSLexer *lexer, const bool *valid,
                           bool recovers) {
    enum token token = read_directive(lexer);
    uint8_t *level = scanner->level_count ? &scanner->levels[scanner->level_count - 1] : NULL;
    bool in_list = valid[IF] && !recovers;
    lexer->mark_end(lexer);
    if (opens(token))
        return scan_opening(scanner, lexer, in_list, token);
    if (token == LINE)
        return (recovers || !valid[DIRECTIVE]) && scan_line(lexer);
    if (!level)
        return scan_line(lexer);
    if (token == ENDIF)
        scanner->level_count--;
    if (*level == LEVEL_TREE && valid[token])
        return found(lexer, token);
    if (token == ENDIF)
        return scan_line(lexer);
    if (*level == LEVEL_DEAD) {
        *level = LEVEL_TAKEN;
        return scan_line(lexer);
    }
    *level = LEVEL_TAKEN;
    skip_branches(lexer, true);
    return found(lexer, INACTIVE);
}

static bool scan_line_end(TSLexer *lexer) {
    if (lexer->lookahead == '\r')
        step(lexer);
    if (lexer->lookahead == '\n')
        step(lexer);
    lexer->mark_end(lexer);
    return found(lexer, LINE_END);
}

static bool scan(struct scanner *scanner, TSLexer *lexer, const bool *valid) {
    // The parser asks for anything when it recovers from an error.
    bool recovers = valid[RAW_STRING_DELIMITER] && valid[RAW_STRING_CONTENT];
    bool line_start = false;
    uint32_t blanks = 0;
    if (valid[RAW_STRING_DELIMITER] && !recovers) {
        lexer->result_symbol = RAW_STRING_DELIMITER;
        return scan_delimiter(scanner, lexer);
    }
    if (valid[RAW_STRING_CONTENT] && !recovers) {
        lexer->result_symbol = RAW_STRING_CONTENT;
        return scan_content(scanner, lexer);
    }
    if (scanner->line_left) {
        scanner->line_left = 0;
        while (is_blank(lexer->lookahead))
            lexer->advance(lexer, true);
        return scan_line(lexer);
    }
    for (;; blanks++) {
        bool at_end = lexer->eof(lexer) || is_line_end(lexer->lookahead);
        if (at_end && valid[LINE_END] && !recovers)
            return scan_line_end(lexer);
        if (!is_blank(lexer->lookahead) && !is_line_end(lexer->lookahead))
            break;
        line_start |= is_line_end(lexer->lookahead);
        lexer->advance(lexer, true);
    }
    bool takes_macro = valid[MACRO_CALL] || valid[MACRO_QUALIFIER] ||
                       valid[MACRO_QUALIFIER_BEHIND] || valid[MACRO_QUALIFIER_LAMBDA] ||
                       valid[MACRO_QUALIFIER_CLASS] || valid[MACRO_BEHIND_PARAMETER] ||
                       valid[MACRO_PARAMETER] || valid[MACRO_EXTERN] || valid[STATEMENTS_BEGIN];
    if (is_letter(lexer->lookahead) && takes_macro && !recovers)
        return scan_macro(lexer, valid);
    if (lexer->lookahead == '(' && valid[STATEMENTS_OPEN] && !recovers)
        return scan_statements_open(lexer);
    if (lexer->lookahead != '#' || !(line_start || lexer->get_column(lexer) == blanks))
        return false;
    return scan_directive(scanner, lexer, valid, recovers);
}

// The parser's side.

void *tree_sitter_cuda_external_scanner_create(void);
void tree_sitter_cuda_external_scanner_destroy(void *payload);
unsigned tree_sitter_cuda_external_scanner_serialize(void *payload, char *buffer);
void tree_sitter_cuda_external_scanner_deserialize(void *payload, const char *buffer,
                                                   unsigned length);
bool tree_sitter_cuda_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid);

_Static_assert(sizeof(struct scanner) <= TREE_SITTER_SERIALIZATION_BUFFER_SIZE,
               "the state doesn't fit");

void *tree_sitter_cuda_external_scanner_create(void) {
    return calloc(1, sizeof(struct scanner));
}

void tree_sitter_cuda_external_scanner_destroy(void *payload) {
    free(payload);
}

// The scanner's state is kept with each token, so it has few bytes: none most of the time,
// otherwise the three counts and what they count.
unsigned tree_sitter_cuda_external_scanner_serialize(void *payload, char *buffer) {
    const struct scanner *scanner = payload;
    const uint8_t counts[] = {scanner->line_left, scanner->delimiter_length, scanner->level_count};
    size_t letters = scanner->delimiter_length * sizeof *scanner->delimiter;
    if (!counts[0] && !counts[1] && !counts[2])
        return 0;
    memcpy(buffer, counts, sizeof counts);
    buffer += sizeof counts;
    memcpy(buffer, scanner->levels, scanner->level_count);
    memcpy(buffer + scanner->level_count, scanner->delimiter, letters);
    return (unsigned)(sizeof counts + scanner->level_count + letters);
}

void tree_sitter_cuda_external_scanner_deserialize(void *payload, const char *buffer,
                                                   unsigned length) {
    struct scanner *scanner = payload;
    memset(scanner, 0, sizeof *scanner);
    if (length == 0)
        return;
    scanner->line_left = (uint8_t)buffer[0];
    scanner->delimiter_length = (uint8_t)buffer[1];
    scanner->level_count = (uint8_t)buffer[2];
    buffer += 3;
    memcpy(scanner->levels, buffer, scanner->level_count);
    memcpy(scanner->delimiter, buffer + scanner->level_count,
           scanner->delimiter_length * sizeof *scanner->delimiter);
}

bool tree_sitter_cuda_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
    return scan(payload, lexer, valid);
}
