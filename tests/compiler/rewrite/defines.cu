// Short names on the command line must not reach into our headers.
// RUN: %gcluster-cc --check-rewrite -DN=4 -DM=3 -DT=5 -Dsize=7 -Dx=x %s
__global__ void k(int *p) {
    p[threadIdx.x % N] = M + T;
}
int main() {
    int *p;
    cudaMalloc(&p, N * sizeof(int));
    k<<<N, M>>>(p);
    return cudaDeviceSynchronize();
}
