// Absent pages beside what else goes on: a copy of some of them overtakes a change of others, which
// waits for a long kernel; host threads hear no signals, or handle them themselves; few bytes are
// copied of which some are absent. Argument: "blocked" or "handled", what the program does with
// SIGBUS. Prints how many elements are wrong, and whether there was an error.
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>
#include <vector>

enum { ENTRIES = 4 << 20, READ = 96, SPINS = 30000000, FEW = 100, ROUNDS = 4 };

__host__ __device__ unsigned entry(unsigned i, unsigned seed) {
    return i * 2654435761u ^ seed;
}

__host__ __device__ unsigned place_of(unsigned i, unsigned rounds) {
    unsigned place = i + 1;
    for (unsigned k = 0; k < rounds; k++) {
        place ^= place << 13;
        place ^= place >> 17;
        place ^= place << 5;
    }
    return place;
}

__global__ void fill(unsigned *table, unsigned begin, unsigned seed) {
    unsigned i = begin + blockIdx.x * blockDim.x + threadIdx.x;
    table[i] = entry(i, seed);
}

__global__ void gather(unsigned *out, const unsigned *table, unsigned rounds) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[place_of(i, rounds) % ENTRIES];
}

__global__ void spin(unsigned *out, unsigned rounds) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = place_of(i, rounds);
}

static int count_wrong(const unsigned *host, unsigned begin, unsigned count, unsigned seed) {
    int wrong = 0;
    for (unsigned i = 0; i < count; i++)
        wrong += host[i] != entry(begin + i, seed);
    return wrong;
}

static int gather_some(unsigned *table, unsigned *out, unsigned round) {
    unsigned host[READ], few[FEW], middle = ENTRIES / 2 - FEW / 2;
    int wrong = 0;
    fill<<<ENTRIES / 256, 256>>>(table, 0, round);
    gather<<<READ / 32, 32>>>(out, table, round);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < READ; i++)
        wrong += host[i] != entry(place_of(i, round) % ENTRIES, round);
    cudaMemcpy(few, table + middle, sizeof few, cudaMemcpyDeviceToHost);
    return wrong + count_wrong(few, middle, FEW, round);
}

/// Copies the third quarter of the table while a change of the last one waits.
static int overtake(unsigned *table, unsigned *out) {
    const unsigned quarter = ENTRIES / 4;
    std::vector<unsigned> host(quarter);
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    spin<<<2, 32, 0, first>>>(out, SPINS);
    fill<<<quarter / 256, 256, 0, first>>>(table, 3 * quarter, ROUNDS + 1);
    cudaMemcpyAsync(host.data(), table + 2 * quarter, quarter * sizeof(unsigned),
                    cudaMemcpyDeviceToHost, second);
    cudaStreamSynchronize(second);
    int wrong = count_wrong(host.data(), 2 * quarter, quarter, ROUNDS);
    cudaDeviceSynchronize();
    cudaMemcpy(host.data(), table + 3 * quarter, quarter * sizeof(unsigned),
               cudaMemcpyDeviceToHost);
    return wrong + count_wrong(host.data(), 3 * quarter, quarter, ROUNDS + 1);
}

static void end(int) {
    _exit(3);
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    unsigned *table, *out;
    sigset_t all;
    int wrong = 0;
    sigfillset(&all);
    if (strcmp(mode, "blocked") == 0)
        pthread_sigmask(SIG_BLOCK, &all, nullptr);
    cudaMalloc(&table, ENTRIES * sizeof *table);
    cudaMalloc(&out, READ * sizeof *out);
    if (strcmp(mode, "handled") == 0)
        signal(SIGBUS, end);
    for (unsigned round = 1; round <= ROUNDS; round++)
        wrong += gather_some(table, out, round);
    wrong += overtake(table, out);
    printf("%d wrong, %s\n", wrong, cudaGetErrorName(cudaGetLastError()));
}
