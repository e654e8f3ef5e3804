// Macros that only a preprocessor could read: `CHECK(cudaFree(p))` without a semicolon,
// `TEST(a, b) {`, `HOST_DEVICE int f()`, `UNROLL for (…)`. They are told by what follows them, and
// those without parentheses by their capitals, too.
#ifndef TREE_SITTER_GCLUSTER_MACROS_H
#define TREE_SITTER_GCLUSTER_MACROS_H

#include "look.h"
#include "tokens.h"

// Statements as arguments: `SWITCH(type, T, launch<T>(n);)`, `IF_DEVICE((f(); return;))`.

// Looks over one character, a string, a comment, or a bracket with what is in it; `last` becomes
// the last of these characters that is no space. False where nothing is left.
static bool look_over_piece(struct view *view, int32_t *last) {
    TSLexer *lexer = view->lexer;
    int32_t c = lexer->lookahead;
    bool separates = c == '\'' && *last >= '0' && *last <= '9';
    if (!look(view))
        return false;
    if (c == '/' && look_over_comment(view))
        return true;
    if (!is_blank(c) && !is_line_end(c))
        *last = c;
    if (c == '"' || (c == '\'' && !separates))
        look_over_quoted(view, c);
    if (c == '(' || c == '[' || c == '{')
        *last = c == '(' ? ')' : c + 2;
    return (c != '(' && c != '[' && c != '{') || look_over_brackets(view, c, *last);
}

// True if statements stand in front of the `)` that closes: the text there ends as a statement
// does, and has a `;` before the next comma, or begins with a statement's `keyword`. A text without
// the `)`, as it is while somebody writes it, is none.
static bool are_statements(struct view *view, bool keyword, bool commas) {
    bool is_sure = keyword;
    int32_t last = 'a', c = 'a';
    unsigned angles = 0;
    for (;;) {
        int32_t before = c;
        c = view->lexer->lookahead;
        if (c == ')')
            return is_sure && (last == ';' || last == '}');
        if (c == ']' || c == '}' || (c == ',' && !is_sure && !commas && angles == 0))
            return false;
        if (!look_over_piece(view, &last))
            return false;
        is_sure |= c == ';';
        // Template arguments, or a launch: `f<int, 2><<<1, n>>>(x);`.
        angles += c == '<' && (is_word(before) || before == '>' || angles > 0);
        angles -= c == '>' && angles > 0 && before != '-';
    }
}

static bool begins_statement(const struct word *word) {
    return is_one_of(word, " if for while do switch using static_assert typedef ");
}

// Scans the `(` of an argument that is statements, or nothing.
static bool scan_statements_open(TSLexer *lexer) {
    struct view view = {.lexer = lexer, .left = LOOK_AHEAD};
    look(&view);
    lexer->mark_end(lexer);
    look_over_space(&view);
    if (lexer->lookahead == ')')
        return found(lexer, STATEMENTS_OPEN);
    struct word first = read_word(&view);
    return are_statements(&view, begins_statement(&first) || is_one_of(&first, " return "), true) &&
           found(lexer, STATEMENTS_OPEN);
}

enum meaning { MEANS_TYPE, MEANS_QUALIFIER, MEANS_NOTHING };

// What `NAME` means in `NAME word(`, by what stands behind the bracket: initializers follow the
// parameters of a constructor, and a type follows a word that is a macro itself.
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

// What a word in capitals means, by the word behind it, at which the lexer is.
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

// What calls can't have as arguments: operators, declarations, numbers in a row.

struct argument {
    bool begun, operand;
    bool word; // the last thing seen is a word that stands alone
};

static bool is_opaque_word(struct view *view, struct argument *argument, bool parameters) {
    struct word word = read_word(view);
    bool joins = is_one_of(
        &word,
        " const volatile unsigned signed long short int char struct class enum union void "
        "float double bool auto typename sizeof alignof new delete return co_await and or "
        "xor not bitand bitor not_eq compl operator if else case goto throw static constexpr "
        "using mutable noexcept __device__ __host__ ");
    bool opaque = argument->word && !joins;
    if (!argument->begun)
        opaque = is_one_of(&word, parameters ? " class typename "
                                             : " class typename const struct auto variadic ");
    else if (parameters)
        opaque = false;
    argument->operand = true;
    argument->word = !joins;
    return opaque;
}

// Looks over arguments and their `)`, which has to be there. They may be a constructor's
// `parameters`.
static bool look_over_arguments(struct view *view, bool parameters, bool *opaque) {
    TSLexer *lexer = view->lexer;
    struct argument argument = {0};
    bool statements = false;
    *opaque = false;
    for (;;) {
        int32_t c = lexer->lookahead, last = 0;
        if (c == ',' || c == ')') {
            *opaque |= argument.begun && !argument.operand;
            argument = (struct argument){0};
        }
        if (c == ')' || c == ']' || c == '}') {
            *opaque &= !statements;
            return c == ')' && look(view);
        }
        if (view->left == 0)
            return false;
        if (is_word(c)) {
            *opaque |= is_opaque_word(view, &argument, parameters);
            argument.begun = true;
            continue;
        }
        if (!look_over_piece(view, &last))
            return false;
        if (c == ',' || last == 0)
            continue;
        *opaque |= c == '.' && !argument.begun && is_letter(lexer->lookahead);
        statements |= c == ';';
        argument.operand |= strchr("\"'([{", c) != NULL;
        argument.begun = true;
        argument.word = false;
    }
}

// Scans the macro `NAME(…)`, by the word behind it, at which the lexer is.
static bool scan_macro_before_word(struct view *view, const bool *valid, const struct word *name,
                                   bool is_empty) {
    TSLexer *lexer = view->lexer;
    struct word next = read_word(view);
    if (is_one_of(&next, " try ") && name->capitals)
        return is_empty ? valid[MACRO_CALL] && found(lexer, MACRO_CALL)
                        : valid[MACRO_HEAD] && found(lexer, MACRO_HEAD);
    if (is_one_of(&next, " noexcept override final throw try requires and or xor bitand bitor "
                         "not_eq "))
        return false;
    if (valid[MACRO_CALL])
        return found(lexer, MACRO_CALL);
    if (is_one_of(&next, " const ")) { // behind the parameters of a function with such a name
        look_over_space(view);
        if (!is_letter(lexer->lookahead) && lexer->lookahead != ':')
            return false;
    }
    return name->capitals && valid[MACRO_QUALIFIER_CALL] && found(lexer, MACRO_QUALIFIER_CALL);
}

// Scans the macro `NAME(…)`; the lexer is at its `(`.
static bool scan_macro_call(struct view *view, const bool *valid, const struct word *name) {
    TSLexer *lexer = view->lexer;
    bool opaque;
    if ((name->text[0] == '_' && name->text[1] == '_' && !name->capitals) ||
        is_one_of(name, " if for while switch catch alignas decltype explicit requires return case "
                        "throw delete operator noexcept typeof else do asm sizeof typeid new goto "
                        "template int float double bool char void unsigned _Alignas _Pragma ") ||
        !look(view))
        return false;
    bool is_empty = lexer->lookahead == ')';
    if (!look_over_arguments(view, valid[MACRO_ACCESS], &opaque))
        return false;
    opaque |= memcmp(name->end, "TEMPLATE", sizeof name->end) == 0 ||
              memcmp(name->end, "REQUIRES", sizeof name->end) == 0;
    if (name->capitals && opaque && valid[MACRO_CALL]) {
        lexer->mark_end(lexer);
        return found(lexer, MACRO);
    }
    bool line = look_over_space(view);
    int32_t c = lexer->lookahead;
    if (c == '{')
        return name->capitals && valid[MACRO_HEAD] && found(lexer, MACRO_HEAD);
    if (c == ',' || c == '>')
        return name->capitals && valid[MACRO_PARAMETER] && found(lexer, MACRO_PARAMETER);
    if (c == ';' && valid[MACRO_EXTERN])
        return name->capitals && found(lexer, MACRO_EXTERN);
    if (c == ';' && valid[STATEMENTS_CALL] && name->capitals)
        return are_statements(view, false, true) && found(lexer, STATEMENTS_CALL);
    if (is_letter(c))
        return scan_macro_before_word(view, valid, name, is_empty);
    bool ends = (line && (c == '#' || c == '~')) || (c == '}' && (line || name->capitals));
    return (ends || lexer->eof(lexer)) && valid[MACRO_CALL] && found(lexer, MACRO_CALL);
}

// Whether a word that follows `class` or its kin is a macro: the class's name comes behind it.
static bool is_macro_of_class(struct view *view) {
    TSLexer *lexer = view->lexer;
    bool is_call = lexer->lookahead == '(';
    if (is_call && (!look(view) || !look_over_brackets(view, '(', ')')))
        return false;
    look_over_space(view);
    if (is_call || !is_letter(lexer->lookahead))
        return is_call && (is_letter(lexer->lookahead) || lexer->lookahead == '{');
    struct word name = read_word(view);
    look_over_space(view);
    if (lexer->lookahead == '<' && look(view) && look_over_brackets(view, '<', '>'))
        look_over_space(view);
    int32_t c = lexer->lookahead;
    return !is_one_of(&name, " final ") && (c == '{' || c == ':' || is_letter(c));
}

// What `NAME` on a line of its own means, by the word behind it: a macro if an item begins there,
// perhaps after other lines of that kind, and a qualifier in front of two names.
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

// Scans the macro `NAME`, in capitals, behind which neither a word nor `(` stands.
static bool scan_macro_alone(struct view *view, const bool *valid, bool line) {
    TSLexer *lexer = view->lexer;
    int32_t c = lexer->lookahead;
    if (((line && (c == '}' || c == '#' || c == '[')) || lexer->eof(lexer)) && valid[MACRO_CALL])
        return found(lexer, MACRO);
    if (c == '~' || c == '[')
        return valid[MACRO_QUALIFIER] && look(view) && (c == '~' || lexer->lookahead == '[') &&
               found(lexer, MACRO_QUALIFIER);
    if (c == ':' && valid[MACRO_ACCESS])
        return look(view) && lexer->lookahead != ':' && found(lexer, MACRO_ACCESS);
    if (c == '{' && valid[MACRO_CALL] && look(view)) { // `TRY { … }`
        int32_t last = 0;
        while (lexer->lookahead != '}' && last != ';') {
            if (!look_over_piece(view, &last))
                return false;
        }
        return last != 0 && (last == ';' || last == '}') && found(lexer, MACRO);
    }
    return false;
}

// Scans a macro by its first word, at which the lexer is. Where an argument begins, the word may be
// the first of a statement.
static bool scan_macro(TSLexer *lexer, const bool *valid) {
    struct view view = {.lexer = lexer, .left = LOOK_AHEAD};
    lexer->mark_end(lexer);
    struct word name = read_word(&view);
    if (valid[STATEMENTS_BEGIN] && !name.capitals)
        return lexer->lookahead != '"' && // which `R` may stand in front of
               are_statements(&view, begins_statement(&name), false) &&
               found(lexer, STATEMENTS_BEGIN);
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
    if (valid[MACRO_BEHIND_PARAMETER] && (c == ',' || c == ')'))
        return found(lexer, MACRO_BEHIND_PARAMETER);
    if (!is_letter(c))
        return scan_macro_alone(&view, valid, line);
    struct word next = read_word(&view);
    if (valid[MACRO_BEHIND_PARAMETER])
        return next.capitals && found(lexer, MACRO_BEHIND_PARAMETER);
    if (is_one_of(&next, " for while if do switch return template typedef using namespace ") ||
        (line && is_one_of(&next, " asm ")))
        return valid[MACRO_CALL] && found(lexer, MACRO);
    if (valid[MACRO_QUALIFIER_BEHIND])
        return !is_one_of(&next, " and or xor bitand bitor not_eq ") &&
               found(lexer, MACRO_QUALIFIER_BEHIND);
    enum meaning meaning =
        line && valid[MACRO_CALL] ? look_behind_line(&view, next) : look_for_meaning(&view, next);
    if (meaning == MEANS_NOTHING)
        return valid[MACRO_CALL] && line && found(lexer, MACRO);
    return meaning == MEANS_QUALIFIER && valid[MACRO_QUALIFIER] && found(lexer, MACRO_QUALIFIER);
}

#endif
