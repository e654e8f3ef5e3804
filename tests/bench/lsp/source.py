"""The file that both servers get: plain CUDA, forms of kernels again and again."""

HEAD = """// A made-up program.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Grid {
    int width, height;
    float spacing;
};
"""

STENCIL = """
// Relaxes the inner cells of a grid once.
__global__ void relax{n}(const float *in, float *out, int width, int height, float weight) {{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    float middle = in[y * width + x];
    float left = in[y * width + x - 1], right = in[y * width + x + 1];
    float up = in[(y - 1) * width + x], down = in[(y + 1) * width + x];
    out[y * width + x] = middle + weight * (left + right + up + down - 4.0f * middle);
}}

void run_relax{n}(const Grid &grid, float *a, float *b) {{
    dim3 block(16, 16);
    dim3 count((grid.width + 15) / 16, (grid.height + 15) / 16);
    for (int step = 0; step < {n} + 1; step++) {{
        relax{n}<<<count, block>>>(a, b, grid.width, grid.height, 0.2f);
        float *other = a;
        a = b;
        b = other;
    }}
}}
"""

SUM = """
// Adds up each block's part.
__global__ void sum{n}(const float *values, float *sums, int count) {{
    __shared__ float part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < count ? values[i] : 0.0f;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {{
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }}
    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0];
}}

float run_sum{n}(const float *values, int count) {{
    int blocks = (count + 255) / 256;
    std::vector<float> parts(blocks);
    float *sums, total = 0;
    if (cudaMalloc(&sums, blocks * sizeof(float)) != cudaSuccess)
        exit(1);
    sum{n}<<<blocks, 256>>>(values, sums, count);
    cudaMemcpy(parts.data(), sums, blocks * sizeof(float), cudaMemcpyDeviceToHost);
    for (float part : parts)
        total += part;
    cudaFree(sums);
    return total;
}}
"""

END = """
int main() {
    printf("nothing\\n");
    return 0;
}
"""


def write(kernels):
    return HEAD + "".join((SUM if n % 2 else STENCIL).format(n=n) for n in range(kernels)) + END
