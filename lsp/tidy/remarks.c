// Offsets are bytes of the text that clang has read, which is as long as the editor's.
#include "lsp/tidy/remarks.h"

#include <stdlib.h>
#include <string.h>

#include "lsp/base/json.h"
#include "lsp/base/uri.h"
#include "lsp/tidy/yaml.h"

#define PAGES "https://clang.llvm.org/extra/clang-tidy/checks/"

enum { SHOWN_MAX = 500 };

struct source {
    const char *path;
    const struct gcl_line_table *text;
    size_t size;
};

static bool is_here(const struct source *source, const json_t *place) {
    return g_strcmp0(gcl_json_member(place, "FilePath"), source->path) == 0;
}

// A number of a place; false if the text isn't so long.
static bool read_offset(const struct source *source, const json_t *place, const char *name,
                        uint32_t *offset) {
    guint64 value = g_ascii_strtoull(gcl_json_words(place, name), NULL, 10);
    *offset = (uint32_t)value;
    return value <= source->size;
}

// The bytes of a replacement or range; false if it is about another file.
static bool read_range(const struct source *source, const json_t *place, const char *name,
                       uint32_t *begin, uint32_t *end) {
    uint32_t length;
    if (!is_here(source, place) || !read_offset(source, place, name, begin) ||
        !read_offset(source, place, "Length", &length) || length > source->size - *begin)
        return false;
    *end = *begin + length;
    return true;
}

// The text edits of a message; empty if one of them is in another file.
static json_t *edits_of(const struct source *source, const json_t *message) {
    json_t *edits = json_array(), *replacement;
    uint32_t begin, end;
    size_t i;
    json_array_foreach(json_object_get(message, "Replacements"), i, replacement) {
        if (!read_range(source, replacement, "Offset", &begin, &end)) {
            json_array_clear(edits);
            break;
        }
        json_array_append_new(
            edits,
            json_pack("{s:o, s:o}", "range", gcl_line_table_range(source->text, begin, end),
                      "newText", gcl_json_text(gcl_json_words(replacement, "ReplacementText"))));
    }
    return edits;
}

static void add_fix(const struct source *source, const json_t *message, const char *check,
                    json_t *data) {
    json_t *edits = edits_of(source, message);
    if (json_array_size(edits) > 0)
        json_array_append_new(
            data, json_pack("{s:O, s:o}", "edits", edits, "title",
                            json_sprintf("%s (%s)", gcl_json_words(message, "Message"), check)));
    json_decref(edits);
}

// What is underlined: the first range that begins where the message is, or else the word there.
static json_t *range_of(const struct source *source, const json_t *message, uint32_t offset) {
    uint32_t begin, end;
    json_t *range;
    size_t i;
    json_array_foreach(json_object_get(message, "Ranges"), i, range) {
        if (read_range(source, range, "FileOffset", &begin, &end) && begin == offset && end > begin)
            return gcl_line_table_range(source->text, begin, end);
    }
    gcl_line_table_word(source->text, offset, &begin, &end);
    if (begin == end || begin < offset)
        end = MIN(MAX(end, offset + 1), (uint32_t)source->size);
    return gcl_line_table_range(source->text, offset, end);
}

static json_t *related(const struct source *source, const char *uri, const json_t *notes) {
    json_t *list = json_array(), *note;
    uint32_t offset;
    size_t i;
    json_array_foreach(notes, i, note) {
        if (!is_here(source, note) || !read_offset(source, note, "FileOffset", &offset))
            continue;
        json_t *range = gcl_line_table_range(source->text, offset, offset);
        json_array_append_new(list,
                              json_pack("{s:{s:s, s:o}, s:s}", "location", "uri", uri, "range",
                                        range, "message", gcl_json_words(note, "Message")));
    }
    return list;
}

// "modernize-use-nullptr" has the page modernize/use-nullptr.html.
static char *page_of(const char *check) {
    const char *rest = g_str_has_prefix(check, "clang-analyzer-") ? check + 14 : strchr(check, '-');
    return rest ? g_strdup_printf(PAGES "%.*s/%s.html", (int)(rest - check), check, rest + 1)
                : g_strdup(PAGES "list.html");
}

static int severity_of(const json_t *remark) {
    const char *level = gcl_json_words(remark, "Level");
    return strcmp(level, "Error") == 0 ? 1 : strcmp(level, "Remark") == 0 ? 3 : 2;
}

// Sets a member unless the list is empty; takes the list.
static void set_list(json_t *out, const char *name, json_t *list) {
    if (json_array_size(list) > 0)
        json_object_set(out, name, list);
    json_decref(list);
}

static json_t *describe(const struct source *source, const char *uri, const json_t *remark) {
    const json_t *message = json_object_get(remark, "DiagnosticMessage"), *note;
    json_t *notes = json_object_get(remark, "Notes"), *data = json_array();
    const char *check = gcl_json_words(remark, "DiagnosticName");
    uint32_t offset;
    size_t i;
    if (!is_here(source, message) || !read_offset(source, message, "FileOffset", &offset) ||
        g_str_has_prefix(check, "clang-diagnostic-")) {
        json_decref(data);
        return NULL;
    }
    add_fix(source, message, check, data);
    json_array_foreach(notes, i, note) add_fix(source, note, check, data);
    g_autofree char *page = page_of(check);
    json_t *out =
        json_pack("{s:o, s:i, s:s, s:s, s:{s:s}, s:s}", "range", range_of(source, message, offset),
                  "severity", severity_of(remark), "source", "clang-tidy", "code", check,
                  "codeDescription", "href", page, "message", gcl_json_words(message, "Message"));
    set_list(out, "data", data);
    set_list(out, "relatedInformation", related(source, uri, notes));
    return out;
}

json_t *gcl_remarks_of(const char *fixes, const char *path, const struct gcl_line_table *text) {
    struct source source = {.path = path, .text = text};
    json_t *document = gcl_yaml_parse(fixes), *list = json_array(), *remark;
    g_autofree char *uri = gcl_uri_of(path);
    size_t i;
    gcl_line_table_data(text, &source.size);
    json_array_foreach(json_object_get(document, "Diagnostics"), i, remark) {
        json_t *found = json_array_size(list) < SHOWN_MAX ? describe(&source, uri, remark) : NULL;
        if (found && json_array_append_new(list, found) != 0)
            break;
    }
    json_decref(document);
    return list;
}
