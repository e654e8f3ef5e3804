// The folders that the editor has open, and what holds for all of them: settings, and the run that
// launches show.
#ifndef GCL_LSP_WORKSPACE_H
#define GCL_LSP_WORKSPACE_H

#include "lsp/server/state.h"

/// Adds a folder, which begins to be read when the editor has said `initialized`.
struct gcl_folder *gcl_workspace_add(struct gcl_server *server, const char *path);
/// Adds LSP's WorkspaceFolders.
void gcl_workspace_add_all(struct gcl_server *server, const json_t *list);
/// Ends what reads the folder; its files must have been removed.
void gcl_workspace_remove(struct gcl_server *server, struct gcl_folder *folder);
/// Ends the readers of all folders, and forgets folders and files.
void gcl_workspace_close(struct gcl_server *server);

/// Starts a folder's reader, and has its index made anew.
void gcl_workspace_start(struct gcl_folder *folder);

/// The innermost folder that holds a path, or NULL.
struct gcl_folder *gcl_workspace_find(const struct gcl_server *server, const char *path);
/// The innermost folder that holds a path; for a path in none, the folder where it lies is added.
struct gcl_folder *gcl_workspace_of(struct gcl_server *server, const char *path);

/// Takes settings over for all folders, as `initializationOptions` and `configuration` have them.
void gcl_workspace_set(struct gcl_server *server, const json_t *settings);
/// Asks the editor for its settings if it answers such questions.
void gcl_workspace_ask_settings(struct gcl_server *server);
/// Takes the editor's answer about its settings; other responses mean nothing.
void gcl_workspace_answered(struct gcl_server *server, const struct gcl_rpc_message *message);
/// workspace/didChangeConfiguration.
void gcl_workspace_configure(struct gcl_server *server, const struct gcl_rpc_message *message);

/// Has launches show what a run has spent on them, NULL: no longer; a reference is kept.
void gcl_workspace_show_trace(struct gcl_server *server, json_t *kernels);

#endif
