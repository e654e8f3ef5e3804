// A lexer for C and C++ preprocessing tokens, as far as rewriting needs it.
//
// Tokens are those of clang's CUDA mode: `<<<` and `>>>` are single tokens. A carriage return ends
// a line by itself, as in clang. Quotes that don't close end with the line, since dead code may
// hold prose. A word cut by a continuation comes out as two tokens, hence is never a CUDA name.
#define _GNU_SOURCE // memmem
#include "frontend/text/lexer.h"

#include <assert.h>
#include <string.h>

struct lexer {
    const char *bytes;
    uint32_t size;
    uint32_t at;
    GArray *tokens;
    uint32_t directive;
    enum gcl_line_kind line;
    bool line_start; // only white space and comments since the line began
};

static char peek(const struct lexer *lexer, uint32_t ahead) {
    return lexer->at + ahead < lexer->size ? lexer->bytes[lexer->at + ahead] : '\0';
}

static bool is_word(char c) {
    return g_ascii_isalnum(c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_newline(char c) {
    return c == '\n' || c == '\r';
}

// Length of a backslash with the line end behind it, spaces between allowed; 0 if there is none.
static uint32_t continuation(const struct lexer *lexer, uint32_t ahead) {
    if (peek(lexer, ahead) != '\\')
        return 0;
    uint32_t i = ahead + 1;
    while (peek(lexer, i) == ' ' || peek(lexer, i) == '\t')
        i++;
    if (peek(lexer, i) == '\r' && peek(lexer, i + 1) == '\n')
        return i + 2 - ahead;
    return is_newline(peek(lexer, i)) ? i + 1 - ahead : 0;
}

static void skip_to_line_end(struct lexer *lexer) {
    while (lexer->at < lexer->size && !is_newline(peek(lexer, 0))) {
        uint32_t length = continuation(lexer, 0);
        lexer->at += length ? length : 1;
    }
}

static void skip_block_comment(struct lexer *lexer) {
    lexer->at += 2;
    while (lexer->at < lexer->size && !(peek(lexer, 0) == '*' && peek(lexer, 1) == '/'))
        lexer->at++;
    lexer->at = MIN(lexer->at + 2, lexer->size);
}

static void end_line(struct lexer *lexer) {
    lexer->at++;
    lexer->line_start = true;
    if (lexer->line != GCL_LINE_TEXT)
        lexer->directive++;
    lexer->line = GCL_LINE_TEXT;
}

static void skip_space(struct lexer *lexer) {
    while (lexer->at < lexer->size) {
        char c = peek(lexer, 0);
        uint32_t length = continuation(lexer, 0);
        if (length)
            lexer->at += length;
        else if (is_newline(c))
            end_line(lexer);
        else if (g_ascii_isspace(c) || c == '\0' || c == '\v')
            lexer->at++;
        else if (c == '/' && peek(lexer, 1) == '/')
            skip_to_line_end(lexer);
        else if (c == '/' && peek(lexer, 1) == '*')
            skip_block_comment(lexer);
        else
            return;
    }
}

static struct gcl_token *add(struct lexer *lexer, enum gcl_token_kind kind, uint32_t length) {
    assert(length > 0 && lexer->at < lexer->size);
    struct gcl_token token = {.begin = lexer->at,
                              .end = MIN(lexer->at + length, lexer->size),
                              .kind = (uint8_t)kind,
                              .line = (uint8_t)lexer->line,
                              .directive = lexer->directive};
    g_array_append_val(lexer->tokens, token);
    lexer->at = token.end;
    lexer->line_start = false;
    return &g_array_index(lexer->tokens, struct gcl_token, lexer->tokens->len - 1);
}

// `ahead` bytes of prefix, then the quote.
static void lex_quoted(struct lexer *lexer, uint32_t ahead) {
    char quote = peek(lexer, ahead++);
    while (lexer->at + ahead < lexer->size && peek(lexer, ahead) != quote) {
        uint32_t length = continuation(lexer, ahead);
        if (!length && is_newline(peek(lexer, ahead)))
            break;
        bool escape = peek(lexer, ahead) == '\\' && !is_newline(peek(lexer, ahead + 1));
        ahead += length ? length : escape ? 2 : 1;
    }
    if (peek(lexer, ahead) == quote)
        ahead++;
    add(lexer, GCL_TOKEN_LITERAL, ahead);
}

// R"delimiter( ... )delimiter", where everything but the closing delimiter is text.
static bool lex_raw_string(struct lexer *lexer, uint32_t ahead) {
    uint32_t start = ahead + 1, length = 0;
    while (length <= 16 && peek(lexer, start + length) != '(') {
        char c = peek(lexer, start + length);
        if (c == '\0' || c == ')' || c == '\\' || c == '"' || g_ascii_isspace(c))
            return false;
        length++;
    }
    if (length > 16)
        return false;
    char close[20] = ")";
    memcpy(close + 1, lexer->bytes + lexer->at + start, length);
    close[length + 1] = '"';
    const char *rest = lexer->bytes + lexer->at;
    const char *end = memmem(rest, lexer->size - lexer->at, close, length + 2);
    add(lexer, GCL_TOKEN_LITERAL, end ? (uint32_t)(end - rest) + length + 2 : lexer->size);
    return true;
}

static void lex_word(struct lexer *lexer) {
    const char *word = lexer->bytes + lexer->at;
    uint32_t length = 0;
    while (is_word(peek(lexer, length)))
        length++;
    char next = peek(lexer, length);
    bool prefix = length <= 3 && (word[0] == 'L' || word[0] == 'u' || word[0] == 'U' ||
                                  (word[0] == 'R' && length == 1));
    if (next == '"' && prefix && word[length - 1] == 'R' && lex_raw_string(lexer, length))
        return;
    if ((next == '"' || next == '\'') && prefix && word[length - 1] != 'R')
        lex_quoted(lexer, length);
    else
        add(lexer, GCL_TOKEN_IDENTIFIER, length);
}

// pp-number: digits, letters, dots, exponents with sign, digit separators.
static void lex_number(struct lexer *lexer) {
    uint32_t length = 1;
    for (;;) {
        char c = peek(lexer, length), before = peek(lexer, length - 1);
        bool sign = (c == '+' || c == '-') && strchr("eEpP", before);
        bool separator = c == '\'' && is_word(peek(lexer, length + 1));
        if (!is_word(c) && c != '.' && !sign && !separator)
            break;
        length++;
    }
    add(lexer, GCL_TOKEN_LITERAL, length);
}

struct punctuation {
    char text[4];
    uint8_t kind;
};

// Longest first among those that begin alike.
static const struct punctuation punctuations[] = {
    {"<<<", GCL_TOKEN_LAUNCH_OPEN}, {"<<=", GCL_TOKEN_OTHER},       {"<=>", GCL_TOKEN_OTHER},
    {"<<", GCL_TOKEN_SHIFT_LEFT},   {"<=", GCL_TOKEN_OTHER},        {"<:", GCL_TOKEN_SQUARE_OPEN},
    {"<%", GCL_TOKEN_CURLY_OPEN},   {"<", GCL_TOKEN_LESS},          {">>>", GCL_TOKEN_LAUNCH_CLOSE},
    {">>=", GCL_TOKEN_OTHER},       {">>", GCL_TOKEN_SHIFT_RIGHT},  {">=", GCL_TOKEN_OTHER},
    {">", GCL_TOKEN_GREATER},       {"(", GCL_TOKEN_ROUND_OPEN},    {")", GCL_TOKEN_ROUND_CLOSE},
    {"[", GCL_TOKEN_SQUARE_OPEN},   {"]", GCL_TOKEN_SQUARE_CLOSE},  {"{", GCL_TOKEN_CURLY_OPEN},
    {"}", GCL_TOKEN_CURLY_CLOSE},   {":>", GCL_TOKEN_SQUARE_CLOSE}, {"%>", GCL_TOKEN_CURLY_CLOSE},
    {"%:", GCL_TOKEN_HASH},         {"::", GCL_TOKEN_SCOPE},        {",", GCL_TOKEN_COMMA},
    {";", GCL_TOKEN_SEMICOLON},     {"->", GCL_TOKEN_ARROW},        {".", GCL_TOKEN_DOT},
    {"##", GCL_TOKEN_PASTE},        {"#", GCL_TOKEN_HASH},
};

// The length of a punctuation's text if that is here; 0: something else is.
static uint32_t match(const struct lexer *lexer, const char *text) {
    uint32_t length = 0;
    while (text[length] && peek(lexer, length) == text[length])
        length++;
    return text[length] ? 0 : length;
}

static void lex_punctuation(struct lexer *lexer) {
    // `a<::b>` is not a digraph, unless another `:` or `>` follows (C++11).
    if (match(lexer, "<::") && peek(lexer, 3) != ':' && peek(lexer, 3) != '>') {
        add(lexer, GCL_TOKEN_LESS, 1);
        return;
    }
    char first = peek(lexer, 0);
    for (size_t i = 0; i < G_N_ELEMENTS(punctuations); i++) {
        // A call for each would take longer than all else that lexing does.
        uint32_t length = punctuations[i].text[0] == first ? match(lexer, punctuations[i].text) : 0;
        if (length > 0) {
            add(lexer, punctuations[i].kind, length);
            return;
        }
    }
    add(lexer, GCL_TOKEN_OTHER, 1);
}

static bool word_is(const char *word, size_t length, const char *const *list) {
    for (; *list; list++) {
        if (strlen(*list) == length && memcmp(word, *list, length) == 0)
            return true;
    }
    return false;
}

// At the `#` that starts a directive: finds out which and lexes the `#` and the name.
static void lex_directive(struct lexer *lexer) {
    static const char *const include[] = {"include", "include_next", "import", "embed", NULL};
    static const char *const prose[] = {"error", "warning", "ident", "sccs", NULL};
    static const char *const define[] = {"define", NULL}, *const pragma[] = {"pragma", NULL};
    guint first = lexer->tokens->len;
    lexer->directive++;
    lexer->line = GCL_LINE_OTHER;
    add(lexer, GCL_TOKEN_HASH, peek(lexer, 0) == '%' ? 2 : 1);
    skip_space(lexer);
    if (lexer->line == GCL_LINE_TEXT || !is_word(peek(lexer, 0)))
        return;
    lex_word(lexer);
    struct gcl_token *tokens = &g_array_index(lexer->tokens, struct gcl_token, first);
    assert(lexer->tokens->len == first + 2); // the `#` and the name
    const char *word = lexer->bytes + tokens[1].begin;
    size_t length = tokens[1].end - tokens[1].begin;
    if (word_is(word, length, define))
        lexer->line = GCL_LINE_DEFINE;
    else if (word_is(word, length, pragma))
        lexer->line = GCL_LINE_PRAGMA;
    else if (word_is(word, length, include))
        lexer->line = GCL_LINE_INCLUDE;
    tokens[0].line = tokens[1].line = (uint8_t)lexer->line;
    if (lexer->line == GCL_LINE_INCLUDE || word_is(word, length, prose))
        skip_to_line_end(lexer);
}

static void lex_token(struct lexer *lexer) {
    char c = peek(lexer, 0);
    if (lexer->line_start && lexer->line == GCL_LINE_TEXT &&
        (c == '#' || (c == '%' && peek(lexer, 1) == ':')))
        lex_directive(lexer);
    else if (g_ascii_isdigit(c) || (c == '.' && g_ascii_isdigit(peek(lexer, 1))))
        lex_number(lexer);
    else if (is_word(c))
        lex_word(lexer);
    else if (c == '"' || c == '\'')
        lex_quoted(lexer, 0);
    else
        lex_punctuation(lexer);
}

GArray *gcl_lexer_read(const char *bytes, size_t size) {
    struct lexer lexer = {.bytes = bytes,
                          .size = (uint32_t)MIN(size, G_MAXUINT32 - 16),
                          .line_start = true,
                          .tokens = g_array_new(FALSE, FALSE, sizeof(struct gcl_token))};
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        lexer.at = 3;
    skip_space(&lexer);
    while (lexer.at < lexer.size) {
        lex_token(&lexer);
        skip_space(&lexer);
    }
    return lexer.tokens;
}

bool gcl_token_is(const struct gcl_token *token, const char *bytes, const char *word) {
    size_t length = token->end - token->begin;
    return strlen(word) == length && memcmp(bytes + token->begin, word, length) == 0;
}

guint gcl_token_at(const GArray *tokens, uint32_t offset) {
    guint low = 0, high = tokens->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(tokens, struct gcl_token, middle).begin < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
