// CUB's header of this name, with another name for its struct, and ours, which is derived from it.
// Only CUB 1: later ones keep sums in other types and take more arguments.
#pragma GCC system_header
#include <cub/version.cuh>
#if CUB_VERSION < 200000
#define DeviceRunLengthEncode DeviceRunLengthEncodeOfCub
#include_next <cub/device/device_run_length_encode.cuh>
#undef DeviceRunLengthEncode
#include "gcluster/cub/run_length_encode.h"
#else
#include_next <cub/device/device_run_length_encode.cuh>
#endif
