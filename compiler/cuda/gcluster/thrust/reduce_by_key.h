// thrust::reduce_by_key, by gcluster::reduce_by_key. Sums are kept in the type of the values.
#ifndef GCLUSTER_THRUST_REDUCE_BY_KEY_H
#define GCLUSTER_THRUST_REDUCE_BY_KEY_H

#pragma GCC system_header

#include <thrust/functional.h>
#include <thrust/pair.h>
#include <thrust/reduce.h>

#include "gcluster/algorithms/reduce_by_key.h"
#include "policy.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace gcl {

template <class Policy, class Keys, class Values, class KeysOut, class SumsOut, class Equal,
          class Operation>
thrust::pair<KeysOut, SumsOut> reduce_by_key(Policy &policy, Keys first, Keys last, Values values,
                                             KeysOut keys_out, SumsOut sums_out, Equal equal,
                                             Operation operation) {
    if (first == last)
        return thrust::make_pair(keys_out, sums_out);
    temporary<Policy> result(policy, sizeof(size_t));
    size_t *total = reinterpret_cast<size_t *>(thrust::raw_pointer_cast(&result[0]));
    run(policy, [&](void *temp, size_t &size) {
        return gcluster::reduce_by_key<value_of<Keys>, value_of<Values>>(
            temp, size, gcl::unwrap(first), gcl::unwrap(values), gcl::unwrap(keys_out),
            gcl::unwrap(sums_out), total, static_cast<size_t>(last - first), equal, operation,
            cuda_cub::stream(policy));
    });
    auto runs = static_cast<difference_of<Keys>>(cuda_cub::get_value(policy, total));
    return thrust::make_pair(keys_out + runs, sums_out + runs);
}

} // namespace gcl

template <class Policy, class Keys, class Values, class KeysOut, class SumsOut, class Equal,
          class Operation, class = gcl::if_policy<Policy>>
__host__ __device__ thrust::pair<KeysOut, SumsOut>
reduce_by_key(Policy &policy, Keys first, Keys last, Values values, KeysOut keys_out,
              SumsOut sums_out, Equal equal, Operation operation) {
    GCL_THRUST((gcl::reduce_by_key<Policy, Keys, Values, KeysOut, SumsOut, Equal, Operation>),
               thrust::reduce_by_key, first, last, values, keys_out, sums_out, equal, operation);
}
template <class Policy, class Keys, class Values, class KeysOut, class SumsOut, class Equal,
          class = gcl::if_policy<Policy>>
__host__ __device__ thrust::pair<KeysOut, SumsOut>
reduce_by_key(Policy &policy, Keys first, Keys last, Values values, KeysOut keys_out,
              SumsOut sums_out, Equal equal) {
    return reduce_by_key(policy, first, last, values, keys_out, sums_out, equal,
                         thrust::plus<gcl::value_of<Values>>());
}
template <class Policy, class Keys, class Values, class KeysOut, class SumsOut,
          class = gcl::if_policy<Policy>>
__host__ __device__ thrust::pair<KeysOut, SumsOut>
reduce_by_key(Policy &policy, Keys first, Keys last, Values values, KeysOut keys_out,
              SumsOut sums_out) {
    return reduce_by_key(policy, first, last, values, keys_out, sums_out,
                         thrust::equal_to<gcl::value_of<Keys>>());
}

} // namespace cuda_cub
THRUST_NAMESPACE_END

#endif
