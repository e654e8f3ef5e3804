// Copies from several devices to the host: none waits for another device, and what the program does
// before and after them with the same memory keeps its place.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "check.h"

enum { COUNT = 3000, ROUNDS = 40, MOST = 4, NOTHING = -1 };

__global__ void step(const int *in, int *out, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * 3 + value + i;
}

__global__ void spin(int *out, long count) {
    unsigned value = 1;
    for (long i = 0; i < count; i++)
        value = value * 1103515245 + (value >> 7);
    *out = (int)(value >> 1); // not NOTHING
}

struct Device {
    int *a, *b, *back; ///< `back` is the host's
    cudaStream_t stream;
    cudaEvent_t done;
    std::vector<int> wanted;
};

static int count;
static Device devices[MOST];

static void fill_host(void *device) {
    Device *d = (Device *)device;
    for (int i = 0; i < COUNT; i++)
        d->back[i]++;
}

/// There and back, in each device's stream, with the host's memory used again at once.
static void round_trips() {
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < count; k++) {
            Device &d = devices[k];
            CHECK(cudaSetDevice(k));
            CHECK(cudaMemcpyAsync(d.a, d.back, COUNT * sizeof(int), cudaMemcpyHostToDevice,
                                  d.stream));
            step<<<COUNT / 100, 100, 0, d.stream>>>(d.a, d.b, round + k);
            CHECK(cudaMemcpyAsync(d.back, d.b, COUNT * sizeof(int), cudaMemcpyDeviceToHost,
                                  d.stream));
            if (round % 7 == k)
                CHECK(cudaLaunchHostFunc(d.stream, fill_host, &d));
            for (int i = 0; i < COUNT; i++)
                d.wanted[i] = d.wanted[i] * 3 + round + k + i + (round % 7 == k);
        }
        if (round % 10 == 9)
            CHECK(cudaDeviceSynchronize());
    }
}

/// Whether what the second device has for the host is there while the first one's still computes.
static bool overlap() {
    for (int k = 1; k < 3; k++) {
        CHECK(cudaSetDevice(k));
        *devices[k].back = NOTHING;
        spin<<<1, 1, 0, devices[k].stream>>>(devices[k].a, k == 1 ? 300000000 : 1);
        CHECK(cudaMemcpyAsync(devices[k].back, devices[k].a, COUNT * sizeof(int),
                              cudaMemcpyDeviceToHost, devices[k].stream));
        CHECK(cudaEventRecord(devices[k].done, devices[k].stream));
    }
    CHECK(cudaEventSynchronize(devices[2].done));
    bool is_first = *(volatile int *)devices[1].back == NOTHING;
    CHECK(cudaEventSynchronize(devices[1].done));
    return is_first && *devices[1].back != NOTHING;
}

int main() {
    CHECK(cudaGetDeviceCount(&count));
    count = count < MOST ? count : MOST;
    for (int k = 0; k < count; k++) {
        Device &d = devices[k];
        CHECK(cudaSetDevice(k));
        CHECK(cudaMalloc(&d.a, COUNT * sizeof(int)));
        CHECK(cudaMalloc(&d.b, COUNT * sizeof(int)));
        CHECK(cudaMallocHost(&d.back, COUNT * sizeof(int)));
        CHECK(cudaStreamCreate(&d.stream));
        CHECK(cudaEventCreate(&d.done));
        d.wanted.resize(COUNT);
        for (int i = 0; i < COUNT; i++)
            d.wanted[i] = d.back[i] = i * k;
    }
    round_trips();
    for (int k = 0; k < count; k++) {
        CHECK(cudaSetDevice(k));
        CHECK(cudaStreamSynchronize(devices[k].stream));
        if (std::vector<int>(devices[k].back, devices[k].back + COUNT) != devices[k].wanted) {
            printf("wrong: device %d\n", k);
            return 1;
        }
    }
    if (count >= 3 && !overlap()) {
        puts("wrong: device 2 waited for device 1");
        return 1;
    }
    puts("right");
    return 0;
}
