// CUB's header of this name, with another name for its struct, and ours, which is derived from it.
// Only CUB 1: later ones take more arguments.
#pragma GCC system_header
#include <cub/version.cuh>
#if CUB_VERSION < 200000
#define DeviceAdjacentDifference DeviceAdjacentDifferenceOfCub
#include_next <cub/device/device_adjacent_difference.cuh>
#undef DeviceAdjacentDifference
#include "gcluster/cub/adjacent_difference.h"
#else
#include_next <cub/device/device_adjacent_difference.cuh>
#endif
