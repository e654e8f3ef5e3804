// Thousands of branches run thread by thread.
// RUN: %gcluster-cc -O1 --device=cpu -march=x86-64-v3 -Rgcluster=vector -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: remark: _Z4manyPi: lane by lane: all of it, as it has more than 2000 branches
#define IF(k)                                                                                      \
    if (x > (k))                                                                                   \
        __threadfence();
#define A(k) IF(k) IF(k + 1) IF(k + 2) IF(k + 3) IF(k + 4) IF(k + 5) IF(k + 6) IF(k + 7)
#define B(k) A(k) A(k + 8) A(k + 16) A(k + 24) A(k + 32) A(k + 40) A(k + 48) A(k + 56)
#define C(k) B(k) B(k + 64) B(k + 128) B(k + 192) B(k + 256) B(k + 320) B(k + 384) B(k + 448)
__global__ void many(int *in) {
    int x = in[threadIdx.x];
    C(0) C(512) C(1024) C(1536)
}
