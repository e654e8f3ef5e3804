// Pragmas against what is known of a kernel.
#ifndef GCL_DEVICE_ACCESS_CHECK_H
#define GCL_DEVICE_ACCESS_CHECK_H

#include "device/access/build.h"
#include "device/access/table.h"

/// For each access whether neither its place nor its conditions depend on data; to be freed.
bool *gcl_access_find_exact(const struct gcl_device_program *program);
/// Reports pragmas that contradict what the kernel does for certain. `said` has for each access of
/// the program the pragma that it comes from, NULL if it is the kernel's.
void gcl_access_check(struct gcl_extraction *x, struct gcl_device_program *program,
                      const GPtrArray *pragmas, const struct gcl_pragma *const *said);
/// Reports pragmas about a split where the kernel has to stay on one node.
void gcl_access_check_split(struct gcl_extraction *x, const struct gcl_device_program *program,
                            const GPtrArray *pragmas);

#endif
