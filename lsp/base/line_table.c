// A byte is found by its line, and then by counting the code units in front of it on that line:
// what an edit costs does not grow with the text.
#include "lsp/base/line_table.h"

#include <assert.h>
#include <string.h>

#include "compiler/base/lines.h"

const char *gcl_line_table_data(const struct gcl_line_table *text, size_t *size) {
    const char *data = g_bytes_get_data(text->bytes, size);
    return data ? data : "";
}

struct gcl_line_table *gcl_line_table_create(GBytes *bytes, enum gcl_encoding encoding) {
    struct gcl_line_table *text = g_new(struct gcl_line_table, 1);
    *text = (struct gcl_line_table){g_bytes_ref(bytes), g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                                    encoding};
    size_t size;
    const char *data = gcl_line_table_data(text, &size);
    uint32_t begin = 0;
    g_array_append_val(text->begins, begin);
    for (uint32_t i = 0; i < size; i++) {
        if (data[i] != '\n' && (data[i] != '\r' || (i + 1 < size && data[i + 1] == '\n')))
            continue;
        begin = i + 1;
        g_array_append_val(text->begins, begin);
    }
    return text;
}

void gcl_line_table_destroy(struct gcl_line_table *text) {
    if (!text)
        return;
    g_bytes_unref(text->bytes);
    g_array_unref(text->begins);
    g_free(text);
}

// Bytes of the character that begins here, at most `left`.
static uint32_t character_size(const char *at, size_t left) {
    gunichar c = g_utf8_get_char_validated(at, (gssize)left);
    return c == (gunichar)-1 || c == (gunichar)-2 || *at == '\0'
               ? 1
               : (uint32_t)g_utf8_skip[(guchar)*at];
}

static uint32_t units_of(uint32_t bytes, enum gcl_encoding encoding) {
    if (encoding == GCL_ENCODING_UTF8)
        return bytes;
    return encoding == GCL_ENCODING_UTF16 && bytes == 4 ? 2 : 1;
}

void gcl_line_table_line(const struct gcl_line_table *text, uint32_t line, uint32_t *begin,
                         uint32_t *end) {
    size_t size;
    const char *data = gcl_line_table_data(text, &size);
    if (line >= text->begins->len) {
        *begin = *end = (uint32_t)size;
        return;
    }
    *begin = g_array_index(text->begins, uint32_t, line);
    *end = line + 1 < text->begins->len ? g_array_index(text->begins, uint32_t, line + 1)
                                        : (uint32_t)size;
    if (*end > *begin && line + 1 < text->begins->len) {
        (*end)--;
        if (*end > *begin && data[*end] == '\n' && data[*end - 1] == '\r')
            (*end)--;
    }
    assert(*begin <= *end && *end <= size);
}

static bool same_line(const struct gcl_line_table *a, uint32_t i, const struct gcl_line_table *b,
                      uint32_t j) {
    uint32_t a_begin, a_end, b_begin, b_end;
    gcl_line_table_line(a, i, &a_begin, &a_end);
    gcl_line_table_line(b, j, &b_begin, &b_end);
    return a_end - a_begin == b_end - b_begin &&
           memcmp(gcl_line_table_data(a, NULL) + a_begin, gcl_line_table_data(b, NULL) + b_begin,
                  a_end - a_begin) == 0;
}

void gcl_line_table_compare(const struct gcl_line_table *one, const struct gcl_line_table *other,
                            uint32_t *before, uint32_t *behind) {
    uint32_t ones = one->begins->len, others = other->begins->len, common = MIN(ones, others);
    *before = *behind = 0;
    while (*before < common && same_line(one, *before, other, *before))
        ++*before;
    while (*behind < common - *before &&
           same_line(one, ones - 1 - *behind, other, others - 1 - *behind))
        ++*behind;
}

uint32_t gcl_line_table_offset(const struct gcl_line_table *text, uint32_t line,
                               uint32_t character) {
    uint32_t begin, end, units = 0;
    const char *data = gcl_line_table_data(text, NULL);
    gcl_line_table_line(text, line, &begin, &end);
    while (begin < end) {
        uint32_t bytes = character_size(data + begin, end - begin);
        units += units_of(bytes, text->encoding);
        if (units > character)
            break;
        begin += bytes;
    }
    assert(begin <= end);
    return begin;
}

static bool number(const json_t *object, const char *name, uint32_t *value) {
    const json_t *found = json_object_get(object, name);
    json_int_t integer = json_integer_value(found);
    *value = (uint32_t)CLAMP(integer, 0, G_MAXINT32);
    return json_is_integer(found) && integer >= 0;
}

bool gcl_line_table_offset_of(const struct gcl_line_table *text, const json_t *position,
                              uint32_t *offset) {
    uint32_t line, character;
    if (!number(position, "line", &line) || !number(position, "character", &character))
        return false;
    *offset = gcl_line_table_offset(text, line, character);
    return true;
}

bool gcl_line_table_range_of(const struct gcl_line_table *text, const json_t *range,
                             uint32_t *begin, uint32_t *end) {
    uint32_t first, behind;
    if (!gcl_line_table_offset_of(text, json_object_get(range, "start"), &first) ||
        !gcl_line_table_offset_of(text, json_object_get(range, "end"), &behind) || first > behind)
        return false;
    *begin = first;
    *end = behind;
    return true;
}

uint32_t gcl_line_table_units(const struct gcl_line_table *text, uint32_t begin, uint32_t end) {
    const char *data = gcl_line_table_data(text, NULL);
    uint32_t units = 0;
    assert(begin <= end && end <= g_bytes_get_size(text->bytes));
    while (begin < end) {
        uint32_t bytes = character_size(data + begin, end - begin);
        units += units_of(bytes, text->encoding);
        begin += bytes;
    }
    return units;
}

void gcl_line_table_locate(const struct gcl_line_table *text, uint32_t offset, uint32_t *line,
                           uint32_t *character) {
    guint number = gcl_line_of(text->begins, offset);
    uint32_t begin, end;
    gcl_line_table_line(text, number, &begin, &end);
    assert(begin <= offset || number == 0);
    *line = number;
    *character = gcl_line_table_units(text, begin, MIN(offset, end));
}

json_t *gcl_line_table_position(const struct gcl_line_table *text, uint32_t offset) {
    uint32_t line, character;
    gcl_line_table_locate(text, offset, &line, &character);
    return json_pack("{s:i, s:i}", "line", (int)line, "character", (int)character);
}

json_t *gcl_line_table_range(const struct gcl_line_table *text, uint32_t begin, uint32_t end) {
    assert(begin <= end);
    return json_pack("{s:o, s:o}", "start", gcl_line_table_position(text, begin), "end",
                     gcl_line_table_position(text, end));
}

static bool is_name_byte(char c) {
    return g_ascii_isalnum(c) || c == '_' || (guchar)c >= 0x80;
}

char *gcl_line_table_copy(const struct gcl_line_table *text, uint32_t begin, uint32_t end) {
    assert(begin <= end && end <= g_bytes_get_size(text->bytes));
    return g_strndup(gcl_line_table_data(text, NULL) + begin, end - begin);
}

char *gcl_line_table_indentation(const struct gcl_line_table *text, uint32_t offset) {
    const char *data = gcl_line_table_data(text, NULL);
    uint32_t line, character, begin, end;
    gcl_line_table_locate(text, offset, &line, &character);
    gcl_line_table_line(text, line, &begin, &end);
    uint32_t behind = begin;
    while (behind < end && (data[behind] == ' ' || data[behind] == '\t'))
        behind++;
    return gcl_line_table_copy(text, begin, behind);
}

void gcl_line_table_word(const struct gcl_line_table *text, uint32_t offset, uint32_t *begin,
                         uint32_t *end) {
    size_t size;
    const char *data = gcl_line_table_data(text, &size);
    *begin = *end = (uint32_t)MIN(offset, size);
    while (*begin > 0 && is_name_byte(data[*begin - 1]))
        (*begin)--;
    while (*end < size && is_name_byte(data[*end]))
        (*end)++;
    assert(*begin <= *end && *end <= size);
}
