// cuFFT's extended interface, on one device: plans by types of elements, and memory by descriptors.
// More devices and transforms of half precision are refused by name, as are callbacks: a kernel
// before or after the transform does the same.
#ifndef GCLUSTER_CUFFTXT_H
#define GCLUSTER_CUFFTXT_H

#include "cudalibxt.h"
#include "cufft.h"

typedef enum cufftXtSubFormat_t {
    CUFFT_XT_FORMAT_INPUT = 0,
    CUFFT_XT_FORMAT_OUTPUT = 1,
    CUFFT_XT_FORMAT_INPLACE = 2,
    CUFFT_XT_FORMAT_INPLACE_SHUFFLED = 3,
    CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED = 4,
    CUFFT_XT_FORMAT_DISTRIBUTED_INPUT = 5,
    CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT = 6,
    CUFFT_FORMAT_UNDEFINED = 7
} cufftXtSubFormat;

typedef enum cufftXtCopyType_t {
    CUFFT_COPY_HOST_TO_DEVICE = 0,
    CUFFT_COPY_DEVICE_TO_HOST = 1,
    CUFFT_COPY_DEVICE_TO_DEVICE = 2,
    CUFFT_COPY_UNDEFINED = 3
} cufftXtCopyType;

typedef enum cufftXtQueryType_t {
    CUFFT_QUERY_1D_FACTORS = 0,
    CUFFT_QUERY_UNDEFINED = 1
} cufftXtQueryType;

typedef enum cufftXtWorkAreaPolicy_t {
    CUFFT_WORKAREA_MINIMAL = 0,
    CUFFT_WORKAREA_USER = 1,
    CUFFT_WORKAREA_PERFORMANCE = 2
} cufftXtWorkAreaPolicy;

typedef enum cufftXtCallbackType_t {
    CUFFT_CB_LD_COMPLEX = 0,
    CUFFT_CB_LD_COMPLEX_DOUBLE = 1,
    CUFFT_CB_LD_REAL = 2,
    CUFFT_CB_LD_REAL_DOUBLE = 3,
    CUFFT_CB_ST_COMPLEX = 4,
    CUFFT_CB_ST_COMPLEX_DOUBLE = 5,
    CUFFT_CB_ST_REAL = 6,
    CUFFT_CB_ST_REAL_DOUBLE = 7,
    CUFFT_CB_UNDEFINED = 8
} cufftXtCallbackType;

#define GCL_FFT_CALLBACKS(letter, element)                                                         \
    typedef element (*cufftCallbackLoad##letter)(void *in, size_t offset, void *info,              \
                                                 void *shared);                                    \
    typedef void (*cufftCallbackStore##letter)(void *out, size_t offset, element value,            \
                                               void *info, void *shared);
GCL_FFT_CALLBACKS(C, cufftComplex)
GCL_FFT_CALLBACKS(Z, cufftDoubleComplex)
GCL_FFT_CALLBACKS(R, cufftReal)
GCL_FFT_CALLBACKS(D, cufftDoubleReal)
#undef GCL_FFT_CALLBACKS

#ifdef __cplusplus
extern "C" {
#endif

#define GCL_FFT_XT                                                                                 \
    int rank, long long *n, long long *inembed, long long istride, long long idist,                \
        cudaDataType intype, long long *onembed, long long ostride, long long odist,               \
        cudaDataType outtype, long long batch, size_t *size, cudaDataType executiontype

/// All three types are of 32 or of 64 bits, and the last one is complex. CUFFT_NOT_SUPPORTED, after
/// a message: of half precision.
cufftResult cufftXtMakePlanMany(cufftHandle plan, GCL_FFT_XT);
cufftResult cufftXtGetSizeMany(cufftHandle plan, GCL_FFT_XT);
/// A transform of whatever kind the plan is for; `direction` counts for complex ones.
cufftResult cufftXtExec(cufftHandle plan, void *in, void *out, int direction);

/// A plan is for one device. CUFFT_NOT_IMPLEMENTED, after a message: several are asked for.
cufftResult cufftXtSetGPUs(cufftHandle plan, int count, int *devices);
/// Memory for one side of the plan's transform, or for both in one place.
cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc **descriptor, cufftXtSubFormat format);
/// Waits. One side is a descriptor, or both are; which side of the transform is copied says the
/// descriptor's format, or for one in place the direction of the copy.
cufftResult cufftXtMemcpy(cufftHandle plan, void *to, void *from, cufftXtCopyType type);
cufftResult cufftXtFree(cudaLibXtDesc *descriptor);

cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out,
                                  int direction);
cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out,
                                     int direction);
cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out,
                                     int direction);
cufftResult cufftXtExecDescriptorR2C(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out);
cufftResult cufftXtExecDescriptorC2R(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out);
cufftResult cufftXtExecDescriptorD2Z(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out);
cufftResult cufftXtExecDescriptorZ2D(cufftHandle plan, cudaLibXtDesc *in, cudaLibXtDesc *out);

// Work areas, as in cufft.h.
cufftResult cufftXtSetWorkArea(cufftHandle plan, void **areas);
cufftResult cufftXtSetWorkAreaPolicy(cufftHandle plan, cufftXtWorkAreaPolicy policy, size_t *size);

// CUFFT_NOT_IMPLEMENTED, after a message.
cufftResult cufftXtSetCallback(cufftHandle plan, void **functions, cufftXtCallbackType type,
                               void **infos);
cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType type);
cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType type, size_t size);
cufftResult cufftXtSetJITCallback(cufftHandle plan, const char *name, const void *code, size_t size,
                                  cufftXtCallbackType type, void **infos);
cufftResult cufftXtQueryPlan(cufftHandle plan, void *out, cufftXtQueryType type);

#ifdef __cplusplus
}
#endif
#endif
