// NCCL for a program that has one device, which is the whole cluster: a communicator has one rank,
// so what its collectives give is what they are given. More ranks than one are refused, with a
// message: nodes of gcluster-run do in one program what ranks would.
#ifndef GCLUSTER_NCCL_H
#define GCLUSTER_NCCL_H
#define NCCL_H_

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime.h"
#ifdef __cplusplus
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif

#define NCCL_MAJOR 2
#define NCCL_MINOR 23
#define NCCL_PATCH 4
#define NCCL_SUFFIX ""
#define NCCL_VERSION(X, Y, Z)                                                                      \
    (((X) <= 2 && (Y) <= 8) ? (X) * 1000 + (Y) * 100 + (Z) : (X) * 10000 + (Y) * 100 + (Z))
#define NCCL_VERSION_CODE NCCL_VERSION(NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH)

#define NCCL_UNIQUE_ID_BYTES 128
#define NCCL_SPLIT_NOCOLOR -1
#define NCCL_COMM_NULL NULL
#define NCCL_CONFIG_UNDEF_INT INT_MIN
#define NCCL_CONFIG_UNDEF_PTR NULL
#define NCCL_UNDEF_FLOAT (-1.0f)

typedef struct ncclComm *ncclComm_t;

typedef struct {
    char internal[NCCL_UNIQUE_ID_BYTES];
} ncclUniqueId;

typedef struct ncclConfig_v21700 {
    size_t size;
    unsigned int magic, version;
    int blocking, cgaClusterSize, minCTAs, maxCTAs;
    const char *netName;
    int splitShare;
} ncclConfig_t;
#define NCCL_CONFIG_INITIALIZER                                                                    \
    {sizeof(ncclConfig_t),  0xcafebeef,                                                            \
     NCCL_VERSION_CODE,     NCCL_CONFIG_UNDEF_INT,                                                 \
     NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_INT,                                                 \
     NCCL_CONFIG_UNDEF_INT, NCCL_CONFIG_UNDEF_PTR,                                                 \
     NCCL_CONFIG_UNDEF_INT}

typedef enum {
    ncclSuccess = 0,
    ncclUnhandledCudaError = 1,
    ncclSystemError = 2,
    ncclInternalError = 3,
    ncclInvalidArgument = 4,
    ncclInvalidUsage = 5,
    ncclRemoteError = 6,
    ncclInProgress = 7,
    ncclNumResults = 8,
} ncclResult_t;

typedef enum {
    ncclSum = 0,
    ncclProd = 1,
    ncclMax = 2,
    ncclMin = 3,
    ncclAvg = 4,
    ncclNumOps = 5,
    ncclMaxRedOp = 0x7fffffff,
} ncclRedOp_t;

typedef enum {
    ncclInt8 = 0,
    ncclChar = 0,
    ncclUint8 = 1,
    ncclInt32 = 2,
    ncclInt = 2,
    ncclUint32 = 3,
    ncclInt64 = 4,
    ncclUint64 = 5,
    ncclFloat16 = 6,
    ncclHalf = 6,
    ncclFloat32 = 7,
    ncclFloat = 7,
    ncclFloat64 = 8,
    ncclDouble = 8,
    ncclBfloat16 = 9,
    ncclFloat8e4m3 = 10,
    ncclFloat8e5m2 = 11,
    ncclNumTypes = 12,
} ncclDataType_t;

static inline const char *ncclGetErrorString(ncclResult_t __result) {
    static const char *const __texts[] = {"no error",
                                          "unhandled cuda error",
                                          "unhandled system error",
                                          "internal error",
                                          "invalid argument",
                                          "invalid usage",
                                          "remote process exited or there was a network error",
                                          "NCCL operation in progress"};
    return __result >= ncclSuccess && __result < ncclNumResults ? __texts[__result]
                                                                : "unknown result code";
}

static inline ncclResult_t ncclGetVersion(int *__version) {
    if (!__version)
        return ncclInvalidArgument;
    *__version = NCCL_VERSION_CODE;
    return ncclSuccess;
}

static inline ncclResult_t __gcl_nccl_result(cudaError_t __error) {
    return __error == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}

// Communicators.

struct ncclComm {
    int device;
};

static inline ncclResult_t __gcl_nccl_create(ncclComm_t *__comm) {
    int __device;
    if (!__comm || cudaGetDevice(&__device) != cudaSuccess)
        return __comm ? ncclUnhandledCudaError : ncclInvalidArgument;
    *__comm = (ncclComm_t)malloc(sizeof(struct ncclComm));
    if (!*__comm)
        return ncclSystemError;
    (*__comm)->device = __device;
    return ncclSuccess;
}

static inline ncclResult_t __gcl_nccl_refuse(int __ranks) {
    fprintf(stderr,
            "gcluster: error: NCCL's communicators have one rank here, and %d are asked for: start "
            "the program once, which sees the cluster as one device\n",
            __ranks);
    return ncclInvalidUsage;
}

static inline ncclResult_t ncclGetUniqueId(ncclUniqueId *__id) {
    if (!__id)
        return ncclInvalidArgument;
    memset(__id, 0, sizeof *__id);
    return ncclSuccess;
}

static inline ncclResult_t ncclCommInitRank(ncclComm_t *__comm, int __ranks, ncclUniqueId __id,
                                            int __rank) {
    (void)__id;
    if (__ranks < 1 || __rank < 0 || __rank >= __ranks)
        return ncclInvalidArgument;
    return __ranks > 1 ? __gcl_nccl_refuse(__ranks) : __gcl_nccl_create(__comm);
}

static inline ncclResult_t ncclCommInitRankConfig(ncclComm_t *__comm, int __ranks,
                                                  ncclUniqueId __id, int __rank,
                                                  ncclConfig_t *__config) {
    (void)__config;
    return ncclCommInitRank(__comm, __ranks, __id, __rank);
}

static inline ncclResult_t ncclCommInitRankScalable(ncclComm_t *__comm, int __ranks, int __rank,
                                                    int __count, ncclUniqueId *__ids,
                                                    ncclConfig_t *__config) {
    if (__count < 1 || !__ids)
        return ncclInvalidArgument;
    return ncclCommInitRankConfig(__comm, __ranks, *__ids, __rank, __config);
}

static inline ncclResult_t ncclCommInitAll(ncclComm_t *__comms, int __count, const int *__devices) {
    int __now;
    if (!__comms || __count < 1)
        return ncclInvalidArgument;
    if (__count > 1)
        return __gcl_nccl_refuse(__count);
    if (cudaGetDevice(&__now) != cudaSuccess || cudaSetDevice(__devices ? *__devices : 0))
        return ncclInvalidArgument;
    ncclResult_t __result = __gcl_nccl_create(__comms);
    cudaSetDevice(__now);
    return __result;
}

static inline ncclResult_t ncclCommSplit(ncclComm_t __comm, int __color, int __key,
                                         ncclComm_t *__new, ncclConfig_t *__config) {
    (void)__key, (void)__config;
    if (!__comm || !__new || (__color < 0 && __color != NCCL_SPLIT_NOCOLOR))
        return ncclInvalidArgument;
    *__new = NCCL_COMM_NULL;
    return __color == NCCL_SPLIT_NOCOLOR ? ncclSuccess : __gcl_nccl_create(__new);
}

static inline ncclResult_t ncclCommFinalize(ncclComm_t __comm) {
    return __comm ? ncclSuccess : ncclInvalidArgument;
}

static inline ncclResult_t ncclCommDestroy(ncclComm_t __comm) {
    free(__comm);
    return ncclSuccess;
}

static inline ncclResult_t ncclCommAbort(ncclComm_t __comm) {
    return ncclCommDestroy(__comm);
}

static inline ncclResult_t ncclCommGetAsyncError(ncclComm_t __comm, ncclResult_t *__result) {
    if (!__comm || !__result)
        return ncclInvalidArgument;
    *__result = ncclSuccess;
    return ncclSuccess;
}

static inline const char *ncclGetLastError(ncclComm_t __comm) {
    (void)__comm;
    return "";
}

static inline ncclResult_t __gcl_nccl_tell(ncclComm_t __comm, int *__to, int __value) {
    if (!__comm || !__to)
        return ncclInvalidArgument;
    *__to = __value;
    return ncclSuccess;
}

static inline ncclResult_t ncclCommCount(const ncclComm_t __comm, int *__count) {
    return __gcl_nccl_tell(__comm, __count, 1);
}

static inline ncclResult_t ncclCommUserRank(const ncclComm_t __comm, int *__rank) {
    return __gcl_nccl_tell(__comm, __rank, 0);
}

static inline ncclResult_t ncclCommCuDevice(const ncclComm_t __comm, int *__device) {
    return __gcl_nccl_tell(__comm, __device, __comm ? __comm->device : 0);
}

static inline ncclResult_t ncclMemAlloc(void **__pointer, size_t __size) {
    return __gcl_nccl_result(cudaMalloc(__pointer, __size));
}

static inline ncclResult_t ncclMemFree(void *__pointer) {
    return __gcl_nccl_result(cudaFree(__pointer));
}

static inline ncclResult_t ncclCommRegister(const ncclComm_t __comm, void *__buffer, size_t __size,
                                            void **__handle) {
    (void)__size;
    if (!__comm || !__handle)
        return ncclInvalidArgument;
    *__handle = __buffer;
    return ncclSuccess;
}

static inline ncclResult_t ncclCommDeregister(const ncclComm_t __comm, void *__handle) {
    (void)__handle;
    return __comm ? ncclSuccess : ncclInvalidArgument;
}

// Collectives: the one rank's part is all.

/// Bytes of an element; 0: there is no such type.
static inline size_t __gcl_nccl_size(ncclDataType_t __type) {
    static const unsigned char __sizes[ncclNumTypes] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
    return (unsigned)__type < ncclNumTypes ? __sizes[__type] : 0;
}

static inline ncclResult_t __gcl_nccl_copy(const void *__from, void *__to, size_t __count,
                                           ncclDataType_t __type, ncclComm_t __comm,
                                           cudaStream_t __stream) {
    size_t __size = __gcl_nccl_size(__type);
    if (!__comm || __size == 0 || (__count > 0 && (!__from || !__to)) ||
        __count > SIZE_MAX / __size)
        return ncclInvalidArgument;
    if (__count == 0 || __from == __to)
        return ncclSuccess;
    return __gcl_nccl_result(
        cudaMemcpyAsync(__to, __from, __count * __size, cudaMemcpyDefault, __stream));
}

static inline ncclResult_t __gcl_nccl_reduce(const void *__from, void *__to, size_t __count,
                                             ncclDataType_t __type, ncclRedOp_t __op,
                                             ncclComm_t __comm, cudaStream_t __stream) {
    if ((unsigned)__op >= ncclNumOps)
        return ncclInvalidArgument;
    return __gcl_nccl_copy(__from, __to, __count, __type, __comm, __stream);
}

static inline ncclResult_t ncclAllReduce(const void *__from, void *__to, size_t __count,
                                         ncclDataType_t __type, ncclRedOp_t __op, ncclComm_t __comm,
                                         cudaStream_t __stream) {
    return __gcl_nccl_reduce(__from, __to, __count, __type, __op, __comm, __stream);
}

static inline ncclResult_t ncclReduceScatter(const void *__from, void *__to, size_t __count,
                                             ncclDataType_t __type, ncclRedOp_t __op,
                                             ncclComm_t __comm, cudaStream_t __stream) {
    return __gcl_nccl_reduce(__from, __to, __count, __type, __op, __comm, __stream);
}

static inline ncclResult_t ncclReduce(const void *__from, void *__to, size_t __count,
                                      ncclDataType_t __type, ncclRedOp_t __op, int __root,
                                      ncclComm_t __comm, cudaStream_t __stream) {
    if (__root != 0)
        return ncclInvalidArgument;
    return __gcl_nccl_reduce(__from, __to, __count, __type, __op, __comm, __stream);
}

static inline ncclResult_t ncclBroadcast(const void *__from, void *__to, size_t __count,
                                         ncclDataType_t __type, int __root, ncclComm_t __comm,
                                         cudaStream_t __stream) {
    if (__root != 0)
        return ncclInvalidArgument;
    return __gcl_nccl_copy(__from, __to, __count, __type, __comm, __stream);
}

static inline ncclResult_t ncclBcast(void *__buffer, size_t __count, ncclDataType_t __type,
                                     int __root, ncclComm_t __comm, cudaStream_t __stream) {
    return ncclBroadcast(__buffer, __buffer, __count, __type, __root, __comm, __stream);
}

static inline ncclResult_t ncclAllGather(const void *__from, void *__to, size_t __count,
                                         ncclDataType_t __type, ncclComm_t __comm,
                                         cudaStream_t __stream) {
    return __gcl_nccl_copy(__from, __to, __count, __type, __comm, __stream);
}

// Groups. What is sent waits for what receives it, the first one for the first one.

struct __gcl_nccl_half {
    ncclComm_t comm;
    const void *from; ///< NULL: this one receives
    void *to;
    size_t count;
    ncclDataType_t type;
    cudaStream_t stream;
    int is_done;
};

struct __gcl_nccl_group {
    int depth;
    size_t count;
    struct __gcl_nccl_half *halves;
};

// A program's sources share the group of a thread.
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) __thread struct __gcl_nccl_group __gcl_nccl_group_of_thread;
#ifdef __cplusplus
}
#endif

static inline ncclResult_t __gcl_nccl_add(struct __gcl_nccl_half __half, int __peer) {
    struct __gcl_nccl_group *__group = &__gcl_nccl_group_of_thread;
    if (!__half.comm || __peer != 0 || __gcl_nccl_size(__half.type) == 0)
        return ncclInvalidArgument;
    if (__half.count == 0)
        return ncclSuccess;
    if (!__half.from && !__half.to)
        return ncclInvalidArgument;
    if (__group->depth == 0)
        return ncclInvalidUsage; // it would wait for itself
    void *__halves =
        realloc(__group->halves, (__group->count + 1) * sizeof(struct __gcl_nccl_half));
    if (!__halves)
        return ncclSystemError;
    __group->halves = (struct __gcl_nccl_half *)__halves;
    __group->halves[__group->count++] = __half;
    return ncclSuccess;
}

static inline ncclResult_t ncclSend(const void *__from, size_t __count, ncclDataType_t __type,
                                    int __peer, ncclComm_t __comm, cudaStream_t __stream) {
    struct __gcl_nccl_half __half = {__comm, __from, NULL, __count, __type, __stream, 0};
    return __gcl_nccl_add(__half, __peer);
}

static inline ncclResult_t ncclRecv(void *__to, size_t __count, ncclDataType_t __type, int __peer,
                                    ncclComm_t __comm, cudaStream_t __stream) {
    struct __gcl_nccl_half __half = {__comm, NULL, __to, __count, __type, __stream, 0};
    return __gcl_nccl_add(__half, __peer);
}

// What `second` has been given waits for what `first` has.
static inline cudaError_t __gcl_nccl_order(cudaStream_t __first, cudaStream_t __second) {
    cudaEvent_t __event;
    if (__first == __second)
        return cudaSuccess;
    cudaError_t __error = cudaEventCreateWithFlags(&__event, cudaEventDisableTiming);
    if (__error)
        return __error;
    __error = cudaEventRecord(__event, __first);
    if (!__error)
        __error = cudaStreamWaitEvent(__second, __event, 0);
    cudaEventDestroy(__event);
    return __error;
}

static inline ncclResult_t __gcl_nccl_join(const struct __gcl_nccl_half *__send,
                                           const struct __gcl_nccl_half *__recv) {
    if (__send->count != __recv->count || __send->type != __recv->type)
        return ncclInvalidUsage;
    ncclResult_t __result = __gcl_nccl_result(__gcl_nccl_order(__send->stream, __recv->stream));
    if (!__result)
        __result = __gcl_nccl_copy(__send->from, __recv->to, __recv->count, __recv->type,
                                   __recv->comm, __recv->stream);
    return __result ? __result
                    : __gcl_nccl_result(__gcl_nccl_order(__recv->stream, __send->stream));
}

static inline ncclResult_t ncclGroupStart(void) {
    __gcl_nccl_group_of_thread.depth++;
    return ncclSuccess;
}

static inline ncclResult_t ncclGroupEnd(void) {
    struct __gcl_nccl_group *__group = &__gcl_nccl_group_of_thread;
    ncclResult_t __result = ncclSuccess;
    if (__group->depth == 0)
        return ncclInvalidUsage;
    if (--__group->depth > 0)
        return ncclSuccess;
    for (size_t __i = 0; __i < __group->count && !__result; __i++) {
        struct __gcl_nccl_half *__recv = &__group->halves[__i], *__send = __group->halves;
        if (__recv->from)
            continue;
        struct __gcl_nccl_half *__end = __group->halves + __group->count;
        while (__send < __end && (!__send->from || __send->is_done || __send->comm != __recv->comm))
            __send++;
        __result = __send < __end ? __gcl_nccl_join(__send, __recv) : ncclInvalidUsage;
        if (__send < __end)
            __send->is_done = __recv->is_done = 1;
    }
    for (size_t __i = 0; __i < __group->count && !__result; __i++)
        __result = __group->halves[__i].is_done ? ncclSuccess : ncclInvalidUsage;
    free(__group->halves);
    __group->halves = NULL;
    __group->count = 0;
    return __result;
}

#endif
