// Stores of many lanes to one place, atomic operations whose results are used, memory that aliases.
#include "../device/check.h"

// In a block without barriers threads run in order: the last one's value stays.
__global__ void one_place(int *last, int *last_odd, int *counted) {
    int t = threadIdx.x;
    *last = t;
    if (t % 2)
        *last_odd = t * 10;
    counted[t / 8] = t;
}

__global__ void tickets(unsigned *global, unsigned *global_order, unsigned *shared_order,
                        unsigned *even_order) {
    __shared__ unsigned next, even;
    int t = threadIdx.x;
    if (t == 0)
        next = even = 0;
    __syncthreads();
    global_order[t] = atomicAdd(global, 3u);
    shared_order[t] = atomicAdd(&next, 1u);
    if (t % 2 == 0)
        even_order[t] = atomicInc(&even, 1000u);
}

// Each thread takes a place in one of several queues.
__global__ void queues(int *sizes, int *entries, const int *keys, int capacity) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, key = keys[t];
    int place = atomicAdd(&sizes[key], 1);
    entries[key * capacity + place] = t;
}

__global__ void multiply_by_cas(unsigned *product, const unsigned *factors) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned old = *(volatile unsigned *)product, seen;
    do {
        seen = old;
        old = atomicCAS(product, seen, seen * factors[t]);
    } while (old != seen);
}

// The lock that one lane holds while the others of its warp wait for it.
__global__ void lock(int *mutex, int *sum) {
    bool done = false;
    while (!done) {
        if (atomicCAS(mutex, 0, 1) == 0) {
            *sum += threadIdx.x + 1;
            __threadfence();
            atomicExch(mutex, 0);
            done = true;
        }
    }
}

// Two names of one array: what a thread stores it must see under the other name.
__global__ void aliases(int *p, int *q, int *out) {
    int t = threadIdx.x;
    p[t] = t;
    int a = q[t];
    q[t] = a + 100;
    int b = p[t];
    p[t] = b * 2;
    for (int k = 0; k < 3; k++) {
        q[t] += k;
        a += p[t];
    }
    out[t] = a + b;
}

struct Pixel {
    unsigned char r, g, b;
};

__global__ void layouts(Pixel *pixels, float4 *vectors, short *columns, int *matrix) {
    int t = threadIdx.x;
    pixels[t] = Pixel{(unsigned char)t, (unsigned char)(t * 2), (unsigned char)(t * 3)};
    if (t % 3 == 0)
        pixels[t].g = 7;
    vectors[t] = make_float4(t, t + 0.5f, -t, 1);
    if (t % 2)
        vectors[t].y += vectors[t].x;
    columns[t * 5] = (short)(t * 300);
    matrix[(int)blockDim.x - 1 - t] = t;
    for (int k = 0; k < 4; k++)
        matrix[blockDim.x + k * blockDim.x + t] = matrix[blockDim.x - 1 - t] * 10 + k;
}

// A store under a condition is no store of the old value: others write next to it.
__global__ void beside(int *out) {
    int t = threadIdx.x;
    if (t % 2 == blockIdx.x % 2)
        out[t] = 1000 + t;
    else if (t % 4 < 2)
        atomicAdd(&out[512 + t], 5);
}

// Threads from 32 on shift too far, which is their own matter: the others set all bits.
__global__ void set_bits(int *bits) {
    atomicOr(bits, 1 << threadIdx.x);
}

int main() {
    const int n = 217;
    int *last = managed<int>(2), *counted = managed<int>(n);
    one_place<<<1, n>>>(last, last + 1, counted);
    SYNC();
    CHECK(last[0] == n - 1 && last[1] == (n - 2) * 10);
    for (int i = 0; i < n / 8; i++)
        CHECK(counted[i] == i * 8 + 7);

    unsigned *global = managed<unsigned>(1), *orders[3];
    for (auto &order : orders)
        order = managed<unsigned>(n);
    tickets<<<1, n>>>(global, orders[0], orders[1], orders[2]);
    SYNC();
    unsigned sums[3] = {};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            sums[k] += orders[k][i];
    CHECK(*global == 3 * n && sums[0] == 3 * n * (n - 1) / 2 && sums[1] == n * (n - 1) / 2);
    CHECK(sums[2] == (n + 1) / 2 * ((n + 1) / 2 - 1) / 2);

    const int threads = 1000, capacity = 1000;
    int *sizes = managed<int>(4), *entries = managed<int>(4 * capacity),
        *keys = managed<int>(threads);
    unsigned *factors = managed<unsigned>(threads), *product = managed<unsigned>(1), expected = 3;
    for (int i = 0; i < threads; i++) {
        keys[i] = i * i % 7 % 4;
        factors[i] = (unsigned)i * 2 + 1;
        expected *= factors[i];
    }
    queues<<<10, 100>>>(sizes, entries, keys, capacity);
    *product = 3;
    multiply_by_cas<<<10, 100>>>(product, factors);
    SYNC();
    bool seen[threads] = {};
    for (int key = 0; key < 4; key++)
        for (int i = 0; i < sizes[key]; i++) {
            int t = entries[key * capacity + i];
            CHECK(keys[t] == key && !seen[t]);
            seen[t] = true;
        }
    CHECK(sizes[0] + sizes[1] + sizes[2] + sizes[3] == threads);
    CHECK(*product == expected);

    int *mutex = managed<int>(1), *sum = managed<int>(1);
    lock<<<3, 70>>>(mutex, sum);
    SYNC();
    CHECK(*sum == 3 * 70 * 71 / 2);

    int *p = managed<int>(n), *out = managed<int>(n);
    aliases<<<1, n>>>(p, p, out);
    SYNC();
    for (int t = 0; t < n; t++) {
        int b = t + 100, value = b * 2, a = t;
        for (int k = 0; k < 3; k++)
            a += value += k;
        CHECK(out[t] == a + b && p[t] == value);
    }

    Pixel *pixels = managed<Pixel>(n);
    float4 *vectors = managed<float4>(n);
    short *columns = managed<short>(5 * n);
    int *matrix = managed<int>(5 * n);
    layouts<<<1, n>>>(pixels, vectors, columns, matrix);
    SYNC();
    for (int t = 0; t < n; t++) {
        CHECK(pixels[t].r == t % 256 && pixels[t].g == (t % 3 ? t * 2 % 256 : 7) &&
              pixels[t].b == t * 3 % 256);
        CHECK(vectors[t].x == t && vectors[t].z == -t && vectors[t].w == 1);
        CHECK(vectors[t].y == t + 0.5f + (t % 2 ? t : 0));
        CHECK(columns[t * 5] == (short)(t * 300) && (t == 0 || columns[t * 5 - 1] == 0));
        CHECK(matrix[n - 1 - t] == t && matrix[3 * n + t] == t * 10 + 2);
    }

    int *both = managed<int>(1024);
    beside<<<2, 512>>>(both);
    SYNC();
    for (int t = 0; t < 512; t++)
        CHECK(both[t] == 1000 + t && both[512 + t] == (t % 4 < 2 ? 5 : 0));

    int *bits = managed<int>(1);
    *bits = 0;
    set_bits<<<1, 64>>>(bits);
    SYNC();
    CHECK(*bits == -1);
}
