// Thrust's header of this name, and behind it algorithms of ours.
#pragma GCC system_header
#include_next <thrust/system/cuda/detail/inner_product.h>

#include "gcluster/thrust/reduce.h"
