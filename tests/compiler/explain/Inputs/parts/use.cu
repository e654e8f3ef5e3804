#include <cuda_runtime.h>

__device__ float twice(const float *p, int i);

#ifdef REDUCES
#pragma gcluster reduces(+: in)
#else
#pragma gcluster split(x) disjoint(out)
#endif
__global__ void use(float *in, float *out, const int *index) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[index[i]] = twice(in, i);
}

int main() {
    return 0;
}
