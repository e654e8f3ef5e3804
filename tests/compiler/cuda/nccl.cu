// NCCL with the one rank that there is: what its collectives give, and what is refused.
// RUN: %gcluster-cc %s -lnccl -o %t && %t 2>&1 | FileCheck --implicit-check-not=line %s
// RUN: env LSAN_OPTIONS=detect_leaks=0 GCL_SPLIT=always %gcluster-run -n 3 %t 2>/dev/null | FileCheck --check-prefix=NODES %s
// CHECK: gcluster: error: NCCL's communicators have one rank here, and 2 are asked for: start
// CHECK: all right
// NODES: all right
#include <cstdio>
#include <cstring>
#include <nccl.h>

#define CHECK(condition)                                                                           \
    if (!(condition))                                                                              \
    return printf("line %d: " #condition "\n", __LINE__), 1

enum { COUNT = 1000 };

__global__ void fill(float *out, float value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < COUNT)
        out[i] = value + i;
}

static bool holds(const float *device, float value) {
    float host[COUNT];
    if (cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess)
        return false;
    for (int i = 0; i < COUNT; i++) {
        if (host[i] != value + i)
            return false;
    }
    return true;
}

static int gather(ncclComm_t comm, cudaStream_t stream, float *from, float *to) {
    fill<<<4, 256, 0, stream>>>(from, 1);
    CHECK(ncclAllReduce(from, to, COUNT, ncclFloat, ncclSum, comm, stream) == ncclSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess && holds(to, 1));
    fill<<<4, 256, 0, stream>>>(from, 2);
    CHECK(ncclBroadcast(from, to, COUNT, ncclFloat, 0, comm, stream) == ncclSuccess);
    CHECK(ncclBcast(to, COUNT, ncclFloat, 0, comm, stream) == ncclSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess && holds(to, 2));
    fill<<<4, 256, 0, stream>>>(from, 3);
    CHECK(ncclGroupStart() == ncclSuccess);
    CHECK(ncclReduceScatter(from, to, COUNT, ncclFloat, ncclMax, comm, stream) == ncclSuccess);
    CHECK(ncclAllGather(to, to, COUNT, ncclFloat, comm, stream) == ncclSuccess);
    CHECK(ncclGroupEnd() == ncclSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess && holds(to, 3));
    fill<<<4, 256, 0, stream>>>(from, 4);
    CHECK(ncclReduce(from, to, COUNT, ncclFloat, ncclAvg, 0, comm, stream) == ncclSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess && holds(to, 4));
    CHECK(ncclReduce(from, to, COUNT, ncclFloat, ncclSum, 1, comm, stream) == ncclInvalidArgument);
    CHECK(ncclAllReduce(from, to, COUNT, (ncclDataType_t)12, ncclSum, comm, stream) ==
          ncclInvalidArgument);
    CHECK(ncclAllReduce(from, nullptr, COUNT, ncclHalf, ncclSum, comm, stream) ==
          ncclInvalidArgument);
    CHECK(ncclAllReduce(from, to, 8, ncclDouble, ncclSum, nullptr, stream) == ncclInvalidArgument);
    return 0;
}

static int send(ncclComm_t comm, cudaStream_t stream, float *from, float *to) {
    cudaStream_t other;
    CHECK(cudaStreamCreate(&other) == cudaSuccess);
    fill<<<4, 256, 0, stream>>>(from, 5);
    CHECK(ncclGroupStart() == ncclSuccess && ncclGroupStart() == ncclSuccess);
    CHECK(ncclRecv(to, COUNT, ncclFloat, 0, comm, other) == ncclSuccess);
    CHECK(ncclSend(from, COUNT, ncclFloat, 0, comm, stream) == ncclSuccess);
    CHECK(ncclGroupEnd() == ncclSuccess && ncclGroupEnd() == ncclSuccess);
    fill<<<4, 256, 0, stream>>>(from, 6); // behind the copy
    CHECK(cudaDeviceSynchronize() == cudaSuccess && holds(to, 5) && holds(from, 6));
    CHECK(ncclSend(from, COUNT, ncclFloat, 0, comm, stream) == ncclInvalidUsage);
    CHECK(ncclGroupStart() == ncclSuccess);
    CHECK(ncclSend(from, COUNT, ncclFloat, 0, comm, stream) == ncclSuccess);
    CHECK(ncclSend(from, COUNT, ncclFloat, 1, comm, stream) == ncclInvalidArgument);
    CHECK(ncclGroupEnd() == ncclInvalidUsage); // nobody receives it
    CHECK(ncclGroupEnd() == ncclInvalidUsage); // of no group
    return cudaStreamDestroy(other);
}

int main() {
    ncclComm_t comm, part, none;
    ncclUniqueId id;
    ncclResult_t state = ncclInternalError;
    int device = 0, version = 0, count = 0, rank = 7;
    cudaStream_t stream;
    float *from, *to;
    void *handle = nullptr;
    CHECK(ncclGetVersion(&version) == ncclSuccess && version == NCCL_VERSION_CODE);
    CHECK(ncclCommInitAll(&comm, 1, &device) == ncclSuccess);
    CHECK(ncclCommCount(comm, &count) == ncclSuccess && count == 1);
    CHECK(ncclCommUserRank(comm, &rank) == ncclSuccess && rank == 0);
    CHECK(ncclCommCuDevice(comm, &device) == ncclSuccess && device == 0);
    CHECK(ncclCommSplit(comm, 3, 0, &part, nullptr) == ncclSuccess && part);
    CHECK(ncclCommSplit(comm, NCCL_SPLIT_NOCOLOR, 0, &none, nullptr) == ncclSuccess && !none);
    CHECK(cudaStreamCreate(&stream) == cudaSuccess);
    CHECK(ncclMemAlloc((void **)&from, COUNT * sizeof *from) == ncclSuccess);
    CHECK(ncclMemAlloc((void **)&to, COUNT * sizeof *to) == ncclSuccess);
    if (gather(comm, stream, from, to) || send(part, stream, from, to))
        return 1;
    CHECK(ncclCommGetAsyncError(comm, &state) == ncclSuccess && state == ncclSuccess);
    CHECK(ncclCommFinalize(comm) == ncclSuccess && ncclCommDestroy(comm) == ncclSuccess);
    CHECK(ncclGetUniqueId(&id) == ncclSuccess);
    CHECK(ncclCommInitRank(&comm, 1, id, 0) == ncclSuccess && ncclCommAbort(comm) == ncclSuccess);
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 1;
    CHECK(ncclCommInitRankConfig(&comm, 1, id, 0, &config) == ncclSuccess);
    CHECK(ncclCommRegister(comm, from, COUNT * sizeof *from, &handle) == ncclSuccess && handle);
    CHECK(ncclCommDeregister(comm, handle) == ncclSuccess && *ncclGetLastError(comm) == '\0');
    CHECK(ncclCommDestroy(comm) == ncclSuccess);
    CHECK(ncclCommInitRankScalable(&comm, 1, 0, 1, &id, &config) == ncclSuccess);
    CHECK(ncclCommDestroy(comm) == ncclSuccess && ncclCommDestroy(part) == ncclSuccess);
    CHECK(ncclCommInitRank(&comm, 1, id, 1) == ncclInvalidArgument);
    CHECK(ncclCommInitRank(&comm, 2, id, 1) == ncclInvalidUsage);
    CHECK(ncclMemFree(from) == ncclSuccess && ncclMemFree(to) == ncclSuccess);
    CHECK(strcmp(ncclGetErrorString(ncclInvalidUsage), "invalid usage") == 0);
    return puts("all right") < 0;
}
