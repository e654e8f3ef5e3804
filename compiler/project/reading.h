// The one door between what a folder says of its build and clang: an allow-list of words.
//
// Folders that somebody opens are data. Their compile_commands.json, compile_flags.txt, Makefiles
// and response files may be anybody's, so of the words in them only those go on that a reader needs
// (macros, include paths, language, architecture, warnings by name, language features), each
// spelt anew. Whatever isn't listed is dropped, and with it all that loads code, runs programs or
// writes files.
#ifndef GCL_PROJECT_READING_H
#define GCL_PROJECT_READING_H

#include <glib.h>

/// The words of a command (NULL-terminated, without the compiler's name) that a reader needs, as
/// char *, in the spelling of gcluster-cc. Words for the host compiler (-Xcompiler) and those in
/// response files count like others; a response file's path begins at `directory`.
GPtrArray *gcl_reading_words(const char *const *words, const char *directory);

/// The text of a file, NULL if it is larger than `size_max` bytes or no regular file: a pipe would
/// have the reader wait, a device may have no end. Links are followed.
char *gcl_reading_file(const char *path, gsize size_max, gsize *size);

#endif
