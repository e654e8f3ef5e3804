// cub::DeviceRunLengthEncode::Encode, by gcluster::reduce_by_key; runs of two and more are CUB's.
#ifndef GCLUSTER_CUB_RUN_LENGTH_ENCODE_H
#define GCLUSTER_CUB_RUN_LENGTH_ENCODE_H

#pragma GCC system_header

#include <cub/thread/thread_operators.cuh>

#include "gcluster/algorithms/reduce_by_key.h"
#include "iterators.h"

CUB_NAMESPACE_BEGIN
namespace gcl {

struct ones {
    __device__ int operator[](size_t) {
        return 1;
    }
};

} // namespace gcl

struct DeviceRunLengthEncode : DeviceRunLengthEncodeOfCub {
    template <class In, class Out, class Lengths, class Total>
    static cudaError_t Encode(void *temp, size_t &temp_size, In in, Out out, Lengths lengths,
                              Total total, int count, cudaStream_t stream = nullptr, bool = false) {
        return gcluster::reduce_by_key<gcl::value_of<In>, gcl::output_of<Lengths, int *>>(
            temp, temp_size, in, gcl::ones(), out, lengths, total, static_cast<size_t>(count),
            cub::Equality(), cub::Sum(), stream);
    }
};

CUB_NAMESPACE_END

#endif
