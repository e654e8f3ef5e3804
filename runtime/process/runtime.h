// The one runtime of a process: device memory and engine, started by the first call that needs
// them.
#ifndef GCL_PROCESS_RUNTIME_H
#define GCL_PROCESS_RUNTIME_H

#include <stdatomic.h>
#include <stddef.h>

#include "base/env.h"
#include "cluster/cluster.h"
#include "exec/device/device.h"
#include "exec/watch/listener.h"
#include "gcluster.h"
#include "process/binding.h"
#include "process/devices.h"
#include "process/nodes.h"

struct gcl_clocks;
struct gcl_dry;
struct gcl_engine;
struct gcl_predict;
struct gcl_space;
struct gcl_spread;
struct gcl_stats;
struct gcl_trace;

/// What doesn't change after start.
struct gcl_runtime {
    struct gcl_env env;
    const struct gcl_device *device; ///< this node's
    struct gcl_space *space;
    struct gcl_engine *engine;
    struct gcl_spread *spread;   ///< NULL in a job of one
    struct gcl_dry *dry;         ///< NULL unless nothing is to run
    struct gcl_predict *predict; ///< NULL unless what other clusters would take is to be said
    struct gcl_listeners listeners;
    struct gcl_trace *trace;
    struct gcl_clocks *clocks;          ///< node 0: of each node, for the trace
    struct gcl_stats *stats;            ///< NULL: nobody can ask for them
    struct gcl_limits limits;           ///< of the device that the program sees
    struct gcl_binding binding;         ///< what of its host it uses
    struct gcl_peers peers;             ///< the other nodes, in a job of several
    struct gcl_cluster_place place;     ///< this process in its job; a job of one without one
    uint64_t job;                       ///< its number (struct gcl_cluster_seats); 0 without one
    unsigned ranks;                     ///< processes of an MPI program on this host, with this one
    struct gcl_visible_device *devices; ///< that the program sees
    unsigned device_count;
    bool may_fault; ///< pages may come to all nodes as they are touched
};

/// Starts the runtime if need be. NULL, after a message, if it can't be started or has ended.
struct gcl_runtime *gcl_runtime_get(void);
/// The runtime if it is running, without starting it.
struct gcl_runtime *gcl_runtime_peek(void);
/// Whether the runtime has tried to start, and with that to join the job.
bool gcl_runtime_is_joined(void);
/// True once the runtime has ended with the process.
bool gcl_runtime_has_ended(void);
/// Ends what this process does for others of its job, once all of them are done with it: from here
/// on it is alone.
void gcl_runtime_leave_job(void);

#endif
