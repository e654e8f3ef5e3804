// What a session with an editor consists of; the files of this folder work on it, each on its part.
#ifndef GCL_LSP_STATE_H
#define GCL_LSP_STATE_H

#include "lsp/server/editor.h"
#include "lsp/server/folder.h"
#include "lsp/server/tidy.h"

/// What the editor has asked for so far.
enum gcl_server_state {
    GCL_SERVER_STARTED,   ///< nothing
    GCL_SERVER_RUNNING,   ///< `initialize`
    GCL_SERVER_SHUT_DOWN, ///< `shutdown`
};

struct gcl_server {
    GMainLoop *loop;
    struct gcl_editor editor;
    enum gcl_server_state state;
    bool is_initialized;    ///< the editor has said so: folders have readers and are indexed
    int status;             ///< the exit status
    json_int_t settings_id; ///< of the last request for settings, 0: none
    json_t *settings;       ///< the editor's, an object
    json_t *trace;          ///< kernels of a run (kernel/trace.h) that launches show, or NULL
    char *scratch;
    int lock;                            ///< of `scratch`
    struct gcl_folder_handlers handlers; ///< of all folders
    struct gcl_tidying tidying;
    GPtrArray *folders; ///< struct gcl_folder *
    GHashTable *files;  ///< URI -> struct gcl_file *: all that are open
};

#endif
