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

template <class Iterator>
using difference_of = typename thrust::iterator_traits<Iterator>::difference_type;

/// Device memory for as long as the object lives, by the policy's allocator.
template <class Policy> using temporary = thrust::detail::temporary_array<unsigned char, Policy>;

/// Naming a host function has it instantiated, with the kernels that it launches, where it can't be
/// called.
template <class Pointer, Pointer function> struct named {};

/// Iterators as kernels are given them: arrays as pointers.
template <class Iterator>
auto unwrap_if(Iterator first, std::true_type) -> decltype(thrust::raw_pointer_cast(&*first)) {
    return thrust::raw_pointer_cast(&*first);
}
template <class Iterator> Iterator unwrap_if(Iterator first, std::false_type) {
    return first;
}
template <class Iterator>
auto unwrap(Iterator first) -> decltype(unwrap_if(
    first, std::integral_constant<bool, thrust::is_contiguous_iterator<Iterator>::value>())) {
    return unwrap_if(
        first, std::integral_constant<bool, thrust::is_contiguous_iterator<Iterator>::value>());
}

/// Function objects and what kernels read stand apart, since where one is an argument, its
/// namespace is searched for algorithms.
namespace parts {

/// What a function makes of each item, as a T.
template <class T, class In, class Function> struct transformed {
    In in;
    mutable Function function;

    template <class Index> __device__ T operator[](Index i) const {
        return static_cast<T>(function(in[i]));
    }
};

} // namespace parts

template <class T, class In, class Function>
parts::transformed<T, In, Function> transform(In in, Function function) {
    return {in, function};
}

/// Waits for what has been launched with that error.
template <class Policy> void finish(Policy &policy, cudaError_t error) {
    cuda_cub::throw_on_error(error, "launch failed");
    cuda_cub::throw_on_error(cuda_cub::synchronize_optional(policy), "kernels failed");
}

/// Runs an algorithm(temp, size, ...) of gcluster with the memory that it asks for, and waits.
template <class Policy, class Algorithm> void run(Policy &policy, const Algorithm &algorithm) {
    size_t size = 0;
    cudaError_t error = algorithm(nullptr, size);
    temporary<Policy> memory(policy, size);
    if (!error)
        error = algorithm(static_cast<void *>(thrust::raw_pointer_cast(&memory[0])), size);
    finish(policy, error);
}

} // namespace gcl
} // namespace cuda_cub
THRUST_NAMESPACE_END

#define GCL_BARE(...) __VA_ARGS__

/// The body of an algorithm of Thrust's: (host) does it on devices, `algorithm` in a device's
/// thread.
#ifdef __CUDA_ARCH__
#define GCL_THRUST(host, algorithm, ...)                                                           \
    typedef gcl::named<decltype(&GCL_BARE host), &GCL_BARE host> kernels;                          \
    return algorithm(cvt_to_seq(derived_cast(policy)), __VA_ARGS__)
#else
#define GCL_THRUST(host, algorithm, ...) return GCL_BARE host(policy, __VA_ARGS__)
#endif

#endif
