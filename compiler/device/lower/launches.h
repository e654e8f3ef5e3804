// Launches from device code (gcluster_child.h) name their kernel by an address, which kernels have
// none of on CPUs: it becomes the id of the object and the name in it, by which the runtime finds
// the kernel.
//
// Before: intrinsics have their names. Kernels that another file defines stay as they are.
#ifndef GCL_DEVICE_LOWER_LAUNCHES_H
#define GCL_DEVICE_LOWER_LAUNCHES_H

struct gcl_module;

/// Rewrites the module's launches, and sets gcl_device_kernel.launches.
void gcl_launches_lower(struct gcl_module *m);

#endif
