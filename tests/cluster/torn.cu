// What nodes put together is a value that one of them stored, in the allocation where it belongs,
// and leaves alone what shares an allocation with it.
#include <cmath>
#include <cstdio>
#include <vector>

enum { COUNT = 1 << 18, BLOCK = 256, BLOCKS = COUNT / BLOCK, BINS = 1 << 12, KEY = 42 };
enum { WAVES = 6000, RECORDS = 1 << 14 };

// Several threads may store: which of them wins isn't said, but one does.
template <typename Value> __global__ void find(Value *found, const int *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (a[i] == KEY)
        *found = (Value)i;
}

// Values of one byte that nodes store beside each other.
__global__ void mark(unsigned char *marks, const int *to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    marks[to[i]] = (unsigned char)(to[i] % 251);
}

__global__ void add(float *bins, const int *to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[to[i] % BINS], 1.0f);
}

// The third field is nobody's, and lies behind what a function of the library writes.
struct Wave {
    float sine, cosine, weight;
};

__global__ void turn(Wave *waves, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        sincosf(0.5f * i, &waves[i].sine, &waves[i].cosine);
}

static int lost_weights() {
    std::vector<Wave> waves(WAVES);
    Wave *there;
    int lost = 0;
    for (int i = 0; i < WAVES; i++)
        waves[i].weight = (float)i;
    cudaMalloc(&there, WAVES * sizeof(Wave));
    cudaMemcpy(there, waves.data(), WAVES * sizeof(Wave), cudaMemcpyHostToDevice);
    turn<<<(WAVES + BLOCK - 1) / BLOCK, BLOCK>>>(there, WAVES);
    cudaMemcpy(waves.data(), there, WAVES * sizeof(Wave), cudaMemcpyDeviceToHost);
    for (int i = 0; i < WAVES; i++)
        lost += waves[i].weight != (float)i || fabsf(waves[i].sine - sinf(0.5f * i)) > 1e-4f;
    cudaFree(there);
    return lost;
}

// A structure that is copied whole: words of which nodes change different bytes.
struct Record {
    int key, words[15];
};

__host__ __device__ static int word_of(int record, int word) {
    return record % 2 ? 0x00110022 + word : 0x11002200 + word * 256;
}

__global__ void fill(Record *records) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    records[i].key = i % 37;
    for (int w = 0; w < 15; w++)
        records[i].words[w] = word_of(i, w);
}

__global__ void pick(Record *picked, const Record *records, int key) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (records[i].key == key)
        *picked = records[i];
}

static int torn_words() {
    Record *records, *picked, record;
    int torn = 0;
    cudaMalloc(&records, RECORDS * sizeof(Record));
    cudaMalloc(&picked, sizeof(Record));
    cudaMemset(picked, 0, sizeof(Record));
    fill<<<RECORDS / BLOCK, BLOCK>>>(records);
    pick<<<RECORDS / BLOCK, BLOCK>>>(picked, records, 5);
    cudaMemcpy(&record, picked, sizeof record, cudaMemcpyDeviceToHost);
    for (int w = 0; w < 15; w++)
        torn += record.words[w] != word_of(0, w) && record.words[w] != word_of(1, w);
    cudaFree(records);
    cudaFree(picked);
    return torn + (record.key != 5);
}

// Values of several sizes beside each other: a number is that of a match, whatever bytes are there.
struct Match {
    unsigned place;
    bool is_found;
    unsigned short low;
};

__global__ void match(Match *result, const int *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (a[i] == KEY) {
        result->place = i;
        result->low = (unsigned short)i;
        result->is_found = true;
    }
}

static bool is_matched(const int *host, int *a) {
    Match *there, result;
    cudaMalloc(&there, sizeof(Match));
    cudaMemset(there, 0, sizeof(Match));
    match<<<BLOCKS, BLOCK>>>(there, a);
    cudaMemcpy(&result, there, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(there);
    bool has_low = false;
    for (int i = 0; i < COUNT; i++)
        has_low |= host[i] == KEY && result.low == (unsigned short)i;
    return result.is_found && result.place < COUNT && host[result.place] == KEY && has_low;
}

// A pointer and the distance to another allocation lead there, whether the distance is an argument
// or is looked up.
__global__ void add_slices(float *a, long distance) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 2; k++)
        sum += a[i + k * distance];
    a[i] = sum;
}

__global__ void add_at(char *base, const long *offsets) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 2; k++)
        ((float *)(base + offsets[k]))[i] += (float)(k + 1);
}

static int lost_slices() {
    std::vector<float> first(COUNT), second(COUNT);
    float *a, *b;
    long *offsets;
    cudaMalloc(&a, COUNT * sizeof *a);
    cudaMalloc(&b, COUNT * sizeof *b);
    cudaMalloc(&offsets, 2 * sizeof *offsets);
    const long host[2] = {0, (char *)b - (char *)a};
    cudaMemset(a, 0, COUNT * sizeof *a);
    cudaMemset(b, 0, COUNT * sizeof *b);
    cudaMemcpy(offsets, host, sizeof host, cudaMemcpyHostToDevice);
    add_at<<<BLOCKS, BLOCK>>>((char *)a, offsets);
    add_slices<<<BLOCKS, BLOCK>>>(a, b - a);
    add_at<<<BLOCKS, BLOCK>>>((char *)a, offsets);
    cudaMemcpy(first.data(), a, COUNT * sizeof *a, cudaMemcpyDeviceToHost);
    cudaMemcpy(second.data(), b, COUNT * sizeof *b, cudaMemcpyDeviceToHost);
    int lost = 0;
    for (int i = 0; i < COUNT; i++)
        lost += first[i] != 4 || second[i] != 4;
    cudaFree(a);
    cudaFree(b);
    cudaFree(offsets);
    return lost;
}

template <typename Value> static bool is_found(int *a, Value first) {
    Value *found, value;
    int there = 0;
    cudaMalloc(&found, sizeof value);
    cudaMemcpy(found, &first, sizeof value, cudaMemcpyHostToDevice);
    find<<<BLOCKS, BLOCK>>>(found, a);
    cudaMemcpy(&value, found, sizeof value, cudaMemcpyDeviceToHost);
    if (value < COUNT)
        cudaMemcpy(&there, a + (size_t)value, sizeof there, cudaMemcpyDeviceToHost);
    cudaFree(found);
    return there == KEY;
}

int main() {
    std::vector<int> host(COUNT), to(COUNT);
    for (int i = 0; i < COUNT; i++)
        to[i] = (int)((i * 7919LL) % COUNT);
    host[0x105] = host[0x2ff00] = host[0x15a5a] = host[0x3e1e1] = KEY;
    int *a, *places;
    cudaMalloc(&a, COUNT * sizeof *a);
    cudaMalloc(&places, COUNT * sizeof *places);
    cudaMemcpy(a, host.data(), COUNT * sizeof *a, cudaMemcpyHostToDevice);
    cudaMemcpy(places, to.data(), COUNT * sizeof *places, cudaMemcpyHostToDevice);
    printf("%d %d %d", is_found<unsigned>(a, ~0u), is_found<unsigned long long>(a, ~0ull),
           is_found<double>(a, 1e9));

    unsigned char *marks;
    std::vector<unsigned char> marked(COUNT);
    cudaMalloc(&marks, COUNT);
    mark<<<BLOCKS, BLOCK>>>(marks, places);
    cudaMemcpy(marked.data(), marks, COUNT, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        wrong += marked[i] != i % 251;
    printf(" %d", wrong);

    // Numbers that would be NaNs as floats lie before the sums.
    int *numbers;
    std::vector<int> words(2 * BINS);
    for (int i = 0; i < BINS; i++)
        words[i] = -1 - i * 2047;
    cudaMalloc(&numbers, words.size() * sizeof(int));
    cudaMemcpy(numbers, words.data(), words.size() * sizeof(int), cudaMemcpyHostToDevice);
    add<<<BLOCKS, BLOCK>>>((float *)(numbers + BINS), places);
    cudaMemcpy(words.data(), numbers, words.size() * sizeof(int), cudaMemcpyDeviceToHost);
    wrong = 0;
    for (int i = 0; i < BINS; i++)
        wrong += words[i] != -1 - i * 2047;
    const float *sums = (const float *)(words.data() + BINS);
    for (int i = 0; i < BINS; i++)
        wrong += sums[i] != COUNT / BINS;
    printf(" %d %d %d %d %d\n", wrong, lost_weights(), torn_words(), is_matched(host.data(), a),
           lost_slices());
    return cudaDeviceSynchronize();
}
