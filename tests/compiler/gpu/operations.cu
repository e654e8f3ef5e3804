// RUN: %gcluster-cc --dump=ptx %s > %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %gcluster-cc --dump=ptx -arch=compute_80 %s > %t.80.ptx
// RUN: FileCheck --check-prefix=S80 %s < %t.80.ptx
// RUN: %gcluster-cc --dump=ptx -maxrregcount 40 %s | FileCheck --check-prefix=REGISTERS %s
// RUN: not %gcluster-cc --dump=ptx -maxrregcount=4x %s 2>&1 | FileCheck --check-prefix=BAD %s
// BAD: option '-maxrregcount' takes a number of registers, up to 255, not '4x'
// RUN: %if ptxas %{ %ptxas -arch=sm_80 -o %t.cubin %t.ptx %}
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -o %t.cubin %t.80.ptx %}
// RUN: %if ptxas %{ %ptxas -arch=sm_100 -o %t.cubin %t.80.ptx %}
// What a thread does with others: shared memory, barriers, warps, atomics, fences; and what it asks
// the device for.
#include <cassert>
#include <cooperative_groups.h>
#include <cstdio>

// CHECK: .target sm_75
// S80: .target sm_80
// CHECK-DAG: .extern .func __assertfail
// CHECK-DAG: .extern .shared .align 4 .b8 dynamic[];

// CHECK-LABEL: .entry barriers(
// CHECK: .maxntid 256, 1, 1
// CHECK: .minnctapersm 2
// REGISTERS-LABEL: .entry barriers(
// REGISTERS-NOT: .maxnreg
// CHECK: .shared .align 4 .b8
// CHECK: bar.sync 0;
// CHECK: bar.red.popc.u32
// CHECK: st.shared.u32 [dynamic
// CHECK: bar.red.or.pred
extern __shared__ int dynamic[];
extern "C" __global__ void __launch_bounds__(256, 2) barriers(int *out) {
    __shared__ int block[256];
    block[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = __syncthreads_count(block[threadIdx.x ^ 1] > 3);
    dynamic[0] = 7;
    if (__syncthreads_or(out[1]))
        out[0] = dynamic[1];
}

// One shuffle for 32 bits, two for 64; instructions that reduce come with sm_80.
// CHECK-LABEL: .entry warps(
// REGISTERS-LABEL: .entry warps(
// REGISTERS: .maxnreg 40
// CHECK: %laneid
// CHECK-COUNT-2: shfl.sync.idx.b32
// CHECK: vote.sync.ballot.b32
// CHECK: match.any.sync.b32
// CHECK: activemask.b32
// CHECK: bar.warp.sync
// S80-LABEL: .entry warps(
// S80: redux.sync.add.s32
extern "C" __global__ void warps(unsigned *out, long long *wide) {
    unsigned v = out[threadIdx.x];
    wide[threadIdx.x] = __shfl_xor_sync(~0u, wide[threadIdx.x], 4);
    v += __ballot_sync(~0u, v > 3);
    v += __match_any_sync(~0u, v);
    v += __reduce_add_sync(0xffu, v);
    v += __activemask();
    out[threadIdx.x] = v;
    __syncwarp();
}

// What the host and other devices are to see says so.
// CHECK-LABEL: .entry seen_everywhere(
// CHECK: atom.sys.add.u32
// CHECK: atom.sys.max.u32
// CHECK: atom.sys.exch.b32
// CHECK: atom.sys.cas.b64
// CHECK: atom.sys.add.f64
// CHECK: atom.sys.cas.b32
// CHECK: atom.global.add.u32
extern "C" __global__ void seen_everywhere(unsigned *at, unsigned long long *wide, double *sum) {
    atomicSub_system(at, 3u);
    atomicMax_system(at, 7u);
    atomicExch_system(at, 9u);
    wide[1] = atomicCAS_system(wide, 1ull, 2ull);
    atomicAdd_system(sum, 1.0);
    atomicInc_system(at, 11u);
    atomicAdd_block(at, 3u);
}

// atomicCAS orders nothing; what the program wants ordered has fences.
// CHECK-LABEL: .entry atomics(
// CHECK: atom.global.add.u32
// CHECK-NOT: membar
// CHECK: atom.global.cas.b32
// CHECK: membar.cta;
// CHECK: membar.gl;
// CHECK: membar.sys;
// CHECK: atom.global.add.f64
extern "C" __global__ void atomics(int *at, double *sum) {
    atomicAdd(at, 1);
    atomicCAS(at + 1, 0, 1);
    __threadfence_block();
    at[2] = 1;
    __threadfence();
    at[3] = 1;
    __threadfence_system();
    atomicAdd(sum, 1.0);
}

// A lock is native there: no thread goes first.
// CHECK-LABEL: .entry locks(
// CHECK: atom.global.cas.b32
// CHECK: atom.global.exch.b32
extern "C" __global__ void locks(int *lock, int *count) {
    while (atomicCAS(lock, 0, 1) != 0)
        __nanosleep(20);
    __threadfence();
    *(volatile int *)count = *count + 1;
    __threadfence();
    atomicExch(lock, 0);
}

// CHECK-LABEL: .entry devices(
// CHECK: %clock64
// CHECK: vprintf
// CHECK: malloc
// CHECK-DAG: trap;
// CHECK-DAG: {{^}} __assertfail,
extern "C" __global__ void devices(long long *out, void **kept) {
    unsigned lane;
    out[0] = clock64();
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    printf("%u\n", lane);
    *kept = malloc(16);
    assert(*kept);
    if (out[2])
        __trap();
}

// Of -32768 assemblers make 32768.
// CHECK-LABEL: .entry negatives(
// CHECK-NOT: neg.s16
// CHECK-NOT: abs.s16
// CHECK: not.b16 [[T:%rs[0-9]+]], %rs
// CHECK-NEXT: add.s16 [[T]], [[T]], 1;
// CHECK: ret;
extern "C" __global__ void negatives(const short *in, short *out) {
    short x = -in[threadIdx.x];
    out[threadIdx.x] = x < 0 ? x : 7;
}

// The barrier of a grid is in the last parameter.
// CHECK-LABEL: .entry grids(
// CHECK: .param .align 8 .b8 grids_param_1[32]
// CHECK: ld.param.u64 {{%rd[0-9]+}}, [grids_param_1+24];
// CHECK: bar.sync
// CHECK: atom.{{(global.)?}}add.u32
// CHECK: ld.volatile
extern "C" __global__ void grids(int *out) {
    cooperative_groups::this_grid().sync();
    out[threadIdx.x] = 1;
}
