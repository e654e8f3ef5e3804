// What lanes of a warp that wait together do with each other's operands.
#ifndef GCL_EXEC_WARP_H
#define GCL_EXEC_WARP_H

#include <stdint.h>

#include "gcluster/kernel.h"

enum { GCL_WARP_LANES = 32 };

/// A step of a reduction (enum gcl_cut_operation), and what begins it.
uint64_t gcl_warp_combine(uint32_t operation, uint64_t a, uint64_t b);
uint64_t gcl_warp_neutral(uint32_t operation);

/// Replaces operands by results for those lanes of the warp that begins with thread `first` which
/// are in `group`.
void gcl_warp_exchange(const struct gcl_cut *cut, struct gcl_block *block, uint32_t first,
                       uint32_t group);

#endif
