// How kernels spread, found out in the background: clang's device pass and gcluster's analyses of
// the text as it is, in a process of its own that is killed when the text changes. The process
// starts when the text has been diagnosed: beside the diagnosis it would take the processor from
// that.
#ifndef GCL_LSP_HINTS_H
#define GCL_LSP_HINTS_H

#include "lsp/server/folder.h"

/// Called when gcl_hints_start has come to an end: the kernels as --explain=json has them, or NULL
/// and why there are none.
typedef void gcl_hints_found(struct gcl_file *file, json_t *kernels, const char *why,
                             void *context);

/// An analysis of the file as it is now begins; its diagnosis is known and not broken. One that was
/// under way is stopped, and not heard of again.
void gcl_hints_start(struct gcl_file *file, gcl_hints_found *found, void *context);
void gcl_hints_stop(struct gcl_file *file);

#endif
