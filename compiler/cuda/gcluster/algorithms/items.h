// Keys with or without a value beside each: what the sorts of this folder move.
#ifndef GCLUSTER_ALGORITHMS_ITEMS_H
#define GCLUSTER_ALGORITHMS_ITEMS_H

#pragma GCC system_header

#include <stddef.h>

namespace gcluster {

/// What stands for values where keys are sorted alone.
struct no_value {};

template <class Key, class Value> struct item {
    Key key;
    Value value;
};

/// Arrays of keys and of their values.
template <class Key, class Value> struct items {
    Key *keys;
    Value *values;

    __device__ items after(size_t count) const {
        return {keys + count, values + count};
    }
    __device__ item<Key, Value> get(size_t i) const {
        return {keys[i], values[i]};
    }
    __device__ void put(size_t i, const item<Key, Value> &from) const {
        keys[i] = from.key;
        values[i] = from.value;
    }
};

template <class Key> struct item<Key, no_value> {
    Key key;
};

/// `values` leads nowhere.
template <class Key> struct items<Key, no_value> {
    Key *keys;
    no_value *values;

    __device__ items after(size_t count) const {
        return {keys + count, values};
    }
    __device__ item<Key, no_value> get(size_t i) const {
        return {keys[i]};
    }
    __device__ void put(size_t i, const item<Key, no_value> &from) const {
        keys[i] = from.key;
    }
};

template <class Items>
__device__ void copy_items(const Items &to, const Items &from, size_t count) {
    for (size_t i = 0; i < count; i++)
        to.put(i, from.get(i));
}

} // namespace gcluster

#endif
