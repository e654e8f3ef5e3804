// How the files of a workspace folder are compiled, from what its build leaves or says.
//
// In this order: compile_commands.json (in the folder or its build*/ folders), compile_flags.txt,
// the nvcc lines of a Makefile, nothing. A file that compile_commands.json
// doesn't name, such as a header, has the words of the source that lies nearest.
#ifndef GCL_PROJECT_PROJECT_H
#define GCL_PROJECT_PROJECT_H

#include <stdbool.h>

#include <glib.h>

/// nvcc's words for one file, without its name and what it makes.
struct gcl_command_line {
    const char *directory;  ///< where relative paths begin
    const GPtrArray *words; ///< char *
};

struct gcl_project;

/// Reads what there is in the folder; what can't be read is told to `complaints` (char *).
struct gcl_project *gcl_project_create(const char *folder, GPtrArray *complaints);
void gcl_project_destroy(struct gcl_project *project);

/// Borrowed from the project.
struct gcl_command_line gcl_project_find(struct gcl_project *project, const char *path);

/// Whether compile_commands.json says how the file is compiled.
bool gcl_project_names(const struct gcl_project *project, const char *path);

/// The absolute paths that compile_commands.json names, in order (char *); none if there is no such
/// file. Freed with g_ptr_array_unref.
GPtrArray *gcl_project_files(const struct gcl_project *project);

/// Whether a change of this file changes what the project says.
bool gcl_project_depends_on(const char *path);

#endif
