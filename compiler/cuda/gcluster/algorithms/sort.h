// Stable sorts of device memory, of keys alone or with values: by blocks of one thread, each with a
// tile of its own, so that launches split over nodes at tiles.
//
//     sort_tiles      sorts each tile, and takes samples of it at even distances
//     choose          ranks all samples and takes every so-many-th as a splitter
//     locate          finds in each tile where the parts between splitters begin
//     add_positions   finds where the parts begin in the whole
//     gather_parts    gets the pieces of each part from all tiles
//     merge_parts     merges them to where the part begins
//
// Items are compared by key, then tile, then place, so splitters are never the same: parts have
// bounds on their sizes whatever the keys (regular sampling, Shi and Schaeffer 1992), and what
// moves between nodes moves once.
#ifndef GCLUSTER_ALGORITHMS_SORT_H
#define GCLUSTER_ALGORITHMS_SORT_H

#pragma GCC system_header

#include <cuda_runtime.h>

#include "carve.h"
#include "declare.h"
#include "tile.h"
#include "tiles.h"

namespace gcluster {

enum {
    MAX_TILES = 128,
    LEAST_TILE = 8192, ///< items: below, a launch more costs more than a thread less
};

/// How a sort is divided.
struct sort_layout {
    size_t tile;      ///< items of a tile; the last may have less
    unsigned tiles;   ///< and parts; 1: nothing is sampled, nor merged
    unsigned samples; ///< of a tile
    size_t part;      ///< items of a part, at most
};

/// An item among the samples.
struct splitter {
    uint32_t tile;
    uint32_t sample;
};

/// How many of `keys` come before `key`, or with is_after as many as don't come after it.
template <class Key, class Order>
__device__ size_t find_place(const Key *keys, size_t count, const Key &key, bool is_after,
                             const Order &order) {
    size_t begin = 0;
    while (count > 0) {
        size_t half = count / 2;
        const Key &here = keys[begin + half];
        bool is_before = is_after ? !order.less(key, here) : order.less(here, key);
        begin += is_before ? half + 1 : 0;
        count = is_before ? count - half - 1 : half;
    }
    return begin;
}

template <class Key, class Value, class Order>
__global__ void __launch_bounds__(1)
    GCL_PRAGMA("reads(in_keys" GCL_TILE ", out_keys" GCL_TILE ", spare_keys" GCL_TILE ") "
               "reads(in_values" GCL_TILE ", out_values" GCL_TILE ", spare_values" GCL_TILE ") "
               "writes(out_keys" GCL_TILE ", spare_keys" GCL_TILE ") "
               "writes(out_values" GCL_TILE ", spare_values" GCL_TILE ")")
        sort_tiles(Key *in_keys, Value *in_values, Key *out_keys, Value *out_values,
                   Key *spare_keys, Value *spare_values, size_t count, size_t tile, Order order,
                   Key *samples, unsigned sample_count) {
    size_t begin = blockIdx.x * tile;
    size_t own = count - begin < tile ? count - begin : tile;
    items<Key, Value> in = {in_keys, in_values}, out = {out_keys, out_values};
    items<Key, Value> spare = {spare_keys, spare_values};
    sort_tile(in.after(begin), out.after(begin), spare.after(begin), own, order);
    for (unsigned i = 0; i < sample_count; i++)
        samples[size_t{blockIdx.x} * sample_count + i] = out_keys[begin + i * own / sample_count];
}

template <class Key, class Order>
__global__ void __launch_bounds__(1) GCL_PRAGMA(
    "single reads(samples[0 : gridDim.x * sample_count]) writes(splitters[0 : gridDim.x])")
    choose(const Key *samples, unsigned sample_count, Order order, splitter *splitters) {
    unsigned tile = blockIdx.x;
    for (unsigned i = 0; i < sample_count; i++) {
        size_t rank = i;
        for (unsigned t = 0; t < gridDim.x; t++)
            if (t != tile)
                rank += find_place(samples + t * sample_count, sample_count,
                                   samples[tile * sample_count + i], t < tile, order);
        if (rank % sample_count == 0)
            splitters[rank / sample_count] = splitter{tile, i};
    }
}

template <class Key, class Order>
__global__ void __launch_bounds__(1)
    GCL_PRAGMA("reads(keys" GCL_TILE ", samples[0 : gridDim.x * sample_count])")
        locate(const Key *keys, size_t count, size_t tile, const Key *samples,
               unsigned sample_count, const splitter *splitters, Order order, size_t *positions) {
    size_t begin = blockIdx.x * tile;
    size_t own = count - begin < tile ? count - begin : tile;
    positions[size_t{blockIdx.x} * (gridDim.x + 1)] = begin;
    for (unsigned p = 1; p < gridDim.x; p++) {
        splitter s = splitters[p];
        size_t place = s.tile == blockIdx.x ? s.sample * own / sample_count
                                            : find_place(keys + begin, own,
                                                         samples[s.tile * sample_count + s.sample],
                                                         blockIdx.x < s.tile, order);
        positions[size_t{blockIdx.x} * (gridDim.x + 1) + p] = begin + place;
    }
    positions[size_t{blockIdx.x} * (gridDim.x + 1) + gridDim.x] = begin + own;
}

inline __global__ void __launch_bounds__(1)
    add_positions(const size_t *positions, unsigned tiles, size_t tile, size_t *begins) {
    size_t sum = 0;
    for (unsigned t = 0; t < tiles; t++)
        sum += positions[t * (tiles + 1) + blockIdx.x] - t * tile;
    begins[blockIdx.x] = sum;
}

/// Which of several sorted runs has the next item: a tree of comparisons, where inner nodes keep
/// the run that lost (Knuth, The Art of Computer Programming, 5.4.1).
template <class Items, class Order> struct tournament {
    const Items &in;
    const Order &order;
    size_t next[MAX_TILES], end[MAX_TILES];
    uint8_t losers[MAX_TILES];
    unsigned runs, winner;

    __device__ tournament(const Items &in, const Order &order, unsigned runs)
        : in(in), order(order), runs(runs) {
    }

    __device__ bool beats(unsigned a, unsigned b) const {
        if (next[a] == end[a] || next[b] == end[b])
            return next[b] == end[b];
        return a < b ? !order.less(in.keys[next[b]], in.keys[next[a]])
                     : order.less(in.keys[next[a]], in.keys[next[b]]);
    }
    __device__ void start() {
        uint8_t winners[2 * MAX_TILES];
        for (unsigned i = 0; i < runs; i++)
            winners[runs + i] = static_cast<uint8_t>(i);
        for (unsigned node = runs - 1; node > 0; node--) {
            uint8_t a = winners[2 * node], b = winners[2 * node + 1];
            bool is_first = beats(a, b);
            winners[node] = is_first ? a : b;
            losers[node] = is_first ? b : a;
        }
        winner = winners[1];
    }
    /// Where the next item is.
    __device__ size_t take() {
        size_t place = next[winner]++;
        for (unsigned node = (runs + winner) / 2; node > 0; node /= 2) {
            unsigned other = losers[node];
            bool is_beaten = beats(other, winner);
            losers[node] = static_cast<uint8_t>(is_beaten ? winner : other);
            winner = is_beaten ? other : winner;
        }
        return place;
    }
};

template <class Key, class Value>
__global__ void __launch_bounds__(1)
    GCL_PRAGMA("writes(part_keys[blockIdx.x * part : part], part_values[blockIdx.x * part : part])")
        gather_parts(Key *keys, Value *values, Key *part_keys, Value *part_values,
                     const size_t *positions, size_t part) {
    items<Key, Value> in = {keys, values}, out = {part_keys, part_values};
    size_t count = blockIdx.x * part, column = gridDim.x + 1;
    for (size_t t = 0; t < gridDim.x; t++)
        for (size_t i = positions[t * column + blockIdx.x];
             i < positions[t * column + blockIdx.x + 1]; i++)
            out.put(count++, in.get(i));
}

template <class Key, class Value, class Order>
__global__ void __launch_bounds__(1)
    GCL_PRAGMA("reads(part_keys[blockIdx.x * part : part], part_values[blockIdx.x * part : part])")
        merge_parts(Key *part_keys, Value *part_values, Key *keys, Value *values,
                    const size_t *positions, const size_t *begins, size_t part, Order order) {
    items<Key, Value> in = items<Key, Value>{part_keys, part_values}.after(blockIdx.x * part);
    items<Key, Value> out = {keys, values};
    tournament<items<Key, Value>, Order> runs(in, order, gridDim.x);
    size_t count = 0, column = gridDim.x + 1;
    for (size_t t = 0; t < gridDim.x; t++) {
        runs.next[t] = count;
        count += positions[t * column + blockIdx.x + 1] - positions[t * column + blockIdx.x];
        runs.end[t] = count;
    }
    runs.start();
    for (size_t i = begins[blockIdx.x]; i < begins[blockIdx.x + 1]; i++)
        out.put(i, in.get(runs.take()));
}

inline sort_layout lay_out_sort(size_t count) {
    int device = 0, cores = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&cores, cudaDevAttrMultiProcessorCount, device);
    size_t wanted = static_cast<size_t>(2 * cores < MAX_TILES ? 2 * cores : MAX_TILES);
    size_t useful = count / LEAST_TILE > 1 ? count / LEAST_TILE : 1;
    size_t tiles = wanted < useful ? wanted : useful;
    sort_layout l = {};
    l.tile = (count + tiles - 1) / tiles;
    l.tiles = static_cast<unsigned>(count ? (count + l.tile - 1) / l.tile : 0);
    l.samples = l.tiles > 1 ? 2 * l.tiles : 0;
    // Between two splitters are `samples` samples, and an unfinished distance in every tile.
    l.part = l.tiles > 1 ? (l.samples + l.tiles) * (l.tile / l.samples + 1) : count;
    return l;
}

/// Sorts `in` to `out`, which may be the same, stably. With `temp` NULL sets `temp_size` to the
/// bytes of device memory that it wants there, and does nothing else; values are NULL if Value is
/// no_value. Of numbers only the bits that `order` names are looked at.
template <class Key, class Value, class Order>
cudaError_t sort(void *temp, size_t &temp_size, const Key *in_keys, const Value *in_values,
                 Key *out_keys, Value *out_values, size_t count, const Order &order,
                 cudaStream_t stream) {
    sort_layout l = lay_out_sort(count);
    size_t column = l.tiles + 1;
    carver pieces = {static_cast<char *>(temp), 0};
    Key *part_keys = pieces.take<Key>(l.part * l.tiles);
    Value *part_values = pieces.take<Value>(l.part * l.tiles);
    Key *samples = pieces.take<Key>(size_t{l.samples} * l.tiles);
    splitter *splitters = pieces.take<splitter>(l.tiles);
    size_t *positions = pieces.take<size_t>(l.tiles * column);
    size_t *begins = pieces.take<size_t>(column);
    if (!temp) {
        temp_size = pieces.used;
        return cudaSuccess;
    }
    if (count == 0)
        return cudaSuccess;
    sort_tiles<<<l.tiles, 1, 0, stream>>>(
        const_cast<Key *>(in_keys), const_cast<Value *>(in_values), out_keys, out_values, part_keys,
        part_values, count, l.tile, order, samples, l.samples);
    if (l.tiles > 1) {
        choose<<<l.tiles, 1, 0, stream>>>(samples, l.samples, order, splitters);
        locate<<<l.tiles, 1, 0, stream>>>(out_keys, count, l.tile, samples, l.samples, splitters,
                                          order, positions);
        add_positions<<<l.tiles + 1, 1, 0, stream>>>(positions, l.tiles, l.tile, begins);
        gather_parts<<<l.tiles, 1, 0, stream>>>(out_keys, out_values, part_keys, part_values,
                                                positions, l.part);
        merge_parts<<<l.tiles, 1, 0, stream>>>(part_keys, part_values, out_keys, out_values,
                                               positions, begins, l.part, order);
    }
    return cudaGetLastError();
}

} // namespace gcluster

#endif
