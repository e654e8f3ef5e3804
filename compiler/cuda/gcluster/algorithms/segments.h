// Reductions and stable sorts of segments of an array: each block has some of them, one after the
// other.
#ifndef GCLUSTER_ALGORITHMS_SEGMENTS_H
#define GCLUSTER_ALGORITHMS_SEGMENTS_H

#pragma GCC system_header

#include <cuda_runtime.h>

#include "carve.h"
#include "declare.h"
#include "tile.h"
#include "tiles.h"

namespace gcluster {

enum { FEW_ITEMS = 256 }; ///< that are sorted faster by comparison than by digit

/// in.get(i, begin): item i, of a segment that begins at `begin`.
template <class T, class In, class Begins, class Ends, class Out, class Operation, class Init>
__global__ void __launch_bounds__(1)
    reduce_segments(In in, Begins begins, Ends ends, Out out, size_t count, size_t tile,
                    Operation operation, Init init) {
    size_t end = tile_end(count, tile);
    for (size_t s = blockIdx.x * tile; s < end; s++) {
        T sum = static_cast<T>(init);
        size_t begin = static_cast<size_t>(begins[s]), after = static_cast<size_t>(ends[s]);
        for (size_t i = begin; i < after; i++)
            sum = operation(sum, static_cast<T>(in.get(i, begin)));
        out[s] = sum;
    }
}

/// Items as they are, where reductions of segments read them.
template <class In> struct plain_items {
    In in;

    __device__ auto get(size_t i, size_t) -> decltype(in[i]) {
        return in[i];
    }
};

/// Leaves at out[s] the sum of `init` and the items of each segment s, which are numbers
/// [begins[s], ends[s]). `temp` as of sort.
template <class T, class In, class Begins, class Ends, class Out, class Operation, class Init>
cudaError_t segmented_reduce(void *temp, size_t &temp_size, In in, Begins begins, Ends ends,
                             Out out, size_t count, Operation operation, Init init,
                             cudaStream_t stream) {
    tiling t = divide(count, 1);
    if (!temp) {
        temp_size = 1;
        return cudaSuccess;
    }
    if (count > 0)
        reduce_segments<T>
            <<<t.tiles, 1, 0, stream>>>(in, begins, ends, out, count, t.tile, operation, init);
    return cudaGetLastError();
}

/// On one node, since only the data say where segments are.
template <class Key, class Value, class Begins, class Ends, class Order>
__global__ void __launch_bounds__(1)
    GCL_PRAGMA("single reads(in_keys[0 : size], out_keys[0 : size], spare_keys[0 : size]) "
               "reads(in_values[0 : size], out_values[0 : size], spare_values[0 : size]) "
               "writes(out_keys[0 : size], spare_keys[0 : size]) "
               "writes(out_values[0 : size], spare_values[0 : size])")
        sort_segments(const Key *in_keys, const Value *in_values, Key *out_keys, Value *out_values,
                      Key *spare_keys, Value *spare_values, size_t size, Begins begins, Ends ends,
                      size_t count, size_t tile, Order order) {
    items<Key, Value> in = {const_cast<Key *>(in_keys), const_cast<Value *>(in_values)};
    items<Key, Value> out = {out_keys, out_values}, spare = {spare_keys, spare_values};
    size_t end = tile_end(count, tile);
    for (size_t s = blockIdx.x * tile; s < end; s++) {
        size_t begin = static_cast<size_t>(begins[s]), after = static_cast<size_t>(ends[s]);
        if (after <= begin)
            continue;
        if (after - begin <= FEW_ITEMS)
            merge_tile(in.after(begin), out.after(begin), spare.after(begin), after - begin, order);
        else
            sort_tile(in.after(begin), out.after(begin), spare.after(begin), after - begin, order);
    }
}

/// Sorts each segment of `items` items, stably, from `in` to the same places of `out`. `temp` as of
/// sort.
template <class Key, class Value, class Begins, class Ends, class Order>
cudaError_t segmented_sort(void *temp, size_t &temp_size, const Key *in_keys,
                           const Value *in_values, Key *out_keys, Value *out_values, size_t items,
                           size_t count, Begins begins, Ends ends, const Order &order,
                           cudaStream_t stream) {
    tiling t = divide(count, 1);
    carver pieces = {static_cast<char *>(temp), 0};
    Key *spare_keys = pieces.take<Key>(items);
    Value *spare_values = pieces.take<Value>(items);
    if (!temp) {
        temp_size = pieces.used + 1;
        return cudaSuccess;
    }
    if (count > 0)
        sort_segments<<<t.tiles, 1, 0, stream>>>(in_keys, in_values, out_keys, out_values,
                                                 spare_keys, spare_values, items, begins, ends,
                                                 count, t.tile, order);
    return cudaGetLastError();
}

} // namespace gcluster

#endif
