// thrust::find, find_if and find_if_not, by gcluster::reduce: of all places the first.
#ifndef GCLUSTER_THRUST_FIND_H
#define GCLUSTER_THRUST_FIND_H

#pragma GCC system_header

#include <thrust/find.h>

#include "reduce.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace gcl {
namespace parts {

/// i where a predicate is `wanted` of in[i], `count` elsewhere.
template <class In, class Predicate> struct places {
    In in;
    Predicate predicate;
    bool wanted;
    size_t count;

    __device__ size_t operator[](size_t i) {
        return static_cast<bool>(predicate(in[i])) == wanted ? i : count;
    }
};

} // namespace parts

template <class Policy, class In, class Predicate>
In find(Policy &policy, In first, In last, Predicate predicate, bool wanted) {
    auto in = gcl::unwrap(first);
    size_t count = static_cast<size_t>(last - first);
    parts::places<decltype(in), Predicate> places = {in, predicate, wanted, count};
    return first + static_cast<difference_of<In>>(
                       reduce_items(policy, places, count, count, thrust::minimum<size_t>()));
}
template <class Policy, class In, class Predicate>
In find_if(Policy &policy, In first, In last, Predicate predicate) {
    return gcl::find(policy, first, last, predicate, true);
}
template <class Policy, class In, class Predicate>
In find_if_not(Policy &policy, In first, In last, Predicate predicate) {
    return gcl::find(policy, first, last, predicate, false);
}

} // namespace gcl

template <class Policy, class In, class Predicate, class = gcl::if_policy<Policy>>
__host__ __device__ In find_if(Policy &policy, In first, In last, Predicate predicate) {
    GCL_THRUST((gcl::find_if<Policy, In, Predicate>), thrust::find_if, first, last, predicate);
}
template <class Policy, class In, class Predicate, class = gcl::if_policy<Policy>>
__host__ __device__ In find_if_not(Policy &policy, In first, In last, Predicate predicate) {
    GCL_THRUST((gcl::find_if_not<Policy, In, Predicate>), thrust::find_if_not, first, last,
               predicate);
}
template <class Policy, class In, class Value, class = gcl::if_policy<Policy>>
__host__ __device__ In find(Policy &policy, In first, In last, const Value &value) {
    return find_if(policy, first, last, gcl::parts::is_equal_to<Value>{value});
}

} // namespace cuda_cub
THRUST_NAMESPACE_END

#endif
