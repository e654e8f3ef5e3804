// clang's messages and ours, hints about kernels among them, as LSP's diagnostics of one text. What
// is wrong in a header is shown where it is included.
#include "lsp/features/report/report.h"

#include <assert.h>
#include <string.h>

#include "base/diagnostic.h"
#include "base/shape.h"
#include "frontend/text/rewrite.h"
#include "lsp/base/json.h"
#include "lsp/features/report/reasons.h"
#include "lsp/kernel/kernels.h"
#include "lsp/read/tree.h"

enum { SHOWN_MAX = 500 };

// Byte of a line and column, both from 1.
static uint32_t offset_of(const struct gcl_line_table *text, uint32_t line, uint32_t column) {
    uint32_t begin, end;
    gcl_line_table_line(text, line > 0 ? line - 1 : 0, &begin, &end);
    return MIN(begin + (column > 0 ? column - 1 : 0), end);
}

// What is underlined: `length` bytes, or the word that begins there, or one byte.
static json_t *range_of(const struct gcl_line_table *text, const struct gcl_diagnostic *d) {
    uint32_t begin = offset_of(text, d->line, d->column), end, word;
    uint32_t line_begin, line_end;
    gcl_line_table_word(text, begin, &word, &end);
    gcl_line_table_line(text, d->line > 0 ? d->line - 1 : 0, &line_begin, &line_end);
    if (begin == line_end && begin > line_begin) // behind the last byte of the line
        begin--, end = line_end;
    else if (d->length > 1)
        end = begin + d->length;
    else if (end == begin)
        end = begin + 1;
    assert(line_begin <= begin && begin <= line_end);
    return gcl_line_table_range(text, begin, MIN(end, MAX(line_end, begin)));
}

static bool is_here(const struct gcl_view *view, const char *path) {
    g_autofree char *absolute = path ? g_canonicalize_filename(path, view->directory) : NULL;
    return !path || strcmp(absolute, view->path) == 0;
}

static int severity_of(const struct gcl_diagnostic *d) {
    switch (d->severity) {
    case GCL_SEVERITY_ERROR:
        return 1;
    case GCL_SEVERITY_WARNING:
        return 2;
    default:
        return d->code >= GCL_CODE_LAUNCH_SIZE ? 4 : 3; // of programs that may well be meant so
    }
}

// The text without its "[-Wunused]", which becomes the code.
static void set_message(json_t *out, const struct gcl_diagnostic *d) {
    g_autofree char *message = g_strdup(d->message);
    size_t length = strlen(message);
    char *open = g_strrstr(message, " [-W");
    if (d->code == GCL_CODE_CLANG && open && message[length - 1] == ']') {
        message[length - 1] = '\0';
        json_object_set_new(out, "code", gcl_json_text(open + 2));
        *open = '\0';
    }
    g_autofree char *text = d->help ? g_strdup_printf("%s\n%s", message, d->help) : NULL;
    json_object_set_new(out, "message", gcl_json_text(text ? text : message));
}

static json_t *edits_of(const struct gcl_view *view, const struct gcl_diagnostic *d) {
    json_t *edits = json_array();
    for (guint i = 0; d->fixes && i < d->fixes->len; i++) {
        const struct gcl_fix *fix = &g_array_index(d->fixes, struct gcl_fix, i);
        if (!is_here(view, fix->path)) {
            json_array_clear(edits);
            break;
        }
        uint32_t begin = offset_of(view->text, fix->line, fix->column);
        uint32_t end = offset_of(view->text, fix->end_line, fix->end_column);
        json_array_append_new(edits, json_pack("{s:o, s:o}", "range",
                                               gcl_line_table_range(view->text, begin, end),
                                               "newText", gcl_json_text(fix->text)));
    }
    return edits;
}

// What an edit of ours does; clang's have no title (code_action.c).
static json_t *title_of(const struct gcl_diagnostic *d) {
    return d->code == GCL_CODE_CLANG || !d->help ? NULL : gcl_json_text(d->help);
}

static json_t *describe(const struct gcl_query *query, const struct gcl_diagnostic *d) {
    const struct gcl_view *view = query->view;
    json_t *out =
        json_pack("{s:o, s:i, s:s}", "range", range_of(view->text, d), "severity", severity_of(d),
                  "source", d->code == GCL_CODE_CLANG ? "clang" : "gcluster");
    json_t *edits = edits_of(view, d);
    set_message(out, d);
    if (d->code != GCL_CODE_CLANG) {
        json_object_set_new(out, "code", json_sprintf("GCL%d", (int)d->code));
        json_object_set_new(out, "codeDescription",
                            json_pack("{s:o}", "href", gcl_kernels_page(query, (unsigned)d->code)));
    }
    if (json_array_size(edits) > 0)
        json_object_set_new(out, "data",
                            json_pack("[{s:O, s:o*}]", "edits", edits, "title", title_of(d)));
    if (strstr(d->message, "deprecated"))
        json_object_set_new(out, "tags", json_pack("[i]", 2));
    else if (strstr(d->message, "unused") || strstr(d->message, "never used"))
        json_object_set_new(out, "tags", json_pack("[i]", 1));
    json_decref(edits);
    return out;
}

static json_t *related(const struct gcl_query *query, const struct gcl_diagnostic *note) {
    CXTranslationUnit unit = gcl_tree_unit(query->view);
    CXFile file = note->path && unit ? clang_getFile(unit, note->path) : NULL;
    if (!file)
        return NULL;
    CXSourceLocation at = clang_getLocation(unit, file, note->line, note->column);
    json_t *location = gcl_tree_location(query, clang_getRange(at, at));
    return location ? json_pack("{s:o, s:o}", "location", location, "message",
                                gcl_json_text(note->message))
                    : NULL;
}

struct search {
    const struct gcl_view *view;
    CXFile file;
    uint32_t offset; // of the #include in the view's file
    bool found;
};

static void see_inclusion(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data) {
    struct search *search = data;
    if (!search->found && depth > 0 && clang_File_isEqual(file, search->file))
        search->found = gcl_tree_offset(search->view, stack[depth - 1], &search->offset);
}

// Where the view's file includes another one, by itself or through others; else its first line.
static uint32_t inclusion_of(const struct gcl_view *view, const char *path) {
    struct search search = {.view = view};
    CXTranslationUnit unit = gcl_tree_unit(view);
    search.file = unit ? clang_getFile(unit, path) : NULL;
    if (search.file)
        clang_getInclusions(unit, see_inclusion, &search);
    return search.found ? search.offset : 0;
}

// A mistake in another file, shown where that is included.
static json_t *describe_elsewhere(const struct gcl_query *query, const struct gcl_diagnostic *d) {
    const struct gcl_view *view = query->view;
    uint32_t line, character, begin, end;
    gcl_line_table_locate(view->text, inclusion_of(view, d->path), &line, &character);
    gcl_line_table_line(view->text, line, &begin, &end);
    g_autofree char *name = g_path_get_basename(d->path);
    json_t *note = related(query, d);
    json_t *out = json_pack(
        "{s:o, s:i, s:s, s:o}", "range", gcl_line_table_range(view->text, begin, end), "severity",
        severity_of(d), "source", "clang", "message", json_sprintf("in %s: %s", name, d->message));
    if (note)
        json_object_set_new(out, "relatedInformation", json_pack("[o]", note));
    return out;
}

// A mistake in a template is one for all of its instances.
static bool is_repeated(const GPtrArray *messages, guint index) {
    assert(index < messages->len);
    const struct gcl_diagnostic *d = messages->pdata[index];
    for (guint i = 0; i < index; i++) {
        const struct gcl_diagnostic *other = messages->pdata[i];
        if (other->line == d->line && other->column == d->column &&
            other->severity == d->severity && g_strcmp0(other->path, d->path) == 0 &&
            strcmp(other->message, d->message) == 0)
            return true;
    }
    return false;
}

// Adds a list of messages; notes go to the message before them.
static void add_messages(const struct gcl_query *query, const GPtrArray *messages, json_t *list) {
    json_t *last = NULL;
    for (guint i = 0; i < messages->len && json_array_size(list) < SHOWN_MAX; i++) {
        const struct gcl_diagnostic *d = messages->pdata[i];
        if (d->severity != GCL_SEVERITY_NOTE) {
            last = is_repeated(messages, i)            ? NULL
                   : is_here(query->view, d->path)     ? describe(query, d)
                   : d->severity == GCL_SEVERITY_ERROR ? describe_elsewhere(query, d)
                                                       : NULL;
            if (last)
                json_array_append_new(list, last);
            continue;
        }
        json_t *note = last ? related(query, d) : NULL;
        json_t *notes = json_object_get(last, "relatedInformation");
        if (note && !notes)
            json_object_set_new(last, "relatedInformation", notes = json_array());
        if (note)
            json_array_append_new(notes, note);
    }
}

static json_t *list_all(const struct gcl_query *query) {
    json_t *list = json_array();
    if (gcl_view_is_fragment(query->view))
        return list; // what is wrong in it shows in the includer
    if (query->view->unit)
        add_messages(query, query->view->unit->messages, list);
    add_messages(query, query->view->messages, list);
    gcl_reasons_add(query, list);
    return list;
}

static json_t *files_of(const struct gcl_view *view) {
    json_t *files = json_array();
    for (guint i = 0; view->unit && i < view->unit->sources->len; i++) {
        const struct gcl_unit_file *source = view->unit->sources->pdata[i];
        json_array_append_new(files, gcl_json_text(source->path));
    }
    return files;
}

/// What the device pass has to read in place of files, path -> text.
static json_t *device_texts(const struct gcl_view *view) {
    json_t *texts = json_object();
    g_autoptr(GHashTable) rewritten = view->unit ? gcl_rewrite_device(view->unit) : NULL;
    GHashTableIter iterator;
    gpointer path, bytes;
    if (!rewritten)
        return texts;
    g_hash_table_iter_init(&iterator, rewritten);
    while (g_hash_table_iter_next(&iterator, &path, &bytes)) {
        gsize size;
        const char *data = g_bytes_get_data(bytes, &size);
        g_autofree char *text = g_strndup(data ? data : "", size);
        json_object_set_new(texts, path, gcl_json_text(text));
    }
    return texts;
}

json_t *gcl_feature_diagnose(const struct gcl_query *query) {
    struct gcl_view *view = query->view;
    bool read = gcl_view_read(query->worker, view);
    g_autofree char *shapes = read ? gcl_shapes_format(view->unit->shapes) : NULL;
    g_autofree char *pragmas = read ? gcl_pragmas_format(view->unit->pragmas) : NULL;
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:b}", "version", view->version, "diagnostics",
                     list_all(query), "shapes", gcl_json_text(shapes), "pragmas",
                     gcl_json_text(pragmas), "device", device_texts(view), "files", files_of(view),
                     "broken", !read || view->unit->has_errors);
}
