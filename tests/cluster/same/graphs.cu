// Graphs: a captured one with branches, launched again and again, does what its streams would, and
// so does one that is made by hand, with a graph within and memory of its own.
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

static cudaGraphNode_t add_kernel(cudaGraph_t graph, std::vector<cudaGraphNode_t> before,
                                  void *kernel, void **arguments) {
    cudaKernelNodeParams p = {};
    cudaGraphNode_t node;
    p.func = kernel;
    p.gridDim = dim3(COUNT / 256);
    p.blockDim = dim3(256);
    p.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&node, graph, before.data(), before.size(), &p));
    return node;
}

/// The same; what is in `b` above is memory of the graph's.
static cudaGraph_t make(Arrays &x) {
    cudaGraph_t graph, child;
    cudaGraphNode_t in, set, second, part, both, out, call, given, taken;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphCreate(&child, 0));
    CHECK(cudaGraphAddMemcpyNode1D(&in, graph, NULL, 0, x.in, x.host.data(), COUNT * sizeof(int),
                                   cudaMemcpyHostToDevice));
    cudaMemsetParams pattern = {};
    pattern.dst = x.out;
    pattern.value = 0x12345;
    pattern.elementSize = sizeof(int);
    pattern.width = COUNT;
    pattern.height = 1;
    CHECK(cudaGraphAddMemsetNode(&set, graph, NULL, 0, &pattern));
    cudaMemAllocNodeParams memory = {};
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = COUNT * sizeof(int);
    CHECK(cudaGraphAddMemAllocNode(&given, graph, NULL, 0, &memory));
    int two = 2, one = 1, five = 5, minus = -2;
    void *first_arguments[] = {&x.in, &x.a, &two, &one};
    void *second_arguments[] = {&x.in, &memory.dptr, &five, &minus};
    void *joined_arguments[] = {&x.a, &memory.dptr, &x.out};
    add_kernel(child, {}, (void *)step, first_arguments);
    CHECK(cudaGraphAddChildGraphNode(&part, graph, &in, 1, child));
    CHECK(cudaGraphDestroy(child));
    second = add_kernel(graph, {in, given}, (void *)step, second_arguments);
    cudaHostNodeParams counted = {count_call, &x.calls};
    CHECK(cudaGraphAddHostNode(&call, graph, &second, 1, &counted));
    both = add_kernel(graph, {part, second}, (void *)join, joined_arguments);
    CHECK(cudaGraphAddDependencies(graph, &set, &both, 1));
    CHECK(cudaGraphAddMemcpyNode1D(&out, graph, &both, 1, x.result.data(), x.out,
                                   COUNT * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaGraphAddMemFreeNode(&taken, graph, &both, 1, memory.dptr));
    return graph;
}

/// The pattern that a graph's set leaves.
static void set_words(Arrays &x) {
    cudaGraph_t graph;
    cudaGraphExec_t execution;
    cudaGraphNode_t set;
    cudaMemsetParams pattern = {x.out, 64, 0xabcd, 2, 20, 100};
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemsetNode(&set, graph, NULL, 0, &pattern));
    CHECK(cudaGraphInstantiate(&execution, graph, 0));
    CHECK(cudaMemset(x.out, 0x11, 6400));
    CHECK(cudaGraphLaunch(execution, 0));
    std::vector<unsigned short> words(3200);
    CHECK(cudaMemcpy(words.data(), x.out, 6400, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 3200; i++) {
        if (words[i] != (i % 32 < 20 ? 0xabcd : 0x1111)) {
            printf("word %d is %x\n", i, words[i]);
            exit(1);
        }
    }
    CHECK(cudaGraphExecDestroy(execution));
    CHECK(cudaGraphDestroy(graph));
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
    run(x, make(x), "made");
    printf("made: right, %d calls\n", x.calls);
    set_words(x);
    return 0;
}
