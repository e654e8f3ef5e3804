// cub::DeviceRadixSort, by gcluster::sort where keys are numbers, and by CUB where they are
// anything else. The arguments are CUB's.
#ifndef GCLUSTER_CUB_RADIX_SORT_H
#define GCLUSTER_CUB_RADIX_SORT_H

#pragma GCC system_header

#include <cub/config.cuh>
#include <cub/util_type.cuh>

#include "gcluster/algorithms/sort.h"

/// The last parameter that CUB had up to 1.17.
#if CUB_VERSION < 200000
#define GCL_CUB_DEBUG , bool = false
#else
#define GCL_CUB_DEBUG
#endif

CUB_NAMESPACE_BEGIN

namespace gcl {

/// As CUB does with two buffers, the result is in the other one afterwards.
template <class T> void swap_buffers(const void *temp, DoubleBuffer<T> &buffers) {
    buffers.selector ^= temp != nullptr;
}

} // namespace gcl

#define GCL_SORT_PAIRS(name, descending)                                                           \
    template <class Key, class Value, class Count>                                                 \
    static cudaError_t name(void *temp, size_t &temp_size, const Key *keys_in, Key *keys_out,      \
                            const Value *values_in, Value *values_out, Count count,                \
                            int begin_bit = 0, int end_bit = 8 * sizeof(Key),                      \
                            cudaStream_t stream = nullptr GCL_CUB_DEBUG) {                         \
        if constexpr (gcluster::number<Key>::is_sortable)                                          \
            return gcluster::sort(temp, temp_size, keys_in, values_in, keys_out, values_out,       \
                                  static_cast<size_t>(count),                                      \
                                  gcluster::by_bits<Key, descending>{begin_bit, end_bit}, stream); \
        else                                                                                       \
            return DeviceRadixSortOfCub::name(temp, temp_size, keys_in, keys_out, values_in,       \
                                              values_out, count, begin_bit, end_bit, stream);      \
    }                                                                                              \
    template <class Key, class Value, class Count>                                                 \
    static cudaError_t name(void *temp, size_t &temp_size, DoubleBuffer<Key> &keys,                \
                            DoubleBuffer<Value> &values, Count count, int begin_bit = 0,           \
                            int end_bit = 8 * sizeof(Key),                                         \
                            cudaStream_t stream = nullptr GCL_CUB_DEBUG) {                         \
        if constexpr (gcluster::number<Key>::is_sortable) {                                        \
            cudaError_t error =                                                                    \
                name(temp, temp_size, keys.Current(), keys.Alternate(), values.Current(),          \
                     values.Alternate(), count, begin_bit, end_bit, stream);                       \
            gcl::swap_buffers(temp, keys);                                                         \
            gcl::swap_buffers(temp, values);                                                       \
            return error;                                                                          \
        } else {                                                                                   \
            return DeviceRadixSortOfCub::name(temp, temp_size, keys, values, count, begin_bit,     \
                                              end_bit, stream);                                    \
        }                                                                                          \
    }

#define GCL_SORT_KEYS(name, descending)                                                            \
    template <class Key, class Count>                                                              \
    static cudaError_t name(void *temp, size_t &temp_size, const Key *keys_in, Key *keys_out,      \
                            Count count, int begin_bit = 0, int end_bit = 8 * sizeof(Key),         \
                            cudaStream_t stream = nullptr GCL_CUB_DEBUG) {                         \
        gcluster::no_value *none = nullptr;                                                        \
        if constexpr (gcluster::number<Key>::is_sortable)                                          \
            return gcluster::sort(temp, temp_size, keys_in, none, keys_out, none,                  \
                                  static_cast<size_t>(count),                                      \
                                  gcluster::by_bits<Key, descending>{begin_bit, end_bit}, stream); \
        else                                                                                       \
            return DeviceRadixSortOfCub::name(temp, temp_size, keys_in, keys_out, count,           \
                                              begin_bit, end_bit, stream);                         \
    }                                                                                              \
    template <class Key, class Count>                                                              \
    static cudaError_t name(void *temp, size_t &temp_size, DoubleBuffer<Key> &keys, Count count,   \
                            int begin_bit = 0, int end_bit = 8 * sizeof(Key),                      \
                            cudaStream_t stream = nullptr GCL_CUB_DEBUG) {                         \
        if constexpr (gcluster::number<Key>::is_sortable) {                                        \
            cudaError_t error = name(temp, temp_size, keys.Current(), keys.Alternate(), count,     \
                                     begin_bit, end_bit, stream);                                  \
            gcl::swap_buffers(temp, keys);                                                         \
            return error;                                                                          \
        } else {                                                                                   \
            return DeviceRadixSortOfCub::name(temp, temp_size, keys, count, begin_bit, end_bit,    \
                                              stream);                                             \
        }                                                                                          \
    }

struct DeviceRadixSort : DeviceRadixSortOfCub {
#if CUB_VERSION >= 200200 // there it has more of each name; those above hide its own
    using DeviceRadixSortOfCub::SortKeys;
    using DeviceRadixSortOfCub::SortKeysDescending;
    using DeviceRadixSortOfCub::SortPairs;
    using DeviceRadixSortOfCub::SortPairsDescending;
#endif
    GCL_SORT_PAIRS(SortPairs, false)
    GCL_SORT_PAIRS(SortPairsDescending, true)
    GCL_SORT_KEYS(SortKeys, false)
    GCL_SORT_KEYS(SortKeysDescending, true)
};

#undef GCL_SORT_KEYS
#undef GCL_SORT_PAIRS
#undef GCL_CUB_DEBUG

CUB_NAMESPACE_END

#endif
