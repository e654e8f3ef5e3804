// What nodes do so that an operation on global memory ends as on one device: which bytes they send
// each other before it, what they put together after it, and where bytes are then.
#ifndef GCL_PLAN_PLAN_H
#define GCL_PLAN_PLAN_H

#include <stdatomic.h>

#include "gcluster/access.h"
#include "plan/directory/demand.h"
#include "plan/directory/directory.h"
#include "plan/schedule/moves.h"

/// As the source of a transfer: the node fills the bytes with a value itself.
#define GCL_NOWHERE UINT32_MAX

/// Bytes of one allocation that nodes get before the operation. All transfers of a plan may go on
/// at once: none changes what another one reads.
struct gcl_transfer {
    uint32_t allocation; ///< index of the allocation in the plan
    uint32_t from;       ///< node, or GCL_NOWHERE
    uint32_t to, to_end; ///< nodes [to, to_end) but `from`: each gets all of the bytes
    uint8_t fill;        ///< from GCL_NOWHERE: the value of each byte
    struct gcl_region bytes;
};

/// Whether a node gets the bytes of a transfer.
bool gcl_transfer_reaches(const struct gcl_transfer *transfer, uint32_t node);
/// How many nodes get the bytes of a transfer.
uint32_t gcl_transfer_receivers(const struct gcl_transfer *transfer);

/// How what several nodes made of the same bytes becomes one.
enum gcl_combination_kind {
    /// Nodes set the bytes to the neutral element of a reduction first; results are reduced.
    GCL_COMBINATION_REDUCE,
    /// Nodes start with the value from before; as reducing it twice does no harm, results are
    /// reduced all the same.
    GCL_COMBINATION_AGAIN,
    /// Nodes keep a twin of the bytes; those that differ from it are the result.
    GCL_COMBINATION_MERGE,
};

/// Bytes that several nodes change, each its own copy. Afterwards node i gets from all others what
/// they have in [limits[i], limits[i + 1]) and combines it, in the order of nodes, with the value
/// from before.
struct gcl_combination {
    uint32_t allocation;
    uint8_t kind;             ///< enum gcl_combination_kind
    uint8_t reduction;        ///< enum gcl_reduction, unless it is a merge
    uint16_t element;         ///< bytes of what is reduced; of a merge, of what is taken as a whole
    struct gcl_region *bytes; ///< of each node: those that it may change
    int64_t *limits;          ///< node_count + 1 offsets
};

/// An allocation in a plan.
struct gcl_plan_allocation {
    uint64_t begin; ///< address
    uint64_t size;  ///< bytes
    enum gcl_host_use use;
    struct gcl_region opened;        ///< guarded memory: pages that node 0 changes
    const struct gcl_layout *before; ///< where its bytes are when the plan starts; held
    const struct gcl_layout *after;
    bool is_changed;           ///< bytes have other values afterwards
    struct gcl_region used;    ///< bytes that have to be valid on some node
    struct gcl_region touched; ///< bytes that some node gets or changes
    struct gcl_region *needed; ///< of each node: those that have to be valid there; NULL: none
    bool is_faulted;           ///< it has faults
};

/// Zeroed, a plan does nothing.
struct gcl_plan {
    struct gcl_plan_allocation *allocations;
    struct gcl_transfer *transfers;
    struct gcl_combination *combinations;
    /// Whole pages that one node gets from another while the operation is under way, as they are
    /// touched; afterwards the directory doesn't say that it has them. Nobody changes their
    /// allocation.
    struct gcl_transfer *faults;
    size_t allocation_count, transfer_count, combination_count, fault_count;
    bool counts_moves;      ///< set before the first demand: `moves` is wanted
    struct gcl_moves moves; ///< what demands so far move, and why
    uint32_t *own; ///< those transfers that gcl_plan_select chose, ascending; NULL: it hasn't
    size_t own_count;
    bool is_at_home;     ///< but for transfers and combinations, node 0 alone has something to do
    atomic_uint holders; ///< of one that gcl_plan_create made
};

/// A plan on the heap, with one holder. Several may carry it out at different times, on any thread,
/// once nothing is added any more. NULL: no memory.
struct gcl_plan *gcl_plan_create(void);
struct gcl_plan *gcl_plan_hold(struct gcl_plan *plan);
/// Chooses the transfers from and to a node, the same one each time, of a plan to which nothing is
/// added any more. False: no memory.
GCL_MUST_USE bool gcl_plan_select(struct gcl_plan *plan, uint32_t node);
/// Gives a plan up; the last holder finishes and frees it. Takes NULL.
void gcl_plan_release(struct gcl_plan *plan);

/// Adds what a demand asks for. An allocation has one demand in a plan. False: that can't be said
/// in few enough parts, or there is no memory; the plan is useless then.
GCL_MUST_USE bool gcl_plan_demand(struct gcl_plan *plan, struct gcl_directory *directory,
                                  const struct gcl_demand *demand);

/// What nodes lack and have afterwards by a demand, as the directory is now: for who asks what a
/// demand costs before it is planned. Borrows the demand.
struct gcl_demand_outline;
/// NULL: as gcl_plan_demand.
struct gcl_demand_outline *gcl_demand_outline_create(struct gcl_directory *directory,
                                                     const struct gcl_demand *demand);
/// Takes NULL.
void gcl_demand_outline_destroy(struct gcl_demand_outline *outline);
/// Adds to `*bytes` what moves between nodes: before the operation, and at most after it. False: as
/// gcl_plan_demand.
GCL_MUST_USE bool gcl_demand_outline_cost(const struct gcl_demand_outline *outline,
                                          uint64_t *bytes);
/// Like gcl_plan_demand, of the demand that is outlined; the outline can only be destroyed then.
/// False also if the bytes of its allocation have moved meanwhile.
GCL_MUST_USE bool gcl_plan_add_outline(struct gcl_plan *plan, struct gcl_directory *directory,
                                       struct gcl_demand_outline *outline);

/// Adds that `bytes` of an allocation become `value`. False as above.
GCL_MUST_USE bool gcl_plan_fill(struct gcl_plan *plan, struct gcl_directory *directory,
                                uint64_t begin, const struct gcl_region *bytes, uint8_t value);
/// The plan is going to be carried out: the directory tells of the time after it.
void gcl_plan_commit(const struct gcl_plan *plan, struct gcl_directory *directory);
void gcl_plan_finish(struct gcl_plan *plan);
/// Takes back what was added to a plan since there were so many allocations and transfers, without
/// combinations.
void gcl_plan_rewind(struct gcl_plan *plan, size_t allocation_count, size_t transfer_count);

/// Whether two plans have to be carried out one after the other, in the order in which they were
/// made. False: neither touches what the other one uses or touches.
bool gcl_plan_conflicts(const struct gcl_plan *a, const struct gcl_plan *b);

/// Bytes that may come by faults, of which few are touched mostly.
uint64_t gcl_plan_faulted(const struct gcl_plan *plan);
/// The sum of the versions of the allocations of which pages may come by faults: another one once
/// those that have come are out of date.
uint64_t gcl_plan_fault_versions(const struct gcl_plan *plan, struct gcl_directory *directory);
/// Bytes that the plan takes.
size_t gcl_plan_memory(const struct gcl_plan *plan);
/// Bytes that move between nodes before the operation.
uint64_t gcl_plan_moved(const struct gcl_plan *plan);
/// Upper bound on the bytes that move between nodes after the operation.
uint64_t gcl_plan_combined(const struct gcl_plan *plan, uint32_t node_count);
/// What a node may change of the stretch that `home` combines. False: as gcl_plan_demand.
GCL_MUST_USE bool gcl_combination_part(const struct gcl_combination *combination, uint32_t node,
                                       uint32_t home, struct gcl_region *part);
/// Upper bound on the bytes that move for one combination.
uint64_t gcl_combination_moved(const struct gcl_combination *combination, uint32_t node_count);

#endif
