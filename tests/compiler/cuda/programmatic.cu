// A launch that may begin before the one ahead of it in the stream has finished, and waits for what
// that one writes: programmatic dependent launches.
#include <cstdio>

enum { COUNT = 1000, BLOCK = 100 };

__global__ void produce(int *out) {
    cudaTriggerProgrammaticLaunchCompletion();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;
}

__global__ void consume(const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cudaGridDependencySynchronize();
    out[i] = in[COUNT - 1 - i] + 1;
}

int main() {
    int *first, *second;
    cudaMallocManaged(&first, COUNT * sizeof *first);
    cudaMallocManaged(&second, COUNT * sizeof *second);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t configuration = {};
    configuration.gridDim = dim3(COUNT / BLOCK);
    configuration.blockDim = dim3(BLOCK);
    configuration.attrs = &attribute;
    configuration.numAttrs = 1;
    produce<<<COUNT / BLOCK, BLOCK>>>(first);
    if (cudaLaunchKernelEx(&configuration, consume, (const int *)first, second) != cudaSuccess ||
        cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    for (int i = 0; i < COUNT; i++) {
        if (second[i] != COUNT - i) {
            printf("%d: %d\n", i, second[i]);
            return 2;
        }
    }
    cudaFree(first);
    cudaFree(second);
}
