// A view's session with clang lives as long as its command line; what was read in it is forgotten
// with the text, or when a file that the text is made of has changed.
#include "lsp/read/view.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "base/diagnostic.h"
#include "driver/commands.h"
#include "driver/options/command_line.h"
#include "lsp/base/document.h"
#include "lsp/base/json.h"
#include "project/reading.h"

enum { SOURCE_SIZE_MAX = 64 << 20 };

static void forget_reading(struct gcl_view *view) {
    g_clear_pointer(&view->unit, gcl_unit_destroy);
    g_clear_pointer(&view->occurrences, g_array_unref);
    g_clear_pointer(&view->unknown_names, g_array_unref);
    g_clear_pointer(&view->symbols, json_decref);
    g_ptr_array_set_size(view->messages, 0);
    view->is_current = false;
}

void gcl_view_forget_completion(struct gcl_view *view) {
    struct gcl_completed *completed = g_steal_pointer(&view->completed);
    if (!completed)
        return;
    clang_disposeCodeCompleteResults(completed->results);
    g_bytes_unref(completed->text);
    g_free(completed);
}

void gcl_view_destroy(struct gcl_view *view) {
    if (!view)
        return;
    forget_reading(view);
    gcl_view_forget_completion(view);
    gcl_session_destroy(view->session);
    gcl_line_table_destroy(view->text);
    gcl_line_table_destroy(view->analysed);
    g_ptr_array_unref(view->messages);
    g_ptr_array_unref(view->words);
    json_decref(view->kernels);
    json_decref(view->spreads);
    json_decref(view->tokens);
    json_decref(view->includers);
    g_hash_table_unref(view->before);
    g_free(view->includer);
    g_free(view->directory);
    g_free(view->path);
    g_free(view->uri);
    g_free(view);
}

static struct gcl_view *view_create(const char *uri) {
    struct gcl_view *view = g_new0(struct gcl_view, 1);
    view->uri = g_strdup(uri);
    view->messages = gcl_diagnostics_create();
    view->words = g_ptr_array_new_with_free_func(g_free);
    view->before =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);
    return view;
}

GArray *gcl_view_overlays(const struct gcl_worker *worker, const struct gcl_view *view) {
    GArray *overlays = g_array_new(FALSE, FALSE, sizeof(struct gcl_overlay));
    GHashTableIter iterator;
    void *path, *data;
    g_hash_table_iter_init(&iterator, worker->views);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        const struct gcl_view *other = data;
        assert(other->path && other->text);
        struct gcl_overlay overlay = {other->path, other->text->bytes};
        if (!g_hash_table_contains(view->before, other->path))
            g_array_append_val(overlays, overlay);
    }
    g_hash_table_iter_init(&iterator, view->before);
    while (g_hash_table_iter_next(&iterator, &path, &data)) {
        struct gcl_overlay overlay = {path, data};
        g_array_append_val(overlays, overlay);
    }
    return overlays;
}

static bool same_words(const GPtrArray *a, const json_t *b) {
    bool same = a->len == json_array_size(b);
    for (guint i = 0; same && i < a->len; i++)
        same = g_strcmp0(a->pdata[i], json_string_value(json_array_get(b, i))) == 0;
    return same;
}

// Takes the command line over; another one than before makes another session.
static void set_words(struct gcl_view *view, const char *directory, const json_t *words) {
    json_t *word;
    size_t i;
    if (g_strcmp0(view->directory, directory) == 0 && same_words(view->words, words))
        return;
    gcl_view_forget_completion(view);
    gcl_session_destroy(view->session);
    view->session = NULL;
    g_free(view->directory);
    view->directory = g_strdup(directory);
    g_ptr_array_set_size(view->words, 0);
    json_array_foreach(words, i, word)
        g_ptr_array_add(view->words, g_strdup(json_string_value(word)));
}

// Takes over how the file is compiled, of an update or of what `index` has.
static void set_command(struct gcl_view *view, const json_t *params) {
    const char *path;
    json_t *text;
    set_words(view, gcl_json_member(params, "directory"), json_object_get(params, "words"));
    g_free(view->includer);
    view->includer = g_strdup(gcl_json_member(params, "includer"));
    json_decref(view->includers);
    view->includers = json_incref(json_object_get(params, "includers"));
    g_hash_table_remove_all(view->before);
    json_object_foreach(json_object_get(params, "before"), path, text)
        g_hash_table_replace(view->before, g_strdup(path),
                             g_bytes_new(json_string_value(text), json_string_length(text)));
}

static bool is_made_of(const struct gcl_view *view, const char *path) {
    return !view->unit || gcl_unit_find(view->unit, path) != NULL;
}

// A new text of a file changes all views that include the file.
static void forget_readings(struct gcl_worker *worker, const char *path) {
    GHashTableIter iterator;
    void *data;
    g_hash_table_iter_init(&iterator, worker->views);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        struct gcl_view *view = data;
        if (is_made_of(view, path))
            view->is_current = false;
        view->has_new_files |= strcmp(view->path, path) != 0; // it may include it since
    }
}

// The text that an update makes; NULL if its changes can't be understood.
static struct gcl_line_table *new_text(const struct gcl_worker *worker, const struct gcl_view *view,
                                       const json_t *params) {
    const json_t *changes = json_object_get(params, "changes");
    const json_t *text = json_object_get(params, "text");
    if (changes)
        return view->text ? gcl_document_changed_text(view->text, changes) : NULL;
    g_autoptr(GBytes) bytes = g_bytes_new(json_string_value(text), json_string_length(text));
    return gcl_line_table_create(bytes, worker->encoding);
}

bool gcl_view_update(struct gcl_worker *worker, const json_t *params) {
    const char *uri = gcl_json_member(params, "uri");
    assert(uri && gcl_json_member(params, "path"));
    struct gcl_view *view = g_hash_table_lookup(worker->views, uri);
    if (!view) {
        view = view_create(uri);
        g_hash_table_insert(worker->views, view->uri, view);
    }
    struct gcl_line_table *text = new_text(worker, view, params);
    if (!text)
        return false;
    view->has_new_files |= view->text && g_bytes_equal(text->bytes, view->text->bytes);
    gcl_line_table_destroy(view->text);
    view->text = text;
    if (view->analysed)
        gcl_line_table_compare(view->analysed, text, &view->kept_before, &view->kept_behind);
    g_free(view->path);
    view->path = g_strdup(gcl_json_member(params, "path"));
    view->version = json_integer_value(json_object_get(params, "version"));
    set_command(view, params);
    forget_readings(worker, view->path);
    view->is_current = false;
    return true;
}

struct gcl_view *gcl_view_open_closed(const struct gcl_worker *worker, const char *uri,
                                      const json_t *params) {
    const char *path = gcl_json_member(params, "path");
    gsize size;
    char *text = path ? gcl_reading_file(path, SOURCE_SIZE_MAX, &size) : NULL;
    if (!text)
        return NULL;
    g_autoptr(GBytes) bytes = g_bytes_new_take(text, size);
    struct gcl_view *view = view_create(uri);
    view->is_closed = true;
    view->path = g_strdup(path);
    view->text = gcl_line_table_create(bytes, worker->encoding);
    set_command(view, params);
    return view;
}

void gcl_view_explain(struct gcl_view *view, json_t *kernels) {
    assert(view->text);
    json_decref(view->kernels);
    g_clear_pointer(&view->spreads, json_decref);
    gcl_line_table_destroy(view->analysed);
    view->kernels = json_incref(kernels);
    view->analysed = gcl_line_table_create(view->text->bytes, view->text->encoding);
    gcl_line_table_compare(view->analysed, view->text, &view->kept_before, &view->kept_behind);
}

// Reading.

// Headers are read as CUDA, each as if it was a source.
static enum gcl_language language_of(const char *path) {
    enum gcl_language language = gcl_options_language_of(path);
    return language == GCL_LANGUAGE_NONE ? GCL_LANGUAGE_CUDA : language;
}

GPtrArray *gcl_view_arguments(const struct gcl_installation *installation, const char *path,
                              const GPtrArray *words, GPtrArray *messages) {
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (guint i = 0; i < words->len; i++)
        g_ptr_array_add(all, words->pdata[i]);
    if (gcl_options_language_of(path) == GCL_LANGUAGE_NONE) {
        g_ptr_array_add(all, (char *)"-x");
        g_ptr_array_add(all, (char *)"cu");
    }
    g_ptr_array_add(all, (char *)path);
    g_ptr_array_add(all, NULL);
    struct gcl_options *options = gcl_command_line_parse((const char *const *)all->pdata, messages);
    struct gcl_input input = {path, language_of(path)};
    struct gcl_compilation compilation = {
        .options = options, .installation = installation, .input = &input};
    GPtrArray *arguments = gcl_command_parse(&compilation);
    if (!g_str_has_suffix(path, ".cu"))
        g_ptr_array_add(arguments, g_strdup("-Wno-pragma-once-outside-header"));
    g_ptr_array_add(arguments, g_strdup("--no-default-config")); // one could lie in the folder
    g_ptr_array_add(arguments, g_strdup("-fretain-comments-from-system-headers"));
    g_ptr_array_add(arguments, NULL);
    gcl_options_destroy(options);
    return arguments;
}

static void create_session(struct gcl_worker *worker, struct gcl_view *view) {
    assert(!view->session && !view->unit);
    g_autoptr(GPtrArray) arguments =
        gcl_view_arguments(&worker->installation, view->path, view->words, view->messages);
    struct gcl_parse_options options = {
        .path = view->path,
        .arguments = (const char *const *)arguments->pdata,
        .records = true,
    };
    view->session = gcl_session_create(&options, !view->is_closed);
}

bool gcl_view_read(struct gcl_worker *worker, struct gcl_view *view) {
    assert(view->text && view->path);
    if (view->is_current)
        return view->unit != NULL;
    forget_reading(view);
    bool is_other = view->has_new_files;
    if (is_other)
        gcl_view_forget_completion(view);
    view->has_new_files = false;
    if (view->directory && chdir(view->directory) != 0)
        g_info("no folder '%s'", view->directory);
    if (!view->session)
        create_session(worker, view);
    if (is_other)
        gcl_session_forget_headers(view->session);
    view->is_warm = gcl_session_translation(view->session) != NULL;
    g_autoptr(GArray) overlays = gcl_view_overlays(worker, view);
    if (gcl_session_read(view->session, (const struct gcl_overlay *)(void *)overlays->data,
                         overlays->len, view->messages))
        view->unit = gcl_session_unit(view->session, view->messages);
    view->is_current = true;
    assert(!view->occurrences && !view->symbols);
    return view->unit != NULL;
}

// clang notes at a brace in another file where it misses the end.
bool gcl_view_is_fragment(const struct gcl_view *view) {
    const GPtrArray *messages = view->includer && view->unit ? view->unit->messages : NULL;
    for (guint i = 0; messages && i < messages->len; i++) {
        const struct gcl_diagnostic *d = messages->pdata[i];
        if (d->severity == GCL_SEVERITY_NOTE && d->path &&
            g_hash_table_contains(view->before, d->path) &&
            g_str_has_prefix(d->message, "to match this '{'"))
            return true;
    }
    return false;
}

bool gcl_view_ready(struct gcl_worker *worker, struct gcl_view *view) {
    return (view->session && gcl_session_translation(view->session)) || gcl_view_read(worker, view);
}
