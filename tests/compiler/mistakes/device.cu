// Mistakes that only the device pass finds.
// RUN: not %gcluster-cc -c %s -o %t.o 2> %t.log
// RUN: FileCheck %s < %t.log
#include <string>
int limit = 4;
struct base {
    virtual int value() {
        return 1;
    }
};
__global__ void kernel(int *p, base *b, std::string s) {
    p[0] = limit;
    // CHECK-DAG: device.cu:[[# @LINE - 1]]:12: error: 'limit' is a variable of the host, which device code can't read [GCL142]
    // CHECK-DAG: help: pass its value as an argument; or declare it __device__ or __constant__
    p[1] = b->value();
    // CHECK-DAG: device.cu:[[# @LINE - 1]]:15: error: 'value' is a function of the host, which device code can't call [GCL141]
    p[2] = s.size();
    // CHECK-DAG: device.cu:[[# @LINE - 1]]:14: error: 'size' is a function of the host, which device code can't call [GCL141]
    int row[p[0]];
    // CHECK-DAG: device.cu:[[# @LINE - 1]]:12: error: array of a size that isn't constant in device code [GCL153]
    // CHECK-DAG: help: give it a constant size, or take memory that the host has allocated
    p[3] = row[0];
}
template <typename F> __global__ void each(int *p, F f) {
    p[0] = f(p[0]);
}
void launch(int *d, int n) {
    each<<<1, 1>>>(d, [&] __device__(int x) { return x + n; });
    // CHECK-DAG: device.cu:[[# @LINE - 1]]:58: error: the lambda captures 'n' by reference, which is memory of the host [GCL168]
}
struct object {
    int n;
    void run(int *d) {
        each<<<1, 1>>>(d, [=] __device__(int x) { return x + n; });
        // CHECK-DAG: device.cu:[[# @LINE - 1]]:{{[0-9]+}}: warning: the lambda captures 'this', which leads to memory of the host [GCL311]
        // CHECK-DAG: help: copy what it needs of the object to local variables, or capture *this
    }
};
// CHECK-NOT: host variable declared here
