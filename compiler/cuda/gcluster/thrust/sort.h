// thrust::sort, stable_sort and both by_key, by gcluster::sort.
#ifndef GCLUSTER_THRUST_SORT_H
#define GCLUSTER_THRUST_SORT_H

#pragma GCC system_header

#include <thrust/functional.h>
#include <thrust/sort.h>

#include "gcluster/algorithms/sort.h"
#include "policy.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace gcl {

/// The order of keys by a function object. Numbers by < and > are told apart by their bits.
template <class Key, class Less> struct order_of {
    typedef gcluster::by_comparison<Less> type;
    static type make(Less less) {
        return {less};
    }
};
template <class Key, bool descending> struct number_order {
    typedef gcluster::by_bits<Key, descending> type;
    template <class Less> static type make(Less) {
        return {0, 8 * sizeof(Key)};
    }
};
template <class Key, class Less>
struct order
    : std::conditional<!gcluster::number<Key>::is_sortable, order_of<Key, Less>,
                       typename std::conditional<
                           std::is_same<Less, thrust::less<Key>>::value, number_order<Key, false>,
                           typename std::conditional<
                               std::is_same<Less, thrust::greater<Key>>::value,
                               number_order<Key, true>, order_of<Key, Less>>::type>::type>::type {};

template <class Policy, class Key, class Value, class Less>
void sort_arrays(Policy &policy, Key *keys, Value *values, size_t count, Less less) {
    typename order<Key, Less>::type order_of_keys = order<Key, Less>::make(less);
    run(policy, [&](void *temp, size_t &size) {
        return gcluster::sort(temp, size, keys, values, keys, values, count, order_of_keys,
                              cuda_cub::stream(policy));
    });
}

// What isn't an array is copied to one, and back.
template <class Policy, class Keys, class Less>
void sort_keys(Policy &policy, Keys first, Keys last, Less less) {
    if (first == last)
        return;
    thrust::detail::trivial_sequence<Keys, Policy> keys(policy, first, last);
    sort_arrays(policy, thrust::raw_pointer_cast(&*keys.begin()),
                static_cast<gcluster::no_value *>(nullptr), static_cast<size_t>(last - first),
                less);
    if (!thrust::is_contiguous_iterator<Keys>::value)
        cuda_cub::copy(policy, keys.begin(), keys.end(), first);
}

template <class Policy, class Keys, class Values, class Less>
void sort_pairs(Policy &policy, Keys first, Keys last, Values values_first, Less less) {
    if (first == last)
        return;
    thrust::detail::trivial_sequence<Keys, Policy> keys(policy, first, last);
    thrust::detail::trivial_sequence<Values, Policy> values(policy, values_first,
                                                            values_first + (last - first));
    sort_arrays(policy, thrust::raw_pointer_cast(&*keys.begin()),
                thrust::raw_pointer_cast(&*values.begin()), static_cast<size_t>(last - first),
                less);
    if (!thrust::is_contiguous_iterator<Keys>::value)
        cuda_cub::copy(policy, keys.begin(), keys.end(), first);
    if (!thrust::is_contiguous_iterator<Values>::value)
        cuda_cub::copy(policy, values.begin(), values.end(), values_first);
}

} // namespace gcl

#define GCL_SORTS(name, name_by_key)                                                               \
    template <class Policy, class Keys, class Less, class = gcl::if_policy<Policy>>                \
    __host__ __device__ void name(Policy &policy, Keys first, Keys last, Less less) {              \
        GCL_THRUST((gcl::sort_keys<Policy, Keys, Less>), thrust::name, first, last, less);         \
    }                                                                                              \
    template <class Policy, class Keys, class = gcl::if_policy<Policy>>                            \
    __host__ __device__ void name(Policy &policy, Keys first, Keys last) {                         \
        name(policy, first, last, thrust::less<gcl::value_of<Keys>>());                            \
    }                                                                                              \
    template <class Policy, class Keys, class Values, class Less, class = gcl::if_policy<Policy>>  \
    __host__ __device__ void name_by_key(Policy &policy, Keys first, Keys last, Values values,     \
                                         Less less) {                                              \
        GCL_THRUST((gcl::sort_pairs<Policy, Keys, Values, Less>), thrust::name_by_key, first,      \
                   last, values, less);                                                            \
    }                                                                                              \
    template <class Policy, class Keys, class Values, class = gcl::if_policy<Policy>>              \
    __host__ __device__ void name_by_key(Policy &policy, Keys first, Keys last, Values values) {   \
        name_by_key(policy, first, last, values, thrust::less<gcl::value_of<Keys>>());             \
    }

GCL_SORTS(sort, sort_by_key)
GCL_SORTS(stable_sort, stable_sort_by_key)
#undef GCL_SORTS

} // namespace cuda_cub
THRUST_NAMESPACE_END

#endif
