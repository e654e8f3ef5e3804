// The job that this process is part of, if any: its other nodes.
#ifndef GCL_PROCESS_NODES_H
#define GCL_PROCESS_NODES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/env.h"
#include "cluster/cluster.h"
#include "exec/spread/spread.h"

/// The other nodes of a job of several: those of the cluster, or those of a dry run, which are like
/// this one and answer nothing.
struct gcl_peers {
    /// What carries operations between them.
    struct gcl_communicator (*communicator)(void *context);
    /// What a node is. NULL: all are like this one.
    struct gcl_cluster_member (*member)(void *context, gcl_node node);
    /// Compares another node's clock with this one's. False: it doesn't answer. NULL: none does.
    bool (*compare_clocks)(void *context, gcl_node node, struct gcl_cluster_clock *clock);
    /// Measures this node's link to another one. False: it doesn't answer. NULL: there are none.
    bool (*measure_link)(void *context, gcl_node node, struct gcl_cluster_link *link);
    /// Has node 0 learn of this node's tiers; and a node's tiers, on node 0. NULL: both are.
    void (*tell_tiers)(void *context, gcl_tell_tiers *tell);
    struct gcl_tiers (*tiers)(void *context, gcl_node node);
    void *context;
};

/// What the other nodes of the cluster are to this one.
extern const struct gcl_peers gcl_nodes_peers;

/// Joins the job that the environment names; if it names none, `place` is that of a job of one. On
/// failure, false after a message.
bool gcl_nodes_join(const struct gcl_env *env, struct gcl_cluster_place *place);
/// Says what this node may use of its host, and learns what the others of the host may: `own` alone
/// in a job of one. False after a message.
bool gcl_nodes_seat(const struct gcl_seat *own, struct gcl_cluster_seats *seats);
/// Connects to the other nodes, with the same addresses as theirs; `device`, this node's, becomes
/// that of all of them together, of which the program sees `shown_count`. False after a message.
bool gcl_nodes_connect(struct gcl_cluster_device *device, const struct gcl_cluster_mover *mover,
                       unsigned shown_count);
/// Carries out node 0's operations until the job ends, on other nodes; returns the process' exit
/// status.
int gcl_nodes_serve(struct gcl_spread *spread);
/// Whether a node of the job is lost: what the program has computed since may be wrong.
bool gcl_nodes_have_failed(void);
/// Ends the job, or leaves it. `status`: the engine's.
void gcl_nodes_close(enum gcl_status status);
/// In a child of this process, which has no part in the job.
void gcl_nodes_forget(void);
/// Writes a table of what the job's nodes are bound to; `own` is this node's.
void gcl_nodes_write_bindings(const struct gcl_cluster_binding *own, FILE *out);
/// Writes a table of the job's nodes and links. False if this process isn't part of a job.
bool gcl_nodes_write_census(FILE *out);

#endif
