// Thrust's header of this name, and behind it algorithms of ours.
#pragma GCC system_header
#include_next <thrust/system/cuda/detail/adjacent_difference.h>

#include "gcluster/thrust/adjacent_difference.h"
