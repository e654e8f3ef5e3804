// Reductions of runs of equal keys. Each block reduces the runs of a tile, into memory of its own;
// one thread goes through the tiles, finds where their runs go, and puts together the one that
// reaches from a tile into the next; then each block copies those that begin in its tile to where
// they belong. Values are taken in their order.
#ifndef GCLUSTER_ALGORITHMS_REDUCE_BY_KEY_H
#define GCLUSTER_ALGORITHMS_REDUCE_BY_KEY_H

#pragma GCC system_header

#include <cuda_runtime.h>

#include "carve.h"
#include "declare.h"
#include "tiles.h"

namespace gcluster {

/// What one thread has to know of a tile.
template <class T> struct tile_runs {
    size_t count;   ///< runs in the tile
    T first, last;  ///< sums of the first and the last one
    bool continues; ///< the first one begins in a tile before
};

template <class Keys, class Values, class Key, class T, class Equal, class Operation>
__global__ void __launch_bounds__(1)
    GCL_PRAGMA("writes(run_keys" GCL_TILE ", sums" GCL_TILE ") reads(sums" GCL_TILE ")")
        reduce_runs(Keys keys, Values values, size_t count, size_t tile, Equal equal,
                    Operation operation, Key *run_keys, T *sums, tile_runs<T> *runs) {
    size_t begin = blockIdx.x * tile, end = tile_end(count, tile), run = begin;
    T sum = static_cast<T>(values[begin]);
    run_keys[begin] = keys[begin];
    for (size_t i = begin + 1; i < end; i++) {
        T value = static_cast<T>(values[i]);
        if (equal(keys[i - 1], keys[i])) {
            sum = operation(sum, value);
        } else {
            sums[run++] = sum;
            run_keys[run] = keys[i];
            sum = value;
        }
    }
    sums[run] = sum;
    bool continues = begin > 0 && equal(keys[begin - (begin > 0)], keys[begin]);
    runs[blockIdx.x] = tile_runs<T>{run + 1 - begin, sums[begin], sum, continues};
}

/// Leaves in begins[0 … tiles] where the runs go that begin in each tile, in *total their number,
/// and completes each tile's last sum.
template <class T, class Operation, class Total>
__global__ void __launch_bounds__(1) join_runs(tile_runs<T> *runs, unsigned tiles,
                                               Operation operation, size_t *begins, Total total) {
    size_t sum = 0;
    for (unsigned t = 0; t < tiles; t++) {
        begins[t] = sum;
        sum += runs[t].count - runs[t].continues;
    }
    begins[tiles] = sum;
    *total = sum;
    for (unsigned t = tiles; t-- > 1;)
        if (runs[t].continues)
            runs[t - 1].last =
                operation(runs[t - 1].last, runs[t].count == 1 ? runs[t].last : runs[t].first);
}

template <class Key, class T, class KeysOut, class SumsOut>
__global__ void __launch_bounds__(1) GCL_PRAGMA("reads(run_keys" GCL_TILE ", sums" GCL_TILE ")")
    place_runs(const Key *run_keys, const T *sums, size_t count, size_t tile,
               const tile_runs<T> *runs, const size_t *begins, KeysOut keys_out, SumsOut sums_out) {
    size_t begin = begins[blockIdx.x], end = begins[blockIdx.x + 1];
    size_t first = blockIdx.x * tile + runs[blockIdx.x].continues;
    for (size_t i = begin; i < end; i++) {
        keys_out[i] = run_keys[first + (i - begin)];
        sums_out[i] = i == end - 1 ? runs[blockIdx.x].last : sums[first + (i - begin)];
    }
}

/// Leaves at `keys_out` the first key of each run of equal ones, at `sums_out` the sum of its
/// values, in a T, and at `total` the number of runs. `temp` as of sort.
template <class Key, class T, class Keys, class Values, class KeysOut, class SumsOut, class Equal,
          class Operation, class Total>
cudaError_t reduce_by_key(void *temp, size_t &temp_size, Keys keys, Values values, KeysOut keys_out,
                          SumsOut sums_out, Total total, size_t count, Equal equal,
                          Operation operation, cudaStream_t stream) {
    tiling t = divide(count);
    carver pieces = {static_cast<char *>(temp), 0};
    Key *run_keys = pieces.take<Key>(count);
    T *sums = pieces.take<T>(count);
    tile_runs<T> *runs = pieces.take<tile_runs<T>>(t.tiles);
    size_t *begins = pieces.take<size_t>(t.tiles + 1);
    if (!temp) {
        temp_size = pieces.used;
        return cudaSuccess;
    }
    if (count > 0)
        reduce_runs<<<t.tiles, 1, 0, stream>>>(keys, values, count, t.tile, equal, operation,
                                               run_keys, sums, runs);
    join_runs<<<1, 1, 0, stream>>>(runs, t.tiles, operation, begins, total);
    if (count > 0)
        place_runs<<<t.tiles, 1, 0, stream>>>(
            static_cast<const Key *>(run_keys), static_cast<const T *>(sums), count, t.tile,
            static_cast<const tile_runs<T> *>(runs), static_cast<const size_t *>(begins), keys_out,
            sums_out);
    return cudaGetLastError();
}

} // namespace gcluster

#endif
