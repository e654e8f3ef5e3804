// Whatever goes to the editor goes through this file, but for answers that are passed on as they
// come.
#include "lsp/server/editor.h"

#include "lsp/base/json.h"

void gcl_editor_notify(const struct gcl_editor *editor, const char *method, json_t *params) {
    gcl_channel_send(editor->channel, gcl_rpc_notification(method, params));
}

void gcl_editor_request(struct gcl_editor *editor, const char *method, json_t *params) {
    json_t *id = json_integer(++editor->request_id);
    gcl_channel_send(editor->channel, gcl_rpc_request(id, method, params));
    json_decref(id);
}

void gcl_editor_reply(const struct gcl_editor *editor, json_t *id, json_t *result) {
    gcl_channel_send(editor->channel, gcl_rpc_result(id, result));
}

void gcl_editor_fail(const struct gcl_editor *editor, json_t *id, enum gcl_rpc_error code,
                     const char *text) {
    gcl_channel_send(editor->channel, gcl_rpc_failure(id, code, text));
}

void gcl_editor_pass(const struct gcl_editor *editor, GBytes *text) {
    gcl_channel_pass(editor->channel, text);
}

static void tell_user(const struct gcl_editor *editor, const char *method, enum gcl_log type,
                      const char *text) {
    gcl_editor_notify(editor, method,
                      json_pack("{s:i, s:o}", "type", (int)type, "message", gcl_json_text(text)));
}

void gcl_editor_log(const struct gcl_editor *editor, enum gcl_log type, const char *text) {
    tell_user(editor, "window/logMessage", type, text);
}

void gcl_editor_show(const struct gcl_editor *editor, enum gcl_log type, const char *text) {
    tell_user(editor, "window/showMessage", type, text);
}

void gcl_editor_refresh_lenses(struct gcl_editor *editor) {
    if (editor->can.refreshes_lenses)
        gcl_editor_request(editor, "workspace/codeLens/refresh", NULL);
}

void gcl_editor_refresh_colours(struct gcl_editor *editor) {
    if (editor->can.refreshes_colours)
        gcl_editor_request(editor, "workspace/semanticTokens/refresh", NULL);
}

void gcl_editor_report_progress(const struct gcl_editor *editor, const char *token, json_t *value) {
    gcl_editor_notify(editor, "$/progress",
                      json_pack("{s:s, s:o}", "token", token, "value", value));
}

void gcl_editor_begin_progress(struct gcl_editor *editor, const char *token, json_t *value) {
    gcl_editor_request(editor, "window/workDoneProgress/create",
                       json_pack("{s:s}", "token", token));
    gcl_editor_report_progress(editor, token, value);
}

void gcl_editor_end_progress(const struct gcl_editor *editor, const char *token) {
    gcl_editor_report_progress(editor, token, json_pack("{s:s}", "kind", "end"));
}
