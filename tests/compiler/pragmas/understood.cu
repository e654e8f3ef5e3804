// What a pragma says, with the parameters that its names stand for: index + offset, type and bytes.
// RUN: %gcluster-cc --dump=pragmas %s | FileCheck --match-full-lines --implicit-check-not={{.}} %s
#include <cuda_runtime.h>
struct size {
    int w, h;
};
struct view {
    const double *data;
    size extent;
    unsigned short n;
    bool flag : 1;
};
enum colour : unsigned char { RED };

#pragma gcluster split(y)
#pragma gcluster reads(in[(blockIdx.y - 1) * w : 3 * w]) writes(out[blockIdx.y * w : w])
__global__ void rows(const float *in, float *out, int w) {
}
// CHECK: rows _Z4rowsPKfPfi 3 {{.*}}understood.cu
// CHECK-NEXT: {{^}}  [[#@LINE-5]]:18 split(y)
// CHECK-NEXT: {{^}}  [[#@LINE-5]]:24 reads(in[(blockIdx.y - 1) * w : 3 * w]), in = 0+0 float 4, w = 2+0 signed 4, w = 2+0 signed 4
// CHECK-NEXT: {{^}}  [[#@LINE-6]]:65 writes(out[blockIdx.y * w : w]), out = 1+0 float 4, w = 2+0 signed 4, w = 2+0 signed 4

#pragma gcluster single, replicate(t), disjoint(b), reduces(max: c)
__global__ void kinds(long long *t, unsigned char b[], colour *c, void *unused) {
}
// CHECK-NEXT: kinds _Z5kindsPxPhP6colourPv 4 {{.*}}understood.cu
// CHECK-NEXT: {{^}}  [[#@LINE-4]]:18 single
// CHECK-NEXT: {{^}}  [[#@LINE-5]]:36 replicate(t), t = 0+0 signed 8
// CHECK-NEXT: {{^}}  [[#@LINE-6]]:49 disjoint(b), b = 1+0 unsigned 1
// CHECK-NEXT: {{^}}  [[#@LINE-7]]:66 reduces(max: c), c = 2+0 unsigned 1

namespace space {
#pragma gcluster reads(v.data[v.extent.h * blockIdx.x : v.n], t[threadIdx.x], n[block.x])
template <typename T>
__global__ void fields(view v, T *t, int2 *n, dim3 block) {
}
// CHECK-NEXT: space::fields template 4 {{.*}}understood.cu
// CHECK-NEXT: {{^}}  [[#@LINE-5]]:24 reads(v.data[v.extent.h * blockIdx.x : v.n]), v.data = 0+0 float 8, v.extent.h = 0+12 signed 4, v.n = 0+16 unsigned 2
// CHECK-NEXT: {{^}}  [[#@LINE-6]]:63 reads(t[threadIdx.x]), t = 1+0 unknown 0
// CHECK-NEXT: {{^}}  [[#@LINE-7]]:79 reads(n[block.x]), n = 2+0 other 8, block.x = 3+0 unsigned 4

#pragma gcluster single
template <>
__global__ void fields<float>(view v, float *t, int2 *n, dim3 block) {
}
// CHECK-NEXT: space::fields _ZN5space6fieldsIfEEv4viewPT_P4int2{{4dim3|10gclDim3}} 4 {{.*}}understood.cu
// CHECK-NEXT: {{^}}  [[#@LINE-5]]:18 single
} // namespace space

// Several ranges of one pointer add up, and a definition may say again what its declaration says.
#pragma gcluster split(x) reads(a[0 : n]) reads(a[n : n])
extern "C" __global__ void again(const int *a, int n);
#pragma gcluster split(x)
extern "C" __global__ void again(const int *b, int m) {
}
// CHECK-NEXT: again again 2 {{.*}}understood.cu
// CHECK-NEXT: {{^}}  [[#@LINE-6]]:18 split(x)
// CHECK-NEXT: {{^}}  [[#@LINE-7]]:33 reads(a[0 : n]), a = 0+0 signed 4, n = 1+0 signed 4
// CHECK-NEXT: {{^}}  [[#@LINE-8]]:49 reads(a[n : n]), a = 0+0 signed 4, n = 1+0 signed 4, n = 1+0 signed 4
