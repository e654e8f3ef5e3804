// What a program's kernels did: how often each ran, how it was split over nodes, what moved because
// of it and why, and how long it took. For --stats of gcluster-run, from the start and with causes;
// for gcluster-top, from the moment when it is first asked, without.
//
// Node 0 counts launches and bytes for all nodes, since it plans for all; how long kernels took
// each node knows of itself, and node 0 is told at the end.
#ifndef GCL_EXEC_STATS_H
#define GCL_EXEC_STATS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "cluster/node.h"
#include "exec/engine.h"
#include "plan/moves.h"

struct gcl_kernel;
struct gcl_plan;
struct gcl_schedule;

/// What a node did besides running blocks.
struct gcl_stats_node {
    uint64_t sent;        ///< bytes to other nodes
    uint64_t exchange_ns; ///< with transfers, and waiting for them
};

struct gcl_stats_kernel {
    const struct gcl_kernel *kernel;
    uint64_t launches;
    uint64_t splits[3];      ///< launches along x, y, z; others ran on one node
    uint16_t reason;         ///< enum gcl_reason_code: why the latest of those did that could have
                             ///< been split; 0: none could
    uint64_t kept;           ///< launches that ran on one node and could have been split
    uint64_t inspections;    ///< launches that were looked up in memory before they were planned
    struct gcl_moves moves;  ///< by cause
    uint64_t moved;          ///< bytes in all, also where causes aren't found
    uint64_t *time_ns;       ///< of each node, like the next ones
    uint64_t *planning_ns;   ///< for launches that nothing was looked up for
    uint64_t *inspection_ns; ///< for the others, with the wait for what was looked up
};

/// All that is known, as plain data.
struct gcl_stats_summary {
    gcl_node node_count;
    bool has_devices; ///< each node is a device, and runs what the program gives it
    uint64_t elapsed_ns;
    struct gcl_stats_kernel *kernels;
    size_t kernel_count;
    struct gcl_moves copies; ///< by copies and sets of the program's, beside kernels
    struct gcl_stats_node *nodes;
    uint64_t *links;     ///< bytes, by from * node_count + to; NULL: there are too many nodes
    gcl_node told_count; ///< nodes that have told what they did; the others' times are 0
};

struct gcl_stats;

/// `has_devices`: as in struct gcl_stats_summary. With `is_full` it counts from now on, and wants
/// to know causes. NULL, after a message: no memory.
struct gcl_stats *gcl_stats_create(gcl_node self, gcl_node count, bool has_devices, bool is_full);
/// In a job of several nodes, before the first launch.
void gcl_stats_attach(struct gcl_stats *stats, struct gcl_engine *engine);

// Any thread, as is everything here.

bool gcl_stats_wants_causes(const struct gcl_stats *stats);
/// Whether it counts; else what is done leaves no trace.
bool gcl_stats_is_counting(const struct gcl_stats *stats);
/// Counts from now on.
void gcl_stats_start(struct gcl_stats *stats);
/// Shows what is known so far.
void gcl_stats_show(struct gcl_stats *stats,
                    void (*show)(const struct gcl_stats_summary *summary, void *context),
                    void *context);

/// Gives a kernel the next number, which has to be the same on all nodes. False: no memory.
GCL_MUST_USE bool gcl_stats_add_kernel(struct gcl_stats *stats, const struct gcl_kernel *kernel);
/// A launch, as it was spread.
struct gcl_stats_launched {
    uint32_t kernel; ///< number
    const struct gcl_schedule *schedule;
    uint16_t reason; ///< why it wasn't split; 0: it was, or nobody would expect it to be
};
/// Node 0 has submitted a launch, and is done with it at the fence.
void gcl_stats_launch(struct gcl_stats *stats, const struct gcl_stats_launched *launched,
                      struct gcl_fence fence);
/// This node has planned a launch of the kernel with that number; `is_inspection`: and looked into
/// memory for it.
void gcl_stats_plan(struct gcl_stats *stats, uint32_t kernel, bool is_inspection, uint64_t time_ns);
/// Likewise what nodes look up to plan a launch of the kernel with that number.
void gcl_stats_inspect(struct gcl_stats *stats, uint32_t kernel, struct gcl_plan *plan,
                       struct gcl_fence fence);
/// Likewise a copy or set by the program, or what is brought home for it.
void gcl_stats_copy(struct gcl_stats *stats, struct gcl_plan *plan, struct gcl_fence fence);
/// A launch of a kernel that has a number where there are no other nodes.
void gcl_stats_launch_alone(struct gcl_stats *stats, const struct gcl_kernel *kernel);
/// This node's share of a launch is done.
void gcl_stats_run(struct gcl_stats *stats, const struct gcl_kernel *kernel, uint64_t time_ns);
/// This node has exchanged bytes with others.
void gcl_stats_exchange(struct gcl_stats *stats, uint64_t sent, uint64_t time_ns);

// The end.

/// What this node tells node 0; as long on all nodes.
size_t gcl_stats_report_size(struct gcl_stats *stats);
void gcl_stats_write_report(struct gcl_stats *stats, unsigned char *out);
void gcl_stats_read_report(struct gcl_stats *stats, gcl_node node, const unsigned char *in);
/// Writes what is known to standard error or a file, as `output` says: "table", "json", or the
/// name of a file for JSON; NULL: nowhere. Takes NULL.
void gcl_stats_end(struct gcl_stats *stats, const char *output);

// stats_write.c

void gcl_stats_write_table(const struct gcl_stats_summary *summary, FILE *out);
/// One line.
void gcl_stats_write_json(const struct gcl_stats_summary *summary, FILE *out);

#endif
