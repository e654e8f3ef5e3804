// Memory and events of another process on this host: the program starts itself once more.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

const int COUNT = 1 << 18, ROUNDS = 20;

#define CHECK(call) check((call), cudaSuccess, __LINE__)
#define REFUSE(call, error) check((call), (error), __LINE__)

static void check(cudaError_t got, cudaError_t wanted, int line) {
    if (got != wanted) {
        printf("%d: %s, not %s\n", line, cudaGetErrorName(got), cudaGetErrorName(wanted));
        exit(1);
    }
}

struct Handles {
    cudaIpcMemHandle_t large, small;
    cudaIpcEventHandle_t there, back;
};

__global__ void step(unsigned *numbers, int count, unsigned factor, unsigned added) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        numbers[i] = numbers[i] * factor + added;
}

__global__ void delay(int ms) {
    long long begin = clock64();
    while (clock64() - begin < ms * 1000000LL)
        ;
}

/// Each process computes when the other one has, without either waiting on the host.
static void take_turns(unsigned *numbers, cudaEvent_t mine, cudaEvent_t others, bool begins,
                       int *pipes) {
    cudaStream_t stream;
    char word = 0;
    CHECK(cudaStreamCreate(&stream));
    for (int round = 0; round < ROUNDS; round++) {
        if (!begins && read(pipes[0], &word, 1) != 1) // it has been recorded
            exit(1);
        if (!begins || round > 0)
            CHECK(cudaStreamWaitEvent(stream, others, 0));
        delay<<<1, 1, 0, stream>>>(3);
        step<<<COUNT / 256, 256, 0, stream>>>(numbers, COUNT, begins ? 3 : 5, begins ? 1 : 2);
        CHECK(cudaEventRecord(mine, stream));
        if (write(pipes[1], &word, 1) != 1 || (begins && read(pipes[0], &word, 1) != 1))
            exit(1);
    }
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaEventSynchronize(mine));
    CHECK(cudaEventQuery(mine));
    CHECK(cudaStreamDestroy(stream));
}

static int second(int *pipes) {
    Handles handles;
    unsigned *large, *small, value[4];
    cudaEvent_t there, back;
    if (read(pipes[0], &handles, sizeof handles) != sizeof handles)
        return 1;
    if (geteuid() == 0 && seteuid(65534) == 0) { // nobody else gets in
        REFUSE(cudaIpcOpenMemHandle((void **)&large, handles.large, 1),
               cudaErrorInvalidResourceHandle);
        if (seteuid(0))
            return 1;
    }
    cudaIpcMemHandle_t wrong = handles.large;
    wrong.reserved[0] ^= 1;
    REFUSE(cudaIpcOpenMemHandle((void **)&large, wrong, cudaIpcMemLazyEnablePeerAccess),
           cudaErrorInvalidResourceHandle);
    REFUSE(cudaIpcOpenMemHandle((void **)&large, handles.large, 0), cudaErrorInvalidValue);
    CHECK(cudaIpcOpenMemHandle((void **)&large, handles.large, cudaIpcMemLazyEnablePeerAccess));
    CHECK(cudaIpcOpenMemHandle((void **)&small, handles.small, cudaIpcMemLazyEnablePeerAccess));
    CHECK(cudaIpcOpenEventHandle(&there, handles.there));
    CHECK(cudaIpcOpenEventHandle(&back, handles.back));
    CHECK(cudaMemcpy(value, small, sizeof value, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4; i++) {
        if (value[i] != 10u + i)
            return 1;
    }
    take_turns(large, back, there, false, pipes);
    step<<<1, 4>>>(small, 4, 1, 5);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaIpcCloseMemHandle(large));
    CHECK(cudaIpcCloseMemHandle(small));
    REFUSE(cudaIpcCloseMemHandle(small), cudaErrorInvalidValue);
    CHECK(cudaEventDestroy(there));
    CHECK(cudaEventDestroy(back));
    return 0;
}

static void verify(const unsigned *numbers, int count, unsigned first, unsigned step) {
    static unsigned host[COUNT];
    CHECK(cudaMemcpy(host, numbers, count * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; i++) {
        if (host[i] != first + step * i) {
            printf("%d is %u, not %u\n", i, host[i], first + step * i);
            exit(1);
        }
    }
}

static int first(pid_t child, int *pipes) {
    const int values[] = {10, 11, 12, 13};
    Handles handles;
    unsigned *large, *small, *again, wanted = 0;
    cudaEvent_t there, back, plain;
    int status;
    CHECK(cudaMalloc(&large, COUNT * sizeof(int)));
    CHECK(cudaMalloc(&small, sizeof values));
    CHECK(cudaMemset(large, 0, COUNT * sizeof(int)));
    CHECK(cudaMemcpy(small, values, sizeof values, cudaMemcpyHostToDevice));
    CHECK(cudaEventCreateWithFlags(&there, cudaEventDisableTiming | cudaEventInterprocess));
    CHECK(cudaEventCreateWithFlags(&back, cudaEventDisableTiming | cudaEventInterprocess));
    CHECK(cudaEventCreate(&plain));
    REFUSE(cudaIpcGetEventHandle(&handles.there, plain), cudaErrorInvalidValue);
    REFUSE(cudaIpcGetMemHandle(&handles.large, &handles), cudaErrorInvalidValue);
    CHECK(cudaIpcGetMemHandle(&handles.large, large));
    CHECK(cudaIpcGetMemHandle(&handles.small, small));
    CHECK(cudaIpcGetMemHandle(&handles.small, small)); // once more
    CHECK(cudaIpcGetEventHandle(&handles.there, there));
    CHECK(cudaIpcGetEventHandle(&handles.back, back));
    if (write(pipes[1], &handles, sizeof handles) != sizeof handles)
        return 1;
    take_turns(large, there, back, true, pipes);
    if (waitpid(child, &status, 0) != child || status != 0)
        return 1;
    for (int round = 0; round < ROUNDS; round++)
        wanted = (wanted * 3 + 1) * 5 + 2;
    verify(large, COUNT, wanted, 0);
    verify(small, 4, 15, 1);
    CHECK(cudaFree(large));
    CHECK(cudaFree(small));
    CHECK(cudaMalloc(&again, COUNT * sizeof(int)));
    verify(again, COUNT, 0, 0);
    CHECK(cudaFree(again));
    REFUSE(cudaIpcOpenMemHandle((void **)&again, handles.large, cudaIpcMemLazyEnablePeerAccess),
           cudaErrorInvalidResourceHandle); // it is gone
    CHECK(cudaEventDestroy(there));
    CHECK(cudaEventDestroy(back));
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 3) {
        int pipes[2] = {atoi(argv[1]), atoi(argv[2])};
        return second(pipes);
    }
    int down[2], up[2];
    if (pipe(down) || pipe(up))
        return 1;
    pid_t child = fork();
    if (child == 0) {
        char from[16], to[16];
        snprintf(from, sizeof from, "%d", down[0]);
        snprintf(to, sizeof to, "%d", up[1]);
        execl("/proc/self/exe", argv[0], from, to, (char *)NULL);
        _exit(1);
    }
    int pipes[2] = {up[0], down[1]};
    return first(child, pipes);
}
