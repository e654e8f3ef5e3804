// A file without kernels, and one with a mistake.
// RUN: %gcluster-cc --explain=json %s > %t.json
// RUN: %python %S/Inputs/schema.py %t.json
// RUN: %gcluster-cc --explain %s > %t.txt
// RUN: test ! -s %t.txt
// RUN: not %gcluster-cc --explain=json -DMISTAKE %s > %t.json 2> %t.err
// RUN: FileCheck %s --input-file %t.err
// RUN: not %gcluster-cc --explain=yaml %s 2> %t.err
// RUN: FileCheck %s --input-file %t.err --check-prefix OPTION
// OPTION: yaml
#include <cuda_runtime.h>

int main() {
#ifdef MISTAKE
    return nothing;
    // CHECK: none.cu:[[@LINE-1]]:12: error: use of undeclared identifier 'nothing'
#endif
}
