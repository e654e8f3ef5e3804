// A library with a kernel and variables, to be loaded and unloaded: adds STEP, counts its calls.
__device__ int calls;
__constant__ int step = STEP;

__device__ int add(int value) {
    return value + step;
}

__device__ int (*operation)(int) = add;

__global__ void apply(int *values, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        values[i] = operation(values[i]);
    if (i == 0)
        atomicAdd(&calls, 1);
}

extern "C" int run(int *values, int count) {
    int called = 0;
    apply<<<(count + 127) / 128, 128>>>(values, count);
    apply<<<(count + 127) / 128, 128>>>(values, count);
    cudaMemcpyFromSymbol(&called, calls, sizeof called);
    return called;
}
