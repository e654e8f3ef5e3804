// How much memory this process may have.
#ifndef GCL_BASE_MEMORY_H
#define GCL_BASE_MEMORY_H

#include <stddef.h>

/// Bytes: what the machine has, or less if the control groups of this process or its resource
/// limits allow less.
size_t gcl_memory_limit(void);

/// Bytes that control groups allow, SIZE_MAX if they set no limit. `groups` is a file as
/// /proc/self/cgroup, and `root` the folder in which the groups are.
size_t gcl_memory_of_groups(const char *groups, const char *root);

#endif
