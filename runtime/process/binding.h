// What each node of a host works with: its GPU, the cores and the memory near it, and the network
// card near those. Every node finds that for itself, from what all nodes of the host may use, and
// all find the same.
//
// - GPUs: nodes take one after the other, in their order, the GPU that fewest have taken, of these
//   one near cores that they may use.
// - Cores: those near the GPU, or else all that the node may use, are divided among the nodes that
//   may use the same ones. No core is two nodes', unless there are fewer cores than nodes.
// - A node may use what its affinity mask says, which is left as it is: that of mpirun, srun or
//   taskset.
#ifndef GCL_PROCESS_BINDING_H
#define GCL_PROCESS_BINDING_H

#include <stdbool.h>
#include <stddef.h>

#include "cluster/communicator/seat.h"
#include "process/topology.h"

enum { GCL_BINDING_TEXT = 256 };

struct gcl_binding {
    unsigned gpu_sharers;    ///< nodes that have its GPU, with this one; 0: it has none
    struct gcl_seat_gpu gpu; ///< the GPU
    unsigned own_count;      ///< cores for this node alone; 1 if `is_crowded`
    unsigned core_count;     ///< that this process may use: at least `own_count`
    cpu_set_t *cores;        ///< its own, then the others, each its hardware threads
    bool is_crowded;         ///< there are more nodes than cores: nobody has one alone
    double room;             ///< cores for each node: `own_count`, or less than 1
    bool has_far;            ///< this process may also use cores far from the memory near its own
    cpu_set_t near;          ///< hardware threads that it may use and that aren't far
    char network[GCL_TOPOLOGY_NAME];    ///< card near its cores; "": there is no choice
    char own_text[GCL_BINDING_TEXT];    ///< hardware threads of its own, "0-3,8"
    char memory_text[GCL_BINDING_TEXT]; ///< memory nodes near them, "0"
};

/// The binding of node `self` of `count` nodes of this host, in the order of their numbers.
/// False: no memory.
bool gcl_binding_find(const struct gcl_topology *topology, const struct gcl_seat *seats,
                      unsigned count, unsigned self, struct gcl_binding *binding);
void gcl_binding_free(struct gcl_binding *binding);

/// For each of `worker_count` workers, the hardware threads that it stays on, of the heap; of them
/// `share` work while all nodes do. A worker has a core if there is one for each, otherwise it has
/// all of its node's. NULL: workers run anywhere.
cpu_set_t *gcl_binding_pins(const struct gcl_binding *binding, unsigned share,
                            unsigned worker_count);

#endif
