// Values of loops: phis in a header, what an iteration and what the last one leaves.
#ifndef GCL_DEVICE_ACCESS_LOOP_H
#define GCL_DEVICE_ACCESS_LOOP_H

#include "device/access/build.h"

/// What `phi`, an integer or a pointer in the header of `loop`, is in terms of the iteration's
/// number.
uint32_t gcl_access_recurrence(struct gcl_extraction *x, LLVMValueRef phi, int loop);
struct gcl_access_targets gcl_access_pointer_recurrence(struct gcl_extraction *x, LLVMValueRef phi,
                                                        int loop);
/// The loop that begins with a block, GCL_NOWHERE if none does.
int gcl_access_loop_at(const struct gcl_extraction *x, int block);
/// The loops around a block, those around both it and `other` left out.
uint64_t gcl_access_loops(const struct gcl_extraction *x, int block, int other);
/// `node`, a value of block `from`, in block `to`: if a loop ends between them, it is that of the
/// last iteration.
uint32_t gcl_access_leave(struct gcl_extraction *x, uint32_t node, int from, int to,
                          LLVMValueRef where);
/// A value of an iteration of `loop` for its next one. There the ends of loops inside are others,
/// and not known.
uint32_t gcl_access_repeated(struct gcl_extraction *x, uint32_t node, int loop, LLVMValueRef where);

#endif
