// What a kernel relies on without saying so: that the lanes of a warp do each access together
// (in step), or that all warps have read, behind a barrier or for work that all do alike, before
// the first one writes there.
#ifndef GCL_DEVICE_ORDER_H
#define GCL_DEVICE_ORDER_H

#include "device/cut/moment.h"
#include "device/cut/ways.h"
#include "device/ir/cfg.h"
#include "device/ir/module.h"
#include "device/ir/uniformity.h"

/// An access to memory that other threads may see.
struct gcl_order_access {
    LLVMValueRef instruction;
    LLVMValueRef pointer;
    LLVMValueRef root; ///< of the pointer, as far as it can be seen without a moment, else NULL
    int64_t size;      ///< bytes
    int block;         ///< its number in the control flow
    bool writes;
    bool is_atomic;
    bool matters; ///< an access, which may be itself in another thread, may be at the same place
};

/// Two accesses of which the second has to wait for the first of all threads that do it.
struct gcl_order_pair {
    guint first, second; ///< of the accesses
};

struct gcl_order {
    struct gcl_module *m;
    const struct gcl_device_kernel *kernel;
    struct gcl_cfg *cfg;
    struct gcl_uniformity *u;
    struct gcl_ways *ways;
    struct gcl_moments *moments;
    GHashTable *spots; ///< what order.c has worked out of where threads are
    GArray *accesses;  ///< struct gcl_order_access, in the order of the program
    GArray *barriers;  ///< LLVMValueRef: where the threads of a block wait for each other
    GArray *lanes;     ///< struct gcl_order_pair: lanes of one warp
    GArray *warps;     ///< struct gcl_order_pair: warps of a block; the first reads
};

/// Looks for both kinds of pairs in a kernel that has the control flow that ir/cfg.h wants. To be
/// destroyed before anything is changed in it but for calls that its ways are told of.
struct gcl_order *gcl_order_find(struct gcl_module *m, const struct gcl_device_kernel *kernel);
void gcl_order_destroy(struct gcl_order *order);

/// Two accesses between which an order was kept.
struct gcl_order_telling {
    LLVMValueRef first, second;
    LLVMValueRef before;  ///< where the source could say so: in front of the statement of this
    bool is_block;        ///< warps of a block rather than lanes of a warp
    bool differs;         ///< not all threads come there
    bool differs_outside; ///< nor in front of the branch around it
};

/// Tells the user of an order that was kept, unless the same words have been told of another pair.
void gcl_order_tell(const struct gcl_order *order, const struct gcl_order_telling *telling);

#endif
