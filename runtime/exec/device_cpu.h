// The CPU as a device: how a command is cut into units and how units run. The engine decides which
// thread runs what, and when.
#ifndef GCL_EXEC_DEVICE_CPU_H
#define GCL_EXEC_DEVICE_CPU_H

#include <sched.h>

#include "exec/command.h"

/// Cuts a command; returns its number of units, at least 1. Called once, before any of them runs.
uint32_t gcl_device_cpu_units(struct gcl_command *command);

/// Whether a command is so short that waking several threads at once would take longer.
bool gcl_device_cpu_is_small(const struct gcl_command *command);

/// Runs units [begin, end) on the calling thread, whose scratch memory is `pool` (NULL is fine for
/// everything but kernels).
void gcl_device_cpu_run(struct gcl_command *command, struct gcl_block_pool *pool, uint32_t begin,
                        uint32_t end);

/// The cores that this process may use, as hwloc shows them.
struct gcl_cores {
    unsigned count;  ///< at least 1
    cpu_set_t *sets; ///< the hardware threads of each, NULL if that isn't known; of the heap
};

struct gcl_cores gcl_device_cpu_cores(void);

#endif
