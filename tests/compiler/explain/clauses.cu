// The clauses that --explain=json has for each argument: those that are known, and those that only
// the author can know, from bounds, rows and other arguments.
// RUN: %gcluster-cc --explain=json %s | %python %S/Inputs/clauses.py > %t.txt
// RUN: FileCheck --input-file=%t.txt --implicit-check-not={{.}} %s
#include <cuda_runtime.h>

struct pair {
    int key;
    float value;
};

struct part {
    const pair *data;
    int first;
};

// Elements are what the pointer says, in fields as well.
// CHECK: fields: knows: reads(in.data[in.first + blockIdx.x * blockDim.x + threadIdx.x])
// CHECK-NEXT: fields: knows: writes(out[blockIdx.x * blockDim.x + threadIdx.x])
__global__ void fields(part in, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < n)
        out[x] = in.data[in.first + x].value;
}

// What lies side by side is one region.
// CHECK-NEXT: stencil: knows: reads(in[(blockIdx.y * blockDim.y + threadIdx.y) * w + blockIdx.x * blockDim.x + threadIdx.x - 1 : 3], in[blockIdx.x * blockDim.x + threadIdx.x + w * (blockIdx.y * blockDim.y + threadIdx.y - 1)])
// CHECK-NEXT: stencil: knows: writes(out[(blockIdx.y * blockDim.y + threadIdx.y) * w + blockIdx.x * blockDim.x + threadIdx.x])
__global__ void stencil(const float *in, float *out, int w) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * w + x] = in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x];
}

// Rows are, columns aren't.
// CHECK-NEXT: multiply: knows: reads(a[(blockIdx.y * blockDim.y + threadIdx.y) * n : n])
// CHECK-NEXT: multiply: knows: writes(c[(blockIdx.y * blockDim.y + threadIdx.y) * n + blockIdx.x * blockDim.x + threadIdx.x])
__global__ void multiply(const float *a, const float *b, float *c, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

// Loops that count down; those by twos leave gaps.
// CHECK-NEXT: loops: knows: reads(a[n * (blockIdx.x * blockDim.x + threadIdx.x) : n])
// CHECK-NEXT: loops: knows: writes(c[blockIdx.x * blockDim.x + threadIdx.x])
__global__ void loops(const float *a, const float *b, float *c, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = n - 1; k >= 0; k--)
        sum += a[x * n + k];
    for (int k = 0; k < n; k += 2)
        sum += b[x * n + k];
    c[x] = sum;
}

// CHECK-NEXT: gather: may: reads(in[0 : n], in[0 : 64], in[0 : w])
// CHECK-NEXT: gather: like out: reads(in[blockIdx.x * blockDim.x : blockDim.x])
// CHECK-NEXT: gather: knows: reads(column[blockIdx.x * blockDim.x + threadIdx.x])
// CHECK-NEXT: gather: knows: writes(out[blockIdx.x * blockDim.x + threadIdx.x])
__global__ void gather(const float *in, const int *column, float *out, int w, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, k = column[x];
    float sum = in[min(max(k, 0), n - 1)] + in[k & 63];
    if (k >= 0 && k < w)
        sum += in[k];
    out[x] = sum;
}

// CHECK-NEXT: bytes: knows: reads(in[blockIdx.x * blockDim.x + threadIdx.x])
// CHECK-NEXT: bytes: may: reads(table[0 : 256])
// CHECK-NEXT: bytes: like out: reads(table[blockIdx.x * blockDim.x : blockDim.x])
// CHECK-NEXT: bytes: knows: writes(out[blockIdx.x * blockDim.x + threadIdx.x])
__global__ void bytes(const unsigned char *in, const float *table, float *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    out[x] = table[in[x]];
}

// A row, and the part of it that blocks write of another array.
// CHECK-NEXT: rows: may: reads(in[(blockIdx.y * blockDim.y + threadIdx.y) * w : w])
// CHECK-NEXT: rows: like out: reads(in[blockIdx.x * blockDim.x + blockIdx.y * blockDim.y * w : blockDim.x + (blockDim.y - 1) * w])
// CHECK-NEXT: rows: knows: reads(column[blockIdx.x * blockDim.x + threadIdx.x])
// CHECK-NEXT: rows: knows: writes(out[blockIdx.x * blockDim.x + threadIdx.x + (blockIdx.y * blockDim.y + threadIdx.y) * w])
__global__ void rows(const float *in, const int *column, float *out, int w) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * w + x] = in[y * w + column[x]];
}

// CHECK-NEXT: scatter: like in: writes(out[blockIdx.x * blockDim.x : blockDim.x])
// CHECK-NEXT: scatter: knows: reads(order[blockIdx.x * blockDim.x + threadIdx.x])
// CHECK-NEXT: scatter: knows: writes(order[blockIdx.x * blockDim.x + threadIdx.x])
// CHECK-NEXT: scatter: knows: reads(in[blockIdx.x * blockDim.x + threadIdx.x])
__global__ void scatter(float *out, int *order, const float *in) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    out[order[x]] = in[x];
    order[x] = x;
}

// Nothing is said of what is changed atomically, of variables, or of what has no name.
__device__ float total;
__global__ void unnamed(int *bits, const float *) {
    atomicAdd(bits + threadIdx.x, 1);
    total = 1;
}

// Memory decides how often it happens: that isn't known.
// CHECK-NEXT: counted: knows: reads(count[0])
// CHECK-NEXT: counted: may: reads(out[blockIdx.x * blockDim.x + threadIdx.x])
// CHECK-NEXT: counted: may: writes(out[blockIdx.x * blockDim.x + threadIdx.x])
__global__ void counted(const int *count, float *out) {
    for (int k = 0; k < *count; k++)
        out[blockIdx.x * blockDim.x + threadIdx.x] += k;
}

// Blocks that sweep over rows, to a bound that is known and to one that isn't.
// CHECK-NEXT: sweep: knows: reads(in[blockIdx.x * n + 1 : n - 1])
// CHECK-NEXT: sweep: knows: writes(in[blockIdx.x * n + 1 : n - 1])
__global__ void sweep(float *in, int n) {
    for (int i = threadIdx.x + 1; i < n; i += blockDim.x)
        in[blockIdx.x * n + i] *= 2;
}

// CHECK-NEXT: lists: may: reads(in[blockIdx.x * n : n])
// CHECK-NEXT: lists: may: reads(length[blockIdx.x])
__global__ void lists(const float *in, const int *length, float *out, int n) {
    float sum = 0;
    for (int i = threadIdx.x; i < length[blockIdx.x]; i += blockDim.x)
        sum += in[blockIdx.x * n + i];
    atomicAdd(&out[blockIdx.x], sum);
}

// To go on by the whole grid is nothing that a region says.
__global__ void grid(float *in, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        in[i] *= 2;
}

// What is certain belongs to it, whatever the elements of the two are.
// CHECK-NEXT: beside: like out: reads(in[blockIdx.x * blockDim.x - 1 : blockDim.x + 2])
// CHECK-NEXT: beside: knows: reads(index[blockIdx.x * blockDim.x + threadIdx.x])
// CHECK-NEXT: beside: knows: writes(out[blockIdx.x * blockDim.x + threadIdx.x])
__global__ void beside(const float *in, const int *index, double *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    out[x] = in[x - 1] + in[x + 1] + in[index[x]];
}

// Of a template's arguments a pragma knows how large elements are if the kernel counts them.
// CHECK-NEXT: counts<float>: knows: reads(in[blockIdx.x])
template <typename T>
struct result {
    int n;
    T *data;
};
template <typename T>
__global__ void counts(const T *in, const T *factor, result<T> out) {
    out.data[blockIdx.x] = in[blockIdx.x] * *factor;
}
template __global__ void counts(const float *in, const float *factor, result<float> out);
