// In a grid of no blocks the remainder below has no value: what comes before it counts as a loop
// without end, from which nothing leads to the return. Lanes that don't enter it return all the same.

struct Numbers {
    int a;
    float b;
    short c;
    unsigned char d;
};

__constant__ int table[64];

__global__ void keep_on(const double *limits, int n, Numbers numbers, long long *products,
                        float *last) {
    const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned size = blockDim.x * blockDim.y * blockDim.z;
    const unsigned gid = (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)) * size + t;
    const unsigned total = gridDim.x * gridDim.y * gridDim.z * size;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    const int layer = blockIdx.z * blockDim.z + threadIdx.z;
    const unsigned width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y;
    bool may_end = (double)total + (double)blockDim.x <= limits[blockIdx.y] + (double)n;
    long long step = 0;
    while (true) {
        if (step++ == 8 || (may_end && ((int)row == col && size != 0)))
            break;
        if (gridDim.x < 1u) {
            for (int i = 0; i < ((t + (col | 17)) & 3); i++)
                products[((layer * height + row) * width + col) * 2] *=
                    (long long)((blockDim.x & 1u) != 0);
            last[gid * 7 % total] =
                (float)(numbers.d * table[(int)blockDim.x * 2 + 9]) * (float)((col & 2) != 0);
        }
    }
}

int main() {
    double *limits;
    cudaMalloc(&limits, 64 * sizeof *limits);
    keep_on<<<dim3(1, 1, 1), dim3(20, 20, 2)>>>(limits, 11, Numbers(), nullptr, nullptr);
    keep_on<<<dim3(2, 3, 1), dim3(1, 40, 1)>>>(limits, 11, Numbers(), nullptr, nullptr);
    return cudaDeviceSynchronize() != cudaSuccess;
}
