// The list of clauses in pragma.h is what a pragma may say; numbers are spelled as in C.
#include "pragma_words.h"

#include <assert.h>
#include <string.h>

const char *const gcl_pragma_words_clauses[GCL_PRAGMA_KIND_COUNT] = {
#define TEXT(name, text) text,
    GCL_PRAGMA_KINDS(TEXT)
#undef TEXT
};

uint8_t gcl_pragma_words_kind(const char *text, uint32_t begin, uint32_t end) {
    assert(begin <= end);
    uint8_t kind = 0;
    while (kind < GCL_PRAGMA_KIND_COUNT &&
           !(strlen(gcl_pragma_words_clauses[kind]) == end - begin &&
             memcmp(gcl_pragma_words_clauses[kind], text + begin, end - begin) == 0))
        kind++;
    return kind;
}

bool gcl_pragma_words_number(const char *text, uint32_t begin, uint32_t end, int64_t *value,
                             bool *too_large) {
    assert(begin <= end);
    g_autofree char *digits = g_strndup(text + begin, end - begin);
    const char *start = digits;
    guint64 number = 0;
    guint base = 10;
    g_autoptr(GError) error = NULL;
    for (size_t i = strlen(digits); i > 1 && strchr("uUlLzZ", digits[i - 1]); i--)
        digits[i - 1] = '\0';
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
        base = 16;
        start += 2;
    } else if (digits[0] == '0' && digits[1]) {
        base = 8;
        start++;
    }
    bool good = g_ascii_string_to_unsigned(start, base, 0, G_MAXINT64, &number, &error);
    *value = (int64_t)number;
    *too_large = g_error_matches(error, G_NUMBER_PARSER_ERROR, G_NUMBER_PARSER_ERROR_OUT_OF_BOUNDS);
    return good;
}
