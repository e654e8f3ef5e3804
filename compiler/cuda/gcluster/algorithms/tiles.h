// How arrays are divided among blocks. The size of tiles follows from the array's alone, so what
// several additions of floating-point numbers give doesn't depend on the machine or on nodes.
#ifndef GCLUSTER_ALGORITHMS_TILES_H
#define GCLUSTER_ALGORITHMS_TILES_H

#pragma GCC system_header

#include <stddef.h>

/// Of an array, what the block's tile has, in a clause of GCL_PRAGMA.
#define GCL_TILE "[blockIdx.x * tile : min(tile, count - blockIdx.x * tile)]"

namespace gcluster {

struct tiling {
    size_t tile;    ///< items; the last tile may have less
    unsigned tiles; ///< 0 if there are no items
};

enum { LEAST_DIVIDED = 4096 };

/// Divides an array into as many tiles as there may be, each of `least` items at least (not 0).
inline tiling divide(size_t count, size_t least = LEAST_DIVIDED) {
    constexpr size_t most = 1024;
    size_t tile = (count + most - 1) / most;
    tiling t = {tile < least ? least : tile, 0};
    t.tiles = static_cast<unsigned>((count + t.tile - 1) / t.tile);
    return t;
}

/// Where the block's tile ends.
__device__ inline size_t tile_end(size_t count, size_t tile) {
    size_t begin = blockIdx.x * tile;
    return count - begin < tile ? count : begin + tile;
}

} // namespace gcluster

#endif
