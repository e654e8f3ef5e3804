// Gaussian elimination by two small launches a column, as Rodinia has it.
#include "pays.h"

__global__ void factors(const float *a, float *m, int n, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1 - k)
        m[(k + 1 + i) * n + k] = a[(k + 1 + i) * n + k] / a[k * n + k];
}

__global__ void eliminate(const float *m, float *a, float *b, int n, int k) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n - 1 - k || column >= n - k)
        return;
    a[(k + 1 + row) * n + k + column] -= m[(k + 1 + row) * n + k] * a[k * n + k + column];
    if (column == 0)
        b[k + 1 + row] -= m[(k + 1 + row) * n + k] * b[k];
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 320, 704, 1152);
    std::vector<float> matrix = uniforms((size_t)n * n), right = uniforms(n);
    for (int i = 0; i < n; i++)
        matrix[(size_t)i * n + i] += n;
    start_clock();
    float *a = copy_of(matrix), *b = copy_of(right), *m = zeros<float>((size_t)n * n);
    for (int k = 0; k < n - 1; k++) {
        factors<<<(n + 255) / 256, 256>>>(a, m, n, k);
        eliminate<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(m, a, b, n, k);
    }
    return report(b, n);
}
