// RUN: not %gcluster-cc -c -DRECURSION %s -o %t.o 2>&1 | FileCheck --check-prefix=RECURSION %s
// RUN: not %gcluster-cc -c -DPOINTER %s -o %t.o 2>&1 | FileCheck --check-prefix=POINTER %s
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
// RECURSION: refused.cu:6:{{.*}}error: {{.*}}recursive function{{.*}}[GCL151]

#ifdef POINTER
__device__ void wait() { __syncthreads(); }
__device__ void nothing() {}
typedef void (*function)();
__device__ function functions[] = {wait, nothing};
__global__ void kernel(int n) { functions[n](); }
#endif
// POINTER: refused.cu:17:{{.*}}error: {{.*}}called through a pointer{{.*}}[GCL152]
