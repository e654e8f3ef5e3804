// thrust::min_element, max_element and minmax_element, by gcluster::reduce: of equals the first.
#ifndef GCLUSTER_THRUST_EXTREMA_H
#define GCLUSTER_THRUST_EXTREMA_H

#pragma GCC system_header

#include <thrust/extrema.h>

#include "reduce.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace gcl {
namespace parts {

enum : size_t { NOBODY = static_cast<size_t>(-1) };

template <class Value> struct candidate {
    Value value;
    size_t index; ///< NOBODY: there is none
};
template <class Value> struct extremes {
    candidate<Value> least, most;
};

template <class Value, class In> struct candidates {
    In in;

    __device__ extremes<Value> operator[](size_t i) {
        candidate<Value> here = {in[i], i};
        return {here, here};
    }
};

template <class Less> struct outermost {
    Less less;

    /// Which of two comes before the other: none does, or it's the first.
    template <class Value>
    __device__ candidate<Value> choose(const candidate<Value> &a, const candidate<Value> &b,
                                       bool is_a, bool is_b) const {
        if (a.index == NOBODY || b.index == NOBODY)
            return a.index == NOBODY ? b : a;
        if (is_a != is_b)
            return is_a ? a : b;
        return a.index < b.index ? a : b;
    }
    template <class Value>
    __device__ extremes<Value> operator()(const extremes<Value> &a, const extremes<Value> &b) {
        return {choose(a.least, b.least, less(a.least.value, b.least.value),
                       less(b.least.value, a.least.value)),
                choose(a.most, b.most, less(b.most.value, a.most.value),
                       less(a.most.value, b.most.value))};
    }
};

} // namespace parts

template <class Policy, class In, class Less>
thrust::pair<In, In> minmax_element(Policy &policy, In first, In last, Less less) {
    typedef value_of<In> Value;
    if (first == last)
        return thrust::make_pair(last, last);
    auto in = gcl::unwrap(first);
    parts::extremes<Value> none = {{Value(), parts::NOBODY}, {Value(), parts::NOBODY}};
    parts::extremes<Value> found =
        reduce_items(policy, parts::candidates<Value, decltype(in)>{in},
                     static_cast<size_t>(last - first), none, parts::outermost<Less>{less});
    return thrust::make_pair(first + static_cast<difference_of<In>>(found.least.index),
                             first + static_cast<difference_of<In>>(found.most.index));
}
template <class Policy, class In, class Less>
In min_element(Policy &policy, In first, In last, Less less) {
    return gcl::minmax_element(policy, first, last, less).first;
}
template <class Policy, class In, class Less>
In max_element(Policy &policy, In first, In last, Less less) {
    return gcl::minmax_element(policy, first, last, less).second;
}

} // namespace gcl

#define GCL_EXTREMA(Result, name)                                                                  \
    template <class Policy, class In, class Less, class = gcl::if_policy<Policy>>                  \
    __host__ __device__ Result name(Policy &policy, In first, In last, Less less) {                \
        GCL_THRUST((gcl::name<Policy, In, Less>), thrust::name, first, last, less);                \
    }                                                                                              \
    template <class Policy, class In, class = gcl::if_policy<Policy>>                              \
    __host__ __device__ Result name(Policy &policy, In first, In last) {                           \
        return name(policy, first, last, thrust::less<gcl::value_of<In>>());                       \
    }
GCL_EXTREMA(In, min_element)
GCL_EXTREMA(In, max_element)
#define GCL_BOTH thrust::pair<In, In>
GCL_EXTREMA(GCL_BOTH, minmax_element)
#undef GCL_BOTH
#undef GCL_EXTREMA

} // namespace cuda_cub
THRUST_NAMESPACE_END

#endif
