// With GCL_DETERMINISTIC=1 sums of floats, and places that blocks take one after the other, are the
// same on any number of workers and nodes.
#include <cstdio>
#include <vector>

__global__ void add(const float *in, float *sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&sums[i % 5], in[i]);
}

__global__ void keep(const float *in, float *out, unsigned *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0.5f)
        out[atomicAdd(count, 1u)] = in[i];
}

int main() {
    const int n = 200000;
    std::vector<float> host(n), sums(5);
    double total = 0;
    for (int i = 0; i < n; i++)
        total += host[i] = 1.0f / (i % 977 + 1);
    float *in, *out, *totals;
    unsigned *count, kept, hash = 2166136261u;
    cudaMalloc(&in, n * 4);
    cudaMalloc(&out, n * 4);
    cudaMalloc(&totals, 5 * 4);
    cudaMalloc(&count, 4);
    cudaMemset(out, 0, n * 4);
    cudaMemset(totals, 0, 5 * 4);
    cudaMemset(count, 0, 4);
    cudaMemcpy(in, host.data(), n * 4, cudaMemcpyHostToDevice);
    for (int i = 0; i < 3; i++)
        add<<<(n + 63) / 64, 64>>>(in, totals, n);
    keep<<<(n + 63) / 64, 64>>>(in, out, count, n);
    cudaMemcpy(sums.data(), totals, 5 * 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(host.data(), out, n * 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(&kept, count, 4, cudaMemcpyDeviceToHost);
    for (float value : host)
        hash = (hash ^ (unsigned)(value * 1e6f)) * 16777619u;
    printf("%a %a %a %a %a, %u of them: %08x\n", sums[0], sums[1], sums[2], sums[3], sums[4], kept,
           hash);
    double sum = 0;
    for (float part : sums)
        sum += part;
    if (sum < 2.999 * total || sum > 3.001 * total || kept != (n + 976) / 977)
        return 1;
    return cudaDeviceSynchronize();
}
