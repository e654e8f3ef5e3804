// A host that launches kernels of another file has clang list them, and list that list. GPU code
// needs neither; memory of what is deleted holds 9s, which LLVM would take for constant arrays.
// RUN: %gcluster-cc -rdc=true -c %S/Inputs/elsewhere_kernels.cu -o %t.o
// RUN: env MALLOC_PERTURB_=9 %gcluster-cc -rdc=true %s %t.o -o %t 2>&1 | count 0
// RUN: %t
#include <cmath>

__global__ void one(float *p);
__global__ void two(float *p);
__global__ void sines(float *p) {
    p[threadIdx.x] = sinf(p[threadIdx.x]);
}

int main() {
    float *p, host[32];
    cudaMalloc(&p, sizeof host);
    one<<<1, 32>>>(p);
    two<<<1, 32>>>(p);
    sines<<<1, 32>>>(p);
    cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
    return std::fabs(host[7] - std::sin(3.0f)) > 1e-6f;
}
