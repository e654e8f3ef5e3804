// Reductions: each block reduces a tile, by threads that take turns, and one thread what the blocks
// have found. So an operation has to be associative and commutative, as Thrust and CUB demand.
#ifndef GCLUSTER_ALGORITHMS_REDUCE_H
#define GCLUSTER_ALGORITHMS_REDUCE_H

#pragma GCC system_header

#include <cuda_runtime.h>

#include "carve.h"
#include "tiles.h"

namespace gcluster {

enum { REDUCE_THREADS = 64 };

template <class In, class T, class Operation>
__global__ void __launch_bounds__(REDUCE_THREADS)
    reduce_tiles(In in, size_t count, size_t tile, Operation operation, T *sums) {
    __shared__ __align__(16) char memory[REDUCE_THREADS * sizeof(T)];
    T *kept = reinterpret_cast<T *>(memory);
    size_t begin = blockIdx.x * tile, end = tile_end(count, tile);
    size_t i = begin + threadIdx.x;
    if (i < end) {
        T sum = static_cast<T>(in[i]);
        for (i += REDUCE_THREADS; i < end; i += REDUCE_THREADS)
            sum = operation(sum, static_cast<T>(in[i]));
        kept[threadIdx.x] = sum;
    }
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    T sum = kept[0];
    for (size_t t = 1; t < REDUCE_THREADS && begin + t < end; t++)
        sum = operation(sum, kept[t]);
    sums[blockIdx.x] = sum;
}

template <class T, class Out, class Init, class Operation>
__global__ void __launch_bounds__(1)
    add_sums(const T *sums, unsigned tiles, Operation operation, Init init, Out out) {
    T sum = static_cast<T>(init);
    for (unsigned t = 0; t < tiles; t++)
        sum = operation(sum, sums[t]);
    *out = sum;
}

/// Leaves at `out` the sum of `init` and `count` values from `in` on, in a T. `temp` as of sort.
template <class T, class In, class Out, class Init, class Operation>
cudaError_t reduce(void *temp, size_t &temp_size, In in, Out out, size_t count, Operation operation,
                   Init init, cudaStream_t stream) {
    tiling t = divide(count);
    carver pieces = {static_cast<char *>(temp), 0};
    T *sums = pieces.take<T>(t.tiles + 1);
    if (!temp) {
        temp_size = pieces.used;
        return cudaSuccess;
    }
    if (t.tiles > 0)
        reduce_tiles<<<t.tiles, REDUCE_THREADS, 0, stream>>>(in, count, t.tile, operation, sums);
    add_sums<<<1, 1, 0, stream>>>(sums, t.tiles, operation, init, out);
    return cudaGetLastError();
}

} // namespace gcluster

#endif
