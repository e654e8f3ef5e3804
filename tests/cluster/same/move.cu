// Copies within device memory, of what lies on several nodes, was filled, or is on all of them.
#include <cstdio>
#include <vector>

__global__ void write(int *out, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i * 5 + value;
}

__global__ void columns(int *out, int width, int height, int value) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    for (int y = 0; y < height && x < width; y++)
        out[y * width + x] = x * 3 + y + value;
}

static void show(const char *what, const int *device, int n) {
    std::vector<int> host(n);
    cudaMemcpy(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
    unsigned hash = 2166136261u;
    for (int v : host)
        hash = (hash ^ (unsigned)v) * 16777619u;
    printf("%s %08x\n", what, hash);
}

int main() {
    const int width = 300, height = 200, n = width * height;
    int *a, *b, *c;
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    cudaMalloc(&c, n * sizeof(int));
    cudaMemset(c, 0x11, n * sizeof(int));
    cudaMemcpy(b, a, n * sizeof(int), cudaMemcpyDeviceToDevice);
    write<<<(n + 255) / 256, 256>>>(a, n, 7);
    cudaMemcpy(b, a, n * sizeof(int), cudaMemcpyDeviceToDevice);
    show("whole", b, n);
    cudaMemcpy(b + 1000, a + 37, 30001 * sizeof(int), cudaMemcpyDeviceToDevice);
    show("shifted", b, n);
    cudaMemcpy2D(b + 50, width * 4, a + 3, width * 4, 100 * 4, height, cudaMemcpyDeviceToDevice);
    show("box", b, n);
    cudaMemcpy2D(b, 7 * 4, a + 3, width * 4, 5 * 4, height, cudaMemcpyDeviceToDevice);
    show("other pitch", b, n);
    cudaMemcpy(a, a + n / 2, n / 2 * sizeof(int), cudaMemcpyDeviceToDevice);
    show("halves", a, n);
    columns<<<(width + 31) / 32, 32>>>(b, width, height, 1); // columns lie on nodes
    cudaMemcpy(a + width, b, (n - width) * sizeof(int), cudaMemcpyDeviceToDevice);
    write<<<10, 256>>>(b, 2560, 99);
    show("columns", a, n);
    cudaMemcpy(b, c, n / 3 * sizeof(int), cudaMemcpyDeviceToDevice); // filled
    cudaMemset(c, 0x22, n);
    cudaMemcpy(b + n / 3, c, n / 2 * sizeof(int), cudaMemcpyDeviceToDevice);
    show("filled", b, n);
    for (int i = 0; i < 6; i++) {
        write<<<(n + 255) / 256, 256>>>(a, n, i);
        cudaMemcpyAsync(i % 2 ? b : c, a, n * sizeof(int), cudaMemcpyDeviceToDevice);
    }
    show("b", b, n);
    show("c", c, n);
    return cudaDeviceSynchronize();
}
