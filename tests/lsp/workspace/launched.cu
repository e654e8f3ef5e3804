// Launches of which the source doesn't say how large they are.
__global__ void scatter(const float *in, const int *order, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int place = in[i] > 0 ? order[i] : (int)in[i];
    out[place] = in[i];
}

__global__ void tickets(int *next, int *out) {
    out[atomicAdd(next, 1)] = blockIdx.x;
}

__global__ void grid(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i / n > 0 && i / n < n - 1)
        out[i] = in[i % n + (i / n - 1) * n] + in[i % n + (i / n + 1) * n];
}

__global__ void total(const int *in, int *sum) {
    atomicAdd(sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

template <typename T> __global__ void shift(T *data, const T *by) {
    data[blockIdx.x * blockDim.x + threadIdx.x] += by[0];
}

void launch(float *in, float *out, int *order, double *wide, int blocks) {
    scatter<<<blocks, 64>>>(in, order, out);
    tickets<<<blocks, 64>>>(order, order + 1);
    tickets<<<1, 1>>>(order, order + 1);
    grid<<<blocks, 256>>>(in, out, blocks);
    total<<<blocks, 64>>>(order, order + 64);
    shift<<<blocks, 64>>>(out, in);
    shift<<<blocks, 64>>>(wide, wide + 64);
}

// What others write in a loop around a launch may lie on other nodes.
__global__ void add(const float *in, float *out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] += in[blockIdx.x * blockDim.x + threadIdx.x];
}

void repeat(float *from, float *to, const float *host) {
    for (int i = 0; i < 10; i++) {
        add<<<64, 64>>>(from, to);
        add<<<32, 128>>>(to, from);
    }
    for (int i = 0; i < 10; i++) {
        cudaMemcpy(from, host, 64, cudaMemcpyHostToDevice);
        add<<<64, 64>>>(from, to);
    }
    for (int i = 0; i < 10; i++)
        add<<<64, 64>>>(from, to);
}

// An index from memory may be any; what is looked up has an element a thread, as far as is known.
__global__ void follow(const int *next, int *count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i >= 0; i = next[i])
        atomicAdd(&count[i], 1);
}

void lists(const int *next, int *count) {
    follow<<<4096, 256>>>(next, count);
}

// Instances of a template that touch other places.
template <bool IS_SUM> __global__ void pick(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = IS_SUM ? in[i] + in[i + 1] : in[i];
}

void picks(const float *in, float *out) {
    pick<true><<<4096, 256>>>(in, out);
    pick<false><<<4096, 256>>>(in, out);
}
