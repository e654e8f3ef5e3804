// Kernels of one stream while one of another stream runs, which doesn't end before they are done.
// Where they are kept back, this program never ends. Nodes need two workers each for it.
#include <cstdio>
#include <cstdlib>
#include <vector>

const int COUNT = 1 << 16;
const size_t BYTES = COUNT * sizeof(int);

static void check(cudaError_t error) {
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void await(const volatile int *flag, int *out, int value) {
    while (*flag < value)
        ;
    out[0] = value;
}

/// Nodes get a cell of each other.
__global__ void blur(const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left = i > 0 ? in[i - 1] : 0, right = i < COUNT - 1 ? in[i + 1] : 0;
    out[i] = left + 2 * in[i] + right;
}

/// Nodes put together what they add.
__global__ void count(const int *in, int *sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&sums[in[i] & 15], 1);
}

__global__ void add(const int *awaited, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] += awaited[0];
}

static void print(const char *what, const int *device) {
    std::vector<int> host(COUNT);
    unsigned hash = 2166136261u;
    check(cudaMemcpy(host.data(), device, BYTES, cudaMemcpyDeviceToHost));
    for (int value : host)
        hash = (hash ^ (unsigned)value) * 16777619u;
    printf("%s %08x\n", what, hash);
}

static void expect_waiting(cudaStream_t stream, const char *what) {
    if (cudaStreamQuery(stream) != cudaErrorNotReady)
        printf("%s hasn't waited\n", what);
}

int main() {
    const int threads = 256, blocks = COUNT / threads;
    int *a, *b, *sums, *out, *flag;
    cudaStream_t streams[3];
    cudaEvent_t event;
    check(cudaMalloc(&a, BYTES));
    check(cudaMalloc(&b, BYTES));
    check(cudaMalloc(&sums, BYTES));
    check(cudaMalloc(&out, sizeof(int)));
    check(cudaMallocHost(&flag, sizeof(int)));
    for (cudaStream_t &stream : streams)
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    check(cudaEventCreate(&event));
    std::vector<int> host(COUNT);
    for (int i = 0; i < COUNT; i++)
        host[i] = i * 7;
    check(cudaMemcpy(a, host.data(), BYTES, cudaMemcpyHostToDevice));
    *flag = 0;

    for (int round = 1; round <= 6; round++) {
        cudaStream_t waiting = streams[round % 3], busy = streams[(round + 1) % 3],
                     other = streams[(round + 2) % 3];
        await<<<1, 1, 0, waiting>>>(flag, out, round);
        check(cudaMemsetAsync(sums, 0, BYTES, busy));
        for (int step = 0; step < 10; step++) {
            blur<<<blocks, threads, 0, busy>>>(a, b);
            blur<<<blocks, threads, 0, busy>>>(b, a);
        }
        count<<<blocks, threads, 0, busy>>>(a, sums);
        check(cudaStreamSynchronize(busy));
        print("beside it", a);
        print("sums", sums);
        check(cudaMemcpyAsync(b, sums, BYTES, cudaMemcpyDeviceToDevice, other));
        check(cudaStreamSynchronize(other));
        print("copied", b);
        expect_waiting(waiting, "the kernel");

        // What depends on it waits for it, whatever says so.
        if (round % 2 == 0) {
            check(cudaEventRecord(event, waiting));
            check(cudaStreamWaitEvent(busy, event, 0));
            add<<<blocks, threads, 0, busy>>>(out, a);
            expect_waiting(busy, "what uses it");
        } else {
            add<<<blocks, threads, 0, waiting>>>(out, a);
        }
        *(volatile int *)flag = round;
        check(cudaDeviceSynchronize());
        print("after it", a);
    }
    return 0;
}
