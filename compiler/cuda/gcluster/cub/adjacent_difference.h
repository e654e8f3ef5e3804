// cub::DeviceAdjacentDifference, by gcluster::adjacent_difference.
#ifndef GCLUSTER_CUB_ADJACENT_DIFFERENCE_H
#define GCLUSTER_CUB_ADJACENT_DIFFERENCE_H

#pragma GCC system_header

#include <cub/thread/thread_operators.cuh>

#include <stdint.h>

#include "gcluster/algorithms/adjacent_difference.h"
#include "iterators.h"

CUB_NAMESPACE_BEGIN

#define GCL_SUBTRACTIONS(name, name_copy, is_left)                                                 \
    template <class In, class Out, class Operation = Difference, class Count = uint32_t>           \
    static cudaError_t name_copy(void *temp, size_t &temp_size, In in, Out out, Count count,       \
                                 Operation operation = {}, cudaStream_t stream = nullptr,          \
                                 bool = false) {                                                   \
        return gcluster::adjacent_difference<gcl::value_of<In>, is_left>(                          \
            temp, temp_size, in, out, static_cast<size_t>(count), operation, stream);              \
    }                                                                                              \
    template <class In, class Operation = Difference, class Count = uint32_t>                      \
    static cudaError_t name(void *temp, size_t &temp_size, In in, Count count,                     \
                            Operation operation = {}, cudaStream_t stream = nullptr,               \
                            bool = false) {                                                        \
        return name_copy(temp, temp_size, in, in, count, operation, stream);                       \
    }

struct DeviceAdjacentDifference : DeviceAdjacentDifferenceOfCub {
    GCL_SUBTRACTIONS(SubtractLeft, SubtractLeftCopy, true)
    GCL_SUBTRACTIONS(SubtractRight, SubtractRightCopy, false)
};
#undef GCL_SUBTRACTIONS

CUB_NAMESPACE_END

#endif
