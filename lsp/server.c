// The editor's messages, each through one table. What needs sources to be read goes to the child of
// the document's folder; what is said here comes from texts and settings alone.
#include "server.h"

#include <glib-unix.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/diagnostic.h"
#include "capabilities.h"
#include "channel.h"
#include "config.h"
#include "features/features.h"
#include "folder.h"
#include "hints.h"
#include "index.h"
#include "scratch.h"
#include "tools.h"

enum { EDIT_PAUSE_MS = 30 }; // from an edit to its diagnosis

enum state { STARTED, RUNNING, SHUT_DOWN };

struct server {
    GMainLoop *loop;
    struct gcl_channel *editor;
    enum state state;
    bool is_initialized; // the editor has said so
    int status;
    json_int_t next_id;     // of our requests
    json_int_t settings_id; // of the last one for settings, 0: none
    struct gcl_editor abilities;
    json_t *settings;
    json_t *trace; // kernels of a run (trace.h) that launches show, or NULL
    char *scratch;
    int lock;           // of `scratch`
    GPtrArray *folders; // struct gcl_folder *
    GHashTable *files;  // URI -> struct gcl_file *
};

static void notify(struct server *server, const char *method, json_t *params) {
    gcl_channel_send(server->editor, gcl_rpc_notification(method, params));
}

static void request(struct server *server, const char *method, json_t *params) {
    json_t *id = json_integer(++server->next_id);
    gcl_channel_send(server->editor, gcl_rpc_request(id, method, params));
    json_decref(id);
}

// Takes `result`.
static void reply(struct server *server, json_t *id, json_t *result) {
    gcl_channel_send(server->editor, gcl_rpc_result(id, result));
}

static void fail(struct server *server, json_t *id, enum gcl_rpc_error code, const char *text) {
    gcl_channel_send(server->editor, gcl_rpc_failure(id, code, text));
}

static void log_message(enum gcl_log type, const char *text, void *context) {
    notify(context, "window/logMessage",
           json_pack("{s:i, s:o}", "type", (int)type, "message", gcl_json_text(text)));
}

// Diagnostics and hints.

static void publish(struct server *server, const struct gcl_file *file, json_t *diagnostics) {
    notify(server, "textDocument/publishDiagnostics",
           json_pack("{s:s, s:I, s:o}", "uri", file->document->uri, "version",
                     file->document->version, "diagnostics", diagnostics));
}

static json_t *unreadable(void) {
    return json_pack("[{s:{s:{s:i, s:i}, s:{s:i, s:i}}, s:i, s:s, s:s, s:s}]", "range", "start",
                     "line", 0, "character", 0, "end", "line", 0, "character", 0, "severity", 1,
                     "source", "gcluster", "code", "GCL128", "message",
                     "clang crashes or hangs on this text; it is read again when it changes");
}

static void hints_found(struct gcl_file *file, json_t *kernels, const char *why, void *context) {
    struct server *server = context;
    if (!kernels) {
        g_autofree char *text = g_strdup_printf("no hints for %s: %s", file->document->path, why);
        log_message(GCL_LOG_INFO, text, server);
        return;
    }
    gcl_folder_explain(file, kernels);
    gcl_folder_diagnose(file);
    if (server->abilities.refreshes_lenses)
        request(server, "workspace/codeLens/refresh", NULL);
}

static gboolean start_hints(void *data) {
    struct gcl_file *file = data;
    file->timer = 0;
    gcl_hints_start(file, hints_found, file->folder->handlers.context);
    return G_SOURCE_REMOVE;
}

static void set_timer(struct gcl_file *file, guint pause, GSourceFunc function) {
    if (file->timer)
        g_source_remove(file->timer);
    file->timer = g_timeout_add(pause, function, file);
}

static bool has_hints(const struct gcl_file *file) {
    return g_str_has_suffix(file->document->path, ".cu") &&
           json_is_false(json_object_get(file->diagnosis, "broken"));
}

static void diagnosed(struct gcl_file *file, void *context) {
    struct server *server = context;
    json_t *version = json_object_get(file->diagnosis, "version");
    if (!has_hints(file))
        gcl_hints_stop(file);
    if (!file->diagnosis) {
        publish(server, file, unreadable());
        return;
    }
    if (json_integer_value(version) != file->document->version || !file->is_known)
        return;
    publish(server, file, json_incref(json_object_get(file->diagnosis, "diagnostics")));
    if (has_hints(file) && !file->is_explained) {
        file->is_explained = true;
        set_timer(file, 0, start_hints);
    }
}

static gboolean diagnose(void *data) {
    struct gcl_file *file = data;
    file->timer = 0;
    gcl_folder_diagnose(file);
    if (has_hints(file)) // to judge by the text before this one
        gcl_hints_begin(file);
    return G_SOURCE_REMOVE;
}

// Something that a file is made of has changed.
static void read_again(struct gcl_file *file, guint pause) {
    gcl_hints_stop(file);
    file->is_explained = false;
    set_timer(file, pause, diagnose);
}

static bool is_made_of(const struct gcl_file *file, const char *path) {
    json_t *name;
    size_t i;
    json_array_foreach(json_object_get(file->diagnosis, "files"), i, name) {
        if (g_strcmp0(json_string_value(name), path) == 0)
            return true;
    }
    return false;
}

static void path_changed(struct server *server, const char *path, const struct gcl_file *but) {
    GHashTableIter iterator;
    void *data;
    g_hash_table_iter_init(&iterator, server->files);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        struct gcl_file *file = data;
        if (file != but && is_made_of(file, path)) {
            file->is_known = false; // the child has to look again
            read_again(file, EDIT_PAUSE_MS);
        }
    }
}

// Folders.

// Answers of all folders to one question: the last one sends them.
struct gathering {
    json_t *id;
    guint left;
    json_t *results;
    void (*send)(struct server *server, json_t *id, json_t *results); // takes the results
};

static void gather(struct server *server, struct gathering *gathering, json_t *result) {
    json_array_extend(gathering->results, result);
    if (--gathering->left > 0)
        return;
    gathering->send(server, gathering->id, gathering->results);
    json_decref(gathering->id);
    g_free(gathering);
}

static void answered(json_t *id, json_t *result, enum gcl_rpc_error code, const char *mistake,
                     void *context) {
    struct server *server = context;
    json_t *key = json_object_get(id, "gathering"); // no editor's id is an object
    json_t *shown = json_object_get(id, "shown");
    const char *text = shown ? gcl_json_member(result, "text") : NULL;
    if (key) {
        gather(server, (struct gathering *)(intptr_t)json_integer_value(key), result);
        return;
    }
    const char *warning = shown ? gcl_json_member(result, "warning") : NULL;
    if (text || warning)
        notify(server, "window/showMessage",
               json_pack("{s:i, s:s}", "type", (int)(text ? GCL_LOG_INFO : GCL_LOG_WARNING),
                         "message", text ? text : warning));
    if (shown)
        id = shown;
    if (shown && json_object_get(result, "edit"))
        result = json_object_get(result, "edit");
    if (mistake)
        fail(server, id, code, mistake);
    else
        reply(server, id, json_incref(result));
}

static void relayed(GBytes *text, void *context) {
    const struct server *server = context;
    gcl_channel_pass(server->editor, text);
}

static void recolour(void *context) {
    request(context, "workspace/semanticTokens/refresh", NULL);
}

static void report_progress(struct server *server, const char *token, json_t *value) {
    notify(server, "$/progress", json_pack("{s:s, s:o}", "token", token, "value", value));
}

// More is reported under the same token, until the end.
static void begin_progress(struct server *server, const char *token, json_t *value) {
    request(server, "window/workDoneProgress/create", json_pack("{s:s}", "token", token));
    report_progress(server, token, value);
}

static void end_progress(struct server *server, const char *token) {
    report_progress(server, token, json_pack("{s:s}", "kind", "end"));
}

static void waits(struct gcl_folder *folder, const char *what, void *context) {
    struct server *server = context;
    g_autofree char *token = g_strconcat("reader of ", folder->path, NULL);
    g_autofree char *text = g_strdup_printf("the reader of sources is still %s", what);
    if (!server->abilities.shows_progress && what)
        log_message(GCL_LOG_INFO, text, server);
    else if (what)
        begin_progress(server, token,
                       json_pack("{s:s, s:s, s:o}", "kind", "begin", "title", "CUDA", "message",
                                 gcl_json_text(what)));
    else if (server->abilities.shows_progress)
        end_progress(server, token);
}

static struct gcl_folder *add_folder(struct server *server, const char *path) {
    struct gcl_folder_handlers handlers = {
        .answered = answered,
        .relayed = relayed,
        .diagnosed = diagnosed,
        .recolour = server->abilities.refreshes_colours ? recolour : NULL,
        .log = log_message,
        .waits = waits,
        .context = server};
    struct gcl_folder *folder =
        gcl_folder_create(path, &server->abilities, server->scratch, &handlers);
    gcl_folder_configure(folder, server->settings);
    gcl_folder_trace(folder, server->trace);
    g_ptr_array_add(server->folders, folder);
    return folder;
}

static bool is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return g_str_has_prefix(path, folder) && (path[length] == '/' || folder[length - 1] == '/');
}

// The innermost folder that holds a path, or NULL.
static struct gcl_folder *find_folder(const struct server *server, const char *path) {
    struct gcl_folder *best = NULL;
    for (guint i = 0; i < server->folders->len; i++) {
        struct gcl_folder *folder = server->folders->pdata[i];
        if (is_below(path, folder->path) && (!best || strlen(folder->path) > strlen(best->path)))
            best = folder;
    }
    return best;
}

// A file in none makes one of where it lies.
static struct gcl_folder *folder_of(struct server *server, const char *path) {
    struct gcl_folder *found = find_folder(server, path);
    g_autofree char *own = g_path_get_dirname(path);
    return found ? found : add_folder(server, own);
}

static void index_progress(struct gcl_folder *folder, guint done, guint count) {
    struct server *server = folder->handlers.context;
    if (!server->abilities.shows_progress)
        return;
    if (!folder->shows_progress)
        begin_progress(
            server, folder->path,
            json_pack("{s:s, s:s, s:i}", "kind", "begin", "title", "Indexing", "percentage", 0));
    folder->shows_progress = done < count;
    if (folder->shows_progress)
        report_progress(server, folder->path,
                        json_pack("{s:s, s:o, s:i}", "kind", "report", "message",
                                  json_sprintf("%u/%u", done, count), "percentage",
                                  (int)(100 * done / count)));
    else
        end_progress(server, folder->path);
}

static void start_folder(struct gcl_folder *folder) {
    static const struct gcl_index_handlers handlers = {gcl_folder_index, index_progress};
    gcl_folder_start(folder);
    gcl_index_destroy(folder->index);
    folder->index = gcl_index_create(folder, &handlers);
}

static void add_folders(struct server *server, const json_t *list) {
    json_t *item;
    size_t i;
    json_array_foreach(list, i, item) {
        g_autofree char *path = gcl_uri_path(gcl_json_member(item, "uri"));
        struct gcl_folder *folder = path ? add_folder(server, path) : NULL;
        if (folder && server->is_initialized)
            start_folder(folder);
    }
}

// The document is the caller's then.
static struct gcl_document *close_file(struct server *server, struct gcl_file *file) {
    g_hash_table_remove(server->files, file->document->uri);
    return gcl_folder_remove(file);
}

static void open_file(struct server *server, struct gcl_document *document) {
    struct gcl_file *file = gcl_folder_add(folder_of(server, document->path), document);
    g_hash_table_insert(server->files, document->uri, file);
    path_changed(server, document->path, file);
    read_again(file, 0);
}

static void remove_folder(struct server *server, const char *path) {
    for (guint i = 0; i < server->folders->len; i++) {
        struct gcl_folder *folder = server->folders->pdata[i];
        g_autoptr(GPtrArray) documents = g_ptr_array_new();
        if (strcmp(folder->path, path) != 0)
            continue;
        while (folder->files->len > 0)
            g_ptr_array_add(documents, close_file(server, folder->files->pdata[0]));
        gcl_folder_destroy(folder);
        g_ptr_array_remove_index(server->folders, i);
        for (guint d = 0; d < documents->len; d++)
            open_file(server, documents->pdata[d]);
        return;
    }
}

// Notifications.

static void did_open(struct server *server, const json_t *params) {
    const json_t *item = json_object_get(params, "textDocument");
    const char *uri = gcl_json_member(item, "uri");
    const json_t *text = json_object_get(item, "text");
    if (!uri || !json_is_string(text) || g_hash_table_contains(server->files, uri))
        return;
    json_int_t version = json_integer_value(json_object_get(item, "version"));
    struct gcl_document *document =
        gcl_document_create(uri, version, text, server->abilities.encoding);
    if (document->path)
        open_file(server, document);
    else
        gcl_document_destroy(document);
}

static struct gcl_file *file_of(struct server *server, const json_t *params) {
    const char *uri = gcl_document_uri(params);
    return uri ? g_hash_table_lookup(server->files, uri) : NULL;
}

static void did_change(struct server *server, const json_t *params) {
    struct gcl_file *file = file_of(server, params);
    const json_t *version = json_object_get(json_object_get(params, "textDocument"), "version");
    if (!file)
        return;
    json_t *changes = json_object_get(params, "contentChanges");
    if (!gcl_document_change(file->document, json_integer_value(version), changes)) {
        log_message(GCL_LOG_ERROR, "a change of a text wasn't understood", server);
        changes = NULL;
    }
    gcl_folder_changed(file, changes);
    read_again(file, EDIT_PAUSE_MS);
    path_changed(server, file->document->path, file);
}

static void did_close(struct server *server, const json_t *params) {
    struct gcl_file *file = file_of(server, params);
    if (!file)
        return;
    publish(server, file, json_array());
    struct gcl_document *document = close_file(server, file);
    path_changed(server, document->path, NULL);
    gcl_document_destroy(document);
}

static void set_settings(struct server *server, const json_t *settings) {
    json_t *ours = json_object_get(settings, "gcluster");
    ours = ours ? ours : (json_t *)settings;
    if (!json_is_object(ours))
        return;
    json_incref(ours);
    json_decref(server->settings);
    server->settings = ours;
    for (guint i = 0; i < server->folders->len; i++)
        gcl_folder_configure(server->folders->pdata[i], ours);
}

static void refresh_lenses(struct server *server) {
    if (server->abilities.refreshes_lenses)
        request(server, "workspace/codeLens/refresh", NULL);
}

static void ask_settings(struct server *server) {
    if (!server->abilities.tells_settings)
        return;
    request(server, "workspace/configuration",
            json_pack("{s:[{s:s}]}", "items", "section", "gcluster"));
    server->settings_id = server->next_id;
}

// Editors send the settings, or only that there are new ones.
static void did_change_configuration(struct server *server, const json_t *params) {
    set_settings(server, json_object_get(params, "settings"));
    refresh_lenses(server);
    ask_settings(server);
}

static void handle_response(struct server *server, const struct gcl_rpc_message *message) {
    const json_t *settings = json_array_get(message->result, 0);
    if (!server->settings_id || json_integer_value(message->id) != server->settings_id ||
        !json_is_object(settings) || json_equal(settings, server->settings))
        return;
    set_settings(server, settings);
    refresh_lenses(server);
}

static void initialized(struct server *server, const json_t *params) {
    (void)params;
    json_t *registrations = gcl_capabilities_registrations(&server->abilities);
    if (json_array_size(registrations) > 0)
        request(server, "client/registerCapability",
                json_pack("{s:O}", "registrations", registrations));
    json_decref(registrations);
    ask_settings(server);
    for (guint i = 0; i < server->folders->len; i++)
        start_folder(server->folders->pdata[i]);
    server->is_initialized = true;
}

static void did_change_folders(struct server *server, const json_t *params) {
    const json_t *event = json_object_get(params, "event");
    json_t *item;
    size_t i;
    json_array_foreach(json_object_get(event, "removed"), i, item) {
        g_autofree char *path = gcl_uri_path(gcl_json_member(item, "uri"));
        if (path)
            remove_folder(server, path);
    }
    add_folders(server, json_object_get(event, "added"));
}

static void reload_project(struct server *server, const char *path) {
    struct gcl_folder *folder = folder_of(server, path);
    gcl_folder_reload(folder);
    if (folder->index)
        start_folder(folder);
    for (guint i = 0; i < folder->files->len; i++)
        read_again(folder->files->pdata[i], EDIT_PAUSE_MS);
}

static void did_change_files(struct server *server, const json_t *params) {
    json_t *change;
    size_t i;
    json_array_foreach(json_object_get(params, "changes"), i, change) {
        const char *uri = gcl_json_member(change, "uri");
        g_autofree char *path = gcl_uri_path(uri);
        if (path && gcl_project_depends_on(path))
            reload_project(server, path);
        else if (path &&
                 !g_hash_table_contains(server->files, uri)) // else the editor's text counts
            path_changed(server, path, NULL);
        if (path && folder_of(server, path)->index)
            gcl_index_update(folder_of(server, path)->index, path);
    }
}

static void cancel(struct server *server, const json_t *params) {
    const json_t *id = json_object_get(params, "id");
    for (guint i = 0; id && i < server->folders->len; i++) {
        if (gcl_folder_cancel(server->folders->pdata[i], id))
            return;
    }
}

static void leave(struct server *server, const json_t *params) {
    (void)params;
    server->status = server->state == SHUT_DOWN ? 0 : 1;
    g_main_loop_quit(server->loop);
}

static void ignore(struct server *server, const json_t *params) {
    (void)server, (void)params;
}

static void handle_notification(struct server *server, const struct gcl_rpc_message *message) {
    static const struct {
        const char *method;
        void (*handle)(struct server *, const json_t *params);
    } rows[] = {
        {"$/cancelRequest", cancel},
        {"$/setTrace", ignore},
        {"exit", leave},
        {"initialized", initialized},
        {"textDocument/didChange", did_change},
        {"textDocument/didClose", did_close},
        {"textDocument/didOpen", did_open},
        {"textDocument/didSave", ignore},
        {"workspace/didChangeConfiguration", did_change_configuration},
        {"workspace/didChangeWatchedFiles", did_change_files},
        {"workspace/didChangeWorkspaceFolders", did_change_folders},
    };
    bool leaves = strcmp(message->method, "exit") == 0;
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (strcmp(rows[i].method, message->method) == 0 && (leaves || server->state == RUNNING))
            rows[i].handle(server, message->params);
    }
}

// Requests.

static void complain_of_installation(struct server *server) {
    g_autoptr(GPtrArray) missing = gcl_diagnostics_create();
    struct gcl_installation installation;
    gcl_installation_init(&installation, missing);
    gcl_installation_finish(&installation);
    for (guint i = 0; i < missing->len; i++) {
        const struct gcl_diagnostic *d = missing->pdata[i];
        g_autofree char *text = g_strdup_printf("%s (%s)", d->message, d->help);
        log_message(GCL_LOG_ERROR, text, server);
    }
}

static void initialize(struct server *server, const struct gcl_rpc_message *message) {
    const json_t *params = message->params;
    json_t *folders = json_object_get(params, "workspaceFolders");
    if (server->state != STARTED) {
        fail(server, message->id, GCL_RPC_INVALID_REQUEST, "initialized already");
        return;
    }
    server->abilities = gcl_capabilities_read(json_object_get(params, "capabilities"));
    set_settings(server, json_object_get(params, "initializationOptions"));
    if (json_is_array(folders)) {
        add_folders(server, folders);
    } else {
        const char *root = gcl_json_member(params, "rootPath");
        g_autofree char *path = gcl_uri_path(gcl_json_member(params, "rootUri"));
        if (path || root)
            add_folder(server, path ? path : root);
    }
    server->state = RUNNING;
    reply(server, message->id, gcl_capabilities_answer(&server->abilities));
    complain_of_installation(server);
}

// Nothing is read any more, and no file is left.
static void close_folders(struct server *server) {
    for (guint i = 0; i < server->folders->len; i++)
        gcl_folder_destroy(server->folders->pdata[i]);
    g_ptr_array_set_size(server->folders, 0);
    g_hash_table_remove_all(server->files);
    gcl_scratch_remove(server->scratch);
}

// Some editors kill what has answered.
static void shut_down(struct server *server, const struct gcl_rpc_message *message) {
    server->state = SHUT_DOWN;
    close_folders(server);
    reply(server, message->id, NULL);
}

static bool is_feature(const char *method) {
    static const char *const methods[] = {
#define GCL_FEATURE(method, function, needs, position) method,
        GCL_FEATURES(GCL_FEATURE)
#undef GCL_FEATURE
            NULL};
    return g_strv_contains(methods, method);
}

// Nobody knows more of folds than the grammar.
static void fold(struct server *server, const struct gcl_rpc_message *message) {
    const struct gcl_file *file = file_of(server, message->params);
    json_t *folds = file ? gcl_glance_folds(file->folder->glance, file->document->text) : NULL;
    if (folds)
        reply(server, message->id, folds);
    else
        fail(server, message->id, file ? GCL_RPC_REQUEST_FAILED : GCL_RPC_INVALID_PARAMS,
             file ? "this text takes too long to parse" : "no such document is open");
}

static void ask_all_readers(struct server *server, const struct gcl_rpc_message *message,
                            void (*send)(struct server *, json_t *id, json_t *results)) {
    struct gathering *gathering = g_new(struct gathering, 1);
    *gathering =
        (struct gathering){json_incref(message->id), server->folders->len + 1, json_array(), send};
    json_t *key = json_pack("{s:I}", "gathering", (json_int_t)(intptr_t)gathering);
    for (guint i = 0; i < server->folders->len; i++)
        gcl_folder_ask_all(server->folders->pdata[i], key, message->method, message->params);
    json_decref(key);
    gather(server, gathering, NULL);
}

// Who calls a function of a closed file the index knows, or any folder's; whom it calls, the file.
static void ask_of_closed_file(struct server *server, const struct gcl_rpc_message *message) {
    g_autofree char *path = gcl_uri_path(gcl_document_uri(message->params));
    struct gcl_folder *folder = path ? find_folder(server, path) : NULL;
    bool is_incoming = strcmp(message->method, "callHierarchy/incomingCalls") == 0;
    if (!path)
        fail(server, message->id, GCL_RPC_INVALID_PARAMS, "no item of a file");
    else if (is_incoming && !folder)
        ask_all_readers(server, message, reply);
    else if (is_incoming)
        gcl_folder_ask_all(folder, message->id, message->method, message->params);
    else if (folder)
        gcl_folder_ask_closed(folder, path, message->id, message->method, message->params);
    else
        reply(server, message->id, json_array());
}

static void ask_reader(struct server *server, const struct gcl_rpc_message *message) {
    struct gcl_file *file = file_of(server, message->params);
    if (file)
        gcl_folder_ask(file, message->id, message->method, message->params);
    else if (g_str_has_prefix(message->method, "callHierarchy/"))
        ask_of_closed_file(server, message);
    else
        fail(server, message->id, GCL_RPC_INVALID_PARAMS, "no such document is open");
}

static void show_trace(struct server *server, json_t *kernels) {
    json_incref(kernels);
    json_decref(server->trace);
    server->trace = kernels;
    for (guint i = 0; i < server->folders->len; i++)
        gcl_folder_trace(server->folders->pdata[i], kernels);
    refresh_lenses(server);
}

// Every folder has read the same run, and has launches of its own.
static void send_trace(struct server *server, json_t *id, json_t *results) {
    json_t *first = json_array_get(results, 0), *other, *launches = json_array();
    const char *mistake = gcl_json_member(first, "mistake");
    size_t i;
    json_array_foreach(results, i, other)
        json_array_extend(launches, json_object_get(other, "launches"));
    if (mistake || !first) {
        fail(server, id, GCL_RPC_REQUEST_FAILED, mistake ? mistake : "nothing can read the trace");
    } else {
        json_object_set(first, "launches", launches);
        show_trace(server, json_object_get(first, "kernels"));
        reply(server, id, json_incref(first));
    }
    json_decref(launches);
    json_decref(results);
}

static void trace(struct server *server, const struct gcl_rpc_message *message) {
    const json_t *path = json_object_get(message->params, "path");
    if (json_is_string(path)) {
        ask_all_readers(server, message, send_trace);
    } else if (json_is_null(path)) {
        show_trace(server, NULL);
        reply(server, message->id,
              json_pack("{s:[], s:[], s:i}", "launches", "kernels", "total_ns", 0));
    } else {
        fail(server, message->id, GCL_RPC_INVALID_PARAMS, "path: a file's, or null");
    }
}

// Shows the user what the answer has to say, which an editor need not know of.
static void ask_and_show(struct server *server, json_t *id, const char *method, json_t *params) {
    struct gcl_file *file = file_of(server, params);
    json_t *shown = json_pack("{s:O}", "shown", id);
    if (file)
        gcl_folder_ask(file, shown, method, params);
    else
        fail(server, id, GCL_RPC_INVALID_PARAMS, "no such document is open");
    json_decref(shown);
}

static void rename_all(struct server *server, const struct gcl_rpc_message *message) {
    const struct gcl_file *file = file_of(server, message->params);
    const struct gcl_index *index = file ? file->folder->index : NULL;
    json_t *params = json_copy(message->params);
    json_object_set_new(params, "unread", json_integer(index ? gcl_index_unread(index) : 0));
    ask_and_show(server, message->id, message->method, params);
    json_decref(params);
}

static void handle_request(struct server *server, const struct gcl_rpc_message *message);

// Requests of our own for editors that know the protocol alone.
static void execute(struct server *server, const struct gcl_rpc_message *message) {
    const char *command = gcl_json_member(message->params, "command");
    json_t *first = json_array_get(json_object_get(message->params, "arguments"), 0);
    struct gcl_rpc_message own = *message;
    own.method = "gcluster/explain";
    if (g_strcmp0(command, "gcluster.trace") == 0) {
        own.method = "gcluster/trace";
        own.params = json_pack("{s:O?}", "path", first);
    } else if (g_strcmp0(command, "gcluster.explain") == 0) {
        own.params = first ? json_incref(first) : json_object();
    } else if (g_strcmp0(command, "gcluster.translatedLine") == 0) {
        ask_and_show(server, message->id, "gcluster/translated", first);
        return;
    } else {
        fail(server, message->id, GCL_RPC_INVALID_PARAMS, "no such command");
        return;
    }
    handle_request(server, &own);
    json_decref(own.params);
}

static void handle_request(struct server *server, const struct gcl_rpc_message *message) {
    if (strcmp(message->method, "initialize") == 0)
        initialize(server, message);
    else if (server->state == STARTED)
        fail(server, message->id, GCL_RPC_NOT_INITIALIZED, "not initialized");
    else if (server->state == SHUT_DOWN)
        fail(server, message->id, GCL_RPC_INVALID_REQUEST, "shut down");
    else if (strcmp(message->method, "shutdown") == 0)
        shut_down(server, message);
    else if (strcmp(message->method, "textDocument/rename") == 0)
        rename_all(server, message);
    else if (is_feature(message->method))
        ask_reader(server, message);
    else if (strcmp(message->method, "textDocument/foldingRange") == 0)
        fold(server, message);
    else if (strcmp(message->method, "workspace/symbol") == 0)
        ask_all_readers(server, message, reply);
    else if (strcmp(message->method, "gcluster/trace") == 0)
        trace(server, message);
    else if (strcmp(message->method, "workspace/executeCommand") == 0)
        execute(server, message);
    else
        fail(server, message->id, GCL_RPC_METHOD_NOT_FOUND, message->method);
}

static void receive(GBytes *text, void *context) {
    struct server *server = context;
    struct gcl_rpc_message message;
    if (!text) {
        leave(server, NULL);
        return;
    }
    gcl_rpc_parse(text, &message);
    if (message.kind == GCL_RPC_BAD)
        fail(server, message.id, message.code, message.mistake);
    else if (message.kind == GCL_RPC_REQUEST)
        handle_request(server, &message);
    else if (message.kind == GCL_RPC_NOTIFICATION)
        handle_notification(server, &message);
    else if (message.kind == GCL_RPC_RESPONSE)
        handle_response(server, &message);
    gcl_rpc_message_finish(&message);
}

// The process.

static gboolean end(void *data) {
    g_main_loop_quit(data);
    return G_SOURCE_CONTINUE;
}

static void finish(struct server *server) {
    close_folders(server);
    g_ptr_array_unref(server->folders);
    g_hash_table_unref(server->files);
    gcl_channel_flush(server->editor);
    gcl_channel_destroy(server->editor);
    g_free(server->scratch);
    close(server->lock);
    json_decref(server->settings);
    json_decref(server->trace);
    g_main_loop_unref(server->loop);
}

int gcl_server_run(void) {
    struct server server = {
        .loop = g_main_loop_new(NULL, FALSE),
        .status = 1,
        .settings = json_object(),
        .folders = g_ptr_array_new(),
        .files = g_hash_table_new(g_str_hash, g_str_equal),
    };
    server.scratch = gcl_scratch_create(&server.lock);
    if (!server.scratch)
        return 1;
    signal(SIGPIPE, SIG_IGN);
    guint signals[] = {g_unix_signal_add(SIGTERM, end, server.loop),
                       g_unix_signal_add(SIGINT, end, server.loop)};
    server.editor = gcl_channel_create(dup(STDIN_FILENO), dup(STDOUT_FILENO), receive, &server);
    dup2(STDERR_FILENO, STDOUT_FILENO); // nobody else shall write there
    g_main_loop_run(server.loop);
    for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
        g_source_remove(signals[i]);
    finish(&server);
    return server.status;
}
