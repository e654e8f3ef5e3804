#include <cuda_runtime.h>
__global__ void kernel(int *p);
int main() {
    int *p;
    kernel<<<1, 64>>>(p);
}
