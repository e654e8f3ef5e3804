// NVTX's names for what the runtime has. A stream's line of the trace gets its name; the trace
// shows neither devices nor events by name.
#ifndef GCLUSTER_NVTX_CUDA_RT_H
#define GCLUSTER_NVTX_CUDA_RT_H

#include "../cuda_runtime_api.h"

#include "nvToolsExt.h"

#ifdef __cplusplus
extern "C" {
#endif

extern void __gclNameStreamA(cudaStream_t __stream,
                             const char *__name) __asm__("nvtxNameCudaStreamA")
    __attribute__((weak));
extern void __gclNameStreamW(cudaStream_t __stream,
                             const wchar_t *__name) __asm__("nvtxNameCudaStreamW")
    __attribute__((weak));

static inline void nvtxNameCudaStreamA(cudaStream_t __stream,
                                       const char *__name) __asm__("__gcl_nvtxNameCudaStreamA");
static inline void nvtxNameCudaStreamA(cudaStream_t __stream, const char *__name) {
    if (__gclNameStreamA)
        __gclNameStreamA(__stream, __name);
}
static inline void nvtxNameCudaStreamW(cudaStream_t __stream,
                                       const wchar_t *__name) __asm__("__gcl_nvtxNameCudaStreamW");
static inline void nvtxNameCudaStreamW(cudaStream_t __stream, const wchar_t *__name) {
    if (__gclNameStreamW)
        __gclNameStreamW(__stream, __name);
}
static inline void nvtxNameCudaDeviceA(int __device __attribute__((unused)),
                                       const char *__name __attribute__((unused))) {
}
static inline void nvtxNameCudaDeviceW(int __device __attribute__((unused)),
                                       const wchar_t *__name __attribute__((unused))) {
}
static inline void nvtxNameCudaEventA(cudaEvent_t __event __attribute__((unused)),
                                      const char *__name __attribute__((unused))) {
}
static inline void nvtxNameCudaEventW(cudaEvent_t __event __attribute__((unused)),
                                      const wchar_t *__name __attribute__((unused))) {
}

#ifdef __cplusplus
}
#endif

#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA

#endif
