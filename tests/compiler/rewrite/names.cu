// API names wherever the grammar allows them, and the names that only look like it.
// RUN: %gcluster-cc --check-rewrite %s
// RUN: %gcluster-cc -c %s -o %t.o
// RUN: %gcluster-cc --emit=source %s | sed 's,// CHECK.*,,' | FileCheck --match-full-lines %s
// RUN: %gcluster-cc --dump=unit %s | FileCheck --check-prefix=UNIT %s
#include <cuda_runtime.h>
// CHECK: #include <cuda_runtime.h>
#include <stdio.h>
#if defined(cudaDeviceProp) && !defined(cudaNothing)
// CHECK: #if defined(cudaDeviceProp) && !defined(cudaNothing)
#endif
template <class T> struct holder {
    T value;
    cudaError_t cudaFree() {
        // CHECK: {{ *}}gclError_t cudaFree() {
        return cudaSuccess;
        // CHECK: {{ *}}return gclSuccess;
    }
};
template struct holder<cudaStream_t>;
// CHECK: template struct holder<gclStream_t>;
extern template struct holder<cudaEvent_t>;
// CHECK: extern template struct holder<gclEvent_t>;
template <cudaMemcpyKind K = cudaMemcpyHostToDevice> int kind() {
    // CHECK: template <gclMemcpyKind K = gclMemcpyHostToDevice> int kind() {
    return K;
}
int f() noexcept(sizeof(cudaError_t) == 4);
// CHECK: int f() noexcept(sizeof(gclError_t) == 4);
struct alignas(alignof(cudaDeviceProp)) aligned {
    // CHECK: struct alignas(alignof(gclDeviceProp)) aligned {
    int x;
};
namespace mine {
int cudaFree(int x) {
    // CHECK: int cudaFree(int x) {
    return x;
}
using ::cudaMalloc;
// CHECK: using ::gclMalloc;
} // namespace mine
#define cudaCheck(x) (x)
// CHECK: #define cudaCheck(x) (x)
#define cudaMallocAsync(...) mine_alloc(__VA_ARGS__)
// CHECK: #define cudaMallocAsync(...) mine_alloc(__VA_ARGS__)
#define API(name) cuda##name
// CHECK: #define API(name) cuda##name
#define ASYNC(name) name##Async
#define STREAM cudaStreamPer##Thread
int mine_alloc(int x) {
    return x;
}
template <class T> int members(T t, T *u) {
    t.cudaFree();
    // CHECK: {{ *}}t.cudaFree();
    u->cudaFree();
    // CHECK: {{ *}}u->cudaFree();
    return cudaFree(t) == cudaSuccess;
    // CHECK: {{ *}}return gclFree(t) == gclSuccess;
}
void throws() {
    try {
        throw cudaErrorUnknown;
        // CHECK: {{ *}}throw gclErrorUnknown;
    } catch (const cudaError_t &error) {
        // CHECK: {{ *}}} catch (const gclError_t &error) {
        (void)error;
    }
}
int local() {
    int cudaHostRegister = 1;
    // CHECK: {{ *}}int cudaHostRegister = 1;
    // UNIT-DAG: use [[# @LINE - 2]]:9 {{.*}} cudaHostRegister function kept: declared by the program
    return cudaHostRegister + 1;
    // CHECK: {{ *}}return cudaHostRegister + 1;
}
int main() {
    struct cudaDeviceProp prop;
    // CHECK: {{ *}}struct gclDeviceProp prop;
    enum cudaMemcpyKind k = cudaMemcpyDefault;
    // CHECK: {{ *}}enum gclMemcpyKind k = gclMemcpyDefault;
    k = cudaMemcpyKind::cudaMemcpyDeviceToHost;
    // CHECK: {{ *}}k = gclMemcpyKind::gclMemcpyDeviceToHost;
    void *p = nullptr;
    ::cudaFree(p);
    // CHECK: {{ *}}::gclFree(p);
    mine::cudaFree(3);
    // CHECK: {{ *}}mine::cudaFree(3);
    mine::cudaMalloc(&p, 4);
    // CHECK: {{ *}}mine::gclMalloc(&p, 4);
    auto *event = new cudaEvent_t[2];
    // CHECK: {{ *}}auto *event = new gclEvent_t[2];
    auto stream = (cudaStream_t)0;
    // CHECK: {{ *}}auto stream = (gclStream_t)0;
    cudaError_t (*pointer)(void *) = &cudaFree;
    // CHECK: {{ *}}gclError_t (*pointer)(void *) = &gclFree;
    switch (pointer(p)) {
    case cudaSuccess:
        // CHECK: {{ *}}case gclSuccess:
        puts("cudaFree");
        // CHECK: {{ *}}puts("cudaFree");
        puts(R"(cudaFree("//"))");
        // CHECK: {{ *}}puts(R"(cudaFree("//"))");
    default:
        break; /* cudaFree */
        // CHECK: {{ *}}break; /* cudaFree */
    }
    cudaMallocAsync(4);
    // CHECK: {{ *}}cudaMallocAsync(4);
    cudaCheck(API(Free)(p));
    // CHECK: {{ *}}cudaCheck(API(Free)(p));
    ASYNC(cudaMemset)(p, 0, 0, stream);
    // CHECK: {{ *}}ASYNC(gclMemset)(p, 0, 0, stream);
    cudaExtent extent = make_cudaExtent(1, 2, 3);
    // CHECK: {{ *}}gclExtent extent = make_gclExtent(1, 2, 3);
    cudaMemcpy(p, p, 1'0, cudaMemcpyDefault);
    // CHECK: {{ *}}gclMemcpy(p, p, 1'0, gclMemcpyDefault);
    delete[] event;
    return f() + kind() + prop.major + (int)extent.width;
}
