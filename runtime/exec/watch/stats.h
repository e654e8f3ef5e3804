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
#include "cluster/communicator/node.h"
#include "exec/watch/judgement.h"
#include "exec/watch/listener.h"
#include "plan/schedule/moves.h"

/// What came to a node's device and went from there, because more is allocated than it holds.
enum gcl_stats_tier {
    GCL_TIER_MOST,      ///< bytes on the device at most, once it was too small
    GCL_TIER_ANNOUNCED, ///< bytes that came since a launch was going to use them
    GCL_TIER_TOUCHED,   ///< bytes that came when a thread touched them,
    GCL_TIER_STOPS,     ///< and how often one did
    GCL_TIER_WENT,      ///< bytes that went to another tier
    GCL_TIER_DROPPED,   ///< bytes that went as another tier still had them
    GCL_TIER_READ,      ///< bytes that came from files,
    GCL_TIER_WRITTEN,   ///< and that went there
    GCL_TIER_COUNT,
};
/// Tells what this node's device did so far.
typedef void gcl_stats_tell_tiers(uint64_t tiers[GCL_TIER_COUNT]);

/// What came to devices for a kernel from other tiers, in bytes.
struct gcl_stats_came {
    uint64_t announced, touched; ///< before launches, and as threads touched it
    uint64_t from_files;         ///< of these
    uint64_t went;               ///< for it
    /// What a device lacks to have kept what came: its mean times what came, and the most.
    double lack_sum;
    uint64_t most_lack;
};

/// What a node did besides running blocks.
struct gcl_stats_node {
    uint64_t tiers[GCL_TIER_COUNT];
    uint64_t sent;        ///< bytes to other nodes
    uint64_t mapped;      ///< bytes from others, copied from where their memory is mapped
    uint64_t exchange_ns; ///< with transfers, and waiting for them
};

/// Launches of a kernel with blocks of one size.
struct gcl_stats_shape {
    uint32_t block[3];
    uint64_t launches;
    uint64_t blocks;   ///< of these launches, on all nodes
    uint64_t measured; ///< blocks that node 0 ran,
    uint64_t busy_ns;  ///< and for how long its threads did
};

struct gcl_stats_kernel {
    const struct gcl_kernel *kernel;
    struct gcl_stats_shape *shapes;
    size_t shape_count;
    struct gcl_judged_kernel foreseen; ///< sums of all judgements; `kernel` NULL: nothing was
    uint64_t launches;
    uint64_t splits[3];     ///< launches along x, y, z; others ran on one node
    uint16_t reason;        ///< enum gcl_reason_code: why the latest of those did that could have
                            ///< been split; 0: none could
    uint64_t kept;          ///< launches that ran on one node and could have been split
    uint64_t inspections;   ///< launches that were looked up in memory before they were planned
    struct gcl_moves moves; ///< by cause
    uint64_t moved;         ///< bytes in all, also where causes aren't found
    struct gcl_stats_came came;
    uint64_t *time_ns;       ///< of each node, like the next ones
    uint64_t *planning_ns;   ///< for launches that nothing was looked up for
    uint64_t *inspection_ns; ///< for the others, with the wait for what was looked up
};

/// All that is known, as plain data.
struct gcl_stats_summary {
    gcl_node node_count;
    bool has_devices;              ///< each node is a device, and runs what the program gives it
    uint64_t begin_ns, elapsed_ns; ///< since when it was counted, and for how long
    struct gcl_stats_kernel *kernels;
    size_t kernel_count;
    struct gcl_moves copies; ///< by copies and sets of the program's, beside kernels
    struct gcl_stats_node *nodes;
    struct gcl_judgement *judgements; ///< without kernels, in their order
    size_t judgement_count;
    double link_bytes_per_ns; ///< of a link to another host, as measured last; 0: it wasn't
    uint64_t *links;          ///< bytes, by from * node_count + to; NULL: there are too many nodes
    gcl_node told_count;      ///< nodes that have told what they did; the others' times are 0
};

struct gcl_geometry;
struct gcl_stats;

/// `has_devices`: as in struct gcl_stats_summary. With `is_full` it counts from now on, and wants
/// to know causes. NULL, after a message: no memory.
struct gcl_stats *gcl_stats_create(gcl_node self, gcl_node count, bool has_devices, bool is_full);
/// The listener by which statistics hear what to count.
struct gcl_listener gcl_stats_listener(struct gcl_stats *stats);

// Any thread, as is everything here.

/// Counts from now on.
void gcl_stats_start(struct gcl_stats *stats);
/// Shows what is known so far.
void gcl_stats_show(struct gcl_stats *stats,
                    void (*show)(const struct gcl_stats_summary *summary, void *context),
                    void *context);

/// Gives a kernel the next number, which has to be the same on all nodes. False: no memory.
GCL_MUST_USE bool gcl_stats_add_kernel(struct gcl_stats *stats, const struct gcl_kernel *kernel);
/// A link between hosts was measured. Takes NULL.
void gcl_stats_set_link(struct gcl_stats *stats, double bytes_per_ns);
/// A launch of a kernel that has a number where there are no other nodes.
void gcl_stats_launch_alone(struct gcl_stats *stats, const struct gcl_kernel *kernel,
                            const struct gcl_geometry *geometry);
/// This node's memory goes to other tiers. Takes NULL.
void gcl_stats_set_tiers(struct gcl_stats *stats, gcl_stats_tell_tiers *tell);

// The end.

/// What this node tells node 0; as long on all nodes.
size_t gcl_stats_report_size(struct gcl_stats *stats);
void gcl_stats_write_report(struct gcl_stats *stats, unsigned char *out);
void gcl_stats_read_report(struct gcl_stats *stats, gcl_node node, const unsigned char *in);
/// Writes what is known to standard error or a file, as `output` says: "table", "json", or the
/// name of a file for JSON; NULL: nowhere. Takes NULL.
void gcl_stats_end(struct gcl_stats *stats, const char *output);

/// Bytes that a device lacks to have kept what came for a kernel, on average.
double gcl_stats_lack(const struct gcl_stats_came *came);

// stats_write.c

void gcl_stats_write_table(const struct gcl_stats_summary *summary, FILE *out);
/// Writes statistics as JSON, in one line.
void gcl_stats_write_json(const struct gcl_stats_summary *summary, FILE *out);

#endif
