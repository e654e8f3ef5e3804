// The state in which a kernel's access program is made; value.c, target.c, loop.c and guard.c of
// this room share it.
//
// Values become nodes on demand, and are remembered. While the recurrence of a loop is looked for
// (access/loop.c), nodes may hold an OPEN one; those are remembered apart, and forgotten when it is
// found.
#ifndef GCL_DEVICE_ACCESS_BUILD_H
#define GCL_DEVICE_ACCESS_BUILD_H

#include <glib.h>
#include <llvm-c/Core.h>

#include "device/access/graph.h"
#include "device/ir/cfg.h"
#include "device/ir/module.h"
#include "gcluster/reasons.h"

/// Where a pointer may lead.
enum gcl_access_target_kind {
    GCL_TARGET_ARGUMENT, ///< `index`: byte of the packed arguments
    GCL_TARGET_VARIABLE, ///< `variable`
    GCL_TARGET_LOADED,   ///< `index`: record
    GCL_TARGET_ANY,      ///< `index`: reason
    GCL_TARGET_LOCAL, ///< no other block sees it; `index`: enum gcl_reason_code for what it holds
    GCL_TARGET_PARAMETER, ///< into a parameter passed by value, at its byte `index`
    GCL_TARGET_OPEN,      ///< where the phi of depth `index` leads
};

struct gcl_access_target {
    enum gcl_access_target_kind kind;
    uint32_t index;
    const struct gcl_device_variable *variable;
    uint32_t offset;    ///< node of 64 bits
    uint32_t condition; ///< node of 1 bit for which it leads there, GCL_NOTHING: always
    uint64_t loops;     ///< in whose iterations the base may differ
};

/// Where a pointer may lead; nowhere if it is undefined.
enum { GCL_TARGETS = 8 };
struct gcl_access_targets {
    unsigned count;
    uint64_t open;
    struct gcl_access_target list[GCL_TARGETS];
};

/// A place in memory that an instruction reads or writes.
enum gcl_record_role {
    GCL_ROLE_WHOLE,  ///< what a load or store or atomic operation is about, or is written
    GCL_ROLE_SOURCE, ///< what is copied
    GCL_ROLE_TEXELS, ///< texels of a level that is passed to GCL_TEXTURE_FUNCTION
    GCL_ROLE_LANE,   ///< an element of a vector that is loaded, `lane`
};

struct gcl_record {
    LLVMValueRef instruction;
    enum gcl_record_role role;
    uint32_t lane;
    uint32_t first; ///< its access in the program, once that exists
};

struct gcl_extraction {
    struct gcl_module *m; ///< a copy, of which only the analysis knows
    struct gcl_device_kernel *kernel;
    LLVMValueRef function;
    struct gcl_cfg *cfg;
    int *up; ///< block -> the one from which its guard goes on (access/guard.c)
    struct gcl_graph graph;
    GHashTable *values, *open_values;   ///< LLVMValueRef, or block: its condition -> node + 1
    GHashTable *targets, *open_targets; ///< LLVMValueRef -> struct gcl_access_targets
    GHashTable *open_phis, *open_phi_targets;
    GPtrArray *kept;  ///< all struct gcl_access_targets
    unsigned depth;   ///< OPEN nodes at the moment
    unsigned nesting; ///< of calls that follow operands
    GArray *records;  ///< struct gcl_record
    GHashTable *record_index;
    GArray *reasons;  ///< struct gcl_reason
    GPtrArray *files; ///< names
};

#endif
