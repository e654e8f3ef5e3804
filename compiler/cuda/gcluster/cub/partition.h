// cub::DevicePartition, by gcluster::partition and, into three parts, three selections. What isn't
// selected stands behind what is, in reverse order, as CUB documents.
#ifndef GCLUSTER_CUB_PARTITION_H
#define GCLUSTER_CUB_PARTITION_H

#pragma GCC system_header

#include <cub/device/device_select.cuh>

#include "gcluster/algorithms/carve.h"

CUB_NAMESPACE_BEGIN
namespace gcl {

/// An output from its end backwards.
template <class Out> struct reversed {
    Out out;
    size_t count;

    __device__ auto operator[](size_t i) -> decltype(out[i]) {
        return out[count - 1 - i];
    }
};

/// What the first predicate doesn't accept, and the second one does, or, not `wanted`, doesn't.
template <class In, class First, class Second> struct second_accepted {
    In in;
    First first;
    Second second;
    bool wanted;

    __device__ bool operator[](size_t i) {
        return !first(in[i]) && static_cast<bool>(second(in[i])) == wanted;
    }
};

} // namespace gcl

struct DevicePartition : DevicePartitionOfCub {
    template <class In, class Flags, class Out, class Total>
    static cudaError_t Flagged(void *temp, size_t &temp_size, In in, Flags flags, Out out,
                               Total total, int count, cudaStream_t stream = nullptr,
                               bool = false) {
        return gcluster::partition<gcl::value_of<In>>(
            temp, temp_size, in, gcl::flagged<Flags>{flags}, out,
            gcl::reversed<Out>{out, static_cast<size_t>(count)}, false, total,
            static_cast<size_t>(count), stream);
    }
    template <class In, class Out, class Total, class Predicate>
    static cudaError_t If(void *temp, size_t &temp_size, In in, Out out, Total total, int count,
                          Predicate predicate, cudaStream_t stream = nullptr, bool = false) {
        return gcluster::partition<gcl::value_of<In>>(
            temp, temp_size, in, gcl::accepted<In, Predicate>{in, predicate}, out,
            gcl::reversed<Out>{out, static_cast<size_t>(count)}, false, total,
            static_cast<size_t>(count), stream);
    }
    template <class In, class FirstOut, class SecondOut, class RestOut, class Total, class First,
              class Second>
    static cudaError_t If(void *temp, size_t &temp_size, In in, FirstOut first_out,
                          SecondOut second_out, RestOut rest_out, Total totals, int count,
                          First first, Second second, cudaStream_t stream = nullptr, bool = false) {
        typedef gcl::value_of<In> T;
        typedef gcl::second_accepted<In, First, Second> Others;
        size_t n = static_cast<size_t>(count), size = 0;
        gcluster::carver pieces = {static_cast<char *>(temp), 0};
        size_t *rest_total = pieces.take<size_t>(1);
        void *memory = temp ? static_cast<char *>(temp) + pieces.used : nullptr;
        cudaError_t error = gcluster::select<T>(
            memory, size, in, gcl::accepted<In, First>{in, first}, first_out, totals, n, stream);
        if (!temp)
            temp_size = size + pieces.used;
        if (temp && !error)
            error = gcluster::select<T>(memory, size, in, Others{in, first, second, true},
                                        second_out, totals + 1, n, stream);
        if (temp && !error)
            error = gcluster::select<T>(memory, size, in, Others{in, first, second, false},
                                        rest_out, rest_total, n, stream);
        return error;
    }
};

CUB_NAMESPACE_END

#endif
