// What calls wait for, and what they know without a launch: the legacy stream stands for blocking
// ones; sets of elements in the host's memory are there when the call returns, and are one node of
// a graph; managed variables are known to the first call, and after a reset.
#include <cstdio>
#include <cuda.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

__managed__ float managed[1024];

static bool knows_managed() {
    float host[1024] = {};
    cudaPointerAttributes attributes;
    CHECK(cudaMemset(managed, 0, sizeof managed) == cudaSuccess);
    CHECK(cudaMemcpy(host, managed, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(cudaPointerGetAttributes(&attributes, managed) == cudaSuccess);
    CHECK(attributes.type == cudaMemoryTypeManaged);
    return true;
}

static void set_late(void *place) {
    usleep(100000);
    *(int *)place = 1;
}

static bool stands_for_blocking_streams() {
    int *done;
    cudaStream_t blocking, other;
    CHECK(cudaMallocHost(&done, 2 * sizeof *done) == cudaSuccess);
    CHECK(cudaStreamCreate(&blocking) == cudaSuccess);
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) == cudaSuccess);
    done[0] = done[1] = 0;
    cudaLaunchHostFunc(blocking, set_late, &done[0]);
    CHECK(cudaStreamQuery(nullptr) == cudaErrorNotReady);
    CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess && done[0] == 1);
    cudaLaunchHostFunc(other, set_late, &done[1]);
    CHECK(cudaStreamQuery(nullptr) == cudaSuccess);
    CHECK(cudaStreamSynchronize(other) == cudaSuccess && done[1] == 1);
    return true;
}

static bool sets_elements() {
    const size_t count = 16 << 20, few = 1000;
    unsigned *pinned, *device, host[few];
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    size_t nodes = 0;
    CHECK(cudaMallocHost(&pinned, count * sizeof *pinned) == cudaSuccess);
    pinned[count - 1] = 0;
    CHECK(cuMemsetD32((CUdeviceptr)pinned, 0xabcd1234, count) == CUDA_SUCCESS);
    CHECK(pinned[count - 1] == 0xabcd1234);
    CHECK(cudaMalloc(&device, sizeof host) == cudaSuccess);
    CHECK(cudaStreamCreate(&stream) == cudaSuccess);
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    CHECK(cuMemsetD32Async((CUdeviceptr)device, 0x12345678, few, stream) == CUDA_SUCCESS);
    CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes) == cudaSuccess && nodes == 1);
    CHECK(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
    CHECK(cudaGraphLaunch(executable, stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (size_t i = 0; i < few; i++)
        CHECK(host[i] == 0x12345678);
    return true;
}

static bool writes_values() {
    unsigned *values;
    cudaStream_t stream;
    CHECK(cudaMallocHost(&values, 2 * sizeof *values) == cudaSuccess);
    CHECK(cudaStreamCreate(&stream) == cudaSuccess);
    values[0] = values[1] = 5;
    CUdeviceptr second = (CUdeviceptr)(values + 1);
    CHECK(cuStreamWriteValue32(stream, second, 0x89abcdef, CU_STREAM_WRITE_VALUE_DEFAULT) ==
          CUDA_SUCCESS);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    CHECK(values[0] == 5 && values[1] == 0x89abcdef);
    CHECK(cuStreamWriteValue32(stream, second + 2, 1, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuStreamWriteValue32(stream, second, 1, 2) == CUDA_ERROR_INVALID_VALUE);
    return true;
}

int main() {
    bool ok =
        knows_managed() && stands_for_blocking_streams() && sets_elements() && writes_values();
    return ok && cudaDeviceReset() == cudaSuccess && knows_managed() ? 0 : 1;
}
