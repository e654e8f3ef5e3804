// What the editor asks: how each request is passed on to readers of sources, and what is done with
// their answers before they go to the editor.
#ifndef GCL_LSP_REQUESTS_H
#define GCL_LSP_REQUESTS_H

#include "lsp/server/state.h"

/// For struct gcl_folder_handlers, whose context is the server.
void gcl_requests_answered(json_t *id, json_t *result, enum gcl_rpc_error code, const char *mistake,
                           void *context);

/// Asks the reader of the document that the request is about, which must be open.
void gcl_requests_ask(struct gcl_server *server, const struct gcl_rpc_message *message);
/// Asks the readers of all folders, whose answers are lists and become one.
void gcl_requests_ask_all(struct gcl_server *server, const struct gcl_rpc_message *message);
/// Who calls a function, and whom it calls; the function's file may be closed.
void gcl_requests_ask_callers(struct gcl_server *server, const struct gcl_rpc_message *message);
void gcl_requests_ask_callees(struct gcl_server *server, const struct gcl_rpc_message *message);
/// Tells the reader how much of the folder the index lacks, and the user what that says about it.
void gcl_requests_ask_rename(struct gcl_server *server, const struct gcl_rpc_message *message);
/// gcluster/trace: shows a run, or none.
void gcl_requests_trace(struct gcl_server *server, const struct gcl_rpc_message *message);

/// Folding ranges, of which nobody knows more than the grammar.
void gcl_requests_fold(struct gcl_server *server, const struct gcl_rpc_message *message);
/// workspace/executeCommand: requests of ours for editors that know the protocol alone.
void gcl_requests_execute(struct gcl_server *server, const struct gcl_rpc_message *message);
/// $/cancelRequest.
void gcl_requests_cancel(struct gcl_server *server, const struct gcl_rpc_message *message);

#endif
