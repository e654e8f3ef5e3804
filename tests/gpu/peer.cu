// A stencil whose blocks of rows send a row to both neighbours with each step. Its fields are freed
// and allocated again meanwhile, with another one in between, so that chunks change their places.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void step(const float *now, float *next, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    int up = y > 0 ? y - 1 : height - 1, down = y + 1 < height ? y + 1 : 0;
    next[y * width + x] =
        now[up * width + x] + 2 * now[y * width + x] - now[down * width + x] * 0.5f;
}

int main(int argc, char **argv) {
    const int width = 8192, height = 32, rounds = argc > 1 ? atoi(argv[1]) : 3;
    const size_t size = sizeof(float) * width * height;
    std::vector<float> host(width * height);
    for (int i = 0; i < width * height; i++)
        host[i] = float(i % 97);
    for (int round = 0; round < rounds; round++) {
        float *now, *between, *next;
        cudaMalloc(&now, size);
        cudaMalloc(&between, round % 3 * size + 4096);
        cudaMalloc(&next, size);
        cudaMemcpy(now, host.data(), size, cudaMemcpyHostToDevice);
        for (int i = 0; i < 4; i++) {
            step<<<dim3(width / 256, height), 256>>>(now, next, width, height);
            float *old = now;
            now = next;
            next = old;
        }
        cudaMemcpy(host.data(), now, size, cudaMemcpyDeviceToHost);
        for (float &value : host)
            value *= 0.01f;
        cudaFree(next);
        cudaFree(now);
        cudaFree(between);
    }
    double sum = 0;
    for (int i = 0; i < width * height; i++)
        sum += host[i] * double(i % 13);
    printf("%.17g\n", sum);
}
