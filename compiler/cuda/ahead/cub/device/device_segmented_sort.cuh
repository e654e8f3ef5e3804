// CUB's header of this name, with another name for its struct, and ours, which is derived from it.
// Only CUB 1: later ones take more arguments.
#pragma GCC system_header
#include <cub/version.cuh>
#if CUB_VERSION < 200000
#define DeviceSegmentedSort DeviceSegmentedSortOfCub
#include_next <cub/device/device_segmented_sort.cuh>
#undef DeviceSegmentedSort
#include "gcluster/cub/segmented_sort.h"
#else
#include_next <cub/device/device_segmented_sort.cuh>
#endif
