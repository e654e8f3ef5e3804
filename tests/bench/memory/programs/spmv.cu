// A sparse matrix of which all is read once, by a vector that is read anywhere.
#include "host.h"

enum { ROW = 16 }; // numbers in a row

__global__ void fill_matrix(int *begin, int *column, float *value, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row > n)
        return;
    begin[row] = row * ROW;
    if (row == n)
        return;
    for (int k = row * ROW; k < row * ROW + ROW; k++) {
        column[k] = (int)(hash((unsigned)k) % (unsigned)n);
        value[k] = (float)(k % 7) / 8;
    }
}

__global__ void spmv(const int *begin, const int *column, const float *value, const float *x,
                     float *y, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float sum = 0;
    for (int k = begin[row]; k < begin[row + 1]; k++)
        sum += value[k] * x[column[k]];
    y[row] = sum;
}

int main(int argc, char **argv) {
    start(argc, argv);
    int n = (int)(all_bytes / (ROW * (sizeof(int) + sizeof(float)) + 3 * sizeof(float)));
    array<int> begin(n + 1), column((size_t)n * ROW);
    array<float> value((size_t)n * ROW), x(n), y(n);
    fill_matrix<<<blocks(n + 1), 256>>>(begin, column, value, n);
    fill(x, 1);
    return measure([&] { spmv<<<blocks(n), 256>>>(begin, column, value, x, y, n); }, y);
}
