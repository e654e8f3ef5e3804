// The language server: one session with one editor, from initialize to exit.
//
// This header is the front of the room `server`, the process that editors start. It never reads a
// source itself: what clang does to some text costs a child and not the session. From the ground
// up:
//
//     capabilities editor project     what the editor can and is told; how a folder is compiled
//     folder question                 a folder, the child that reads it, and what that is asked
//     index hints                     two more children: sources that nobody has open; kernels
//     workspace documents requests    all folders; all open files; what the editor asks of them
//     lifecycle server                the session, and the table of methods (features/features.h)
//
// Everything happens on one thread, in the main loop of GLib.
#ifndef GCL_LSP_SERVER_H
#define GCL_LSP_SERVER_H

/// Serves the editor on standard input and output. Returns the exit status that LSP asks for: 0 if
/// the editor has said shutdown before exit.
int gcl_server_run(void);

#endif
