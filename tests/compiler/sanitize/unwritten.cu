// Reads of what nobody wrote: seven programs, each with its twin, and what is none.
// RUN: %gcluster-cc -O1 --sanitize=init %s -o %t
// RUN: %t right 2>&1 | FileCheck --check-prefix=RIGHT --implicit-check-not=init: %s
// RUN: not %t wrong > %t.out 2>&1
// RUN: FileCheck -D#MAKE=116 %s < %t.out
// RUN: %python %S/Inputs/page.py %S/../../../compiler/sanitizers.md %s < %t.out
// RUN: %gcluster-cc -O1 --sanitize=footprint %s -o %t
// RUN: %t wrong 2>&1 | FileCheck --check-prefix=RIGHT --implicit-check-not=init: %s
// RIGHT: the end
#include <cstdio>
#include <cstring>

const int threads = 64;

__global__ void twice(const int *in, int *out) {
    int t = threadIdx.x;
    out[t] = 2 * in[t]; // CHECK-DAG: init: {{.*}}unwritten.cu:[[#@LINE]] (block (0,0,0), thread (0,0,0)) reads 4 bytes, and nobody wrote in (byte 0 of the 256 allocated at {{.*}}unwritten.cu:[[#MAKE]]), kernel twice
}

__global__ void thrice(const int *in, int *out) {
    int t = threadIdx.x;
    out[t] = 3 * in[t]; // CHECK-DAG: init: {{.*}}unwritten.cu:[[#@LINE]] (block (0,0,0), thread (63,0,0)) reads 4 bytes, and nobody wrote in+252 (byte 252 of the 256 allocated at {{.*}}unwritten.cu:[[#MAKE]]), kernel thrice
}

// 3. Elements that no thread filled.
template <bool is_right> __global__ void gaps(int *out) {
    __shared__ int tile[threads];
    int t = threadIdx.x;
    if (is_right || t % 2 == 0)
        tile[t] = t;
    __syncthreads();
    out[t] = tile[threads - 1 - t]; // CHECK-DAG: init: {{.*}}unwritten.cu:[[#@LINE]] (block (0,0,0), thread (0,0,0)) reads 4 bytes, and nobody wrote shared memory+252, kernel gaps<>
}

// 4. A sum that nobody set to zero.
template <bool is_right> __global__ void sum(int *out) {
    __shared__ int total;
    if (is_right && threadIdx.x == 0)
        total = 0;
    __syncthreads();
    atomicAdd(&total, threadIdx.x); // CHECK-DAG: init: {{.*}}unwritten.cu:[[#@LINE]] (block (0,0,0), thread (0,0,0)) changes atomically 4 bytes, and nobody wrote shared memory+0, kernel sum<>
    __syncthreads();
    out[threadIdx.x] = total;
}

__global__ void add(const float *in, float *out) {
    int t = threadIdx.x;
    out[t] = in[t] + 1; // CHECK-DAG: init: {{.*}}unwritten.cu:[[#@LINE]] (block (0,0,0), thread (16,0,0)) reads 4 bytes, and nobody wrote in+64 (byte 64 of the 256 allocated at {{.*}}unwritten.cu:[[#MAKE]]), kernel add
}

__global__ void even(int *out) { out[2 * threadIdx.x] = threadIdx.x; }

__global__ void negate(const int *in, int *out) {
    int t = threadIdx.x;
    out[t] = -in[t]; // CHECK-DAG: init: {{.*}}unwritten.cu:[[#@LINE]] (block (0,0,0), thread (1,0,0)) reads 4 bytes, and nobody wrote in+4 (byte 4 of the 256 allocated at {{.*}}unwritten.cu:[[#MAKE]]), kernel negate
}

__global__ void halve(const int *in, int *out) {
    int t = threadIdx.x;
    out[t] = in[t] / 2; // CHECK-DAG: init: {{.*}}unwritten.cu:[[#@LINE]] (block (0,0,0), thread (0,0,0)) reads 4 bytes, and nobody wrote in (byte 0 of the 256 allocated at {{.*}}unwritten.cu:[[#MAKE]]), kernel halve
}

// CHECK: the end
struct padded {
    char small;
    int large;
};

__global__ void fill(padded *p) {
    p[threadIdx.x].small = 1;
    p[threadIdx.x].large = 2;
}

__global__ void assign(padded *to, const padded *from) { to[threadIdx.x] = from[threadIdx.x]; }

__global__ void members(const padded *p, int *out) {
    out[threadIdx.x] = p[threadIdx.x].small + p[threadIdx.x].large;
}

__device__ int table[threads];

__global__ void variables(int *out, const int *managed, const int *pinned) {
    int t = threadIdx.x;
    out[t] = table[t] + managed[t] + pinned[t];
}

// What isn't a mistake: padding, copies of what nobody wrote, memory that the host writes, variables
// without an initialiser, which are zero, and boxes that are copied.
void others(int *out) {
    padded *p, *q;
    int *managed, *pinned, *raw, *copy;
    size_t pitch;
    static int host[threads];
    cudaMalloc(&p, threads * sizeof *p);
    cudaMalloc(&q, threads * sizeof *q);
    fill<<<1, threads>>>(p);
    assign<<<1, threads>>>(q, p);
    members<<<1, threads>>>(q, out);
    cudaMallocManaged(&managed, threads * sizeof(int));
    cudaMallocHost(&pinned, threads * sizeof(int));
    for (int i = 0; i < threads; i++)
        managed[i] = pinned[i] = i;
    variables<<<1, threads>>>(out, managed, pinned);
    cudaMalloc(&raw, threads * sizeof(int));
    cudaMalloc(&copy, threads * sizeof(int));
    cudaMemcpy(copy, raw, threads * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaMemcpy(host, copy, threads * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMallocPitch(&raw, &pitch, threads * sizeof(int), 2);
    cudaMemcpy2D(raw, pitch, host, threads * sizeof(int), threads * sizeof(int), 1, cudaMemcpyHostToDevice);
    twice<<<1, threads>>>(raw, out);
    cudaDeviceSynchronize();
}

int *make() {
    int *memory;
    cudaMalloc(&memory, threads * sizeof(int));
    return memory;
}

void run(bool is_right, int *out) {
    static int host[threads];
    const size_t size = threads * sizeof(int);
    int *never = make(), *part = make(), *bytes = make(), *odd = make(), *again = make();
    if (is_right)
        cudaMemcpy(never, host, size, cudaMemcpyHostToDevice);
    twice<<<1, threads>>>(never, out); // 1. nothing is written
    cudaMemcpy(part, host, size - (is_right ? 0 : sizeof(int)), cudaMemcpyHostToDevice);
    thrice<<<1, threads>>>(part, out); // 2. one element is missing
    if (is_right) {
        gaps<true><<<1, threads>>>(out);
        sum<true><<<1, threads>>>(out);
    } else {
        gaps<false><<<1, threads>>>(out);
        sum<false><<<1, threads>>>(out);
    }
    cudaMemset(bytes, 0, is_right ? size : threads);
    add<<<1, threads>>>((float *)bytes, (float *)out); // 5. elements are not bytes
    even<<<1, threads / 2>>>(odd);
    if (is_right)
        even<<<1, threads / 2>>>(odd + 1);
    negate<<<1, threads>>>(odd, out); // 6. a kernel left every second one out
    cudaMemset(again, 0, size);
    cudaFree(again);
    again = make();
    if (is_right)
        cudaMemset(again, 0, size);
    halve<<<1, threads>>>(again, out); // 7. what was written there before is gone
}

int main(int, char **arguments) {
    int *out;
    cudaMalloc(&out, threads * sizeof(int));
    bool is_right = strcmp(arguments[1], "right") == 0;
    run(is_right, out);
    if (is_right)
        others(out);
    cudaError_t error = cudaDeviceSynchronize();
    fflush(stderr);
    printf("%s\n", error == cudaSuccess ? "the end" : cudaGetErrorString(error));
}
