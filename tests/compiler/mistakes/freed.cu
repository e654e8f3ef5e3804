// Memory that is freed while a stream uses it is told where that is certain.
// RUN: %gcluster-cc --dump=shapes %s 2> %t.log
// RUN: FileCheck --implicit-check-not=warning: %s < %t.log
// RUN: %gcluster-cc --dump=shapes -Wno-gcluster-freed-in-use %s 2>&1 | FileCheck --check-prefix=NONE %s
// NONE-NOT: GCL316
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <vector>
#define CHECK_CALL(x)                                                                                                  \
    do {                                                                                                               \
        cudaError_t e = (x);                                                                                           \
        if (e != cudaSuccess) {                                                                                        \
            fprintf(stderr, "%s\n", cudaGetErrorString(e));                                                            \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)
struct state {
    int n;
};
struct guard {
    cudaStream_t stream;
    ~guard() { cudaStreamSynchronize(stream); }
};
void done(void *p);
void called(cudaStream_t stream, cudaError_t error, void *p);
void other();
inline void check(cudaError_t error) {
    if (error != cudaSuccess)
        printf("%s\n", cudaGetErrorString(error));
}
__global__ void kernel(int *p) {
    p[threadIdx.x] = 1;
}
void registered(cudaStream_t s, int *d, int n, bool which) {
    int *a = (int *)malloc(n), *b = (int *)malloc(n), *c = (int *)malloc(n), row[64];
    void *mapped = mmap(nullptr, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK_CALL(cudaHostRegister(a, n, 0));
    cudaHostRegister(b, n, 0);
    cudaHostRegister(mapped, n, 0);
    cudaHostRegister(row, sizeof row, 0);
    CHECK_CALL(cudaMemcpyAsync(d, a, n, cudaMemcpyHostToDevice, s));
    free(a);
    // CHECK: freed.cu:[[# @LINE - 1]]:5: warning: free() of 'a', which the stream of line [[# @LINE - 2]] may still use [GCL316]
    // CHECK: help: wait for the stream before, with cudaStreamSynchronize()
    check(cudaMemcpyAsync(b + 3, d, n, cudaMemcpyDeviceToHost, s));
    if (which)
        free(b);
    kernel<<<1, 32, 0, s>>>((int *)mapped);
    munmap(mapped, n);
    // CHECK: freed.cu:[[# @LINE - 1]]:5: warning: munmap() of 'mapped', which the stream of line [[# @LINE - 2]] may still use [GCL316]
    cudaStreamSynchronize(s);
    free(b);
    cudaMemcpyAsync(d, c, n, cudaMemcpyHostToDevice, s); // not registered: CUDA copies it at once
    free(c);
    cudaMemcpyAsync(row, d, sizeof row, cudaMemcpyDeviceToHost, s);
    // CHECK: freed.cu:[[# @LINE - 1]]:5: warning: the stream may still use 'row' when the block ends in which it is declared [GCL316]
    // CHECK: help: wait for the stream before the block ends, or use memory that stays
}
void vectors(cudaStream_t s, int *d, int n) {
    std::vector<int> v(n), w(n), paged(n);
    cudaHostRegister(v.data(), v.size() * sizeof(int), 0);
    cudaHostRegister(w.data(), w.size() * sizeof(int), 0);
    cudaMemcpyAsync(d, w.data(), n * sizeof(int), cudaMemcpyHostToDevice, s);
    cudaHostUnregister(w.data());
    cudaMemcpyAsync(d, paged.data(), n * sizeof(int), cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(d, v.data() + 1, v.size(), cudaMemcpyHostToDevice, s);
    // CHECK: freed.cu:[[# @LINE - 1]]:5: warning: the stream may still use 'v' when the block ends in which it is declared [GCL316]
}
std::vector<int> returned(cudaStream_t s, int *d, int n) {
    std::vector<int> v(n);
    cudaHostRegister(v.data(), v.size() * sizeof(int), 0);
    cudaMemcpyAsync(v.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost, s);
    return v;
}
void given(cudaStream_t s) {
    state first = {1}, last = {2}, *c = new state, *e = new state, *moved = new state;
    cudaLaunchHostFunc(s, done, &first);
    cudaLaunchHostFunc(s, done, c);
    delete c;
    // CHECK: freed.cu:[[# @LINE - 1]]:5: warning: delete of 'c', which the stream of line [[# @LINE - 2]] may still use [GCL316]
    cudaLaunchHostFunc(s, done, moved);
    moved = nullptr;
    delete moved;
    cudaLaunchHostFunc(s, done, e);
    for (int i = 0; i < 4; i++) {
        int number = i;
        CHECK_CALL(cudaStreamAddCallback(s, called, &number, 0));
        // CHECK: freed.cu:[[# @LINE - 1]]:20: warning: the stream may still use 'number' when the block ends
    }
    cudaStreamSynchronize(s);
    delete e;
    cudaLaunchHostFunc(s, done, &last);
    other();
}
void last_of_all(cudaStream_t s) {
    state a = {1};
    cudaLaunchHostFunc(s, done, &a);
    // CHECK: freed.cu:[[# @LINE - 1]]:5: warning: the stream may still use 'a' when the block ends
}
int fails(cudaStream_t s) {
    state *a = new state, *b = new state;
    if (cudaLaunchHostFunc(s, done, a) != cudaSuccess)
        return 1;
    delete a;
    // CHECK: freed.cu:[[# @LINE - 1]]:5: warning: delete of 'a', which the stream of line [[# @LINE - 3]] may still use [GCL316]
    if (cudaLaunchHostFunc(s, done, b) == cudaSuccess)
        return 0;
    delete b;
    return 1;
}
void guarded(cudaStream_t s) {
    state a = {1};
    guard last = {s};
    cudaLaunchHostFunc(s, done, &a);
}
void polls(cudaStream_t s) {
    volatile int flag = 0;
    state a = {1};
    cudaLaunchHostFunc(s, done, (void *)&flag);
    while (flag == 0)
        continue;
    cudaLaunchHostFunc(s, done, (void *)&flag);
    for (; flag == 1;)
        continue;
    cudaLaunchHostFunc(s, done, &a);
    do
        a.n++;
    while (flag);
}
cudaError_t returns(cudaStream_t s) {
    state a = {1};
    cudaLaunchHostFunc(s, done, &a);
    return cudaStreamSynchronize(s);
}
void pools(int n, cudaStream_t given) {
    cudaStream_t s, t, u[2], same;
    cudaEvent_t e;
    int *a, *b, *c;
    cudaStreamCreate(&s);
    same = s;
    CHECK_CALL(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    for (int i = 0; i < 2; i++)
        cudaStreamCreate(&u[i]);
    cudaEventCreate(&e);
    cudaMallocAsync(&a, n, s);
    kernel<<<1, 32, 0, s>>>(a);
    cudaFreeAsync(a, t);
    // CHECK: freed.cu:[[# @LINE - 1]]:5: warning: 'a' is freed on 't', while another stream may still use it, by line [[# @LINE - 2]] [GCL316]
    // CHECK: help: free it on that stream, or have this one wait with cudaStreamWaitEvent()
    cudaMallocAsync(&b, n, s);
    kernel<<<1, 32, 0, s>>>(b);
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(t, e, 0);
    cudaFreeAsync(b, t);
    cudaMallocAsync(&b, n, s);
    kernel<<<1, 32, 0, s>>>(b);
    cudaFreeAsync(b, s);
    cudaMallocAsync(&c, n, s);
    kernel<<<1, 32, 0, u[0]>>>(c);
    cudaFreeAsync(c, u[1]);
    // CHECK: freed.cu:[[# @LINE - 1]]:5: warning: 'c' is freed on 'u[1]'
    cudaMallocAsync(&c, n, s);
    kernel<<<1, 32, 0, u[0]>>>(c);
    kernel<<<1, 32>>>(c);
    cudaFreeAsync(c, u[1]);
    cudaMallocAsync(&c, n, s);
    kernel<<<1, 32, 0, s>>>(c);
    cudaFreeAsync(c, given);
    cudaMallocAsync(&c, n, s);
    kernel<<<1, 32, 0, s>>>(c);
    cudaFreeAsync(c, same);
    cudaMallocAsync(&c, n, s);
    kernel<<<1, 32, 0, s>>>(c);
    cudaFree(c);
}
int main() {
    state a = {1};
    cudaLaunchHostFunc(0, done, &a);
}
