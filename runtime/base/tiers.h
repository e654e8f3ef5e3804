// Where the bytes of a node's device memory lie that have no room on the device.
#ifndef GCL_BASE_TIERS_H
#define GCL_BASE_TIERS_H

#include <stdint.h>

/// In bytes. All 0 while the device holds all that is allocated.
struct gcl_tiers {
    uint64_t on_device, in_host, in_files; ///< now
    uint64_t came, went;                   ///< to the device and from there, so far
};

/// Fills in what a node's tiers hold, which is zeroed. On any thread; it takes no lock for long.
typedef void gcl_tell_tiers(struct gcl_tiers *tiers);

#endif
