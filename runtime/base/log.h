// Messages for people, on stderr: "gcluster: warning: ...". GCL_LOG= chooses how many.
#ifndef GCL_BASE_LOG_H
#define GCL_BASE_LOG_H

#include <stdbool.h>

enum gcl_log_level {
    GCL_LOG_ERROR, ///< could not go on
    GCL_LOG_WARN,  ///< the default shows these and errors
    GCL_LOG_INFO,  ///< once a program
    GCL_LOG_DEBUG, ///< per object
    GCL_LOG_TRACE, ///< per command
};

/// Finds the level called `name` ("warn"); false if there is none.
bool gcl_log_parse(const char *name, enum gcl_log_level *level);
/// Shows messages up to `level`, from any thread's next message on.
void gcl_log_set(enum gcl_log_level level);
/// Puts `label` before each later message: which node speaks. Kept, not copied.
void gcl_log_set_label(const char *label);
bool gcl_log_shows(enum gcl_log_level level);
/// Writes a message of one line; `format` as for printf, without a line feed.
void gcl_log(enum gcl_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
