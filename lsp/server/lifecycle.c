// Folders are known from `initialize` on, but nothing is started before `initialized`, when the
// editor is ready to be told.
#include "lsp/server/lifecycle.h"

#include <assert.h>

#include "base/diagnostic.h"
#include "driver/options/installation.h"
#include "lsp/base/json.h"
#include "lsp/base/scratch.h"
#include "lsp/base/uri.h"
#include "lsp/server/workspace.h"

static void complain_of_installation(const struct gcl_server *server) {
    g_autoptr(GPtrArray) missing = gcl_diagnostics_create();
    struct gcl_installation installation;
    gcl_installation_init(&installation, missing);
    gcl_installation_finish(&installation);
    for (guint i = 0; i < missing->len; i++) {
        const struct gcl_diagnostic *d = missing->pdata[i];
        g_autofree char *text = g_strdup_printf("%s (%s)", d->message, d->help);
        gcl_editor_log(&server->editor, GCL_LOG_ERROR, text);
    }
}

void gcl_lifecycle_initialize(struct gcl_server *server, const struct gcl_rpc_message *message) {
    const json_t *params = message->params;
    json_t *folders = json_object_get(params, "workspaceFolders");
    assert(server->state == GCL_SERVER_STARTED && server->folders->len == 0);
    server->editor.can = gcl_capabilities_read(json_object_get(params, "capabilities"));
    gcl_workspace_set(server, json_object_get(params, "initializationOptions"));
    if (json_is_array(folders)) {
        gcl_workspace_add_all(server, folders);
    } else {
        const char *root = gcl_json_member(params, "rootPath");
        g_autofree char *path = gcl_uri_path(gcl_json_member(params, "rootUri"));
        if (path || root)
            gcl_workspace_add(server, path ? path : root);
    }
    server->state = GCL_SERVER_RUNNING;
    gcl_editor_reply(&server->editor, message->id, gcl_capabilities_answer(&server->editor.can));
    complain_of_installation(server);
}

void gcl_lifecycle_initialized(struct gcl_server *server, const struct gcl_rpc_message *message) {
    json_t *registrations = gcl_capabilities_registrations(&server->editor.can);
    (void)message;
    if (json_array_size(registrations) > 0)
        gcl_editor_request(&server->editor, "client/registerCapability",
                           json_pack("{s:O}", "registrations", registrations));
    json_decref(registrations);
    gcl_workspace_ask_settings(server);
    for (guint i = 0; i < server->folders->len; i++)
        gcl_workspace_start(server->folders->pdata[i]);
    server->is_initialized = true;
}

// Cleans up before it answers: some editors kill a server that has.
void gcl_lifecycle_shut_down(struct gcl_server *server, const struct gcl_rpc_message *message) {
    server->state = GCL_SERVER_SHUT_DOWN;
    gcl_workspace_close(server);
    gcl_scratch_remove(server->scratch);
    gcl_editor_reply(&server->editor, message->id, NULL);
}

void gcl_lifecycle_exit(struct gcl_server *server, const struct gcl_rpc_message *message) {
    (void)message;
    server->status = server->state == GCL_SERVER_SHUT_DOWN ? 0 : 1;
    g_main_loop_quit(server->loop);
}

void gcl_lifecycle_ignore(struct gcl_server *server, const struct gcl_rpc_message *message) {
    (void)server, (void)message;
}
