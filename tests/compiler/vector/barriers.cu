// What lives across barriers: values of the block, of the warp, and of each thread.
#include "../device/check.h"

// A value of the block that changes in a loop with barriers.
__global__ void uniform_in_loop(int *out, const int *in, int n) {
    __shared__ int tile[256];
    int t = threadIdx.x, size = blockDim.x, base = 0, sum = 0, k;
    for (k = 0; base < n; k++) {
        tile[t] = base + t < n ? in[base + t] : 0;
        __syncthreads();
        for (int j = 0; j < size; j++)
            sum += tile[j] * (j % (k + 2));
        base += size - (k & 1) * (size / 2);
        __syncthreads();
    }
    out[t] = sum + base * 3 + k;
}

// The same in a warp, different between warps, and needed after the barrier.
__global__ void warp_value(int *out) {
    __shared__ int sums[32];
    int t = threadIdx.x, warp = t / 32, scale = warp * 10 + 1;
    if (t < 32)
        sums[t] = 0;
    __syncthreads();
    atomicAdd(&sums[warp], scale);
    __syncthreads();
    int other = sums[(warp + 1) % ((blockDim.x + 31) / 32)];
    scale += other;
    __syncthreads();
    for (int k = 0; k < warp + 1; k++) // as often as the warp's number says
        scale = scale * 3 % 1009;
    __syncthreads();
    out[t] = scale * 100 + warp;
}

// Uniform at the first barrier only by the way it was computed: then it differs.
__global__ void once_uniform(int *out, int n) {
    __shared__ int shared[128];
    int t = threadIdx.x, x = n;
    shared[t] = t;
    __syncthreads();
    if (shared[(t + 1) % blockDim.x] % 3 == 0)
        x = t;
    __syncthreads();
    shared[t] = x;
    __syncthreads();
    out[t] = x + shared[blockDim.x - 1 - t];
}

// A thread leaves; those that stay exchange values.
__global__ void odd_leave(int *out) {
    __shared__ int shared[256];
    int t = threadIdx.x;
    shared[t] = -1;
    __syncthreads();
    if (t % 2)
        return;
    shared[t] = t * 5;
    __syncthreads();
    int value = shared[(t + 2) % (blockDim.x & ~1u)];
    int down = __shfl_down_sync(0x55555555, value, 2);
    unsigned votes = __ballot_sync(0x55555555, value % 20 == 0);
    __syncthreads();
    out[t] = value * 1000 + (t % 32 < 30 ? down : 0);
    out[t + 1] = (int)votes;
}

// A loop that the block leaves by common consent.
__global__ void consent(int *out, int *rounds) {
    int t = threadIdx.x, x = t, k = 0;
    while (__syncthreads_or(x > 3)) {
        if (x > 3)
            x /= 2;
        k++;
    }
    out[t] = x;
    int threes = __syncthreads_count(x == 3);
    if (t == 0)
        *rounds = k + 100 * threes;
}

// Barriers in branches and loops whose conditions the block agrees on, read from memory.
__global__ void decided(int *out, const int *plan) {
    __shared__ int shared[64], step;
    int t = threadIdx.x, acc = t;
    for (int k = 0;; k++) {
        if (t == 0)
            step = plan[k];
        __syncthreads();
        int now = step;
        __syncthreads();
        if (now == 0)
            break;
        if (now == 1) {
            shared[t] = acc;
            __syncthreads();
            acc += shared[(t + k) % blockDim.x];
        } else if (t < now) {
            acc -= now;
        }
        __syncthreads();
    }
    out[t] = acc;
}

// Affine in the thread's number before, and changed by a uniform amount in every round.
__global__ void moving(int *out, const int *in, int n) {
    __shared__ int shared[100];
    int t = threadIdx.x, place = t * 2, step = 1;
    unsigned long long far = t;
    shared[t] = 0;
    __syncthreads();
    while (step < 40) {
        shared[(t + 1) % blockDim.x] += in[place % n] + (int)(far % 13);
        place += step;
        far += 0x100000000ull / (unsigned)step;
        __syncthreads();
        step *= 2;
    }
    __syncthreads();
    out[t] = shared[t] + place;
}

__global__ void tree(float *out, const float *in) {
    extern __shared__ float sums[];
    int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    for (unsigned s = 64; s > 0; s >>= 1) {
        if (t < s && t + s < blockDim.x)
            sums[t] += sums[t + s];
        __syncthreads();
    }
    if (t == 0)
        *out = sums[0];
}

// An array of the thread's own lives across a barrier, and so does its address.
__global__ void local_memory(int *out, int n) {
    __shared__ int shared[96];
    int t = threadIdx.x, local[8], *place = &local[t % 8];
    for (int k = 0; k < 8; k++)
        local[k] = t * k;
    shared[t] = *place;
    __syncthreads();
    *place += shared[(t + 1) % blockDim.x];
    for (int k = 0; k < n; k++) {
        local[(k + t) & 7] += k;
        __syncthreads();
    }
    int sum = 0;
    for (int k = 0; k < 8; k++)
        sum += local[k] * (k + 1);
    out[t] = sum;
}

static void check_uniform_in_loop(int size) {
    const int n = 777;
    int *in = managed<int>(n), *out = managed<int>(size);
    for (int i = 0; i < n; i++)
        in[i] = i % 10;
    uniform_in_loop<<<1, size>>>(out, in, n);
    SYNC();
    int base = 0, sum = 0, k;
    for (k = 0; base < n; k++) {
        for (int j = 0; j < size; j++)
            sum += (base + j < n ? in[base + j] : 0) * (j % (k + 2));
        base += size - (k & 1) * (size / 2);
    }
    for (int t = 0; t < size; t++)
        CHECK(out[t] == sum + base * 3 + k);
}

static void check_warp_value(int size) {
    int *out = managed<int>(size), warps = (size + 31) / 32;
    warp_value<<<1, size>>>(out);
    SYNC();
    for (int t = 0; t < size; t++) {
        int warp = t / 32, next = (warp + 1) % warps, scale = warp * 10 + 1;
        scale += (next * 10 + 1) * (next == warps - 1 ? size - next * 32 : 32);
        for (int k = 0; k <= warp; k++)
            scale = scale * 3 % 1009;
        CHECK(out[t] == scale * 100 + warp);
    }
}

static void check_once_uniform(int size) {
    int *out = managed<int>(size);
    once_uniform<<<1, size>>>(out, 5000);
    SYNC();
    auto x = [size](int t) { return (t + 1) % size % 3 == 0 ? t : 5000; };
    for (int t = 0; t < size; t++)
        CHECK(out[t] == x(t) + x(size - 1 - t));
}

static void check_odd_leave() {
    const int size = 256;
    int *out = managed<int>(size);
    odd_leave<<<1, size>>>(out);
    SYNC();
    auto value = [](int t) { return (t + 2) % 256 * 5; };
    for (int t = 0; t < size; t += 2) {
        CHECK(out[t] == value(t) * 1000 + (t % 32 < 30 ? value(t + 2) : 0));
        unsigned votes = 0;
        for (int l = 0; l < 32; l += 2)
            votes |= (unsigned)(value(t / 32 * 32 + l) % 20 == 0) << l;
        CHECK((unsigned)out[t + 1] == votes);
    }
}

static void check_consent(int size) {
    int *out = managed<int>(size), *rounds = managed<int>(1), most = 0, threes = 0;
    consent<<<1, size>>>(out, rounds);
    SYNC();
    for (int t = 0; t < size; t++) {
        int x = t, k = 0;
        for (; x > 3; k++)
            x /= 2;
        most = k > most ? k : most;
        threes += x == 3;
        CHECK(out[t] == x);
    }
    CHECK(*rounds == most + 100 * threes);
}

static void check_decided() {
    const int size = 50, length = 8;
    int *out = managed<int>(size), *plan = managed<int>(length);
    const int steps[length] = {1, 7, 1, 33, 1, 1, 2, 0};
    for (int i = 0; i < length; i++)
        plan[i] = steps[i];
    decided<<<1, size>>>(out, plan);
    SYNC();
    int acc[size], old[size];
    for (int t = 0; t < size; t++)
        acc[t] = t;
    for (int k = 0; steps[k]; k++) {
        for (int t = 0; t < size; t++)
            old[t] = acc[t];
        for (int t = 0; t < size; t++)
            acc[t] += steps[k] == 1 ? old[(t + k) % size] : t < steps[k] ? -steps[k] : 0;
    }
    for (int t = 0; t < size; t++)
        CHECK(out[t] == acc[t]);
}

static void check_moving(int size) {
    const int n = 100;
    int *in = managed<int>(n), *out = managed<int>(size);
    for (int i = 0; i < n; i++)
        in[i] = i * i % 101;
    moving<<<1, size>>>(out, in, n);
    SYNC();
    for (int t = 0; t < size; t++) {
        int writer = (t + size - 1) % size, place = writer * 2, sum = 0;
        unsigned long long far = (unsigned)writer;
        for (int step = 1; step < 40; step *= 2) {
            sum += in[place % n] + (int)(far % 13);
            place += step;
            far += 0x100000000ull / (unsigned)step;
        }
        CHECK(out[t] == sum + t * 2 + 63);
    }
}

static void check_tree(int size) {
    float *in = managed<float>(size), *out = managed<float>(1), sums[128];
    for (int i = 0; i < size; i++)
        sums[i] = in[i] = 1.0f / (float)(i + 3);
    tree<<<1, size, size * sizeof(float)>>>(out, in);
    SYNC();
    for (int s = 64; s > 0; s /= 2)
        for (int t = 0; t < s && t + s < size; t++)
            sums[t] += sums[t + s];
    CHECK(*out == sums[0]);
}

static void check_local_memory(int size) {
    int *out = managed<int>(size);
    local_memory<<<1, size>>>(out, 11);
    SYNC();
    for (int t = 0; t < size; t++) {
        int local[8], next = (t + 1) % size, sum = 0;
        for (int k = 0; k < 8; k++)
            local[k] = t * k;
        local[t % 8] += next * (next % 8);
        for (int k = 0; k < 11; k++)
            local[(k + t) & 7] += k;
        for (int k = 0; k < 8; k++)
            sum += local[k] * (k + 1);
        CHECK(out[t] == sum);
    }
}

int main() {
    for (int size : {1, 7, 31, 32, 33, 64, 96, 100, 128, 255, 256}) {
        check_uniform_in_loop(size);
        check_warp_value(size);
        check_consent(size);
        if (size <= 128) {
            check_once_uniform(size);
            check_tree(size);
        }
        if (size <= 100)
            check_moving(size);
        if (size <= 96)
            check_local_memory(size);
    }
    check_odd_leave();
    check_decided();
}
