// cub::DeviceSegmentedRadixSort, by gcluster::segmented_sort.
#ifndef GCLUSTER_CUB_SEGMENTED_RADIX_SORT_H
#define GCLUSTER_CUB_SEGMENTED_RADIX_SORT_H

#pragma GCC system_header

#include "segmented_sorts.h"

#define GCL_BITS(Key) , int begin_bit = 0, int end_bit = 8 * sizeof(Key)
#define GCL_BITS_GIVEN(Key) begin_bit, end_bit
#define GCL_BITS_PASSED , begin_bit, end_bit

CUB_NAMESPACE_BEGIN

struct DeviceSegmentedRadixSort : DeviceSegmentedRadixSortOfCub {
    GCL_SEGMENTED_SORTS(DeviceSegmentedRadixSortOfCub, SortKeys, SortPairs, false)
    GCL_SEGMENTED_SORTS(DeviceSegmentedRadixSortOfCub, SortKeysDescending, SortPairsDescending,
                        true)
};

CUB_NAMESPACE_END

#undef GCL_BITS_PASSED
#undef GCL_BITS_GIVEN
#undef GCL_BITS

#endif
