// Selections, in the order of items. Each block compresses a tile into memory of its own, where
// what is selected begins at the tile's begin, and the rest, if it is wanted, goes from its end
// backwards; one thread adds up how many there are; then each block copies what it has to where
// that belongs. So no block writes what another reads, and output and input may be the same.
#ifndef GCLUSTER_ALGORITHMS_SELECT_H
#define GCLUSTER_ALGORITHMS_SELECT_H

#pragma GCC system_header

#include <cuda_runtime.h>

#include "carve.h"
#include "declare.h"
#include "tiles.h"

namespace gcluster {

/// keep[i] says whether in[i] is selected.
template <bool has_rest, class In, class Keep, class T>
__global__ void __launch_bounds__(1) GCL_PRAGMA("writes(kept" GCL_TILE ")")
    compress_tiles(In in, Keep keep, size_t count, size_t tile, T *kept, size_t *counts) {
    size_t begin = blockIdx.x * tile, end = tile_end(count, tile), selected = begin, rest = end;
    for (size_t i = begin; i < end; i++) {
        if (keep[i])
            kept[selected++] = in[i];
        else if (has_rest)
            kept[--rest] = in[i];
    }
    counts[blockIdx.x] = selected - begin;
}

/// Leaves in begins[0 … tiles] where tiles' selected items go, and their number in *total.
template <class Total>
__global__ void __launch_bounds__(1)
    add_counts(const size_t *counts, unsigned tiles, size_t *begins, Total total) {
    size_t sum = 0;
    for (unsigned t = 0; t < tiles; t++) {
        begins[t] = sum;
        sum += counts[t];
    }
    begins[tiles] = sum;
    *total = sum;
}

template <class T, class Out>
__global__ void __launch_bounds__(1) GCL_PRAGMA("reads(kept" GCL_TILE ")")
    place_selected(const T *kept, size_t count, size_t tile, const size_t *begins, Out out) {
    const T *own = kept + blockIdx.x * tile;
    size_t begin = begins[blockIdx.x], end = begins[blockIdx.x + 1];
    for (size_t i = begin; i < end; i++)
        out[i] = own[i - begin];
}

/// `is_behind`: the rest begins at out[number of selected items], not at out[0].
template <class T, class Out>
__global__ void __launch_bounds__(1) GCL_PRAGMA("reads(kept" GCL_TILE ")")
    place_rest(const T *kept, size_t count, size_t tile, const size_t *begins, bool is_behind,
               Out out) {
    size_t tile_begin = blockIdx.x * tile;
    size_t begin = tile_begin - begins[blockIdx.x];
    size_t end = tile_end(count, tile) - begins[blockIdx.x + 1];
    size_t first = is_behind ? begins[gridDim.x] : 0;
    const T *last = kept + (tile_end(count, tile) - 1);
    for (size_t i = begin; i < end; i++)
        out[first + i] = *(last - (i - begin));
}

/// What selections keep in `temp`.
template <class T> struct selection {
    tiling tiles;
    T *kept;
    size_t *counts, *begins;

    selection(void *temp, size_t &temp_size, size_t count) : tiles(divide(count)) {
        carver pieces = {static_cast<char *>(temp), 0};
        kept = pieces.take<T>(count);
        counts = pieces.take<size_t>(tiles.tiles + 1);
        begins = pieces.take<size_t>(tiles.tiles + 1);
        if (!temp)
            temp_size = pieces.used;
    }
};

/// Leaves at `out`, in order, those in[i] for which keep[i] is true, and at `total` their number.
/// `temp` as of sort.
template <class T, class In, class Keep, class Out, class Total>
cudaError_t select(void *temp, size_t &temp_size, In in, Keep keep, Out out, Total total,
                   size_t count, cudaStream_t stream) {
    selection<T> s(temp, temp_size, count);
    unsigned tiles = s.tiles.tiles;
    if (!temp)
        return cudaSuccess;
    if (count > 0)
        compress_tiles<false>
            <<<tiles, 1, 0, stream>>>(in, keep, count, s.tiles.tile, s.kept, s.counts);
    add_counts<<<1, 1, 0, stream>>>(s.counts, tiles, s.begins, total);
    if (count > 0)
        place_selected<<<tiles, 1, 0, stream>>>(s.kept, count, s.tiles.tile, s.begins, out);
    return cudaGetLastError();
}

/// Likewise, and at `rest` the others, in order; with is_behind at rest[*total] and on.
template <class T, class In, class Keep, class Out, class Rest, class Total>
cudaError_t partition(void *temp, size_t &temp_size, In in, Keep keep, Out out, Rest rest,
                      bool is_behind, Total total, size_t count, cudaStream_t stream) {
    selection<T> s(temp, temp_size, count);
    unsigned tiles = s.tiles.tiles;
    if (!temp)
        return cudaSuccess;
    if (count > 0)
        compress_tiles<true>
            <<<tiles, 1, 0, stream>>>(in, keep, count, s.tiles.tile, s.kept, s.counts);
    add_counts<<<1, 1, 0, stream>>>(s.counts, tiles, s.begins, total);
    if (count > 0) {
        place_selected<<<tiles, 1, 0, stream>>>(s.kept, count, s.tiles.tile, s.begins, out);
        place_rest<<<tiles, 1, 0, stream>>>(s.kept, count, s.tiles.tile, s.begins, is_behind, rest);
    }
    return cudaGetLastError();
}

} // namespace gcluster

#endif
