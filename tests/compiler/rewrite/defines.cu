// Short names on the command line must not reach into our headers.
// RUN: %gcluster-cc --check-rewrite -DN=4 -DM=3 -DT=5 -DBLOCK_SIZE=8 -DSIZE=7 %s
__global__ void k(int *p) {
    p[threadIdx.x % N] = M + T;
}
int main() {
    int *p;
    cudaMalloc(&p, N * sizeof(int));
    k<<<N, M>>>(p);
    return cudaDeviceSynchronize();
}
