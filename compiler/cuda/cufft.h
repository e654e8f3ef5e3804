// cuFFT: Fourier transforms in one to three dimensions. runtime/lib/fft does them with FFTW.
#ifndef GCLUSTER_CUFFT_H
#define GCLUSTER_CUFFT_H
#define _CUFFT_H_ // programs ask for it

#include <cuComplex.h>
#include <cuda_runtime_api.h>
#include <library_types.h>

#define CUFFT_VER_MAJOR 11
#define CUFFT_VER_MINOR 3
#define CUFFT_VER_PATCH 3
#define CUFFT_VER_BUILD 0
#define CUFFT_VERSION (CUFFT_VER_MAJOR * 1000 + CUFFT_VER_MINOR * 100 + CUFFT_VER_PATCH)

#ifndef CUFFTAPI
#define CUFFTAPI
#endif

typedef enum cufftResult_t {
    CUFFT_SUCCESS,
    CUFFT_INVALID_PLAN,
    CUFFT_ALLOC_FAILED,
    CUFFT_INVALID_TYPE,
    CUFFT_INVALID_VALUE,
    CUFFT_INTERNAL_ERROR,
    CUFFT_EXEC_FAILED,
    CUFFT_SETUP_FAILED,
    CUFFT_INVALID_SIZE,
    CUFFT_UNALIGNED_DATA,
    CUFFT_INCOMPLETE_PARAMETER_LIST,
    CUFFT_INVALID_DEVICE,
    CUFFT_PARSE_ERROR,
    CUFFT_NO_WORKSPACE,
    CUFFT_NOT_IMPLEMENTED,
    CUFFT_LICENSE_ERROR,
    CUFFT_NOT_SUPPORTED,
    CUFFT_MISSING_DEPENDENCY,
    CUFFT_NVRTC_FAILURE,
    CUFFT_NVJITLINK_FAILURE,
    CUFFT_NVSHMEM_FAILURE
} cufftResult;

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef int cufftHandle;

#define CUFFT_FORWARD (-1)
#define CUFFT_INVERSE 1
#define CUFFT_PLAN_NULL (-1)

typedef enum cufftType_t {
    CUFFT_C2C = 0x29,
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_Z2Z = 0x69,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c
} cufftType;

typedef enum cufftCompatibility_t { CUFFT_COMPATIBILITY_FFTW_PADDING = 1 } cufftCompatibility;
#define CUFFT_COMPATIBILITY_DEFAULT CUFFT_COMPATIBILITY_FFTW_PADDING

typedef enum cufftProperty_t {
    NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT = 1,
    NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS = 2
} cufftProperty;

#ifdef __cplusplus
extern "C" {
#endif

// What a plan of each rank is made from.
#define GCL_FFT_1D int nx, cufftType type, int batch
#define GCL_FFT_2D int nx, int ny, cufftType type
#define GCL_FFT_3D int nx, int ny, int nz, cufftType type
#define GCL_FFT_MANY_OF(integer)                                                                   \
    int rank, integer *n, integer *inembed, integer istride, integer idist, integer *onembed,      \
        integer ostride, integer odist, cufftType type, integer batch
#define GCL_FFT_MANY GCL_FFT_MANY_OF(int)
#define GCL_FFT_MANY64 GCL_FFT_MANY_OF(long long)

cufftResult cufftPlan1d(cufftHandle *plan, GCL_FFT_1D);
cufftResult cufftPlan2d(cufftHandle *plan, GCL_FFT_2D);
cufftResult cufftPlan3d(cufftHandle *plan, GCL_FFT_3D);
cufftResult cufftPlanMany(cufftHandle *plan, GCL_FFT_MANY);

cufftResult cufftCreate(cufftHandle *plan);
cufftResult cufftDestroy(cufftHandle plan);
cufftResult cufftMakePlan1d(cufftHandle plan, GCL_FFT_1D, size_t *size);
cufftResult cufftMakePlan2d(cufftHandle plan, GCL_FFT_2D, size_t *size);
cufftResult cufftMakePlan3d(cufftHandle plan, GCL_FFT_3D, size_t *size);
cufftResult cufftMakePlanMany(cufftHandle plan, GCL_FFT_MANY, size_t *size);
cufftResult cufftMakePlanMany64(cufftHandle plan, GCL_FFT_MANY64, size_t *size);

// Work areas: none is needed on the device, and one that is given isn't used. Sizes are 0.
cufftResult cufftEstimate1d(GCL_FFT_1D, size_t *size);
cufftResult cufftEstimate2d(GCL_FFT_2D, size_t *size);
cufftResult cufftEstimate3d(GCL_FFT_3D, size_t *size);
cufftResult cufftEstimateMany(GCL_FFT_MANY, size_t *size);
cufftResult cufftGetSize1d(cufftHandle plan, GCL_FFT_1D, size_t *size);
cufftResult cufftGetSize2d(cufftHandle plan, GCL_FFT_2D, size_t *size);
cufftResult cufftGetSize3d(cufftHandle plan, GCL_FFT_3D, size_t *size);
cufftResult cufftGetSizeMany(cufftHandle plan, GCL_FFT_MANY, size_t *size);
cufftResult cufftGetSizeMany64(cufftHandle plan, GCL_FFT_MANY64, size_t *size);
cufftResult cufftGetSize(cufftHandle plan, size_t *size);
cufftResult cufftSetWorkArea(cufftHandle plan, void *area);
cufftResult cufftSetAutoAllocation(cufftHandle plan, int allocates);

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction);
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out);
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out);
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out,
                         int direction);
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out);
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out);

cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
cufftResult cufftSetCompatibilityMode(cufftHandle plan, cufftCompatibility mode);
cufftResult cufftGetVersion(int *version);
cufftResult cufftGetProperty(libraryPropertyType type, int *value);
cufftResult cufftSetPlanPropertyInt64(cufftHandle plan, cufftProperty property, long long value);
cufftResult cufftGetPlanPropertyInt64(cufftHandle plan, cufftProperty property, long long *value);
cufftResult cufftResetPlanProperty(cufftHandle plan, cufftProperty property);

#ifdef __cplusplus
}
#endif
#endif
