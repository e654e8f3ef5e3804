// Two arrays as one of items.
#ifndef GCLUSTER_ALGORITHMS_PAIRED_H
#define GCLUSTER_ALGORITHMS_PAIRED_H

#pragma GCC system_header

#include "items.h"

namespace gcluster {

/// `Keys` and `Values` are iterators to Key and Value; an element can be read as an item, and be
/// written one.
template <class Keys, class Values, class Key, class Value> struct paired {
    Keys keys;
    Values values;

    struct place {
        const paired &array;
        size_t i;
        __device__ void operator=(const item<Key, Value> &from) const {
            Keys keys = array.keys;
            Values values = array.values;
            keys[i] = from.key;
            values[i] = from.value;
        }
        __device__ operator item<Key, Value>() const {
            return {array.keys[i], array.values[i]};
        }
    };
    __device__ place operator[](size_t i) const {
        return {*this, i};
    }
};

} // namespace gcluster

#endif
