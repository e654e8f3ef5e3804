// What pragmas say takes the place of what isn't exact, and answers its reasons.
// RUN: %gcluster-cc --explain %s | FileCheck --match-full-lines --strict-whitespace --check-prefix=SAID %s
// RUN: sed /^.pragma/d %s > %t.cu && %gcluster-cc --explain %t.cu | FileCheck --check-prefix=PLAIN %s
// RUN: %gcluster-cc --explain=json %s | FileCheck --check-prefix=JSON %s
#include <cuda_runtime.h>
struct view {
    const float *data;
    int w;
};

#pragma gcluster reads(in[blockIdx.x * blockDim.x : blockDim.x])
__global__ void gather(const float *in, const int *index, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[index[i]] + in[i];
}
//      SAID:{{.*}}explained.cu:12: gather: splits along blockIdx.x; in: part blockIdx.x; index: element x; out: element x, written exactly once.
// SAID-NEXT:    reads in[x]   explained.cu:15:33
// SAID-NEXT:    reads in[blockIdx.x*blockDim.x]   explained.cu:11:24
// SAID-NEXT:    reads index[x]   explained.cu:15:21
// SAID-NEXT:    writes out[x]   explained.cu:15:16
// SAID-NEXT:    GCL224 explained.cu:11:24: in: all that a pragma names counts as touched, because the compiler can't tell what of it is touched
// SAID-NEXT:      help: fine if the pragma names no more than is needed
// PLAIN: gather: splits along blockIdx.x; in: inspected at launch
// PLAIN: GCL226 {{.*}}: in: what is touched is looked up before the launch

#pragma gcluster writes(out[blockIdx.x * blockDim.x + threadIdx.x - 1 : 3]), disjoint(out)
__global__ void scatter(const int *shift, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i + shift[i]] = 1;
}
// SAID-NEXT:{{.*}}: scatter: splits along blockIdx.x; shift: element x; out: elements x-1 … x+1 (halo 1 element), written in part.
// SAID-NEXT:    reads shift[x]   explained.cu:[[#@LINE-3]]:13
// SAID-NEXT:    writes out[x - 1]   explained.cu:[[#@LINE-7]]:25
// SAID-NEXT:    GCL224 explained.cu:[[#@LINE-8]]:25: out: all that a pragma names counts as touched, because {{.*}}
// SAID-NEXT:      help: {{.*}}
// PLAIN: scatter: splits along blockIdx.x;{{.*}} inspected at launch, written.
// PLAIN: GCL226

#pragma gcluster split(x), replicate(table)
__global__ void look_up(const float *table, const int *index, float *out, int w) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * w + x] = table[index[y * w + x]];
}
// SAID-NEXT:{{.*}}: look_up: splits along blockIdx.x, as #pragma gcluster says; table: all of it; index: element x; out: element x, written exactly once.
// SAID-NEXT:    reads table[]   explained.cu:[[#@LINE-6]]:38
// SAID-NEXT:    reads index[x + y*w]   explained.cu:[[#@LINE-4]]:28
// SAID-NEXT:    writes out[x + y*w]   explained.cu:[[#@LINE-5]]:20
// PLAIN: look_up: splits along blockIdx.y;
// PLAIN: GCL226 {{.*}}: table: what is touched is looked up before the launch

#pragma gcluster single
__global__ void alone(float *out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
// SAID-NEXT:{{.*}}: alone: runs on one node, as #pragma gcluster says; out: written.
// SAID-NEXT:    writes out[x]   explained.cu:[[#@LINE-3]]:48
// PLAIN: alone: splits along blockIdx.x;

#pragma gcluster reduces(+: sum)
__global__ void number(int *sum, int *out) {
    out[blockIdx.x] = atomicAdd(sum, 1) > 0;
}
// SAID-NEXT:{{.*}}: number: splits along blockIdx.x; sum: the same for all blocks, combined over all blocks: sum; out: element blockIdx.x, written exactly once. Spreading a launch pays from about {{[0-9]+}} blocks of 256 threads on (2 nodes of {{[0-9]+}} threads).
// SAID-NEXT:    reduces sum[0]   explained.cu:[[#@LINE-3]]:23
// SAID-NEXT:    writes out[blockIdx.x]   explained.cu:[[#@LINE-4]]:21
// PLAIN: number: runs on one node
// PLAIN: GCL201 {{.*}}: sum: the kernel stays on one node

#pragma gcluster reduces(max: most)
__global__ void swap(float *most, const float *in) {
    float value = in[blockIdx.x];
    int *place = (int *)most, old = *place, seen;
    do {
        seen = old;
        old = atomicCAS(place, seen, __float_as_int(fmaxf(value, __int_as_float(seen))));
    } while (old != seen);
}
// SAID-NEXT:{{.*}}: swap: splits along blockIdx.x; most: the same for all blocks, combined over all blocks: maximum; in: element blockIdx.x.
// SAID-NEXT:    reduces most[0]   explained.cu:[[#@LINE-7]]:37
// SAID-NEXT:    reads in[blockIdx.x]   explained.cu:[[#@LINE-9]]:19
// PLAIN: swap: runs on one node
// PLAIN: GCL202

// A load and a store of unsigned numbers.
#pragma gcluster reduces(min: least)
__global__ void update(unsigned *least, const unsigned *in) {
    unsigned &place = least[in[blockIdx.x] % 64];
    place = min(place, in[blockIdx.x]);
}
// SAID-NEXT:{{.*}}: update: splits along blockIdx.x; least: {{.*}}, combined over all blocks: minimum; in: element blockIdx.x.
// SAID-NEXT:    reduces least[in[blockIdx.x] & 63]   explained.cu:[[#@LINE-3]]:17
// SAID-NEXT:    reads in[blockIdx.x]   explained.cu:[[#@LINE-5]]:29
// SAID-NEXT:    GCL211 explained.cu:[[#@LINE-5]]:17: least: {{.*}}, because the place depends on data
// SAID-NEXT:      help: {{.*}}
// PLAIN: GCL226

namespace space {
#pragma gcluster reads(v.data[blockIdx.x * v.w : v.w]) reads(other[blockIdx.x << 1 : 1])
template <typename T> __global__ void fields(view v, const T *other, const int *index, float *out) {
    out[blockIdx.x] = v.data[index[blockIdx.x]] + other[index[blockIdx.x]];
}
template __global__ void fields<double>(view, const double *, const int *, float *);
} // namespace space
// SAID-NEXT:{{.*}}: fields<double>: splits along blockIdx.x; v.data: row blockIdx.x; other: part blockIdx.x; index: element blockIdx.x; out: element blockIdx.x, written exactly once.
// SAID-NEXT:    reads v.data[blockIdx.x*v.w]   explained.cu:[[#@LINE-7]]:24
// SAID-NEXT:    reads other[2*blockIdx.x]   explained.cu:[[#@LINE-8]]:62
// SAID-NEXT:    reads index[blockIdx.x]   explained.cu:[[#@LINE-7]]:30
// SAID-NEXT:    writes out[blockIdx.x]   explained.cu:[[#@LINE-8]]:21
// SAID-NEXT:    GCL224 explained.cu:[[#@LINE-11]]:24: v.data: all that a pragma names counts as touched, because {{.*}}
// SAID-NEXT:      help: {{.*}}
// SAID-NEXT:    GCL224 explained.cu:[[#@LINE-13]]:62: other: all that a pragma names counts as touched, because {{.*}}
// SAID-NEXT:      help: {{.*}}
//  SAID-NOT:{{.+}}

// JSON: "name": "look_up"{{.*}}
// JSON: "split": "x"
// JSON: "name": "alone"
// JSON: "split": "none"
