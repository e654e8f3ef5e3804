// Blocks of many rows, side by side along x, run a few rows at a time.
// RUN: %gcluster-cc -O2 %s -o %t
// RUN: env GCL_THREADS=1 GCL_CPU_LEVEL=v4 %t in order
// RUN: env GCL_THREADS=1 GCL_CPU_LEVEL=v3 %t in order
// RUN: env GCL_THREADS=1 GCL_CPU_LEVEL=v2 %t
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
            CHECK(to[i] == (is_inside ? from[i - 1] + from[i + 1] + from[i - width] +
                                            3 * from[i + width]
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

int main(int argc, char **) {
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
