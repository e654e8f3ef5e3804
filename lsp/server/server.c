// The editor's messages go through one table: methods, who handles each, and when it is allowed.
// What needs sources to be read is passed on to the child of the document's folder; what is said
// here comes from texts and settings alone.
#include "lsp/server/server.h"

#include <assert.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "lsp/base/scratch.h"
#include "lsp/features/features.h"
#include "lsp/server/documents.h"
#include "lsp/server/hints.h"
#include "lsp/server/index.h"
#include "lsp/server/lifecycle.h"
#include "lsp/server/requests.h"
#include "lsp/server/workspace.h"

// Methods.

enum when { FIRST, RUNNING, ALWAYS };

struct method {
    const char *name;
    enum gcl_rpc_kind kind;
    enum when when;
    void (*handle)(struct gcl_server *server, const struct gcl_rpc_message *message);
};

static const struct method methods[] = {
#define GCL_FEATURE(method, function, needs, position, asks)                                       \
    {method, GCL_RPC_REQUEST, RUNNING, gcl_requests_##asks},
#define GCL_SERVER(method, kind, when, handler) {method, GCL_RPC_##kind, when, gcl_##handler},
    GCL_METHODS(GCL_FEATURE, GCL_SERVER)
#undef GCL_FEATURE
#undef GCL_SERVER
};

static const struct method *find_method(const struct gcl_rpc_message *message) {
    for (size_t i = 0; i < G_N_ELEMENTS(methods); i++) {
        if (methods[i].kind == message->kind && strcmp(methods[i].name, message->method) == 0)
            return &methods[i];
    }
    return NULL;
}

// What is wrong with a method at this time, as a text; NULL: nothing is.
static const char *mistake_of(const struct gcl_server *server, enum when when,
                              enum gcl_rpc_error *code) {
    *code = GCL_RPC_INVALID_REQUEST;
    if (when == FIRST)
        return server->state == GCL_SERVER_STARTED ? NULL : "initialized already";
    if (when == ALWAYS || server->state == GCL_SERVER_RUNNING)
        return NULL;
    if (server->state == GCL_SERVER_SHUT_DOWN)
        return "shut down";
    *code = GCL_RPC_NOT_INITIALIZED;
    return "not initialized";
}

// Nobody waits for an answer to a notification: one that is unknown, or comes too early or too
// late, is left out.
static void handle(struct gcl_server *server, const struct gcl_rpc_message *message) {
    assert(message->kind == GCL_RPC_REQUEST || message->kind == GCL_RPC_NOTIFICATION);
    const struct method *method = find_method(message);
    enum gcl_rpc_error code;
    const char *mistake = mistake_of(server, method ? method->when : RUNNING, &code);
    if (!mistake && method)
        method->handle(server, message);
    else if (message->kind == GCL_RPC_REQUEST)
        gcl_editor_fail(&server->editor, message->id, mistake ? code : GCL_RPC_METHOD_NOT_FOUND,
                        mistake ? mistake : message->method);
}

static void receive(GBytes *text, void *context) {
    struct gcl_server *server = context;
    struct gcl_rpc_message message;
    if (!text) {
        gcl_lifecycle_exit(server, NULL);
        return;
    }
    gcl_rpc_parse(text, &message);
    if (message.kind == GCL_RPC_BAD)
        gcl_editor_fail(&server->editor, message.id, message.code, message.mistake);
    else if (message.kind == GCL_RPC_RESPONSE)
        gcl_workspace_answered(server, &message);
    else
        handle(server, &message);
    gcl_rpc_message_finish(&message);
}

// The process.

static gboolean end(void *data) {
    g_main_loop_quit(data);
    return G_SOURCE_CONTINUE;
}

static void reader_started(struct gcl_folder *folder, void *context) {
    (void)context;
    if (folder->index)
        gcl_index_tell(folder->index);
}

static void removes_file(struct gcl_file *file, void *context) {
    struct gcl_server *server = context;
    gcl_hints_stop(file);
    gcl_tidy_forget(&server->tidying, file);
}

static void finish(struct gcl_server *server) {
    gcl_workspace_close(server);
    gcl_scratch_remove(server->scratch);
    g_ptr_array_unref(server->folders);
    g_hash_table_unref(server->files);
    gcl_channel_flush(server->editor.channel);
    gcl_channel_destroy(server->editor.channel);
    g_free(server->scratch);
    g_free(server->tidying.said);
    close(server->lock);
    json_decref(server->settings);
    json_decref(server->trace);
    g_main_loop_unref(server->loop);
}

static void run(struct gcl_server *server) {
    guint signals[] = {g_unix_signal_add(SIGTERM, end, server->loop),
                       g_unix_signal_add(SIGINT, end, server->loop)};
    server->editor.channel =
        gcl_channel_create(dup(STDIN_FILENO), dup(STDOUT_FILENO), receive, server);
    dup2(STDERR_FILENO, STDOUT_FILENO); // nobody else shall write there
    g_main_loop_run(server->loop);
    for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
        g_source_remove(signals[i]);
}

int gcl_server_run(void) {
    struct gcl_server server = {
        .loop = g_main_loop_new(NULL, FALSE),
        .status = 1,
        .settings = json_object(),
        .handlers = {gcl_requests_answered, gcl_documents_diagnosed, reader_started, removes_file,
                     &server},
        .tidying = {.found = gcl_documents_tidied,
                    .elsewhere = gcl_documents_tidied_elsewhere,
                    .context = &server},
        .folders = g_ptr_array_new(),
        .files = g_hash_table_new(g_str_hash, g_str_equal),
    };
    server.scratch = gcl_scratch_create(&server.lock);
    if (!server.scratch)
        return 1;
    signal(SIGPIPE, SIG_IGN);
    run(&server);
    finish(&server);
    return server.status;
}
