// Random kernels, copies and sets in several streams, ordered by nothing but events where one needs
// what another one makes, or overwrites what it reads; against the same on the host.
//
//     streams [<seed> <operations>]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum { STREAMS = 4, ARRAYS = 3, CHUNKS = 4, PINNED = 5, RESOURCES = ARRAYS * CHUNKS + PINNED };
const int COUNT = 1 << 18; // of a chunk: 1 MiB, which goes on from node 0

static uint64_t state;

static int below(int limit) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)(state % limit);
}

static void check(cudaError_t error) {
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void combine(const int *a, const int *b, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 3 * a[i] + b[COUNT - 1 - i];
}

__global__ void halve(const int *a, int *out, int first) {
    int i = first + blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[i] / 2 + first;
}

__global__ void scatter(const int *a, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[(7 * i + 5) & (COUNT - 1)] = a[i];
}

__global__ void count(const int *a, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&out[a[i] & 15], 1);
}

/// A chunk of device memory, or pinned memory of that size.
struct Resource {
    int *memory;
    std::vector<int> truth;
    cudaEvent_t written, read[STREAMS];
};

static Resource resources[RESOURCES];
static cudaStream_t streams[STREAMS];

static bool is_pinned(const Resource &r) {
    return &r >= &resources[ARRAYS * CHUNKS];
}

static void before_read(Resource &r, int stream) {
    check(cudaStreamWaitEvent(streams[stream], r.written, 0));
}

static void before_write(Resource &r, int stream) {
    before_read(r, stream);
    for (int i = 0; i < STREAMS; i++)
        check(cudaStreamWaitEvent(streams[stream], r.read[i], 0));
}

static void after_read(Resource &r, int stream) {
    check(cudaEventRecord(r.read[stream], streams[stream]));
}

static void after_write(Resource &r, int stream) {
    check(cudaEventRecord(r.written, streams[stream]));
}

static void run_kernel(int stream, Resource &a, Resource &b, Resource &out) {
    const int kind = below(6), blocks = COUNT / 256, half = COUNT / 2;
    before_read(a, stream);
    before_read(b, stream);
    before_write(out, stream);
    if (kind < 2)
        halve<<<blocks / 2, 256, 0, streams[stream]>>>(a.memory, out.memory, half);
    else if (kind < 4)
        combine<<<blocks, 256, 0, streams[stream]>>>(a.memory, b.memory, out.memory);
    else if (kind == 4)
        scatter<<<blocks, 256, 0, streams[stream]>>>(a.memory, out.memory);
    else
        count<<<blocks, 256, 0, streams[stream]>>>(a.memory, out.memory);
    after_read(a, stream);
    after_read(b, stream);
    after_write(out, stream);
    for (int i = kind < 2 ? half : 0; i < COUNT; i++) {
        if (kind < 2)
            out.truth[i] = a.truth[i] / 2 + half;
        else if (kind < 4)
            out.truth[i] = 3 * a.truth[i] + b.truth[COUNT - 1 - i];
        else if (kind == 4)
            out.truth[(7 * i + 5) & (COUNT - 1)] = a.truth[i];
        else
            out.truth[a.truth[i] & 15]++;
    }
}

static void copy(int stream, Resource &from, Resource &to) {
    int first = below(2) * COUNT / 4, count = COUNT - first;
    before_read(from, stream);
    before_write(to, stream);
    check(cudaMemcpyAsync(to.memory + first, from.memory + first, count * sizeof(int),
                          cudaMemcpyDefault, streams[stream]));
    after_read(from, stream);
    after_write(to, stream);
    memcpy(&to.truth[first], &from.truth[first], count * sizeof(int));
}

static void set(int stream, Resource &to) {
    int value = below(3);
    before_write(to, stream);
    check(cudaMemsetAsync(to.memory, value, COUNT * sizeof(int), streams[stream]));
    after_write(to, stream);
    memset(to.truth.data(), value, COUNT * sizeof(int));
}

static void check_host(Resource &r) {
    check(cudaEventSynchronize(r.written));
    if (memcmp(r.memory, r.truth.data(), COUNT * sizeof(int)) != 0) {
        printf("pinned memory is wrong\n");
        exit(1);
    }
}

static void write_host(Resource &r) {
    check(cudaEventSynchronize(r.written));
    for (int i = 0; i < STREAMS; i++)
        check(cudaEventSynchronize(r.read[i]));
    int seed = below(1 << 20);
    for (int i = 0; i < COUNT; i++)
        r.memory[i] = r.truth[i] = seed + i * 7;
}

static Resource &any(int first, int count) {
    return resources[first + below(count)];
}

static Resource &chunk() {
    return any(0, ARRAYS * CHUNKS);
}

static Resource &host() {
    return any(ARRAYS * CHUNKS, PINNED);
}

static void start() {
    for (int i = 0; i < STREAMS; i++)
        check(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    for (int i = 0; i < RESOURCES; i++) {
        Resource &r = resources[i];
        if (is_pinned(r)) {
            check(cudaMallocHost(&r.memory, COUNT * sizeof(int)));
            memset(r.memory, 0, COUNT * sizeof(int));
        } else if (i % CHUNKS == 0) {
            check(cudaMalloc(&r.memory, CHUNKS * COUNT * sizeof(int)));
            check(cudaMemset(r.memory, 0, CHUNKS * COUNT * sizeof(int)));
        } else {
            r.memory = resources[i - 1].memory + COUNT;
        }
        r.truth.assign(COUNT, 0);
        check(cudaEventCreateWithFlags(&r.written, cudaEventDisableTiming));
        for (int k = 0; k < STREAMS; k++)
            check(cudaEventCreateWithFlags(&r.read[k], cudaEventDisableTiming));
    }
    check(cudaDeviceSynchronize());
}

int main(int argc, char **argv) {
    state = 88172645463325252u + (argc > 1 ? atoi(argv[1]) : 0);
    const int operations = argc > 2 ? atoi(argv[2]) : 300;
    start();
    for (int i = 0; i < operations; i++) {
        int stream = below(STREAMS), kind = below(16);
        Resource &a = chunk(), &b = chunk(), &out = chunk();
        if (kind < 5 && &a != &out && &b != &out)
            run_kernel(stream, a, b, out);
        else if (kind < 8)
            copy(stream, host(), out);
        else if (kind < 11)
            copy(stream, a, host());
        else if (kind == 11 && &a != &out)
            copy(stream, a, out);
        else if (kind == 12)
            set(stream, out);
        else if (kind == 13)
            check_host(host());
        else if (kind == 14)
            write_host(host());
    }
    check(cudaDeviceSynchronize());
    std::vector<int> result(COUNT);
    for (Resource &r : resources) {
        check(cudaMemcpy(result.data(), r.memory, COUNT * sizeof(int), cudaMemcpyDefault));
        if (result != r.truth)
            printf("resource %d is wrong\n", (int)(&r - resources));
    }
    puts("done");
    return 0;
}
