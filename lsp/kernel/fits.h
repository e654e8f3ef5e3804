// What becomes of launches that need more memory than a node's device holds (exec/fit/fit.h).
#ifndef GCL_LSP_FITS_H
#define GCL_LSP_FITS_H

#include <stdint.h>

#include "lsp/read/view.h"

/// A launch that doesn't fit, in bytes of the node of which it needs most.
struct gcl_fits {
    uint64_t needed, device;
    uint64_t ranges; ///< in about so many it is cut, unless it is one block
};

/// Whether a launch needs more than the devices hold that the user has: by the setting `memory`, or
/// GCL_MEMORY in this process' environment. `spread` is what explain/spread.h says of it. False
/// also if one of that isn't known.
bool gcl_fits_find(const struct gcl_query *query, const json_t *spread, struct gcl_fits *fits);

#endif
