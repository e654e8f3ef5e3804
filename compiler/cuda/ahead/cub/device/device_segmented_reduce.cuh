// CUB's header of this name, with another name for its struct, and ours, which is derived from it.
// Only CUB 1: later ones keep sums in other types and take more arguments.
#pragma GCC system_header
#include <cub/version.cuh>
#if CUB_VERSION < 200000
#define DeviceSegmentedReduce DeviceSegmentedReduceOfCub
#include_next <cub/device/device_segmented_reduce.cuh>
#undef DeviceSegmentedReduce
#include "gcluster/cub/segmented_reduce.h"
#else
#include_next <cub/device/device_segmented_reduce.cuh>
#endif
