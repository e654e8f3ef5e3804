// The room of schedules, to be read in this order:
//
//     schedule.h       how a launch runs on all nodes
//     plan.h           what nodes send each other before an operation, and combine after it:
//                      demand.c makes plans, with transfers by fetch.c
//     partition.h      a launch cut along one axis: what each node needs, and what that costs
//     border.h         blocks of a part that have to do with what moves, and those that don't
//     schedule_memo.h  schedules that were found before
//     balance.h        how large the parts of nodes are that aren't equally fast
//     forecast.h       how long a program would take on a cluster
//     combine.h        reductions of what several nodes made of the same bytes
//     moves.h          why bytes move
//     print.h          plans and schedules as text, for logs and tests
//     sound.h          the invariants of plans and schedules, for asserts
//
// How a launch runs on all nodes: which blocks each of them runs, what they send each other before
// and combine after it.
//
// Each axis of the grid along which blocks differ is tried, in as many parts as there are nodes,
// which are even unless nodes have weights.
// The one that moves least is taken; of equals the slowest. But one with too few blocks, which
// would give some node half as much again to do as another one does, is passed over for that: bytes
// move in the meantime, idle nodes don't help. What can't be cut runs on node 0, and so does a
// launch for which it would take more to merge what nodes write than it can save: that is judged by
// how many bytes move more, and how often blocks access memory. What the program wants to have on
// one node runs there. So does a launch for which it would take too long to find out what its parts
// touch: planning must cost less than what it plans.
#ifndef GCL_PLAN_SCHEDULE_H
#define GCL_PLAN_SCHEDULE_H

#include "plan/program/split.h"
#include "plan/schedule/border.h"
#include "plan/schedule/plan.h"
#include "plan/survey/reader.h"

struct gcl_schedule {
    struct gcl_plan *plan;
    struct gcl_launch_part *parts; ///< of each node, without arguments; empty for some
    uint32_t node_count;
    char axis;          ///< 'x', 'y' or 'z'; 0: it runs on one node
    uint16_t reason;    ///< enum gcl_reason_code: why it runs on one node; 0: it doesn't
    uint16_t access;    ///< that this is about, GCL_NONE: the kernel
    uint64_t forbidden; ///< begin of an allocation that it uses and mustn't; 0: none
    bool is_general;    ///< it depends on which allocations there are, whatever the launch names
    struct gcl_reading *readings; ///< what it depends on besides, each allocation once
    size_t reading_count;
    bool has_looked; ///< memory was looked into: what is remembered didn't do
};

/// For one kernel and one directory; used by one thread at a time.
struct gcl_scheduler;
/// `program` NULL: nothing is known of the kernel. NULL: no memory.
struct gcl_scheduler *gcl_scheduler_create(const struct gcl_program *program,
                                           struct gcl_directory *directory);
void gcl_scheduler_destroy(struct gcl_scheduler *scheduler);
/// Bytes that it takes.
size_t gcl_scheduler_memory(const struct gcl_scheduler *scheduler);
/// From here on schedules' plans say why bytes move; that takes time.
void gcl_scheduler_count_moves(struct gcl_scheduler *scheduler);
/// From here on a launch for which it would take more steps than that to find out what each node
/// touches, each about a microsecond, runs on one node.
void gcl_scheduler_limit(struct gcl_scheduler *scheduler, int64_t steps);
/// From here on nodes' parts of launches are in proportion to weights, which the caller keeps;
/// NULL: even ones.
void gcl_scheduler_weigh(struct gcl_scheduler *scheduler, const uint32_t *weights);
/// From here on nodes get whole pages of what launches read vaguely as they touch them, or not.
void gcl_scheduler_fault(struct gcl_scheduler *scheduler, bool faults);
/// A launch takes a schedule that was found before.
void gcl_scheduler_note_reuse(struct gcl_scheduler *scheduler);

/// Finds the schedule of a whole launch as the directory is now. `node`: where all of it runs, with
/// what the directory allows there, and nothing is looked up in memory; GCL_NOBODY: wherever that
/// is best. `reader` NULL: nothing is looked up. False: no memory.
GCL_MUST_USE bool gcl_scheduler_find(struct gcl_scheduler *scheduler,
                                     const struct gcl_launch_part *launch, uint32_t node,
                                     const struct gcl_reader *reader,
                                     struct gcl_schedule *schedule);
void gcl_schedule_finish(struct gcl_schedule *schedule);
/// The border of a node's part of a launch with that schedule, which is to be released. NULL: as
/// gcl_border_create, or the launch isn't cut, or memory was looked into.
struct gcl_border *gcl_scheduler_find_border(struct gcl_scheduler *scheduler,
                                             const struct gcl_launch_part *launch,
                                             const struct gcl_schedule *schedule, uint32_t node);

#endif
