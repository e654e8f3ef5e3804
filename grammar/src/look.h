// Looking ahead in a text: characters, comments, words, brackets. The lexer can't go back, so that
// whoever looks ahead marks the token's end first.
#ifndef TREE_SITTER_GCLUSTER_LOOK_H
#define TREE_SITTER_GCLUSTER_LOOK_H

#include "tree_sitter/parser.h"

#include <string.h>

enum { LOOK_AHEAD = 16384 }; // bytes: what a keystroke may cost

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

// Looks over a comment, whose first `/` has been passed; false if it is none.
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

struct word {
    char text[16]; // its first letters
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

// Whether a word is in a list, which has blanks around each of its words.
static bool is_one_of(const struct word *word, const char *list) {
    char key[sizeof word->text + 2] = " ";
    if (word->length >= sizeof word->text)
        return false;
    memcpy(key + 1, word->text, word->length);
    memcpy(key + 1 + word->length, " ", 2);
    return strstr(list, key) != NULL;
}

// Looks over space and comments; true if a line ends in them.
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

// Looks over the inside of a bracket and its closing one. False if the text ends before, or, for
// angle brackets, the statement.
static bool look_over_brackets(struct view *view, int32_t open, int32_t close) {
    TSLexer *lexer = view->lexer;
    unsigned depth = 1;
    int32_t c = open;
    while (depth > 0) {
        bool in_number = c >= '0' && c <= '9';
        c = lexer->lookahead;
        if (!look(view) || (open == '<' && (c == ';' || c == '{')))
            return false;
        if (c == '"' || (c == '\'' && !in_number))
            look_over_quoted(view, c);
        else if (c == '/')
            look_over_comment(view);
        depth += c == open;
        depth -= c == close;
    }
    return true;
}

#endif
