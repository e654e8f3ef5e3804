// What a device can do, in CUDA's words. Of several nodes that are one device the least counts,
// since any block may run on any of them.
#ifndef GCL_BASE_LIMITS_H
#define GCL_BASE_LIMITS_H

#include <stdint.h>

/// GCL_LIMITS_MAP(X): X(name), each of which is less where less can be done. A core is what CUDA
/// calls a multiprocessor; sizes are bytes.
#define GCL_LIMITS_MAP(X)                                                                          \
    X(capability) /* 90 for 9.0 */                                                                 \
    X(threads_per_core)                                                                            \
    X(blocks_per_core)                                                                             \
    X(registers_per_core)                                                                          \
    X(shared_size)          /* of a block, unless it asks for more */                              \
    X(shared_size_optin)    /* of a block at most */                                               \
    X(shared_size_per_core) /* of all blocks on a core, each of which takes 1 KiB for itself */

struct gcl_limits {
#define GCL_LIMIT_MEMBER(name) uint32_t name;
    GCL_LIMITS_MAP(GCL_LIMIT_MEMBER)
#undef GCL_LIMIT_MEMBER
};

/// Bytes of shared memory that each block takes for the system.
enum { GCL_LIMIT_SHARED_RESERVED = 1 << 10 };

/// Lowers limits to those that hold for another node as well.
static inline void gcl_limits_lower(struct gcl_limits *limits, const struct gcl_limits *other) {
#define GCL_LIMIT_LOWER(name)                                                                      \
    if (other->name < limits->name)                                                                \
        limits->name = other->name;
    GCL_LIMITS_MAP(GCL_LIMIT_LOWER)
#undef GCL_LIMIT_LOWER
}

#endif
