// Kernels that elsewhere.cu launches.
__global__ void one(float *p) {
    p[threadIdx.x] = 1;
}
__global__ void two(float *p) {
    p[threadIdx.x] += 2;
}
