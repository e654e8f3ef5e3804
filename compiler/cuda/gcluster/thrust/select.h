// thrust::copy_if, remove, remove_if, unique, unique_copy, both by key, partition and its kin, by
// those of gcluster.
#ifndef GCLUSTER_THRUST_SELECT_H
#define GCLUSTER_THRUST_SELECT_H

#pragma GCC system_header

#include <thrust/copy.h>
#include <thrust/functional.h>
#include <thrust/pair.h>
#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/unique.h>

#include "gcluster/algorithms/select.h"
#include "pairs.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace gcl {
namespace parts {

/// What isn't as a predicate says.
template <class In, class Predicate> struct rejected {
    In in;
    mutable Predicate predicate;

    __device__ bool operator[](size_t i) const {
        return !predicate(in[i]);
    }
};
template <class In, class Predicate> struct accepted {
    In in;
    mutable Predicate predicate;

    __device__ bool operator[](size_t i) const {
        return predicate(in[i]);
    }
};
/// What doesn't equal its predecessor.
template <class In, class Predicate> struct first_of_equals {
    In in;
    mutable Predicate equal;

    __device__ bool operator[](size_t i) const {
        return i == 0 || !equal(in[i - 1], in[i]);
    }
};
template <class Value> struct equals {
    Value value;

    template <class T> __host__ __device__ bool operator()(const T &other) const {
        return other == value;
    }
};

} // namespace parts

/// Returns how many were selected.
template <class T, class Policy, class In, class Keep, class Out>
size_t select_items(Policy &policy, In in, Keep keep, Out out, size_t count) {
    if (count == 0)
        return 0;
    temporary<Policy> result(policy, sizeof(size_t));
    size_t *total = reinterpret_cast<size_t *>(thrust::raw_pointer_cast(&result[0]));
    run(policy, [&](void *temp, size_t &size) {
        return gcluster::select<T>(temp, size, in, keep, out, total, count,
                                   cuda_cub::stream(policy));
    });
    return cuda_cub::get_value(policy, total);
}

template <template <class, class> class Keep, class Policy, class In, class Stencil, class Out,
          class Predicate>
Out select_by(Policy &policy, In first, In last, Stencil stencil, Out out, Predicate predicate) {
    auto flags = gcl::unwrap(stencil);
    return out + static_cast<difference_of<In>>(select_items<value_of<In>>(
                     policy, gcl::unwrap(first), Keep<decltype(flags), Predicate>{flags, predicate},
                     gcl::unwrap(out), static_cast<size_t>(last - first)));
}

template <class Policy, class In, class Stencil, class Out, class Predicate>
Out copy_if(Policy &policy, In first, In last, Stencil stencil, Out out, Predicate predicate) {
    return select_by<parts::accepted>(policy, first, last, stencil, out, predicate);
}
template <class Policy, class In, class Stencil, class Predicate>
In remove_if(Policy &policy, In first, In last, Stencil stencil, Predicate predicate) {
    return select_by<parts::rejected>(policy, first, last, stencil, first, predicate);
}
template <class Policy, class In, class Out, class Equal>
Out unique_copy(Policy &policy, In first, In last, Out out, Equal equal) {
    return select_by<parts::first_of_equals>(policy, first, last, first, out, equal);
}

template <class Policy, class Keys, class Values, class KeysOut, class ValuesOut, class Equal>
thrust::pair<KeysOut, ValuesOut> unique_by_key_copy(Policy &policy, Keys first, Keys last,
                                                    Values values, KeysOut keys_out,
                                                    ValuesOut values_out, Equal equal) {
    typedef value_of<Keys> Key;
    typedef value_of<Values> Value;
    auto k = gcl::unwrap(first);
    auto left = static_cast<difference_of<Keys>>(select_items<gcluster::item<Key, Value>>(
        policy, pair_up<Key, Value>(first, values),
        parts::first_of_equals<decltype(k), Equal>{k, equal},
        pair_up<Key, Value>(keys_out, values_out), static_cast<size_t>(last - first)));
    return thrust::make_pair(keys_out + left, values_out + left);
}

/// Returns how many are as `predicate` says.
template <class Policy, class In, class Stencil, class Out, class Rest, class Predicate>
difference_of<In> partition_items(Policy &policy, In first, In last, Stencil stencil, Out out,
                                  Rest rest, bool is_behind, Predicate predicate) {
    if (first == last)
        return 0;
    auto flags = gcl::unwrap(stencil);
    temporary<Policy> result(policy, sizeof(size_t));
    size_t *total = reinterpret_cast<size_t *>(thrust::raw_pointer_cast(&result[0]));
    run(policy, [&](void *temp, size_t &size) {
        return gcluster::partition<value_of<In>>(
            temp, size, gcl::unwrap(first),
            parts::accepted<decltype(flags), Predicate>{flags, predicate}, gcl::unwrap(out),
            gcl::unwrap(rest), is_behind, total, static_cast<size_t>(last - first),
            cuda_cub::stream(policy));
    });
    return static_cast<difference_of<In>>(cuda_cub::get_value(policy, total));
}

template <class Policy, class In, class Stencil, class Predicate>
In partition(Policy &policy, In first, In last, Stencil stencil, Predicate predicate) {
    return first + partition_items(policy, first, last, stencil, first, first, true, predicate);
}
template <class Policy, class In, class Stencil, class Out, class Rest, class Predicate>
thrust::pair<Out, Rest> partition_copy(Policy &policy, In first, In last, Stencil stencil, Out out,
                                       Rest rest, Predicate predicate) {
    auto left = partition_items(policy, first, last, stencil, out, rest, false, predicate);
    return thrust::make_pair(out + left, rest + (last - first - left));
}

} // namespace gcl

template <class Policy, class In, class Stencil, class Out, class Predicate,
          class = gcl::if_policy<Policy>>
__host__ __device__ Out copy_if(Policy &policy, In first, In last, Stencil stencil, Out out,
                                Predicate predicate) {
    GCL_THRUST((gcl::copy_if<Policy, In, Stencil, Out, Predicate>), thrust::copy_if, first, last,
               stencil, out, predicate);
}
template <class Policy, class In, class Out, class Predicate, class = gcl::if_policy<Policy>>
__host__ __device__ Out copy_if(Policy &policy, In first, In last, Out out, Predicate predicate) {
    return copy_if(policy, first, last, first, out, predicate);
}

template <class Policy, class In, class Stencil, class Predicate, class = gcl::if_policy<Policy>>
__host__ __device__ In remove_if(Policy &policy, In first, In last, Stencil stencil,
                                 Predicate predicate) {
    GCL_THRUST((gcl::remove_if<Policy, In, Stencil, Predicate>), thrust::remove_if, first, last,
               stencil, predicate);
}
template <class Policy, class In, class Predicate, class = gcl::if_policy<Policy>>
__host__ __device__ In remove_if(Policy &policy, In first, In last, Predicate predicate) {
    return remove_if(policy, first, last, first, predicate);
}
template <class Policy, class In, class Value, class = gcl::if_policy<Policy>>
__host__ __device__ In remove(Policy &policy, In first, In last, const Value &value) {
    return remove_if(policy, first, last, first, gcl::parts::equals<Value>{value});
}

template <class Policy, class In, class Out, class Equal, class = gcl::if_policy<Policy>>
__host__ __device__ Out unique_copy(Policy &policy, In first, In last, Out out, Equal equal) {
    GCL_THRUST((gcl::unique_copy<Policy, In, Out, Equal>), thrust::unique_copy, first, last, out,
               equal);
}
template <class Policy, class In, class Out, class = gcl::if_policy<Policy>>
__host__ __device__ Out unique_copy(Policy &policy, In first, In last, Out out) {
    return unique_copy(policy, first, last, out, thrust::equal_to<gcl::value_of<In>>());
}
template <class Policy, class In, class Equal, class = gcl::if_policy<Policy>>
__host__ __device__ In unique(Policy &policy, In first, In last, Equal equal) {
    return unique_copy(policy, first, last, first, equal);
}
template <class Policy, class In, class = gcl::if_policy<Policy>>
__host__ __device__ In unique(Policy &policy, In first, In last) {
    return unique(policy, first, last, thrust::equal_to<gcl::value_of<In>>());
}

template <class Policy, class Keys, class Values, class KeysOut, class ValuesOut, class Equal,
          class = gcl::if_policy<Policy>>
__host__ __device__ thrust::pair<KeysOut, ValuesOut>
unique_by_key_copy(Policy &policy, Keys first, Keys last, Values values, KeysOut keys_out,
                   ValuesOut values_out, Equal equal) {
    GCL_THRUST((gcl::unique_by_key_copy<Policy, Keys, Values, KeysOut, ValuesOut, Equal>),
               thrust::unique_by_key_copy, first, last, values, keys_out, values_out, equal);
}
template <class Policy, class Keys, class Values, class KeysOut, class ValuesOut,
          class = gcl::if_policy<Policy>>
__host__ __device__ thrust::pair<KeysOut, ValuesOut>
unique_by_key_copy(Policy &policy, Keys first, Keys last, Values values, KeysOut keys_out,
                   ValuesOut values_out) {
    return unique_by_key_copy(policy, first, last, values, keys_out, values_out,
                              thrust::equal_to<gcl::value_of<Keys>>());
}
template <class Policy, class Keys, class Values, class Equal, class = gcl::if_policy<Policy>>
__host__ __device__ thrust::pair<Keys, Values> unique_by_key(Policy &policy, Keys first, Keys last,
                                                             Values values, Equal equal) {
    return unique_by_key_copy(policy, first, last, values, first, values, equal);
}
template <class Policy, class Keys, class Values, class = gcl::if_policy<Policy>>
__host__ __device__ thrust::pair<Keys, Values> unique_by_key(Policy &policy, Keys first, Keys last,
                                                             Values values) {
    return unique_by_key(policy, first, last, values, thrust::equal_to<gcl::value_of<Keys>>());
}

#define GCL_PARTITIONS(name, name_copy)                                                            \
    template <class Policy, class In, class Stencil, class Predicate,                              \
              class = gcl::if_policy<Policy>>                                                      \
    __host__ __device__ In name(Policy &policy, In first, In last, Stencil stencil,                \
                                Predicate predicate) {                                             \
        GCL_THRUST((gcl::partition<Policy, In, Stencil, Predicate>), thrust::name, first, last,    \
                   stencil, predicate);                                                            \
    }                                                                                              \
    template <class Policy, class In, class Predicate, class = gcl::if_policy<Policy>>             \
    __host__ __device__ In name(Policy &policy, In first, In last, Predicate predicate) {          \
        return name(policy, first, last, first, predicate);                                        \
    }                                                                                              \
    template <class Policy, class In, class Stencil, class Out, class Rest, class Predicate,       \
              class = gcl::if_policy<Policy>>                                                      \
    __host__ __device__ thrust::pair<Out, Rest> name_copy(Policy &policy, In first, In last,       \
                                                          Stencil stencil, Out out, Rest rest,     \
                                                          Predicate predicate) {                   \
        GCL_THRUST((gcl::partition_copy<Policy, In, Stencil, Out, Rest, Predicate>),               \
                   thrust::name_copy, first, last, stencil, out, rest, predicate);                 \
    }                                                                                              \
    template <class Policy, class In, class Out, class Rest, class Predicate,                      \
              class = gcl::if_policy<Policy>>                                                      \
    __host__ __device__ thrust::pair<Out, Rest> name_copy(                                         \
        Policy &policy, In first, In last, Out out, Rest rest, Predicate predicate) {              \
        return name_copy(policy, first, last, first, out, rest, predicate);                        \
    }

GCL_PARTITIONS(partition, partition_copy)
GCL_PARTITIONS(stable_partition, stable_partition_copy)
#undef GCL_PARTITIONS

} // namespace cuda_cub
THRUST_NAMESPACE_END

#endif
