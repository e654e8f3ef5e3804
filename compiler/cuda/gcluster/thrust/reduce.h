// thrust::reduce, transform_reduce, count, count_if and inner_product, by gcluster::reduce.
#ifndef GCLUSTER_THRUST_REDUCE_H
#define GCLUSTER_THRUST_REDUCE_H

#pragma GCC system_header

#include <thrust/count.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>

#include "gcluster/algorithms/reduce.h"
#include "policy.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace gcl {

/// `in`: an iterator, or what has its operator[].
template <class Policy, class In, class T, class Operation>
T reduce_items(Policy &policy, In in, size_t count, T init, Operation operation) {
    if (count == 0)
        return init;
    temporary<Policy> result(policy, sizeof(T));
    T *out = reinterpret_cast<T *>(thrust::raw_pointer_cast(&result[0]));
    run(policy, [&](void *temp, size_t &size) {
        return gcluster::reduce<T>(temp, size, in, out, count, operation, init,
                                   cuda_cub::stream(policy));
    });
    return cuda_cub::get_value(policy, out);
}

template <class Policy, class In, class T, class Operation>
T reduce(Policy &policy, In first, In last, T init, Operation operation) {
    return reduce_items(policy, gcl::unwrap(first), static_cast<size_t>(last - first), init,
                        operation);
}

template <class Policy, class In, class Function, class T, class Operation>
T transform_reduce(Policy &policy, In first, In last, Function function, T init,
                   Operation operation) {
    return reduce_items(policy, gcl::transform<T>(gcl::unwrap(first), function),
                        static_cast<size_t>(last - first), init, operation);
}

namespace parts {

template <class Predicate> struct as_bool {
    mutable Predicate predicate;

    template <class T> __device__ bool operator()(const T &value) const {
        return predicate(value);
    }
};
template <class Value> struct is_equal_to {
    Value value;

    template <class T> __host__ __device__ bool operator()(const T &other) const {
        return other == value;
    }
};

/// What a function makes of the items of two arrays.
template <class T, class A, class B, class Function> struct combined {
    A a;
    B b;
    mutable Function function;

    template <class Index> __device__ T operator[](Index i) const {
        return static_cast<T>(function(a[i], b[i]));
    }
};

} // namespace parts

template <class Policy, class In, class Predicate>
difference_of<In> count_if(Policy &policy, In first, In last, Predicate predicate) {
    typedef difference_of<In> Count;
    return transform_reduce(policy, first, last, parts::as_bool<Predicate>{predicate}, Count(0),
                            thrust::plus<Count>());
}

template <class Policy, class A, class B, class T, class Operation, class Function>
T inner_product(Policy &policy, A first, A last, B other, T init, Operation operation,
                Function function) {
    auto a = gcl::unwrap(first);
    auto b = gcl::unwrap(other);
    return reduce_items(policy,
                        parts::combined<T, decltype(a), decltype(b), Function>{a, b, function},
                        static_cast<size_t>(last - first), init, operation);
}

} // namespace gcl

template <class Policy, class In, class T, class Operation, class = gcl::if_policy<Policy>>
__host__ __device__ T reduce(Policy &policy, In first, In last, T init, Operation operation) {
    GCL_THRUST((gcl::reduce<Policy, In, T, Operation>), thrust::reduce, first, last, init,
               operation);
}
template <class Policy, class In, class T, class = gcl::if_policy<Policy>>
__host__ __device__ T reduce(Policy &policy, In first, In last, T init) {
    return reduce(policy, first, last, init, thrust::plus<T>());
}
template <class Policy, class In, class = gcl::if_policy<Policy>>
__host__ __device__ gcl::value_of<In> reduce(Policy &policy, In first, In last) {
    return reduce(policy, first, last, gcl::value_of<In>(0));
}

template <class Policy, class In, class Function, class T, class Operation,
          class = gcl::if_policy<Policy>>
__host__ __device__ T transform_reduce(Policy &policy, In first, In last, Function function, T init,
                                       Operation operation) {
    GCL_THRUST((gcl::transform_reduce<Policy, In, Function, T, Operation>),
               thrust::transform_reduce, first, last, function, init, operation);
}

template <class Policy, class In, class Predicate, class = gcl::if_policy<Policy>>
__host__ __device__ gcl::difference_of<In> count_if(Policy &policy, In first, In last,
                                                    Predicate predicate) {
    GCL_THRUST((gcl::count_if<Policy, In, Predicate>), thrust::count_if, first, last, predicate);
}
template <class Policy, class In, class Value, class = gcl::if_policy<Policy>>
__host__ __device__ gcl::difference_of<In> count(Policy &policy, In first, In last,
                                                 const Value &value) {
    return count_if(policy, first, last, gcl::parts::is_equal_to<Value>{value});
}

template <class Policy, class A, class B, class T, class Operation, class Function,
          class = gcl::if_policy<Policy>>
__host__ __device__ T inner_product(Policy &policy, A first, A last, B other, T init,
                                    Operation operation, Function function) {
    GCL_THRUST((gcl::inner_product<Policy, A, B, T, Operation, Function>), thrust::inner_product,
               first, last, other, init, operation, function);
}
template <class Policy, class A, class B, class T, class = gcl::if_policy<Policy>>
__host__ __device__ T inner_product(Policy &policy, A first, A last, B other, T init) {
    return inner_product(policy, first, last, other, init, thrust::plus<T>(),
                         thrust::multiplies<T>());
}

} // namespace cuda_cub
THRUST_NAMESPACE_END

#endif
