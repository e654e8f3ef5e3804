// Clauses as attributes, as our own headers have them. What isn't understood is left out.
// RUN: %gcluster-cc --explain %s | FileCheck %s

// CHECK-DAG: named<int>: splits along blockIdx.x; out: row blockIdx.x, written in part
template <class T>
__global__ void __attribute__((annotate("gcl.pragma writes(out[blockIdx.x * tile : tile])")))
named(T *out, const int *index, unsigned tile) {
    out[index[threadIdx.x]] = 1;
}

// CHECK-DAG: alone: runs on one node, as #pragma gcluster says
__global__ void __attribute__((annotate("gcl.pragma single"))) alone(int *out) {
    out[blockIdx.x] = 1;
}

// CHECK-DAG: unknown: {{.*}}out: inspected at launch
__global__ void __attribute__((annotate("gcl.pragma writes(nowhere[0 : 1])")))
unknown(int *out, const int *index) {
    out[index[blockIdx.x]] = 1;
}

// CHECK-DAG: unread: {{.*}}out: inspected at launch
__global__ void __attribute__((annotate("gcl.pragma wirtes(out[0 : 1])")))
unread(int *out, const int *index) {
    out[index[blockIdx.x]] = 1;
}

void launch(int *p, unsigned n) {
    named<<<n, 32>>>(p, p, n);
}
