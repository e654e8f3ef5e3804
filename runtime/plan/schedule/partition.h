// A launch cut along one axis of its grid into as many parts as there are nodes: what each node
// needs for its blocks and what it changes, and what that costs.
#ifndef GCL_PLAN_PARTITION_H
#define GCL_PLAN_PARTITION_H

#include "plan/program/shares.h"
#include "plan/program/split.h"
#include "plan/schedule/plan.h"
#include "plan/survey/survey.h"

struct gcl_partition_input {
    struct gcl_evaluator *evaluator;
    const struct gcl_launch_part *launch; ///< all of it
    const struct gcl_memory *memory;
    struct gcl_directory *directory;
    struct gcl_survey *survey;
    const struct gcl_shares *shares; ///< of the launch; NULL: its parts are evaluated one by one
    const uint32_t *weights;         ///< of nodes' parts; NULL: they are even
    bool faults;                     ///< what is read vaguely comes as it is touched
    const struct gcl_reader *reader; ///< NULL: nothing is looked up in memory
    /// Told of each footprint that is looked at. False: no memory.
    bool (*found)(void *context, const struct gcl_footprint *footprint);
    void *context;
};

/// Zeroed, a partition isn't possible.
struct gcl_partition {
    bool is_possible;
    bool lacks_memory; ///< it isn't known whether it is: nodes that have some may find that it is
    struct gcl_launch_part *parts;        ///< of each node; empty for some
    struct gcl_demand *demands;           ///< one an allocation
    struct gcl_demand_outline **outlines; ///< of each demand
    size_t demand_count;
    struct gcl_region *regions; ///< those of all demands
    uint32_t node_count;
    uint64_t cost;   ///< bytes that move between nodes, at most
    bool merges;     ///< nodes may write the same bytes
    double accesses; ///< how often blocks access memory
    char axis;       ///< 'x', 'y' or 'z'
    uint16_t reason; ///< enum gcl_reason_code: why it isn't possible; 0: it costs too much
    uint16_t access; ///< that this is about, GCL_NONE: the kernel
};

/// Cuts along `axis`: 0, 1, 2. It isn't possible if it would cost `limit` bytes or more.
void gcl_partition_init(struct gcl_partition *partition, const struct gcl_partition_input *input,
                        unsigned axis, uint64_t limit);
void gcl_partition_finish(struct gcl_partition *partition);
/// Adds to `*bytes` what node 0 would lack if it ran all blocks. False: no memory.
GCL_MUST_USE bool gcl_partition_cost_of_one(const struct gcl_partition *partition,
                                            struct gcl_directory *directory, uint64_t *bytes);

#endif
