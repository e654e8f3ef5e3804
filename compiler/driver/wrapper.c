// MPICH's compilers and those that come from it say with -show what they would run, and Open MPI's
// do, too: the compiler, and then words for compiling and for linking.
#include "wrapper.h"

#include <string.h>

#include "base/diagnostic.h"

static bool is_wrapper(const char *path) {
    g_autofree char *name = path ? g_path_get_basename(path) : NULL;
    return name && g_str_has_prefix(name, "mpi");
}

void gcl_wrapper_ask(struct gcl_options *options, GPtrArray *diagnostics) {
    char *command[] = {(char *)options->host_compiler, "-show", NULL};
    g_autofree char *text = NULL;
    g_auto(GStrv) words = NULL;
    g_autoptr(GError) error = NULL;
    int status = 0;
    if (!is_wrapper(options->host_compiler))
        return;
    GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL;
    if (!g_spawn_sync(NULL, command, NULL, flags, NULL, NULL, &text, NULL, &status, &error) ||
        !g_spawn_check_wait_status(status, &error) ||
        !g_shell_parse_argv(text, NULL, &words, &error)) {
        gcl_diagnostics_add(diagnostics, GCL_CODE_BAD_COMMAND_LINE, NULL,
                            "it is asked with -show for the folders and libraries of MPI",
                            "'%s' doesn't say what it adds: %s", options->host_compiler,
                            error->message);
        return;
    }
    for (char **word = words + 1; *word; word++)
        gcl_options_add_host(options, *word);
}
