// RUN: %gcluster-cc --dump=ptx %s | FileCheck %s
// RUN: %gcluster-cc --device=cuda -DMANY -c %s -o %t.o 2>&1 | FileCheck --check-prefix=MANY %s
// RUN: %if ptxas %{ %gcluster-cc --dump=ptx %s > %t.ptx && %ptxas -arch=sm_80 -o %t.cubin %t.ptx %}
// A call through a pointer compares it with the functions that it may lead to, which are those of
// its type, and calls the right one by name.
typedef float operation(float);
__device__ float twice(float x) {
    return 2 * x;
}
__device__ float half(float x) {
    return x / 2;
}
__device__ int other(int x) {
    return 3 * x;
}
__device__ operation *operations[] = {twice, half};
__device__ int (*others[])(int) = {other};

// CHECK-LABEL: .entry apply(
// CHECK-NOT: .callprototype
// CHECK: ld.const.u64 %[[TABLE:rd[0-9]+]], [gcl_addresses
// CHECK: setp.{{eq|ne}}.s64
// CHECK: setp.{{eq|ne}}.s64
// CHECK-NOT: setp.{{eq|ne}}.s64
// CHECK: trap;
extern "C" __global__ void apply(float *x, int which) {
    x[threadIdx.x] = operations[which](x[threadIdx.x]);
}

#ifdef MANY
template <int n> __device__ float many(float x) {
    return x + n;
}
template <int n> struct table {
    static __device__ operation *get(int i) {
        return i == n ? many<n> : table<n - 1>::get(i);
    }
};
template <> struct table<0> {
    static __device__ operation *get(int) {
        return many<0>;
    }
};
// MANY: kernel choose has no GPU code: it calls a function through a pointer that may lead to too
// many
extern "C" __global__ void choose(float *x, int i) {
    x[threadIdx.x] = table<80>::get(i)(x[threadIdx.x]);
}
#endif
