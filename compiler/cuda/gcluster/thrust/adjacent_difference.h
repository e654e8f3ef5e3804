// thrust::adjacent_difference, by gcluster::adjacent_difference.
#ifndef GCLUSTER_THRUST_ADJACENT_DIFFERENCE_H
#define GCLUSTER_THRUST_ADJACENT_DIFFERENCE_H

#pragma GCC system_header

#include <thrust/adjacent_difference.h>
#include <thrust/functional.h>

#include "gcluster/algorithms/adjacent_difference.h"
#include "policy.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace gcl {

template <class Policy, class In, class Out, class Operation>
Out adjacent_difference(Policy &policy, In first, In last, Out out, Operation operation) {
    if (first != last)
        run(policy, [&](void *temp, size_t &size) {
            return gcluster::adjacent_difference<value_of<In>, true>(
                temp, size, gcl::unwrap(first), gcl::unwrap(out), static_cast<size_t>(last - first),
                operation, cuda_cub::stream(policy));
        });
    return out + (last - first);
}

} // namespace gcl

template <class Policy, class In, class Out, class Operation, class = gcl::if_policy<Policy>>
__host__ __device__ Out adjacent_difference(Policy &policy, In first, In last, Out out,
                                            Operation operation) {
    GCL_THRUST((gcl::adjacent_difference<Policy, In, Out, Operation>), thrust::adjacent_difference,
               first, last, out, operation);
}
template <class Policy, class In, class Out, class = gcl::if_policy<Policy>>
__host__ __device__ Out adjacent_difference(Policy &policy, In first, In last, Out out) {
    return adjacent_difference(policy, first, last, out, thrust::minus<gcl::value_of<In>>());
}

} // namespace cuda_cub
THRUST_NAMESPACE_END

#endif
