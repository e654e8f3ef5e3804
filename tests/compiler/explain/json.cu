// --explain=json, alone and beside compiling, for one file and several.
// RUN: %gcluster-cc --explain=json %s > %t.json
// RUN: %python %S/Inputs/schema.py %t.json rows:y block:none mixed:x
// RUN: %gcluster-cc --explain=json %s %S/Inputs/planes.cu > %t.json
// RUN: %python %S/Inputs/schema.py %t.json rows:y block:none mixed:x planes:z
//
// With -c there is an object as well, with -rdc=true too, and with -o a program.
// RUN: rm -f %t.o
// RUN: %gcluster-cc --explain=json -c %s -o %t.o > %t.json
// RUN: %python %S/Inputs/schema.py %t.json rows:y block:none mixed:x
// RUN: test -s %t.o
// RUN: rm -f %t.o
// RUN: %gcluster-cc --explain=json -rdc=true -c %s -o %t.o > %t.json
// RUN: %python %S/Inputs/schema.py %t.json rows:y block:none mixed:x
// RUN: test -s %t.o
// RUN: %gcluster-cc --explain=json %s -o %t.exe > %t.json
// RUN: %python %S/Inputs/schema.py %t.json rows:y block:none mixed:x
// RUN: %t.exe
#include <cuda_runtime.h>

__global__ void rows(float *a, const float *b, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        a[y * n + x] += b[x];
}

__global__ void block(float *a) {
    a[threadIdx.x] = 0;
}

// Its formula would be as long as 2 to the number of rounds.
__global__ void mixed(const float *in, float *out) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int round = 0; round < 20; round++)
        x = (x ^ (x >> 3)) * 5 + (x >> 7);
    out[blockIdx.x * blockDim.x + threadIdx.x] = in[x & 1023];
}

int main() {
    return 0;
}
