// Finds values of a function that are the same for all threads that run side by side, or an
// arithmetic progression over them.
//
// The threads are the lanes of one vector (vector/vector.c), or a whole block (what is kept across
// barriers, cut/demote.c). A value that follows the thread number is kept as
//
//     base + x_stride * X[lane] + y_stride * Y[lane]
//
// with scalars base and y_stride, a constant x_stride, and X and Y the places of the lane in its
// row and of its row. After: Coutinho et al., "Divergence Analysis and Optimizations" (PACT 2011),
// and Karrenberg and Hack, "Whole-Function Vectorization" (CGO 2011).
#ifndef GCL_DEVICE_UNIFORMITY_H
#define GCL_DEVICE_UNIFORMITY_H

#include <glib.h>
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#include "device/ir/cfg.h"
#include "device/ir/module.h"

/// How the threads lie in their block.
enum gcl_lane_geometry_kind {
    GCL_GEOMETRY_ROW,   ///< x follows the lane, y and z are the same for all
    GCL_GEOMETRY_ROWS,  ///< several whole rows of `row` lanes each, z the same for all
    GCL_GEOMETRY_ANY,   ///< only the number in the block follows the lane
    GCL_GEOMETRY_BLOCK, ///< all threads of a block; X is threadIdx.x
};

struct gcl_lane_geometry {
    enum gcl_lane_geometry_kind kind;
    unsigned lanes; ///< whole rows of them for GCL_GEOMETRY_ROWS; 0 for GCL_GEOMETRY_BLOCK
    unsigned row;   ///< lanes a row for GCL_GEOMETRY_ROWS, else `lanes`
    bool linear;    ///< the first lane's number in the block is a multiple of `lanes`
};

enum gcl_variance {
    GCL_VARIANCE_UNKNOWN, ///< no path has reached it yet
    GCL_VARIANCE_UNIFORM,
    GCL_VARIANCE_AFFINE,
    GCL_VARIANCE_DIVERGENT,
};

struct gcl_value_info {
    enum gcl_variance variance;
    bool has_y;  ///< y_stride isn't 0
    bool unsure; ///< affine only if what it is made from didn't wrap or leave its row or bounds
    unsigned aligned; ///< base is a multiple of 2 to the power of this
    int64_t x_stride; ///< bytes for pointers
    LLVMValueRef why; ///< for divergent values: the operand or branch it comes from; NULL: itself
};

/// A condition that holds in all sensible launches and has to be checked before a vector runs: that
/// `value` doesn't wrap over its lanes. `value` is known before anything has an effect.
struct gcl_uniformity_assumption {
    LLVMValueRef value;
    bool is_unsigned;
};

struct gcl_uniformity {
    struct gcl_module *m;
    struct gcl_lane_geometry geometry;
    const struct gcl_cfg *cfg;
    LLVMValueRef function;
    LLVMValueRef thread[4]; ///< x, y, z and number as parameters, NULL where intrinsics give them
    bool assumes;           ///< may rely on assumptions
    bool *branches;         ///< per block: its branch is divergent
    bool *divergent_loops;  ///< per loop: lanes leave it at different times
    GHashTable *values;     ///< LLVMValueRef -> struct gcl_value_info
    GArray *assumptions;    ///< struct gcl_uniformity_assumption
};

/// Analyses `function`, whose threads have their numbers in the parameters `thread` (NULL: there
/// are none, the intrinsics are still calls).
struct gcl_uniformity *gcl_uniformity_create(struct gcl_module *m, LLVMValueRef function,
                                             const struct gcl_cfg *cfg,
                                             struct gcl_lane_geometry geometry,
                                             const LLVMValueRef thread[4], bool assumes);
void gcl_uniformity_destroy(struct gcl_uniformity *u);

/// What is known of any value, constants and arguments included.
struct gcl_value_info gcl_uniformity_of(const struct gcl_uniformity *u, LLVMValueRef value);

/// For an affine value that is unsure: whether that depends on `value` itself: it is the extension
/// of a narrower integer, or a row or a place in it. Others pass on what their operands are.
bool gcl_uniformity_is_doubt(const struct gcl_uniformity *u, LLVMValueRef value);

/// Whether an extension keeps the sign: that of a number that isn't negative may be seen as either,
/// but only lanes that run promise not to be.
bool gcl_uniformity_keeps_sign(LLVMValueRef extension);

/// Whether what is linear of the operands of `i` is linear of its result, modulo its width.
bool gcl_uniformity_passes_on(LLVMValueRef i);

/// Whether `i` takes apart a number that counts lanes by a power of two: its low bits or the rest.
/// Sets `*power` then.
bool gcl_uniformity_splits(const struct gcl_uniformity *u, LLVMValueRef i, uint64_t *power);

/// Whether `i` takes a number that counts lanes apart by a value that all share: the quotient or
/// rest of a division, or what bits of it do. That is affine if all lanes are in one row of it.
bool gcl_uniformity_is_row(const struct gcl_uniformity *u, LLVMValueRef i);

/// For an instruction that takes a number apart by a value that all lanes share: which operand is
/// the number. The other one is what lanes share.
unsigned gcl_uniformity_number(const struct gcl_uniformity *u, LLVMValueRef i);

/// For a select, a minimum or a maximum that diverges: the operand that it probably is for all
/// lanes, as what it does is to keep an index within bounds. -1: none.
int gcl_uniformity_assumed(const struct gcl_uniformity *u, LLVMValueRef i);

/// Prints every instruction with its shape, and why a value or branch is divergent.
void gcl_uniformity_print(const struct gcl_uniformity *u);

#endif
