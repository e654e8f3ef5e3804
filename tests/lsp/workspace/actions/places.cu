// Kernels whose threads take places by an atomic operation, with a program that prints what comes out: the
// same before and after the actions.
#include <algorithm>
#include <cstdio>
#include <vector>

enum { SIZE = 10000, BLOCK = 128, BLOCKS = (SIZE + BLOCK - 1) / BLOCK };

#define LIMIT(n) ((n) / 2)

struct list {
    int *items;
    unsigned length;
};

struct view {
    int *items;
    int *length;
};

__device__ unsigned long long sum;

__device__ bool is_wanted(const int *in, int i) {
    int x = in[i] % 7;
    return x == 2 || x == 3;
}

// says GCL201 launch_keep
__global__ void keep(const int *in, int *out, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3 == 0)
        out[atomicAdd(count, 1)] = in[i];
}

// A place for several, in a variable; what comes behind isn't counted.
// says GCL201 launch_pairs
template <typename T, int STEP>
__global__ void __launch_bounds__(BLOCK) pairs(const T *in, list *out, int n, int *seen = nullptr) {
    // Each thread has one.
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    T x = in[i]; // its own
    if (seen)
        atomicAdd(seen, 1);
    if (is_wanted(in, i)) {
        // Two of them.
        unsigned k = atomicAdd(&out->length, STEP);
        for (int j = 0; j < STEP; j++)
            out->items[k + j] = x + j;
    }
}

namespace inside {
    // A loop over the grid: threads add several times.
    // says GCL201 launch_strided
    __global__ void strided(const int *in, view out, int n, int most) {
        int added = 0;
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
            int x = in[i];
            if (x & 1)
                continue;
            if (x < LIMIT(most)) {
                int k = atomicAdd(out.length, 1);
                if (k < most)
                    out.items[k] = x;
                added++;
            }
            if (added == 20)
                return;
        }
    }
}

// A block takes places for all of its threads.
// says GCL201 launch_by_block
__global__ void by_block(const int *in, int *out, int n) {
    __shared__ int own, first;
    int i = blockIdx.x * blockDim.x + threadIdx.x, rank = -1;
    if (threadIdx.x == 0)
        own = 0;
    __syncthreads();
    if (i < n && in[i] % 5 == 1)
        rank = atomicAdd(&own, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        first = (int)atomicAdd(&sum, (unsigned long long)own);
    __syncthreads();
    if (rank >= 0)
        out[first + rank] = in[i];
}

// The place is asked for in a condition, and counts down.
// says GCL201 launch_downwards
__global__ void downwards(const int *in, int *out, int *left, int n) {
    int place, i = blockIdx.y * 16 + threadIdx.y + 16 * gridDim.y * blockIdx.x;
    if (i >= n) {
        return;
    } else if (in[i] % 4 != 0) {
        out[n + i] = 0;
    } else if ((place = atomicSub(&left[1], 1)) > 0) {
        out[place - 1] = in[i];
    }
}

// Two counters, one action each.
// says GCL201 launch_parts
__global__ void parts(const int *in, int *out, int *evens, int *odds, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int place;
    if (in[i] % 2 == 0) {
        place = atomicAdd(evens, 1);
    } else {
        int back = atomicAdd(odds, 1);
        place = n - 1 - back;
    }
    out[place] = in[i];
}

// What others have done decides.
// lacks GCL201 launch_
__global__ void claims(int *owner, int *out, int *count, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) % n;
    if (owner[i] == 0) {
        owner[i] = 1;
        out[atomicAdd(count, 1)] = i;
    }
}

// So it does here, in a loop.
// lacks GCL201 launch_
__global__ void queue(const int *in, int *out, int *next, int n) {
    int task = atomicAdd(next, 1);
    while (task < n) {
        out[task] = in[task] * 2;
        task = atomicAdd(next, 1);
    }
}

// lacks GCL201 launch_
__global__ void until_full(const int *in, int *out, int *count, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int k = atomicAdd(count, in[i]);
        if (k > 100)
            break;
        out[k] = i;
    }
}

// The last block sees what all have written.
// lacks GCL201 launch_
__global__ void last_block(const int *in, int *sums, int *done, int *result) {
    if (threadIdx.x > 0)
        return;
    sums[blockIdx.x] = in[blockIdx.x];
    if (atomicAdd(done, 1) == gridDim.x - 1)
        for (int i = 0; i < gridDim.x; i++)
            *result += sums[i];
}

// Each thread has a counter of its choice.
// lacks GCL201 launch_
__global__ void bins(const int *in, int *out, int *counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[in[i] % 4 * n + atomicAdd(&counts[in[i] % 4], 1)] = in[i];
}

// The counter is looked at.
// lacks GCL201 launch_
__global__ void looks(const int *in, int *out, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && *count < 100)
        out[atomicAdd(count, 1)] = in[i];
}

// What it reads it may have written, by the other name.
// lacks GCL201 launch_
__global__ void twins(const int *in, int *changed, int *out, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    changed[i] = in[i] * 2;
    if (in[i] > 10)
        out[atomicAdd(count, 1)] = i;
}

// Two products, of which the sum takes in the one that isn't needed otherwise.
// lacks GCL201 launch_
__global__ void rounded(const float *x, const float *y, float *out, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float square = x[i] * x[i];
    if (square + y[i] * y[i] < 1)
        out[atomicAdd(count, 1)] = square;
}

// says GCL201 launch_inner
__global__ void inner(const float *x, const float *y, int *out, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] * x[i] + y[i] * y[i] < 1e30f)
        out[atomicAdd(count, 1)] = i;
}

#define ADD(p) atomicAdd(p, 1)

// lacks GCL201 launch_
__global__ void by_macro(const int *in, int *out, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[ADD(count)] = in[i];
}

// What the amount depends on is a place itself.
// lacks GCL201 launch_
__global__ void of_rank(const int *in, int *out, int *count, int n) {
    __shared__ int own;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    own = 0;
    __syncthreads();
    int rank = atomicAdd(&own, 1);
    if (i < n)
        out[atomicAdd(count, rank + in[i] % 4)] = in[i];
}

__device__ int made;

__device__ int atomicOwn(int *p) {
    made = 1;
    return atomicAdd(p, 1);
}

// Called like an operation, but more than that.
// lacks GCL201 launch_
__global__ void own(const int *in, int *out, int *count, int n) {
    __shared__ int first;
    first = 0;
    __syncthreads();
    atomicOwn(&first);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[atomicAdd(count, 1)] = in[i];
}

#define LAUNCH(k) k<<<BLOCKS, BLOCK>>>

// Launched by a macro.
// lacks GCL201 launch_
__global__ void launched(const int *in, int *out, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[atomicAdd(count, 1)] = in[i];
}

static void show(const char *name, const int *device, unsigned count) {
    std::vector<int> items(count);
    cudaMemcpy(items.data(), device, count * sizeof(int), cudaMemcpyDeviceToHost);
    std::sort(items.begin(), items.end());
    long long total = 0;
    for (unsigned i = 0; i < count; i++)
        total = (total * 31 + items[i]) % 1000000007;
    printf("%s: %u, %lld, %s\n", name, count, total, cudaGetErrorString(cudaGetLastError()));
}

template <typename T>
static T fetch(const T *device) {
    T value;
    cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

static void run(const int *in, int *out, int *counts, cudaStream_t stream) {
    dim3 grid(BLOCKS), block(BLOCK);
    keep<<<grid, block, 0, stream>>>(in, out, counts, SIZE);
    keep<<<(SIZE / 2 + BLOCK - 1) / BLOCK, block>>>(in + SIZE / 2, out, counts, SIZE / 2);
    show("keep", out, fetch(counts));

    list lists = {out, 3}, *device;
    cudaMalloc(&device, sizeof lists);
    cudaMemcpy(device, &lists, sizeof lists, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, 3 * sizeof(int));
    pairs<int, 2><<<grid, block>>>(in, device, SIZE);
    show("pairs", out, fetch(&device->length));
    pairs<int, 3> <<< grid, block >>> (in, device, SIZE, counts + 1);
    show("pairs", out, fetch(&device->length));
    printf("seen: %d\n", fetch(counts + 1));
    cudaFree(device);

    inside::strided<<<7, 32>>>(in, view{out, counts + 2}, SIZE, 20000);
    show("strided", out, fetch(counts + 2));

    by_block<<<grid, block, 0, 0>>>(in, out, SIZE);
    unsigned long long end;
    cudaMemcpyFromSymbol(&end, sum, sizeof end);
    show("by_block", out, (unsigned)end);

    int left = SIZE;
    cudaMemcpy(counts + 3, &left, sizeof left, cudaMemcpyHostToDevice);
    downwards<<<dim3(9, SIZE / 16 / 9 + 1), dim3(1, 16)>>>(in, out, counts + 2, SIZE);
    left = fetch(counts + 3);
    parts<<<grid, block>>>(in, out + 2 * SIZE, counts + 5, counts + 6, SIZE);

    const float *floats = (const float *)in;
    inner<<<grid, block>>>(floats, floats, out + SIZE, counts + 4, SIZE);
    show("downwards", out + left, SIZE - left);
    show("parts", out + 2 * SIZE, fetch(counts + 5));
    show("parts", out + 3 * SIZE - fetch(counts + 6), fetch(counts + 6));
    show("inner", out + SIZE, fetch(counts + 4));
}

int main() {
    std::vector<int> numbers(SIZE);
    for (int i = 0; i < SIZE; i++)
        numbers[i] = (int)(i * 2654435761u >> 16);
    int *in, *out, *counts;
    cudaMalloc(&in, SIZE * sizeof(int));
    cudaMalloc(&out, 6 * SIZE * sizeof(int));
    cudaMalloc(&counts, 64 * sizeof(int));
    cudaMemset(counts, 0, 64 * sizeof(int));
    cudaMemcpy(in, numbers.data(), SIZE * sizeof(int), cudaMemcpyHostToDevice);
    run(in, out, counts, 0);

    claims<<<BLOCKS, BLOCK>>>(counts, out, counts + 8, 8);
    queue<<<2, 32>>>(in, out, counts + 9, 100);
    until_full<<<2, 32>>>(in, out, counts + 10, 100);
    last_block<<<BLOCKS, BLOCK>>>(in, out, counts + 11, counts + 12);
    bins<<<BLOCKS, BLOCK>>>(in, out, counts + 13, SIZE);
    looks<<<BLOCKS, BLOCK>>>(in, out, counts + 17, SIZE);
    twins<<<BLOCKS, BLOCK>>>(in, in, out, counts + 21, SIZE);
    rounded<<<BLOCKS, BLOCK>>>((float *)in, (float *)in, (float *)out, counts + 22, SIZE);
    by_macro<<<BLOCKS, BLOCK>>>(in, out, counts + 18, SIZE);
    of_rank<<<1, BLOCK>>>(in, out, counts + 19, BLOCK);
    own<<<BLOCKS, BLOCK>>>(in, out, counts + 23, SIZE);
    LAUNCH(launched)(in, out, counts + 20, SIZE);
    cudaDeviceSynchronize();
    return 0;
}
