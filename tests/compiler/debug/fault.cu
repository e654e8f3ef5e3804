// RUN: %gcluster-cc -g -G %s -o %t
// RUN: %gdb -ex run -ex backtrace -ex continue --args %t assert 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: %gdb -ex run -ex backtrace -ex continue --args %t address 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: %gdb -ix %gcluster-py -ex run -ex backtrace -ex 'print i' -ex 'info cuda threads' --args %t trap 2>&1 | FileCheck %s --check-prefix=TRAP
// RUN: %t assert 2>&1 | FileCheck %s --check-prefix=ALONE
// What fails in a kernel stops at its statement and thread, behind a barrier too; when the program
// goes on, the launch has failed as it does without a debugger.
#include <assert.h>
#include <stdio.h>
#include <string.h>

__device__ void fail(char how, int *out) {
    assert(how != 'a');
    if (how == 't')
        __trap();
    *(how == 'd' ? nullptr : out) = 1;
}

__global__ void faulty(int *out, char how) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __syncthreads();
    if (i == 37)
        fail(how, out);
}

int main(int, char **arguments) {
    int *out;
    cudaMalloc(&out, sizeof *out);
    faulty<<<2, 32>>>(out, arguments[1][1] == 'd' ? 'd' : arguments[1][0]);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

// ASSERT: received signal SIGTRAP
// ASSERT: fail (how=97 'a', out=0x{{[0-9a-f]+}}) at {{.*}}fault.cu:13
// ASSERT: faulty (out={{.*}}) at {{.*}}fault.cu:23
// ASSERT: assertion `how != 'a'' failed: kernel faulty, block (1, 0, 0), thread (5, 0, 0)
// ASSERT: cudaErrorAssert
// ADDRESS: received signal SIGSEGV
// ADDRESS: fail (how=100 'd', out=0x{{[0-9a-f]+}}) at {{.*}}fault.cu:16
// ADDRESS: faulty (out={{.*}}) at {{.*}}fault.cu:23
// ADDRESS: access to address 0x0 outside any allocation: kernel faulty, block (1, 0, 0), thread (5, 0, 0)
// ADDRESS: cudaErrorIllegalAddress
// TRAP: [faulty, block (1,0,0), thread (5,0,0): running]
// TRAP: __trap();
// TRAP-NEXT: fail (how=116 't'
// TRAP-NEXT: faulty (out=
// TRAP: No symbol "i" in current context
// TRAP: faulty block (1,0,0), 32 threads:
// TRAP-NEXT: (0,0,0) to (4,0,0): ended
// TRAP-NEXT: * (5,0,0): running
// TRAP-NEXT: (6,0,0) to (31,0,0): to go on behind line 21
// ALONE: assertion `how != 'a'' failed: kernel faulty, block (1, 0, 0), thread (5, 0, 0)
// ALONE: cudaErrorAssert
