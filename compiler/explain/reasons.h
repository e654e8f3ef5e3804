// Why accesses aren't exact, by what their evaluation in a sample launch couldn't know.
#ifndef GCL_EXPLAIN_REASONS_H
#define GCL_EXPLAIN_REASONS_H

#include "explain.h"
#include "gcluster/reasons.h"
#include "sample.h"

/// Adds a reason that is about an access, at its place; GCL_NONE: about the kernel.
void gcl_explanation_add(struct gcl_explanation *e, enum gcl_reason_code code, uint16_t access);
/// Adds the reasons of every access that isn't exact, and those by which the kernel stays on one
/// node.
void gcl_explanation_find_reasons(struct gcl_explanation *e, const struct gcl_sample *sample);

#endif
