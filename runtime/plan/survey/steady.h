// What it depends on which bytes an access may touch, if what only conditions around it read in
// memory isn't looked at: that may be another thing at each launch, where addresses stay the same.
#ifndef GCL_PLAN_STEADY_H
#define GCL_PLAN_STEADY_H

#include "plan/directory/origins.h"

/// Marks by node those of `origins`, an access', that may make a difference if the loads behind the
/// bare ones have unknown results. False: no memory.
GCL_MUST_USE bool gcl_steady_find(const struct gcl_program *program, uint16_t access,
                                  const struct gcl_origins *origins, bool *counts);

#endif
