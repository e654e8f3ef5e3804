// Reads few places of a table, which data decides, between changes of some of the table. Argument:
// "forever": goes on until a node is lost; "often": at last it does that again and again; "long":
// at last it takes long for each place.
#include <cstdio>
#include <cstring>

enum { ENTRIES = 4 << 20, READ = 96, ROUNDS = 7, MANY_ROUNDS = 300001, LAUNCHES = 60 };

__global__ void fill(unsigned *table, unsigned begin, unsigned end, unsigned seed) {
    unsigned i = begin + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < end)
        table[i] = i * 2654435761u ^ seed;
}

__global__ void gather(unsigned *out, const unsigned *table, int rounds) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, place = i + 1;
    for (int k = 0; k < rounds; k++) {
        place ^= place << 13;
        place ^= place >> 17;
        place ^= place << 5;
    }
    out[i] = table[place % ENTRIES];
}

int main(int argc, char **argv) {
    bool is_endless = argc > 1 && strcmp(argv[1], "forever") == 0;
    unsigned *table, *out, host[READ];
    cudaError_t error = cudaSuccess;
    cudaMalloc(&table, ENTRIES * sizeof *table);
    cudaMalloc(&out, sizeof host);
    fill<<<ENTRIES / 256, 256>>>(table, 0, ENTRIES, 1);
    for (int i = 0; (is_endless || i < 4) && error == cudaSuccess; i++) {
        if (i == 2 || is_endless)
            fill<<<1, 256>>>(table, 0, 256, 2);
        gather<<<READ / 32, 32>>>(out, table, ROUNDS);
        error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        unsigned sum = 0;
        for (unsigned value : host)
            sum = sum * 31 + value;
        if (!is_endless)
            printf("%08x\n", sum);
        else if (i == 10)
            fprintf(stderr, "under way\n");
    }
    for (int i = 0; argc > 1 && strcmp(argv[1], "often") == 0 && i < 100; i++)
        gather<<<READ / 32, 32>>>(out, table, ROUNDS);
    for (int i = 0; argc > 1 && strcmp(argv[1], "long") == 0 && i < LAUNCHES; i++) {
        fill<<<ENTRIES / 256, 256>>>(table, 0, ENTRIES, i);
        gather<<<READ / 32, 32>>>(out, table, MANY_ROUNDS);
        error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        printf("%08x\n", host[i]);
    }
    if (error != cudaSuccess)
        printf("%s\n", cudaGetErrorName(error));
    return error != cudaSuccess;
}
