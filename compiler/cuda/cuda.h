// The driver API: gcluster/driver.h has it, gcluster/driver_functions.h says what functions do.
#ifndef GCLUSTER_CUDA_H
#define GCLUSTER_CUDA_H
#define __cuda_cuda_h__ // programs ask for it

#include "cuda_runtime_api.h"

#include "gcluster/driver.h"

#endif
