// CUB's header of this name, with another name for its struct, and ours, which is derived from it.
#pragma GCC system_header
#define DeviceRadixSort DeviceRadixSortOfCub
#include_next <cub/device/device_radix_sort.cuh>
#undef DeviceRadixSort

#include "gcluster/cub/radix_sort.h"
