// RUN: %gcluster-cc -c %s -o %t.o 2>&1 | FileCheck --check-prefix=CPU %s
// RUN: %gcluster-cc --device=cuda --dump=ptx %s | FileCheck %s
// RUN: %if ptxas %{ %gcluster-cc --device=cuda --dump=ptx %s > %t.ptx && %ptxas -arch=sm_80 -o %t.cubin %t.ptx %}
// Inline PTX that the CPU device doesn't know stays as it is where it needn't know it, with nothing
// left of statements in front that it does know.

// CPU: assembly.cu:[[@LINE+9]]:5: warning: inline PTX that the CPU device doesn't know: fns
// CHECK-LABEL: .entry highest(
// CHECK: // begin inline asm
// CHECK-NOT: st.global
// CHECK: st.global.u32 [%{{.*}}], 7;
// CHECK: fns.b32
// CHECK: // end inline asm
extern "C" __global__ void highest(unsigned *found, unsigned *mark, const unsigned *values) {
    unsigned shift;
    asm volatile("st.global.u32 [%1], 7; fns.b32 %0, %2, 0, 1;"
                 : "=r"(shift) : "l"(mark), "r"(values[threadIdx.x]) : "memory");
    found[threadIdx.x] = shift;
}
// CHECK: st.global
// CHECK-NOT: st.global
// CHECK: ret;
