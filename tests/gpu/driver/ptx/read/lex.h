// Words of PTX.
#ifndef PTX_READ_LEX_H
#define PTX_READ_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ptx_token_kind {
    PTX_END,    ///< of the text
    PTX_WORD,   ///< name or instruction: begins with a letter, _, $ or %
    PTX_DOTTED, ///< directive or modifier: `text` is behind its dot
    PTX_INTEGER,
    PTX_FLOAT,  ///< 0f…: `value` has 32 bits
    PTX_DOUBLE, ///< 0d… or with a decimal point: `value` has 64 bits
    PTX_STRING, ///< `text` is between the quotes
    PTX_SIGN    ///< one character, which is text[0]
};

struct ptx_token {
    enum ptx_token_kind kind;
    uint32_t line;
    const char *text;
    size_t length;
    uint64_t value;
    bool is_adjacent; ///< nothing stands between it and the token before
};

struct ptx_lexer {
    const char *at;
    uint32_t line;
    struct ptx_token token; ///< the one that is due
};

/// Begins at the first token of `text`.
void ptx_lex_begin(struct ptx_lexer *lexer, const char *text);
/// Goes on by one token. The last one is PTX_END, again and again.
void ptx_lex_next(struct ptx_lexer *lexer);

/// Whether the token is that word, directive or sign.
bool ptx_token_is(const struct ptx_token *token, enum ptx_token_kind kind, const char *text);

#endif
