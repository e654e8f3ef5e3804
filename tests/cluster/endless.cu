// A stencil that goes on until it is killed. Argument: how high it is.
#include <cstdio>
#include <cstdlib>

const int WIDTH = 256;

__global__ void blur(const float *now, float *next, int height) {
    int x = threadIdx.x, y = blockIdx.x;
    float above = y > 0 ? now[(y - 1) * WIDTH + x] : 0;
    float below = y < height - 1 ? now[(y + 1) * WIDTH + x] : 0;
    next[y * WIDTH + x] = (above + now[y * WIDTH + x] + below) / 3;
}

int main(int count, char **arguments) {
    float *a, *b;
    int height = count > 1 ? atoi(arguments[1]) : 256;
    size_t size = WIDTH * height * sizeof(float);
    cudaMalloc(&a, size);
    cudaMalloc(&b, size);
    cudaMemset(a, 0, size);
    for (int step = 0;; step++) {
        blur<<<height, WIDTH>>>(step % 2 ? b : a, step % 2 ? a : b, height);
        if (cudaDeviceSynchronize() != cudaSuccess)
            return 1;
        if (step == 2) {
            puts("running");
            fflush(stdout);
        }
    }
}
