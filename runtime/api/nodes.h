// The job that this process is part of, if any: its other nodes.
#ifndef GCL_API_NODES_H
#define GCL_API_NODES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/env.h"
#include "cluster/cluster.h"
#include "exec/spread.h"

/// Joins the job that the environment names; if it names none, `place` is that of a job of one. On
/// failure, false after a message.
bool gcl_nodes_join(const struct gcl_env *env, struct gcl_cluster_place *place);
/// Connects to the other nodes; `device`, this node's, becomes that of all of them together, of
/// which the program sees `shown_count`. False after a message.
bool gcl_nodes_connect(struct gcl_cluster_device *device, unsigned shown_count);
/// What carries operations between the nodes of a job of several.
struct gcl_courier gcl_nodes_courier(void);
/// What a node of a connected job is.
struct gcl_cluster_member gcl_nodes_member(gcl_node node);
/// Compares another node's clock with this one's. False: it doesn't answer.
bool gcl_nodes_compare_clocks(gcl_node node, struct gcl_cluster_clock *clock);
/// Carries out node 0's operations until the job ends, on other nodes; returns the process' exit
/// status.
int gcl_nodes_serve(struct gcl_spread *spread);
/// Whether a node of the job is lost: what the program has computed since may be wrong.
bool gcl_nodes_have_failed(void);
/// Ends the job, or leaves it. `status`: the engine's.
void gcl_nodes_close(enum gcl_status status);
/// In a child of this process, which has no part in the job.
void gcl_nodes_forget(void);
/// Writes a table of the job's nodes and links. False if this process isn't part of a job.
bool gcl_nodes_write_census(FILE *out);

#endif
