// Processes for all sources, so many at a time, with their progress on a terminal.
#ifndef GCL_TRANSLATE_POOL_H
#define GCL_TRANSLATE_POOL_H

#include "driver/process.h"
#include "translate/translation.h"

/// What a step is done with. Borrowed.
struct gcl_tools {
    struct gcl_workspace *workspace;
    const char *compiler; ///< gcluster-cc
};

/// A step of all sources.
struct gcl_pool {
    struct gcl_translation *translation;
    const struct gcl_tools *tools;
    const char *words; ///< "reading", for the progress line
    /// Starts the process of the source `index`, whose messages go to the file `log`; false: it
    /// needs none.
    bool (*start)(struct gcl_pool *pool, guint index, const char *log, struct gcl_process *process);
    /// Takes what the process of the source `index` has left.
    void (*end)(struct gcl_pool *pool, guint index, const struct gcl_process *process);
    const char *root; ///< of the tree that it is about
};

void gcl_pool_run(struct gcl_pool *pool);

/// A file of the workspace for the source `index`, to be freed.
char *gcl_pool_path(const struct gcl_pool *pool, guint index, const char *suffix);

/// The first line of a process's messages with an error in it, else the first line; without the
/// name of the tree; to be freed.
char *gcl_pool_first_error(const struct gcl_pool *pool, const struct gcl_process *process);

#endif
