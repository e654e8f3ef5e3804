// From the editor's `initialize` to its `exit`.
#ifndef GCL_LSP_LIFECYCLE_H
#define GCL_LSP_LIFECYCLE_H

#include "lsp/server/state.h"

void gcl_lifecycle_initialize(struct gcl_server *server, const struct gcl_rpc_message *message);
void gcl_lifecycle_initialized(struct gcl_server *server, const struct gcl_rpc_message *message);
void gcl_lifecycle_shut_down(struct gcl_server *server, const struct gcl_rpc_message *message);
/// Has the main loop end; `message` may be NULL.
void gcl_lifecycle_exit(struct gcl_server *server, const struct gcl_rpc_message *message);
/// Notifications that say nothing to this server.
void gcl_lifecycle_ignore(struct gcl_server *server, const struct gcl_rpc_message *message);

#endif
