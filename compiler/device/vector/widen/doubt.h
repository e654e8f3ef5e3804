// Two ways of an access, between which a condition at run time decides.
#ifndef GCL_DEVICE_WIDEN_DOUBT_H
#define GCL_DEVICE_WIDEN_DOUBT_H

#include "device/vector/widen/widen.h"

/// Where the ways part and meet.
struct gcl_doubt {
    LLVMBasicBlockRef wraps, behind, from;
    guint known; ///< mark of what was known before
};

/// Begins the way on which `holds`, an i1, does.
struct gcl_doubt gcl_doubt_begin_ways(struct gcl_vector *v, LLVMValueRef holds);
/// Begins the way on which `address`, which is unsure, is linear over the lanes.
struct gcl_doubt gcl_doubt_begin(struct gcl_vector *v, LLVMValueRef address);
/// An i1: each `part` lanes, a power of two, of `address`, which is unsure, are linear, though all
/// of them needn't be; a constant where that can't be told. For all lanes, without a mask: those
/// that don't run may be anywhere.
LLVMValueRef gcl_doubt_is_linear_by_part(struct gcl_vector *v, LLVMValueRef address, unsigned part);
/// Ends the first way and begins the other one.
void gcl_doubt_settle(struct gcl_vector *v, struct gcl_doubt *doubt);
/// Ends both ways. Returns the value of the one that was taken, NULL if they have none.
LLVMValueRef gcl_doubt_end(struct gcl_vector *v, struct gcl_doubt *doubt, LLVMValueRef linear,
                           LLVMValueRef other);

#endif
