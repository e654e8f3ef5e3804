// The shape of a launch.
#ifndef GCL_PLAN_GEOMETRY_H
#define GCL_PLAN_GEOMETRY_H

#include <stdint.h>

/// Along x, y and z: blocks in the grid, and threads in each of them.
struct gcl_geometry {
    uint32_t grid[3];
    uint32_t block[3];
    /// Dynamic shared memory of a block, in bytes; 0 where only footprints matter.
    uint32_t shared_size;
};

/// How many blocks the grid has.
static inline uint64_t gcl_geometry_blocks(const struct gcl_geometry *geometry) {
    return (uint64_t)geometry->grid[0] * geometry->grid[1] * geometry->grid[2];
}

/// The grid's slowest axis along which it has several blocks: 0, 1, 2 for x, y, z; 0 if none has.
static inline unsigned gcl_geometry_slowest(const struct gcl_geometry *geometry) {
    unsigned axis = 2;
    while (axis > 0 && geometry->grid[axis] == 1)
        axis--;
    return axis;
}

#endif
