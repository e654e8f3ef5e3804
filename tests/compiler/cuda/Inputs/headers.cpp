// Host code, which may take any header first. clang-format off
// Macros that X11's headers have defined by then where a program draws with GLX.
#define Success 0
#define None 0L
#define Bool int
#define Status int
#define True 1
#define False 0
#define Always 2
#define Complex 0
#include <curand.h>
#ifndef __CUDA_RUNTIME_H__
#error curand.h brings the runtime's header, as programs take for granted
#endif
#include <curand_kernel.h>
#include <builtin_types.h>
#include <channel_descriptor.h>
#include <cooperative_groups.h>
#include <cublas_api.h>
#include <cublas_v2.h>
#include <cublasLt.h>
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <cuda_occupancy.h>
#include <cuda_pipeline.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <cudaProfiler.h>
#include <cufft.h>
#include <cusparse.h>
#include <device_atomic_functions.h>
#include <device_functions.h>
#include <device_launch_parameters.h>
#include <device_types.h>
#include <driver_functions.h>
#include <driver_types.h>
#include <host_defines.h>
#include <library_types.h>
#include <math_constants.h>
#include <math_functions.h>
#include <mma.h>
#include <nvml.h>
#include <nvrtc.h>
#include <nvToolsExt.h>
#include <nvToolsExtCudaRt.h>
#include <sm_20_atomic_functions.h>
#include <sm_20_intrinsics.h>
#include <sm_30_intrinsics.h>
#include <sm_32_atomic_functions.h>
#include <sm_32_intrinsics.h>
#include <sm_35_atomic_functions.h>
#include <sm_35_intrinsics.h>
#include <sm_60_atomic_functions.h>
#include <sm_60_intrinsics.h>
#include <sm_61_intrinsics.h>
#include <sm_70_intrinsics.h>
#include <sm_70_rt.h>
#include <sm_80_intrinsics.h>
#include <sm_80_rt.h>
#include <sm_90_rt.h>
#include <surface_types.h>
#include <texture_types.h>
#include <vector_functions.h>
#include <vector_types.h>

float third(void) {
    return CUDART_THIRD_F;
}
double pi(void) {
    return CUDART_PI;
}
