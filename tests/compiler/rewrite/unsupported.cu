// Parts of CUDA that gcluster doesn't have are refused by name, where they are used.
// RUN: not %gcluster-cc -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not test -f %t.o
#include <cudnn.h>
// CHECK-DAG: unsupported.cu:[[# @LINE - 1]]:{{[0-9]+}}: error: header 'cudnn.h' is not supported (cuDNN) [GCL121]
// Not reported: dead code and names of the program's own.
#if 0
cudaGraphDestroy(0);
#endif
int cudaGraphMine(int x) {
    return x;
}
int main() {
    cudaGraphConditionalHandle handle;
    // CHECK-DAG: unsupported.cu:[[# @LINE - 1]]:5: error: 'cudaGraphConditionalHandle' is not supported (conditional nodes of CUDA graphs) [GCL120]
    cudaMemPoolExportToShareableHandle(0, 0, 0, 0);
    // CHECK-DAG: unsupported.cu:[[# @LINE - 1]]:5: error: 'cudaMemPoolExportToShareableHandle' is not supported (pools shared between processes) [GCL120]
    CUmodule module;
    // CHECK-DAG: unsupported.cu:[[# @LINE - 1]]:5: error: 'CUmodule' is declared in cuda.h, which isn't included [GCL146]
    nvrtcProgram program;
    // CHECK-DAG: unsupported.cu:[[# @LINE - 1]]:5: error: 'nvrtcProgram' is declared in nvrtc.h, which isn't included [GCL146]
    cufftHandle plan;
    // CHECK-DAG: unsupported.cu:[[# @LINE - 1]]:5: error: 'cufftHandle' is declared in cufft.h, which isn't included [GCL146]
    cuTexRefSetArray(0, 0, 0);
    // CHECK-DAG: unsupported.cu:[[# @LINE - 1]]:5: error: 'cuTexRefSetArray' is not supported (CUDA driver API) [GCL122]
    cudnnHandle_t networks;
    cudaFooBar(1);
    // CHECK-DAG: unsupported.cu:[[# @LINE - 1]]:5: error: 'cudaFooBar' is not supported (not in the CUDA runtime as gcluster has it) [GCL120]
    return cudaGraphMine(0);
}
// CHECK-DAG: help: let the host decide
// CHECK-NOT: cudaGraphDestroy
// CHECK-NOT: cudaGraphMine
// CHECK-NOT: cudnnHandle_t
