// The devices that the program sees: one, or with GCL_DEVICES=per-node each node of the job; and
// which of them a thread of the program uses.
#ifndef GCL_PROCESS_DEVICES_H
#define GCL_PROCESS_DEVICES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "exec/device/device.h"
#include "gcluster.h"

struct gcl_pool;
struct gcl_runtime;

/// A device that the program sees: what doesn't change after start, and settings that the program
/// makes, which are atomic.
struct gcl_visible_device {
    const char *processor; ///< its name; NULL: as this process' own
    unsigned core_count;
    _Atomic size_t limits[GCL_DEVICE_LIMITS]; ///< by enum gclLimit
    _Atomic unsigned flags;
    _Atomic int cache_preference;
    /// By device: for how many reasons kernels here may use its memory. One is that the program
    /// has enabled it, which `peers` says; the others are pools.
    atomic_uint *rights;
    atomic_bool *peers;
    struct gcl_pool *default_pool;
    _Atomic(struct gcl_pool *) pool; ///< from which memory is allocated in stream order
    struct gcl_pool *graph_pool;     ///< counts memory that nodes of graphs allocate,
    struct gcl_pool *live_pool;      ///< and what of it is allocated from the program's sight
};

/// Makes `count` devices. False: no memory.
bool gcl_devices_init(struct gcl_runtime *runtime, unsigned count);
/// The settings of a device are what they were at first; its memory is gone.
void gcl_device_reset(struct gcl_runtime *runtime, unsigned index);
/// How many devices there are; starts the runtime if need be, 1 if that can't be done.
unsigned gcl_devices_count(void);
bool gcl_devices_has(int device);
/// There is one reason more, or less, that kernels on a device may use another one's memory.
void gcl_devices_allow(struct gcl_runtime *runtime, unsigned device, unsigned peer,
                       bool is_allowed);
/// Where programs take a device for plugged in: no two are at the same place.
unsigned gcl_devices_pci_domain(unsigned device);
unsigned gcl_devices_pci_bus(unsigned device);
/// The device that the calling thread uses, and its number.
struct gcl_visible_device *gcl_devices_current(struct gcl_runtime *runtime);
unsigned gcl_devices_own(void);
/// The calling thread uses `device` from here on.
void gcl_devices_use(unsigned device);

#endif
