// Where a pointer of a kernel leads to.
#ifndef GCL_PLAN_BASE_H
#define GCL_PLAN_BASE_H

#include "plan/region/piece.h"

/// The address of a base; false if that isn't known before the kernel runs.
bool gcl_base_address(const struct gcl_program *program, const struct gcl_launch_part *launch,
                      uint16_t index, uint64_t *address);

#endif
