// What this process may use of its host, which nodes of a job share, and what all nodes have
// together.
#ifndef GCL_PROCESS_RESOURCES_H
#define GCL_PROCESS_RESOURCES_H

#include "plan/schedule/forecast.h"
#include "process/runtime.h"

/// Worker threads of a node; and those of this process, which are more on a node 0 that rests: the
/// other nodes of its host leave theirs to it.
unsigned gcl_resources_share(const struct gcl_runtime *runtime);
unsigned gcl_resources_threads(const struct gcl_runtime *runtime);
/// What CUDA calls multiprocessors: a GPU's, or the cores that a node on a CPU uses; without a job
/// all there are.
unsigned gcl_resources_cores(const struct gcl_runtime *runtime);
/// Bytes of its host's memory that this process may use, where the programs of its job share that.
size_t gcl_resources_host_share(const struct gcl_runtime *runtime);
/// Bytes of device memory that this node can have: its GPU's, or its share of the host's.
size_t gcl_resources_own_memory(const struct gcl_runtime *runtime);
/// Bytes of device memory: this node's, and what the nodes on its host have together.
size_t gcl_resources_memory(const struct gcl_runtime *runtime);
size_t gcl_resources_home_memory(const struct gcl_runtime *runtime);
/// What is to be expected of nodes that compute with different things and so needn't be equally
/// fast: weights, of the heap, by their threads where all have CPUs or all have GPUs. NULL: they
/// are alike. False: no memory.
bool gcl_resources_weigh(const struct gcl_runtime *runtime, uint32_t **weights);
/// Whether node 0 does all by itself at first.
bool gcl_resources_may_rest(const struct gcl_runtime *runtime);
/// What the nodes of a job can do together; node_count 0: no more than node 0 alone.
struct gcl_forecast_cluster gcl_resources_cluster(const struct gcl_runtime *runtime);
/// Measures the link of such a cluster again; `runtime`: a struct gcl_runtime. False: no answer.
bool gcl_resources_measure_link(void *runtime, struct gcl_forecast_link *link);
/// The largest cluster of a prediction: nodes like this one, with links as the user says.
struct gcl_forecast_cluster gcl_resources_predicted(const struct gcl_runtime *runtime);

#endif
