// What this node has to do for a plan besides running blocks: transfers before them, and after them
// putting together what several nodes changed.
#ifndef GCL_EXEC_ERRAND_H
#define GCL_EXEC_ERRAND_H

#include "cluster/parcel.h"
#include "plan/plan.h"

struct gcl_errand;
struct gcl_guard;

/// Who does it, and with what.
struct gcl_errand_means {
    gcl_node self;
    struct gcl_courier courier;
    struct gcl_guard *guard; ///< node 0, if there is guarded memory
};

/// What an errand is for: as struct gcl_parcel has it, and the number of the operation, by which
/// nodes name parcels, and its track.
struct gcl_errand_purpose {
    const char *what;
    uint64_t sequence;
    enum gcl_track track;
};

/// Holds the plan for as long as it lives. NULL: no memory.
struct gcl_errand *gcl_errand_create(struct gcl_plan *plan, struct gcl_errand_purpose purpose,
                                     const struct gcl_errand_means *means);
void gcl_errand_destroy(struct gcl_errand *errand);

/// Whether there is something to do on this node.
bool gcl_errand_has_before(const struct gcl_errand *errand);
bool gcl_errand_has_after(const struct gcl_errand *errand);
/// Does it: returns when the blocks may run, or when the memory is as the plan says. Other nodes
/// have to do the same. GCL_NO_MEMORY, GCL_NODE_LOST, GCL_SYSTEM.
GCL_MUST_USE enum gcl_status gcl_errand_before(struct gcl_errand *errand);
GCL_MUST_USE enum gcl_status gcl_errand_after(struct gcl_errand *errand);

/// For people, what is exchanged: "64 bytes for step, of 1024 bytes at 0x110000000000", of the
/// first allocation if there are several.
void gcl_errand_describe(const struct gcl_errand *errand, char *text, size_t size);

/// What a parcel of that number is for: "fetch", "merge"; NULL: no errand has it.
const char *gcl_errand_name(uint64_t tag);
/// Numbers of parcels that no errand has.
uint64_t gcl_errand_tag_beside(uint64_t sequence, size_t index);

#endif
