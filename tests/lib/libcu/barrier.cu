// cuda::barrier and cuda::pipeline: threads meet at barriers, producers fill stages for consumers,
// threads copy for themselves.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/utility>

#include <cstdio>

__global__ void rotate(int *values, int rounds) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int shared[256];
    if (threadIdx.x == 0)
        init(&barrier, blockDim.x);
    __syncthreads();
    int *own = &values[blockIdx.x * blockDim.x + threadIdx.x], value = *own;
    for (int r = 0; r < rounds; r++) {
        shared[threadIdx.x] = value;
        barrier.arrive_and_wait();
        value = shared[(threadIdx.x + 1) % blockDim.x];
        auto token = barrier.arrive();
        barrier.wait(cuda::std::move(token));
    }
    *own = value;
}

__global__ void reverse(const int *in, int *out, int rows) {
    __shared__ int stages[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    bool produces = threadIdx.x < 64;
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state,
                                    produces ? cuda::pipeline_role::producer
                                             : cuda::pipeline_role::consumer);
    for (int i = 0; i < rows; i++) {
        if (produces) {
            pipe.producer_acquire();
            cuda::memcpy_async(&stages[i % 2][threadIdx.x], in + i * 64 + threadIdx.x, sizeof(int),
                               pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            out[i * 64 + threadIdx.x - 64] = stages[i % 2][127 - threadIdx.x];
            pipe.consumer_release();
        }
    }
}

__global__ void reverse_quads(const int4 *in, int4 *out) {
    __shared__ int4 shared[64];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&shared[threadIdx.x], in + threadIdx.x, cuda::aligned_size_t<16>(16), pipe);
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    __syncthreads();
    out[threadIdx.x] = shared[63 - threadIdx.x];
}

int main() {
    enum { COUNT = 512 };
    int host[COUNT], *values, *other, failed = 0;
    cudaMalloc(&values, sizeof host);
    cudaMalloc(&other, sizeof host);
    for (int i = 0; i < COUNT; i++)
        host[i] = i;
    cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
    rotate<<<2, 256>>>(values, 5);
    reverse<<<1, 128>>>(values, other, COUNT / 64);
    cudaMemcpy(host, other, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++) {
        int place = i / 64 * 64 + 63 - i % 64;
        failed += host[i] != place / 256 * 256 + (place % 256 + 5) % 256;
    }
    reverse_quads<<<1, 64>>>(reinterpret_cast<int4 *>(other), reinterpret_cast<int4 *>(values));
    cudaMemcpy(&host[256], values, 256 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; i++)
        failed += host[256 + i] != host[(63 - i / 4) * 4 + i % 4];
    printf("%d failed\n", failed);
    return failed > 0;
}
