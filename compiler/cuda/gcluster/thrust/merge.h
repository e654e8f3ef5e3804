// thrust::merge and merge_by_key, by gcluster::merge.
#ifndef GCLUSTER_THRUST_MERGE_H
#define GCLUSTER_THRUST_MERGE_H

#pragma GCC system_header

#include <thrust/functional.h>
#include <thrust/merge.h>
#include <thrust/pair.h>

#include "gcluster/algorithms/merge.h"
#include "pairs.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace gcl {

template <class Policy, class A, class B, class Out, class Less>
Out merge(Policy &policy, A a_first, A a_last, B b_first, B b_last, Out out, Less less) {
    auto a = gcl::unwrap(a_first);
    auto b = gcl::unwrap(b_first);
    size_t a_count = static_cast<size_t>(a_last - a_first);
    size_t b_count = static_cast<size_t>(b_last - b_first);
    finish(policy, gcluster::merge<value_of<A>>(a, a, a_count, b, b, b_count, gcl::unwrap(out),
                                                less, cuda_cub::stream(policy)));
    return out + (a_last - a_first) + (b_last - b_first);
}

template <class Policy, class A, class B, class AValues, class BValues, class Out, class ValuesOut,
          class Less>
thrust::pair<Out, ValuesOut> merge_by_key(Policy &policy, A a_first, A a_last, B b_first, B b_last,
                                          AValues a_values, BValues b_values, Out out,
                                          ValuesOut values_out, Less less) {
    typedef value_of<A> Key;
    typedef value_of<AValues> Value;
    auto a = gcl::unwrap(a_first);
    auto b = gcl::unwrap(b_first);
    auto count = (a_last - a_first) + (b_last - b_first);
    finish(policy,
           gcluster::merge<gcluster::item<Key, Value>>(
               a, pair_up<Key, Value>(a_first, a_values), static_cast<size_t>(a_last - a_first), b,
               pair_up<Key, Value>(b_first, b_values), static_cast<size_t>(b_last - b_first),
               pair_up<Key, Value>(out, values_out), less, cuda_cub::stream(policy)));
    return thrust::make_pair(out + count, values_out + count);
}

} // namespace gcl

template <class Policy, class A, class B, class Out, class Less, class = gcl::if_policy<Policy>>
__host__ __device__ Out merge(Policy &policy, A a_first, A a_last, B b_first, B b_last, Out out,
                              Less less) {
    GCL_THRUST((gcl::merge<Policy, A, B, Out, Less>), thrust::merge, a_first, a_last, b_first,
               b_last, out, less);
}
template <class Policy, class A, class B, class Out, class = gcl::if_policy<Policy>>
__host__ __device__ Out merge(Policy &policy, A a_first, A a_last, B b_first, B b_last, Out out) {
    return merge(policy, a_first, a_last, b_first, b_last, out, thrust::less<gcl::value_of<A>>());
}

template <class Policy, class A, class B, class AValues, class BValues, class Out, class ValuesOut,
          class Less, class = gcl::if_policy<Policy>>
__host__ __device__ thrust::pair<Out, ValuesOut>
merge_by_key(Policy &policy, A a_first, A a_last, B b_first, B b_last, AValues a_values,
             BValues b_values, Out out, ValuesOut values_out, Less less) {
    GCL_THRUST((gcl::merge_by_key<Policy, A, B, AValues, BValues, Out, ValuesOut, Less>),
               thrust::merge_by_key, a_first, a_last, b_first, b_last, a_values, b_values, out,
               values_out, less);
}
template <class Policy, class A, class B, class AValues, class BValues, class Out, class ValuesOut,
          class = gcl::if_policy<Policy>>
__host__ __device__ thrust::pair<Out, ValuesOut>
merge_by_key(Policy &policy, A a_first, A a_last, B b_first, B b_last, AValues a_values,
             BValues b_values, Out out, ValuesOut values_out) {
    return merge_by_key(policy, a_first, a_last, b_first, b_last, a_values, b_values, out,
                        values_out, thrust::less<gcl::value_of<A>>());
}

} // namespace cuda_cub
THRUST_NAMESPACE_END

#endif
