// A folder is added when the editor names it, or when a file is opened that lies in none; files
// belong to the innermost folder around them.
#include "lsp/server/workspace.h"

#include <assert.h>
#include <string.h>

#include "lsp/base/json.h"
#include "lsp/base/uri.h"
#include "lsp/server/index.h"

// Folders.

struct gcl_folder *gcl_workspace_add(struct gcl_server *server, const char *path) {
    struct gcl_folder *folder =
        gcl_folder_create(path, &server->editor, server->scratch, &server->handlers);
    gcl_folder_configure(folder, server->settings);
    gcl_folder_trace(folder, server->trace);
    g_ptr_array_add(server->folders, folder);
    return folder;
}

struct gcl_folder *gcl_workspace_find(const struct gcl_server *server, const char *path) {
    struct gcl_folder *best = NULL;
    for (guint i = 0; i < server->folders->len; i++) {
        struct gcl_folder *folder = server->folders->pdata[i];
        if (gcl_uri_is_below(path, folder->path) &&
            (!best || strlen(folder->path) > strlen(best->path)))
            best = folder;
    }
    return best;
}

struct gcl_folder *gcl_workspace_of(struct gcl_server *server, const char *path) {
    struct gcl_folder *found = gcl_workspace_find(server, path);
    g_autofree char *own = g_path_get_dirname(path);
    return found ? found : gcl_workspace_add(server, own);
}

static void show_progress(struct gcl_folder *folder, guint done, guint count) {
    struct gcl_editor *editor = folder->editor;
    assert(done <= count);
    if (!editor->can.shows_progress)
        return;
    if (!folder->shows_progress)
        gcl_editor_begin_progress(
            editor, folder->path,
            json_pack("{s:s, s:s, s:i}", "kind", "begin", "title", "Indexing", "percentage", 0));
    folder->shows_progress = done < count;
    if (folder->shows_progress)
        gcl_editor_report_progress(editor, folder->path,
                                   json_pack("{s:s, s:o, s:i}", "kind", "report", "message",
                                             json_sprintf("%u/%u", done, count), "percentage",
                                             (int)(100 * done / count)));
    else
        gcl_editor_end_progress(editor, folder->path);
}

void gcl_workspace_start(struct gcl_folder *folder) {
    static const struct gcl_index_handlers handlers = {gcl_folder_index, show_progress};
    gcl_folder_start(folder);
    gcl_index_destroy(folder->index);
    folder->index = gcl_index_create(folder, &handlers);
}

void gcl_workspace_add_all(struct gcl_server *server, const json_t *list) {
    json_t *item;
    size_t i;
    json_array_foreach(list, i, item) {
        g_autofree char *path = gcl_uri_path(gcl_json_member(item, "uri"));
        struct gcl_folder *folder = path ? gcl_workspace_add(server, path) : NULL;
        if (folder && server->is_initialized)
            gcl_workspace_start(folder);
    }
}

static void destroy(struct gcl_folder *folder) {
    gcl_index_destroy(g_steal_pointer(&folder->index));
    gcl_folder_destroy(folder);
}

void gcl_workspace_remove(struct gcl_server *server, struct gcl_folder *folder) {
    assert(folder->files->len == 0);
    g_ptr_array_remove(server->folders, folder);
    destroy(folder);
}

void gcl_workspace_close(struct gcl_server *server) {
    g_queue_clear(&server->tidying.waiting); // else each would be begun when another one ends
    g_hash_table_remove_all(server->files);  // nobody shall find those that go
    for (guint i = 0; i < server->folders->len; i++)
        destroy(server->folders->pdata[i]);
    g_ptr_array_set_size(server->folders, 0);
}

// Settings.

void gcl_workspace_set(struct gcl_server *server, const json_t *settings) {
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

void gcl_workspace_ask_settings(struct gcl_server *server) {
    if (!server->editor.can.tells_settings)
        return;
    gcl_editor_request(&server->editor, "workspace/configuration",
                       json_pack("{s:[{s:s}]}", "items", "section", "gcluster"));
    server->settings_id = server->editor.request_id;
}

// Editors send the settings, or only that there are new ones.
void gcl_workspace_configure(struct gcl_server *server, const struct gcl_rpc_message *message) {
    gcl_workspace_set(server, json_object_get(message->params, "settings"));
    gcl_editor_refresh_lenses(&server->editor);
    gcl_workspace_ask_settings(server);
}

void gcl_workspace_answered(struct gcl_server *server, const struct gcl_rpc_message *message) {
    const json_t *settings = json_array_get(message->result, 0);
    if (!server->settings_id || json_integer_value(message->id) != server->settings_id ||
        !json_is_object(settings) || json_equal(settings, server->settings))
        return;
    gcl_workspace_set(server, settings);
    gcl_editor_refresh_lenses(&server->editor);
}

void gcl_workspace_show_trace(struct gcl_server *server, json_t *kernels) {
    json_incref(kernels);
    json_decref(server->trace);
    server->trace = kernels;
    for (guint i = 0; i < server->folders->len; i++)
        gcl_folder_trace(server->folders->pdata[i], kernels);
    gcl_editor_refresh_lenses(&server->editor);
}
