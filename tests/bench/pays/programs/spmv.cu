// Sparse matrix (CSR) times vector, a row a thread; each product is the next one's vector.
#include "pays.h"

#include <utility>

__global__ void multiply(const int *begins, const int *columns, const float *values, const float *x,
                         float *y, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float sum = 0;
    for (int k = begins[row]; k < begins[row + 1]; k++)
        sum += values[k] * x[columns[k]];
    y[row] = sum;
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 1 << 16, 1 << 18, 1 << 19);
    const int steps = by_size(argc, argv, 20, 24, 40);
    std::vector<int> row_begins(n + 1), all_columns;
    for (int row = 0; row < n; row++) { // columns near the diagonal
        for (int k = 0; k < 4 + (int)(noise(row) % 8); k++)
            all_columns.push_back((row + n - 512 + (int)(noise(row * 16 + k) % 1024)) % n);
        row_begins[row + 1] = (int)all_columns.size();
    }
    std::vector<float> all_values = uniforms(all_columns.size()), start = uniforms(n);
    for (float &value : all_values)
        value *= 0.25f;
    start_clock();
    int *begins = copy_of(row_begins), *columns = copy_of(all_columns);
    float *values = copy_of(all_values), *x = copy_of(start), *y = allocate<float>(n);
    for (int i = 0; i < steps; i++) {
        multiply<<<(n + 127) / 128, 128>>>(begins, columns, values, x, y, n);
        std::swap(x, y);
    }
    return report(x, n);
}
