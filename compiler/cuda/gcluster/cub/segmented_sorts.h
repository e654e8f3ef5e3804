// What segmented sorts of CUB's have in common: gcluster::segmented_sort where keys are numbers,
// and CUB where they are anything else. The arguments are CUB's.
#ifndef GCLUSTER_CUB_SEGMENTED_SORTS_H
#define GCLUSTER_CUB_SEGMENTED_SORTS_H

#pragma GCC system_header

#include <cub/device/device_radix_sort.cuh>

#include "gcluster/algorithms/segments.h"

/// The sorts of two names. GCL_BITS: the parameters for the bits that order keys, if there are any;
/// GCL_BITS_GIVEN: which these are; GCL_BITS_PASSED: arguments for those parameters.
#define GCL_SEGMENTED_SORTS(theirs, keys_name, pairs_name, descending)                             \
    template <class Key, class Value, class Begins, class Ends>                                    \
    static cudaError_t pairs_name(void *temp, size_t &temp_size, const Key *keys_in,               \
                                  Key *keys_out, const Value *values_in, Value *values_out,        \
                                  int items, int count, Begins begins, Ends ends GCL_BITS(Key),    \
                                  cudaStream_t stream = nullptr, bool = false) {                   \
        if constexpr (gcluster::number<Key>::is_sortable)                                          \
            return gcluster::segmented_sort(                                                       \
                temp, temp_size, keys_in, values_in, keys_out, values_out,                         \
                static_cast<size_t>(items), static_cast<size_t>(count), begins, ends,              \
                gcluster::by_bits<Key, descending>{GCL_BITS_GIVEN(Key)}, stream);                  \
        else                                                                                       \
            return theirs::pairs_name(temp, temp_size, keys_in, keys_out, values_in, values_out,   \
                                      items, count, begins, ends GCL_BITS_PASSED, stream);         \
    }                                                                                              \
    template <class Key, class Value, class Begins, class Ends>                                    \
    static cudaError_t pairs_name(void *temp, size_t &temp_size, DoubleBuffer<Key> &keys,          \
                                  DoubleBuffer<Value> &values, int items, int count,               \
                                  Begins begins, Ends ends GCL_BITS(Key),                          \
                                  cudaStream_t stream = nullptr, bool = false) {                   \
        cudaError_t error =                                                                        \
            pairs_name(temp, temp_size, keys.Current(), keys.Alternate(), values.Current(),        \
                       values.Alternate(), items, count, begins, ends GCL_BITS_PASSED, stream);    \
        gcl::swap_buffers(temp, keys);                                                             \
        gcl::swap_buffers(temp, values);                                                           \
        return error;                                                                              \
    }                                                                                              \
    template <class Key, class Begins, class Ends>                                                 \
    static cudaError_t keys_name(void *temp, size_t &temp_size, const Key *keys_in, Key *keys_out, \
                                 int items, int count, Begins begins, Ends ends GCL_BITS(Key),     \
                                 cudaStream_t stream = nullptr, bool = false) {                    \
        gcluster::no_value *none = nullptr;                                                        \
        if constexpr (gcluster::number<Key>::is_sortable)                                          \
            return gcluster::segmented_sort(                                                       \
                temp, temp_size, keys_in, none, keys_out, none, static_cast<size_t>(items),        \
                static_cast<size_t>(count), begins, ends,                                          \
                gcluster::by_bits<Key, descending>{GCL_BITS_GIVEN(Key)}, stream);                  \
        else                                                                                       \
            return theirs::keys_name(temp, temp_size, keys_in, keys_out, items, count, begins,     \
                                     ends GCL_BITS_PASSED, stream);                                \
    }                                                                                              \
    template <class Key, class Begins, class Ends>                                                 \
    static cudaError_t keys_name(void *temp, size_t &temp_size, DoubleBuffer<Key> &keys,           \
                                 int items, int count, Begins begins, Ends ends GCL_BITS(Key),     \
                                 cudaStream_t stream = nullptr, bool = false) {                    \
        cudaError_t error = keys_name(temp, temp_size, keys.Current(), keys.Alternate(), items,    \
                                      count, begins, ends GCL_BITS_PASSED, stream);                \
        gcl::swap_buffers(temp, keys);                                                             \
        return error;                                                                              \
    }

#endif
