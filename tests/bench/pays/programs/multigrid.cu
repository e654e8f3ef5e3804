// V-cycles: grids shrink down to 8 x 8 cells, and grow again.
#include "pays.h"

__device__ bool is_inside(int x, int y, int n) {
    return x > 0 && y > 0 && x < n - 1 && y < n - 1;
}

__global__ void smooth(const float *in, const float *right, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int i = y * n + x;
    if (x < n && y < n)
        out[i] =
            is_inside(x, y, n)
                ? 0.2f * in[i] + 0.2f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + right[i])
                : 0;
}

__global__ void restrict_residual(const float *u, const float *right, float *coarse, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int i = 2 * y * n + 2 * x;
    if (x < n / 2 && y < n / 2)
        coarse[y * (n / 2) + x] =
            is_inside(x, y, n / 2) ? right[i] + u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - 4 * u[i]
                                   : 0;
}

__global__ void prolong(const float *coarse, float *u, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (is_inside(x, y, n))
        u[y * n + x] += coarse[y / 2 * (n / 2) + x / 2];
}

static dim3 grid_of(int n) {
    return dim3((n + 15) / 16, (n + 15) / 16);
}

struct level {
    float *u, *other, *right;
    int n;
};

static void smooth_twice(const level &l) {
    smooth<<<grid_of(l.n), dim3(16, 16)>>>(l.u, l.right, l.other, l.n);
    smooth<<<grid_of(l.n), dim3(16, 16)>>>(l.other, l.right, l.u, l.n);
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 256, 512, 1024), cycles = by_size(argc, argv, 20, 40, 25);
    const std::vector<float> start = uniforms((size_t)n * n);
    start_clock();
    std::vector<level> levels;
    for (int m = n; m >= 8; m /= 2) {
        size_t count = (size_t)m * m;
        levels.push_back({zeros<float>(count), zeros<float>(count),
                          m == n ? copy_of(start) : zeros<float>(count), m});
    }
    for (int cycle = 0; cycle < cycles; cycle++) {
        for (size_t i = 0; i + 1 < levels.size(); i++) {
            const level &fine = levels[i], &coarse = levels[i + 1];
            smooth_twice(fine);
            restrict_residual<<<grid_of(coarse.n), dim3(16, 16)>>>(fine.u, fine.right, coarse.right,
                                                                   fine.n);
            check(cudaMemset(coarse.u, 0, (size_t)coarse.n * coarse.n * sizeof(float)));
        }
        for (size_t i = levels.size(); i-- > 0;) {
            smooth_twice(levels[i]);
            if (i > 0)
                prolong<<<grid_of(levels[i - 1].n), dim3(16, 16)>>>(levels[i].u, levels[i - 1].u,
                                                                    levels[i - 1].n);
        }
    }
    return report(levels[0].u, (size_t)n * n);
}
