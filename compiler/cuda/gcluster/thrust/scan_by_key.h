// thrust::inclusive_scan_by_key and exclusive_scan_by_key, by gcluster::scan_by_key. Sums are kept
// in the type of the initial value, or of the values if there is none.
#ifndef GCLUSTER_THRUST_SCAN_BY_KEY_H
#define GCLUSTER_THRUST_SCAN_BY_KEY_H

#pragma GCC system_header

#include <thrust/functional.h>
#include <thrust/scan.h>

#include "gcluster/algorithms/scan_by_key.h"
#include "policy.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace gcl {

template <class T, class Policy, class Keys, class Values, class Out, class Equal, class Run>
Out scan_runs(Policy &policy, Keys first, Keys last, Values values, Out out, Equal equal, Run run) {
    if (first != last)
        gcl::run(policy, [&](void *temp, size_t &size) {
            return gcluster::scan_by_key<value_of<Keys>, T>(
                temp, size, gcl::unwrap(first), gcl::unwrap(values), gcl::unwrap(out),
                static_cast<size_t>(last - first), equal, run, cuda_cub::stream(policy));
        });
    return out + (last - first);
}

template <class Policy, class Keys, class Values, class Out, class Equal, class Operation>
Out inclusive_scan_by_key(Policy &policy, Keys first, Keys last, Values values, Out out,
                          Equal equal, Operation operation) {
    typedef value_of<Values> T;
    return scan_runs<T>(policy, first, last, values, out, equal,
                        gcluster::inclusive_run<T, Operation>{operation});
}
template <class Policy, class Keys, class Values, class Out, class T, class Equal, class Operation>
Out exclusive_scan_by_key(Policy &policy, Keys first, Keys last, Values values, Out out, T init,
                          Equal equal, Operation operation) {
    return scan_runs<T>(policy, first, last, values, out, equal,
                        gcluster::exclusive_run<T, Operation>{operation, init});
}

} // namespace gcl

template <class Policy, class Keys, class Values, class Out, class Equal, class Operation,
          class = gcl::if_policy<Policy>>
__host__ __device__ Out inclusive_scan_by_key(Policy &policy, Keys first, Keys last, Values values,
                                              Out out, Equal equal, Operation operation) {
    GCL_THRUST((gcl::inclusive_scan_by_key<Policy, Keys, Values, Out, Equal, Operation>),
               thrust::inclusive_scan_by_key, first, last, values, out, equal, operation);
}
template <class Policy, class Keys, class Values, class Out, class Equal,
          class = gcl::if_policy<Policy>>
__host__ __device__ Out inclusive_scan_by_key(Policy &policy, Keys first, Keys last, Values values,
                                              Out out, Equal equal) {
    return inclusive_scan_by_key(policy, first, last, values, out, equal, thrust::plus<>());
}
template <class Policy, class Keys, class Values, class Out, class = gcl::if_policy<Policy>>
__host__ __device__ Out inclusive_scan_by_key(Policy &policy, Keys first, Keys last, Values values,
                                              Out out) {
    return inclusive_scan_by_key(policy, first, last, values, out, thrust::equal_to<>());
}

template <class Policy, class Keys, class Values, class Out, class T, class Equal, class Operation,
          class = gcl::if_policy<Policy>>
__host__ __device__ Out exclusive_scan_by_key(Policy &policy, Keys first, Keys last, Values values,
                                              Out out, T init, Equal equal, Operation operation) {
    GCL_THRUST((gcl::exclusive_scan_by_key<Policy, Keys, Values, Out, T, Equal, Operation>),
               thrust::exclusive_scan_by_key, first, last, values, out, init, equal, operation);
}
template <class Policy, class Keys, class Values, class Out, class T, class Equal,
          class = gcl::if_policy<Policy>>
__host__ __device__ Out exclusive_scan_by_key(Policy &policy, Keys first, Keys last, Values values,
                                              Out out, T init, Equal equal) {
    return exclusive_scan_by_key(policy, first, last, values, out, init, equal, thrust::plus<>());
}
template <class Policy, class Keys, class Values, class Out, class T,
          class = gcl::if_policy<Policy>>
__host__ __device__ Out exclusive_scan_by_key(Policy &policy, Keys first, Keys last, Values values,
                                              Out out, T init) {
    return exclusive_scan_by_key(policy, first, last, values, out, init, thrust::equal_to<>());
}
template <class Policy, class Keys, class Values, class Out, class = gcl::if_policy<Policy>>
__host__ __device__ Out exclusive_scan_by_key(Policy &policy, Keys first, Keys last, Values values,
                                              Out out) {
    return exclusive_scan_by_key(policy, first, last, values, out, gcl::value_of<Values>{});
}

} // namespace cuda_cub
THRUST_NAMESPACE_END

#endif
