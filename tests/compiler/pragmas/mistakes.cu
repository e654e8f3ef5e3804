// Every mistake is an error at its column, with what to write instead.
// RUN: not %gcluster-cc -c %s -o %t.o 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: not ls %t.o
#include <cuda_runtime.h>
struct pair {
    int first, second;
    float weight;
};

#pragma gcluster spilt(y) single
__global__ void spelling(int *p);
// CHECK: mistakes.cu:[[#@LINE-2]]:18: error: 'spilt' is not a clause of '#pragma gcluster' [GCL131]
// CHECK-NEXT: #pragma gcluster spilt(y) single
// CHECK-NEXT: {{^      \|                  \^~~~~$}}
// CHECK-NEXT: help: did you mean 'split'?
#pragma gcluster
__global__ void empty(int *p);
// CHECK: mistakes.cu:[[#@LINE-2]]:17: error: '#pragma gcluster' without a clause [GCL131]
// CHECK: help: clauses are split, single, reads, writes, reduces, replicate and disjoint
	/* a tab */ #pragma gcluster reads(p)
__global__ void range(int *p);
// CHECK: mistakes.cu:[[#@LINE-2]]:38: error: expected '[' after 'p' [GCL131]
// CHECK: help: say which elements: p[first : count]
#pragma gcluster reads(p[0 : \
    n[0]])
__global__ void memory(int *p, int *n);
// CHECK: mistakes.cu:[[#@LINE-2]]:6: error: 'n[...]' would be read from memory, which an expression can't [GCL131]
_Pragma("gcluster split(u)") __global__ void in_operator(int *p);
// CHECK: mistakes.cu:[[#@LINE-1]]:25: error: expected 'x', 'y' or 'z' after '(' [GCL131]

#pragma gcluster reads(inn[0 : w]) writes(out[0 : width])
__global__ void names(const float *in, float *out, int w);
// CHECK: mistakes.cu:[[#@LINE-2]]:24: error: 'inn' is not a parameter of 'names' [GCL133]
// CHECK: help: did you mean 'in'?
// CHECK: mistakes.cu:[[#@LINE-4]]:51: error: 'width' is not a parameter of 'names' [GCL133]
// CHECK: help: integers of the kernel: w
#pragma gcluster replicate(w) disjoint(in) reads(out[f : out])
__global__ void types(const float *in, float *out, int w, float f);
// CHECK: mistakes.cu:[[#@LINE-2]]:28: error: 'w' is not a pointer [GCL133]
// CHECK: help: pointers of the kernel: in, out
// CHECK: mistakes.cu:[[#@LINE-4]]:40: error: 'in' points to what is const, so it isn't written [GCL133]
// CHECK: mistakes.cu:[[#@LINE-5]]:54: error: 'f' is not an integer [GCL133]
// CHECK: mistakes.cu:[[#@LINE-6]]:58: error: 'out' is a pointer, not an integer [GCL133]
#pragma gcluster reads(in[p.frist : p.third]) reads(in[p : p.weight]) reads(in[q.first])
__global__ void fields(float *in, pair p, pair *q);
// CHECK: mistakes.cu:[[#@LINE-2]]:27: error: 'p' has no field 'frist' [GCL133]
// CHECK: help: did you mean 'p.first'?
// CHECK: mistakes.cu:[[#@LINE-4]]:37: error: 'p' has no field 'third' [GCL133]
// CHECK: mistakes.cu:[[#@LINE-5]]:56: error: 'p' is not an integer [GCL133]
// CHECK: help: integers of the kernel: p.first, p.second
// CHECK: mistakes.cu:[[#@LINE-7]]:60: error: 'p.weight' is not an integer [GCL133]
// CHECK: mistakes.cu:[[#@LINE-8]]:80: error: 'q' is a pointer: its fields are in memory [GCL133]
#pragma gcluster reads(in[threadidx.x : p.n])
template <typename T>
__global__ void dependent(float *in, T p);
// CHECK: mistakes.cu:[[#@LINE-3]]:27: error: 'threadidx' is not a parameter of 'dependent' [GCL133]
// CHECK: help: did you mean 'threadIdx'?
// CHECK: mistakes.cu:[[#@LINE-5]]:41: error: fields of 'p' depend on arguments of the template [GCL133]
#pragma gcluster reduces(+: f) reduces(^: f)
__global__ void bits(float *f);
// CHECK: mistakes.cu:[[#@LINE-2]]:43: error: 'f' points to floating-point numbers, which have no bits to combine [GCL133]

#pragma gcluster split(x) single split(y) split(x)
__global__ void once(float *p);
// CHECK: mistakes.cu:[[#@LINE-2]]:27: error: 'single' contradicts 'split(x)' in line [[#@LINE-2]] [GCL134]
// CHECK: help: remove one of them
// CHECK: mistakes.cu:[[#@LINE-4]]:34: error: 'split(y)' contradicts 'split(x)' in line [[#@LINE-4]] [GCL134]
// CHECK: mistakes.cu:[[#@LINE-5]]:43: error: 'split(x)' has been said in line [[#@LINE-5]] [GCL134]
#pragma gcluster reduces(+: p) reduces(max: p) writes(p[0]) replicate(q)
#pragma gcluster reads(q[1], q[2]) disjoint(p)
__global__ void pairs(int *p, int *q);
// CHECK: mistakes.cu:[[#@LINE-3]]:45: error: 'reduces(max: p)' contradicts 'reduces(+: p)' in line [[#@LINE-3]] [GCL134]
// CHECK: mistakes.cu:[[#@LINE-4]]:55: error: 'writes(p[0])' contradicts 'reduces(+: p)' in line [[#@LINE-4]] [GCL134]
// CHECK: mistakes.cu:[[#@LINE-4]]:24: error: 'reads(q[1])' contradicts 'replicate(q)' in line [[#@LINE-5]] [GCL134]
// CHECK: mistakes.cu:[[#@LINE-5]]:30: error: 'reads(q[2])' contradicts 'replicate(q)' in line [[#@LINE-6]] [GCL134]
// CHECK: mistakes.cu:[[#@LINE-6]]:45: error: 'disjoint(p)' contradicts 'reduces(+: p)' in line [[#@LINE-7]] [GCL134]
#pragma gcluster split(x)
__global__ void declared(int *p);
#pragma gcluster split(y)
__global__ void declared(int *p) {
}
// CHECK: mistakes.cu:[[#@LINE-3]]:18: error: 'split(y)' contradicts 'split(x)' in line [[#@LINE-5]] [GCL134]
#pragma gcluster split(z)
__global__ void declared(float *p) {
}

#pragma gcluster single
__device__ void no_kernel(int *p);
__global__ void another(int *p);
// CHECK: mistakes.cu:[[#@LINE-3]]:1: error: no kernel follows this pragma [GCL132]
// CHECK: help: write it directly in front of a __global__ function
void inside() {
#pragma gcluster single
    for (;;) {
    }
}
// CHECK: mistakes.cu:[[#@LINE-4]]:1: error: no kernel follows this pragma [GCL132]
#define KERNEL _Pragma("gcluster single") __global__
// CHECK: mistakes.cu:[[#@LINE-1]]:16: error: a pragma for gcluster in a macro isn't tied to a kernel [GCL132]
#pragma gcluster split(x)
// CHECK: mistakes.cu:[[#@LINE-1]]:1: error: no kernel follows this pragma [GCL132]
