// Merges of two sorted arrays, and what remains of one without the other. Each block finds where
// its tile of the output begins in both arrays (Odeh, Green, Mwassi, Shmueli and Birk, Merge path,
// 2012) and merges from there. Of equal items those of the first array come first.
#ifndef GCLUSTER_ALGORITHMS_MERGE_H
#define GCLUSTER_ALGORITHMS_MERGE_H

#pragma GCC system_header

#include <cuda_runtime.h>

#include "tiles.h"

namespace gcluster {

/// How many of the first `place` items of the output come from `a`.
template <class A, class B, class Less>
__device__ size_t find_split(A a, size_t a_count, B b, size_t b_count, size_t place, Less less) {
    size_t begin = place > b_count ? place - b_count : 0;
    size_t end = place < a_count ? place : a_count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (less(b[place - 1 - middle], a[middle]))
            end = middle;
        else
            begin = middle + 1;
    }
    return begin;
}

/// a_keys and b_keys are what orders a's and b's items.
template <class T, class AKeys, class BKeys, class A, class B, class Out, class Less>
__global__ void __launch_bounds__(1)
    merge_sorted(AKeys a_keys, A a, size_t a_count, BKeys b_keys, B b, size_t b_count, Out out,
                 size_t count, size_t tile, Less less) {
    size_t begin = blockIdx.x * tile, end = tile_end(count, tile);
    size_t i = find_split(a_keys, a_count, b_keys, b_count, begin, less), j = begin - i;
    for (size_t o = begin; o < end; o++) {
        bool is_b = i == a_count || (j < b_count && less(b_keys[j], a_keys[i]));
        out[o] = is_b ? static_cast<T>(b[j++]) : static_cast<T>(a[i++]);
    }
}

/// Leaves at `out`, which neither `a` nor `b` is, the items of both, as a T each, in the order of
/// their keys.
template <class T, class AKeys, class BKeys, class A, class B, class Out, class Less>
cudaError_t merge(AKeys a_keys, A a, size_t a_count, BKeys b_keys, B b, size_t b_count, Out out,
                  Less less, cudaStream_t stream) {
    size_t count = a_count + b_count;
    tiling t = divide(count);
    if (count > 0)
        merge_sorted<T><<<t.tiles, 1, 0, stream>>>(a_keys, a, a_count, b_keys, b, b_count, out,
                                                   count, t.tile, less);
    return cudaGetLastError();
}

/// The first of items [begin, end) of a sorted array that isn't less than `item`; `end`: none is.
template <class Items, class T, class Less>
__device__ size_t first_not_less(Items items, size_t begin, size_t end, const T &item, Less less) {
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (less(items[middle], item))
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/// Tells which items of a sorted array have a partner in another one, if the first of equal items
/// there is that of the first here, the second that of the second, and so on. A selection asks for
/// items of a tile in their order, so each search begins where the last one ended.
template <class Keys, class Others, class Less> struct partners {
    Keys keys;
    Others others;
    size_t count; ///< of the others
    bool wanted;  ///< or those without a partner are
    Less less;
    size_t next;        ///< item that is asked for next; 0 at first
    size_t first_equal; ///< first item here that equals the one before `next`
    size_t place;       ///< others that come before that one

    __device__ bool operator[](size_t i) {
        if (i == 0 || i != next || less(keys[i - 1], keys[i])) {
            first_equal = i == 0 || i == next ? i : first_not_less(keys, 0, i, keys[i], less);
            place = find_place(i, i == next ? place : 0);
        }
        next = i + 1;
        size_t partner = place + (i - first_equal);
        return (partner < count && !less(keys[i], others[partner])) == wanted;
    }

  private:
    /// How many others come before item `i`; `begin` of them are known to.
    __device__ size_t find_place(size_t i, size_t begin) {
        size_t step = 1;
        while (begin + step <= count && less(others[begin + step - 1], keys[i])) {
            begin += step;
            step *= 2;
        }
        size_t end = begin + step <= count ? begin + step - 1 : count;
        return first_not_less(others, begin, end, keys[i], less);
    }
};

} // namespace gcluster

#endif
