// NVRTC: gcluster/nvrtc.h has it.
#ifndef GCLUSTER_CUDA_NVRTC_H
#define GCLUSTER_CUDA_NVRTC_H

#include "gcluster/nvrtc.h"

#endif
