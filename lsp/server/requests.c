// A question to a reader has the editor's number, and then its answer is passed on as it comes; or
// an object, if something is done with the answer before: {"gathering": address} of a question to
// all folders, {"shown": number} of one whose answer the user is shown.
#include "lsp/server/requests.h"

#include <assert.h>
#include <string.h>

#include "lsp/base/json.h"
#include "lsp/base/uri.h"
#include "lsp/server/documents.h"
#include "lsp/server/index.h"
#include "lsp/server/workspace.h"

// Answers.

// Answers of all folders to one question: the last one sends them.
struct gathering {
    json_t *id;
    guint left;
    json_t *results;
    void (*send)(struct gcl_server *server, json_t *id, json_t *results); // takes the results
};

static void gather(struct gcl_server *server, struct gathering *gathering, json_t *result) {
    assert(gathering->left > 0);
    json_array_extend(gathering->results, result);
    if (--gathering->left > 0)
        return;
    gathering->send(server, gathering->id, gathering->results);
    json_decref(gathering->id);
    g_free(gathering);
}

static void send_answer(const struct gcl_editor *editor, json_t *id, json_t *result,
                        enum gcl_rpc_error code, const char *mistake) {
    if (mistake)
        gcl_editor_fail(editor, id, code, mistake);
    else
        gcl_editor_reply(editor, id, json_incref(result));
}

// Shows the user an answer's text or warning; returns what is left for the editor: of a rename the
// edit.
static json_t *show(const struct gcl_editor *editor, json_t *result) {
    const char *text = gcl_json_member(result, "text");
    const char *warning = gcl_json_member(result, "warning");
    json_t *edit = json_object_get(result, "edit");
    if (text || warning)
        gcl_editor_show(editor, text ? GCL_LOG_INFO : GCL_LOG_WARNING, text ? text : warning);
    return edit ? edit : result;
}

void gcl_requests_answered(json_t *id, json_t *result, enum gcl_rpc_error code, const char *mistake,
                           void *context) {
    assert(id && (!result || !mistake));
    struct gcl_server *server = context;
    const json_t *key = json_object_get(id, "gathering"); // no editor's id is an object
    json_t *shown = json_object_get(id, "shown");
    if (key)
        gather(server, (struct gathering *)(intptr_t)json_integer_value(key), result);
    else if (shown)
        send_answer(&server->editor, shown, show(&server->editor, result), code, mistake);
    else
        send_answer(&server->editor, id, result, code, mistake);
}

// Questions.

static void refuse_closed(const struct gcl_server *server, json_t *id) {
    gcl_editor_fail(&server->editor, id, GCL_RPC_INVALID_PARAMS, "no such document is open");
}

void gcl_requests_ask(struct gcl_server *server, const struct gcl_rpc_message *message) {
    struct gcl_file *file = gcl_documents_find(server, message->params);
    if (file)
        gcl_folder_ask(file, message->id, message->method, message->params);
    else
        refuse_closed(server, message->id);
}

static void ask_readers(struct gcl_server *server, const struct gcl_rpc_message *message,
                        void (*send)(struct gcl_server *, json_t *id, json_t *results)) {
    struct gathering *gathering = g_new(struct gathering, 1);
    *gathering =
        (struct gathering){json_incref(message->id), server->folders->len + 1, json_array(), send};
    json_t *key = json_pack("{s:I}", "gathering", (json_int_t)(intptr_t)gathering);
    for (guint i = 0; i < server->folders->len; i++)
        gcl_folder_ask_all(server->folders->pdata[i], key, message->method, message->params);
    json_decref(key);
    gather(server, gathering, NULL);
}

static void send_list(struct gcl_server *server, json_t *id, json_t *results) {
    gcl_editor_reply(&server->editor, id, results);
}

void gcl_requests_ask_all(struct gcl_server *server, const struct gcl_rpc_message *message) {
    ask_readers(server, message, send_list);
}

// The path of a function that lies in no open file, to be freed; NULL if the request is answered.
static char *closed_path(struct gcl_server *server, const struct gcl_rpc_message *message) {
    struct gcl_file *file = gcl_documents_find(server, message->params);
    if (file) {
        gcl_folder_ask(file, message->id, message->method, message->params);
        return NULL;
    }
    char *path = gcl_uri_path(gcl_document_uri(message->params));
    if (!path)
        gcl_editor_fail(&server->editor, message->id, GCL_RPC_INVALID_PARAMS, "no item of a file");
    return path;
}

// The folder's index knows the callers; of a function in no folder, such as a system header's, any
// folder's does.
void gcl_requests_ask_callers(struct gcl_server *server, const struct gcl_rpc_message *message) {
    g_autofree char *path = closed_path(server, message);
    struct gcl_folder *folder = path ? gcl_workspace_find(server, path) : NULL;
    if (folder)
        gcl_folder_ask_all(folder, message->id, message->method, message->params);
    else if (path)
        gcl_requests_ask_all(server, message);
}

void gcl_requests_ask_callees(struct gcl_server *server, const struct gcl_rpc_message *message) {
    g_autofree char *path = closed_path(server, message);
    struct gcl_folder *folder = path ? gcl_workspace_find(server, path) : NULL;
    if (folder)
        gcl_folder_ask_closed(folder, path, message->id, message->method, message->params);
    else if (path)
        gcl_editor_reply(&server->editor, message->id, json_array());
}

// Asks a reader, whose answer has a text for the user that the editor need not know of.
static void ask_and_show(struct gcl_server *server, json_t *id, const char *method,
                         json_t *params) {
    struct gcl_file *file = gcl_documents_find(server, params);
    json_t *shown = json_pack("{s:O}", "shown", id);
    if (file)
        gcl_folder_ask(file, shown, method, params);
    else
        refuse_closed(server, id);
    json_decref(shown);
}

void gcl_requests_ask_rename(struct gcl_server *server, const struct gcl_rpc_message *message) {
    const struct gcl_file *file = gcl_documents_find(server, message->params);
    const struct gcl_index *index = file ? file->folder->index : NULL;
    json_t *params = json_copy(message->params);
    json_object_set_new(params, "unread", json_integer(index ? gcl_index_unread(index) : 0));
    ask_and_show(server, message->id, message->method, params);
    json_decref(params);
}

// Every folder has read the same run, and has launches of its own.
static void send_trace(struct gcl_server *server, json_t *id, json_t *results) {
    json_t *first = json_array_get(results, 0), *other, *launches = json_array();
    const char *mistake = gcl_json_member(first, "mistake");
    size_t i;
    json_array_foreach(results, i, other)
        json_array_extend(launches, json_object_get(other, "launches"));
    if (mistake || !first) {
        gcl_editor_fail(&server->editor, id, GCL_RPC_REQUEST_FAILED,
                        mistake ? mistake : "nothing can read the trace");
    } else {
        json_object_set(first, "launches", launches);
        gcl_workspace_show_trace(server, json_object_get(first, "kernels"));
        gcl_editor_reply(&server->editor, id, json_incref(first));
    }
    json_decref(launches);
    json_decref(results);
}

void gcl_requests_trace(struct gcl_server *server, const struct gcl_rpc_message *message) {
    const json_t *path = json_object_get(message->params, "path");
    if (json_is_string(path)) {
        ask_readers(server, message, send_trace);
    } else if (json_is_null(path)) {
        gcl_workspace_show_trace(server, NULL);
        gcl_editor_reply(&server->editor, message->id,
                         json_pack("{s:[], s:[], s:i}", "launches", "kernels", "total_ns", 0));
    } else {
        gcl_editor_fail(&server->editor, message->id, GCL_RPC_INVALID_PARAMS,
                        "path: a file's, or null");
    }
}

void gcl_requests_fold(struct gcl_server *server, const struct gcl_rpc_message *message) {
    const struct gcl_file *file = gcl_documents_find(server, message->params);
    json_t *folds = file ? gcl_glance_folds(file->folder->glance, file->document->text) : NULL;
    if (folds)
        gcl_editor_reply(&server->editor, message->id, folds);
    else if (file)
        gcl_editor_fail(&server->editor, message->id, GCL_RPC_REQUEST_FAILED,
                        "this text takes too long to parse");
    else
        refuse_closed(server, message->id);
}

void gcl_requests_execute(struct gcl_server *server, const struct gcl_rpc_message *message) {
    const char *command = gcl_json_member(message->params, "command");
    json_t *first = json_array_get(json_object_get(message->params, "arguments"), 0);
    struct gcl_rpc_message own = *message;
    if (g_strcmp0(command, "gcluster.trace") == 0) {
        own.method = "gcluster/trace";
        own.params = json_pack("{s:O?}", "path", first);
        gcl_requests_trace(server, &own);
        json_decref(own.params);
    } else if (g_strcmp0(command, "gcluster.explain") == 0) {
        own.method = "gcluster/explain";
        own.params = first;
        gcl_requests_ask(server, &own);
    } else if (g_strcmp0(command, "gcluster.includer") == 0) {
        own.params = first;
        gcl_documents_include(server, &own);
    } else if (g_strcmp0(command, "gcluster.translatedLine") == 0) {
        ask_and_show(server, message->id, "gcluster/translated", first);
    } else {
        gcl_editor_fail(&server->editor, message->id, GCL_RPC_INVALID_PARAMS, "no such command");
    }
}

void gcl_requests_cancel(struct gcl_server *server, const struct gcl_rpc_message *message) {
    const json_t *id = json_object_get(message->params, "id");
    for (guint i = 0; id && i < server->folders->len; i++) {
        if (gcl_folder_cancel(server->folders->pdata[i], id))
            return;
    }
}
