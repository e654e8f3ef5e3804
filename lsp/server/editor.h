// The editor at the other end: what it can, and what is said to it.
#ifndef GCL_LSP_EDITOR_H
#define GCL_LSP_EDITOR_H

#include "lsp/base/channel.h"
#include "lsp/server/capabilities.h"

struct gcl_editor {
    struct gcl_channel *channel;
    struct gcl_abilities can;
    json_int_t request_id; ///< of the last request that it was sent, 0: none yet
};

/// Types of LSP's messages to the user.
enum gcl_log { GCL_LOG_ERROR = 1, GCL_LOG_WARNING, GCL_LOG_INFO, GCL_LOG_DEBUG };

/// Each takes `params` or `result`; NULL stands for none or null.
void gcl_editor_notify(const struct gcl_editor *editor, const char *method, json_t *params);
void gcl_editor_request(struct gcl_editor *editor, const char *method, json_t *params);
void gcl_editor_reply(const struct gcl_editor *editor, json_t *id, json_t *result);
void gcl_editor_fail(const struct gcl_editor *editor, json_t *id, enum gcl_rpc_error code,
                     const char *text);

/// Sends the text of a message as it is; it isn't taken.
void gcl_editor_pass(const struct gcl_editor *editor, GBytes *text);

/// A line in the editor's log, and one that it shows to the user.
void gcl_editor_log(const struct gcl_editor *editor, enum gcl_log type, const char *text);
void gcl_editor_show(const struct gcl_editor *editor, enum gcl_log type, const char *text);

/// Has the editor ask for code lenses, or semantic tokens, again if it can do that.
void gcl_editor_refresh_lenses(struct gcl_editor *editor);
void gcl_editor_refresh_colours(struct gcl_editor *editor);

/// Progress of what goes on in the background, for an editor that shows it. More is reported under
/// the same token, until the end. Each takes `value`, LSP's WorkDoneProgress.
void gcl_editor_begin_progress(struct gcl_editor *editor, const char *token, json_t *value);
void gcl_editor_report_progress(const struct gcl_editor *editor, const char *token, json_t *value);
void gcl_editor_end_progress(const struct gcl_editor *editor, const char *token);

#endif
