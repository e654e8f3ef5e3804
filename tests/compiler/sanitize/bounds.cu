// Accesses outside of memory, one a run: six programs, each with its twin. Any checker finds those in global memory.
// RUN: %gcluster-cc -O1 --sanitize=init,sync %s -o %t
// RUN: %t right 2>&1 | FileCheck --check-prefix=RIGHT --implicit-check-not=bounds: %s
// RUN: not %t behind > %t.behind 2>&1
// RUN: FileCheck --check-prefix=BEHIND %s < %t.behind
// RUN: not %t front > %t.front 2>&1
// RUN: FileCheck --check-prefix=FRONT %s < %t.front
// RUN: not %t rows > %t.rows 2>&1
// RUN: FileCheck --check-prefix=ROWS %s < %t.rows
// RUN: not %t shared > %t.shared 2>&1
// RUN: FileCheck --check-prefix=SHARED %s < %t.shared
// RUN: not %t dynamic > %t.dynamic 2>&1
// RUN: FileCheck --check-prefix=DYNAMIC %s < %t.dynamic
// RUN: not %t freed > %t.freed 2>&1
// RUN: FileCheck --check-prefix=FREED %s < %t.freed
// RUN: cat %t.behind %t.front %t.rows %t.shared %t.dynamic %t.freed > %t.out
// RUN: %python %S/Inputs/page.py %S/../../../compiler/sanitizers.md %s < %t.out
// RIGHT: the end
#include <cstdio>
#include <cstring>

const int threads = 64;

// 1. No comparison with the number of elements.
template <bool is_right> __global__ void behind(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (!is_right || i < n)
        out[i] = i; // BEHIND: bounds: {{.*}}bounds.cu:[[#@LINE]]: kernel behind<>, block (1,0,0), thread (36,0,0) writes 4 bytes at out+400, outside of any allocation; out leads to one of 400 bytes{{$}}
}

// 2. The neighbour of the first element.
template <bool is_right> __global__ void front(const int *in, int *out) {
    int t = threadIdx.x;
    out[t] = !is_right || t > 0 ? in[t - 1] : 0; // FRONT: bounds: {{.*}}bounds.cu:[[#@LINE]]: kernel front<>, block (0,0,0), thread (0,0,0) reads 4 bytes at in-4, outside of any allocation; in leads to one of 256 bytes{{$}}
}

// 3. Rows and columns, mixed up.
template <bool is_right> __global__ void rows(int *out, int width, int height) {
    int x = threadIdx.x, y = blockIdx.x;
    out[is_right ? y * width + x : x * width + y] = x; // ROWS: bounds: {{.*}}bounds.cu:[[#@LINE]]: kernel rows<>, block (0,0,0), thread (4,0,0) writes 4 bytes at out+256, outside of any allocation; out leads to one of 256 bytes{{$}}
}

// 4. One element too few in shared memory.
template <bool is_right> __global__ void shared(int *out) {
    __shared__ int tile[threads];
    int t = threadIdx.x;
    tile[is_right ? t : t + 1] = t; // SHARED: bounds: {{.*}}bounds.cu:[[#@LINE]]: kernel shared<>, block (0,0,0), thread (63,0,0) writes 4 bytes at shared memory+256, outside of the block's 256 bytes
    __syncthreads();
    out[t] = tile[t ^ 1];
}

// 5. A launch with too little dynamic shared memory.
__global__ void dynamic(int *out) {
    extern __shared__ int words[];
    int t = threadIdx.x;
    words[t] = t; // DYNAMIC: bounds: {{.*}}bounds.cu:[[#@LINE]]: kernel dynamic, block (0,0,0), thread (16,0,0) writes 4 bytes at shared memory+64, outside of the block's 64 bytes
    __syncthreads();
    out[t] = words[t ^ 1];
}

// 6. Memory that was freed.
__global__ void freed(const int *in, int *out) {
    out[threadIdx.x] = in[threadIdx.x]; // FREED: bounds: {{.*}}bounds.cu:[[#@LINE]]: kernel freed, block (0,0,0), thread (0,0,0) reads 4 bytes at in, outside of any allocation; in leads to none{{$}}
}

int *make(int count) {
    int *memory;
    cudaMalloc(&memory, count * sizeof(int));
    cudaMemset(memory, 0, count * sizeof(int));
    return memory;
}

int main(int, char **arguments) {
    const char *what = arguments[1];
    int *out = make(4 * threads), *in = make(threads), *old = make(threads);
    bool is_right = strcmp(what, "right") == 0;
    auto is = [&](const char *name) { return is_right || strcmp(what, name) == 0; };
    if (is("behind"))
        (is_right ? behind<true> : behind<false>)<<<2, threads>>>(make(100), 100);
    if (is("front"))
        (is_right ? front<true> : front<false>)<<<1, threads>>>(in, out);
    if (is("rows"))
        (is_right ? rows<true> : rows<false>)<<<4, 16>>>(make(64), 16, 4);
    if (is("shared"))
        (is_right ? shared<true> : shared<false>)<<<1, threads>>>(out);
    if (is("dynamic"))
        dynamic<<<1, threads, is_right ? threads * sizeof(int) : threads>>>(out);
    if (is("freed")) {
        if (!is_right)
            cudaFree(old);
        freed<<<1, threads>>>(old, out);
    }
    cudaError_t error = cudaDeviceSynchronize();
    fflush(stderr);
    printf("%s\n", error == cudaSuccess ? "the end" : cudaGetErrorString(error));
}
