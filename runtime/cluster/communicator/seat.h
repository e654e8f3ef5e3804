// What a node may use of its host, as nodes tell each other before anybody chooses a device: who
// may use what decides what each of them takes.
#ifndef GCL_CLUSTER_SEAT_H
#define GCL_CLUSTER_SEAT_H

#include <sched.h>
#include <stdint.h>

enum { GCL_SEAT_GPUS = 16 };

/// A GPU that a node may use.
struct gcl_seat_gpu {
    uint8_t uuid[16]; ///< the same for all nodes that see it
    uint64_t place;   ///< see gcl_seat_place; 0: unknown
    uint32_t number;  ///< as the node's driver counts
};

struct gcl_seat {
    cpu_set_t threads; ///< hardware threads, by the system's numbers
    uint32_t gpu_count;
    struct gcl_seat_gpu gpus[GCL_SEAT_GPUS];
};

/// A PCI address as a number.
static inline uint64_t gcl_seat_place(unsigned domain, unsigned bus, unsigned device) {
    return (uint64_t)domain << 16 | (bus & 0xff) << 8 | (device & 0xff);
}

#endif
