// Offsets are bytes of the text that clang has read, which is as long as the editor's. clang names
// a header as it was included, so that one file may have several names.
#include "lsp/tidy/remarks.h"

#include <stdlib.h>
#include <string.h>

#include "lsp/base/json.h"
#include "lsp/base/line_table.h"
#include "lsp/base/uri.h"
#include "lsp/tidy/yaml.h"
#include "project/reading.h"

#define PAGES "https://clang.llvm.org/extra/clang-tidy/checks/"

enum { SHOWN_MAX = 500, HEADER_SIZE_MAX = 4 << 20 };

/// A file in which something was found.
struct source {
    char *path;
    char *uri;
    struct gcl_line_table *text;
    size_t size;
    json_t *found; ///< diagnostics
    bool is_header;
};

// The path that clang means by a name, to be freed; clang-tidy's folder is this process's.
static char *path_named(const char *name) {
    return g_canonicalize_filename(name, NULL);
}

static bool is_here(const struct source *source, const json_t *place) {
    const char *name = gcl_json_member(place, "FilePath");
    g_autofree char *path = name ? path_named(name) : NULL;
    return g_strcmp0(path, source->path) == 0;
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

static json_t *related(const struct source *source, const json_t *notes) {
    json_t *list = json_array(), *note;
    uint32_t offset;
    size_t i;
    json_array_foreach(notes, i, note) {
        if (!is_here(source, note) || !read_offset(source, note, "FileOffset", &offset))
            continue;
        json_t *range = gcl_line_table_range(source->text, offset, offset);
        json_array_append_new(list, json_pack("{s:{s:s, s:o}, s:s}", "location", "uri", source->uri,
                                              "range", range, "message",
                                              gcl_json_words(note, "Message")));
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

// The fixes that a remark has; none in a header, of which only an own check knows whether they are
// right for all its includers.
static json_t *fixes_of(const struct source *source, const json_t *remark) {
    const char *check = gcl_json_words(remark, "DiagnosticName");
    json_t *list = json_array(), *note;
    size_t i;
    if (source->is_header)
        return list;
    add_fix(source, json_object_get(remark, "DiagnosticMessage"), check, list);
    json_array_foreach(json_object_get(remark, "Notes"), i, note)
        add_fix(source, note, check, list);
    return list;
}

// The remark as a diagnostic of its file, or NULL if there is none to show.
static json_t *describe(const struct source *source, const json_t *remark) {
    const json_t *message = json_object_get(remark, "DiagnosticMessage");
    const char *check = gcl_json_words(remark, "DiagnosticName");
    uint32_t offset;
    if (!read_offset(source, message, "FileOffset", &offset) ||
        g_str_has_prefix(check, "clang-diagnostic-"))
        return NULL;
    g_autofree char *page = page_of(check);
    json_t *out =
        json_pack("{s:o, s:i, s:s, s:s, s:{s:s}, s:s}", "range", range_of(source, message, offset),
                  "severity", severity_of(remark), "source", "clang-tidy", "code", check,
                  "codeDescription", "href", page, "message", gcl_json_words(message, "Message"));
    set_list(out, "data", fixes_of(source, remark));
    set_list(out, "relatedInformation", related(source, json_object_get(remark, "Notes")));
    return out;
}

static void source_free(void *data) {
    struct source *source = data;
    gcl_line_table_destroy(source->text);
    json_decref(source->found);
    g_free(source->path);
    g_free(source->uri);
    g_free(source);
}

// The text of the source, or of a header of its project; NULL if it isn't one or can't be read.
static GBytes *text_of(const struct gcl_remarks_subject *subject, const char *path) {
    const json_t *text = json_object_get(subject->texts, path);
    gsize size = 0;
    if (strcmp(path, subject->path) != 0 &&
        !(subject->project && gcl_uri_is_below(path, subject->project)))
        return NULL;
    if (text)
        return g_bytes_new(json_string_value(text), json_string_length(text));
    char *read = gcl_reading_file(path, HEADER_SIZE_MAX, &size);
    return read ? g_bytes_new_take(read, size) : NULL;
}

static struct source *source_create(const struct gcl_remarks_subject *subject, const char *path) {
    g_autoptr(GBytes) bytes = text_of(subject, path);
    if (!bytes)
        return NULL;
    struct source *source = g_new0(struct source, 1);
    source->path = g_strdup(path);
    source->uri = gcl_uri_of(path);
    source->text = gcl_line_table_create(bytes, subject->encoding);
    source->size = g_bytes_get_size(bytes);
    source->found = json_array();
    source->is_header = strcmp(path, subject->path) != 0;
    return source;
}

// Adds a remark to those of its file, whose text is read when the first is.
static void add_remark(GHashTable *sources, const struct gcl_remarks_subject *subject,
                       const json_t *remark) {
    const char *name = gcl_json_member(json_object_get(remark, "DiagnosticMessage"), "FilePath");
    g_autofree char *path = name ? path_named(name) : NULL;
    if (!path)
        return;
    struct source *source = g_hash_table_lookup(sources, path);
    if (!source && (source = source_create(subject, path)))
        g_hash_table_insert(sources, source->path, source);
    json_t *found =
        source && json_array_size(source->found) < SHOWN_MAX ? describe(source, remark) : NULL;
    if (found)
        json_array_append_new(source->found, found);
}

json_t *gcl_remarks_of(const char *fixes, const struct gcl_remarks_subject *subject) {
    g_autoptr(GHashTable) sources =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, source_free);
    json_t *document = gcl_yaml_parse(fixes), *remark, *found = json_object();
    GHashTableIter iterator;
    void *data;
    size_t i;
    json_array_foreach(json_object_get(document, "Diagnostics"), i, remark)
        add_remark(sources, subject, remark);
    g_hash_table_iter_init(&iterator, sources);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        const struct source *source = data;
        json_object_set(found, source->path, source->found);
    }
    json_decref(document);
    return found;
}
