// What is to be known of one compilation, found in a process of its own: what crashes clang, or has
// it read for ever, costs that file and no other.
#ifndef GCL_TRANSLATE_FACTS_H
#define GCL_TRANSLATE_FACTS_H

#include <stdbool.h>

#include <glib.h>
#include <jansson.h>

#include "driver/process.h"

/// A compilation that is to be read. Borrowed.
struct gcl_facts_request {
    const char *path;       ///< the source, absolute and without links
    const char *directory;  ///< where the compiler is started
    const GPtrArray *words; ///< char *: gcluster-cc's, without the source
    const char *root;       ///< the project's folder: headers below it are read as sources are
    const char *compiler;   ///< gcluster-cc
    const char *result;     ///< the file that the process leaves
};

/// The facts of a compilation.
struct gcl_facts {
    GPtrArray *files;       ///< struct gcl_unit_file *: the source first, paths without links
    GPtrArray *diagnostics; ///< struct gcl_diagnostic *: what isn't supported, and clang's errors
    guint32 kernel_count;   ///< declarations and definitions of kernels
    json_t *kernels;        ///< what --explain says of them; NULL: nothing could be found out
};

/// Starts the process; its messages go to the file `log`.
void gcl_facts_start(struct gcl_process *process, const char *log,
                     const struct gcl_facts_request *request);

/// What a process has left that has ended well, to be finished; false: nothing that can be read, or
/// a file has changed meanwhile.
bool gcl_facts_read(const char *result, struct gcl_facts *facts);
void gcl_facts_finish(struct gcl_facts *facts);

#endif
