// Values of the vector function: where they are kept, and in which form they are asked for.
#ifndef GCL_DEVICE_WIDEN_VALUE_H
#define GCL_DEVICE_WIDEN_VALUE_H

#include "device/ir/uniformity.h"
#include "device/vector/widen/widen.h"

/// The type of a vector of v->lanes elements.
LLVMTypeRef gcl_vector_type(const struct gcl_vector *v, LLVMTypeRef element);
/// Whether values of the type can be elements of LLVM vectors.
bool gcl_vector_widens(LLVMTypeRef type);
/// How a source value changes from lane to lane.
struct gcl_value_info gcl_vector_info(const struct gcl_vector *v, LLVMValueRef value);
/// A slot: an alloca in the first block, aligned for vectors and arrays.
LLVMValueRef gcl_vector_slot(struct gcl_vector *v, LLVMTypeRef type, const char *name);
/// A uniform value, or the base of an affine one.
LLVMValueRef gcl_vector_scalar(struct gcl_vector *v, LLVMValueRef value);
/// The distance of rows of an affine value as an i64, NULL if it is 0.
LLVMValueRef gcl_vector_y(struct gcl_vector *v, LLVMValueRef value);
/// All lanes of a value as a vector; only for types that widen.
LLVMValueRef gcl_vector_lanes(struct gcl_vector *v, LLVMValueRef value);
/// Lane `lane` (an i64) of an affine value that isn't unsure.
LLVMValueRef gcl_vector_lane(struct gcl_vector *v, LLVMValueRef value, LLVMValueRef lane);
/// A vector of which every lane is `scalar`.
LLVMValueRef gcl_vector_splat(struct gcl_vector *v, LLVMValueRef scalar);
/// The place of each lane in its row (`rows` false) or of its row, times `factor`.
LLVMValueRef gcl_vector_places(struct gcl_vector *v, LLVMTypeRef element, bool rows,
                               int64_t factor);
/// Says what a source value has become, in the form that its shape asks for, and keeps it in its
/// slots if another block reads it.
void gcl_vector_define(struct gcl_vector *v, LLVMValueRef value, struct gcl_vector_value built);
/// Whether another block reads a source value: only such values are known outside of theirs.
bool gcl_vector_leaves_block(const struct gcl_vector *v, LLVMValueRef value);
/// Starts a block: forgets which values are in registers, but for constants.
void gcl_vector_forget(struct gcl_vector *v);
/// Begins ways that part: returns a mark of which values are in registers now. Ways nest, and each
/// ends with a gcl_vector_recall of its mark.
guint gcl_vector_remember(struct gcl_vector *v);
/// Goes back to what was known at a mark of ways that haven't ended. Takes as long as what became
/// known since.
void gcl_vector_recall(struct gcl_vector *v, guint mark);
/// Ends the innermost ways, right behind a gcl_vector_recall of their mark.
void gcl_vector_end_ways(struct gcl_vector *v);
/// `value` in the form that `as`, a phi that it goes to, has.
struct gcl_vector_value gcl_vector_read(struct gcl_vector *v, LLVMValueRef value, LLVMValueRef as);
/// Moves `from` into the slots of `phi`: vectors for the lanes in `mask` (NULL: all) only, scalars
/// if `taken` (an i1; NULL: always) holds.
void gcl_vector_assign(struct gcl_vector *v, LLVMValueRef phi, struct gcl_vector_value from,
                       LLVMValueRef mask, LLVMValueRef taken);
/// Calls an LLVM intrinsic with the given overloads.
LLVMValueRef gcl_vector_call_intrinsic(struct gcl_vector *v, const char *name,
                                       LLVMTypeRef *overload, unsigned overloads,
                                       LLVMValueRef *arguments, unsigned count);
/// Elements of a vector, and vectors (a power of two) one behind the other.
LLVMValueRef gcl_vector_part(struct gcl_vector *v, LLVMValueRef vector, unsigned first,
                             unsigned count);
LLVMValueRef gcl_vector_join(struct gcl_vector *v, LLVMValueRef *parts, unsigned count);
/// The elements of a vector of all lanes, last one first.
LLVMValueRef gcl_vector_reverse(struct gcl_vector *v, LLVMValueRef vector);
/// The number of lane `lane` (an i64) in the block.
LLVMValueRef gcl_vector_thread(struct gcl_vector *v, LLVMValueRef lane);

#endif
