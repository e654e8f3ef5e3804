// Launches whose threads find nothing to do, and so nothing to look up: no rows, no columns.
#include <cstdio>

__global__ void multiply(const int *row, const int *column, const float *value, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
        sum += value[k] * x[column[k]];
    y[i] = sum;
}

int main() {
    const int most = 100;
    int row[most + 1], column[most];
    float value[most], x[most], y[most];
    for (int i = 0; i < most; i++) {
        row[i] = i;
        column[i] = most - 1 - i;
        value[i] = i;
        x[i] = 2;
        y[i] = -1;
    }
    row[most] = most;
    int *rows, *columns;
    float *values, *xs, *ys;
    cudaMalloc(&rows, sizeof row);
    cudaMalloc(&columns, sizeof column);
    cudaMalloc(&values, sizeof value);
    cudaMalloc(&xs, sizeof x);
    cudaMalloc(&ys, sizeof y);
    cudaMemcpy(rows, row, sizeof row, cudaMemcpyHostToDevice);
    cudaMemcpy(columns, column, sizeof column, cudaMemcpyHostToDevice);
    cudaMemcpy(values, value, sizeof value, cudaMemcpyHostToDevice);
    cudaMemcpy(xs, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(ys, y, sizeof y, cudaMemcpyHostToDevice);
    for (int n : {0, 1, 40, 0, most}) {
        multiply<<<4, 32>>>(rows, columns, values, xs, ys, n);
        cudaMemcpy(y, ys, sizeof y, cudaMemcpyDeviceToHost);
        float sum = 0;
        for (float f : y)
            sum += f;
        printf("%d rows: %g\n", n, sum);
    }
    cudaMemset(rows, 0, sizeof row);
    multiply<<<4, 32>>>(rows, columns, values, xs, ys, most);
    cudaMemcpy(y, ys, sizeof y, cudaMemcpyDeviceToHost);
    printf("no columns: %g\n", y[most - 1]);
    puts(cudaGetLastError() == cudaSuccess ? "right" : "wrong");
}
