// Launches of one kernel at several places, each another number of times.
template <typename T>
__global__ void fill(T *out, int n, T value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = value;
}

#define FILL(out, n, value) fill<<<((n) + 255) / 256, 256>>>(out, n, value)

static void some(float *out) {
    fill<<<1, 256>>>(out, 256, 1.0f);
    fill
        <<<1, 256>>>(
            out, 128,
            2.0f);
}

int main() {
    const int n = 1 << 18;
    float *out;
    cudaMalloc(&out, n * sizeof *out);
    for (int i = 0; i < 3; i++)
        fill<<<n / 256, 256>>>(out, n, 0.0f);
    for (int i = 0; i < 2; i++)
        some(out);
    for (int i = 0; i < 4; i++)
        FILL(out, n, 3.0f);
    if (n < 0)
        fill<<<1, 1>>>(out, 1, 4.0f);
    return cudaDeviceSynchronize() != cudaSuccess;
}
