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

/// Processes that the system has killed for want of memory, the machine's or that of a control
/// group, since it was started; 0: it doesn't say. `statistics` is a file as /proc/vmstat.
unsigned long long gcl_memory_kills(const char *statistics);

#endif
