// Kernels that launch kernels: what children see and leave, their order, and what goes wrong.
// RUN: %gcluster-cc -O2 %s -o %t
// RUN: %t
// RUN: env GCL_SPLIT=always LSAN_OPTIONS=detect_leaks=0 %gcluster-run -n 3 %t
// RUN: %gcluster-cc -rdc=true -O1 %s -o %t.parts -lcudadevrt
// RUN: %t.parts
// RUN: %gcluster-cc -O1 --explain %s -o %t.told | FileCheck %s
// CHECK: hand_out: runs on one node
// CHECK: GCL210
#include <cstdio>
#include <cstdlib>

#define CHECK(x)                                                                                   \
    do {                                                                                           \
        if (!(x)) {                                                                                \
            printf("line %d: %s\n", __LINE__, #x);                                                 \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

enum { COUNT = 3000, TREE = 4 };

__device__ int leaves;
__device__ int log_of[64], logged;

struct part {
    int begin, end;
    double scale;
};

// What all nodes have written, children read.
__global__ void fill(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = i;
}

static __global__ void leaf() {
    atomicAdd(&leaves, 1);
}

template <int ways> __global__ void grow(int depth) {
    if (depth == 0)
        leaf<<<1, 2>>>();
    else
        grow<ways><<<dim3(1, 1), ways>>>(depth - 1);
}

namespace {
__global__ void scale(const int *in, double *out, part p, float add) {
    int i = p.begin + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.end)
        out[i] = in[i] * p.scale + add;
}
} // namespace

__device__ void launch_part(const int *in, double *out, int begin, int end) {
    part p = {begin, end, 2};
    scale<<<ceilf((end - begin) / 32.0f), 32>>>(in, out, p, 1);
}

__global__ void share_out(const int *in, double *out, int n) {
    int size = (n + gridDim.x - 1) / gridDim.x, begin = blockIdx.x * size;
    if (threadIdx.x == 0 && begin < n)
        launch_part(in, out, begin, min(begin + size, n));
}

__global__ void note(int what) {
    log_of[atomicAdd(&logged, 1)] = what;
    if (what == 2)
        note<<<1, 1>>>(3); // before what its launching block launches next
}

__global__ void in_order(int *seen) {
    cudaStream_t s;
    seen[0] = cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(9);
    note<<<1, 1>>>(1);
    note<<<1, 1, 0, s>>>(2);
    note<<<1, 1, 64, cudaStreamFireAndForget>>>(4);
    seen[1] = cudaStreamDestroy(s);
    seen[2] = logged; // no child runs yet
}

__global__ void fail(int *errors) {
    int t = threadIdx.x;
    leaf<<<1, t % 2 ? 0 : 1>>>();
    errors[3 * t] = cudaPeekAtLastError();
    errors[3 * t + 1] = cudaGetLastError();
    errors[3 * t + 2] = cudaGetLastError();
}

__global__ void descend(int *deepest, int *error, int depth) {
    *deepest = depth;
    descend<<<1, 1>>>(deepest, error, depth + 1);
    *error = cudaGetLastError();
}

__global__ void take(int **kept) {
    *kept = 0;
    if (cudaMalloc(kept, 40 * sizeof(int)) == cudaSuccess)
        fill<<<2, 20>>>(*kept, 40);
}
__global__ void give(int **kept, int *sum) {
    for (int i = 0; i < 40; i++)
        *sum += (*kept)[i];
    cudaFree(*kept);
}

// Of kernels of one name, one has as many parameters as there are arguments.
__global__ void halve(int *p);
__global__ void halve(int *p, unsigned begin, int n) {
    if (threadIdx.x < n)
        p[begin + threadIdx.x] /= 2;
    if (threadIdx.x == 0 && begin + n < 64)
        halve<<<1, 32>>>(p, begin + n, min(32, 64 - (int)begin - n));
}

enum { MANY = 200000 };

// Copies and fills are grids between others.
__global__ void copy(int *to, int *from, cudaError_t *errors) {
    fill<<<MANY / 200, 200>>>(from, MANY);
    errors[0] = cudaMemcpyAsync(to, from, MANY * sizeof *to, cudaMemcpyDeviceToDevice, 0);
    errors[1] = cudaMemsetAsync(from, 1, MANY * sizeof *to - 4);
    errors[2] = cudaMemcpyAsync(to, from, 0, cudaMemcpyDefault);
    errors[3] = cudaMemcpyAsync(to, from, 4, cudaMemcpyDeviceToHost);
    halve<<<1, 20>>>(to, 0u, 20);
}

// Tickets that several nodes would give twice.
__device__ int tickets;
__global__ void take_ticket(int *taken) {
    taken[atomicAdd(&tickets, 1)] += 1;
}
__global__ void hand_out(int *taken) {
    take_ticket<<<1, 1>>>(taken);
}

static int leaves_now() {
    int count;
    CHECK(cudaMemcpyFromSymbol(&count, leaves, sizeof count) == cudaSuccess);
    return count;
}

static void test_data() {
    int *in;
    double *out, *host = new double[COUNT];
    CHECK(cudaMalloc(&in, COUNT * sizeof *in) == cudaSuccess);
    CHECK(cudaMalloc(&out, COUNT * sizeof *out) == cudaSuccess);
    for (int round = 0; round < 2; round++) {
        fill<<<COUNT / 100, 100>>>(in, COUNT);
        share_out<<<7, 4>>>(in, out, COUNT);
        scale<<<COUNT / 100, 100>>>(in, out, part{0, 100, 3}, 0);
        CHECK(cudaMemcpy(host, out, COUNT * sizeof *out, cudaMemcpyDeviceToHost) == cudaSuccess);
        for (int i = 0; i < COUNT; i++)
            CHECK(host[i] == (i < 100 ? 3.0 * i : 2.0 * i + 1));
    }
    delete[] host;
    cudaFree(in);
    cudaFree(out);
}

static void test_tickets() {
    int *device, host[COUNT];
    CHECK(cudaMalloc(&device, sizeof host) == cudaSuccess);
    CHECK(cudaMemset(device, 0, sizeof host) == cudaSuccess);
    hand_out<<<COUNT, 1>>>(device);
    CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 0; i < COUNT; i++)
        CHECK(host[i] == 1);
    cudaFree(device);
}

static void test_order(int *device) {
    int seen[3], log[6];
    in_order<<<1, 1>>>(device);
    CHECK(cudaMemcpy(seen, device, sizeof seen, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(seen[0] == 0 && seen[1] == 0 && seen[2] == 0);
    CHECK(cudaMemcpyFromSymbol(log, log_of, sizeof log) == cudaSuccess);
    for (int i = 0; i < 4; i++)
        CHECK(log[i] == i + 1);
    CHECK(log[4] == 9 && log[5] == 0);
}

static void test_errors(int *device) {
    int errors[12], before = leaves_now();
    fail<<<1, 4>>>(device);
    CHECK(cudaMemcpy(errors, device, sizeof errors, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int t = 0; t < 4; t++) {
        int wanted = t % 2 ? cudaErrorInvalidConfiguration : cudaSuccess;
        CHECK(errors[3 * t] == wanted && errors[3 * t + 1] == wanted && errors[3 * t + 2] == 0);
    }
    CHECK(leaves_now() == before + 2);
    descend<<<1, 1>>>(device, device + 1, 0);
    CHECK(cudaMemcpy(errors, device, 8, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(errors[0] == 24 && errors[1] == cudaErrorLaunchMaxDepthExceeded);
}

static void test_copies() {
    static int to[MANY], from[MANY];
    int *device;
    cudaError_t errors[4], *of;
    CHECK(cudaMalloc(&device, 2 * sizeof to) == cudaSuccess);
    CHECK(cudaMalloc(&of, sizeof errors) == cudaSuccess);
    copy<<<1, 1>>>(device, device + MANY, of);
    CHECK(cudaMemcpy(to, device, sizeof to, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(cudaMemcpy(from, device + MANY, sizeof from, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(cudaMemcpy(errors, of, sizeof errors, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 0; i < MANY; i++) {
        CHECK(to[i] == (i < 64 ? i / 2 : i));
        CHECK(from[i] == (i < MANY - 1 ? 0x01010101 : i));
    }
    CHECK(!errors[0] && !errors[1] && !errors[2]);
    CHECK(errors[3] == cudaErrorInvalidMemcpyDirection);
    cudaFree(device);
    cudaFree(of);
}

int main() {
    int *device, **kept, sum = 0;
    grow<2><<<3, 1>>>(TREE);
    CHECK(leaves_now() == 3 * 2 * (1 << TREE));
    test_data();
    test_tickets();
    test_copies();
    CHECK(cudaMalloc(&device, 64) == cudaSuccess && cudaMalloc(&kept, sizeof *kept) == cudaSuccess);
    test_order(device);
    test_errors(device);
    CHECK(cudaMemset(device, 0, 4) == cudaSuccess);
    take<<<1, 1>>>(kept);
    give<<<1, 1>>>(kept, device);
    CHECK(cudaMemcpy(&sum, device, sizeof sum, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(sum == 39 * 40 / 2);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    puts("ok");
}
