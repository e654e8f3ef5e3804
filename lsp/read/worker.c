// One request at a time, from first to last: what is worth asking, and in which order, is decided
// by the server.
#include "lsp/read/worker.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/diagnostic.h"
#include "lsp/base/document.h"
#include "lsp/base/json.h"
#include "lsp/read/entry.h"

enum { PAUSE_MS = 200 }; // in which nobody asks, before there is time for what nobody has asked for

// Requests.

const struct gcl_feature *gcl_feature_find(const struct gcl_feature *features, const char *method) {
    for (; features->method; features++) {
        if (strcmp(features->method, method) == 0)
            return features;
    }
    return NULL;
}

static json_t *answer_feature(const struct gcl_feature *feature, struct gcl_query *query,
                              json_t *id) {
    assert(query->view || (feature->needs == GCL_NEEDS_FOLDER && !feature->takes_position));
    if (feature->takes_position &&
        !gcl_line_table_offset_of(query->view->text, json_object_get(query->params, "position"),
                                  &query->offset))
        return gcl_rpc_failure(id, GCL_RPC_INVALID_PARAMS, "no position");
    bool reads = feature->needs == GCL_NEEDS_TREE || feature->needs == GCL_NEEDS_TREES;
    if (reads && !gcl_view_read(query->worker, query->view))
        return gcl_rpc_failure(id, GCL_RPC_REQUEST_FAILED, "clang can't read this file");
    g_autofree char *mistake = NULL;
    enum gcl_rpc_error code = GCL_RPC_REQUEST_FAILED;
    query->mistake = &mistake;
    query->code = &code;
    json_t *result = feature->answer(query);
    assert(!mistake || !result);
    return mistake ? gcl_rpc_failure(id, code, mistake) : gcl_rpc_result(id, result);
}

static json_t *index_file(struct gcl_worker *worker, const json_t *params) {
    struct gcl_view *view = gcl_view_open_closed(worker, NULL, params);
    json_t *entry = view && gcl_view_read(worker, view) ? gcl_entry_create(view) : NULL;
    gcl_view_destroy(view);
    return entry;
}

static json_t *answer_closed(const struct gcl_feature *feature, struct gcl_query *query,
                             const char *uri, json_t *id) {
    query->view =
        gcl_view_open_closed(query->worker, uri, json_object_get(query->params, "closed"));
    if (!query->view)
        return gcl_rpc_failure(id, GCL_RPC_REQUEST_FAILED, "this file can't be read");
    json_t *answer = answer_feature(feature, query, id);
    gcl_view_destroy(query->view);
    return answer;
}

static json_t *answer(struct gcl_worker *worker, const struct gcl_feature *features,
                      const struct gcl_rpc_message *message) {
    const char *uri = gcl_document_uri(message->params);
    struct gcl_query query = {.worker = worker, .params = message->params};
    if (strcmp(message->method, "index") == 0)
        return gcl_rpc_result(message->id, index_file(worker, message->params));
    const struct gcl_feature *feature = gcl_feature_find(features, message->method);
    if (!feature)
        return gcl_rpc_failure(message->id, GCL_RPC_METHOD_NOT_FOUND, message->method);
    query.view = uri ? g_hash_table_lookup(worker->views, uri) : NULL;
    if (query.view || feature->needs == GCL_NEEDS_FOLDER)
        return answer_feature(feature, &query, message->id);
    if (json_object_get(message->params, "closed"))
        return answer_closed(feature, &query, uri, message->id);
    return gcl_rpc_failure(message->id, GCL_RPC_INVALID_PARAMS, "no such document");
}

static void configure(struct gcl_worker *worker, const json_t *params) {
    gcl_encoding_parse(gcl_json_member(params, "encoding"), &worker->encoding);
    worker->confirms = json_is_true(json_object_get(params, "confirms"));
    worker->explains_refusals = json_is_true(json_object_get(params, "refusals"));
    worker->snippets = json_is_true(json_object_get(params, "snippets"));
    json_decref(worker->settings);
    worker->settings = json_incref(json_object_get(params, "settings"));
    json_decref(worker->trace);
    worker->trace = json_incref(json_object_get(params, "trace"));
}

static void update(struct gcl_worker *worker, const json_t *params) {
    if (!gcl_view_update(worker, params)) // the server starts another one, and tells it all of it
        exit(1);
}

static void explained(struct gcl_worker *worker, const json_t *params) {
    struct gcl_view *view = g_hash_table_lookup(worker->views, gcl_json_member(params, "uri"));
    if (view)
        gcl_view_explain(view, json_object_get(params, "kernels"));
}

static void close_view(struct gcl_worker *worker, const json_t *params) {
    g_hash_table_remove(worker->views, gcl_json_member(params, "uri"));
}

static void indexed(struct gcl_worker *worker, const json_t *params) {
    g_hash_table_replace(worker->index, g_strdup(gcl_json_member(params, "path")),
                         json_copy((json_t *)params));
}

static void notify(struct gcl_worker *worker, const struct gcl_rpc_message *message) {
    static const struct {
        const char *method;
        void (*take)(struct gcl_worker *, const json_t *params);
    } rows[] = {{"close", close_view},
                {"configure", configure},
                {"explained", explained},
                {"indexed", indexed},
                {"update", update}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (strcmp(rows[i].method, message->method) == 0)
            rows[i].take(worker, message->params);
    }
}

static bool handle(struct gcl_worker *worker, const struct gcl_feature *features,
                   const struct gcl_rpc_message *message) {
    if (message->kind == GCL_RPC_NOTIFICATION)
        notify(worker, message);
    if (message->kind != GCL_RPC_REQUEST)
        return true;
    return gcl_rpc_write(STDOUT_FILENO, answer(worker, features, message));
}

static bool take_messages(struct gcl_worker *worker, const struct gcl_feature *features,
                          struct gcl_rpc_reader *reader) {
    struct gcl_rpc_message message;
    bool good = true;
    while (good && gcl_rpc_next(reader, &message) == GCL_RPC_MESSAGE) {
        good = handle(worker, features, &message);
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

// clang makes a preamble of the headers, and gathers the names that all completions have in common,
// when it reads a text again; until then each edit and completion takes several times as long.
static void warm_up(struct gcl_worker *worker) {
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    struct gcl_view *view;
    while ((view = find_cold(worker)) && poll(&in, 1, PAUSE_MS) == 0) {
        view->is_current = false;
        assert(!view->is_closed);
        gcl_view_read(worker, view);
    }
}

static void entry_free(void *entry) {
    json_decref(entry);
}

static void view_free(void *view) {
    gcl_view_destroy(view);
}

int gcl_worker_run(const struct gcl_feature *features) {
    struct gcl_worker worker = {
        .glance = gcl_glance_create(),
        .views = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, view_free),
        .index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, entry_free)};
    struct gcl_rpc_reader reader = {0};
    g_autoptr(GPtrArray) missing = gcl_diagnostics_create();
    char bytes[65536];
    ssize_t size;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    gcl_installation_init(&worker.installation, missing);
    while ((size = read_some(bytes, sizeof bytes)) > 0) {
        gcl_rpc_feed(&reader, bytes, (size_t)size);
        if (!take_messages(&worker, features, &reader))
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
