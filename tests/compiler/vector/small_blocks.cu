// Blocks of so few threads that what they keep across barriers stays in registers.
#include "../device/check.h"

enum { TILE = 16 };

// What `a` and `b` have `pitch` apart is read early, if not behind an index that wraps.
__global__ void product(const float *a, const float *b, float *c, int n, int pitch) {
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        a_tile[ty][tx] = a[row * pitch + t + tx];
        b_tile[ty][tx] = b[(t + ty) * pitch + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += a_tile[ty][k] * b_tile[k][tx];
        __syncthreads();
    }
    c[row * pitch + column] = sum;
}

// Indices that wrap between the lanes, so that the function for masks has to take what is held.
__global__ void wraps(int *out, const int *in, unsigned first, unsigned rounds) {
    __shared__ int last[128];
    int t = threadIdx.x, sum = t;
    for (unsigned k = 0; k < rounds; k++) {
        unsigned i = t - first + k;
        last[t] = sum;
        __syncthreads();
        sum += last[(t + 1) % 128] + (i < 100 ? in[i] : 1000);
        __syncthreads();
    }
    out[t] = sum;
}

// Rows of the block go different ways, each with barriers of its own, and meet again.
__global__ void rows_part(int *out, int n) {
    __shared__ int shared[2][64];
    int x = threadIdx.x, y = threadIdx.y, sum = x + 100 * y;
    shared[y][x] = sum;
    __syncthreads();
    if (y == 0) {
        for (int k = 0; k < n; k++) {
            sum += shared[1][(x + k) % 64];
            __syncthreads();
        }
    } else {
        for (int k = 0; k < n; k++) {
            sum ^= shared[0][(x + 2 * k) % 64];
            __syncthreads();
        }
    }
    __syncthreads();
    shared[y][x] = sum;
    __syncthreads();
    out[64 * y + x] = sum - shared[1 - y][63 - x];
}

// Some threads leave before the others are done.
__global__ void leave(int *out, int n) {
    __shared__ int shared[64];
    int t = threadIdx.x;
    long sum = t;
    shared[t] = 0;
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (t == 7 * k)
            break;
        shared[t] = (int)sum;
        __syncthreads();
        sum += shared[(t + 1) % 64] + 1;
        __syncthreads();
    }
    out[t] = (int)sum;
}

static void check_product() {
    const int n = 48, pitch = 1024;
    float *a = managed<float>(n * pitch), *b = managed<float>(n * pitch);
    float *c = managed<float>(n * pitch);
    for (int i = 0; i < n * pitch; i++) {
        a[i] = (float)(i % 7);
        b[i] = (float)(i % 5);
    }
    product<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, b, c, n, pitch);
    SYNC();
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < n; x++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[y * pitch + k] * b[k * pitch + x];
            CHECK(c[y * pitch + x] == sum);
        }
    }
}

static void check_wraps(unsigned first) {
    const unsigned rounds = 5;
    int *in = managed<int>(100), *out = managed<int>(128), now[128], next[128];
    for (int i = 0; i < 100; i++)
        in[i] = i * i % 11;
    wraps<<<1, 128>>>(out, in, first, rounds);
    SYNC();
    for (int t = 0; t < 128; t++)
        now[t] = t;
    for (unsigned k = 0; k < rounds; k++) {
        for (int t = 0; t < 128; t++) {
            unsigned i = t - first + k;
            next[t] = now[t] + now[(t + 1) % 128] + (i < 100 ? in[i] : 1000);
        }
        for (int t = 0; t < 128; t++)
            now[t] = next[t];
    }
    for (int t = 0; t < 128; t++)
        CHECK(out[t] == now[t]);
}

static void check_rows_part(int n) {
    int *out = managed<int>(128), sums[2][64];
    rows_part<<<1, dim3(64, 2)>>>(out, n);
    SYNC();
    for (int x = 0; x < 64; x++) {
        sums[0][x] = x;
        sums[1][x] = x + 100;
        for (int k = 0; k < n; k++) {
            sums[0][x] += (x + k) % 64 + 100;
            sums[1][x] ^= (x + 2 * k) % 64;
        }
    }
    for (int t = 0; t < 128; t++)
        CHECK(out[t] == sums[t / 64][t % 64] - sums[1 - t / 64][63 - t % 64]);
}

static void check_leave() {
    const int n = 6;
    int *out = managed<int>(64), shared[64] = {};
    long sums[64];
    leave<<<1, 64>>>(out, n);
    SYNC();
    for (int t = 0; t < 64; t++)
        sums[t] = t;
    for (int k = 0; k < n; k++) {
        auto stays = [k](int t) { return t % 7 != 0 || t > 7 * k; };
        for (int t = 0; t < 64; t++)
            shared[t] = stays(t) ? (int)sums[t] : shared[t];
        for (int t = 0; t < 64; t++)
            sums[t] += stays(t) ? shared[(t + 1) % 64] + 1 : 0;
    }
    for (int t = 0; t < 64; t++)
        CHECK(out[t] == (int)sums[t]);
}

int main() {
    check_product();
    for (unsigned first : {0u, 3u, 64u, 100u})
        check_wraps(first);
    check_rows_part(0);
    check_rows_part(5);
    check_leave();
}
