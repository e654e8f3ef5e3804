// Blocks of many rows, side by side along x, run a few rows at a time.
// RUN: %gcluster-cc -O2 %s -o %t
// RUN: %gcluster-cc -O2 --cpu=scalar %s -o %t.scalar
// RUN: %t.scalar > %t.bits
// RUN: env GCL_THREADS=1 GCL_CPU_LEVEL=v4 %t in order | diff %t.bits -
// RUN: env GCL_THREADS=1 GCL_CPU_LEVEL=v3 %t in order | diff %t.bits -
// RUN: env GCL_THREADS=1 GCL_CPU_LEVEL=v2 %t | diff %t.bits -
#include <cmath>
#include <cstdio>
#include <cstring>

#include "../device/check.h"

__global__ void smooth(float *to, const float *from, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
        to[y * width + x] = from[y * width + x - 1] + from[y * width + x + 1] +
                            from[(y - 1) * width + x] + 3 * from[(y + 1) * width + x];
}

__global__ void shift(int *to, const int *from, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < nx && y < ny && z < nz)
        to[(z * ny + y) * nx + x] = from[(z * ny + y) * nx + (x > 0 ? x - 1 : 0)] + blockIdx.x;
}

// From plane to plane, with cells in registers. Who is at the border leaves early.
__global__ void march(const float *from, float *to, int nx, int ny, int nz, int *after) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || x >= nx - 1 || y == 0 || y >= ny - 1)
        return;
    int plane = nx * ny, i = y * nx + x;
    float before = from[i], here = from[i + plane];
    for (int z = 1; z < nz - 1; z++) {
        i += plane;
        float behind = from[i + plane];
        to[i] = 0.5f * here + 0.1f * (from[i - 1] + from[i + 1] + before + behind);
        before = here;
        here = behind;
    }
    after[y * nx + x] = i + (int)before;
}

// Counts vectors. Two threads of a worker would get into each other's way.
__global__ void note(int *turn, int *counter, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int now = *counter;
    turn[y * width + x] = now;
    *counter = now + 1;
}

static void check_smooth(dim3 block, int width, int height) {
    float *from = managed<float>(width * height), *to = managed<float>(width * height);
    for (int i = 0; i < width * height; i++)
        from[i] = i % 101, to[i] = -1;
    dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    smooth<<<grid, block>>>(to, from, width, height);
    SYNC();
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int i = y * width + x;
            bool is_inside = x > 0 && x < width - 1 && y > 0 && y < height - 1;
            CHECK(to[i] == (is_inside
                                ? from[i - 1] + from[i + 1] + from[i - width] + 3 * from[i + width]
                                : -1));
        }
}

static void check_shift(dim3 block, int nx, int ny, int nz) {
    int *from = managed<int>(nx * ny * nz), *to = managed<int>(nx * ny * nz);
    for (int i = 0; i < nx * ny * nz; i++)
        from[i] = 7 * i, to[i] = -1;
    dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y,
              (nz + block.z - 1) / block.z);
    shift<<<grid, block>>>(to, from, nx, ny, nz);
    SYNC();
    for (int i = 0; i < nx * ny * nz; i++) {
        int x = i % nx;
        CHECK(to[i] == from[x > 0 ? i - 1 : i] + x / (int)block.x);
    }
}

static unsigned bits_of(float value) {
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

template <int X, int Y> static void check_march(int nx, int ny, int nz) {
    const dim3 block(X, Y);
    const int plane = nx * ny;
    float *from = managed<float>(plane * nz), *to = managed<float>(plane * nz);
    int *after = managed<int>(plane);
    for (int i = 0; i < plane * nz; i++)
        from[i] = (i * 7) % 103, to[i] = -1;
    for (int i = 0; i < plane; i++)
        after[i] = -1;
    dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y);
    if (X == 32 && Y == 8) // a size that has code of its own
        march<<<grid, dim3(32, 8)>>>(from, to, nx, ny, nz, after);
    else
        march<<<grid, block>>>(from, to, nx, ny, nz, after);
    SYNC();
    unsigned bits = 0;
    for (int i = 0; i < plane * nz; i++) {
        int x = i % nx, y = i / nx % ny, z = i / plane;
        bool is_inside = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
        if (is_inside && z > 0 && z < nz - 1) {
            float sum = from[i - 1] + from[i + 1] + from[i - plane] + from[i + plane];
            CHECK(fabsf(to[i] - (0.5f * from[i] + 0.1f * sum)) < 1e-3f);
        } else {
            CHECK(to[i] == -1);
        }
        bits = 31 * bits + bits_of(to[i]);
        if (z == 0) {
            int last = nz > 2 ? i + (nz - 2) * plane : i;
            CHECK(after[i] == (is_inside ? last + (int)from[last] : -1));
        }
    }
    printf("%08x\n", bits);
}

int main(int argc, char **) {
    for (int nz = 2; nz <= 11; nz++) {
        check_march<32, 8>(256, 64, nz);
        check_march<32, 8>(250, 61, nz);
        check_march<16, 16>(1500, 33, nz);
        check_march<64, 2>(300, 9, nz); // too few rows: each block alone
        check_march<32, 8>(32, 100, nz);
        check_march<20, 6>(100, 25, nz);
        check_march<128, 8>(1100, 17, nz);
    }
    check_smooth(dim3(16, 16), 1000, 40);
    check_smooth(dim3(32, 8), 4096, 17);
    check_smooth(dim3(5, 9), 333, 50);
    check_smooth(dim3(100, 10), 50, 33);
    check_shift(dim3(8, 8, 8), 100, 20, 9);
    check_shift(dim3(3, 7, 5), 20, 8, 6);
    check_shift(dim3(256, 1, 1), 1000, 2, 2);
    const dim3 block(16, 8), grid(512, 1);
    const int width = block.x * grid.x;
    int *turn = managed<int>(width * block.y), *counter = managed<int>(1);
    note<<<grid, block>>>(turn, counter, width);
    SYNC();
    if (argc < 2) // code for vectors only
        return 0;
    // How many blocks a worker takes together depends on how long they take; some are neighbours.
    int strips = 0;
    for (unsigned b = 0; b + 1 < grid.x; b++) {
        const int *one = turn + b * block.x, *next = one + block.x;
        if (next[0] > one[4 * width])
            continue;
        strips++; // the next one's first row comes before other rows of this one,
        CHECK(one[3 * width] < next[0]); // and after its first four
    }
    CHECK(strips > 0);
}
