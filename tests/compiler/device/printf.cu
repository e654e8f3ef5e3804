// RUN: %gcluster-cc -O2 %s -o %t && %t | FileCheck %s
#include <stdio.h>

__global__ void kernel(const char *text, double d) {
    printf("thread %d of %u: %s %5.2f|%-6d|%06x|%c%%\n", threadIdx.x, blockDim.x, text, d, -42,
           0xbeef, 'x');
    printf("%lld %llu %zu %hd %.3e %p\n", -1LL << 40, ~0ull, sizeof(int), (short)-3, 12345.678f,
           (void *)0x1234);
    printf("%*d|%.*f\n", 6, 7, 2, 3.14159);
}

int main() {
    static const char host[] = "text";
    char *text;
    cudaMallocManaged(&text, sizeof host);
    for (unsigned i = 0; i < sizeof host; i++)
        text[i] = host[i];
    kernel<<<1, 1>>>(text, 2.5);
    return cudaDeviceSynchronize();
}
// CHECK: thread 0 of 1: text  2.50|-42   |00beef|x%
// CHECK-NEXT: -1099511627776 18446744073709551615 4 -3 1.235e+04 0x1234
// CHECK-NEXT: {{^}}     7|3.14
