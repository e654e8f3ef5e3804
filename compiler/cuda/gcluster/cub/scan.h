// cub::DeviceScan, by gcluster's scans of all items and by key; those from a value that is computed
// later are CUB's. Sums are kept in the initial value's type, or the input's.
#ifndef GCLUSTER_CUB_SCAN_H
#define GCLUSTER_CUB_SCAN_H

#pragma GCC system_header

#include <cub/thread/thread_operators.cuh>

#include "gcluster/algorithms/scan.h"
#include "gcluster/algorithms/scan_by_key.h"
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

    template <class Keys, class Values, class Out, class Operation, class T, class Equal = Equality>
    static cudaError_t ExclusiveScanByKey(void *temp, size_t &temp_size, Keys keys, Values values,
                                          Out out, Operation operation, T init, int count,
                                          Equal equal = Equal(), cudaStream_t stream = nullptr,
                                          bool = false) {
        return gcluster::scan_by_key<gcl::value_of<Keys>, T>(
            temp, temp_size, keys, values, out, static_cast<size_t>(count), equal,
            gcluster::exclusive_run<T, Operation>{operation, init}, stream);
    }
    template <class Keys, class Values, class Out, class Equal = Equality>
    static cudaError_t ExclusiveSumByKey(void *temp, size_t &temp_size, Keys keys, Values values,
                                         Out out, int count, Equal equal = Equal(),
                                         cudaStream_t stream = nullptr, bool = false) {
        return ExclusiveScanByKey(temp, temp_size, keys, values, out, cub::Sum(),
                                  gcl::value_of<Values>{}, count, equal, stream);
    }
    template <class Keys, class Values, class Out, class Operation, class Equal = Equality>
    static cudaError_t InclusiveScanByKey(void *temp, size_t &temp_size, Keys keys, Values values,
                                          Out out, Operation operation, int count,
                                          Equal equal = Equal(), cudaStream_t stream = nullptr,
                                          bool = false) {
        typedef gcl::value_of<Values> T;
        return gcluster::scan_by_key<gcl::value_of<Keys>, T>(
            temp, temp_size, keys, values, out, static_cast<size_t>(count), equal,
            gcluster::inclusive_run<T, Operation>{operation}, stream);
    }
    template <class Keys, class Values, class Out, class Equal = Equality>
    static cudaError_t InclusiveSumByKey(void *temp, size_t &temp_size, Keys keys, Values values,
                                         Out out, int count, Equal equal = Equal(),
                                         cudaStream_t stream = nullptr, bool = false) {
        return InclusiveScanByKey(temp, temp_size, keys, values, out, cub::Sum(), count, equal,
                                  stream);
    }
};

CUB_NAMESPACE_END

#endif
