// RUN: %gcluster-cc -O1 --sanitize=footprint %s -o %t
// RUN: %t 2>&1 | FileCheck --allow-empty --implicit-check-not=footprint --implicit-check-not=race: %s
// RUN: not %t reads 2>&1 | FileCheck --check-prefix=READS %s
// RUN: not %t neighbour 2>&1 | FileCheck --check-prefix=READS %s
// RUN: not %t writes 2>&1 | FileCheck --check-prefix=WRITES %s
// What pragmas say is checked as what the compiler finds out.
#include <cstdio>
#include <cstring>

enum { COUNT = 256, BLOCK = 64 };

#pragma gcluster reads(in[blockIdx.x * blockDim.x : blockDim.x])
__global__ void gather(const int *in, const int *index, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // READS: gcluster: {{.*}}footprint{{.*}}pragmas.cu:[[#@LINE+1]]
    out[i] = in[index[i]];
}

#pragma gcluster writes(out[blockIdx.x * blockDim.x : blockDim.x]) disjoint(out)
__global__ void scatter(const int *in, const int *index, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // WRITES: gcluster: {{.*}}footprint{{.*}}pragmas.cu:[[#@LINE+1]]
    out[index[i]] = in[i];
}

#pragma gcluster replicate(table)
__global__ void look_up(const int *table, const int *index, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[table[index[i]] % COUNT];
}

// Blocks have bins of their own, so no update is lost.
#pragma gcluster reduces(+: bins)
__global__ void count(const int *in, int *bins) {
    if (threadIdx.x == 0) {
        for (unsigned i = 0; i < blockDim.x; i++)
            bins[4 * blockIdx.x + in[i] % 4] += 1;
    }
}

#pragma gcluster reduces(max: most)
__global__ void maximum(const int *in, int *most) {
    int value = in[blockIdx.x * blockDim.x + threadIdx.x], old = *most, seen;
    do {
        seen = old;
        old = atomicCAS(most, seen, max(seen, value));
    } while (old != seen);
}

int main(int count_of_arguments, char **arguments) {
    bool shifts_reads = count_of_arguments > 1 && strcmp(arguments[1], "reads") == 0;
    bool shifts_writes = count_of_arguments > 1 && strcmp(arguments[1], "writes") == 0;
    bool reads_neighbour = count_of_arguments > 1 && strcmp(arguments[1], "neighbour") == 0;
    int astray = reads_neighbour ? 2 : -1; // a block that reads what the one before may
    int *a, *b, *c, *bins;
    cudaMallocManaged(&a, COUNT * sizeof(int));
    cudaMallocManaged(&b, COUNT * sizeof(int));
    cudaMallocManaged(&c, COUNT * sizeof(int));
    cudaMallocManaged(&bins, COUNT * sizeof(int));
    for (int i = 0; i < COUNT; i++) {
        a[i] = i;
        b[i] = shifts_reads ? (i + 1) % COUNT : i / BLOCK == astray ? i - BLOCK : i ^ 1;
        bins[i] = 0;
    }
    gather<<<COUNT / BLOCK, BLOCK>>>(a, b, c);
    cudaDeviceSynchronize();
    for (int i = 0; i < COUNT; i++)
        b[i] = shifts_writes ? (i + 1) % COUNT : i ^ 1;
    scatter<<<COUNT / BLOCK, BLOCK>>>(a, b, c);
    look_up<<<COUNT / BLOCK, BLOCK>>>(a, b, c);
    count<<<COUNT / BLOCK, BLOCK>>>(a, bins);
    maximum<<<COUNT / BLOCK, BLOCK>>>(a, bins + 200);
    cudaDeviceSynchronize();
    if (bins[0] != BLOCK / 4 || bins[200] != COUNT - 1)
        printf("wrong\n");
    // CHECK-NOT: wrong
    return 0;
}
