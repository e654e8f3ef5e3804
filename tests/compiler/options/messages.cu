// RUN: not %gcluster-cc -c %s -o %t.o 2> %t.log || true
// RUN: FileCheck %s < %t.log
// Both passes see these mistakes, and each is told once.
// CHECK: messages.cu:[[#@LINE+6]]:{{[0-9]+}}: error: use of undeclared identifier 'missing'
// CHECK-NOT: 'missing'
// CHECK: messages.cu:[[#@LINE+9]]:{{[0-9]+}}: error: use of undeclared identifier 'absent'
// CHECK-NOT: 'absent'
// CHECK-NOT: generated
__global__ void kernel(int *out) {
    *out = missing;
}

int main() {
    cudaMalloc(0, 0);
    return absent;
}
