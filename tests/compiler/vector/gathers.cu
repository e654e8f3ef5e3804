// With AVX2, what some lanes load from anywhere takes an instruction for each few of them, not a
// branch for each. Device code has no tables for unwinding.
// RUN: %gcluster-cc --device-target=x86_64-linux-gnu -march=x86-64-v3 -c %s -o %t.o
// RUN: llvm-objdump --disassemble --no-show-raw-insn %t.o | FileCheck %s
// RUN: llvm-dwarfdump --eh-frame %t.o | FileCheck --check-prefix=TABLES %s
// CHECK: <{{.*}}pick{{.*}}x86-64-v3>:
// CHECK: vgather
// CHECK: vgather
// TABLES-NOT: FDE
#include <cuda_runtime.h>

__global__ void pick(float *out, const float *from, const int *places) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, place = places[i];
    if (place >= 0)
        out[i] = from[place];
}

int main() {
    pick<<<1, 256>>>(nullptr, nullptr, nullptr);
}
