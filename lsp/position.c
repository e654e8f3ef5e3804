#include "position.h"

#include <string.h>

#include "compiler/base/lines.h"

static const char *const names[] = {
    [GCL_ENCODING_UTF16] = "utf-16",
    [GCL_ENCODING_UTF8] = "utf-8",
    [GCL_ENCODING_UTF32] = "utf-32",
};

const char *gcl_encoding_name(enum gcl_encoding encoding) {
    return names[encoding];
}

bool gcl_encoding_parse(const char *name, enum gcl_encoding *encoding) {
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (g_strcmp0(name, names[i]) != 0)
            continue;
        *encoding = (enum gcl_encoding)i;
        return true;
    }
    return false;
}

const char *gcl_lines_data(const struct gcl_lines *text, size_t *size) {
    const char *data = g_bytes_get_data(text->bytes, size);
    return data ? data : "";
}

struct gcl_lines *gcl_lines_create(GBytes *bytes, enum gcl_encoding encoding) {
    struct gcl_lines *text = g_new(struct gcl_lines, 1);
    *text = (struct gcl_lines){g_bytes_ref(bytes), g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                               encoding};
    size_t size;
    const char *data = gcl_lines_data(text, &size);
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

void gcl_lines_destroy(struct gcl_lines *text) {
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

void gcl_lines_line(const struct gcl_lines *text, uint32_t line, uint32_t *begin, uint32_t *end) {
    size_t size;
    const char *data = gcl_lines_data(text, &size);
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
}

uint32_t gcl_lines_offset(const struct gcl_lines *text, uint32_t line, uint32_t character) {
    uint32_t begin, end, units = 0;
    const char *data = gcl_lines_data(text, NULL);
    gcl_lines_line(text, line, &begin, &end);
    while (begin < end) {
        uint32_t bytes = character_size(data + begin, end - begin);
        units += units_of(bytes, text->encoding);
        if (units > character)
            break;
        begin += bytes;
    }
    return begin;
}

static bool number(const json_t *object, const char *name, uint32_t *value) {
    const json_t *found = json_object_get(object, name);
    json_int_t integer = json_integer_value(found);
    *value = (uint32_t)CLAMP(integer, 0, G_MAXINT32);
    return json_is_integer(found) && integer >= 0;
}

bool gcl_lines_offset_of(const struct gcl_lines *text, const json_t *position, uint32_t *offset) {
    uint32_t line, character;
    if (!number(position, "line", &line) || !number(position, "character", &character))
        return false;
    *offset = gcl_lines_offset(text, line, character);
    return true;
}

bool gcl_lines_range_of(const struct gcl_lines *text, const json_t *range, uint32_t *begin,
                        uint32_t *end) {
    return gcl_lines_offset_of(text, json_object_get(range, "start"), begin) &&
           gcl_lines_offset_of(text, json_object_get(range, "end"), end) && *begin <= *end;
}

uint32_t gcl_lines_units(const struct gcl_lines *text, uint32_t begin, uint32_t end) {
    const char *data = gcl_lines_data(text, NULL);
    uint32_t units = 0;
    while (begin < end) {
        uint32_t bytes = character_size(data + begin, end - begin);
        units += units_of(bytes, text->encoding);
        begin += bytes;
    }
    return units;
}

void gcl_lines_locate(const struct gcl_lines *text, uint32_t offset, uint32_t *line,
                      uint32_t *character) {
    guint number = gcl_line_of(text->begins, offset);
    uint32_t begin, end;
    gcl_lines_line(text, number, &begin, &end);
    *line = number;
    *character = gcl_lines_units(text, begin, MIN(offset, end));
}

json_t *gcl_lines_position(const struct gcl_lines *text, uint32_t offset) {
    uint32_t line, character;
    gcl_lines_locate(text, offset, &line, &character);
    return json_pack("{s:i, s:i}", "line", (int)line, "character", (int)character);
}

json_t *gcl_lines_range(const struct gcl_lines *text, uint32_t begin, uint32_t end) {
    return json_pack("{s:o, s:o}", "start", gcl_lines_position(text, begin), "end",
                     gcl_lines_position(text, end));
}

static bool is_name_byte(char c) {
    return g_ascii_isalnum(c) || c == '_' || (guchar)c >= 0x80;
}

char *gcl_lines_copy(const struct gcl_lines *text, uint32_t begin, uint32_t end) {
    return g_strndup(gcl_lines_data(text, NULL) + begin, end - begin);
}

char *gcl_lines_indentation(const struct gcl_lines *text, uint32_t offset) {
    const char *data = gcl_lines_data(text, NULL);
    uint32_t line, character, begin, end;
    gcl_lines_locate(text, offset, &line, &character);
    gcl_lines_line(text, line, &begin, &end);
    uint32_t behind = begin;
    while (behind < end && (data[behind] == ' ' || data[behind] == '\t'))
        behind++;
    return gcl_lines_copy(text, begin, behind);
}

void gcl_lines_word(const struct gcl_lines *text, uint32_t offset, uint32_t *begin, uint32_t *end) {
    size_t size;
    const char *data = gcl_lines_data(text, &size);
    *begin = *end = (uint32_t)MIN(offset, size);
    while (*begin > 0 && is_name_byte(data[*begin - 1]))
        (*begin)--;
    while (*end < size && is_name_byte(data[*end]))
        (*end)++;
}
