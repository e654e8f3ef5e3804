// Kernels that may be launched with blocks of any size, beside a size that is known.
// RUN: %gcluster-cc --dump=shapes %s | FileCheck --match-full-lines --implicit-check-not={{.}} %s
#include <cuda_runtime.h>

// What other files may launch.
// CHECK: declared any
// CHECK-NEXT: defined any
#include "Inputs/declared.h"
// CHECK-NEXT: declared 32 1 1
// CHECK-NEXT: defined 32 1 1
// CHECK-NEXT: local_to_file 32 1 1
// CHECK-NEXT: unnamed 32 1 1
void from_header() {
    declared<<<1, 32>>>();
    defined<<<1, 32>>>(1);
    local_to_file<<<1, 32>>>();
    unnamed<<<1, 32>>>();
}

// Sizes that aren't known.
__global__ void by_number() {
}
// CHECK-NEXT: by_number 32 1 1
// CHECK-NEXT: by_number any
__global__ void by_dim3() {
}
// CHECK-NEXT: by_dim3 any
// CHECK-NEXT: by_dim3 32 1 1
__global__ void by_function() {
}
// CHECK-NEXT: by_function 32 1 1
// CHECK-NEXT: by_function any
__global__ void cooperative() {
}
// CHECK-NEXT: cooperative 32 1 1
// CHECK-NEXT: cooperative any
void sizes(int threads, dim3 block) {
    by_number<<<1, 32>>>();
    by_number<<<1, threads>>>();
    by_number<<<1, 2 * threads>>>();
    by_dim3<<<1, block>>>();
    by_dim3<<<1, 32>>>();
    by_function<<<1, 32>>>();
    cudaLaunchKernel((const void *)by_function, 1, threads, nullptr, 0, nullptr);
    cooperative<<<1, 32>>>();
    cudaLaunchCooperativeKernel((void *)cooperative, 1, block, nullptr, 0, nullptr);
}

template <class T> __global__ void templated(T) {
}
// CHECK-NEXT: templated 32 1 1
// CHECK-NEXT: templated any
template <class T> void launch(T value, int threads) {
    templated<T><<<1, 32>>>(value);
    templated<T><<<1, threads>>>(value);
}

// Uses that launch with known sizes, or not at all.
__global__ void asked() {
}
// CHECK-NEXT: asked 32 1 1
template <int N> __global__ void asked_template() {
}
// CHECK-NEXT: asked_template 32 1 1
__global__ void hidden() {
}
// CHECK-NEXT: hidden 32 1 1
#define CHECK_CALL(call)                                                                           \
    do {                                                                                           \
        if ((call) != cudaSuccess)                                                                 \
            return;                                                                                \
    } while (0)
void uses() {
    cudaFuncAttributes attributes;
    int count;
    cudaFuncGetAttributes(&attributes, asked);
    cudaFuncSetCacheConfig((const void *)asked, cudaFuncCachePreferL1);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, asked, 32, 0);
    CHECK_CALL(cudaFuncSetAttribute(&asked_template<3>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    4096));
    asked<<<1, 32>>>();
    asked_template<3><<<1, 32>>>();
    auto later = [=] { CHECK_CALL(cudaLaunchKernel((void *)hidden, 1, 32, nullptr, 0, nullptr)); };
    later();
}

// What a template's arguments decide about may change a variable; it need have no type.
template <typename T> struct holder {
    explicit holder(int &value) {
        value = 64;
    }
};
// CHECK-NEXT: in_template any
__global__ void in_template() {
}
template <typename T> void start() {
    int threads = 32;
    holder<T> held(threads);
    in_template<<<1, threads>>>();
}

// Pointers, which may end up in any launch. They are told last.
__global__ void passed(), stored(), argument(), type_argument(), configured();
template <void kernel()> void launch_argument() {
    kernel<<<1, 64>>>();
}
template <void kernel()> struct launcher {};
void take(void (*kernel)());
// CHECK-NEXT: passed 32 1 1
// CHECK-NEXT: stored any
// CHECK-NEXT: passed any
// CHECK-NEXT: argument any
// CHECK-NEXT: type_argument any
// CHECK-NEXT: configured any
int main() {
    void (*table[])() = {stored, nullptr};
    passed<<<1, 32>>>();
    take(passed);
    take(table[0]);
    launch_argument<argument>();
    launcher<type_argument> nothing;
    (void)nothing;
    cudaLaunchConfig_t configuration = {};
    cudaLaunchKernelEx(&configuration, configured);
}
