// cub::DeviceSegmentedReduce, by gcluster::segmented_reduce. Sums are kept in the output's type.
#ifndef GCLUSTER_CUB_SEGMENTED_REDUCE_H
#define GCLUSTER_CUB_SEGMENTED_REDUCE_H

#pragma GCC system_header

#include <cub/device/device_reduce.cuh>

#include "gcluster/algorithms/segments.h"

CUB_NAMESPACE_BEGIN

struct DeviceSegmentedReduce : DeviceSegmentedReduceOfCub {
    template <class In, class Out, class Begins, class Ends, class Operation, class T>
    static cudaError_t Reduce(void *temp, size_t &temp_size, In in, Out out, int count,
                              Begins begins, Ends ends, Operation operation, T init,
                              cudaStream_t stream = nullptr, bool = false) {
        return gcluster::segmented_reduce<gcl::output_of<Out, In>>(
            temp, temp_size, gcluster::plain_items<In>{in}, begins, ends, out,
            static_cast<size_t>(count), operation, init, stream);
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Sum(void *temp, size_t &temp_size, In in, Out out, int count, Begins begins,
                           Ends ends, cudaStream_t stream = nullptr, bool = false) {
        return Reduce(temp, temp_size, in, out, count, begins, ends, cub::Sum(),
                      gcl::output_of<Out, In>{}, stream);
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Min(void *temp, size_t &temp_size, In in, Out out, int count, Begins begins,
                           Ends ends, cudaStream_t stream = nullptr, bool = false) {
        return Reduce(temp, temp_size, in, out, count, begins, ends, cub::Min(),
                      Traits<gcl::value_of<In>>::Max(), stream);
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t Max(void *temp, size_t &temp_size, In in, Out out, int count, Begins begins,
                           Ends ends, cudaStream_t stream = nullptr, bool = false) {
        return Reduce(temp, temp_size, in, out, count, begins, ends, cub::Max(),
                      Traits<gcl::value_of<In>>::Lowest(), stream);
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t ArgMin(void *temp, size_t &temp_size, In in, Out out, int count,
                              Begins begins, Ends ends, cudaStream_t stream = nullptr,
                              bool = false) {
        typedef gcl::place_of<Out, In> T;
        return gcluster::segmented_reduce<T>(temp, temp_size, gcl::places<In, T>{in}, begins, ends,
                                             out, static_cast<size_t>(count), cub::ArgMin(),
                                             T(1, Traits<gcl::value_of<In>>::Max()), stream);
    }
    template <class In, class Out, class Begins, class Ends>
    static cudaError_t ArgMax(void *temp, size_t &temp_size, In in, Out out, int count,
                              Begins begins, Ends ends, cudaStream_t stream = nullptr,
                              bool = false) {
        typedef gcl::place_of<Out, In> T;
        return gcluster::segmented_reduce<T>(temp, temp_size, gcl::places<In, T>{in}, begins, ends,
                                             out, static_cast<size_t>(count), cub::ArgMax(),
                                             T(1, Traits<gcl::value_of<In>>::Lowest()), stream);
    }
};

CUB_NAMESPACE_END

#endif
