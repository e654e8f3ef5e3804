// thrust::inclusive_scan, exclusive_scan and both after a transformation, by those of gcluster.
// Sums are kept in the type of the initial value, or of the input if there is none.
#ifndef GCLUSTER_THRUST_SCAN_H
#define GCLUSTER_THRUST_SCAN_H

#pragma GCC system_header

#include <thrust/functional.h>
#include <thrust/scan.h>
#include <thrust/transform_scan.h>

#include "gcluster/algorithms/scan.h"
#include "policy.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace gcl {

template <class T, class Policy, class In, class Out, class Operation>
void scan_items(Policy &policy, In in, Out out, size_t count, Operation operation) {
    run(policy, [&](void *temp, size_t &size) {
        return gcluster::inclusive_scan<T>(temp, size, in, out, count, operation,
                                           cuda_cub::stream(policy));
    });
}
template <class T, class Policy, class In, class Out, class Operation>
void scan_items(Policy &policy, In in, Out out, size_t count, Operation operation, T init) {
    run(policy, [&](void *temp, size_t &size) {
        return gcluster::exclusive_scan<T>(temp, size, in, out, count, operation, init,
                                           cuda_cub::stream(policy));
    });
}

template <class Policy, class In, class Out, class Operation>
Out inclusive_scan(Policy &policy, In first, In last, Out out, Operation operation) {
    if (first != last)
        scan_items<value_of<In>>(policy, gcl::unwrap(first), gcl::unwrap(out),
                                 static_cast<size_t>(last - first), operation);
    return out + (last - first);
}

template <class Policy, class In, class Out, class T, class Operation>
Out exclusive_scan(Policy &policy, In first, In last, Out out, T init, Operation operation) {
    if (first != last)
        scan_items(policy, gcl::unwrap(first), gcl::unwrap(out), static_cast<size_t>(last - first),
                   operation, init);
    return out + (last - first);
}

template <class In, class Function>
using result_of =
    typename std::decay<decltype(std::declval<Function &>()(*std::declval<In>()))>::type;

template <class Policy, class In, class Out, class Function, class Operation>
Out transform_inclusive_scan(Policy &policy, In first, In last, Out out, Function function,
                             Operation operation) {
    typedef result_of<In, Function> T;
    if (first != last)
        scan_items<T>(policy, gcl::transform<T>(gcl::unwrap(first), function), gcl::unwrap(out),
                      static_cast<size_t>(last - first), operation);
    return out + (last - first);
}

template <class Policy, class In, class Out, class Function, class T, class Operation>
Out transform_exclusive_scan(Policy &policy, In first, In last, Out out, Function function, T init,
                             Operation operation) {
    if (first != last)
        scan_items(policy, gcl::transform<T>(gcl::unwrap(first), function), gcl::unwrap(out),
                   static_cast<size_t>(last - first), operation, init);
    return out + (last - first);
}

} // namespace gcl

template <class Policy, class In, class Out, class Operation, class = gcl::if_policy<Policy>>
__host__ __device__ Out inclusive_scan(Policy &policy, In first, In last, Out out,
                                       Operation operation) {
    GCL_THRUST((gcl::inclusive_scan<Policy, In, Out, Operation>), thrust::inclusive_scan, first,
               last, out, operation);
}
template <class Policy, class In, class Out, class = gcl::if_policy<Policy>>
__host__ __device__ Out inclusive_scan(Policy &policy, In first, In last, Out out) {
    return inclusive_scan(policy, first, last, out, thrust::plus<>());
}

template <class Policy, class In, class Out, class T, class Operation,
          class = gcl::if_policy<Policy>>
__host__ __device__ Out exclusive_scan(Policy &policy, In first, In last, Out out, T init,
                                       Operation operation) {
    GCL_THRUST((gcl::exclusive_scan<Policy, In, Out, T, Operation>), thrust::exclusive_scan, first,
               last, out, init, operation);
}
template <class Policy, class In, class Out, class T, class = gcl::if_policy<Policy>>
__host__ __device__ Out exclusive_scan(Policy &policy, In first, In last, Out out, T init) {
    return exclusive_scan(policy, first, last, out, init, thrust::plus<>());
}
template <class Policy, class In, class Out, class = gcl::if_policy<Policy>>
__host__ __device__ Out exclusive_scan(Policy &policy, In first, In last, Out out) {
    return exclusive_scan(policy, first, last, out, gcl::value_of<In>{});
}

template <class Policy, class In, class Out, class Function, class Operation,
          class = gcl::if_policy<Policy>>
__host__ __device__ Out transform_inclusive_scan(Policy &policy, In first, In last, Out out,
                                                 Function function, Operation operation) {
    GCL_THRUST((gcl::transform_inclusive_scan<Policy, In, Out, Function, Operation>),
               thrust::transform_inclusive_scan, first, last, out, function, operation);
}
template <class Policy, class In, class Out, class Function, class T, class Operation,
          class = gcl::if_policy<Policy>>
__host__ __device__ Out transform_exclusive_scan(Policy &policy, In first, In last, Out out,
                                                 Function function, T init, Operation operation) {
    GCL_THRUST((gcl::transform_exclusive_scan<Policy, In, Out, Function, T, Operation>),
               thrust::transform_exclusive_scan, first, last, out, function, init, operation);
}

} // namespace cuda_cub
THRUST_NAMESPACE_END

#endif
