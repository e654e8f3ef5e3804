__global__ void KERNEL(int *p) {
    *p += 1;
}
int KERNEL(int *p, int) {
    KERNEL<<<1, 1>>>(p);
    return cudaDeviceSynchronize();
}

#ifdef CALLED
int CALLED(int *p, int);
int main() {
    int *p, sum;
    cudaMalloc(&p, sizeof sum);
    cudaMemset(p, 0, sizeof sum);
    int failed = KERNEL(p, 0) || CALLED(p, 0);
    cudaMemcpy(&sum, p, sizeof sum, cudaMemcpyDeviceToHost);
    return failed || sum != 2;
}
#endif
