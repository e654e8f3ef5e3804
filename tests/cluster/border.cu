// Random programs of stencils whose launches take long enough to be taken apart: inner blocks run
// while halos move, and halos of the next launch move while those still run. What depends on what
// changes from launch to launch: buffers that take turns, steps in place, wide and skewed halos,
// bytes that come from the other end, copies and sums in between, a second stream, and values that
// blocks of the same launch combine.
#include <cstdio>
#include <cstdlib>
#include <vector>

const int WIDTH = 192, MOST_HEIGHT = 320, ARRAYS = 3, PROGRAMS = 16, STEPS = 40, WORK = 400;

static void check(cudaError_t error) {
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

// Takes long, so that it pays to take a launch apart.
__device__ unsigned mix(unsigned value) {
    for (int i = 0; i < WORK; i++)
        value = (value ^ (value >> 13)) * 0x5bd1e995u + 7;
    return value;
}

__global__ void spread(const unsigned *in, unsigned *out, int height, int up, int down) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < WIDTH && y >= up && y < height - down)
        out[y * WIDTH + x] =
            mix(in[y * WIDTH + x] + 3 * in[(y - up) * WIDTH + x] + 5 * in[(y + down) * WIDTH + x]);
}

// Each other row in place, from those between them.
__global__ void in_place(unsigned *data, int height, int odd) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < WIDTH && y >= 1 && y < height - 1 && (y & 1) == odd)
        data[y * WIDTH + x] =
            mix(data[y * WIDTH + x] + data[(y - 1) * WIDTH + x] + data[(y + 1) * WIDTH + x]);
}

// Reads rows and columns that lie round the ends as well.
__global__ void around(const unsigned *in, const unsigned *other, unsigned *out, int height,
                       int far) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < WIDTH && y < height)
        out[y * WIDTH + x] =
            mix(in[(y + far) % height * WIDTH + (x + far) % WIDTH] + other[y * WIDTH + x]);
}

// Writes rows that another node has.
__global__ void skew(const unsigned *in, unsigned *out, int height, int shift) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < WIDTH && y < height - shift)
        out[(y + shift) * WIDTH + x] = mix(in[y * WIDTH + x]);
}

__global__ void sum(const unsigned *in, unsigned *out, unsigned *total, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= WIDTH || y < 1 || y >= height - 1)
        return;
    unsigned value = mix(in[(y - 1) * WIDTH + x] + in[(y + 1) * WIDTH + x]);
    out[y * WIDTH + x] = value;
    if (x % 64 == 0)
        atomicAdd(total, value);
}

static unsigned state;

static int below(int limit) {
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (unsigned)limit);
}

struct program {
    unsigned *arrays[ARRAYS], *total;
    int height;
    dim3 grid, block;
    cudaStream_t streams[2];
    cudaEvent_t event;
};

// A launch of a kind; the same kind again and again has the same arguments in turns.
static void launch(program &p, int kind, int halo, int step, cudaStream_t stream) {
    unsigned *a = p.arrays[step % 2], *b = p.arrays[(step + 1) % 2], *c = p.arrays[2];
    switch (kind) {
    case 0:
        spread<<<p.grid, p.block, 0, stream>>>(a, b, p.height, halo, halo);
        break;
    case 1:
        spread<<<p.grid, p.block, 0, stream>>>(a, b, p.height, 0, 2 * halo);
        break;
    case 2:
        in_place<<<p.grid, p.block, 0, stream>>>(a, p.height, step & 1);
        break;
    case 3:
        around<<<p.grid, p.block, 0, stream>>>(a, c, b, p.height, halo);
        break;
    case 4:
        skew<<<p.grid, p.block, 0, stream>>>(a, b, p.height, halo);
        break;
    default:
        sum<<<p.grid, p.block, 0, stream>>>(a, b, p.total, p.height);
    }
}

static void disturb(program &p, cudaStream_t *stream) {
    size_t bytes = sizeof(unsigned) * WIDTH * p.height, row = sizeof(unsigned) * WIDTH;
    unsigned host[4];
    switch (below(6)) {
    case 0:
        check(cudaMemcpyAsync(p.arrays[2], p.arrays[0], bytes, cudaMemcpyDeviceToDevice, *stream));
        break;
    case 1:
        check(cudaMemsetAsync((char *)p.arrays[below(2)] + below(p.height) * row, below(256), row,
                              *stream));
        break;
    case 2:
        check(cudaMemcpyAsync(host, p.arrays[1] + below(p.height) * WIDTH, sizeof host,
                              cudaMemcpyDeviceToHost, *stream));
        check(cudaStreamSynchronize(*stream));
        printf(" %08x", host[1]);
        break;
    case 3:
        check(cudaEventRecord(p.event, *stream));
        *stream = *stream == p.streams[0] ? p.streams[1] : p.streams[0];
        check(cudaStreamWaitEvent(*stream, p.event, 0));
        break;
    case 4:
        check(cudaEventRecord(p.event, *stream));
        break;
    default:
        check(cudaDeviceSynchronize());
    }
}

static void print(const program &p) {
    std::vector<unsigned> host(WIDTH * p.height);
    for (unsigned *array : p.arrays) {
        unsigned hash = 2166136261u;
        check(cudaMemcpy(host.data(), array, host.size() * sizeof host[0], cudaMemcpyDeviceToHost));
        for (unsigned value : host)
            hash = (hash ^ value) * 16777619u;
        printf(" %08x", hash);
    }
    unsigned total;
    check(cudaMemcpy(&total, p.total, sizeof total, cudaMemcpyDeviceToHost));
    printf(" %08x\n", total);
}

static void run(program &p) {
    int kinds[] = {below(6), below(6)}, halo = 1 + below(12), step = 0;
    cudaStream_t stream = p.streams[0];
    std::vector<unsigned> host(WIDTH * p.height);
    for (unsigned *array : p.arrays) {
        for (unsigned &value : host)
            value = (unsigned)below(1 << 20);
        check(cudaMemcpy(array, host.data(), host.size() * sizeof host[0], cudaMemcpyHostToDevice));
    }
    check(cudaMemset(p.total, 0, sizeof *p.total));
    check(cudaDeviceSynchronize()); // one of the streams doesn't wait for that
    printf("%d %d %d:", kinds[0], kinds[1], halo);
    while (step < STEPS) {
        // Rows of launches, whose kernels have been measured.
        int kind = kinds[below(2)], end = step + 2 + below(12);
        for (; step < end && step < STEPS; step++)
            launch(p, below(8) ? kind : kinds[0], halo, step, stream);
        disturb(p, &stream);
    }
    check(cudaDeviceSynchronize());
    print(p);
}

int main() {
    program p;
    check(cudaStreamCreateWithFlags(&p.streams[0], cudaStreamNonBlocking));
    check(cudaStreamCreate(&p.streams[1]));
    check(cudaEventCreate(&p.event));
    check(cudaMalloc(&p.total, sizeof *p.total));
    for (int i = 0; i < PROGRAMS; i++) {
        state = (unsigned)i;
        p.height = MOST_HEIGHT - below(100);
        p.block = dim3(32, 1 + below(6));
        p.grid = dim3(WIDTH / 32, (p.height + p.block.y - 1) / p.block.y);
        for (unsigned *&array : p.arrays)
            check(cudaMalloc(&array, sizeof(unsigned) * WIDTH * p.height));
        run(p);
        for (unsigned *array : p.arrays)
            check(cudaFree(array));
    }
    return 0;
}
