// Sparse matrix times vector, the matrix in compressed rows (CSR), in the two classic ways: one
// thread a row, and one warp a row with the lanes side by side in it. Rows have very different
// lengths here, some of them none.
#include "common/check.h"

#include <vector>

struct matrix {
    int row_count;
    const int *row_begins; // row r is [row_begins[r], row_begins[r + 1]) of the two below
    const int *columns;
    const float *values;
};

__global__ void multiply_row_per_thread(matrix m, const float *x, float *y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m.row_count)
        return;
    float sum = 0;
    for (int i = m.row_begins[row]; i < m.row_begins[row + 1]; i++)
        sum += m.values[i] * x[m.columns[i]];
    y[row] = sum;
}

__global__ void multiply_row_per_warp(matrix m, const float *x, float *y) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
    int lane = threadIdx.x % warpSize;
    if (row >= m.row_count)
        return; // the whole warp leaves together
    float sum = 0;
    for (int i = m.row_begins[row] + lane; i < m.row_begins[row + 1]; i += warpSize)
        sum += m.values[i] * x[m.columns[i]];
    for (int distance = warpSize / 2; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, distance);
    if (lane == 0)
        y[row] = sum;
}

template <typename T> static T *on_device(const std::vector<T> &host) {
    T *device;
    CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
    CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

static int check(const char *what, const float *device_y, const std::vector<double> &reference) {
    std::vector<float> y(reference.size());
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(y.data(), device_y, y.size() * sizeof(float), cudaMemcpyDeviceToHost));
    return verdict(what, largest_error(y.data(), reference.data(), y.size()), 1e-5);
}

int main() {
    const int rows = 20011, threads = 128;

    std::vector<int> row_begins = {0}, columns;
    std::vector<float> values, x(rows);
    std::vector<double> reference(rows);
    for (int c = 0; c < rows; c++)
        x[c] = std::sin(0.01f * c);
    for (int row = 0; row < rows; row++) {
        int length = row % 7 == 0 ? row % 301 : row % 9;
        for (int k = 0; k < length; k++) {
            columns.push_back((int)(((long long)row * 31 + (long long)k * k * 17) % rows));
            values.push_back(1.0f / (1 + k));
            reference[row] += (double)values.back() * x[columns.back()];
        }
        row_begins.push_back((int)columns.size());
    }

    int *device_begins = on_device(row_begins), *device_columns = on_device(columns);
    float *device_values = on_device(values), *device_x = on_device(x);
    matrix m = {rows, device_begins, device_columns, device_values};
    float *y;
    CHECK(cudaMalloc(&y, rows * sizeof(float)));

    multiply_row_per_thread<<<(rows + threads - 1) / threads, threads>>>(m, device_x, y);
    int wrong = check("spmv, a row per thread", y, reference);

    CHECK(cudaMemset(y, 0xff, rows * sizeof(float))); // NaN: nothing of the first result counts
    const int rows_per_block = threads / 32;
    multiply_row_per_warp<<<(rows + rows_per_block - 1) / rows_per_block, threads>>>(m, device_x,
                                                                                     y);
    wrong |= check("spmv, a row per warp", y, reference);

    for (void *array : {(void *)device_begins, (void *)device_columns, (void *)device_values,
                        (void *)device_x, (void *)y})
        CHECK(cudaFree(array));
    return wrong;
}
