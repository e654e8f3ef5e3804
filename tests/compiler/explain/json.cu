// --explain=json, alone and beside compiling, for one file and several.
// RUN: %gcluster-cc --explain=json %s > %t.json
// RUN: %python %S/Inputs/schema.py %t.json rows:y block:none
// RUN: %gcluster-cc --explain=json %s %S/Inputs/planes.cu > %t.json
// RUN: %python %S/Inputs/schema.py %t.json rows:y block:none planes:z
//
// With -c there is an object as well, with -rdc=true too, and with -o a program.
// RUN: rm -f %t.o
// RUN: %gcluster-cc --explain=json -c %s -o %t.o > %t.json
// RUN: %python %S/Inputs/schema.py %t.json rows:y block:none
// RUN: test -s %t.o
// RUN: rm -f %t.o
// RUN: %gcluster-cc --explain=json -rdc=true -c %s -o %t.o > %t.json
// RUN: %python %S/Inputs/schema.py %t.json rows:y block:none
// RUN: test -s %t.o
// RUN: %gcluster-cc --explain=json %s -o %t.exe > %t.json
// RUN: %python %S/Inputs/schema.py %t.json rows:y block:none
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

int main() {
    return 0;
}
