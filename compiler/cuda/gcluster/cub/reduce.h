// cub::DeviceReduce's reductions of all items and by key, by those of gcluster; the places of
// extremes are CUB's. Sums are kept in the output's type.
#ifndef GCLUSTER_CUB_REDUCE_H
#define GCLUSTER_CUB_REDUCE_H

#pragma GCC system_header

#include <cub/thread/thread_operators.cuh>
#include <cub/util_type.cuh>

#include "gcluster/algorithms/reduce.h"
#include "gcluster/algorithms/reduce_by_key.h"
#include "iterators.h"

CUB_NAMESPACE_BEGIN

struct DeviceReduce : DeviceReduceOfCub {
    template <class In, class Out, class Operation, class T>
    static cudaError_t Reduce(void *temp, size_t &temp_size, In in, Out out, int count,
                              Operation operation, T init, cudaStream_t stream = nullptr,
                              bool = false) {
        return gcluster::reduce<gcl::output_of<Out, In>>(
            temp, temp_size, in, out, static_cast<size_t>(count), operation, init, stream);
    }
    template <class In, class Out>
    static cudaError_t Sum(void *temp, size_t &temp_size, In in, Out out, int count,
                           cudaStream_t stream = nullptr, bool = false) {
        return Reduce(temp, temp_size, in, out, count, cub::Sum(), gcl::output_of<Out, In>{},
                      stream);
    }
    template <class In, class Out>
    static cudaError_t Min(void *temp, size_t &temp_size, In in, Out out, int count,
                           cudaStream_t stream = nullptr, bool = false) {
        return Reduce(temp, temp_size, in, out, count, cub::Min(), Traits<gcl::value_of<In>>::Max(),
                      stream);
    }
    template <class In, class Out>
    static cudaError_t Max(void *temp, size_t &temp_size, In in, Out out, int count,
                           cudaStream_t stream = nullptr, bool = false) {
        return Reduce(temp, temp_size, in, out, count, cub::Max(),
                      Traits<gcl::value_of<In>>::Lowest(), stream);
    }
    template <class Keys, class KeysOut, class Values, class SumsOut, class Total, class Operation>
    static cudaError_t ReduceByKey(void *temp, size_t &temp_size, Keys keys, KeysOut keys_out,
                                   Values values, SumsOut sums_out, Total total,
                                   Operation operation, int count, cudaStream_t stream = nullptr,
                                   bool = false) {
        return gcluster::reduce_by_key<gcl::value_of<Keys>, gcl::output_of<SumsOut, Values>>(
            temp, temp_size, keys, values, keys_out, sums_out, total, static_cast<size_t>(count),
            cub::Equality(), operation, stream);
    }
};

CUB_NAMESPACE_END

#endif
