// CUDA's headers for a host compiler, before those of the C++ library.
#include <cuda_runtime.h>

#include <cuComplex.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp8.h>
#include <cuda_occupancy.h>
#include <cuda_profiler_api.h>
#include <device_functions.h>
#include <device_launch_parameters.h>
#include <library_types.h>
#include <math_constants.h>
#include <nccl.h>
#include <nvml.h>
#include <nvrtc.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvtx3.hpp>

#include <functional>
#include <memory>
#include <thread>

static_assert(sizeof(__half) == 2 && sizeof(float4) == 16, "types are those of the device");
std::shared_ptr<float4> vector = std::make_shared<float4>(make_float4(1, 2, 3, 4));
