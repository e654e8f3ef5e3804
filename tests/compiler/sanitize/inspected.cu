// Places that come from memory are checked, too: what is looked up before the launch exactly, what
// pointers that nobody can look up lead to as far as it has escaped.
// RUN: %gcluster-cc --sanitize=footprint %s -o %t
// RUN: env GCL_LOG=debug %t > %t.out 2>&1
// RUN: FileCheck --implicit-check-not=footprint --implicit-check-not=looked %s --input-file %t.out
// CHECK: kernel multiply: places were looked up in memory
// CHECK: kernel permute: places were looked up in memory
// CHECK: kernel fill: places were looked up in memory
// CHECK: kernel choose: places were looked up in memory
// CHECK: ok
#include <cstdio>
#include <cuda_runtime.h>

struct params {
    int n, shift;
};

__global__ void multiply(const int *row, const int *column, const float *value, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
        sum += value[k] * x[column[k]];
    y[i] = sum;
}

__global__ void permute(const int *first, const int *second, int *out, const params *p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p->n)
        out[first[second[i]] + p->shift] = i;
}

__global__ void fill(float **rows, const int *widths) {
    for (int j = threadIdx.x; j < widths[blockIdx.x]; j += blockDim.x)
        rows[blockIdx.x][j] = j;
}

// Whether `values` are of use is decided when they have been read: that is no guard of the reading,
// neither for the analysis nor for the code.
__device__ __noinline__ float add(float *sum, float value) {
    return *sum += value;
}

__global__ void choose(const int *column, const float *values, const int *chosen, float *y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float sum = 1;
        add(&sum, values[column[i]]);
        y[i] = chosen[i] != 0 ? sum : gridDim.x;
    }
}

struct link {
    link *next;
    int value;
};

__global__ void build(link *links, link **head, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    links[i].next = i + 1 < n ? &links[i + 1] : nullptr;
    links[i].value = i;
    if (i == 0)
        *head = links;
}

__global__ void follow(link *const *head, int *sum) {
    for (const link *l = *head; l; l = l->next)
        *sum += l->value;
}

template <typename T> static T *upload(const T *from, int count) {
    T *to;
    cudaMalloc(&to, count * sizeof(T));
    cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice);
    return to;
}

int main() {
    const int n = 500, rows = 7;
    int row[n + 1] = {0}, first[n], second[n], widths[rows], sum = 0;
    static int column[8 * n];
    static float value[8 * n], x[n];
    for (int i = 0; i < n; i++) {
        row[i + 1] = row[i] + i * 5 % 8;
        first[i] = n - 1 - i;
        second[i] = i * 7 % n;
    }
    for (int k = 0; k < 8 * n; k++)
        column[k] = k * 31 % n;
    float *y = upload(x, n), *begins[rows];
    for (int i = 0; i < rows; i++) {
        widths[i] = 10 * i;
        begins[i] = upload(x, 10 * rows);
    }
    multiply<<<8, 64>>>(upload(row, n + 1), upload(column, 8 * n), upload(value, 8 * n), upload(x, n), y, n);
    params p = {n, 3};
    permute<<<8, 64>>>(upload(first, n), upload(second, n), upload(column, n + 3), upload(&p, 1));
    fill<<<rows, 16>>>(upload(begins, rows), upload(widths, rows));
    choose<<<2, 64>>>(upload(column, n), upload(value, n), upload(widths, rows), y, rows);
    link *links, **head;
    cudaMalloc(&links, n * sizeof(link));
    cudaMalloc(&head, sizeof(link *));
    int *total = upload(&sum, 1);
    build<<<8, 64>>>(links, head, n);
    follow<<<1, 1>>>(head, total);
    cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost);
    puts(sum == n * (n - 1) / 2 && cudaGetLastError() == cudaSuccess ? "ok" : "wrong");
}
