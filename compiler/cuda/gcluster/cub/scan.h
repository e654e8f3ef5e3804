// cub::DeviceScan's scans of all items, by those of gcluster; those by key, and from a value that
// is computed later, are CUB's. Sums are kept in the initial value's type, or the input's.
#ifndef GCLUSTER_CUB_SCAN_H
#define GCLUSTER_CUB_SCAN_H

#pragma GCC system_header

#include <cub/thread/thread_operators.cuh>

#include "gcluster/algorithms/scan.h"
#include "iterators.h"

CUB_NAMESPACE_BEGIN

struct DeviceScan : DeviceScanOfCub {
    using DeviceScanOfCub::ExclusiveScan; // from a FutureValue

    template <class In, class Out, class Operation, class T>
    static cudaError_t ExclusiveScan(void *temp, size_t &temp_size, In in, Out out,
                                     Operation operation, T init, int count,
                                     cudaStream_t stream = nullptr, bool = false) {
        return gcluster::exclusive_scan<T>(temp, temp_size, in, out, static_cast<size_t>(count),
                                           operation, init, stream);
    }
    template <class In, class Out>
    static cudaError_t ExclusiveSum(void *temp, size_t &temp_size, In in, Out out, int count,
                                    cudaStream_t stream = nullptr, bool = false) {
        typedef gcl::value_of<In> T;
        return gcluster::exclusive_scan<T>(temp, temp_size, in, out, static_cast<size_t>(count),
                                           cub::Sum(), T{}, stream);
    }
    template <class In, class Out, class Operation>
    static cudaError_t InclusiveScan(void *temp, size_t &temp_size, In in, Out out,
                                     Operation operation, int count, cudaStream_t stream = nullptr,
                                     bool = false) {
        return gcluster::inclusive_scan<gcl::value_of<In>>(
            temp, temp_size, in, out, static_cast<size_t>(count), operation, stream);
    }
    template <class In, class Out>
    static cudaError_t InclusiveSum(void *temp, size_t &temp_size, In in, Out out, int count,
                                    cudaStream_t stream = nullptr, bool = false) {
        return InclusiveScan(temp, temp_size, in, out, cub::Sum(), count, stream);
    }
};

CUB_NAMESPACE_END

#endif
