// Where pointers lead.
#ifndef GCL_DEVICE_ACCESS_TARGET_H
#define GCL_DEVICE_ACCESS_TARGET_H

#include "device/access/build.h"

/// Where `pointer` may lead; borrowed from `x`.
const struct gcl_access_targets *gcl_access_find_targets(struct gcl_extraction *x,
                                                         LLVMValueRef pointer);
/// What a load gives: `width` bits, `extra` bytes behind where it begins.
uint32_t gcl_access_loaded(struct gcl_extraction *x, LLVMValueRef load, unsigned width,
                           enum gcl_record_role role, uint32_t lane, uint32_t extra);
/// Adds a place; one more than GCL_TARGETS and all become anywhere.
void gcl_access_add_target(struct gcl_extraction *x, struct gcl_access_targets *targets,
                           struct gcl_access_target target);
/// The places `offset` (a node of 64 bits) bytes behind.
struct gcl_access_targets gcl_access_shift_targets(struct gcl_extraction *x,
                                                   const struct gcl_access_targets *targets,
                                                   uint32_t offset);
/// Anywhere, because of `where`.
struct gcl_access_targets gcl_access_targets_anywhere(struct gcl_extraction *x,
                                                      enum gcl_reason_code code,
                                                      LLVMValueRef where);

#endif
