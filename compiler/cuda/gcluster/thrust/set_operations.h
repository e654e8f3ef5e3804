// thrust::set_intersection, set_difference, set_union, set_symmetric_difference and those by key:
// by gcluster::select of what has a partner in the other set, or has none, and gcluster::merge.
#ifndef GCLUSTER_THRUST_SET_OPERATIONS_H
#define GCLUSTER_THRUST_SET_OPERATIONS_H

#pragma GCC system_header

#include <thrust/set_operations.h>

#include "merge.h"
#include "select.h"

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace gcl {
namespace parts {

/// The keys of an array of items.
template <class Key, class Value> struct keys_of {
    const gcluster::item<Key, Value> *items;

    __device__ const Key &operator[](size_t i) const {
        return items[i].key;
    }
};

} // namespace parts

/// A sorted array of items, and what orders them: they themselves, or of pairs the keys.
template <class Keys, class Items> struct sorted_set {
    Keys keys;
    Items items;
    size_t count;
};
template <class Keys, class Items>
sorted_set<Keys, Items> make_set(Keys keys, Items items, size_t count) {
    return {keys, items, count};
}

/// A set in memory of ours.
template <class T> sorted_set<const T *, const T *> own_set(const T *items, size_t count) {
    return {items, items, count};
}
template <class Key, class Value>
auto own_set(const gcluster::item<Key, Value> *items, size_t count) {
    return make_set(parts::keys_of<Key, Value>{items}, items, count);
}

/// Leaves at `out` what of `a` has a partner in `b`, or, not `wanted`, has none. Returns how many.
template <class T, class Policy, class A, class B, class Out, class Less>
size_t select_partners(Policy &policy, const A &a, const B &b, bool wanted, Out out, Less less) {
    typedef gcluster::partners<decltype(a.keys), decltype(b.keys), Less> Partners;
    return select_items<T>(policy, a.items,
                           Partners{a.keys, b.keys, b.count, wanted, less, 0, 0, 0}, out, a.count);
}

/// What of a set has no partner in another one, in memory of its own.
template <class T, class Policy> struct rest {
    temporary<Policy> memory;
    size_t count;

    template <class A, class B, class Less>
    rest(Policy &policy, const A &a, const B &b, Less less)
        : memory(policy, a.count * sizeof(T)),
          count(select_partners<T>(policy, a, b, false, items(), less)) {
    }
    T *items() {
        return reinterpret_cast<T *>(thrust::raw_pointer_cast(memory.data()));
    }
};

template <class T, class Policy, class A, class B, class Out, class Less>
size_t merge_sets(Policy &policy, const A &a, const B &b, Out out, Less less) {
    finish(policy, gcluster::merge<T>(a.keys, a.items, a.count, b.keys, b.items, b.count, out, less,
                                      cuda_cub::stream(policy)));
    return a.count + b.count;
}

/// The operations: each leaves a set of T at `out`, and returns how many items it has.
template <class T> struct set_intersection {
    template <class Policy, class A, class B, class Out, class Less>
    static size_t make(Policy &policy, const A &a, const B &b, Out out, Less less) {
        return select_partners<T>(policy, a, b, true, out, less);
    }
};
template <class T> struct set_difference {
    template <class Policy, class A, class B, class Out, class Less>
    static size_t make(Policy &policy, const A &a, const B &b, Out out, Less less) {
        return select_partners<T>(policy, a, b, false, out, less);
    }
};
template <class T> struct set_union {
    template <class Policy, class A, class B, class Out, class Less>
    static size_t make(Policy &policy, const A &a, const B &b, Out out, Less less) {
        rest<T, Policy> others(policy, b, a, less);
        return merge_sets<T>(
            policy, a, own_set(static_cast<const T *>(others.items()), others.count), out, less);
    }
};
template <class T> struct set_symmetric_difference {
    template <class Policy, class A, class B, class Out, class Less>
    static size_t make(Policy &policy, const A &a, const B &b, Out out, Less less) {
        rest<T, Policy> own(policy, a, b, less), others(policy, b, a, less);
        return merge_sets<T>(policy, own_set(static_cast<const T *>(own.items()), own.count),
                             own_set(static_cast<const T *>(others.items()), others.count), out,
                             less);
    }
};

template <template <class> class Operation, class Policy, class A, class B, class Out, class Less>
Out operate(Policy &policy, A a_first, A a_last, B b_first, B b_last, Out out, Less less) {
    auto a = gcl::unwrap(a_first);
    auto b = gcl::unwrap(b_first);
    return out +
           static_cast<difference_of<A>>(Operation<value_of<A>>::make(
               policy, make_set(a, a, static_cast<size_t>(a_last - a_first)),
               make_set(b, b, static_cast<size_t>(b_last - b_first)), gcl::unwrap(out), less));
}

template <template <class> class Operation, class Policy, class A, class B, class AValues,
          class BValues, class Out, class ValuesOut, class Less>
thrust::pair<Out, ValuesOut> operate_by_key(Policy &policy, A a_first, A a_last, B b_first,
                                            B b_last, AValues a_values, BValues b_values, Out out,
                                            ValuesOut values_out, Less less) {
    typedef value_of<A> Key;
    typedef value_of<AValues> Value;
    auto count = static_cast<difference_of<A>>(Operation<gcluster::item<Key, Value>>::make(
        policy,
        make_set(gcl::unwrap(a_first), pair_up<Key, Value>(a_first, a_values),
                 static_cast<size_t>(a_last - a_first)),
        make_set(gcl::unwrap(b_first), pair_up<Key, Value>(b_first, b_values),
                 static_cast<size_t>(b_last - b_first)),
        pair_up<Key, Value>(out, values_out), less));
    return thrust::make_pair(out + count, values_out + count);
}

/// An intersection has the values of the first set alone, whose iterator stands for both.
template <class Policy, class A, class B, class AValues, class Out, class ValuesOut, class Less>
thrust::pair<Out, ValuesOut> intersect_by_key(Policy &policy, A a_first, A a_last, B b_first,
                                              B b_last, AValues a_values, Out out,
                                              ValuesOut values_out, Less less) {
    return operate_by_key<set_intersection>(policy, a_first, a_last, b_first, b_last, a_values,
                                            a_values, out, values_out, less);
}

} // namespace gcl

#define GCL_SET_OPERATION(name)                                                                    \
    template <class Policy, class A, class B, class Out, class Less,                               \
              class = gcl::if_policy<Policy>>                                                      \
    __host__ __device__ Out name(Policy &policy, A a_first, A a_last, B b_first, B b_last,         \
                                 Out out, Less less) {                                             \
        GCL_THRUST((gcl::operate<gcl::name, Policy, A, B, Out, Less>), thrust::name, a_first,      \
                   a_last, b_first, b_last, out, less);                                            \
    }                                                                                              \
    template <class Policy, class A, class B, class Out, class = gcl::if_policy<Policy>>           \
    __host__ __device__ Out name(Policy &policy, A a_first, A a_last, B b_first, B b_last,         \
                                 Out out) {                                                        \
        return name(policy, a_first, a_last, b_first, b_last, out,                                 \
                    thrust::less<gcl::value_of<A>>());                                             \
    }

#define GCL_SET_OPERATION_BY_KEY(operation, name)                                                  \
    template <class Policy, class A, class B, class AValues, class BValues, class Out,             \
              class ValuesOut, class Less, class = gcl::if_policy<Policy>>                         \
    __host__ __device__ thrust::pair<Out, ValuesOut> name(                                         \
        Policy &policy, A a_first, A a_last, B b_first, B b_last, AValues a_values,                \
        BValues b_values, Out out, ValuesOut values_out, Less less) {                              \
        GCL_THRUST((gcl::operate_by_key<gcl::operation, Policy, A, B, AValues, BValues, Out,       \
                                        ValuesOut, Less>),                                         \
                   thrust::name, a_first, a_last, b_first, b_last, a_values, b_values, out,        \
                   values_out, less);                                                              \
    }                                                                                              \
    template <class Policy, class A, class B, class AValues, class BValues, class Out,             \
              class ValuesOut, class = gcl::if_policy<Policy>>                                     \
    __host__ __device__ thrust::pair<Out, ValuesOut> name(                                         \
        Policy &policy, A a_first, A a_last, B b_first, B b_last, AValues a_values,                \
        BValues b_values, Out out, ValuesOut values_out) {                                         \
        return name(policy, a_first, a_last, b_first, b_last, a_values, b_values, out, values_out, \
                    thrust::less<gcl::value_of<A>>());                                             \
    }

GCL_SET_OPERATION(set_intersection)
GCL_SET_OPERATION(set_difference)
GCL_SET_OPERATION(set_union)
GCL_SET_OPERATION(set_symmetric_difference)
GCL_SET_OPERATION_BY_KEY(set_difference, set_difference_by_key)
GCL_SET_OPERATION_BY_KEY(set_union, set_union_by_key)
GCL_SET_OPERATION_BY_KEY(set_symmetric_difference, set_symmetric_difference_by_key)
#undef GCL_SET_OPERATION_BY_KEY
#undef GCL_SET_OPERATION

template <class Policy, class A, class B, class AValues, class Out, class ValuesOut, class Less,
          class = gcl::if_policy<Policy>>
__host__ __device__ thrust::pair<Out, ValuesOut>
set_intersection_by_key(Policy &policy, A a_first, A a_last, B b_first, B b_last, AValues a_values,
                        Out out, ValuesOut values_out, Less less) {
    GCL_THRUST((gcl::intersect_by_key<Policy, A, B, AValues, Out, ValuesOut, Less>),
               thrust::set_intersection_by_key, a_first, a_last, b_first, b_last, a_values, out,
               values_out, less);
}
template <class Policy, class A, class B, class AValues, class Out, class ValuesOut,
          class = gcl::if_policy<Policy>>
__host__ __device__ thrust::pair<Out, ValuesOut>
set_intersection_by_key(Policy &policy, A a_first, A a_last, B b_first, B b_last, AValues a_values,
                        Out out, ValuesOut values_out) {
    return set_intersection_by_key(policy, a_first, a_last, b_first, b_last, a_values, out,
                                   values_out, thrust::less<gcl::value_of<A>>());
}

} // namespace cuda_cub
THRUST_NAMESPACE_END

#endif
