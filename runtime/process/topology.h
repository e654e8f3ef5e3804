// This host as hwloc shows it: cores, the memory that is near them, and the cards that are.
#ifndef GCL_PROCESS_TOPOLOGY_H
#define GCL_PROCESS_TOPOLOGY_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

struct gcl_core {
    cpu_set_t threads;    ///< its hardware threads, by the system's numbers
    unsigned memory_node; ///< the one near it, by the system's number
};

enum { GCL_TOPOLOGY_CARDS = 16, GCL_TOPOLOGY_NAME = 64 };

/// A network card with a port that is up.
struct gcl_network_card {
    char name[GCL_TOPOLOGY_NAME]; ///< as UCX has it, "mlx5_0:1"
    cpu_set_t near;               ///< hardware threads near it
};

struct gcl_topology {
    unsigned core_count;    ///< at least 1
    struct gcl_core *cores; ///< in an order that has neighbours share caches and memory
    cpu_set_t allowed;      ///< hardware threads that this process may use
    unsigned card_count;
    struct gcl_network_card cards[GCL_TOPOLOGY_CARDS]; ///< of fabrics such as InfiniBand
    void *machine;                                     ///< hwloc's; NULL: it shows nothing
};

/// Looks at the host, `with_cards` also at what is plugged in, which takes some milliseconds more.
/// False: no memory.
bool gcl_topology_load(struct gcl_topology *topology, bool with_cards);
void gcl_topology_free(struct gcl_topology *topology);

/// The hardware threads near the card at a PCI address (gcl_seat_place); none if that isn't known.
cpu_set_t gcl_topology_near(const struct gcl_topology *topology, uint64_t place);

#endif
