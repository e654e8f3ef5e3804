// How algorithms of ours stand before Thrust's: Thrust calls sort(policy, ...) with the policy's
// own type and looks for it in the policy's namespace. Ours take that type, NVIDIA's its base class
// execution_policy, so that ours are called where they take the arguments.
//
// Kernels aren't launched from device code: there Thrust's algorithms go to one thread. But the
// pass that compiles kernels for devices has to find them named, hence `named`.
#ifndef GCLUSTER_THRUST_POLICY_H
#define GCLUSTER_THRUST_POLICY_H

#pragma GCC system_header

#include <thrust/detail/config.h>
#include <thrust/detail/temporary_array.h>
#include <thrust/detail/trivial_sequence.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/system/cuda/detail/execution_policy.h>
#include <thrust/system/cuda/detail/par_to_seq.h>
#include <thrust/system/cuda/detail/util.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include <type_traits>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace gcl {

template <class Policy>
using if_policy =
    typename std::enable_if<std::is_convertible<Policy *, execution_policy<Policy> *>::value>::type;

template <class Iterator> using value_of = typename thrust::iterator_traits<Iterator>::value_type;

/// Device memory for as long as the object lives, by the policy's allocator.
template <class Policy> using temporary = thrust::detail::temporary_array<unsigned char, Policy>;

/// Naming a host function's type and itself has it instantiated, with the kernels that it launches,
/// where it can't be called.
template <class Function, Function *function> struct named {};

} // namespace gcl
} // namespace cuda_cub
THRUST_NAMESPACE_END

#endif
