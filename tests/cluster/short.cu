// A program for jobs in which one node is short of memory. The system gives that node only so much
// more than it has when the program begins: 640 MiB. Its arguments: how much to allocate, in MiB, and
// "scatter" to have every node write all of that, for which it needs a copy. It prints the first
// error, and ends well whatever happens.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>

// Constructors run on every node.
static struct limit {
    limit() {
        const char *node = getenv("SHORT_NODE"), *rank = getenv("GCL_NODE");
        char line[128];
        unsigned long used = 0;
        FILE *file = fopen("/proc/self/status", "r");
        while (fgets(line, sizeof line, file) && sscanf(line, "VmData: %lu kB", &used) != 1)
            ;
        fclose(file);
        unsigned long most = (used << 10) + (640ul << 20);
        struct rlimit data = {most, most};
        if (node && rank && strcmp(node, rank) == 0)
            setrlimit(RLIMIT_DATA, &data);
    }
} at_start;

#pragma gcluster split(x)
__global__ void scatter(unsigned *to, unsigned count) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, place = i;
    while (place % 7 > 0)
        place = place * 5 + 3;
    to[place % count] = 1;
}

__global__ void touch(unsigned *to) {
    to[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main(int argc, char **argv) {
    size_t bytes = strtoul(argv[1], NULL, 10) << 20;
    unsigned *to;
    cudaError_t error = cudaMalloc(&to, bytes);
    if (!error)
        touch<<<256, 256>>>(to);
    if (!error && argc > 2)
        scatter<<<256, 256>>>(to, bytes / sizeof *to);
    if (!error)
        error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(error));
    return 0;
}
