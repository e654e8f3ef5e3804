// The other nodes of a job, for the runtime of one of them.
//
// All of this is in a library of its own, libgcluster-cluster, which is loaded only in processes
// that are part of a job: UCX and PMIx bring threads and handlers along that a program on one
// machine shouldn't pay for.
//
// A thread of its own (the cluster's thread) owns transport and lifeline. What others want of them
// crosses by gcl_cluster_calls.post.
#ifndef GCL_CLUSTER_CLUSTER_H
#define GCL_CLUSTER_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/limits.h"
#include "base/log.h"
#include "base/status.h"
#include "base/tiers.h"
#include "cluster/communicator/communicator.h"
#include "cluster/communicator/node.h"
#include "cluster/communicator/seat.h"

struct gcl_cluster;

/// What is gone with a node: of which it had the only valid copy.
struct gcl_cluster_loss {
    size_t size; ///< bytes
    size_t allocation_count;
};

struct gcl_cluster_options {
    enum gcl_log_level log_level;
    bool is_strict;          ///< GCL_STRICT: a link that fell back is an error
    bool is_network_trusted; ///< GCL_TRUSTED_NETWORK: UCX may use TCP
    uint64_t timeout_ns;     ///< GCL_TIMEOUT: silence or waiting that counts as a loss; 0: none
    /// A node is lost; called on the cluster's thread or in connect, once for each. Fills in what
    /// is known of `loss`, which is zeroed.
    void (*lost)(void *context, gcl_node node, struct gcl_cluster_loss *loss);
    void *context;
};

/// What a node is bound to, for people.
struct gcl_cluster_binding {
    const char *device; ///< "cuda:1 at 0000:3b:00.0", or "cpu"
    const char *cores;  ///< their hardware threads, "0-3"
    const char *memory_nodes;
    const char *network; ///< the network card that UCX is to use; "": any
};

/// What a node computes with.
struct gcl_cluster_device {
    const char *name;
    struct gcl_cluster_binding binding;
    bool is_apart;    ///< nobody reaches its memory but the device itself
    bool is_packed;   ///< nor but through its packer
    bool can_fault;   ///< pages of its memory may come as they are touched
    unsigned threads; ///< worker threads, or multiprocessors of a GPU
    struct gcl_limits limits;
    uint64_t memory;     ///< bytes
    uint64_t begin, end; ///< addresses that it has reserved for memory: the same on all nodes
    uint32_t range;      ///< their number in the order in which nodes try them
    const char *refusal; ///< why they aren't earlier ones, for people; "": they are the first
    uint64_t code;       ///< hash of its program's device code: the same on all nodes
};

/// The number of addresses that aren't in the order: other nodes can't have them.
#define GCL_CLUSTER_NO_RANGE UINT32_MAX

/// How a node reserves other addresses.
struct gcl_cluster_mover {
    /// Reserves the first ones that it can have from a number on, and says in `device` which:
    /// GCL_CLUSTER_NO_RANGE if there are none.
    void (*move)(void *context, uint32_t first, struct gcl_cluster_device *device);
    void *context;
};

/// Another node's clock beside this one's.
struct gcl_cluster_clock {
    uint64_t at_ns;         ///< when this one showed that,
    int64_t ahead_ns;       ///< the other one was that much ahead
    uint64_t round_trip_ns; ///< within half of which that is certain
};

/// What a link between two nodes takes.
struct gcl_cluster_link {
    double latency_ns; ///< of a short message, one way
    double bytes_per_ns;
};

/// What a node is, for people; texts live as long as the cluster.
struct gcl_cluster_member {
    const char *host;
    const char *device; ///< what it computes with
    struct gcl_cluster_binding binding;
    bool is_apart; ///< as in struct gcl_cluster_device
    uint32_t process;
    unsigned threads;
    uint64_t memory; ///< bytes
};

/// What the nodes of one host may use.
struct gcl_cluster_seats {
    struct gcl_seat *of; ///< by their order, of the heap
    unsigned count, self;
    uint64_t job; ///< not 0; the same in its nodes, and nobody else can guess it
};

struct gcl_cluster_place {
    gcl_node node, count;
    unsigned local_rank, local_count; ///< among the nodes of this host
};

/// What the library exports, under the name gcl_cluster_calls. Functions that return a status have
/// logged the cause if it isn't GCL_OK.
struct gcl_cluster_calls {
    /// Joins the job that the environment names. The first call; one cluster a process.
    enum gcl_status (*join)(const struct gcl_cluster_options *options, struct gcl_cluster **cluster,
                            struct gcl_cluster_place *place);
    /// Says what this node may use of its host, and learns the same of the others of the host,
    /// which is before anything else. Waits for all nodes of the job.
    enum gcl_status (*seat)(struct gcl_cluster *cluster, const struct gcl_seat *own,
                            struct gcl_cluster_seats *seats);
    /// Connects to all other nodes; returns when all are connected. By then all have reserved the
    /// same addresses, which stand in `device`; GCL_SYSTEM on all of them if there are none that
    /// all can have.
    enum gcl_status (*connect)(struct gcl_cluster *cluster, struct gcl_cluster_device *device,
                               const struct gcl_cluster_mover *mover);
    /// What all nodes compute with together; without a name, and with the limits of the least;
    /// apart if one is.
    struct gcl_cluster_device (*total)(struct gcl_cluster *cluster);
    /// Calls `function` on the cluster's thread, soon, after what was posted before.
    void (*post)(struct gcl_cluster *cluster, void (*function)(void *context), void *context);
    /// Any node of a connected cluster.
    struct gcl_cluster_member (*member)(const struct gcl_cluster *cluster, gcl_node node);
    /// Node 0: measures all links and writes a table of nodes and links. Not on the cluster's
    /// thread.
    void (*census)(struct gcl_cluster *cluster, FILE *out);
    /// Compares another node's clock (gcl_clock_ns) with this one's, by messages there and back.
    /// False: no answer. Not on the cluster's thread.
    bool (*compare_clocks)(struct gcl_cluster *cluster, gcl_node node,
                           struct gcl_cluster_clock *clock);
    /// Node 0: measures its link to another node, which takes some milliseconds. False: no answer.
    /// Not on the cluster's thread.
    bool (*measure_link)(struct gcl_cluster *cluster, gcl_node node, struct gcl_cluster_link *link);
    /// Node 0 learns of this node's tiers from here on, by `tell`.
    void (*tell_tiers)(struct gcl_cluster *cluster, gcl_tell_tiers *tell);
    /// Node 0: a node's tiers, as they were within the last quarter of a second.
    struct gcl_tiers (*tiers)(struct gcl_cluster *cluster, gcl_node node);
    /// Carries operations and requests between the nodes' runtimes.
    struct gcl_communicator (*communicator)(struct gcl_cluster *cluster);
    /// Other nodes: hands node 0's operations to `apply` until the job ends, or it returns false;
    /// returns the process' exit status.
    int (*serve)(struct gcl_cluster *cluster,
                 bool (*apply)(void *context, const void *bytes, size_t size), void *context);
    /// Node 0 ends the job, others leave it.
    void (*close)(struct gcl_cluster *cluster, bool is_failure);
};

/// The number of this process' node as the environment has it before the job is joined; NULL if
/// that names no job, or if the program has rights that its user hasn't: such a program can't trust
/// whom the environment chooses.
const char *gcl_cluster_number(void);
/// Whether the environment says that this process is part of a job.
bool gcl_cluster_is_job(void);
/// How many processes of an MPI program its launcher has started on this host, as it says in the
/// environment; 1 if there is none.
unsigned gcl_cluster_ranks(void);
/// Loads the library; NULL, after a message, if that can't be done.
const struct gcl_cluster_calls *gcl_cluster_load(void);

#endif
