// Sorting a tile: what one thread does by itself, in memory that no other touches. Numbers are
// sorted digit by digit, from the last on; everything else by merging runs whose length doubles.
// Both are stable.
#ifndef GCLUSTER_ALGORITHMS_TILE_H
#define GCLUSTER_ALGORITHMS_TILE_H

#pragma GCC system_header

#include <stdint.h>

#include "items.h"
#include "keys.h"

namespace gcluster {

enum {
    DIGIT_VALUES = 256,
    SHORT_RUN = 8, ///< items that are sorted by insertion
};

__device__ inline unsigned digit_of(uint64_t rank, int digit) {
    return static_cast<unsigned>(rank >> 8 * digit) & (DIGIT_VALUES - 1);
}

/// How often each digit has each value. Returns which digits tell items apart, as a mask.
template <class Items, class Order>
__device__ unsigned count_digits(const Items &in, size_t count, const Order &order,
                                 uint32_t (*counts)[DIGIT_VALUES]) {
    int digits = order.digits();
    unsigned needed = 0;
    for (int d = 0; d < digits; d++)
        for (int i = 0; i < DIGIT_VALUES; i++)
            counts[d][i] = 0;
    for (size_t i = 0; i < count; i++) {
        typename Order::Rank rank = order.rank(in.keys[i]);
        for (int d = 0; d < digits; d++)
            counts[d][digit_of(rank, d)]++;
    }
    for (int d = 0; d < digits; d++)
        if (counts[d][digit_of(order.rank(in.keys[0]), d)] != count)
            needed |= 1u << d;
    return needed;
}

/// `counts` become places.
template <class Items, class Order>
__device__ void scatter_digit(const Items &to, const Items &from, size_t count, const Order &order,
                              int digit, uint32_t *counts) {
    uint32_t sum = 0;
    for (int i = 0; i < DIGIT_VALUES; i++) {
        uint32_t here = counts[i];
        counts[i] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++)
        to.put(counts[digit_of(order.rank(from.keys[i]), digit)]++, from.get(i));
}

/// Sorts `in`, of one item or more, to `out`. `in` may be one of the others, and is left as it is
/// otherwise. Where items go next is said by branches, not by pointers that change places: so the
/// compiler knows which argument of the kernel each access is about.
template <class Key, class Value, bool descending>
__device__ void sort_tile(const items<Key, Value> &in, const items<Key, Value> &out,
                          const items<Key, Value> &spare, size_t count,
                          const by_bits<Key, descending> &order) {
    uint32_t counts[sizeof(Key)][DIGIT_VALUES];
    unsigned needed = count_digits(in, count, order, counts);
    bool is_out = __popc(needed) % 2 == 0;
    if (is_out)
        copy_items(out, in, count);
    else
        copy_items(spare, in, count);
    for (int d = 0; d < order.digits(); d++) {
        if (!(needed >> d & 1))
            continue;
        if (is_out)
            scatter_digit(spare, out, count, order, d, counts[d]);
        else
            scatter_digit(out, spare, count, order, d, counts[d]);
        is_out = !is_out;
    }
}

template <class Items, class Order>
__device__ void insert(const Items &to, const Items &from, size_t count, const Order &order) {
    for (size_t i = 0; i < count; i++) {
        auto item = from.get(i);
        size_t place = i;
        for (; place > 0 && order.less(item.key, to.keys[place - 1]); place--)
            to.put(place, to.get(place - 1));
        to.put(place, item);
    }
}

/// Merges [0, middle) and [middle, end) of `from`.
template <class Items, class Order>
__device__ void merge_two(const Items &to, const Items &from, size_t middle, size_t end,
                          const Order &order) {
    size_t left = 0, right = middle;
    for (size_t i = 0; i < end; i++) {
        bool is_right =
            left == middle || (right < end && order.less(from.keys[right], from.keys[left]));
        to.put(i, from.get(is_right ? right : left));
        right += is_right;
        left += !is_right;
    }
}

template <class Items, class Order>
__device__ void sort_short_runs(const Items &to, const Items &from, size_t count,
                                const Order &order) {
    for (size_t i = 0; i < count; i += SHORT_RUN)
        insert(to.after(i), from.after(i), count - i < SHORT_RUN ? count - i : SHORT_RUN, order);
}

template <class Items, class Order>
__device__ void merge_runs(const Items &to, const Items &from, size_t count, size_t run,
                           const Order &order) {
    for (size_t i = 0; i < count; i += 2 * run)
        merge_two(to.after(i), from.after(i), count - i < run ? count - i : run,
                  count - i < 2 * run ? count - i : 2 * run, order);
}

/// Sorts as sort_tile does, by merging, whatever the order.
template <class Items, class Order>
__device__ void merge_tile(const Items &in, const Items &out, const Items &spare, size_t count,
                           const Order &order) {
    bool is_out = true;
    for (size_t run = SHORT_RUN; run < count; run *= 2)
        is_out = !is_out;
    if (is_out)
        sort_short_runs(out, in, count, order);
    else
        sort_short_runs(spare, in, count, order);
    for (size_t run = SHORT_RUN; run < count; run *= 2) {
        if (is_out)
            merge_runs(spare, out, count, run, order);
        else
            merge_runs(out, spare, count, run, order);
        is_out = !is_out;
    }
}

template <class Key, class Value, class Less>
__device__ void sort_tile(const items<Key, Value> &in, const items<Key, Value> &out,
                          const items<Key, Value> &spare, size_t count,
                          const by_comparison<Less> &order) {
    merge_tile(in, out, spare, count, order);
}

} // namespace gcluster

#endif
