// Patterns of access whose traffic between nodes is known: each prints the least number of bytes
// that has to move between `nodes` nodes that have equal parts of the blocks, for all its launches.
// What kernels start from is made by kernels, cut in the same way, unless said otherwise.
//
//     bytes <pattern> <nodes> [--quick]
#include "host.h"

#include <cmath>
#include <set>
#include <string>
#include <utility>

struct outcome {
    double minimum; ///< bytes
    bool is_right;
};

static double nodes;
static bool quick;

static bool near(double value, double right) {
    return fabs(value - right) <= 1e-4 * fmax(1, fabs(right));
}

// Stencils: a halo on either side of each cut, for each step.

__global__ void make_plane(float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * n + x] = x * y % 7;
}

__global__ void step_plane(const float *in, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
        out[y * n + x] = 0.25f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] +
                                  in[(y + 1) * n + x]);
}

static outcome stencil2d() {
    const int n = quick ? 256 : 2048, steps = 20;
    float *in = allocate<float>((size_t)n * n), *out = allocate<float>((size_t)n * n);
    dim3 grid(n / 32, n / 8), block(32, 8);
    make_plane<<<grid, block>>>(in, n);
    make_plane<<<grid, block>>>(out, n);
    for (int i = 0; i < steps; i++) {
        step_plane<<<grid, block>>>(in, out, n);
        std::swap(in, out);
    }
    std::vector<float> result = host_copy(in, (size_t)n * n), now(result.size());
    for (size_t i = 0; i < now.size(); i++)
        now[i] = (int)(i % n) * (int)(i / n) % 7;
    std::vector<float> next = now;
    for (int i = 0; i < steps; i++) {
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++)
                next[y * n + x] = 0.25f * (now[y * n + x - 1] + now[y * n + x + 1] +
                                           now[(y - 1) * n + x] + now[(y + 1) * n + x]);
        std::swap(now, next);
    }
    return {steps * 2 * (nodes - 1) * (n - 2) * sizeof(float), result == now};
}

__global__ void make_space(float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z;
    out[(z * n + y) * n + x] = (x + y * z) % 5;
}

__global__ void step_space(const float *in, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z, i = (z * n + y) * n + x;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1 && z > 0 && z < n - 1)
        out[i] = in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n];
}

static outcome stencil3d() {
    const int n = quick ? 64 : 128, steps = 4;
    const size_t count = (size_t)n * n * n;
    float *in = allocate<float>(count), *out = allocate<float>(count);
    dim3 grid(n / 32, n / 8, n), block(32, 8);
    make_space<<<grid, block>>>(in, n);
    make_space<<<grid, block>>>(out, n);
    for (int i = 0; i < steps; i++) {
        step_space<<<grid, block>>>(in, out, n);
        std::swap(in, out);
    }
    std::vector<float> result = host_copy(in, count), now(count);
    for (int i = 0; i < n * n * n; i++)
        now[i] = (i % n + i / n % n * (i / n / n)) % 5;
    std::vector<float> next = now;
    for (int s = 0; s < steps; s++) {
        for (int z = 1; z < n - 1; z++)
            for (int y = 1; y < n - 1; y++)
                for (int x = 1, i = (z * n + y) * n + x; x < n - 1; x++, i++)
                    next[i] = now[i - 1] + now[i + 1] + now[i - n] + now[i + n] + now[i - n * n] +
                              now[i + n * n];
        std::swap(now, next);
    }
    return {steps * 2 * (nodes - 1) * (n - 2) * (n - 2) * sizeof(float), result == now};
}

// Products: each node needs all of one factor, and has a part of it.

__global__ void multiply(const float *a, const float *b, float *c, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

static outcome matmul() {
    const int n = quick ? 128 : 512;
    float *a = allocate<float>(n * n), *b = allocate<float>(n * n), *c = allocate<float>(n * n);
    dim3 grid(n / 16, n / 16), block(16, 16);
    make_plane<<<grid, block>>>(a, n);
    make_plane<<<grid, block>>>(b, n);
    multiply<<<grid, block>>>(a, b, c, n);
    std::vector<float> result = host_copy(c, n * n);
    bool is_right = true;
    for (int i = 0; i < n * n; i += 97) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += k * (i / n) % 7 * (k * (i % n) % 7);
        is_right = is_right && near(result[i], sum);
    }
    return {(nodes - 1) * n * n * sizeof(float), is_right};
}

// All bodies are needed by all nodes, in each step.

__global__ void make_bodies(float4 *bodies) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bodies[i] = make_float4(i % 13, i % 17, i % 19, 1);
}

__global__ void attract(const float4 *now, float4 *next, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 sum = make_float4(0, 0, 0, 0);
    for (int j = 0; j < n; j++) {
        sum.x += now[j].x * now[j].w;
        sum.y += now[j].y * now[j].w;
        sum.z += now[j].z * now[j].w;
    }
    next[i] = make_float4(sum.x / n + now[i].x, sum.y / n + now[i].y, sum.z / n + now[i].z, 1);
}

static outcome nbody() {
    const int n = quick ? 1024 : 8192, steps = 5;
    float4 *now = allocate<float4>(n), *next = allocate<float4>(n);
    make_bodies<<<n / 64, 64>>>(now);
    for (int i = 0; i < steps; i++) {
        attract<<<n / 64, 64>>>(now, next, n);
        std::swap(now, next);
    }
    double mean = 0;
    for (int i = 0; i < n; i++)
        mean += i % 13 / (double)n;
    double right = 12 + mean * (pow(2, steps) - 1); // the mean doubles with each step
    bool is_right = fabs(host_copy(now, n)[12].x - right) <= 1e-3 * right;
    return {steps * (nodes - 1) * n * sizeof(float4), is_right};
}

// What a node needs is spread over what all have: after a transposition, which moves nothing if
// each node writes columns, the rows.

__global__ void transpose(const float *in, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * n + x] = in[x * n + y];
}

__global__ void make_rows(float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * n + x] = y * n + x;
}

__global__ void find_largest(const float *in, float *largest, int n) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    float found = 0;
    for (int x = 0; x < n; x++)
        found = fmaxf(found, in[y * n + x]);
    largest[y] = found;
}

static outcome transposed() {
    const int n = quick ? 256 : 2048;
    float *in = allocate<float>((size_t)n * n), *out = allocate<float>((size_t)n * n);
    float *largest = allocate<float>(n);
    dim3 grid(n / 32, n / 8), block(32, 8);
    make_rows<<<grid, block>>>(in, n);
    transpose<<<grid, block>>>(in, out, n);
    find_largest<<<n / 64, 64>>>(out, largest, n);
    std::vector<float> result = host_copy(largest, n);
    bool is_right = true;
    for (int y = 0; y < n; y++)
        is_right = is_right && result[y] == (float)((n - 1) * n + y);
    return {(nodes - 1) / nodes * n * n * sizeof(float), is_right};
}

// A sparse matrix that the host has made: each node gets its rows once, then those elements of the
// vector that its columns name.

__global__ void multiply_sparse(const int *rows, const int *columns, const float *values,
                                const float *in, float *out, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float sum = 0;
    for (int i = rows[row]; i < rows[row + 1]; i++)
        sum += values[i] * in[columns[i]];
    out[row] = sum;
}

static outcome spmv() {
    const int n = quick ? 4096 : 65536, each = 8, band = n / 64, steps = 5;
    std::vector<int> rows, columns;
    for (int y = 0; y <= n; y++)
        rows.push_back(y * each);
    for (int i = 0; i < n * each; i++)
        columns.push_back((i / each + (int)(uniform(i) * band)) % n);
    std::vector<float> values(columns.size(), 1.0f / each), start(n);
    for (int i = 0; i < n; i++)
        start[i] = uniform(i);
    int *device_rows = copy_of(rows), *device_columns = copy_of(columns);
    float *device_values = copy_of(values), *in = copy_of(start), *out = allocate<float>(n);
    for (int i = 0; i < steps; i++) {
        multiply_sparse<<<n / 128, 128>>>(device_rows, device_columns, device_values, in, out, n);
        std::swap(in, out);
    }
    std::vector<float> result = host_copy(in, n), now = start, next(n);
    for (int s = 0; s < steps; s++) {
        for (int y = 0; y < n; y++) {
            next[y] = 0;
            for (int i = rows[y]; i < rows[y + 1]; i++)
                next[y] += values[i] * now[columns[i]];
        }
        std::swap(now, next);
    }
    bool is_right = true;
    for (int y = 0; y < n; y++)
        is_right = is_right && near(result[y], now[y]);
    // The first step's vector is at node 0, later ones where their rows are.
    double matrix = 0, first = 0, later = 0;
    const int part = n / (int)nodes;
    for (int node = 0; node < nodes; node++) {
        std::set<int> named(columns.begin() + (size_t)node * part * each,
                            columns.begin() + (size_t)(node + 1) * part * each);
        for (int column : named)
            later += column / part != node;
        if (node > 0) {
            first += named.size();
            matrix += part + 1 + 2.0 * part * each;
        }
    }
    return {4 * (matrix + first + (steps - 1) * later), is_right};
}

// Reductions: each node but one sends what it has for all counters.

__global__ void make_numbers(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i * 2654435761u >> 8;
}

__global__ void count(const unsigned *in, unsigned *bins) {
    atomicAdd(&bins[in[blockIdx.x * blockDim.x + threadIdx.x] & 255], 1u);
}

static outcome histogram() {
    const unsigned n = quick ? 1 << 14 : 1 << 22, rounds = 4;
    unsigned *in = allocate<unsigned>(n), *bins = allocate<unsigned>(256);
    make_numbers<<<n / 256, 256>>>(in);
    check(cudaMemset(bins, 0, 256 * sizeof(unsigned)));
    for (unsigned i = 0; i < rounds; i++)
        count<<<n / 256, 256>>>(in, bins);
    std::vector<unsigned> right(256);
    for (unsigned i = 0; i < n; i++)
        right[(i * 2654435761u >> 8) & 255] += rounds;
    return {rounds * (nodes - 1) * 256 * sizeof(unsigned), host_copy(bins, 256) == right};
}

__global__ void add_up(const unsigned *in, unsigned *sum) {
    __shared__ unsigned part[256];
    part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x] & 15;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        atomicAdd(sum, part[0]);
}

static outcome reduction() {
    const unsigned n = quick ? 1 << 14 : 1 << 22, rounds = 4;
    unsigned *in = allocate<unsigned>(n), *sum = allocate<unsigned>(1), right = 0;
    make_numbers<<<n / 256, 256>>>(in);
    check(cudaMemset(sum, 0, sizeof(unsigned)));
    for (unsigned i = 0; i < rounds; i++)
        add_up<<<n / 256, 256>>>(in, sum);
    for (unsigned i = 0; i < n; i++)
        right += rounds * ((i * 2654435761u >> 8) & 15);
    return {rounds * (nodes - 1) * sizeof(unsigned), host_copy(sum, 1)[0] == right};
}

// Centres go to all nodes, their new sums and counts come together, in each step.

enum { CENTRES = 16, DIMENSIONS = 4 };

__global__ void make_points(float *points) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int d = 0; d < DIMENSIONS; d++)
        points[i * DIMENSIONS + d] = (i * (d + 3) % 101 + i % CENTRES * 10) % 128;
}

__global__ void assign(const float *points, const float *centres, float *sums, int *counts) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, nearest = 0;
    float least = 1e30f;
    for (int c = 0; c < CENTRES; c++) {
        float distance = 0;
        for (int d = 0; d < DIMENSIONS; d++) {
            float way = points[i * DIMENSIONS + d] - centres[c * DIMENSIONS + d];
            distance += way * way;
        }
        if (distance < least) {
            least = distance;
            nearest = c;
        }
    }
    for (int d = 0; d < DIMENSIONS; d++)
        atomicAdd(&sums[nearest * DIMENSIONS + d], points[i * DIMENSIONS + d]);
    atomicAdd(&counts[nearest], 1);
}

__global__ void move_centres(float *centres, float *sums, int *counts) {
    int c = threadIdx.x;
    for (int d = 0; d < DIMENSIONS; d++) {
        if (counts[c] > 0)
            centres[c * DIMENSIONS + d] = sums[c * DIMENSIONS + d] / counts[c];
        sums[c * DIMENSIONS + d] = 0;
    }
    counts[c] = 0;
}

static void assign_on_host(const std::vector<float> &points, std::vector<float> &centres) {
    double sums[CENTRES][DIMENSIONS] = {};
    int counts[CENTRES] = {};
    for (size_t i = 0; i < points.size(); i += DIMENSIONS) {
        int nearest = 0;
        float least = 1e30f;
        for (int c = 0; c < CENTRES; c++) {
            float distance = 0;
            for (int d = 0; d < DIMENSIONS; d++)
                distance += (points[i + d] - centres[c * DIMENSIONS + d]) *
                            (points[i + d] - centres[c * DIMENSIONS + d]);
            if (distance < least) {
                least = distance;
                nearest = c;
            }
        }
        for (int d = 0; d < DIMENSIONS; d++)
            sums[nearest][d] += points[i + d];
        counts[nearest]++;
    }
    for (int c = 0; c < CENTRES; c++)
        for (int d = 0; d < DIMENSIONS && counts[c] > 0; d++)
            centres[c * DIMENSIONS + d] = (float)(sums[c][d] / counts[c]);
}

static outcome kmeans() {
    const int n = quick ? 1 << 12 : 1 << 15, steps = 3;
    const size_t size = CENTRES * DIMENSIONS;
    std::vector<float> right(size);
    for (size_t i = 0; i < size; i++)
        right[i] = 8 * (i / DIMENSIONS) + i % DIMENSIONS;
    float *points = allocate<float>(n * DIMENSIONS), *centres = copy_of(right);
    float *sums = copy_of(std::vector<float>(size));
    int *counts = copy_of(std::vector<int>(CENTRES));
    make_points<<<n / 128, 128>>>(points);
    for (int i = 0; i < steps; i++) {
        assign<<<n / 128, 128>>>(points, centres, sums, counts);
        move_centres<<<1, CENTRES>>>(centres, sums, counts);
    }
    std::vector<float> result = host_copy(centres, size);
    std::vector<float> all = host_copy(points, n * DIMENSIONS);
    bool is_right = true;
    for (int i = 0; i < steps; i++)
        assign_on_host(all, right);
    for (size_t i = 0; i < size; i++)
        is_right = is_right && fabs(result[i] - right[i]) <= 0.05;
    return {steps * (nodes - 1) * 4 * (2 * size + CENTRES), is_right};
}

// Sums of blocks come to one node, and those before each block go back.

__global__ void scan_block(const unsigned *in, unsigned *out, unsigned *sums) {
    __shared__ unsigned part[256];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = in[i] & 15;
    for (int distance = 1; distance < 256; distance *= 2) {
        __syncthreads();
        unsigned before = threadIdx.x >= distance ? part[threadIdx.x - distance] : 0;
        __syncthreads();
        part[threadIdx.x] += before;
    }
    out[i] = part[threadIdx.x];
    if (threadIdx.x == 255)
        sums[blockIdx.x] = part[255];
}

__global__ void scan_sums(unsigned *sums, int count) {
    unsigned sum = 0;
    for (int i = 0; i < count; i++) {
        unsigned own = sums[i];
        sums[i] = sum;
        sum += own;
    }
}

__global__ void add_before(unsigned *out, const unsigned *sums) {
    out[blockIdx.x * blockDim.x + threadIdx.x] += sums[blockIdx.x];
}

static outcome scan() {
    const unsigned n = quick ? 1 << 14 : 1 << 22, blocks = n / 256;
    unsigned *in = allocate<unsigned>(n), *out = allocate<unsigned>(n);
    unsigned *sums = allocate<unsigned>(blocks), sum = 0;
    make_numbers<<<blocks, 256>>>(in);
    scan_block<<<blocks, 256>>>(in, out, sums);
    scan_sums<<<1, 1>>>(sums, blocks);
    add_before<<<blocks, 256>>>(out, sums);
    std::vector<unsigned> result = host_copy(out, n);
    bool is_right = true;
    for (unsigned i = 0; i < n; i++) {
        sum += (i * 2654435761u >> 8) & 15;
        is_right = is_right && result[i] == sum;
    }
    return {2 * (nodes - 1) / nodes * blocks * sizeof(unsigned), is_right};
}

int main(int argc, char **argv) {
    const struct {
        std::string name;
        outcome (*run)();
    } patterns[] = {
        {"stencil2d", stencil2d}, {"stencil3d", stencil3d},  {"matmul", matmul},
        {"nbody", nbody},         {"transpose", transposed}, {"spmv", spmv},
        {"histogram", histogram}, {"reduction", reduction},  {"kmeans", kmeans},
        {"scan", scan},
    };
    for (const auto &pattern : patterns) {
        if (argc < 3 || pattern.name != argv[1])
            continue;
        nodes = atoi(argv[2]);
        quick = is_quick(argc, argv);
        outcome o = pattern.run();
        check(cudaDeviceSynchronize());
        printf("minimum %.0f %s\n", o.minimum, o.is_right ? "right" : "wrong");
        return o.is_right ? 0 : 1;
    }
    fprintf(stderr, "usage: bytes <pattern> <nodes> [--quick]\n");
    return 2;
}
