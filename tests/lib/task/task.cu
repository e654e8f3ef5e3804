// What a library does on the host, between kernels that share their blocks out.
#include "gcluster/task.h"

#include <cstdint>
#include <cstdio>

static void reverse(void *const *buffers, const void *payload) {
    const float *in = static_cast<const float *>(buffers[0]);
    float *out = static_cast<float *>(buffers[1]);
    uint64_t count = *static_cast<const uint64_t *>(payload);
    for (uint64_t i = 0; i < count; i++)
        out[i] = in[count - 1 - i];
    for (uint64_t i = 0; i < count / 2; i++)
        static_cast<float *>(buffers[2])[i] += out[i]; // the other half stays as it is
}
GCL_TASK(reverse_task, "reverse", reverse)

__global__ void twice(const float *in, float *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = 2 * in[i];
}

int main() {
    enum { COUNT = 1000 };
    static float host[COUNT], sums[COUNT];
    const uint64_t count = COUNT, size = sizeof host;
    float *a, *b, *sum;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    for (int i = 0; i < COUNT; i++)
        host[i] = i;
    cudaMalloc(&a, size);
    cudaMalloc(&b, size);
    cudaMalloc(&sum, size);
    cudaMemcpy(a, host, size, cudaMemcpyHostToDevice);
    cudaMemcpy(sum, host, size, cudaMemcpyHostToDevice);
    const struct gcl_buffer buffers[] = {{b, size, GCL_BUFFER_READ},
                                         {a, size, GCL_BUFFER_WRITE},
                                         {sum, size, GCL_BUFFER_READ | GCL_BUFFER_WRITE},
                                         {nullptr, 0, GCL_BUFFER_READ}};
    for (int k = 0; k < 4; k++) {
        twice<<<8, 128, 0, stream>>>(a, b, COUNT);
        if (gclLaunchTask(&reverse_task, buffers, 4, &count, sizeof count, stream))
            return 1;
    }
    cudaMemcpyAsync(host, a, size, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(sums, sum, size, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < COUNT; i++) {
        float back = COUNT - 1 - i, added = 2 * back + 4 * i + 8 * back + 16 * i;
        if (host[i] != 16 * i || sums[i] != i + (i < COUNT / 2 ? added : 0)) {
            printf("%d: %g %g\n", i, host[i], sums[i]);
            return 1;
        }
    }
    if (gclLaunchTask(&reverse_task, buffers, 9, &count, sizeof count, stream) !=
        gclErrorInvalidValue)
        return 2;
    return cudaGetLastError() != cudaErrorInvalidValue;
}
