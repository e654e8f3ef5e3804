// Sparse triangular solver: a launch a level, whose rows depend only on the levels before.
#include "pays.h"

#include <algorithm>

__global__ void solve(const int *rows, int count, const int *begins, const int *columns,
                      const float *values, float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    int row = rows[i];
    float sum = x[row];
    for (int k = begins[row]; k < begins[row + 1]; k++)
        sum -= values[k] * x[columns[k]];
    x[row] = sum;
}

int main(int argc, char **argv) {
    const int n = by_size(argc, argv, 1 << 16, 1 << 18, 1 << 19);
    const int solves = by_size(argc, argv, 10, 24, 28);
    std::vector<int> row_begins(n + 1), all_columns, level(n);
    for (int row = 0; row < n; row++) {
        for (int k = 0; row > 0 && k < 4; k++) {
            int column = (int)(noise(row * 4 + k) % row);
            all_columns.push_back(column);
            level[row] = std::max(level[row], level[column] + 1);
        }
        row_begins[row + 1] = (int)all_columns.size();
    }
    const int levels = *std::max_element(level.begin(), level.end()) + 1;
    std::vector<int> level_begins(levels + 1), ordered(n);
    for (int row = 0; row < n; row++)
        level_begins[level[row] + 1]++;
    for (int l = 0; l < levels; l++)
        level_begins[l + 1] += level_begins[l];
    std::vector<int> next = level_begins;
    for (int row = 0; row < n; row++)
        ordered[next[level[row]]++] = row;
    std::vector<float> all_values = uniforms(all_columns.size()), right = uniforms(n);
    for (float &value : all_values)
        value *= 0.25f;
    start_clock();
    int *rows = copy_of(ordered), *begins = copy_of(row_begins), *columns = copy_of(all_columns);
    float *values = copy_of(all_values), *rights = copy_of(right), *x = allocate<float>(n);
    for (int i = 0; i < solves; i++) {
        check(cudaMemcpy(x, rights, n * sizeof(float), cudaMemcpyDeviceToDevice));
        for (int l = 0; l < levels; l++) {
            int count = level_begins[l + 1] - level_begins[l];
            solve<<<(count + 127) / 128, 128>>>(rows + level_begins[l], count, begins, columns,
                                                values, x);
        }
    }
    return report(x, n);
}
