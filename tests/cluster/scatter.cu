// Copies from the host go on to the nodes whose kernels are going to read the bytes; the host's
// memory is overwritten as soon as it may be.
#include <cstdio>
#include <vector>

const int COUNT = 1 << 20; // 4 MiB

__global__ void local(const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 3 * in[i];
}

__global__ void mirror(const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[COUNT - 1 - i];
}

__global__ void alone(const int *in, int *out) {
    for (int i = threadIdx.x; i < COUNT; i += blockDim.x)
        out[i] = in[i] + 1;
}

static int *allocate() {
    int *memory;
    return cudaMalloc(&memory, COUNT * sizeof(int)) == cudaSuccess ? memory : nullptr;
}

static void send(int *device, std::vector<int> &host, int seed) {
    for (int i = 0; i < COUNT; i++)
        host[i] = seed + i;
    cudaMemcpy(device, host.data(), COUNT * sizeof(int), cudaMemcpyHostToDevice);
    for (int i = 0; i < COUNT; i++)
        host[i] = -1;
}

static bool holds(const int *device, std::vector<int> &host, int factor, int first) {
    cudaMemcpy(host.data(), device, COUNT * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++) {
        if (host[i] != first + factor * i)
            return false;
    }
    return true;
}

int main() {
    std::vector<int> host(COUNT), result(COUNT);
    int *a = allocate(), *b = allocate(), *c = allocate(), *out = allocate();
    bool is_right = true;
    for (int seed = 5; seed < 7; seed++) {
        send(a, host, seed);
        local<<<COUNT / 256, 256>>>(a, out);
        is_right = is_right && holds(out, result, 3, 3 * seed);
        send(b, host, seed);
        mirror<<<COUNT / 256, 256>>>(b, out);
        is_right = is_right && holds(out, result, -1, seed + COUNT - 1);
        alone<<<1, 256>>>(c, out);
        send(c, host, seed);
        alone<<<1, 256>>>(c, out);
        is_right = is_right && holds(out, result, 1, seed + 1);
    }
    puts(is_right ? "right" : "wrong");
    return !is_right;
}
