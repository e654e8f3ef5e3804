// Twins: two loads, or two stores, of one block whose lanes lie in the same way, some bytes apart.
#ifndef GCL_DEVICE_WIDEN_TWINS_H
#define GCL_DEVICE_WIDEN_TWINS_H

#include "device/vector/widen/widen.h"
#include "device/vector/widen/window.h"

struct gcl_twins {
    LLVMValueRef a, b;        ///< in the program's order
    struct gcl_window window; ///< of a
    LLVMValueRef distance;    ///< bytes from a lane of a to that of b
    LLVMValueRef fill; ///< an i1: 16 lanes of both fill 32 elements, and no two of these meet
    LLVMValueRef even; ///< an i1: each 16 lanes of one lie side by side
};

/// The load or store that is done together with `i`, which comes before it; NULL if there is none.
LLVMValueRef gcl_twins_second(struct gcl_vector *v, LLVMValueRef i);
/// Where the lanes of `a` and `b` = gcl_twins_second(v, a) lie.
struct gcl_twins gcl_twins_find(struct gcl_vector *v, LLVMValueRef a, LLVMValueRef b);
/// What lanes load, those of b behind those of a, as i32: where they `fill`, or are `even`.
LLVMValueRef gcl_twins_load_filled(struct gcl_vector *v, const struct gcl_twins *t);
LLVMValueRef gcl_twins_load_even(struct gcl_vector *v, const struct gcl_twins *t);
/// Stores `lanes`, a's and b's, all of them, where they `fill`.
void gcl_twins_store_filled(struct gcl_vector *v, const struct gcl_twins *t, LLVMValueRef lanes[2]);
/// Stores what lanes have, a's before b's, where they are `even`.
void gcl_twins_store_even(struct gcl_vector *v, const struct gcl_twins *t);

/// What store `i` under a mask leaves in lanes that don't run: a load that all lanes have done,
/// from memory that nobody else looks at meanwhile. NULL if that isn't known. Another store,
/// `between` (or NULL), may come between both.
LLVMValueRef gcl_twins_kept(struct gcl_vector *v, LLVMValueRef i, LLVMValueRef between);
/// Whether a block does nothing but to store twins, of which gcl_twins_kept knows what they leave:
/// it may run though there is no lane to run it for, and seldom is there none.
bool gcl_twins_are_all(struct gcl_vector *v, LLVMBasicBlockRef block);

#endif
