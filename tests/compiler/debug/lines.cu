// RUN: %gcluster-cc -lineinfo %s -o %t && %t
// RUN: %gdb -ex 'break lines.cu:10' -ex run -ex 'backtrace 1' -ex delete -ex continue %t 2>&1 | FileCheck %s
// Vectors know their lines, behind an inlined function, too.
#include "../device/check.h"

__device__ float weigh(float value) { return value * 0.5f; }

__global__ void scale(float *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = weigh(data[i]) + n;
}

int main() {
    const int n = 1024;
    float *data = managed<float>(n);
    for (int i = 0; i < n; i++)
        data[i] = i;
    scale<<<n / 128, 128>>>(data, n);
    SYNC();
    for (int i = 0; i < n; i++)
        CHECK(data[i] == i * 0.5f + n);
    return 0;
}

// CHECK: hit Breakpoint 1{{.*}}, scale () at {{.*}}lines.cu:10
// CHECK: #0 {{.*}}scale () at {{.*}}lines.cu:10
// CHECK: exited normally
