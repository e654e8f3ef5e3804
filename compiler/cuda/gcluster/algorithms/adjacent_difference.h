// Differences of neighbours. Each block keeps what it needs of its neighbour's tile before any
// block writes, so output and input may be the same.
#ifndef GCLUSTER_ALGORITHMS_ADJACENT_DIFFERENCE_H
#define GCLUSTER_ALGORITHMS_ADJACENT_DIFFERENCE_H

#pragma GCC system_header

#include <cuda_runtime.h>

#include "carve.h"
#include "tiles.h"

namespace gcluster {

template <bool is_left, class In, class T>
__global__ void __launch_bounds__(1) keep_edges(In in, size_t count, size_t tile, T *edges) {
    size_t begin = blockIdx.x * tile, end = tile_end(count, tile);
    edges[blockIdx.x] = is_left ? in[begin > 0 ? begin - 1 : 0] : in[end < count ? end : end - 1];
}

template <class In, class T, class Out, class Operation>
__global__ void __launch_bounds__(1)
    subtract_left(In in, Out out, size_t count, size_t tile, Operation operation, const T *edges) {
    size_t i = blockIdx.x * tile, end = tile_end(count, tile);
    T before = edges[blockIdx.x];
    if (i == 0)
        out[i++] = before;
    for (; i < end; i++) {
        T here = in[i];
        out[i] = operation(here, before);
        before = here;
    }
}

template <class In, class T, class Out, class Operation>
__global__ void __launch_bounds__(1)
    subtract_right(In in, Out out, size_t count, size_t tile, Operation operation, const T *edges) {
    size_t begin = blockIdx.x * tile, end = tile_end(count, tile);
    T here = in[begin];
    for (size_t i = begin; i < end; i++) {
        T after = i + 1 < end ? static_cast<T>(in[i + 1]) : edges[blockIdx.x];
        if (i + 1 < count)
            out[i] = operation(here, after);
        else
            out[i] = here;
        here = after;
    }
}

/// Leaves at out[i] operation(in[i], in[i - 1]), or, not is_left, of in[i] and in[i + 1]; the first
/// or the last item as it is. `temp` as of sort.
template <class T, bool is_left, class In, class Out, class Operation>
cudaError_t adjacent_difference(void *temp, size_t &temp_size, In in, Out out, size_t count,
                                Operation operation, cudaStream_t stream) {
    tiling t = divide(count);
    carver pieces = {static_cast<char *>(temp), 0};
    T *edges = pieces.take<T>(t.tiles + 1);
    if (!temp) {
        temp_size = pieces.used;
        return cudaSuccess;
    }
    if (count == 0)
        return cudaSuccess;
    keep_edges<is_left><<<t.tiles, 1, 0, stream>>>(in, count, t.tile, edges);
    if (is_left)
        subtract_left<<<t.tiles, 1, 0, stream>>>(in, out, count, t.tile, operation,
                                                 static_cast<const T *>(edges));
    else
        subtract_right<<<t.tiles, 1, 0, stream>>>(in, out, count, t.tile, operation,
                                                  static_cast<const T *>(edges));
    return cudaGetLastError();
}

} // namespace gcluster

#endif
