// CUB's header of this name, with another name for its struct, and ours, which is derived from it.
// Only CUB 1: later ones take more arguments.
#pragma GCC system_header
#include <cub/version.cuh>
#if CUB_VERSION < 200000
#define DeviceSegmentedRadixSort DeviceSegmentedRadixSortOfCub
#include_next <cub/device/device_segmented_radix_sort.cuh>
#undef DeviceSegmentedRadixSort
#include "gcluster/cub/segmented_radix_sort.h"
#else
#include_next <cub/device/device_segmented_radix_sort.cuh>
#endif
