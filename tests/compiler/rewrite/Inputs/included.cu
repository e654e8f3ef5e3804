__global__ void shared_kernel(int *p) {
}
static void included() {
    cudaDeviceSynchronize();
}
