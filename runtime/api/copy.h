// Copies: what the copying functions of the API have in common.
#ifndef GCL_API_COPY_H
#define GCL_API_COPY_H

#include <stdbool.h>

#include "exec/engine/command.h"
#include "gcluster.h"

struct gcl_runtime;

/// A copy as asked for.
struct gcl_copy_request {
    struct gcl_box_copy box; ///< `source` NULL: a set
    enum gclMemcpyKind kind;
    gclStream_t stream;
    bool is_async;
    bool is_again; ///< of a graph: it doesn't wait, and reads its source when its turn has come
    bool is_array_target; ///< that end is an array's memory, checked by the caller
    bool is_array_source;
};

/// Copies, or sets, now or in stream order, after checking both ends and the direction: nothing is
/// written if that fails. Does what gcl_api_enter does, but doesn't leave.
gclError_t gcl_copy(const struct gcl_copy_request *request);
/// Checks both ends and the direction alone.
gclError_t gcl_copy_check(struct gcl_runtime *runtime, const struct gcl_copy_request *request);
/// Finds both ends of a copy, and its direction, from what the program says of it.
gclError_t gcl_copy_describe(const struct gclMemcpy3DParms *p, struct gcl_copy_request *request);
/// The bytes of a variable, by the address of its host half, that a copy is about.
gclError_t gcl_copy_find_symbol(const void *host, size_t offset, size_t size,
                                unsigned char **bytes);
/// A box that is one row of `size` bytes.
struct gcl_box_copy gcl_copy_row(void *target, const void *source, size_t size);

#endif
