// What the runtime will look up in memory before each launch (runtime/plan/inspect/inspect.h), as
// far as that can be said before there is one.
#ifndef GCL_EXPLAIN_INSPECTED_H
#define GCL_EXPLAIN_INSPECTED_H

#include <stdbool.h>

#include "gcluster/access.h"

/// Whether the place of a read or write, or how often it happens, comes from memory that the kernel
/// doesn't change through the same pointer. A launch may turn out to change it through another one.
bool gcl_inspected_access(const struct gcl_program *program, uint16_t access);
/// Whether all data in a node comes from such memory, at places of which the same is true.
bool gcl_inspected_value(const struct gcl_program *program, uint16_t node);
/// Whether a node comes from such memory and is the same for all threads.
bool gcl_inspected_constant(const struct gcl_program *program, uint16_t node);

#endif
