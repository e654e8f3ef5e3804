// Copies of one stream while a kernel of another one runs, which doesn't end before they are done.
// Where they are kept back, this program never ends.
#include <cstdio>
#include <cstdlib>
#include <vector>

const int COUNT = 1 << 20, HALF = COUNT / 2;

static void check(cudaError_t error) {
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void fill(int *out, int n, int seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = seed + i;
}

__global__ void await(const volatile int *flag, int *out, int value) {
    while (*flag < value)
        ;
    out[0] = value;
}

__global__ void compute(float *out, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = i;
    for (int k = 0; k < steps; k++)
        value = value * 0.999f + 1;
    out[i] = value;
}

static void print(const char *what, const int *host) {
    unsigned hash = 2166136261u;
    for (int i = 0; i < HALF; i++)
        hash = (hash ^ (unsigned)host[i]) * 16777619u;
    printf("%s %08x\n", what, hash);
}

static int *pinned(int n) {
    int *host;
    check(cudaMallocHost(&host, n * sizeof(int)));
    for (int i = 0; i < n; i++)
        host[i] = 0;
    return host;
}

int main() {
    const size_t bytes = HALF * sizeof(int);
    int *data, *other, *in = pinned(HALF), *out = pinned(HALF), *flag = pinned(1);
    std::vector<int> pageable(HALF);
    cudaStream_t kernels, copies;
    cudaEvent_t event;
    check(cudaMalloc(&data, COUNT * sizeof(int)));
    check(cudaMalloc(&other, bytes));
    check(cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
    check(cudaEventCreate(&event));
    fill<<<COUNT / 256, 256>>>(data, COUNT, 5);
    fill<<<HALF / 256, 256>>>(other, HALF, 9);
    check(cudaDeviceSynchronize());

    // In the allocation that the kernel is going to write to, too, but not where.
    for (int round = 1; round <= 3; round++) {
        await<<<1, 1, 0, kernels>>>(flag, data, round);
        check(cudaMemcpyAsync(out, data + HALF, bytes, cudaMemcpyDeviceToHost, copies));
        check(cudaStreamSynchronize(copies));
        print("out", out);
        for (int i = 0; i < HALF; i++)
            in[i] = round * i;
        check(cudaMemcpyAsync(data + HALF, in, bytes, cudaMemcpyHostToDevice, copies));
        check(cudaMemcpyAsync(out, data + HALF, bytes, cudaMemcpyDeviceToHost, copies));
        check(cudaStreamSynchronize(copies));
        print("in and out", out);
        check(cudaMemcpy(pageable.data(), other, bytes, cudaMemcpyDeviceToHost));
        print("pageable", pageable.data());
        check(cudaMemcpy(other, out, bytes, cudaMemcpyHostToDevice));
        if (cudaStreamQuery(kernels) != cudaErrorNotReady)
            printf("the kernel hasn't waited\n");

        // What depends on the kernel waits for it, whatever says so.
        if (round == 1) {
            check(cudaEventRecord(event, kernels));
            check(cudaStreamWaitEvent(copies, event, 0));
            check(cudaMemcpyAsync(out, other, bytes, cudaMemcpyDeviceToHost, copies));
        } else if (round == 2) {
            check(cudaMemcpyAsync(out, data, bytes, cudaMemcpyDeviceToHost, kernels));
        } else {
            check(cudaMemcpyAsync(in, data, bytes, cudaMemcpyDeviceToHost, kernels));
            check(cudaMemcpyAsync(data, out, bytes, cudaMemcpyHostToDevice, kernels));
        }
        if (cudaStreamQuery(round == 1 ? copies : kernels) != cudaErrorNotReady)
            printf("the copy hasn't waited\n");
        *(volatile int *)flag = round;
        check(cudaDeviceSynchronize());
        print("after the kernel", out);
        print("before it", in);
        fill<<<HALF / 256, 256>>>(data + HALF, HALF, round);
        check(cudaDeviceSynchronize());
    }
    check(cudaMemcpy(pageable.data(), data, bytes, cudaMemcpyDeviceToHost));
    print("end", pageable.data());

    // All nodes have to do with a copy, while all of them run a kernel that takes far longer.
    fill<<<COUNT / 256, 256>>>(data, COUNT, 5);
    check(cudaDeviceSynchronize());
    compute<<<HALF / 256, 256, 0, kernels>>>((float *)other, 100000);
    check(cudaMemcpyAsync(out, data + HALF / 2, bytes, cudaMemcpyDeviceToHost, copies));
    check(cudaMemcpyAsync(data, in, bytes, cudaMemcpyHostToDevice, copies));
    check(cudaStreamSynchronize(copies));
    printf("%s\n", cudaGetErrorString(cudaStreamQuery(kernels)));
    check(cudaDeviceSynchronize());
    print("of all", out);
    return 0;
}
