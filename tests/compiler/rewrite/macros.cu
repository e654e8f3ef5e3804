// Launches in the bodies and in the arguments of macros.
// RUN: %gcluster-cc --check-rewrite %s
// RUN: %gcluster-cc -c %s -o %t.o
// RUN: %gcluster-cc --emit=source %s | sed 's,// CHECK.*,,' | FileCheck --match-full-lines %s
// RUN: %gcluster-cc --dump=unit %s | FileCheck --check-prefix=UNIT %s
#include <stdio.h>
#define KERNEL(name) __global__ void name##_kernel(int *p)
KERNEL(fill) {
}
__global__ void k(int *p) {
}
#define CALLEE(kernel, ...) kernel<<<1, 2>>>(__VA_ARGS__)
// CHECK: #define CALLEE(kernel, ...) gclLaunch(kernel, 1, 2, 0, 0, __VA_ARGS__)
#define PASTED(name, p) name##_kernel<<<1, 2>>>(p)
// CHECK: #define PASTED(name, p) gclLaunch(name##_kernel, 1, 2, 0, 0, p)
#define ALL(...) __VA_ARGS__
#define TWICE(...) __VA_ARGS__; __VA_ARGS__
#define DROP(...)
#define SHOW(...) puts(#__VA_ARGS__); __VA_ARGS__
#define PAIR(a, b) a, b
#define NESTED(call) ALL(call)
#define IDENTITY(x) x
#define NEVER(p) k<<<1, 2>>>(p)
// CHECK: #define IDENTITY(x) x
#define NEVER(p) gclLaunch(k, 1, 2, 0, 0, p)
#define WHOLE(c, p) k<<<c>>>(p)
// CHECK: #define WHOLE(c, p) k<<<c>>>(p)
// UNIT: launch [[# @LINE - 2]]:22 {{.*}} kept: number of configuration arguments
#define HALF(kernel) kernel<<<1, 2>>>
// CHECK: #define HALF(kernel) kernel<<<1, 2>>>
#define CHECKED(call)                                                                              \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess)                                                                  \
            printf("%s: %s\n", #call, cudaGetErrorString(error));                                  \
    } while (0)
// CHECK: {{ *}}gclError_t error = (call); {{.*}}
// CHECK: {{ *}}if (error != gclSuccess) {{.*}}
// CHECK: {{ *}}printf("%s: %s\n", #call, gclGetErrorString(error)); {{.*}}
int main() {
    int *p = nullptr, n = 1;
    CALLEE(k, p);
    PASTED(fill, p);
    ALL(k<<<1, 2>>>(p));
    // CHECK: {{ *}}ALL(gclLaunch(k, 1, 2, 0, 0, p));
    TWICE(k<<<1, 2>>>(p));
    // CHECK: {{ *}}TWICE(gclLaunch(k, 1, 2, 0, 0, p));
    DROP(k<<<1, 2>>>(p));
    // CHECK: {{ *}}DROP(gclLaunch(k, 1, 2, 0, 0, p));
    SHOW(k<<<1, 2>>>(p));
    // CHECK: {{ *}}SHOW(k<<<1, 2>>>(p));
    // UNIT: launch [[# @LINE - 2]]:11 {{.*}} kept: in an argument that a macro turns into a string
    PAIR(k<<<1, 2>>>(p));
    // CHECK: {{ *}}PAIR(k<<<1, 2>>>(p));
    // UNIT: launch [[# @LINE - 2]]:11 {{.*}} kept: commas split the launch
    PAIR((k<<<1, 2>>>(p)), 1);
    // CHECK: {{ *}}PAIR((gclLaunch(k, 1, 2, 0, 0, p)), 1);
    NESTED((k<<<1, 2>>>(p)));
    // CHECK: {{ *}}NESTED((gclLaunch(k, 1, 2, 0, 0, p)));
    HALF(k)(p);
    IDENTITY(k)<<<1, 2>>>(p);
    // CHECK: {{ *}}gclLaunch(IDENTITY(k), 1, 2, 0, 0, p);
    k<<<IDENTITY(n) + 1, IDENTITY(n)>>>(p);
    // CHECK: {{ *}}gclLaunch(k, IDENTITY(n) + 1, IDENTITY(n), 0, 0, p);
    ALL([&] { k<<<1, 2>>>(p); }());
    // CHECK: {{ *}}ALL([&] { gclLaunch(k, 1, 2, 0, 0, p); }());
    CHECKED(cudaMalloc(&p, 4));
    // CHECK: {{ *}}CHECKED(cudaMalloc(&p, 4));
    CHECKED((k<<<1, 2>>>(p), cudaGetLastError()));
    // CHECK: {{ *}}CHECKED((k<<<1, 2>>>(p), cudaGetLastError()));
}
