// NVRTC: gcluster/nvrtc.h has it.
#ifndef GCLUSTER_CUDA_NVRTC_H
#define GCLUSTER_CUDA_NVRTC_H
#define __NVRTC_H__ // programs ask for it

#include "gcluster/nvrtc.h"

#endif
