#include <cuda_runtime.h>
#include <nvToolsExt.h>
#include <cuComplex.h>
#include <cuda.h>
#include <library_types.h>

int ask(struct cudaDeviceProp *properties, cudaStream_t stream) {
    float4 v = make_float4(1, 2, 3, 4);
    dim3 grid;
    struct cudaExtent extent = make_cudaExtent(1, 2, 3);
    enum cudaMemcpyKind kind = cudaMemcpyHostToDevice;
    cudaError_t error = cudaGetDeviceProperties(properties, 0);
    grid.x = 4;
    nvtxRangePush("ask");
    nvtxRangePop();
    (void)stream;
    return error == cudaSuccess ? (int)(v.w + grid.x + extent.depth + kind) : (int)cuInit(0);
}
