// CUB's header of this name, after those that stand before others of CUB's, which it includes by
// their places.
#pragma GCC system_header
#include <cub/device/device_radix_sort.cuh>

#include_next <cub/cub.cuh>
