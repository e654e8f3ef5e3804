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
#include "tree_sitter/parser.h"

#include <stdlib.h>
#include <string.h>

// In the order of `externals` in grammar.js.
enum token {
    RAW_STRING_DELIMITER,
    RAW_STRING_CONTENT,
    LINE_END,
    IF,
    IFDEF,
    IFNDEF,
    ELIF,
    ELIFDEF,
    ELIFNDEF,
    ELSE,
    ENDIF,
    LINE,
    INACTIVE,
    DIRECTIVE,       // any other, where the grammar has a place for it
    MACRO_CALL,      // of a statement without semicolon
    MACRO_HEAD,      // likewise in front of a body
    MACRO_QUALIFIER, // in front of a type
    MACRO_QUALIFIER_BEHIND,
    MACRO_QUALIFIER_CALL, // with arguments
    MACRO_QUALIFIER_LAMBDA,
    MACRO_QUALIFIER_CLASS, // behind `class` and kin, perhaps with arguments
    MACRO,                 // alone
};

enum {
    DELIMITER_MAX = 16, // C++'s limit
    LEVELS_MAX = 120,
    NESTED_MAX = 16,
    LOOK_AHEAD = 16384, // bytes: what a keystroke may cost
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

static void step(TSLexer *lexer) {
    lexer->advance(lexer, false);
}

static bool is_blank(int32_t c) {
    return c == ' ' || c == '\t' || c == '\f' || c == '\v';
}

static bool is_line_end(int32_t c) {
    return c == '\n' || c == '\r';
}

static bool is_letter(int32_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

static bool is_word(int32_t c) {
    return is_letter(c) || (c >= '0' && c <= '9');
}

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

// Up to the `)` of the closing delimiter, or to the end of the file.
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

// To the line's end, beyond continuations and block comments.
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

struct brackets {
    int32_t round, square, curly;
};

struct view {
    TSLexer *lexer;
    uint32_t left; // characters that may still be looked at
    struct brackets open;
    int32_t last; // the last character that isn't space or comment, 0 if the branch has none yet
};

static bool look(struct view *view) {
    if (view->left == 0 || view->lexer->eof(view->lexer))
        return false;
    view->left--;
    step(view->lexer);
    return true;
}

static void look_over_quoted(struct view *view, int32_t quote) {
    TSLexer *lexer = view->lexer;
    while (lexer->lookahead != quote && !is_line_end(lexer->lookahead)) {
        if (lexer->lookahead == '\\' && !look(view))
            return;
        if (!look(view))
            return;
    }
    if (lexer->lookahead == quote)
        look(view);
}

static void look_over_line(struct view *view) {
    int32_t last = 0;
    while (!(is_line_end(view->lexer->lookahead) && last != '\\')) {
        // A line that ends with `\` and two characters goes on, too.
        if (view->lexer->lookahead != '\r')
            last = view->lexer->lookahead;
        if (!look(view))
            return;
    }
}

// Behind a `/`; false if no comment begins there.
static bool look_over_comment(struct view *view) {
    int32_t last = 0;
    if (view->lexer->lookahead == '/')
        look_over_line(view);
    else if (view->lexer->lookahead != '*')
        return false;
    else if (look(view)) {
        while (!(last == '*' && view->lexer->lookahead == '/')) {
            last = view->lexer->lookahead;
            if (!look(view))
                return true;
        }
        look(view);
    }
    return true;
}

// A bracket closes that this branch hasn't opened.
static bool count_bracket(struct brackets *open, int32_t c) {
    open->round += (c == '(') - (c == ')');
    open->square += (c == '[') - (c == ']');
    open->curly += (c == '{') - (c == '}');
    return open->round >= 0 && open->square >= 0 && open->curly >= 0;
}

// An item can't begin with it.
static bool continues_item(int32_t c) {
    return c != 0 && strchr("{)]},?=/.|&<>\"", c) != NULL;
}

static bool ends_item(const struct view *view) {
    const struct brackets *open = &view->open;
    return open->round == 0 && open->square == 0 && open->curly == 0 &&
           (view->last == 0 || view->last == ';' || view->last == '}' || view->last == ':');
}

// One word, of which the first of a branch can't be `else`, or one other character.
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

static bool found(TSLexer *lexer, enum token token) {
    lexer->result_symbol = (TSSymbol)token;
    return true;
}

// Macros.

struct word {
    char text[16]; // cut
    char end[8];   // its last letters
    size_t length;
    bool capitals; // two of them at least, and no small letter
};

static struct word read_word(struct view *view) {
    struct word word = {.capitals = true};
    unsigned letters = 0;
    while (is_word(view->lexer->lookahead)) {
        int32_t c = view->lexer->lookahead;
        if (word.length < sizeof word.text - 1)
            word.text[word.length] = (char)(c < 0x80 ? c : '?');
        memmove(word.end, word.end + 1, sizeof word.end - 1);
        word.end[sizeof word.end - 1] = (char)(c < 0x80 ? c : '?');
        word.length++;
        letters += c >= 'A' && c <= 'Z';
        word.capitals &= !(c >= 'a' && c <= 'z') && c < 0x80;
        if (!look(view))
            break;
    }
    word.capitals &= letters >= 2;
    return word;
}

// `list` has blanks around each word.
static bool is_one_of(const struct word *word, const char *list) {
    char key[sizeof word->text + 2] = " ";
    if (word->length >= sizeof word->text)
        return false;
    memcpy(key + 1, word->text, word->length);
    memcpy(key + 1 + word->length, " ", 2);
    return strstr(list, key) != NULL;
}

// Over space and comments; true if a line ends there.
static bool look_over_space(struct view *view) {
    TSLexer *lexer = view->lexer;
    bool line = false;
    for (;;) {
        if (lexer->lookahead == '/') {
            if (!look(view) || !look_over_comment(view))
                return line;
        } else if (is_blank(lexer->lookahead) || is_line_end(lexer->lookahead)) {
            line |= is_line_end(lexer->lookahead);
            if (!look(view))
                return line;
        } else {
            return line;
        }
    }
}

// From behind an opening bracket behind the closing one; angle brackets end with a statement.
static bool look_over_brackets(struct view *view, int32_t open, int32_t close) {
    TSLexer *lexer = view->lexer;
    unsigned depth = 1;
    while (depth > 0) {
        int32_t c = lexer->lookahead;
        if (!look(view) || (open == '<' && (c == ';' || c == '{')))
            return false;
        if (c == '"' || c == '\'')
            look_over_quoted(view, c);
        else if (c == '/')
            look_over_comment(view);
        depth += c == open;
        depth -= c == close;
    }
    return true;
}

enum meaning { MEANS_TYPE, MEANS_QUALIFIER, MEANS_NOTHING };

// Of `NAME word(`, behind the bracket: initializers follow the parameters of a constructor, and a
// type follows a word that is a macro itself.
static enum meaning look_behind_parameters(struct view *view) {
    TSLexer *lexer = view->lexer;
    if (!look_over_brackets(view, '(', ')'))
        return MEANS_TYPE;
    look_over_space(view);
    if (is_letter(lexer->lookahead)) {
        struct word word = read_word(view);
        look_over_space(view);
        if (!is_one_of(&word, " noexcept const volatile override final try requires throw and or "))
            return MEANS_QUALIFIER;
        if (!is_one_of(&word, " noexcept "))
            return MEANS_TYPE;
    }
    if (lexer->lookahead != ':' || !look(view))
        return MEANS_TYPE;
    return lexer->lookahead == ':' ? MEANS_TYPE : MEANS_QUALIFIER;
}

// At what follows `NAME word` or `NAME word(…)`: a qualifier stands in front of a type and a name,
// or of a constructor with initializers, and nothing a word can't be a type for.
static enum meaning look_behind_word(struct view *view) {
    for (;;) {
        look_over_space(view);
        int32_t c = view->lexer->lookahead;
        if (is_letter(c) || c == '~')
            return MEANS_QUALIFIER;
        if (c != '(' && c != '<' && c != ':' && c != '*' && c != '&' && c != '.' && c != '-')
            return MEANS_TYPE;
        if (c == '.' || c == '-' || !look(view))
            return MEANS_NOTHING;
        if (c == '(')
            return look_behind_parameters(view);
        if (c == '<') {
            if (view->lexer->lookahead == '<')
                return MEANS_NOTHING; // a launch
            if (!look_over_brackets(view, '<', '>'))
                return MEANS_TYPE;
        } else if (c == ':') {
            if (view->lexer->lookahead != ':' || !look(view))
                return MEANS_TYPE;
            read_word(view);
        }
    }
}

// At the word behind one in capitals, which may be a type.
static enum meaning look_for_meaning(struct view *view, struct word word) {
    while (is_one_of(&word, " const volatile __global__ __device__ __host__ __shared__ "
                            "__constant__ __managed__ ")) {
        look_over_space(view);
        if (view->lexer->lookahead == ':')
            return MEANS_QUALIFIER;
        if (!is_letter(view->lexer->lookahead))
            return MEANS_TYPE;
        word = read_word(view);
    }
    if (is_one_of(&word, " inline static constexpr virtual explicit extern struct class enum union "
                         "void int float double bool char unsigned signed short long auto typename "
                         "size_t __inline__ __forceinline__ friend "
                         "__attribute__ __align__ alignas "))
        return MEANS_QUALIFIER;
    if (is_one_of(&word, " operator ")) { // only one that converts has no type in front of it
        look_over_space(view);
        return is_letter(view->lexer->lookahead) ? MEANS_QUALIFIER : MEANS_TYPE;
    }
    if (is_one_of(&word, " __restrict__ __restrict "))
        return MEANS_TYPE;
    return look_behind_word(view);
}

// Behind `NAME(…)`.
static bool scan_macro_call(struct view *view, const bool *valid, const struct word *name) {
    TSLexer *lexer = view->lexer;
    if ((name->text[0] == '_' && name->text[1] == '_') ||
        is_one_of(name, " if for while switch catch alignas decltype explicit requires return case "
                        "throw delete operator noexcept typeof else do asm sizeof typeid new goto "
                        "template int float double bool char void unsigned _Alignas _Pragma ") ||
        !look(view))
        return false;
    bool is_empty = lexer->lookahead == ')';
    struct word first = read_word(view);
    if (!look_over_brackets(view, '(', ')'))
        return false;
    bool declares = is_one_of(&first, " class typename ") ||
                    memcmp(name->end, "TEMPLATE", sizeof name->end) == 0 ||
                    memcmp(name->end, "REQUIRES", sizeof name->end) == 0;
    if (name->capitals && declares && valid[MACRO_CALL]) {
        lexer->mark_end(lexer); // of what no call can have as arguments
        return found(lexer, MACRO);
    }
    bool line = look_over_space(view);
    int32_t c = lexer->lookahead;
    if (c == '{')
        return name->capitals && valid[MACRO_HEAD] && found(lexer, MACRO_HEAD);
    if (is_letter(c)) {
        struct word next = read_word(view);
        if (is_one_of(&next, " try ") && name->capitals)
            return is_empty ? valid[MACRO_CALL] && found(lexer, MACRO_CALL)
                            : valid[MACRO_HEAD] && found(lexer, MACRO_HEAD);
        if (is_one_of(&next, " noexcept override final throw try requires and or xor bitand bitor "
                             "not_eq "))
            return false;
        if (valid[MACRO_CALL])
            return found(lexer, MACRO_CALL);
        return name->capitals && valid[MACRO_QUALIFIER_CALL] && found(lexer, MACRO_QUALIFIER_CALL);
    }
    bool ends = line && (c == '}' || c == '#' || c == '~');
    return (ends || lexer->eof(lexer)) && valid[MACRO_CALL] && found(lexer, MACRO_CALL);
}

// Behind a word that follows `class` or its kin: whether the class's name comes only then.
static bool is_macro_of_class(struct view *view) {
    TSLexer *lexer = view->lexer;
    bool is_call = lexer->lookahead == '(';
    if (is_call && (!look(view) || !look_over_brackets(view, '(', ')')))
        return false;
    look_over_space(view);
    if (is_call || !is_letter(lexer->lookahead))
        return is_call && is_letter(lexer->lookahead);
    struct word name = read_word(view);
    look_over_space(view);
    if (lexer->lookahead == '<' && look(view) && look_over_brackets(view, '<', '>'))
        look_over_space(view);
    int32_t c = lexer->lookahead;
    return !is_one_of(&name, " final ") && (c == '{' || c == ':' || is_letter(c));
}

// Of `NAME` on a line of its own, at the word behind it: a macro if an item begins there, perhaps
// after other lines of that kind, and a qualifier in front of two names.
static enum meaning look_behind_line(struct view *view, struct word next) {
    for (bool first = true;; first = false) {
        if (is_one_of(&next, " struct class enum union template typedef using namespace "))
            return MEANS_NOTHING;
        if (!next.capitals)
            return first ? look_for_meaning(view, next) : MEANS_QUALIFIER;
        bool line = look_over_space(view);
        int32_t c = view->lexer->lookahead;
        bool ends = line && (c == '}' || c == '#' || c == '[');
        if (c == '(' || ends || view->lexer->eof(view->lexer))
            return MEANS_NOTHING;
        if (!line || !is_letter(c))
            return look_behind_word(view);
        next = read_word(view);
    }
}

static bool scan_macro(TSLexer *lexer, const bool *valid) {
    struct view view = {.lexer = lexer, .left = LOOK_AHEAD};
    struct word name = read_word(&view);
    lexer->mark_end(lexer);
    bool line = look_over_space(&view);
    int32_t c = lexer->lookahead;
    if (valid[MACRO_QUALIFIER_LAMBDA] && name.capitals)
        return found(lexer, MACRO_QUALIFIER_LAMBDA);
    if (valid[MACRO_QUALIFIER_CLASS])
        return name.capitals && is_macro_of_class(&view) && found(lexer, MACRO_QUALIFIER_CLASS);
    if (c == '(')
        return scan_macro_call(&view, valid, &name);
    if (!name.capitals)
        return false;
    if (((line && (c == '}' || c == '#' || c == '[')) || lexer->eof(lexer)) && valid[MACRO_CALL])
        return found(lexer, MACRO);
    if (c == '~')
        return valid[MACRO_QUALIFIER] && found(lexer, MACRO_QUALIFIER);
    if (!is_letter(c))
        return false;
    struct word next = read_word(&view);
    if (is_one_of(&next, " for while if do switch return template typedef using namespace "))
        return valid[MACRO_CALL] && found(lexer, MACRO);
    if (valid[MACRO_QUALIFIER_BEHIND])
        return !is_one_of(&next, " const volatile operator and or xor bitand bitor not_eq ") &&
               found(lexer, MACRO_QUALIFIER_BEHIND);
    enum meaning meaning =
        line && valid[MACRO_CALL] ? look_behind_line(&view, next) : look_for_meaning(&view, next);
    if (meaning == MEANS_NOTHING)
        return valid[MACRO_CALL] && line && found(lexer, MACRO);
    return meaning == MEANS_QUALIFIER && valid[MACRO_QUALIFIER] && found(lexer, MACRO_QUALIFIER);
}

// Directives.

// `#if 0` and nothing else but a comment, which is left.
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

// At `#`.
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
                       valid[MACRO_QUALIFIER_CLASS];
    if (is_letter(lexer->lookahead) && takes_macro && !recovers)
        return scan_macro(lexer, valid);
    if (lexer->lookahead != '#' || !(line_start || lexer->get_column(lexer) == blanks))
        return false;
    return scan_directive(scanner, lexer, valid, recovers);
}

// The parser's side.

void *tree_sitter_gcluster_external_scanner_create(void);
void tree_sitter_gcluster_external_scanner_destroy(void *payload);
unsigned tree_sitter_gcluster_external_scanner_serialize(void *payload, char *buffer);
void tree_sitter_gcluster_external_scanner_deserialize(void *payload, const char *buffer,
                                                       unsigned length);
bool tree_sitter_gcluster_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid);

_Static_assert(sizeof(struct scanner) <= TREE_SITTER_SERIALIZATION_BUFFER_SIZE,
               "the state doesn't fit");

void *tree_sitter_gcluster_external_scanner_create(void) {
    return calloc(1, sizeof(struct scanner));
}

void tree_sitter_gcluster_external_scanner_destroy(void *payload) {
    free(payload);
}

// Each token keeps these bytes, so they are few: none most of the time, otherwise the three counts
// and what they count.
unsigned tree_sitter_gcluster_external_scanner_serialize(void *payload, char *buffer) {
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

void tree_sitter_gcluster_external_scanner_deserialize(void *payload, const char *buffer,
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

bool tree_sitter_gcluster_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
    return scan(payload, lexer, valid);
}
