// The files that the editor has open: their texts, and when each is diagnosed and explained anew.
#ifndef GCL_LSP_DOCUMENTS_H
#define GCL_LSP_DOCUMENTS_H

#include "lsp/server/state.h"

/// The open file that a request's parameters are about, or NULL.
struct gcl_file *gcl_documents_find(const struct gcl_server *server, const json_t *params);

/// For struct gcl_folder_handlers, whose context is the server.
void gcl_documents_diagnosed(struct gcl_file *file, void *context);

/// For struct gcl_tidying, likewise.
void gcl_documents_tidied(struct gcl_file *file, void *context);
void gcl_documents_tidied_elsewhere(const char *path, void *context);

/// textDocument/didOpen, didChange, didSave and didClose.
void gcl_documents_open(struct gcl_server *server, const struct gcl_rpc_message *message);
void gcl_documents_change(struct gcl_server *server, const struct gcl_rpc_message *message);
void gcl_documents_save(struct gcl_server *server, const struct gcl_rpc_message *message);
void gcl_documents_close(struct gcl_server *server, const struct gcl_rpc_message *message);

/// gcluster/includer: by which source's text a file is read that others include.
void gcl_documents_include(struct gcl_server *server, const struct gcl_rpc_message *message);

/// workspace/didChangeWatchedFiles: what is made of files that have changed is read again.
void gcl_documents_see_files(struct gcl_server *server, const struct gcl_rpc_message *message);
/// workspace/didChangeWorkspaceFolders: documents of a folder that goes move to others.
void gcl_documents_see_folders(struct gcl_server *server, const struct gcl_rpc_message *message);

#endif
