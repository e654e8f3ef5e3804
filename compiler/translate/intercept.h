// Recording a build that leaves no compile_commands.json: the build runs with a folder first on its
// PATH in which every compiler's name leads to gcluster-translate, which notes the command and goes
// on as the real one.
#ifndef GCL_TRANSLATE_INTERCEPT_H
#define GCL_TRANSLATE_INTERCEPT_H

#include <stdbool.h>

#include <glib.h>
#include <jansson.h>

#include "driver/process.h"

/// If this process was started by a compiler's name in a build that is recorded: notes the command,
/// and becomes the compiler. Returns only if it is none (-1), or the compiler isn't there: its exit
/// status.
int gcl_intercept_pass_on(char **arguments);

/// A compile_commands.json of what was noted: a list with an entry for each source of a command
/// that compiles. `log` has a JSON object {directory, arguments} a line; any text is fine, what
/// isn't such a line is left out.
json_t *gcl_intercept_database(const char *log);

/// Runs `command` (NULL-terminated) in the folder `directory`, and writes its compile_commands.json
/// there. False with a diagnostic.
bool gcl_intercept(struct gcl_workspace *workspace, const char *const *command,
                   const char *directory, GPtrArray *diagnostics);

#endif
