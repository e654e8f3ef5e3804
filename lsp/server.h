// The language server: one session with one editor, from initialize to exit.
#ifndef GCL_LSP_SERVER_H
#define GCL_LSP_SERVER_H

/// Serves the editor on standard input and output. Returns the exit status that LSP asks for: 0 if
/// the editor has said shutdown before exit.
int gcl_server_run(void);

#endif
