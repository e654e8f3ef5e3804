// A stencil that goes on until it is killed.
#include <cstdio>

const int WIDTH = 256, HEIGHT = 256;

__global__ void blur(const float *now, float *next) {
    int x = threadIdx.x, y = blockIdx.x;
    float above = y > 0 ? now[(y - 1) * WIDTH + x] : 0;
    float below = y < HEIGHT - 1 ? now[(y + 1) * WIDTH + x] : 0;
    next[y * WIDTH + x] = (above + now[y * WIDTH + x] + below) / 3;
}

int main() {
    float *a, *b;
    size_t size = WIDTH * HEIGHT * sizeof(float);
    cudaMalloc(&a, size);
    cudaMalloc(&b, size);
    cudaMemset(a, 0, size);
    for (int step = 0;; step++) {
        blur<<<HEIGHT, WIDTH>>>(step % 2 ? b : a, step % 2 ? a : b);
        if (cudaDeviceSynchronize() != cudaSuccess)
            return 1;
        if (step == 2) {
            puts("running");
            fflush(stdout);
        }
    }
}
