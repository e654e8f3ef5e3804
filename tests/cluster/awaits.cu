// A kernel that waits for what a kernel of another stream writes. On several nodes that comes after
// the first one, as both use the same memory: the program has to end, and be told why.
#include <cstdio>

__global__ void await(const volatile int *flag, int *out) {
    while (*flag == 0) // waits
        ;
    *out = *flag;
}

__global__ void set(volatile int *flag) {
    *flag = 7;
}

int main() {
    int *memory, out = 0;
    cudaStream_t waiting, setting;
    cudaStreamCreateWithFlags(&waiting, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&setting, cudaStreamNonBlocking);
    cudaMalloc(&memory, 2 * sizeof(int));
    cudaMemset(memory, 0, 2 * sizeof(int));
    cudaDeviceSynchronize();
    await<<<1, 1, 0, waiting>>>(memory, memory + 1);
    set<<<1, 1, 0, setting>>>(memory);
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpy(&out, memory + 1, sizeof out, cudaMemcpyDeviceToHost);
    printf("%s, %d\n", cudaGetErrorName(error), out);
}
