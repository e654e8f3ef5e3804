static __device__ int behind(int i, int by) {
    return i + by;
}

__global__ void shift(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (behind(i, 1) < n)
        out[i] = in[behind(i, 1)];
}

#pragma gcluster split(x)
__global__ void scatter(const int *at, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[at[i]] = 1;
}

__global__ void rows(const float *in, float *out) {
    out[blockIdx.x] = in[blockIdx.x] + in[blockIdx.x + 1];
}

int main() {
    shift<<<8, 64>>>(nullptr, nullptr, 512);
    scatter<<<8, 64>>>(nullptr, nullptr);
    rows<<<8, 64>>>(nullptr, nullptr);
}
