// Streams and events of several devices: who waits for whom, and when something counts as done.
#include <atomic>
#include <ctime>

#include "check.h"

__global__ void doze(int *out, int value, int milliseconds) {
    for (int i = 0; i < milliseconds; i++)
        __nanosleep(1000000);
    *out = value;
}

__global__ void add(int *out, const int *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] += in[i] + 1;
}

static void rules(int count) {
    cudaStream_t first, last;
    cudaEvent_t a, b, c;
    int *memory, device = -1;
    CHECK(cudaSetDevice(0));
    CHECK(cudaStreamCreate(&first));
    CHECK(cudaEventCreate(&a));
    CHECK(cudaSetDevice(count - 1));
    CHECK(cudaMalloc(&memory, sizeof *memory));
    CHECK(cudaStreamCreate(&last));
    CHECK(cudaEventCreate(&b));
    CHECK(cudaEventCreate(&c));
    CHECK(cudaStreamGetDevice(last, &device));
    REQUIRE(device == count - 1);
    CHECK(cudaStreamGetDevice(0, &device));
    REQUIRE(device == count - 1);
    CHECK(cudaEventRecord(b, last));
    if (count > 1) {
        float time;
        CHECK(cudaEventRecord(a, first)); // whatever device is in use
        CHECK(cudaStreamSynchronize(first));
        CHECK(cudaStreamSynchronize(last));
        EXPECT(cudaEventRecord(a, last), cudaErrorInvalidResourceHandle);
        EXPECT(cudaEventElapsedTime(&time, a, b), cudaErrorInvalidResourceHandle);
        doze<<<1, 1, 0, first>>>(memory, 1, 0);
        EXPECT(cudaGetLastError(), cudaErrorInvalidResourceHandle);
        CHECK(cudaMemsetAsync(memory, 0, sizeof *memory, first)); // copies may
        CHECK(cudaStreamWaitEvent(first, b));
    }
    CHECK(cudaStreamSynchronize(last));
    cudaGetLastError();
}

// An event of a device isn't reached, a function isn't called, before the device is there.
static void ends(int count) {
    for (int i = 0; i < count; i++) {
        cudaEvent_t begin, end;
        cudaStream_t stream;
        int *pinned, *memory;
        float time;
        static std::atomic<int> calls;
        CHECK(cudaSetDevice(i));
        CHECK(cudaStreamCreate(&stream));
        CHECK(cudaEventCreate(&begin));
        CHECK(cudaEventCreate(&end));
        CHECK(cudaMalloc(&memory, sizeof *memory));
        CHECK(cudaMallocHost(&pinned, sizeof *pinned));
        CHECK(cudaEventRecord(begin, stream));
        doze<<<1, 1, 0, stream>>>(memory, 7 + i, 40);
        CHECK(cudaEventRecord(end, stream));
        CHECK(cudaMemcpyAsync(pinned, memory, sizeof *pinned, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaLaunchHostFunc(stream, [](void *data) { calls += *(int *)data >= 7; }, pinned));
        CHECK(cudaSetDevice(0)); // they can be waited for from anywhere
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventQuery(end));
        CHECK(cudaEventElapsedTime(&time, begin, end));
        REQUIRE(time >= 40 && time < 100000); // far more if two clocks are mixed up
        while (cudaStreamQuery(stream) == cudaErrorNotReady)
            ;
        CHECK(cudaStreamQuery(stream));
        REQUIRE(calls == i + 1 && *pinned == 7 + i);
        CHECK(cudaFree(memory));
        CHECK(cudaFreeHost(pinned));
        CHECK(cudaStreamDestroy(stream));
    }
}

// What another device does for one stream isn't in the times of another stream, and what a stream
// comes after lies before its events.
static void times_beside(int count) {
    cudaEvent_t begin, end;
    cudaStream_t behind, other, streams[2];
    int *own, *far;
    if (count == 1)
        return;
    CHECK(cudaSetDevice(count - 1));
    CHECK(cudaMalloc(&far, sizeof *far));
    CHECK(cudaStreamCreate(&other));
    CHECK(cudaSetDevice(0));
    CHECK(cudaMalloc(&own, sizeof *own));
    CHECK(cudaStreamCreate(&behind));
    CHECK(cudaStreamCreate(&streams[0]));
    streams[1] = behind;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (cudaStream_t stream : streams) {
        float time;
        CHECK(cudaSetDevice(count - 1));
        doze<<<1, 1, 0, other>>>(far, 1, 100);
        CHECK(cudaSetDevice(0));
        CHECK(
            cudaMemsetAsync(far, 0, sizeof *far, behind)); // done by the device, after it has dozed
        CHECK(cudaEventRecord(begin, stream));
        doze<<<1, 1, 0, stream>>>(own, 1, 20);
        CHECK(cudaEventRecord(end, stream));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&time, begin, end));
        REQUIRE(time >= 20 && time < 100000);
        CHECK(cudaDeviceSynchronize());
    }
}

static double now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

// A device that is waited for has done everything.
static void synchronize(int count) {
    int *memory;
    CHECK(cudaSetDevice(count - 1));
    CHECK(cudaMalloc(&memory, sizeof *memory));
    double begin = now();
    doze<<<1, 1>>>(memory, 1, 40);
    CHECK(cudaDeviceSynchronize());
    REQUIRE(now() - begin >= 40);
    CHECK(cudaFree(memory));
}

// What the first device is busy with doesn't keep the program from using the others.
static void beside(int count) {
    const int n = 100000;
    int *busy, *memory;
    std::vector<int> host(n, 3);
    cudaStream_t first;
    if (count == 1)
        return;
    CHECK(cudaSetDevice(0));
    CHECK(cudaMalloc(&busy, sizeof *busy));
    CHECK(cudaStreamCreate(&first));
    doze<<<1, 1, 0, first>>>(busy, 1, 2000);
    for (int i = 1; i < count; i++) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaMalloc(&memory, n * sizeof(int)));
        CHECK(cudaMemcpy(memory, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
        add<<<(n + 255) / 256, 256>>>(memory, memory, n);
        REQUIRE(fetch(memory, n)[n - 1] == 7);
    }
    EXPECT(cudaStreamQuery(first), cudaErrorNotReady);
    CHECK(cudaStreamSynchronize(first));
    REQUIRE(fetch(busy, 1)[0] == 1);
    cudaGetLastError();
}

// Values go round all devices, each step behind an event of the one before it.
static void chain(int count) {
    const int n = 50000;
    std::vector<int *> memory(count);
    std::vector<cudaStream_t> streams(count);
    std::vector<cudaEvent_t> done(count);
    for (int i = 0; i < count; i++) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaMalloc(&memory[i], n * sizeof(int)));
        CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming));
        CHECK(cudaMemsetAsync(memory[i], 0, n * sizeof(int), streams[i]));
    }
    for (int step = 0; step < 3 * count; step++) {
        int i = step % count, next = (step + 1) % count;
        CHECK(cudaSetDevice(i));
        add<<<(n + 255) / 256, 256, 0, streams[i]>>>(memory[i], memory[i], n);
        CHECK(cudaMemcpyPeerAsync(memory[next], next, memory[i], i, n * sizeof(int), streams[i]));
        CHECK(cudaEventRecord(done[i], streams[i]));
        CHECK(cudaStreamWaitEvent(streams[next], done[i]));
    }
    CHECK(cudaStreamSynchronize(streams[0]));
    std::vector<int> host = fetch(memory[0], n);
    REQUIRE(host[0] == (1 << 3 * count) - 1 && host[n - 1] == host[0]);
}

int main() {
    int count = device_count();
    rules(count);
    ends(count);
    times_beside(count);
    synchronize(count);
    beside(count);
    chain(count);
    puts("right");
}
