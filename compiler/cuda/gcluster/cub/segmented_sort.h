// cub::DeviceSegmentedSort, by gcluster::segmented_sort.
#ifndef GCLUSTER_CUB_SEGMENTED_SORT_H
#define GCLUSTER_CUB_SEGMENTED_SORT_H

#pragma GCC system_header

#include "segmented_sorts.h"

#define GCL_BITS(Key)
#define GCL_BITS_GIVEN(Key) 0, 8 * sizeof(Key)
#define GCL_BITS_PASSED

CUB_NAMESPACE_BEGIN

struct DeviceSegmentedSort : DeviceSegmentedSortOfCub {
    GCL_SEGMENTED_SORTS(DeviceSegmentedSortOfCub, SortKeys, SortPairs, false)
    GCL_SEGMENTED_SORTS(DeviceSegmentedSortOfCub, SortKeysDescending, SortPairsDescending, true)
    GCL_SEGMENTED_SORTS(DeviceSegmentedSortOfCub, StableSortKeys, StableSortPairs, false)
    GCL_SEGMENTED_SORTS(DeviceSegmentedSortOfCub, StableSortKeysDescending,
                        StableSortPairsDescending, true)
};

CUB_NAMESPACE_END

#undef GCL_BITS_PASSED
#undef GCL_BITS_GIVEN
#undef GCL_BITS

#endif
