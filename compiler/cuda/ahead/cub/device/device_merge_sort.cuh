// CUB's header of this name, with another name for its struct, and ours, which is derived from it.
// Only CUB 1: later ones take more arguments.
#pragma GCC system_header
#include <cub/version.cuh>
#if CUB_VERSION < 200000
#define DeviceMergeSort DeviceMergeSortOfCub
#include_next <cub/device/device_merge_sort.cuh>
#undef DeviceMergeSort
#include "gcluster/cub/merge_sort.h"
#else
#include_next <cub/device/device_merge_sort.cuh>
#endif
