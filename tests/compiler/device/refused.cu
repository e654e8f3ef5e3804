// RUN: not %gcluster-cc -c -DRECURSION %s -o %t.o 2>&1 | FileCheck --check-prefix=RECURSION %s
// RUN: not %gcluster-cc -c -DPOINTER %s -o %t.o 2>&1 | FileCheck --check-prefix=POINTER %s
// RUN: not %gcluster-cc -c -DASSEMBLY %s -o %t.o 2>&1 | FileCheck --check-prefix=ASSEMBLY %s
// What the CPU device cannot run is an error with a place, never code that hangs.
#ifdef RECURSION
__device__ void wait(int n) {
    __syncthreads();
    if (n > 0 && threadIdx.x < n)
        wait(n - 1);
    if (n > 5)
        wait(n - 2);
}
__global__ void kernel(int n) { wait(n); }
#endif
// RECURSION: refused.cu:7:{{.*}}error: {{.*}}recursive function{{.*}}[GCL151]

#ifdef POINTER
__device__ void wait() { __syncthreads(); }
__device__ void nothing() {}
typedef void (*function)();
__device__ function functions[] = {wait, nothing};
__global__ void kernel(int n) { functions[n](); }
#endif
// POINTER: refused.cu:18:{{.*}}error: {{.*}}called through a pointer{{.*}}[GCL152]

#ifdef ASSEMBLY
__global__ void kernel(int *out) {
    asm("add.cc.s32 %0, %1, %1;" : "=r"(*out) : "r"(threadIdx.x));
}
#endif
// ASSEMBLY: refused.cu:28:{{.*}}error: inline PTX{{.*}}[GCL154]
