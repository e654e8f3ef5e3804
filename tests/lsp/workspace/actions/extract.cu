// Statements that become functions, each between "take" and "taken", and such as don't, between
// "leave" and "left".
#include <cstdio>
#include <utility>
#include <vector>

#define SIZE 256
#define CHECK(call) if ((call) != cudaSuccess) return 1

namespace numbers {
// The larger one.
__host__ __device__ int larger(int a, int b) {
    int c = a;
    // take __host__ __device__ int NAME(int b, int a, int c)
    if (b > a)
        c = b;
    // taken
    return c;
}
} // namespace numbers

// Sums of rows.
#pragma gcluster disjoint(out)
__global__ void sum_rows(const float *in, float *out, int width) {
    __shared__ float tile[4][64];
    __shared__ float last;
    int x = threadIdx.x, row = blockIdx.x;
    // take __device__ void NAME(float (&tile)[4][64], int x, int width, const float *in, int row)
    for (int i = 0; i < 4; i++) {
        tile[i][x] = 0;
        if (x >= width)
            continue;
        tile[i][x] = in[(row * 4 + i) * width + x];
    }
    __syncthreads();
    // taken
    // take __device__ float NAME(float (&tile)[4][64], int x)
    float sum = 0;
    for (int i = 0; i < 4; i++)
        sum += tile[i][x];
    // taken
    // take __device__ void NAME(int x, float &last, float sum)
    if (x == 3)
        last = sum;
    __syncthreads();
    // taken
    // leave: leaves the kernel
    if (x >= width)
        return;
    // left
    // leave: two variables are used behind
    float twice = 2 * sum;
    int place = row * width + x;
    // left
    // take __device__ void NAME(float *out, int place, float twice, float &last)
    atomicAdd(&out[place], twice);
    out[place] += last;
    // taken
    // leave: declares a shared variable
    __shared__ int unused;
    unused = 1;
    // left
#pragma unroll
    // leave: the pragma is about it
    for (int i = 0; i < 2; i++)
        unused += i;
    // left
}

template <typename T> T twice(T value) {
    // leave: T isn't known outside
    value = value + value;
    // left
    return value;
}

int main() {
    const int width = 60, rows = SIZE;
    std::vector<float> host(4 * rows * width), result(rows * width);
    // take void NAME(std::vector<float> &host)
    for (size_t i = 0; i < host.size(); i++)
        host[i] = (float)(i % 17) / 4;
    // taken
    float *in, *out;
    // leave: returns
    CHECK(cudaMalloc(&in, host.size() * sizeof(float)));
    // left
    CHECK(cudaMalloc(&out, result.size() * sizeof(float)));
    // take void NAME(float *in, std::vector<float> &host, float *out, std::vector<float> &result, const int rows, const int width)
    cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, result.size() * sizeof(float));
    sum_rows<<<rows, 64>>>(in, out, width);
    cudaMemcpy(result.data(), out, result.size() * sizeof(float), cudaMemcpyDeviceToHost);
    // taken
    double sum = 0;
    int count = 0;
    for (float value : result) {
        // leave: ends the loop
        if (value < 0)
            break;
        // left
        // take void NAME(double &sum, float value, int &count)
        sum += value;
        count++;
        // taken
    }
    // leave: what p points to would be gone
    int local = count;
    int *p = &local;
    // left
    *p = *p + 1;
    // leave: local is changed by p, and an array needs a constant
    char text[width];
    // left
    // take void NAME(int *p, int &local)
    *p = 2 * local;
    local = local + 1;
    // taken
    text[0] = 'x';
    auto count_on = [&] { count++; };
    // take void NAME(int &count, int *p)
    count = 2 * count;
    *p += count;
    // taken
    count_on();
    const auto [first, second] = std::pair<int, int>(count, 2);
    // leave: bindings can't be passed
    *p += first + second;
    // left
    constexpr bool is_wide = width > 32;
    // leave: a condition for the compiler
    if constexpr (is_wide)
        *p += 1;
    // left
    {
        // leave: one count comes in, and there is another one
        *p += count;
        int count = 3;
        *p += count;
        // left
    }
    // leave: names that clang doesn't show
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 2; i++)
        text[0]++;
    // left
    // take void NAME(char (&text)[60])
#pragma unroll 2
    for (int i = 0; i < 2; i++)
        text[0]--;
    // taken
    text[0] -= 2;
    printf("%g %d %d %d %g %c\n", sum, count, local, numbers::larger(3, 4), twice(2.5), text[0]);
    return 0;
}
