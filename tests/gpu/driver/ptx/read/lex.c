// Tokens are made one at a time, as the parser asks. Comments and preprocessor's lines count as
// space. A character that begins no token is a sign, which the parser then refuses.
#include "lex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static void skip_line(struct ptx_lexer *lexer) {
    while (*lexer->at && *lexer->at != '\n')
        lexer->at++;
}

static void skip_comment(struct ptx_lexer *lexer) {
    lexer->at += 2;
    while (*lexer->at && (lexer->at[0] != '*' || lexer->at[1] != '/')) {
        lexer->line += *lexer->at == '\n';
        lexer->at++;
    }
    if (*lexer->at)
        lexer->at += 2;
}

static void skip_space(struct ptx_lexer *lexer) {
    for (;;) {
        const char *at = lexer->at;
        if (*at == '\n')
            lexer->line++;
        if (isspace((unsigned char)*at))
            lexer->at++;
        else if (at[0] == '/' && at[1] == '/')
            skip_line(lexer);
        else if (at[0] == '/' && at[1] == '*')
            skip_comment(lexer);
        else
            return;
    }
}

/// 0f3F800000 and 0d3FF0000000000000.
static bool read_bits(struct ptx_lexer *lexer, size_t digits) {
    const char *at = lexer->at + 2;
    uint64_t value = 0;
    for (size_t i = 0; i < digits; i++) {
        if (!isxdigit((unsigned char)at[i]))
            return false;
        int digit = tolower((unsigned char)at[i]);
        value = value << 4 | (uint64_t)(isdigit(digit) ? digit - '0' : digit - 'a' + 10);
    }
    if (isxdigit((unsigned char)at[digits]))
        return false;
    lexer->token.kind = digits == 8 ? PTX_FLOAT : PTX_DOUBLE;
    lexer->token.value = value;
    lexer->at = at + digits;
    return true;
}

static void read_decimal(struct ptx_lexer *lexer) {
    char *end;
    double value = strtod(lexer->at, &end);
    memcpy(&lexer->token.value, &value, sizeof value);
    lexer->token.kind = PTX_DOUBLE;
    lexer->at = end;
}

static void read_number(struct ptx_lexer *lexer) {
    const char *at = lexer->at;
    int letter = at[0] == '0' ? tolower((unsigned char)at[1]) : 0;
    if ((letter == 'f' && read_bits(lexer, 8)) || (letter == 'd' && read_bits(lexer, 16)))
        return;
    int base = letter == 'x' ? 16 : letter == 'b' ? 2 : isdigit(letter) ? 8 : 10;
    char *end;
    if (base == 10) {
        size_t digits = strspn(at, "0123456789");
        if (at[digits] == '.' || tolower((unsigned char)at[digits]) == 'e') {
            read_decimal(lexer);
            return;
        }
    }
    lexer->token.kind = PTX_INTEGER;
    lexer->token.value = strtoull(base == 2 ? at + 2 : at, &end, base);
    lexer->at = *end == 'U' ? end + 1 : end;
}

static void read_word(struct ptx_lexer *lexer) {
    lexer->at++;
    while (is_name(*lexer->at))
        lexer->at++;
}

/// Modifiers may have :: in them: .shared::cta, .L2::128B.
static void read_dotted(struct ptx_lexer *lexer) {
    lexer->token.text = ++lexer->at;
    for (;;) {
        if (is_name(*lexer->at))
            lexer->at++;
        else if (lexer->at[0] == ':' && lexer->at[1] == ':')
            lexer->at += 2;
        else
            return;
    }
}

static void read_string(struct ptx_lexer *lexer) {
    lexer->token.text = ++lexer->at;
    while (*lexer->at && *lexer->at != '"' && *lexer->at != '\n')
        lexer->at += lexer->at[0] == '\\' && lexer->at[1] ? 2 : 1;
    lexer->token.length = (size_t)(lexer->at - lexer->token.text);
    if (*lexer->at == '"')
        lexer->at++;
}

void ptx_lex_next(struct ptx_lexer *lexer) {
    const char *before = lexer->at;
    skip_space(lexer);
    char c = *lexer->at;
    lexer->token = (struct ptx_token){.kind = PTX_SIGN,
                                      .line = lexer->line,
                                      .text = lexer->at,
                                      .is_adjacent = lexer->at == before};
    if (!c) {
        lexer->token.kind = PTX_END;
        return;
    }
    if (c == '"') {
        lexer->token.kind = PTX_STRING;
        read_string(lexer);
        return;
    }
    if (isdigit((unsigned char)c)) {
        read_number(lexer);
    } else if (is_name(c) || (c == '%' && is_name(lexer->at[1]))) {
        lexer->token.kind = PTX_WORD;
        read_word(lexer);
    } else if (c == '.' && is_name(lexer->at[1])) {
        lexer->token.kind = PTX_DOTTED;
        read_dotted(lexer);
    } else {
        lexer->at++;
    }
    lexer->token.length = (size_t)(lexer->at - lexer->token.text);
}

void ptx_lex_begin(struct ptx_lexer *lexer, const char *text) {
    *lexer = (struct ptx_lexer){.at = text, .line = 1};
    ptx_lex_next(lexer);
}

bool ptx_token_is(const struct ptx_token *token, enum ptx_token_kind kind, const char *text) {
    return token->kind == kind && token->length == strlen(text) &&
           memcmp(token->text, text, token->length) == 0;
}
