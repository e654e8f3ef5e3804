// The table of command line options; only command_line.c walks it.
#ifndef GCL_DRIVER_OPTION_TABLE_H
#define GCL_DRIVER_OPTION_TABLE_H

#include <stddef.h>

#include "driver/options/options.h"

enum gcl_option_value {
    GCL_VALUE_NONE,
    GCL_VALUE_ONE,
    GCL_VALUE_LIST,    ///< split at commas; the option is applied once for each
    GCL_VALUE_BOOLEAN, ///< true or false
    GCL_VALUE_MAYBE,   ///< attached with `=` or not there at all
};

struct gcl_option;

/// An option as the command line has it. `value` is NULL if the option takes none.
struct gcl_option_use {
    struct gcl_options *options;
    const struct gcl_option *option;
    const char *spelling; ///< as the user wrote it, for messages
    const char *value;
    GPtrArray *diagnostics;
};

struct gcl_option {
    const char *name;  ///< without dashes
    const char *alias; ///< the short one, or NULL
    enum gcl_option_value value;
    void (*apply)(const struct gcl_option_use *use);
    size_t field;     ///< what `apply` sets: an offset in struct gcl_options, or a phase
    const char *text; ///< what `apply` adds or stores
    const char *help; ///< NULL: taken for nvcc's sake, not worth a line of help
};

/// The option that the `length` bytes at `name` are; NULL if there is none.
const struct gcl_option *gcl_option_find(const char *name, size_t length);

/// The rows of the table in order, for the help text; NULL past the last.
const struct gcl_option *gcl_option_at(size_t index);

#endif
