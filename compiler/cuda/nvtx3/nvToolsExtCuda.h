// NVTX's names for what the driver API has: a stream's line of the trace gets its name.
#ifndef GCLUSTER_NVTX_CUDA_H
#define GCLUSTER_NVTX_CUDA_H

#include "../cuda.h"

#include "nvToolsExtCudaRt.h"

static inline void nvtxNameCuDeviceA(CUdevice __device __attribute__((unused)),
                                     const char *__name __attribute__((unused))) {
}
static inline void nvtxNameCuContextA(CUcontext __context __attribute__((unused)),
                                      const char *__name __attribute__((unused))) {
}
static inline void nvtxNameCuStreamA(CUstream __stream, const char *__name) {
    nvtxNameCudaStreamA((cudaStream_t)__stream, __name);
}
static inline void nvtxNameCuEventA(CUevent __event __attribute__((unused)),
                                    const char *__name __attribute__((unused))) {
}

#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA

#endif
