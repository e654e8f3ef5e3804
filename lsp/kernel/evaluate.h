// What a launch does, as explain/spread.h finds out, in a process of its own.
#ifndef GCL_LSP_EVALUATE_H
#define GCL_LSP_EVALUATE_H

#include <glib.h>

#include "explain/spread.h"

/// gcl_spread of a launch, a new reference. Processor time that it takes, in microseconds, is taken
/// from `*budget_us`, which is more than 0. NULL with a sentence in `why`, to be freed: it took too
/// long, or crashed.
json_t *gcl_evaluate_spread(const struct gcl_spread_launch *launch, gint64 *budget_us, char **why);

#endif
