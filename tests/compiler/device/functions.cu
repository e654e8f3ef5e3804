// RUN: %gcluster-cc -O2 %s -o %t && %t
// Recursion, function pointers, virtual calls, device new, functions that are not inlined and
// still ask for their thread.
#include "check.h"

__device__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ int depth_and_thread(int n) {
    return n == 0 ? threadIdx.x + 100 * threadIdx.y + 10000 * blockIdx.x
                  : depth_and_thread(n - 1) + 1;
}

typedef int (*operation)(int);
__device__ int twice(int a) { return 2 * a; }
__device__ __noinline__ int plus_thread(int a) { return a + threadIdx.x; }
__device__ __noinline__ int place_in_grid() { // nothing comes before what it asks for
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * blockIdx.x);
}
__device__ operation operations[] = {twice, plus_thread};

struct Shape {
    __device__ virtual ~Shape() {}
    __device__ virtual int area() const = 0;
};
struct Square : Shape {
    int side;
    __device__ explicit Square(int side) : side(side) {}
    __device__ int area() const override { return side * side; }
};
struct Line : Shape {
    __device__ int area() const override { return threadIdx.x; }
};

__global__ void calls(int *out) {
    int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * blockIdx.x);
    Shape *shape = t % 2 ? (Shape *)new Square(t) : new Line;
    out[4 * t] = fibonacci(place_in_grid() % 12);
    out[4 * t + 1] = depth_and_thread(3);
    out[4 * t + 2] = operations[t % 2](t);
    out[4 * t + 3] = shape->area();
    delete shape;
}

int main() {
    const int fibonacci[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
    int *out = managed<int>(4 * 64);
    calls<<<2, dim3(8, 4)>>>(out);
    SYNC();
    for (int t = 0; t < 64; t++) {
        int x = t % 8, y = t / 8 % 4, block = t / 32;
        CHECK(out[4 * t] == fibonacci[t % 12]);
        CHECK(out[4 * t + 1] == x + 100 * y + 10000 * block + 3);
        CHECK(out[4 * t + 2] == (t % 2 ? t + x : 2 * t));
        CHECK(out[4 * t + 3] == (t % 2 ? t * t : x));
    }
}
