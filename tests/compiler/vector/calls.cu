// Functions that can't be widened are called for each lane that is there, in order, and no other.
#include "each.h"

__device__ int calls;

__device__ __noinline__ int counted(int x) {
    atomicAdd(&calls, 1);
    return x * 3 + 1;
}

__device__ __noinline__ void divide(int a, int b, int *quotient, int *rest) {
    *quotient = a / b;
    if (a % b)
        *rest = a % b;
}

__device__ __noinline__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ int twice(int x) {
    return x * 2;
}

__device__ int square(int x) {
    return x * x;
}

__device__ static int (*const table[])(int) = {twice, square, counted};

struct Shape {
    __device__ virtual int area(int t) const = 0;
};

struct Square : Shape {
    __device__ int area(int t) const override {
        return t * t;
    }
};

struct Strip : Shape {
    __device__ int area(int t) const override {
        return t + 5;
    }
};

__global__ void conditional(int *out) {
    int t = threadIdx.x, r = -1;
    if (t % 3 == 1)
        r = counted(t);
    for (int k = 0; k < t % 5; k++)
        if ((t + k) % 2)
            r += counted(k);
    out[t] = r;
}

__global__ void out_parameters(int *out) {
    int t = threadIdx.x, q = 5, r = 6;
    if (t % 4)
        divide(t * 10, t % 4, &q, &r);
    out[t] = q * 100 + r;
}

__global__ void pointers(int *out, int which) {
    int t = threadIdx.x;
    Square square;
    Strip strip;
    const Shape *shape = t % 2 ? (const Shape *)&square : &strip;
    out[t] = table[t % 3](t) + table[which](t) * 1000 + shape->area(t) % 7;
}

__global__ void recursive(int *out) {
    int t = threadIdx.x;
    out[t] = t % 2 ? fibonacci(t % 15) : -1;
}

__device__ __noinline__ int own_x() {
    return threadIdx.x;
}

__device__ __noinline__ int twice_own_x() {
    return 2 * own_x();
}

__global__ void ask(int *out) {
    out[threadIdx.x] = own_x() * 1000 + twice_own_x();
}

__global__ void allocate(int *out) {
    int t = threadIdx.x;
    if (t % 2 == 0) {
        int *memory = (int *)malloc(sizeof(int) * (t + 1));
        for (int k = 0; k <= t; k++)
            memory[k] = k;
        int sum = 0;
        for (int k = 0; k <= t; k++)
            sum += memory[k];
        free(memory);
        out[t] = sum;
    }
}

static int count_calls() {
    int value = 0, zero = 0;
    CHECK(cudaMemcpyFromSymbol(&value, calls, sizeof value) == cudaSuccess);
    CHECK(cudaMemcpyToSymbol(calls, &zero, sizeof zero) == cudaSuccess);
    return value;
}

static void check_size(int size) {
    int *out = managed<int>(size), expected_calls = 0;
    count_calls();
    conditional<<<1, size>>>(out);
    SYNC();
    for (int t = 0; t < size; t++) {
        int r = t % 3 == 1 ? t * 3 + 1 : -1;
        expected_calls += t % 3 == 1;
        for (int k = 0; k < t % 5; k++) {
            r += (t + k) % 2 ? k * 3 + 1 : 0;
            expected_calls += (t + k) % 2;
        }
        CHECK(out[t] == r);
    }
    CHECK(count_calls() == expected_calls);

    out_parameters<<<1, size>>>(out);
    SYNC();
    for (int t = 0; t < size; t++) {
        int d = t % 4, q = d ? t * 10 / d : 5, r = d && t * 10 % d ? t * 10 % d : 6;
        CHECK(out[t] == q * 100 + r);
    }
    ask<<<1, size>>>(out);
    SYNC();
    for (int t = 0; t < size; t++)
        CHECK(out[t] == t * 1002);
    for (int which = 0; which < 3; which++) {
        pointers<<<1, size>>>(out, which);
        SYNC();
        for (int t = 0; t < size; t++) {
            int results[] = {t * 2, t * t, t * 3 + 1};
            CHECK(out[t] == results[t % 3] + results[which] * 1000 + (t % 2 ? t * t : t + 5) % 7);
        }
    }
    recursive<<<1, size>>>(out);
    SYNC();
    for (int t = 0; t < size; t++) {
        int a = 0, b = 1;
        for (int k = 0; k < t % 15; k++) {
            int next = a + b;
            a = b;
            b = next;
        }
        CHECK(out[t] == (t % 2 ? a : -1));
    }
    for (int t = 0; t < size; t++)
        out[t] = -5;
    allocate<<<1, size>>>(out);
    SYNC();
    for (int t = 0; t < size; t++)
        CHECK(out[t] == (t % 2 ? -5 : t * (t + 1) / 2));
}

int main() {
    for (int size : {1, 7, 32, 33, 100, 256})
        check_size(size);
}
