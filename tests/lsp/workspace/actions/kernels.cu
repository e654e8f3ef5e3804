// Kernels with reasons that an action answers; `says`: the code, and a word of the action's title.

// says GCL202 maximum
__global__ void most(const float *in, int *bits) {
    float x = in[blockIdx.x * blockDim.x + threadIdx.x];
    int old = *bits, seen;
    do {
        seen = old;
        old = atomicCAS(bits, seen, __float_as_int(fmaxf(x, __int_as_float(seen))));
    } while (old != seen);
}

// says GCL204 __threadfence_block
__global__ void publish(int *value, int *ready) {
    value[blockIdx.x] = 1;
    __threadfence();
    ready[blockIdx.x] = 1;
}

// says GCL209 single
__global__ void clear(float *a) {
    for (int i = threadIdx.x; i < 1 << 20; i += blockDim.x)
        a[i] = 0;
}

// says GCL214 replicate(in)
template <typename T>
__global__ void
shrink(const T *in, T *out, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[(int)(i * factor)];
}
template __global__ void shrink(const float *in, float *out, float factor);

// says GCL215 replicate(in)
__global__ void sums(int *length, const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < length[i]; k++)
        sum += in[k * n + i];
    out[i] = sum;
    length[i] = 0;
}

namespace inside {
    struct view {
        const float *data;
    };

    // says GCL216 replicate(in.data)
    __global__ void turn(view in, float *out) {
        __shared__ int place[256];
        place[threadIdx.x] = blockIdx.x * 256 + threadIdx.x;
        __syncthreads();
        out[blockIdx.x * 256 + threadIdx.x] = in.data[place[255 - threadIdx.x]];
    }
}

// says GCL218 replicate(in)
__global__ void spread(const float *in, float *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i / 32 + __popc(i & 7)];
}

// says GCL221 disjoint(out)
__global__ void last(const float *in, float *out, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i * n % m] = in[i];
}

// says GCL226 replicate(in)
__global__ void gather(const float *in, const int *index, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[i]];
}

// says GCL226 __restrict__
__global__ void rows(float *out, const float *in, const int* begin, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int k = begin[i]; k < begin[i + 1]; k++)
            out[i] += in[i];
}
