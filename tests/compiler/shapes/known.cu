// Block sizes that are constants, in all the ways to write them.
// RUN: %gcluster-cc --dump=shapes %s | FileCheck --match-full-lines --implicit-check-not={{.}} %s
#include <cuda_runtime.h>
#define THREADS 96
#define LAUNCH(kernel, ...) kernel<<<1, dim3(__VA_ARGS__)>>>()
enum { WIDTH = 24 };
constexpr int half(int n) {
    return n / 2;
}
constexpr int tile = 8;
static const unsigned rows = 4;
int everywhere = 40;
dim3 common(tile, everywhere / 20);

__global__ void literal() {
}
// CHECK: literal 256 1 1
__global__ void macro() {
}
// CHECK-NEXT: macro 96 1 1
// CHECK-NEXT: macro 12 3 1
__global__ void constant() {
}
// CHECK-NEXT: constant 24 1 1
// CHECK-NEXT: constant 8 4 1
// CHECK-NEXT: constant 12 1 1
// CHECK-NEXT: constant 64 1 1
void constants() {
    const int n = 64;
    literal<<<1, 256>>>();
    literal<<<2, 256, 0, 0>>>();
    macro<<<1, THREADS>>>();
    LAUNCH(macro, 12, 3);
    constant<<<1, WIDTH>>>();
    constant<<<1, dim3(tile, rows)>>>();
    constant<<<1, half(WIDTH)>>>();
    constant<<<1, n>>>();
}

__global__ void braces() {
}
// CHECK-NEXT: braces 4 3 2
// CHECK-NEXT: braces 2 4 1
// CHECK-NEXT: braces 16 16 1
// CHECK-NEXT: braces 5 5 1
void dimensions() {
    const dim3 fixed{2, 4};
    dim3 block(16, 16), assigned = dim3(5, 5);
    braces<<<1, dim3{4, 3, 2}>>>();
    braces<<<1, fixed>>>();
    braces<<<1, block>>>();
    braces<<<1, assigned>>>();
}

__global__ void variable(int) {
}
// CHECK-NEXT: variable 128 1 1
// CHECK-NEXT: variable 128 4 1
// CHECK-NEXT: variable 512 1 1
// CHECK-NEXT: variable 8 2 1
void variables(int n) {
    int threads = 128;
    dim3 block(threads, 4), copy = block;
    int grid = (n + threads - 1) / threads;
    auto launch = [&] { variable<<<grid, threads>>>(threads); };
    launch();
    variable<<<n / copy.x, copy>>>(n);
    variable<<<1, block.x * block.y>>>(n);
    variable<<<1, common>>>(n);
}

template <class T> __global__ void templated(T) {
}
// CHECK-NEXT: templated 48 1 1
// CHECK-NEXT: templated 3 3 1
// CHECK-NEXT: templated 32 1 1
// CHECK-NEXT: templated 7 1 1
namespace space {
__global__ void inner() {
}
struct holder {
    static __global__ void member() {
    }
};
} // namespace space
// CHECK-NEXT: inner 10 1 1
// CHECK-NEXT: member 11 1 1
template <class T> void launch_templates(T value) {
    dim3 block(3, 3);
    templated<T><<<1, 48>>>(value);
    templated<<<1, block>>>(value);
}
void names() {
    auto pointer = templated<int>;
    templated<float><<<1, 32>>>(1);
    launch_templates(2.0);
    pointer<<<1, 7>>>(3);
    space::inner<<<1, 10>>>();
    space::holder::member<<<1, 11>>>();
}

__global__ void by_function() {
}
// CHECK-NEXT: by_function 33 1 1
// CHECK-NEXT: by_function 34 1 1
// CHECK-NEXT: by_function 6 6 1
int main() {
    dim3 block(6, 6);
    cudaLaunchKernel((const void *)by_function, dim3(1), dim3(33), nullptr, 0, nullptr);
    cudaLaunchKernel(by_function, 1, 34, nullptr, 0, nullptr);
    cudaLaunchCooperativeKernel((void *)&by_function, 1, block, nullptr, 0, nullptr);
}

// Of pointers only launches are followed, not what else may become of them.
// CHECK-NEXT: templated any
