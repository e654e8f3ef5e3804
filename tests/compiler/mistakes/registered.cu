// Memory of the host that the program registers may be the device's as well.
// RUN: %gcluster-cc --dump=shapes %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// CHECK: kernel
#include <vector>
__global__ void kernel(int *p) {
}
void pin(int *p, int n) {
    cudaHostRegister(p, n * sizeof(int), 0);
}
void run(int n) {
    std::vector<int> v(n);
    pin(v.data(), n);
    kernel<<<1, 32>>>(v.data());
}
