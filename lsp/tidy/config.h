// What is taken of the .clang-tidy files around a source. A folder that somebody opens is data:
// clang-tidy would have such a file add words to clang's, which load plugins, and have the analyzer
// run commands of its own.
#ifndef GCL_LSP_TIDY_CONFIG_H
#define GCL_LSP_TIDY_CONFIG_H

#include <jansson.h>

/// {Checks, CheckOptions} of what `clang-tidy --dump-config` prints, and which checks are errors
/// and which headers are looked at, as a file for --config-file, a new reference; NULL if no check
/// is asked for.
json_t *gcl_tidy_config(const char *dump);

#endif
