// Pointers that nobody can look up lead to what has escaped, not to whatever there is.
// RUN: %gcluster-cc --sanitize=footprint %s -o %t
// RUN: not %t 2>&1 | FileCheck %s
#include <cuda_runtime.h>

struct link {
    const link *next;
    int value;
};

__global__ void beyond(const link *const *head, long distance, int *out) {
    const link *last = *head;
    while (last->next)
        last = last->next;
    *out = last[distance].value; // CHECK: footprint: {{.*}}escape.cu:[[#@LINE]]: kernel beyond, {{.*}} reads 4 bytes at the allocation at
}

int main() {
    link *known, *hidden, **head;
    int *out;
    cudaMalloc(&known, 4096);
    cudaMalloc(&hidden, 4096);
    cudaMalloc(&head, sizeof *head);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(known, 0, 4096);
    cudaMemcpy(head, &known, sizeof known, cudaMemcpyHostToDevice);
    beyond<<<1, 1>>>(head, hidden - known, out);
    cudaDeviceSynchronize();
}
