// Graphs: a captured one with branches, launched again and again, does what its streams would.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

const int COUNT = 1 << 18, ROUNDS = 5;

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            printf("%d: %s\n", __LINE__, cudaGetErrorString(error_));                              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__global__ void step(const int *in, int *out, int factor, int added) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * factor + added;
}

__global__ void join(const int *a, const int *b, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[i] + 3 * b[COUNT - 1 - i];
}

static void count_call(void *data) {
    ++*(int *)data;
}

struct Arrays {
    int *in, *a, *b, *out;
    std::vector<int> host, result;
    int calls = 0;

    Arrays() : host(COUNT), result(COUNT) {
        for (int **p : {&in, &a, &b, &out})
            CHECK(cudaMalloc(p, COUNT * sizeof(int)));
    }
    ~Arrays() {
        for (int *p : {in, a, b, out})
            CHECK(cudaFree(p));
    }
    void fill(int seed) {
        for (int i = 0; i < COUNT; i++)
            host[i] = (i * 7 + seed) % 1000;
        memset(result.data(), 0, COUNT * sizeof(int));
    }
    void verify(const char *what) {
        for (int i = 0; i < COUNT; i++) {
            int wanted = host[i] * 2 + 1 + 3 * (host[COUNT - 1 - i] * 5 - 2);
            if (result[i] != wanted) {
                printf("%s: %d is %d, not %d\n", what, i, result[i], wanted);
                exit(1);
            }
        }
    }
};

/// in, from the host, into a and b by two branches, both into out, which goes to the host.
static cudaGraph_t capture(Arrays &x) {
    cudaStream_t main, side;
    cudaEvent_t fork, joined;
    cudaGraph_t graph;
    CHECK(cudaStreamCreate(&main));
    CHECK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
    CHECK(cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemcpyAsync(x.in, x.host.data(), COUNT * sizeof(int), cudaMemcpyHostToDevice, main));
    CHECK(cudaMemsetAsync(x.out, 0xff, COUNT * sizeof(int), main));
    CHECK(cudaEventRecord(fork, main));
    CHECK(cudaStreamWaitEvent(side, fork));
    step<<<COUNT / 256, 256, 0, main>>>(x.in, x.a, 2, 1);
    step<<<COUNT / 256, 256, 0, side>>>(x.in, x.b, 5, -2);
    CHECK(cudaLaunchHostFunc(side, count_call, &x.calls));
    CHECK(cudaEventRecord(joined, side));
    CHECK(cudaStreamWaitEvent(main, joined));
    join<<<COUNT / 256, 256, 0, main>>>(x.a, x.b, x.out);
    CHECK(cudaGetLastError());
    CHECK(
        cudaMemcpyAsync(x.result.data(), x.out, COUNT * sizeof(int), cudaMemcpyDeviceToHost, main));
    CHECK(cudaStreamEndCapture(main, &graph));
    CHECK(cudaEventDestroy(fork));
    CHECK(cudaEventDestroy(joined));
    CHECK(cudaStreamDestroy(main));
    CHECK(cudaStreamDestroy(side));
    return graph;
}

static void run(Arrays &x, cudaGraph_t graph, const char *what) {
    cudaGraphExec_t execution;
    cudaStream_t streams[2];
    CHECK(cudaGraphInstantiate(&execution, graph, NULL, NULL, 0));
    CHECK(cudaGraphDestroy(graph));
    for (cudaStream_t &stream : streams)
        CHECK(cudaStreamCreate(&stream));
    for (int round = 0; round < ROUNDS; round++) {
        x.fill(round);
        CHECK(cudaGraphLaunch(execution, streams[round % 2]));
        CHECK(cudaGraphLaunch(execution, streams[(round + 1) % 2])); // after the first
        CHECK(cudaStreamSynchronize(streams[(round + 1) % 2]));
        x.verify(what);
    }
    CHECK(cudaGraphExecDestroy(execution));
    for (cudaStream_t stream : streams)
        CHECK(cudaStreamDestroy(stream));
}

int main() {
    Arrays x;
    run(x, capture(x), "captured");
    printf("captured: right, %d calls\n", x.calls);
    return 0;
}
