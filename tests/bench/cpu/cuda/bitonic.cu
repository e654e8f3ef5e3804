#include "../problem/bitonic.h"
#include "host.h"

enum { THREADS = 512, CHUNK = 2 * THREADS };

__device__ void order(unsigned &low, unsigned &high, bool up) {
    if ((low > high) == up) {
        unsigned kept = low;
        low = high;
        high = kept;
    }
}

// A thread has a pair in each step: elements i and i + j.
__device__ unsigned first_of_pair(unsigned thread, unsigned j) {
    return 2 * thread - (thread & (j - 1));
}

__device__ void merge(unsigned *chunk, unsigned begin, unsigned k, unsigned largest_j) {
    for (unsigned j = largest_j; j > 0; j >>= 1) {
        unsigned i = first_of_pair(threadIdx.x, j);
        order(chunk[i], chunk[i + j], ((begin + i) & k) == 0);
        __syncthreads();
    }
}

// All stages within chunks, in shared memory.
__global__ void sort_chunks(unsigned *data) {
    __shared__ unsigned chunk[CHUNK];
    unsigned begin = blockIdx.x * CHUNK;
    chunk[threadIdx.x] = data[begin + threadIdx.x];
    chunk[threadIdx.x + THREADS] = data[begin + threadIdx.x + THREADS];
    __syncthreads();
    for (unsigned k = 2; k <= CHUNK; k *= 2)
        merge(chunk, begin, k, k / 2);
    data[begin + threadIdx.x] = chunk[threadIdx.x];
    data[begin + threadIdx.x + THREADS] = chunk[threadIdx.x + THREADS];
}

// One step of stage k between chunks.
__global__ void merge_step(unsigned *data, unsigned k, unsigned j) {
    unsigned i = first_of_pair(blockIdx.x * blockDim.x + threadIdx.x, j);
    order(data[i], data[i + j], (i & k) == 0);
}

// The last steps of stage k, within chunks.
__global__ void merge_chunks(unsigned *data, unsigned k) {
    __shared__ unsigned chunk[CHUNK];
    unsigned begin = blockIdx.x * CHUNK;
    chunk[threadIdx.x] = data[begin + threadIdx.x];
    chunk[threadIdx.x + THREADS] = data[begin + threadIdx.x + THREADS];
    __syncthreads();
    merge(chunk, begin, k, CHUNK / 2);
    data[begin + threadIdx.x] = chunk[threadIdx.x];
    data[begin + threadIdx.x + THREADS] = chunk[threadIdx.x + THREADS];
}

int main(int argc, char **argv) {
    bench::start(argc, argv);
    problem p;
    device_array<unsigned> data(p.n);
    const unsigned chunks = p.n / CHUNK;
    measure(
        [&] {
            sort_chunks<<<chunks, THREADS>>>(data);
            for (unsigned k = 2 * CHUNK; k <= p.n; k *= 2) {
                for (unsigned j = k / 2; j >= CHUNK; j /= 2)
                    merge_step<<<chunks, THREADS>>>(data, k, j);
                merge_chunks<<<chunks, THREADS>>>(data, k);
            }
        },
        [&] { data.set(p.start.data()); });
    data.get(p.data);
    return bench::report(p);
}
