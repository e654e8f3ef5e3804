// cub::DeviceReduce, by gcluster's reductions of all items and by key. Sums are kept in the
// output's type.
#ifndef GCLUSTER_CUB_REDUCE_H
#define GCLUSTER_CUB_REDUCE_H

#pragma GCC system_header

#include <cub/thread/thread_operators.cuh>
#include <cub/util_type.cuh>

#include "gcluster/algorithms/reduce.h"
#include "gcluster/algorithms/reduce_by_key.h"
#include "iterators.h"

CUB_NAMESPACE_BEGIN
namespace gcl {

/// The key-value pair of a place and what is there: the output's, or one of the input's values.
template <class Out, class In>
using place_of = typename std::conditional<std::is_void<value_of<Out>>::value,
                                           KeyValuePair<int, value_of<In>>, value_of<Out>>::type;

/// Items with their places: in the whole, or in a segment.
template <class In, class Place> struct places {
    In in;

    __device__ Place get(size_t i, size_t begin) {
        Place place;
        place.key = static_cast<typename Place::Key>(i - begin);
        place.value = in[i];
        return place;
    }
    __device__ Place operator[](size_t i) {
        return get(i, 0);
    }
};

} // namespace gcl

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
    template <class In, class Out>
    static cudaError_t ArgMin(void *temp, size_t &temp_size, In in, Out out, int count,
                              cudaStream_t stream = nullptr, bool = false) {
        typedef gcl::place_of<Out, In> T;
        return gcluster::reduce<T>(temp, temp_size, gcl::places<In, T>{in}, out,
                                   static_cast<size_t>(count), cub::ArgMin(),
                                   T(1, Traits<gcl::value_of<In>>::Max()), stream);
    }
    template <class In, class Out>
    static cudaError_t ArgMax(void *temp, size_t &temp_size, In in, Out out, int count,
                              cudaStream_t stream = nullptr, bool = false) {
        typedef gcl::place_of<Out, In> T;
        return gcluster::reduce<T>(temp, temp_size, gcl::places<In, T>{in}, out,
                                   static_cast<size_t>(count), cub::ArgMax(),
                                   T(1, Traits<gcl::value_of<In>>::Lowest()), stream);
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
