// A node of a job: one worker process, which drives one device.
#ifndef GCL_CLUSTER_NODE_H
#define GCL_CLUSTER_NODE_H

#include <stdint.h>

/// Number of a node: from 0, which runs main(), without gaps.
typedef uint32_t gcl_node;

#define GCL_NO_NODE UINT32_MAX

/// More nodes than that are taken for a mistake.
#define GCL_MAX_NODES 65536u

#endif
