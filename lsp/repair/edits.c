#include "lsp/repair/edits.h"

#include <assert.h>
#include <string.h>

#include "lsp/base/json.h"

void gcl_edits_replace(const struct gcl_line_table *text, json_t *edits, uint32_t begin,
                       uint32_t end, const char *with) {
    json_array_append_new(edits,
                          json_pack("{s:o, s:o}", "range", gcl_line_table_range(text, begin, end),
                                    "newText", gcl_json_text(with)));
}

void gcl_edits_declare(const struct gcl_line_table *text, json_t *edits, uint32_t statement,
                       const char *declaration) {
    uint32_t line, character, begin, at, end;
    gcl_line_table_locate(text, statement, &line, &character);
    gcl_line_table_line(text, line, &begin, &end);
    g_autofree char *indent = gcl_line_table_indentation(text, statement);
    assert(begin + strlen(indent) <= statement);
    if (begin + strlen(indent) != statement) { // something else is on the line
        g_autofree char *inside = g_strdup_printf("%s ", declaration);
        gcl_edits_replace(text, edits, statement, statement, inside);
        return;
    }
    for (; line > 0; line--) {
        gcl_line_table_line(text, line - 1, &at, &end);
        g_autofree char *before = gcl_line_table_copy(text, at, end);
        if (!g_str_has_prefix(g_strchug(before), "#pragma"))
            break;
        begin = at;
    }
    g_autofree char *whole = g_strdup_printf("%s%s\n", indent, declaration);
    gcl_edits_replace(text, edits, begin, begin, whole);
}

static bool has_word(const char *text, const char *word) {
    size_t size = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++) {
        if ((at == text || (!g_ascii_isalnum(at[-1]) && at[-1] != '_')) &&
            !g_ascii_isalnum(at[size]) && at[size] != '_')
            return true;
    }
    return false;
}

char *gcl_edits_name(const struct gcl_line_table *text, const char *wanted) {
    size_t size;
    const char *data = gcl_line_table_data(text, &size);
    g_autofree char *whole = g_strndup(data, size);
    char *name = g_strdup(wanted);
    for (unsigned i = 2; has_word(whole, name); i++) {
        g_free(name);
        name = g_strdup_printf("%s_%u", wanted, i);
    }
    return name;
}
