// One request at a time, from first to last: what is worth asking, and in which order, is decided
// by the server.
#include "worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/diagnostic.h"
#include "base/shape.h"
#include "commands.h"
#include "document.h"
#include "entry.h"
#include "features/completion.h"
#include "features/features.h"
#include "occurrences.h"
#include "options.h"
#include "reading.h"

enum {
    PAUSE_MS = 200, // in which nobody asks, before there is time for what nobody has asked for
    SOURCE_SIZE_MAX = 64 << 20,
};

// Views.

static void forget_reading(struct gcl_view *view) {
    gcl_unit_destroy(view->unit);
    gcl_occurrences_destroy(view->occurrences);
    g_clear_pointer(&view->symbols, json_decref);
    view->unit = NULL;
    view->occurrences = NULL;
    g_ptr_array_set_size(view->messages, 0);
    view->is_current = false;
}

static void view_destroy(void *data) {
    struct gcl_view *view = data;
    forget_reading(view);
    gcl_completion_forget(view);
    gcl_session_destroy(view->session);
    gcl_lines_destroy(view->text);
    gcl_lines_destroy(view->analysed);
    g_ptr_array_unref(view->messages);
    g_ptr_array_unref(view->words);
    json_decref(view->kernels);
    json_decref(view->spreads);
    json_decref(view->tokens);
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
    return view;
}

GArray *gcl_worker_overlays(const struct gcl_worker *worker) {
    GArray *overlays = g_array_new(FALSE, FALSE, sizeof(struct gcl_overlay));
    GHashTableIter iterator;
    void *data;
    g_hash_table_iter_init(&iterator, worker->views);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        const struct gcl_view *view = data;
        struct gcl_overlay overlay = {view->path, view->text->bytes};
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
    gcl_completion_forget(view);
    gcl_session_destroy(view->session);
    view->session = NULL;
    g_free(view->directory);
    view->directory = g_strdup(directory);
    g_ptr_array_set_size(view->words, 0);
    json_array_foreach(words, i, word)
        g_ptr_array_add(view->words, g_strdup(json_string_value(word)));
}

static bool is_made_of(const struct gcl_view *view, const char *path) {
    return !view->unit || gcl_unit_find(view->unit, path) != NULL;
}

// A new text of one file changes all that include it.
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

// NULL if it can't be known.
static struct gcl_lines *new_text(const struct gcl_worker *worker, const struct gcl_view *view,
                                  const json_t *params) {
    const json_t *changes = json_object_get(params, "changes");
    const json_t *text = json_object_get(params, "text");
    if (changes)
        return view->text ? gcl_document_changed_text(view->text, changes) : NULL;
    g_autoptr(GBytes) bytes = g_bytes_new(json_string_value(text), json_string_length(text));
    return gcl_lines_create(bytes, worker->encoding);
}

static void update(struct gcl_worker *worker, const json_t *params) {
    const char *uri = gcl_json_member(params, "uri");
    struct gcl_view *view = g_hash_table_lookup(worker->views, uri);
    if (!view) {
        view = view_create(uri);
        g_hash_table_insert(worker->views, view->uri, view);
    }
    struct gcl_lines *text = new_text(worker, view, params);
    if (!text) // the server starts another one, and tells it all of it
        exit(1);
    view->has_new_files |= view->text && g_bytes_equal(text->bytes, view->text->bytes);
    gcl_lines_destroy(view->text);
    view->text = text;
    g_free(view->path);
    view->path = g_strdup(gcl_json_member(params, "path"));
    view->version = json_integer_value(json_object_get(params, "version"));
    set_words(view, gcl_json_member(params, "directory"), json_object_get(params, "words"));
    forget_readings(worker, view->path);
    view->is_current = false;
}

// Reading.

// Headers are read as CUDA, each as if it was a source.
static enum gcl_language language_of(const char *path) {
    enum gcl_language language = gcl_language_of(path);
    return language == GCL_LANGUAGE_NONE ? GCL_LANGUAGE_CUDA : language;
}

// What clang gets for the view's command line. Mistakes in that go to the view's messages.
static GPtrArray *clang_arguments(const struct gcl_worker *worker, struct gcl_view *view) {
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    for (guint i = 0; i < view->words->len; i++)
        g_ptr_array_add(words, view->words->pdata[i]);
    if (gcl_language_of(view->path) == GCL_LANGUAGE_NONE) {
        g_ptr_array_add(words, (char *)"-x");
        g_ptr_array_add(words, (char *)"cu");
    }
    g_ptr_array_add(words, view->path);
    g_ptr_array_add(words, NULL);
    struct gcl_options *options =
        gcl_options_parse((const char *const *)words->pdata, view->messages);
    struct gcl_input input = {view->path, language_of(view->path)};
    struct gcl_compilation compilation = {
        .options = options, .installation = &worker->installation, .input = &input};
    GPtrArray *arguments = gcl_command_parse(&compilation);
    if (!g_str_has_suffix(view->path, ".cu"))
        g_ptr_array_add(arguments, g_strdup("-Wno-pragma-once-outside-header"));
    g_ptr_array_add(arguments, g_strdup("--no-default-config")); // one could lie in the folder
    g_ptr_array_add(arguments, g_strdup("-fretain-comments-from-system-headers"));
    g_ptr_array_add(arguments, NULL);
    gcl_options_destroy(options);
    return arguments;
}

static void create_session(struct gcl_worker *worker, struct gcl_view *view) {
    g_autoptr(GPtrArray) arguments = clang_arguments(worker, view);
    struct gcl_parse_options options = {
        .path = view->path,
        .arguments = (const char *const *)arguments->pdata,
        .records = true,
    };
    view->session = gcl_session_create(&options, !view->is_closed);
}

bool gcl_worker_read(struct gcl_worker *worker, struct gcl_view *view) {
    if (view->is_current)
        return view->unit != NULL;
    forget_reading(view);
    if (view->has_new_files)
        gcl_completion_forget(view);
    view->has_new_files = false;
    if (view->directory && chdir(view->directory) != 0)
        g_info("no folder '%s'", view->directory);
    if (!view->session)
        create_session(worker, view);
    view->is_warm = gcl_session_translation(view->session) != NULL;
    g_autoptr(GArray) overlays = gcl_worker_overlays(worker);
    if (gcl_session_read(view->session, (const struct gcl_overlay *)(void *)overlays->data,
                         overlays->len, view->messages))
        view->unit = gcl_session_unit(view->session, view->messages);
    view->is_current = true;
    return view->unit != NULL;
}

bool gcl_worker_ready(struct gcl_worker *worker, struct gcl_view *view) {
    return (view->session && gcl_session_translation(view->session)) ||
           gcl_worker_read(worker, view);
}

// Requests.

static json_t *files_of(const struct gcl_view *view) {
    json_t *files = json_array();
    for (guint i = 0; view->unit && i < view->unit->sources->len; i++) {
        const struct gcl_source *source = view->unit->sources->pdata[i];
        json_array_append_new(files, gcl_json_text(source->path));
    }
    return files;
}

static json_t *diagnose(struct gcl_worker *worker, struct gcl_view *view) {
    bool read = gcl_worker_read(worker, view);
    struct gcl_query query = {.worker = worker, .view = view};
    g_autofree char *shapes = read ? gcl_shapes_format(view->unit->shapes) : NULL;
    g_autofree char *pragmas = read ? gcl_pragmas_format(view->unit->pragmas) : NULL;
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:b}", "version", view->version, "diagnostics",
                     gcl_feature_diagnostics(&query), "shapes", gcl_json_text(shapes), "pragmas",
                     gcl_json_text(pragmas), "files", files_of(view), "broken",
                     !read || view->unit->has_errors);
}

struct row {
    const char *method;
    json_t *(*answer)(const struct gcl_query *);
    enum gcl_feature_need needs;
    bool takes_position;
};

static const struct row *find_row(const char *method) {
    static const struct row rows[] = {
#define GCL_FEATURE(method, function, needs, position)                                             \
    {method, gcl_feature_##function, GCL_NEEDS_##needs, position},
        GCL_FEATURES(GCL_FEATURE)
#undef GCL_FEATURE
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (strcmp(rows[i].method, method) == 0)
            return &rows[i];
    }
    return NULL;
}

static json_t *answer_feature(const struct row *row, struct gcl_query *query, json_t *id) {
    if (row->takes_position &&
        !gcl_lines_offset_of(query->view->text, json_object_get(query->params, "position"),
                             &query->offset))
        return gcl_rpc_failure(id, GCL_RPC_INVALID_PARAMS, "no position");
    if (row->needs == GCL_NEEDS_TREE && !gcl_worker_read(query->worker, query->view))
        return gcl_rpc_failure(id, GCL_RPC_REQUEST_FAILED, "clang can't read this file");
    g_autofree char *mistake = NULL;
    enum gcl_rpc_error code = GCL_RPC_REQUEST_FAILED;
    query->mistake = &mistake;
    query->code = &code;
    json_t *result = row->answer(query);
    return mistake ? gcl_rpc_failure(id, code, mistake) : gcl_rpc_result(id, result);
}

// A source as it lies on disk; NULL if it can't be read.
static struct gcl_view *view_closed(const struct gcl_worker *worker, const char *uri,
                                    const json_t *params) {
    const char *path = gcl_json_member(params, "path");
    char *text;
    gsize size;
    if (!path || !(text = gcl_reading_file(path, SOURCE_SIZE_MAX, &size)))
        return NULL;
    g_autoptr(GBytes) bytes = g_bytes_new_take(text, size);
    struct gcl_view *view = view_create(uri);
    view->is_closed = true;
    view->path = g_strdup(path);
    view->text = gcl_lines_create(bytes, worker->encoding);
    set_words(view, gcl_json_member(params, "directory"), json_object_get(params, "words"));
    return view;
}

static json_t *index_file(struct gcl_worker *worker, const json_t *params) {
    struct gcl_view *view = view_closed(worker, NULL, params);
    json_t *entry = view && gcl_worker_read(worker, view) ? gcl_entry_create(view) : NULL;
    if (view)
        view_destroy(view);
    return entry;
}

static json_t *answer_closed(const struct row *row, struct gcl_query *query, const char *uri,
                             json_t *id) {
    query->view = view_closed(query->worker, uri, json_object_get(query->params, "closed"));
    if (!query->view)
        return gcl_rpc_failure(id, GCL_RPC_REQUEST_FAILED, "this file can't be read");
    json_t *answer = answer_feature(row, query, id);
    view_destroy(query->view);
    return answer;
}

static json_t *answer(struct gcl_worker *worker, const struct gcl_rpc_message *message) {
    const char *uri = gcl_document_uri(message->params);
    const struct row *row = find_row(message->method);
    struct gcl_query query = {.worker = worker, .params = message->params};
    query.view = uri ? g_hash_table_lookup(worker->views, uri) : NULL;
    if (strcmp(message->method, "index") == 0)
        return gcl_rpc_result(message->id, index_file(worker, message->params));
    if (strcmp(message->method, "workspace/symbol") == 0)
        return gcl_rpc_result(message->id, gcl_feature_workspace_symbols(&query));
    if (strcmp(message->method, "gcluster/trace") == 0)
        return gcl_rpc_result(message->id, gcl_feature_trace(&query));
    if (!query.view && row && row->answer == gcl_feature_incoming_calls)
        return gcl_rpc_result(message->id, row->answer(&query));
    if (!query.view && row && json_object_get(message->params, "closed"))
        return answer_closed(row, &query, uri, message->id);
    if (!query.view)
        return gcl_rpc_failure(message->id, GCL_RPC_INVALID_PARAMS, "no such document");
    if (strcmp(message->method, "diagnose") == 0)
        return gcl_rpc_result(message->id, diagnose(worker, query.view));
    if (!row)
        return gcl_rpc_failure(message->id, GCL_RPC_METHOD_NOT_FOUND, message->method);
    return answer_feature(row, &query, message->id);
}

static void configure(struct gcl_worker *worker, const json_t *params) {
    gcl_encoding_parse(gcl_json_member(params, "encoding"), &worker->encoding);
    worker->confirms = json_is_true(json_object_get(params, "confirms"));
    json_decref(worker->settings);
    worker->settings = json_incref(json_object_get(params, "settings"));
    json_decref(worker->trace);
    worker->trace = json_incref(json_object_get(params, "trace"));
}

static void explained(struct gcl_worker *worker, const json_t *params) {
    struct gcl_view *view = g_hash_table_lookup(worker->views, gcl_json_member(params, "uri"));
    if (!view)
        return;
    json_decref(view->kernels);
    g_clear_pointer(&view->spreads, json_decref);
    gcl_lines_destroy(view->analysed);
    view->kernels = json_incref(json_object_get(params, "kernels"));
    view->analysed = gcl_lines_create(view->text->bytes, worker->encoding);
}

static void indexed(struct gcl_worker *worker, const json_t *params) {
    g_hash_table_replace(worker->index, g_strdup(gcl_json_member(params, "path")),
                         json_copy((json_t *)params));
}

static void entry_free(void *entry) {
    json_decref(entry);
}

static void notify(struct gcl_worker *worker, const struct gcl_rpc_message *message) {
    if (strcmp(message->method, "update") == 0)
        update(worker, message->params);
    else if (strcmp(message->method, "configure") == 0)
        configure(worker, message->params);
    else if (strcmp(message->method, "explained") == 0)
        explained(worker, message->params);
    else if (strcmp(message->method, "indexed") == 0)
        indexed(worker, message->params);
    else if (strcmp(message->method, "close") == 0)
        g_hash_table_remove(worker->views, gcl_json_member(message->params, "uri"));
}

static bool handle(struct gcl_worker *worker, const struct gcl_rpc_message *message) {
    if (message->kind == GCL_RPC_NOTIFICATION)
        notify(worker, message);
    if (message->kind != GCL_RPC_REQUEST)
        return true;
    return gcl_rpc_write(STDOUT_FILENO, answer(worker, message));
}

static bool take_messages(struct gcl_worker *worker, struct gcl_rpc_reader *reader) {
    struct gcl_rpc_message message;
    bool good = true;
    while (good && gcl_rpc_next(reader, &message) == GCL_RPC_MESSAGE) {
        good = handle(worker, &message);
        gcl_rpc_message_finish(&message);
    }
    return good;
}

// clang's handlers of signals interrupt what waits.
static ssize_t read_some(char *bytes, size_t count) {
    ssize_t size;
    do
        size = read(STDIN_FILENO, bytes, count);
    while (size < 0 && errno == EINTR);
    return size;
}

static struct gcl_view *find_cold(const struct gcl_worker *worker) {
    GHashTableIter iterator;
    void *data;
    g_hash_table_iter_init(&iterator, worker->views);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        struct gcl_view *view = data;
        if (view->is_current && view->unit && !view->is_warm)
            return view;
    }
    return NULL;
}

// clang gathers the names that all completions have in common when it reads a text again; until
// then each completion takes several times as long.
static void warm_up(struct gcl_worker *worker) {
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    struct gcl_view *view;
    while ((view = find_cold(worker)) && poll(&in, 1, PAUSE_MS) == 0) {
        view->is_current = false;
        gcl_worker_read(worker, view);
    }
}

int gcl_worker_run(void) {
    struct gcl_worker worker = {
        .glance = gcl_glance_create(),
        .views = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, view_destroy),
        .index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, entry_free)};
    struct gcl_rpc_reader reader = {0};
    g_autoptr(GPtrArray) missing = gcl_diagnostics_create();
    char bytes[65536];
    ssize_t size;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    gcl_installation_init(&worker.installation, missing);
    while ((size = read_some(bytes, sizeof bytes)) > 0) {
        gcl_rpc_feed(&reader, bytes, (size_t)size);
        if (!take_messages(&worker, &reader))
            break;
        warm_up(&worker);
    }
    gcl_rpc_reader_finish(&reader);
    gcl_glance_destroy(worker.glance);
    g_hash_table_unref(worker.views);
    g_hash_table_unref(worker.index);
    gcl_installation_finish(&worker.installation);
    json_decref(worker.settings);
    json_decref(worker.trace);
    return 0;
}
