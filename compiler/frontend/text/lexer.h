// Cuts a source file into preprocessing tokens, bytes in and byte ranges out.
//
// Tokens show what clang's tree doesn't: dead `#if` branches and macros that are never used.
// Comments, white space and line continuations between tokens are not tokens; names of included
// files and the text of #error and #warning aren't either.
#ifndef GCL_FRONTEND_LEXER_H
#define GCL_FRONTEND_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

/// Kinds that rewriting tells apart. Brackets come in pairs, opening first.
enum gcl_token_kind {
    GCL_TOKEN_IDENTIFIER,
    GCL_TOKEN_LITERAL, ///< number, string, character
    GCL_TOKEN_OTHER,   ///< any other punctuation
    GCL_TOKEN_ROUND_OPEN,
    GCL_TOKEN_ROUND_CLOSE,
    GCL_TOKEN_SQUARE_OPEN,
    GCL_TOKEN_SQUARE_CLOSE,
    GCL_TOKEN_CURLY_OPEN,
    GCL_TOKEN_CURLY_CLOSE,
    GCL_TOKEN_LESS,         ///< <
    GCL_TOKEN_GREATER,      ///< >
    GCL_TOKEN_SHIFT_LEFT,   ///< <<
    GCL_TOKEN_SHIFT_RIGHT,  ///< >>
    GCL_TOKEN_LAUNCH_OPEN,  ///< <<<
    GCL_TOKEN_LAUNCH_CLOSE, ///< >>>
    GCL_TOKEN_COMMA,
    GCL_TOKEN_SEMICOLON,
    GCL_TOKEN_SCOPE, ///< ::
    GCL_TOKEN_DOT,
    GCL_TOKEN_ARROW,
    GCL_TOKEN_HASH,
    GCL_TOKEN_PASTE, ///< ##
};

/// What kind of line a token stands on.
enum gcl_line_kind {
    GCL_LINE_TEXT,
    GCL_LINE_DEFINE,
    GCL_LINE_PRAGMA,
    GCL_LINE_INCLUDE,
    GCL_LINE_OTHER, ///< #if and the rest
};

struct gcl_token {
    uint32_t begin;
    uint32_t end;
    uint8_t kind; ///< enum gcl_token_kind
    uint8_t line; ///< enum gcl_line_kind
    /// Number of directives up to here: tokens with equal `directive` and `line` belong to the same
    /// directive, or to the same stretch of text between two directives.
    uint32_t directive;
};

/// All tokens of `size` bytes, ascending: GArray of struct gcl_token. Any bytes are fine.
GArray *gcl_lexer_read(const char *bytes, size_t size);

/// True if the token is spelt so. `word` ends with a zero.
bool gcl_token_is(const struct gcl_token *token, const char *bytes, const char *word);

/// Index of the first token that begins at `offset` or behind it; the number of tokens if none
/// does.
guint gcl_token_at(const GArray *tokens, uint32_t offset);

#endif
