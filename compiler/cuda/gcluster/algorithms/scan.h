// Prefix sums, in the order of items: each block adds up a tile, one thread the tiles' sums, and
// each block goes through its tile again with the sum of what precedes it. Input and output may be
// the same.
#ifndef GCLUSTER_ALGORITHMS_SCAN_H
#define GCLUSTER_ALGORITHMS_SCAN_H

#pragma GCC system_header

#include <cuda_runtime.h>

#include "carve.h"
#include "items.h"
#include "tiles.h"

namespace gcluster {

template <class In, class T, class Operation>
__global__ void __launch_bounds__(1)
    sum_tiles(In in, size_t count, size_t tile, Operation operation, T *sums) {
    size_t i = blockIdx.x * tile, end = tile_end(count, tile);
    T sum = static_cast<T>(in[i]);
    for (i++; i < end; i++)
        sum = operation(sum, static_cast<T>(in[i]));
    sums[blockIdx.x] = sum;
}

/// Adds to each tile's sum those of all before it.
template <class T, class Operation>
__global__ void __launch_bounds__(1) scan_sums(T *sums, unsigned tiles, Operation operation) {
    for (unsigned t = 1; t < tiles; t++)
        sums[t] = operation(sums[t - 1], sums[t]);
}

template <class In, class Out, class T, class Operation>
__global__ void __launch_bounds__(1)
    scan_inclusive(In in, Out out, size_t count, size_t tile, Operation operation, const T *sums) {
    size_t i = blockIdx.x * tile, end = tile_end(count, tile);
    T sum = static_cast<T>(in[i]);
    if (blockIdx.x > 0)
        sum = operation(sums[blockIdx.x - 1], sum);
    out[i] = sum;
    for (i++; i < end; i++) {
        sum = operation(sum, static_cast<T>(in[i]));
        out[i] = sum;
    }
}

template <class In, class Out, class T, class Operation>
__global__ void __launch_bounds__(1) scan_exclusive(In in, Out out, size_t count, size_t tile,
                                                    Operation operation, T init, const T *sums) {
    size_t end = tile_end(count, tile);
    T sum = init;
    if (blockIdx.x > 0)
        sum = operation(sum, sums[blockIdx.x - 1]);
    for (size_t i = blockIdx.x * tile; i < end; i++) {
        T here = static_cast<T>(in[i]);
        out[i] = sum;
        sum = operation(sum, here);
    }
}

/// Room for a scan's sums, and those of its tiles, if `temp` isn't NULL.
template <class T, class In, class Operation>
T *sum_before(void *temp, size_t &temp_size, In in, size_t count, Operation operation,
              cudaStream_t stream) {
    tiling t = divide(count);
    carver pieces = {static_cast<char *>(temp), 0};
    T *sums = pieces.take<T>(t.tiles + 1);
    if (!temp)
        temp_size = pieces.used;
    if (temp && t.tiles > 1) {
        sum_tiles<<<t.tiles, 1, 0, stream>>>(in, count, t.tile, operation, sums);
        scan_sums<<<1, 1, 0, stream>>>(sums, t.tiles, operation);
    }
    return sums;
}

/// Leaves at out[i] the sum of in[0 … i], in a T. `temp` as of sort.
template <class T, class In, class Out, class Operation>
cudaError_t inclusive_scan(void *temp, size_t &temp_size, In in, Out out, size_t count,
                           Operation operation, cudaStream_t stream) {
    tiling t = divide(count);
    T *sums = sum_before<T>(temp, temp_size, in, count, operation, stream);
    if (!temp || count == 0)
        return cudaSuccess;
    scan_inclusive<<<t.tiles, 1, 0, stream>>>(in, out, count, t.tile, operation,
                                              static_cast<const T *>(sums));
    return cudaGetLastError();
}

/// Leaves at out[i] the sum of `init` and in[0 … i - 1].
template <class T, class In, class Out, class Operation>
cudaError_t exclusive_scan(void *temp, size_t &temp_size, In in, Out out, size_t count,
                           Operation operation, T init, cudaStream_t stream) {
    tiling t = divide(count);
    T *sums = sum_before<T>(temp, temp_size, in, count, operation, stream);
    if (!temp || count == 0)
        return cudaSuccess;
    scan_exclusive<<<t.tiles, 1, 0, stream>>>(in, out, count, t.tile, operation, init,
                                              static_cast<const T *>(sums));
    return cudaGetLastError();
}

} // namespace gcluster

#endif
