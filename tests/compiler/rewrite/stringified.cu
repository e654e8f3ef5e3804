// What macros print of their arguments is what the program's author wrote and searches for.
// RUN: %gcluster-cc --check-rewrite %s
// RUN: %gcluster-cc --emit=source %s | sed 's,// CHECK.*,,' | FileCheck --match-full-lines %s
// RUN: %gcluster-cc --dump=unit %s | FileCheck --check-prefix=UNIT %s
// RUN: %gcluster-cc %s -o %t
// RUN: %t | FileCheck --check-prefix=PRINTED --match-full-lines %s
// RUN: not --crash %t abort 2>&1 | FileCheck --check-prefix=ASSERTED %s
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
__global__ void k(int *p) {
    *p = 7;
}
static void report(cudaError_t error, const char *text) {
    printf("%s: %s\n", text, cudaGetErrorName(error));
}
#define CHECK(call) report((call), #call)
#define SPREAD(...) report((__VA_ARGS__), #__VA_ARGS__)
#define TEXT(x) #x
#define EXPANDED(x) TEXT(x)
#define INDIRECT(call, note) puts(note); CHECK(call)
#define ALIAS CHECK
#define CAUGHT(e) do { cudaError_t error = (e); CHECK(error); } while (0)
// CHECK: #define CAUGHT(e) do { gclError_t error = (e); CHECK(error); } while (0)
#define PLAIN(x) (x)
#define N (1)
int main(int argc, char **) {
    int *p = nullptr, n = 0;
    cudaStream_t stream;
    // CHECK: {{ *}}gclStream_t stream;
    CHECK(cudaMalloc(&p, sizeof *p));
    // CHECK: {{ *}}CHECK(cudaMalloc(&p, sizeof *p));
    // UNIT: use [[# @LINE - 2]]:11 {{.*}} cudaMalloc {{.*}} kept: in an argument that a macro turns into a string
    // PRINTED: cudaMalloc(&p, sizeof *p): cudaSuccess
    CHECK((k<<<N, 1>>>(p), cudaGetLastError()));
    // CHECK: {{ *}}CHECK((k<<<N, 1>>>(p), cudaGetLastError()));
    // PRINTED-NEXT: (k<<<N, 1>>>(p), cudaGetLastError()): cudaSuccess
    PLAIN(CHECK(cudaStreamCreate(&stream)));
    // PRINTED-NEXT: cudaStreamCreate(&stream): cudaSuccess
    SPREAD(cudaMemcpyAsync(&n, p, sizeof n, cudaMemcpyDeviceToHost, stream));
    // PRINTED-NEXT: cudaMemcpyAsync(&n, p, sizeof n, cudaMemcpyDeviceToHost, stream): cudaSuccess
    INDIRECT(cudaStreamSynchronize(stream), "note");
    // PRINTED-NEXT: note
    // PRINTED-NEXT: cudaStreamSynchronize(stream): cudaSuccess
    ALIAS(PLAIN(cudaStreamDestroy(stream)));
    // PRINTED-NEXT: PLAIN(cudaStreamDestroy(stream)): cudaSuccess
    SPREAD([&] { for (int i = 0; i < 2; i++) k<<<1, 1>>>(p); return cudaDeviceSynchronize(); }());
    // PRINTED-NEXT: [&] { for (int i = 0; i < 2; i++) k<<<1, 1>>>(p); return cudaDeviceSynchronize(); }(): cudaSuccess
    puts(EXPANDED(cudaErrorInvalidValue));
    // PRINTED-NEXT: cudaErrorInvalidValue
    CAUGHT(cudaSetDevice(1000));
    // PRINTED-NEXT: error: cudaErrorInvalidDevice
    PLAIN(cudaFree(p));
    // CHECK: {{ *}}PLAIN(gclFree(p));
    if (argc > 1)
        assert(cudaSetDevice(1000) == cudaSuccess);
    // ASSERTED: cudaSetDevice(1000) == cudaSuccess
    printf("%d\n", n);
    // PRINTED-NEXT: 7
}
