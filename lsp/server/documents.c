// After each change of a text its file is diagnosed; when what that has found is about the text as
// it is and clang could read all of it, the device analysis is asked to explain its kernels.
#include "lsp/server/documents.h"

#include <assert.h>

#include "lsp/base/json.h"
#include "lsp/base/uri.h"
#include "lsp/server/command.h"
#include "lsp/server/hints.h"
#include "lsp/server/index.h"
#include "lsp/server/workspace.h"

enum { EDIT_PAUSE_MS = 30 }; // from an edit to its diagnosis

// Diagnostics and hints.

static void publish(struct gcl_server *server, const struct gcl_document *document,
                    json_t *diagnostics) {
    gcl_editor_notify(&server->editor, "textDocument/publishDiagnostics",
                      json_pack("{s:s, s:I, s:o}", "uri", document->uri, "version",
                                document->version, "diagnostics", diagnostics));
}

// What clang and we say of a text, and clang-tidy beside that.
static void publish_diagnosis(struct gcl_server *server, const struct gcl_file *file) {
    json_t *list = json_copy(json_object_get(file->diagnosis, "diagnostics"));
    json_t *remarks = gcl_tidy_remarks(file);
    json_array_extend(list, remarks);
    json_decref(remarks);
    publish(server, file->document, list);
}

static json_t *unreadable(void) {
    return json_pack("[{s:{s:{s:i, s:i}, s:{s:i, s:i}}, s:i, s:s, s:s, s:s}]", "range", "start",
                     "line", 0, "character", 0, "end", "line", 0, "character", 0, "severity", 1,
                     "source", "gcluster", "code", "GCL128", "message",
                     "clang crashes or hangs on this text; it is read again when it changes");
}

static void hints_found(struct gcl_file *file, json_t *kernels, const char *why, void *context) {
    struct gcl_server *server = context;
    if (!kernels) {
        g_autofree char *text = g_strdup_printf("no hints for %s: %s", file->document->path, why);
        gcl_editor_log(&server->editor, GCL_LOG_INFO, text);
        return;
    }
    gcl_folder_explain(file, kernels);
    gcl_folder_diagnose(file);
    gcl_editor_refresh_lenses(&server->editor);
}

static bool has_hints(const struct gcl_file *file) {
    return g_str_has_suffix(file->document->path, ".cu") &&
           json_is_false(json_object_get(file->diagnosis, "broken"));
}

static gboolean start_hints(void *data) {
    struct gcl_file *file = data;
    file->timer = 0;
    if (has_hints(file)) // no crash has taken the diagnosis away since the timer was set
        gcl_hints_start(file, hints_found, file->folder->handlers.context);
    return G_SOURCE_REMOVE;
}

static void set_timer(struct gcl_file *file, guint pause, GSourceFunc function) {
    if (file->timer)
        g_source_remove(file->timer);
    file->timer = g_timeout_add(pause, function, file);
}

// Whether the diagnosis is about the text as it is.
static bool is_diagnosed(const struct gcl_file *file) {
    json_t *version = json_object_get(file->diagnosis, "version");
    return file->is_known && json_integer_value(version) == file->document->version;
}

void gcl_documents_diagnosed(struct gcl_file *file, void *context) {
    struct gcl_server *server = context;
    if (!has_hints(file))
        gcl_hints_stop(file);
    if (!file->diagnosis) {
        publish(server, file->document, unreadable());
        return;
    }
    if (!is_diagnosed(file))
        return;
    publish_diagnosis(server, file);
    if (json_is_false(json_object_get(file->diagnosis, "broken")))
        gcl_tidy_await(&server->tidying, file);
    if (has_hints(file) && !file->is_explained) {
        file->is_explained = true;
        set_timer(file, 0, start_hints);
    }
}

void gcl_documents_tidied(struct gcl_file *file, void *context) {
    if (is_diagnosed(file))
        publish_diagnosis(context, file);
}

void gcl_documents_tidied_elsewhere(const char *path, void *context) {
    struct gcl_server *server = context;
    g_autofree char *uri = gcl_uri_of(path);
    GHashTableIter iterator;
    void *data;
    g_hash_table_iter_init(&iterator, server->files);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        if (g_strcmp0(((const struct gcl_file *)data)->document->path, path) == 0)
            return; // an open file has remarks of its own
    }
    gcl_editor_notify(&server->editor, "textDocument/publishDiagnostics",
                      json_pack("{s:s, s:o}", "uri", uri, "diagnostics",
                                gcl_tidy_remarks_elsewhere(server->files, path)));
}

static gboolean diagnose(void *data) {
    struct gcl_file *file = data;
    file->timer = 0;
    gcl_folder_diagnose(file);
    return G_SOURCE_REMOVE;
}

// Something that a file is made of has changed.
static void read_again(struct gcl_file *file, guint pause) {
    struct gcl_server *server = file->folder->handlers.context;
    gcl_hints_stop(file);
    gcl_tidy_stop(&server->tidying, file);
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

static void path_changed(struct gcl_server *server, const char *path, const struct gcl_file *but) {
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

// Documents.

struct gcl_file *gcl_documents_find(const struct gcl_server *server, const json_t *params) {
    const char *uri = gcl_document_uri(params);
    return uri ? g_hash_table_lookup(server->files, uri) : NULL;
}

static void open_file(struct gcl_server *server, struct gcl_document *document) {
    assert(document->path && !g_hash_table_contains(server->files, document->uri));
    struct gcl_folder *folder = gcl_workspace_of(server, document->path);
    gcl_inclusions_forget(folder->inclusions);
    struct gcl_file *file = gcl_folder_add(folder, document);
    g_hash_table_insert(server->files, document->uri, file);
    path_changed(server, document->path, file);
    read_again(file, 0);
    gcl_tidy_settle(&server->tidying, file);
}

// Gives the document back.
static struct gcl_document *close_file(struct gcl_server *server, struct gcl_file *file) {
    assert(g_hash_table_lookup(server->files, file->document->uri) == file);
    g_hash_table_remove(server->files, file->document->uri);
    return gcl_folder_remove(file);
}

void gcl_documents_open(struct gcl_server *server, const struct gcl_rpc_message *message) {
    const json_t *item = json_object_get(message->params, "textDocument");
    const char *uri = gcl_json_member(item, "uri");
    const json_t *text = json_object_get(item, "text");
    if (!uri || !json_is_string(text) || g_hash_table_contains(server->files, uri))
        return;
    json_int_t version = json_integer_value(json_object_get(item, "version"));
    struct gcl_document *document =
        gcl_document_create(uri, version, text, server->editor.can.encoding);
    if (document->path)
        open_file(server, document);
    else
        gcl_document_destroy(document);
}

void gcl_documents_change(struct gcl_server *server, const struct gcl_rpc_message *message) {
    struct gcl_file *file = gcl_documents_find(server, message->params);
    const json_t *item = json_object_get(message->params, "textDocument");
    json_int_t version = json_integer_value(json_object_get(item, "version"));
    if (!file)
        return;
    json_t *changes = json_object_get(message->params, "contentChanges");
    if (!gcl_document_change(file->document, version, changes)) {
        gcl_editor_log(&server->editor, GCL_LOG_ERROR, "a change of a text wasn't understood");
        changes = NULL;
    }
    gcl_folder_changed(file, changes);
    read_again(file, EDIT_PAUSE_MS);
    path_changed(server, file->document->path, file);
}

void gcl_documents_save(struct gcl_server *server, const struct gcl_rpc_message *message) {
    struct gcl_file *file = gcl_documents_find(server, message->params);
    if (file)
        gcl_tidy_settle(&server->tidying, file);
}

void gcl_documents_close(struct gcl_server *server, const struct gcl_rpc_message *message) {
    struct gcl_file *file = gcl_documents_find(server, message->params);
    if (!file)
        return;
    struct gcl_document *document = close_file(server, file);
    publish(server, document, gcl_tidy_remarks_elsewhere(server->files, document->path));
    path_changed(server, document->path, NULL);
    gcl_document_destroy(document);
}

// Includers.

static json_t *uri_or_null(const json_t *path) {
    g_autofree char *uri = json_is_string(path) ? gcl_uri_of(json_string_value(path)) : NULL;
    return uri ? json_string(uri) : json_null();
}

static json_t *describe_includers(const struct gcl_file *file) {
    json_t *command = gcl_command_of(file->folder, file->document->path), *path;
    json_t *list = json_array();
    size_t i;
    json_array_foreach(json_object_get(command, "includers"), i, path)
        json_array_append_new(list, uri_or_null(path));
    json_t *out = json_pack("{s:o, s:o}", "includer",
                            uri_or_null(json_object_get(command, "includer")), "includers", list);
    json_decref(command);
    return out;
}

static void choose_includer(struct gcl_server *server, struct gcl_file *file, const json_t *uri) {
    char *path = gcl_uri_path(json_string_value(uri));
    g_hash_table_replace(file->folder->includers, g_strdup(file->document->path),
                         path ? path : g_strdup(""));
    gcl_folder_changed(file, NULL);
    file->was_read = false;
    read_again(file, 0);
    gcl_editor_refresh_lenses(&server->editor);
}

void gcl_documents_include(struct gcl_server *server, const struct gcl_rpc_message *message) {
    struct gcl_file *file = gcl_documents_find(server, message->params);
    const json_t *choice = json_object_get(message->params, "includer");
    if (!file) {
        gcl_editor_fail(&server->editor, message->id, GCL_RPC_INVALID_PARAMS,
                        "no such document is open");
        return;
    }
    if (choice)
        choose_includer(server, file, choice);
    gcl_editor_reply(&server->editor, message->id, describe_includers(file));
}

// Files and folders.

static void reload_project(struct gcl_server *server, const char *path) {
    struct gcl_folder *folder = gcl_workspace_of(server, path);
    gcl_folder_reload(folder);
    if (folder->index)
        gcl_workspace_start(folder);
    for (guint i = 0; i < folder->files->len; i++)
        read_again(folder->files->pdata[i], EDIT_PAUSE_MS);
}

// A .clang-tidy has changed: other checks may be asked for, of any file.
static void check_again(struct gcl_server *server) {
    GHashTableIter iterator;
    void *data;
    g_hash_table_iter_init(&iterator, server->files);
    while (g_hash_table_iter_next(&iterator, NULL, &data)) {
        const struct gcl_file *file = data;
        gcl_tidy_forget(&server->tidying, data);
        if (file->diagnosis)
            gcl_documents_diagnosed(data, server);
    }
}

static void see_file(struct gcl_server *server, const char *uri, const char *path) {
    if (gcl_tidy_depends_on(path))
        check_again(server);
    if (gcl_project_depends_on(path))
        reload_project(server, path);
    else if (!g_hash_table_contains(server->files, uri)) // else the editor's text counts
        path_changed(server, path, NULL);
    struct gcl_folder *folder = gcl_workspace_of(server, path);
    gcl_inclusions_forget(folder->inclusions);
    if (folder->index)
        gcl_index_update(folder->index, path);
}

void gcl_documents_see_files(struct gcl_server *server, const struct gcl_rpc_message *message) {
    json_t *change;
    size_t i;
    json_array_foreach(json_object_get(message->params, "changes"), i, change) {
        const char *uri = gcl_json_member(change, "uri");
        g_autofree char *path = gcl_uri_path(uri);
        if (path)
            see_file(server, uri, path);
    }
}

static void remove_folder(struct gcl_server *server, struct gcl_folder *folder) {
    g_autoptr(GPtrArray) documents = g_ptr_array_new();
    while (folder->files->len > 0)
        g_ptr_array_add(documents, close_file(server, folder->files->pdata[0]));
    gcl_workspace_remove(server, folder);
    for (guint d = 0; d < documents->len; d++)
        open_file(server, documents->pdata[d]);
}

static struct gcl_folder *folder_at(const struct gcl_server *server, const char *path) {
    for (guint i = 0; i < server->folders->len; i++) {
        struct gcl_folder *folder = server->folders->pdata[i];
        if (g_strcmp0(folder->path, path) == 0)
            return folder;
    }
    return NULL;
}

void gcl_documents_see_folders(struct gcl_server *server, const struct gcl_rpc_message *message) {
    const json_t *event = json_object_get(message->params, "event");
    json_t *item;
    size_t i;
    json_array_foreach(json_object_get(event, "removed"), i, item) {
        g_autofree char *path = gcl_uri_path(gcl_json_member(item, "uri"));
        struct gcl_folder *folder = folder_at(server, path);
        if (folder)
            remove_folder(server, folder);
    }
    gcl_workspace_add_all(server, json_object_get(event, "added"));
}
