// Occupancy is asked of the runtime here; programs include this name beside it.
#ifndef GCLUSTER_CUDA_OCCUPANCY_H
#define GCLUSTER_CUDA_OCCUPANCY_H

#include "cuda_runtime_api.h"

#endif
