// What is read at places that data decides comes to nodes by pages, as blocks touch them: tables
// that are filled, changed in part, copied, freed and allocated again between launches, in random
// order; two streams that read one table; pointers that lead from one allocation to others.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { TABLES = 2, OUT = 1024, ENTRIES = 9 << 18, LINKS = 3 << 17 };

struct link {
    const link *next;
    unsigned value;
};

static unsigned *tables[TABLES], *outs[2], counts[TABLES];
static link *links[2];
static cudaStream_t streams[2];
static uint64_t state = 1;

static unsigned below(unsigned limit) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((state >> 33) % limit);
}

__device__ unsigned scramble(unsigned x, int rounds) {
    for (int i = 0; i < rounds; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x;
}

__global__ void fill(unsigned *table, unsigned begin, unsigned end, unsigned seed) {
    unsigned i = begin + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < end)
        table[i] = i * 2654435761u ^ seed;
}

__global__ void gather(unsigned *out, unsigned count, const unsigned *table, unsigned entries,
                       unsigned seed, int rounds) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned sum = 0, place = i + seed;
    for (int k = 0; k < rounds; k++) {
        place = scramble(place + 1, 3);
        sum = sum * 31 + table[place % entries];
    }
    out[i] = sum;
}

// One thread goes from place to place, as far as what it finds sends it.
__global__ void walk(unsigned *out, const unsigned *table, unsigned entries, unsigned seed) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, place = (i * 77773u + seed) % entries;
    for (int k = 0; k < 20; k++)
        place = (table[place] ^ place) % entries;
    out[i] = place;
}

__global__ void sweep(unsigned *out, const unsigned *table, unsigned entries, unsigned step) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (unsigned k = scramble(i, 1) % 64; k < entries; k += step + (sum & 1))
        sum += table[k];
    out[i] = sum;
}

__global__ void tie(link *all, const link *others, unsigned count, unsigned seed) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    all[i].next = others + (i * 40503u + seed) % count;
    all[i].value = i ^ seed;
}

__global__ void follow(unsigned *out, const link *begin, unsigned seed) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    const link *at = begin + (i * 911u + seed) % LINKS;
    for (int k = 0; k < 12; k++) {
        sum = sum * 17 + at->value;
        at = at->next;
    }
    out[i] = sum;
}

static void check(cudaError_t error) {
    if (error == cudaSuccess)
        return;
    printf("%s\n", cudaGetErrorName(error));
    exit(1);
}

static void renew(int t) {
    if (tables[t])
        check(cudaFree(tables[t]));
    counts[t] = ENTRIES + below(5000);
    check(cudaMalloc(&tables[t], counts[t] * sizeof(unsigned)));
    fill<<<(counts[t] + 255) / 256, 256>>>(tables[t], 0, counts[t], below(1000));
}

static void show(const char *what, const unsigned *device, unsigned count) {
    std::vector<unsigned> host(count);
    check(cudaMemcpy(host.data(), device, count * sizeof(unsigned), cudaMemcpyDeviceToHost));
    uint64_t sum = 14695981039346656037u;
    for (unsigned value : host)
        sum = (sum ^ value) * 1099511628211u;
    printf("%s %016llx\n", what, (unsigned long long)sum);
}

static void change(int t) {
    unsigned begin = below(counts[t] - 1), end = begin + 1 + below(counts[t] - begin - 1);
    std::vector<unsigned> host(end - begin, begin);
    switch (below(4)) {
    case 0:
        fill<<<(end - begin + 255) / 256, 256>>>(tables[t], begin, end, below(1000));
        break;
    case 1:
        check(
            cudaMemcpy(tables[t] + begin, host.data(), (end - begin) * 4, cudaMemcpyHostToDevice));
        break;
    case 2:
        check(cudaMemset(tables[t] + begin, 7, (end - begin) * 4));
        break;
    default:
        check(cudaMemcpy(tables[t] + begin, tables[1 - t] + begin / 2,
                         (end - begin) / 2 * sizeof(unsigned), cudaMemcpyDeviceToDevice));
    }
}

static void act(int t) {
    const unsigned seed = below(1 << 20), blocks = OUT / 64;
    switch (below(9)) {
    case 0:
    case 1:
        change(t);
        break;
    case 2:
        gather<<<blocks, 64>>>(outs[0], OUT, tables[t], counts[t], seed, 1 + (int)below(20));
        break;
    case 3:
        gather<<<(counts[t] + 255) / 256, 256>>>(tables[t], counts[t], tables[1 - t], counts[1 - t],
                                                 seed, 1);
        break;
    case 4:
        walk<<<blocks, 64>>>(outs[0], tables[t], counts[t], seed);
        break;
    case 5:
        sweep<<<2, 32>>>(outs[0], tables[t], counts[t], 500 + below(5000));
        break;
    case 6:
        for (int i = 0; i < 2; i++)
            gather<<<blocks, 64, 0, streams[i]>>>(outs[i], OUT, tables[t], counts[t], seed + i, 5);
        for (int i = 0; i < 2; i++)
            check(cudaStreamSynchronize(streams[i]));
        break;
    case 7:
        tie<<<LINKS / 256, 256>>>(links[t], links[1 - t], LINKS, seed);
        follow<<<blocks, 64>>>(outs[1], links[t], seed);
        break;
    default:
        renew(t);
    }
}

int main(int argc, char **argv) {
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    for (int i = 0; i < 2; i++) {
        check(cudaStreamCreate(&streams[i]));
        check(cudaMalloc(&outs[i], OUT * sizeof(unsigned)));
        check(cudaMemset(outs[i], 0, OUT * sizeof(unsigned)));
        check(cudaMalloc(&links[i], LINKS * sizeof(link)));
        renew(i);
    }
    for (int i = 0; i < 2; i++)
        tie<<<LINKS / 256, 256>>>(links[i], links[1 - i], LINKS, 5);
    for (int i = 0; i < 30; i++) {
        act((int)below(TABLES));
        if (i % 3 == 0) {
            show("first", outs[0], OUT);
            show("second", outs[1], OUT);
        }
    }
    for (int t = 0; t < TABLES; t++)
        show("table", tables[t], counts[t]);
    check(cudaDeviceSynchronize());
}
