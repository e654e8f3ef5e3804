// A header is rewritten in memory with each file that includes it, dead code too, whatever its #if say.
// RUN: %gcluster-cc --check-rewrite %s
// RUN: %gcluster-cc --check-rewrite -DWIDE %s
// RUN: %gcluster-cc --dump=edits %s | FileCheck %s
// RUN: %gcluster-cc --dump=edits -DWIDE %s | FileCheck %s
#include "Inputs/shared.h"
#include "Inputs/included.cu"
int main() {
    run(nullptr);
    included();
}
// CHECK: {{.*}}shared.h
// CHECK: {{.*}} "cudaMemset" -> "gclMemset"
// CHECK: {{.*}} "" -> "gclLaunch("
// CHECK: {{.*}} "cudaFree" -> "gclFree"
// CHECK: {{.*}} "" -> "gclLaunch("
// CHECK: {{.*}}included.cu
// CHECK: {{.*}} "cudaDeviceSynchronize" -> "gclDeviceSynchronize"
