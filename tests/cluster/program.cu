// A program for jobs: shows what it was given, computes, waits, says how the device is.
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

__global__ void count(int *sum) {
    atomicAdd(sum, 1);
}

// Programs that this one starts would take themselves for nodes.
static bool is_job_named() {
    return getenv("GCL_JOB") || getenv("GCL_NODE") || getenv("PMIX_RANK");
}

int main(int argc, char **argv) {
    int *sum, result = 0;
    char line[100] = "none\n", folder[4096];
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    count<<<4, 32>>>(sum);
    cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
    if (!isatty(0) && !fgets(line, sizeof line, stdin))
        line[0] = '\n';
    printf("sum %d, %d words, in %s, FRUIT=%s, job %s, read %s", result, argc,
           getcwd(folder, sizeof folder), getenv("FRUIT"), is_job_named() ? "set" : "unset", line);
    fflush(stdout);
    for (int i = argc > 2 ? 100 * atoi(argv[2]) : 0; i > 0; i--) {
        cudaError_t error = cudaDeviceSynchronize();
        if (error != cudaSuccess) {
            printf("%s\n", cudaGetErrorName(error));
            return 7;
        }
        usleep(10000);
    }
    return argc > 1 ? atoi(argv[1]) : 0;
}
