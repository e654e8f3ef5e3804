// What several nodes made of the same bytes, put together (struct gcl_combination).
#ifndef GCL_PLAN_COMBINE_H
#define GCL_PLAN_COMBINE_H

#include <stdbool.h>
#include <stddef.h>

#include "gcluster/access.h"

enum { GCL_REDUCTIONS = GCL_REDUCTION_FMAX + 1 };
/// By enum gcl_reduction, as logs and scenarios write them.
extern const char *const gcl_reduction_names[GCL_REDUCTIONS];

/// Whether elements of that size can be reduced that way.
bool gcl_combine_can(enum gcl_reduction reduction, size_t element);
/// Sets `size` bytes, whole elements, to what changes nothing when it is reduced with anything.
void gcl_combine_neutral(enum gcl_reduction reduction, size_t element, void *bytes, size_t size);
/// Reduces each element with that of `other`.
void gcl_combine_reduce(enum gcl_reduction reduction, size_t element, void *bytes,
                        const void *other, size_t size);
/// Takes over each element (of 1, 2, 4 or 8 bytes) of `other` that differs from its `twin`.
void gcl_combine_merge(size_t element, unsigned char *bytes, const unsigned char *other,
                       const unsigned char *twin, size_t size);
/// Takes over each element of `other` where `bytes` are still as their `twin`.
void gcl_combine_complete(size_t element, unsigned char *bytes, const unsigned char *other,
                          const unsigned char *twin, size_t size);

#endif
