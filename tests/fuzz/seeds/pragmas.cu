// Pragmas in all the places where they may stand.
#include <cuda_runtime.h>
struct view {
    float *data;
    int first, count;
};
#pragma gcluster split(y) reads(in[(blockIdx.y - 1) * w : 3 * w])
#pragma gcluster writes(out[blockIdx.y * w + min(threadIdx.x, w >> 1) : w > 0 ? 1 : 0])
__global__ void rows(const float *in, float *out, int w) {
    out[blockIdx.y * w + threadIdx.x] = in[threadIdx.x];
}
namespace space {
#pragma gcluster reads(v.data[v.first : v.count]) /* more */ \
    reduces(+: sum) replicate(table), disjoint(v.data)
template <typename T>
__global__ void __launch_bounds__(64) fields(view v, T *sum, const T *table) {
    atomicAdd(sum, (T)v.data[v.first] + table[0]);
}
} // namespace space
_Pragma("gcluster single") extern "C" __global__ void one(int *p) {
    *p = 1;
}
#if 0
#pragma gcluster spilt(x)
#endif
int main() {
    int *p;
    cudaMalloc(&p, 64);
    one<<<1, 1>>>(p);
    space::fields<<<1, 1>>>(view{}, p, p);
    rows<<<dim3(1, 2), 3>>>(nullptr, nullptr, 0);
}
