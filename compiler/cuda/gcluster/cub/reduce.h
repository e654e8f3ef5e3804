// cub::DeviceReduce's reductions of all items, by gcluster::reduce; what else it has is CUB's. Sums
// are kept in the output's type.
#ifndef GCLUSTER_CUB_REDUCE_H
#define GCLUSTER_CUB_REDUCE_H

#pragma GCC system_header

#include <cub/thread/thread_operators.cuh>
#include <cub/util_type.cuh>

#include "gcluster/algorithms/reduce.h"
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
};

CUB_NAMESPACE_END

#endif
