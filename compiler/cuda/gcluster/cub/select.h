// cub::DeviceSelect, by gcluster::select.
#ifndef GCLUSTER_CUB_SELECT_H
#define GCLUSTER_CUB_SELECT_H

#pragma GCC system_header

#include "gcluster/algorithms/paired.h"
#include "gcluster/algorithms/select.h"
#include "iterators.h"

CUB_NAMESPACE_BEGIN
namespace gcl {

template <class Flags> struct flagged {
    Flags flags;

    __device__ bool operator[](size_t i) {
        return static_cast<bool>(flags[i]);
    }
};
template <class In, class Predicate> struct accepted {
    In in;
    Predicate predicate;

    __device__ bool operator[](size_t i) {
        return predicate(in[i]);
    }
};
template <class In> struct first_of_equals {
    In in;

    __device__ bool operator[](size_t i) {
        return i == 0 || !(in[i - 1] == in[i]);
    }
};

} // namespace gcl

struct DeviceSelect : DeviceSelectOfCub {
    template <class In, class Flags, class Out, class Total>
    static cudaError_t Flagged(void *temp, size_t &temp_size, In in, Flags flags, Out out,
                               Total total, int count, cudaStream_t stream = nullptr,
                               bool = false) {
        return gcluster::select<gcl::value_of<In>>(temp, temp_size, in, gcl::flagged<Flags>{flags},
                                                   out, total, static_cast<size_t>(count), stream);
    }
    template <class In, class Out, class Total, class Predicate>
    static cudaError_t If(void *temp, size_t &temp_size, In in, Out out, Total total, int count,
                          Predicate predicate, cudaStream_t stream = nullptr, bool = false) {
        return gcluster::select<gcl::value_of<In>>(temp, temp_size, in,
                                                   gcl::accepted<In, Predicate>{in, predicate}, out,
                                                   total, static_cast<size_t>(count), stream);
    }
    template <class In, class Out, class Total>
    static cudaError_t Unique(void *temp, size_t &temp_size, In in, Out out, Total total, int count,
                              cudaStream_t stream = nullptr, bool = false) {
        return gcluster::select<gcl::value_of<In>>(temp, temp_size, in,
                                                   gcl::first_of_equals<In>{in}, out, total,
                                                   static_cast<size_t>(count), stream);
    }
    template <class Keys, class Values, class KeysOut, class ValuesOut, class Total>
    static cudaError_t UniqueByKey(void *temp, size_t &temp_size, Keys keys, Values values,
                                   KeysOut keys_out, ValuesOut values_out, Total total, int count,
                                   cudaStream_t stream = nullptr, bool = false) {
        typedef gcl::value_of<Keys> Key;
        typedef gcl::value_of<Values> Value;
        return gcluster::select<gcluster::item<Key, Value>>(
            temp, temp_size, gcluster::paired<Keys, Values, Key, Value>{keys, values},
            gcl::first_of_equals<Keys>{keys},
            gcluster::paired<KeysOut, ValuesOut, Key, Value>{keys_out, values_out}, total,
            static_cast<size_t>(count), stream);
    }
};

CUB_NAMESPACE_END

#endif
