#ifndef GCL_DEVICE_CUT_STEP_H
#define GCL_DEVICE_CUT_STEP_H

#include "device/ir/cfg.h"
#include "device/ir/intrinsics.h"
#include "device/ir/module.h"

/// What counts, and where what follows from that is built.
struct gcl_step_search {
    struct gcl_module *m;
    const struct gcl_cfg *cfg;
    int loop;                        ///< GCL_NOWHERE: `counter` counts
    enum gcl_intrinsic_kind counter; ///< that over blocks or threads, along x
    LLVMBuilderRef b;
    bool failed; ///< an answer isn't known; stays
};

/// Enough for `depth`: the operands of operands that are looked at.
enum { GCL_STEP_DEPTH = 24 };

/// How far a turn of the loop, or the next block or thread, moves a value, in the width of an
/// address, if it doesn't wrap. Means nothing if `failed` is set then.
LLVMValueRef gcl_step_of(struct gcl_step_search *s, LLVMValueRef value, unsigned depth);
/// Whether an address leads into memory that isn't the block's own.
bool gcl_step_is_global(LLVMValueRef address);

#endif
