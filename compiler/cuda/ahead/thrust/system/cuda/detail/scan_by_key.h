// Thrust's header of this name, and behind it algorithms of ours.
#pragma GCC system_header
#include_next <thrust/system/cuda/detail/scan_by_key.h>

#include "gcluster/thrust/scan_by_key.h"
