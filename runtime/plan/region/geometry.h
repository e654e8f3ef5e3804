// The shape of a launch.
#ifndef GCL_PLAN_GEOMETRY_H
#define GCL_PLAN_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#define GCL_MAX_GRID_X 0x7fffffffu
#define GCL_MAX_GRID_YZ 65535u
#define GCL_MAX_THREADS 1024u
#define GCL_MAX_BLOCK_Z 64u

/// Along x, y and z: blocks in the grid, and threads in each of them.
struct gcl_geometry {
    uint32_t grid[3];
    uint32_t block[3];
    /// Dynamic shared memory of a block, in bytes; 0 where only footprints matter.
    uint32_t shared_size;
};

/// Whether CUDA allows for so many blocks.
static inline bool gcl_geometry_is_grid(const uint32_t grid[3]) {
    return grid[0] > 0 && grid[1] > 0 && grid[2] > 0 && grid[0] <= GCL_MAX_GRID_X &&
           grid[1] <= GCL_MAX_GRID_YZ && grid[2] <= GCL_MAX_GRID_YZ;
}

/// Whether CUDA allows for so many threads of a block.
static inline bool gcl_geometry_is_block(const uint32_t block[3]) {
    return block[0] > 0 && block[1] > 0 && block[2] > 0 && block[0] <= GCL_MAX_THREADS &&
           block[1] <= GCL_MAX_THREADS && block[2] <= GCL_MAX_BLOCK_Z &&
           block[0] * block[1] * block[2] <= GCL_MAX_THREADS;
}

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
