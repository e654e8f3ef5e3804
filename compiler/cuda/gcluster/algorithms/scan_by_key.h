// Prefix sums that begin anew where a key differs from the one before. Each block finds what its
// tile leaves to the next one: the sum of its last run; one thread adds up those of runs that reach
// over several tiles; then each block goes through its tile again with what precedes it. Inputs and
// output may be the same: what a block asks of its neighbour is kept by the first pass.
#ifndef GCLUSTER_ALGORITHMS_SCAN_BY_KEY_H
#define GCLUSTER_ALGORITHMS_SCAN_BY_KEY_H

#pragma GCC system_header

#include <cuda_runtime.h>

#include "carve.h"
#include "tiles.h"

namespace gcluster {

/// What a scan carries from item to item. `start` is the sum that goes on from a run's first item.
template <class T, class Operation> struct inclusive_run {
    Operation operation;

    __device__ T start(const T &value) {
        return value;
    }
    __device__ T next(const T &sum, const T &value) {
        return operation(sum, value);
    }
    /// What an item gets, of the sum before it, if its run has one, and the sum with it.
    __device__ T result(const T &, bool, const T &with) {
        return with;
    }
};
template <class T, class Operation> struct exclusive_run {
    Operation operation;
    T init;

    __device__ T start(const T &value) {
        return operation(init, value);
    }
    __device__ T next(const T &sum, const T &value) {
        return operation(sum, value);
    }
    __device__ T result(const T &before, bool is_first, const T &) {
        return is_first ? init : before;
    }
};

/// What a tile leaves: `sum` is of its last run, from the run's begin if that is in the tile.
template <class T> struct tile_carry {
    T sum;
    bool begins_run; ///< the tile's first item is the first of its run
    bool has_begin;  ///< some run begins in the tile
};

template <class Keys, class Values, class T, class Equal, class Run>
__global__ void __launch_bounds__(1)
    carry_tiles(Keys keys, Values values, size_t count, size_t tile, Equal equal, Run run,
                tile_carry<T> *carries) {
    size_t begin = blockIdx.x * tile, end = tile_end(count, tile);
    bool begins_run = begin == 0 || !equal(keys[begin - (begin > 0)], keys[begin]);
    bool has_begin = begins_run;
    T value = static_cast<T>(values[begin]), sum = begins_run ? run.start(value) : value;
    for (size_t i = begin + 1; i < end; i++) {
        value = static_cast<T>(values[i]);
        bool is_first = !equal(keys[i - 1], keys[i]);
        sum = is_first ? run.start(value) : run.next(sum, value);
        has_begin |= is_first;
    }
    carries[blockIdx.x] = tile_carry<T>{sum, begins_run, has_begin};
}

/// Completes the sums of tiles in which no run begins.
template <class T, class Run>
__global__ void __launch_bounds__(1) join_carries(tile_carry<T> *carries, unsigned tiles, Run run) {
    for (unsigned t = 1; t < tiles; t++)
        if (!carries[t].has_begin)
            carries[t].sum = run.next(carries[t - 1].sum, carries[t].sum);
}

template <class Key, class Keys, class Values, class Out, class T, class Equal, class Run>
__global__ void __launch_bounds__(1)
    scan_runs(Keys keys, Values values, Out out, size_t count, size_t tile, Equal equal, Run run,
              const tile_carry<T> *carries) {
    size_t begin = blockIdx.x * tile, end = tile_end(count, tile);
    bool is_first = carries[blockIdx.x].begins_run;
    Key before = keys[begin];
    T sum = carries[blockIdx.x - (blockIdx.x > 0)].sum;
    for (size_t i = begin; i < end; i++) {
        Key here = keys[i];
        T value = static_cast<T>(values[i]);
        if (i > begin)
            is_first = !equal(before, here);
        T with = is_first ? run.start(value) : run.next(sum, value);
        out[i] = run.result(sum, is_first, with);
        sum = with;
        before = here;
    }
}

/// Leaves at `out` the sums of each run of equal keys as `run` has it: an inclusive_run or an
/// exclusive_run, in its T. `temp` as of sort.
template <class Key, class T, class Keys, class Values, class Out, class Equal, class Run>
cudaError_t scan_by_key(void *temp, size_t &temp_size, Keys keys, Values values, Out out,
                        size_t count, Equal equal, Run run, cudaStream_t stream) {
    tiling t = divide(count);
    carver pieces = {static_cast<char *>(temp), 0};
    tile_carry<T> *carries = pieces.take<tile_carry<T>>(t.tiles + 1);
    if (!temp) {
        temp_size = pieces.used;
        return cudaSuccess;
    }
    if (count == 0)
        return cudaSuccess;
    carry_tiles<<<t.tiles, 1, 0, stream>>>(keys, values, count, t.tile, equal, run, carries);
    join_carries<<<1, 1, 0, stream>>>(carries, t.tiles, run);
    scan_runs<Key><<<t.tiles, 1, 0, stream>>>(keys, values, out, count, t.tile, equal, run,
                                              static_cast<const tile_carry<T> *>(carries));
    return cudaGetLastError();
}

} // namespace gcluster

#endif
