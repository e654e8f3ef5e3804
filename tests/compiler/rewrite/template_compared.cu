// As template_keyword.cu, where something else may be compared, too: clang says another thing then.
// RUN: %gcluster-cc -O1 %s -o %t 2>&1 | count 0
// RUN: %t
#include <cuda_fp16.h>

template <class To, class From> struct cast_of {
    template <int n> static __device__ void cast(To *to, const From *from) {
        for (int i = 0; i < n; i++)
            to[i] = static_cast<To>(from[i]);
    }
};

template <class To, class From, int n> __global__ void run(To *out, const From *in) {
    cast_of<To, From>::cast<n>(out, in);
    cast_of<To, From>::cast<1>(out + n, in + 1);
}

int main() {
    half host[] = {4, 5, 6}, *in;
    float result[4], *out;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof result);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    run<float, half, 3><<<1, 1>>>(out, in);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    return result[0] != 4 || result[2] != 6 || result[3] != 5;
}
