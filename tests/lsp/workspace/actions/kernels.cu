// Kernels with reasons that an action answers; `says`: the code, and a word of the action's title.
// `lacks`: what no action has. `knows`: what the action on the kernel's name writes down.

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

// says GCL226 'out':
__global__ void near(const float *in, const int *index, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + in[index[i]];
}

// says GCL211 'in':
__global__ void put(int *order, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[order[i]] = in[i];
    order[i] = i;
}

// says GCL215 reads(in[(blockIdx.x
__global__ void lists(int *length, const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < length[i]; k++)
        sum += in[i * n + k];
    out[i] = sum;
    length[i] = 0;
}

// says GCL226 w],
__global__ void columns(const float *in, const int *column, float *out, int w, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * w + x] = in[y * w + column[x]] + in[min(max(column[x], 0), n - 1)];
}

// says GCL226 reads(table[0
__global__ void look_up(const unsigned char *in, const float2 *table, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[in[i]].y;
}

// says GCL214 'out':
__global__ void bend(const float *in, float *out, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[(int)(i * factor)];
}

// knows reads(in[(blockIdx.y * blockDim.y + threadIdx.y) * w + blockIdx.x * blockDim.x + threadIdx.x - 1 : 3])
__global__ void
stencil(const float *in, float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
        out[y * w + x] = in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] +
                         in[(y + 1) * w + x];
}

// knows reads(a[(blockIdx.y * blockDim.y + threadIdx.y) * n : n])
template <typename T>
__global__ void multiply(const T *a, const T *b, T *c, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    T sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}
template __global__ void multiply(const float *a, const float *b, float *c, int n);
template __global__ void multiply(const double *a, const double *b, double *c, int n);

struct pair {
    int key;
    double value;
};

struct part {
    const pair *data;
    int first;
};

namespace inside {
    // knows reads(in.data[in.first + blockIdx.x * blockDim.x + threadIdx.x])
    __global__ void values(part in, double *out, int n) {
        int x = blockIdx.x * blockDim.x + threadIdx.x;
        if (x < n)
            out[x] += in.data[in.first + x].value;
    }
}

struct box {
    int count;
};

__device__ int rounds;

// says GCL226 'begin[i]'
__global__ void hoisted(int *out, const int *begin, int w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, end = w;
#pragma unroll 2
    for (int k = 0; k < begin[i] && k < end; k++)
        out[i * w + k] = k;
}

// says GCL226 'b->count'
__global__ void in_body(int *out, const box *b, int w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < w)
        for (int k = 0; k < b->count; k++)
            out[i * w + k] = k;
}

// says GCL226 '__ldg(&begin[i])'
__global__ void on_line(int *out, const int *begin, int w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
    if (i < w) while (k < __ldg(&begin[i])) out[i * w + k++] = k;
}

// says GCL226 'rounds'
__global__ void global(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < rounds; k++)
        out[i] += k;
}

// lacks GCL226 once
__global__ void only_then(int *out, const int *begin, int w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < w && k < begin[i]; k++)
        out[i * w + k] = k;
}

// lacks GCL226 once
__global__ void moving(int *out, const int *next, int w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < next[k + i]; k++)
        out[i * w + k] = k;
}

// What is read for certain is part of what is said, or it would be a contradiction.
// says GCL226 'out':
__global__ void beside(const float *in, const int *index, double *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    out[x] = in[x - 1] + in[x + 1] + in[index[x]];
}
