// nvcc's command line as words: read once into struct gcl_options.
//
// Spelling rules are nvcc's: one or two dashes, a value after `=` or as the next word, one-letter
// options with the value attached, lists split at commas.
#ifndef GCL_DRIVER_COMMAND_LINE_H
#define GCL_DRIVER_COMMAND_LINE_H

#include <stdio.h>

#include "driver/options/options.h"

/// Parses `arguments` (NULL-terminated, without the program's name), after the words in the
/// environment variable NVCC_PREPEND_FLAGS and before those in NVCC_APPEND_FLAGS. What is wrong is
/// added to `diagnostics`; the result is usable unless one of them is an error. Freed with
/// gcl_options_destroy.
struct gcl_options *gcl_command_line_parse(const char *const *arguments, GPtrArray *diagnostics);

/// The help text, made from the table.
void gcl_command_line_print_help(FILE *out);

#endif
