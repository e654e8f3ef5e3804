// Random commands on buffers of several devices, in streams of theirs, ordered by events; what the
// buffers hold is compared with what the same commands make of arrays on the host.
#include <algorithm>
#include <random>

#include "check.h"

enum { BUFFERS = 9, SIZE = 3000, STEPS = 700 };

__device__ int weight = 1;

__global__ void mix(int *a, const int *b, int n, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = a[i] * 3 + b[i] + k * weight;
}

__global__ void scatter(int *a, const int *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&a[(unsigned)b[i] % n], i);
}

struct buffer {
    int device;
    int *memory;
    std::vector<int> model;
    cudaStream_t stream;
    cudaEvent_t used; // by the latest command
};

struct run {
    std::mt19937 random;
    std::vector<buffer> buffers;
    std::vector<int> weights; // of each device
    int *pinned;              // a part for each step

    int below(int limit) { return (int)(random() % (unsigned)limit); }
};

// The stream of one, behind what has used the other.
static cudaStream_t begin(buffer &a, buffer &b) {
    CHECK(cudaSetDevice(a.device));
    CHECK(cudaStreamWaitEvent(a.stream, b.used));
    return a.stream;
}

static void end(buffer &a, buffer &b) {
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(a.used, a.stream));
    CHECK(cudaStreamWaitEvent(b.stream, a.used));
    CHECK(cudaSetDevice(b.device));
    CHECK(cudaEventRecord(b.used, b.stream));
}

static void check(buffer &b) {
    std::vector<int> host(SIZE);
    CHECK(cudaMemcpyAsync(host.data(), b.memory, SIZE * sizeof(int), cudaMemcpyDeviceToHost,
                          b.stream));
    CHECK(cudaStreamSynchronize(b.stream));
    for (int i = 0; i < SIZE; i++)
        REQUIRE(host[i] == b.model[i]);
}

static void renew(buffer &b) {
    CHECK(cudaFreeAsync(b.memory, b.stream));
    CHECK(cudaMallocAsync((void **)&b.memory, SIZE * sizeof(int), b.stream));
    CHECK(cudaMemsetAsync(b.memory, 0x11, SIZE * sizeof(int), b.stream));
    b.model.assign(SIZE, 0x11111111);
}

static void command(run &r, int step) {
    buffer &a = r.buffers[r.below(BUFFERS)], &b = r.buffers[r.below(BUFFERS)];
    const int blocks = (SIZE + 127) / 128, at = r.below(SIZE / 2), n = 1 + r.below(SIZE / 2);
    cudaStream_t stream = begin(a, b);
    int *pinned = r.pinned + step * SIZE;
    switch (r.below(8)) {
    case 0:
    case 1:
        mix<<<blocks, 128, 0, stream>>>(a.memory, b.memory, SIZE, step);
        for (int i = 0; i < SIZE; i++)
            a.model[i] = (int)(a.model[i] * 3u + (unsigned)b.model[i] +
                               (unsigned)(step * r.weights[a.device]));
        break;
    case 2:
        if (&a != &b) {
            scatter<<<blocks, 128, 0, stream>>>(a.memory, b.memory, SIZE);
            for (int i = 0; i < SIZE; i++)
                a.model[(unsigned)b.model[i] % SIZE] += i;
        }
        break;
    case 3:
        if (&a != &b) {
            CHECK(cudaMemcpyPeerAsync(a.memory + at, a.device, b.memory, b.device, n * sizeof(int),
                                      stream));
            std::copy_n(b.model.begin(), n, a.model.begin() + at);
        }
        break;
    case 4:
        CHECK(cudaMemsetAsync(a.memory + at, step, n * sizeof(int), stream));
        std::fill_n(a.model.begin() + at, n, (step & 255) * 0x01010101);
        break;
    case 5:
        for (int i = 0; i < n; i++)
            a.model[at + i] = pinned[i] = (int)r.random();
        CHECK(cudaMemcpyAsync(a.memory + at, pinned, n * sizeof(int), cudaMemcpyHostToDevice,
                              stream));
        break;
    case 6:
        check(a);
        break;
    default:
        renew(a);
    }
    end(a, b);
    if (r.below(40) == 0) {
        CHECK(cudaSetDevice(a.device));
        CHECK(cudaDeviceSynchronize());
        r.weights[a.device] = step;
        CHECK(cudaMemcpyToSymbol(weight, &step, sizeof step));
        CHECK(cudaDeviceSynchronize());
    }
}

int main() {
    int count = device_count();
    for (int seed = 0; seed < 3; seed++) {
        run r = {std::mt19937(seed), std::vector<buffer>(BUFFERS), std::vector<int>(count, 1)};
        CHECK(cudaMallocHost(&r.pinned, (size_t)STEPS * SIZE * sizeof(int)));
        for (int i = 0; i < BUFFERS; i++) {
            buffer &b = r.buffers[i];
            b.device = i % count;
            CHECK(cudaSetDevice(b.device));
            CHECK(cudaStreamCreateWithFlags(&b.stream, cudaStreamNonBlocking));
            CHECK(cudaEventCreateWithFlags(&b.used, cudaEventDisableTiming));
            CHECK(cudaMallocAsync((void **)&b.memory, SIZE * sizeof(int), b.stream));
            CHECK(cudaMemsetAsync(b.memory, 0, SIZE * sizeof(int), b.stream));
            b.model.assign(SIZE, 0);
            for (int peer = 0; peer < count && seed == 0; peer++)
                if (peer != b.device && i < count)
                    CHECK(cudaDeviceEnablePeerAccess(peer, 0));
            CHECK(cudaMemcpyToSymbol(weight, &r.weights[b.device], sizeof(int)));
        }
        for (int step = 0; step < STEPS; step++)
            command(r, step);
        for (buffer &b : r.buffers) {
            check(b);
            CHECK(cudaFreeAsync(b.memory, b.stream));
            CHECK(cudaStreamDestroy(b.stream));
            CHECK(cudaEventDestroy(b.used));
        }
        CHECK(cudaFreeHost(r.pinned));
    }
    puts("right");
}
