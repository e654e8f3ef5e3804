// What gcluster-translate is told.
#ifndef GCL_TRANSLATE_COMMAND_LINE_H
#define GCL_TRANSLATE_COMMAND_LINE_H

#include <stdbool.h>

#include <glib.h>

struct gcl_translate_options {
    char *in_root;    ///< absolute and without links; only files below it are translated
    char *out_root;   ///< absolute, or NULL: --in-place or --examine
    char *build;      ///< -p: the folder that has compile_commands.json, or NULL
    char *report;     ///< --report: where the report goes, or NULL
    char *verify;     ///< --verify: a command for the shell, or NULL
    char **intercept; ///< --intercept: a build that is to be recorded first, or NULL
    GPtrArray *files; ///< char *, absolute: translate these; empty: all of the project
    bool in_place;
    bool only_records;  ///< the build, and nothing is translated
    bool examine;       ///< write nothing but the report
    bool build_scripts; ///< adapt Makefiles and CMakeLists.txt, too
    unsigned jobs;      ///< processes at a time, at least 1
};

/// Reads the command line (NULL-terminated, the program's name first). NULL: there is nothing to do
/// but to end with `*status`, as a message or the help says.
struct gcl_translate_options *gcl_translate_parse(const char *const *arguments, int *status);
void gcl_translate_options_destroy(struct gcl_translate_options *options);

#endif
