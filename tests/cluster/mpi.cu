// A program with MPI and CUDA: a ring of ranks, each with a kernel, that hand device pointers to
// MPI.
#include <cstdio>
#include <cstdlib>
#include <mpi.h>

__global__ void add(int *value, int n) {
    atomicAdd(value, n);
}

int main(int argc, char **argv) {
    int rank, count, *value, before = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    cudaMalloc(&value, sizeof *value);
    cudaMemset(value, 0, sizeof *value);
    cudaDeviceSynchronize();
    if (rank > 0)
        MPI_Recv(value, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    add<<<1, 32>>>(value, 1);
    cudaDeviceSynchronize();
    if (rank + 1 < count)
        MPI_Send(value, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    else if (cudaMemcpy(&before, value, sizeof before, cudaMemcpyDeviceToHost) == cudaSuccess)
        printf("%d ranks: %d\n", count, before);
    cudaDeviceProp properties;
    if (getenv("SHOW_MEMORY") && cudaGetDeviceProperties(&properties, 0) == cudaSuccess &&
        rank == 0)
        fprintf(stderr, "memory %zu\n", properties.totalGlobalMem);
    MPI_Finalize();
}
