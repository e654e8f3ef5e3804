// How a file of a folder is read: by its own command line, or behind what stands in front of the
// #include in a source that includes it.
#ifndef GCL_LSP_COMMAND_H
#define GCL_LSP_COMMAND_H

#include "lsp/server/folder.h"

/// {path, directory, words}, as readers take it (read/worker.h). A file that sources include and
/// compile_commands.json doesn't name has `includers` (paths) as well; if it is read as one of them
/// reads it, that is `includer`, whose words these are; they include the files of `before` {path:
/// text} first.
json_t *gcl_command_of(const struct gcl_folder *folder, const char *path);

/// {path: text} of all that a file is made of, as its diagnosis says, and that somebody has open:
/// they are read instead of files.
json_t *gcl_command_texts(const struct gcl_file *file);

#endif
