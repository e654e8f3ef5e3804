// Kernels that read and write past the ends of allocations, small and large, and in the same or a
// later page. Argument: "page", for one write to a later page alone.
#include <cstdio>
#include <cstring>

__global__ void add_far(const float *in, float *out, int count) {
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count)
        out[i] = in[i] + (in[i + 7] != in[i + 7] ? 1.0f : 0.0f); // what is behind is no NaN
}

// Without a check: the last block goes on behind the end.
__global__ void fill(int *out, int value) {
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    out[i] = value + i;
}

static int check(const char *what, cudaError_t error) {
    if (error != cudaSuccess)
        printf("%s: %s\n", what, cudaGetErrorString(error));
    return error != cudaSuccess;
}

static int read_past(int count) {
    float *in, *out, *host = new float[count];
    size_t size = (size_t)count * sizeof(float);
    int wrong = 0;
    for (int i = 0; i < count; i++)
        host[i] = (float)i;
    cudaMalloc(&in, size);
    cudaMalloc(&out, size);
    cudaMemcpy(in, host, size, cudaMemcpyHostToDevice);
    add_far<<<(count + 255) / 256, 256>>>(in, out, count);
    if (check("read", cudaMemcpy(host, out, size, cudaMemcpyDeviceToHost)))
        return 1;
    for (int i = 0; i < count; i++)
        wrong += host[i] != (float)i;
    printf("read %d: %d wrong\n", count, wrong);
    delete[] host;
    return check("free", cudaFree(in)) | check("free", cudaFree(out)) | (wrong != 0);
}

static int write_past(int count, bool is_freed) {
    int *out, *next, *host = new int[count], wrong = 0;
    size_t size = (size_t)count * sizeof(int);
    cudaMalloc(&next, size);
    cudaMemset(next, 0, size);
    cudaMalloc(&out, size);
    fill<<<count / 256 + 1, 256>>>(out, 1);
    if (check("write", cudaMemcpy(host, out, size, cudaMemcpyDeviceToHost)))
        return 1;
    for (int i = 0; i < count; i++)
        wrong += host[i] != i + 1;
    cudaMemcpy(host, next, size, cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i++)
        wrong += host[i] != 0;
    printf("write %d: %d wrong\n", count, wrong);
    if (cudaMemcpy(out, host, size + 1, cudaMemcpyHostToDevice) != cudaErrorInvalidValue)
        printf("a copy past the end is no error\n");
    delete[] host;
    return (is_freed ? check("free", cudaFree(out)) : 0) | (wrong != 0);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "page") != 0 &&
        (read_past(1000) | read_past(1024) | read_past(1 << 20) | read_past(100000) |
         write_past(250, true) | write_past(100000, true) | write_past(1000, false)))
        return 1;
    return write_past(1 << 20, true); // ends with a page
}
