// cub::DeviceMergeSort, by gcluster::sort where keys and values are arrays, and by CUB elsewhere.
#ifndef GCLUSTER_CUB_MERGE_SORT_H
#define GCLUSTER_CUB_MERGE_SORT_H

#pragma GCC system_header

#include "gcluster/algorithms/sort.h"
#include "iterators.h"

CUB_NAMESPACE_BEGIN
namespace gcl {

template <class... Iterators> struct are_pointers : std::true_type {};
template <class First, class... Others>
struct are_pointers<First, Others...>
    : std::integral_constant<bool,
                             std::is_pointer<First>::value && are_pointers<Others...>::value> {};

} // namespace gcl

struct DeviceMergeSort : DeviceMergeSortOfCub {
    template <class KeysIn, class ValuesIn, class Keys, class Values, class Count, class Less>
    static cudaError_t SortPairsCopy(void *temp, size_t &temp_size, KeysIn keys_in,
                                     ValuesIn values_in, Keys keys, Values values, Count count,
                                     Less less, cudaStream_t stream = nullptr, bool = false) {
        if constexpr (gcl::are_pointers<KeysIn, ValuesIn, Keys, Values>::value)
            return gcluster::sort(temp, temp_size, keys_in, values_in, keys, values,
                                  static_cast<size_t>(count), gcluster::by_comparison<Less>{less},
                                  stream);
        else
            return DeviceMergeSortOfCub::SortPairsCopy(temp, temp_size, keys_in, values_in, keys,
                                                       values, count, less, stream);
    }
    template <class KeysIn, class Keys, class Count, class Less>
    static cudaError_t SortKeysCopy(void *temp, size_t &temp_size, KeysIn keys_in, Keys keys,
                                    Count count, Less less, cudaStream_t stream = nullptr,
                                    bool = false) {
        gcluster::no_value *none = nullptr;
        if constexpr (gcl::are_pointers<KeysIn, Keys>::value)
            return gcluster::sort(temp, temp_size, keys_in, none, keys, none,
                                  static_cast<size_t>(count), gcluster::by_comparison<Less>{less},
                                  stream);
        else
            return DeviceMergeSortOfCub::SortKeysCopy(temp, temp_size, keys_in, keys, count, less,
                                                      stream);
    }
    template <class Keys, class Values, class Count, class Less>
    static cudaError_t StableSortPairs(void *temp, size_t &temp_size, Keys keys, Values values,
                                       Count count, Less less, cudaStream_t stream = nullptr,
                                       bool = false) {
        return SortPairsCopy(temp, temp_size, keys, values, keys, values, count, less, stream);
    }
    template <class Keys, class Count, class Less>
    static cudaError_t StableSortKeys(void *temp, size_t &temp_size, Keys keys, Count count,
                                      Less less, cudaStream_t stream = nullptr, bool = false) {
        return SortKeysCopy(temp, temp_size, keys, keys, count, less, stream);
    }
    template <class Keys, class Values, class Count, class Less>
    static cudaError_t SortPairs(void *temp, size_t &temp_size, Keys keys, Values values,
                                 Count count, Less less, cudaStream_t stream = nullptr,
                                 bool = false) {
        return StableSortPairs(temp, temp_size, keys, values, count, less, stream);
    }
    template <class Keys, class Count, class Less>
    static cudaError_t SortKeys(void *temp, size_t &temp_size, Keys keys, Count count, Less less,
                                cudaStream_t stream = nullptr, bool = false) {
        return StableSortKeys(temp, temp_size, keys, count, less, stream);
    }
};

CUB_NAMESPACE_END

#endif
