// Latches and semaphores on devices and on the host, and text that depends on which it is.
#include <cuda/latch>
#include <cuda/semaphore>
#include <nv/target>

#include <cstdio>

enum { BLOCKS = 6, THREADS = 64 };

/// All see what all have written before they came to the latch.
__global__ void meet(cuda::latch<cuda::thread_scope_device> *latch, int *values, int *sums) {
    if (threadIdx.x == 0) {
        values[blockIdx.x] = blockIdx.x + 1;
        latch->arrive_and_wait();
        int sum = 0;
        for (int i = 0; i < BLOCKS; i++)
            sum += *const_cast<volatile int *>(&values[i]);
        sums[blockIdx.x] = sum;
    }
}

/// Additions that aren't atomic, by whoever holds the pass.
__global__ void add(cuda::binary_semaphore<cuda::thread_scope_device> *pass, int *sum) {
    if (threadIdx.x != 0)
        return;
    for (int i = 0; i < 50; i++) {
        pass->acquire();
        *const_cast<volatile int *>(sum) = *const_cast<volatile int *>(sum) + 1;
        pass->release();
    }
}

__host__ __device__ int where() {
    int place = 0;
    NV_IF_TARGET(NV_IS_HOST, (place = 1;))
    NV_IF_ELSE_TARGET(NV_IS_DEVICE, (int two = 2; place += two;), (place += 10;))
    NV_DISPATCH_TARGET(NV_PROVIDES_SM_35, (place += 100;), NV_IS_DEVICE, (return 0;), NV_ANY_TARGET,
                       (place += 200;))
    NV_DISPATCH_TARGET(NV_NO_TARGET, (return 0;))
    return place;
}
__global__ void tell(int *place) {
    *place = where();
}

template <class T> static T *place_of(T *, size_t count = 1) {
    void *pointer;
    cudaMallocManaged(&pointer, count * sizeof(T));
    cudaMemset(pointer, 0, count * sizeof(T));
    return static_cast<T *>(pointer);
}

int main() {
    int failed = 0, *values = place_of((int *)0, BLOCKS), *sums = place_of((int *)0, BLOCKS);
    int *sum = place_of((int *)0), *place = place_of((int *)0);
    auto latch = new (place_of((cuda::latch<cuda::thread_scope_device> *)0))
        cuda::latch<cuda::thread_scope_device>(BLOCKS);
    auto pass = new (place_of((cuda::binary_semaphore<cuda::thread_scope_device> *)0))
        cuda::binary_semaphore<cuda::thread_scope_device>(1);
    meet<<<BLOCKS, THREADS>>>(latch, values, sums);
    add<<<BLOCKS, THREADS>>>(pass, sum);
    tell<<<1, 1>>>(place);
    failed += cudaDeviceSynchronize() != cudaSuccess;
    for (int i = 0; i < BLOCKS; i++)
        failed += sums[i] != BLOCKS * (BLOCKS + 1) / 2;
    failed += *sum != 50 * BLOCKS || *place != 102 || where() != 211;
    failed += !latch->try_wait() || !pass->try_acquire() || pass->try_acquire();
    printf("%d failed\n", failed);
    return failed > 0;
}
