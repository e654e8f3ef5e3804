// What steps that reach memory share.
#ifndef PTX_EXECUTE_ACCESS_H
#define PTX_EXECUTE_ACCESS_H

#include "../run/warp.h"

/// Fills warp->address for all lanes: the register s[0], plus the offset, plus the variable.
void ptx_compute_addresses(struct ptx_warp *warp, const struct ptx_op *op);

/// The address of a variable in its space (of a parameter: the generic one).
uint64_t ptx_place_address(const struct ptx_warp *warp, const struct ptx_place *place);

/// 32 elements of `type` as registers of `size` bytes: extended by sign or by zeros.
void ptx_extend(void *restrict to, const void *restrict from, enum ptx_type type, size_t size);

#endif
