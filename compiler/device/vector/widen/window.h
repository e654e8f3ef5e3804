// Windows: accesses of lanes that lie close together in memory.
#ifndef GCL_DEVICE_WIDEN_WINDOW_H
#define GCL_DEVICE_WIDEN_WINDOW_H

#include "device/vector/widen/widen.h"

/// Upper bound on the parts of 16 lanes.
enum { GCL_WINDOW_MOST = 8 };

/// How lanes lie: each 16 of them in order in two vectors of 16 elements of 4 bytes.
struct gcl_window {
    LLVMValueRef holds;                  ///< an i1: lanes lie like this
    LLVMValueRef first;                  ///< address of the first lane
    LLVMValueRef parts[GCL_WINDOW_MOST]; ///< bytes from there to each 16 lanes
    LLVMValueRef index;                  ///< of each lane: its element, 0 to 31
    LLVMValueRef second;                 ///< at which element the second vector begins, 0 to 16
};

/// Whether lanes of `i`, a load or store, may lie so close together.
bool gcl_window_suits(struct gcl_vector *v, LLVMValueRef i);
/// Where the lanes of a load or store that gcl_window_suits accepts lie.
struct gcl_window gcl_window_find(struct gcl_vector *v, LLVMValueRef i);
/// The vector that lanes load, and a store of `lanes`; to be run only where the window holds.
LLVMValueRef gcl_window_load(struct gcl_vector *v, const struct gcl_window *w, LLVMValueRef i);
void gcl_window_store(struct gcl_vector *v, const struct gcl_window *w, LLVMValueRef i,
                      LLVMValueRef lanes);

/// For what is done to windows otherwise: where 16 lanes' window begins; a vector of 16 elements
/// of 4 bytes that load `i` finds at `address`; 16 times `scalar`.
LLVMValueRef gcl_window_part(struct gcl_vector *v, const struct gcl_window *w, unsigned part);
LLVMValueRef gcl_window_load_vector(struct gcl_vector *v, LLVMValueRef i, LLVMValueRef address);
LLVMValueRef gcl_window_splat(struct gcl_vector *v, LLVMValueRef scalar);
/// An i32 with a bit for each element that lanes have, and for 16 of the elements, from `begin` on,
/// which of those lanes it is; `others` (NULL: anything) for elements that aren't taken.
LLVMValueRef gcl_window_taken(struct gcl_vector *v, const struct gcl_window *w);
LLVMValueRef gcl_window_lanes_from(struct gcl_vector *v, LLVMValueRef taken, LLVMValueRef begin,
                                   LLVMValueRef others);

#endif
