// RUN: %gcluster-cc -O2 %s -o %t && %t
// Atomics of every kind on global and shared memory, under contention of many blocks.
#include "check.h"

struct Results {
    int add, sub, exchanged, low, high, and_, or_, xor_;
    unsigned inc, dec, umax;
    unsigned long long wide, wide_max;
    float real;
    double precise;
    int locked;
};

__global__ void all(Results *r, int *returned, int *lock) {
    __shared__ Results s;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        s = Results();
    __syncthreads();
    atomicAdd(&s.add, 1);
    atomicAdd(&s.real, 0.5f);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&r->add, s.add);
        atomicAdd(&r->real, s.real);
    }
    atomicSub(&r->sub, 2);
    returned[atomicAdd(&r->exchanged, 1)] = i;
    atomicMin(&r->low, -i);
    atomicMax(&r->high, i);
    atomicAnd(&r->and_, ~(1 << (i % 8)));
    atomicOr(&r->or_, 1 << (i % 16));
    atomicXor(&r->xor_, i);
    atomicInc(&r->inc, 99);
    atomicDec(&r->dec, 99);
    atomicMax(&r->umax, 0x80000000u + i);
    atomicAdd(&r->wide, 0x100000000ull);
    atomicMax(&r->wide_max, 0x8000000000000000ull + i);
    atomicAdd(&r->precise, 0.25);
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    r->locked++;
    __threadfence();
    atomicExch(lock, 0);
}

int main() {
    const int blocks = 16, threads = 128, n = blocks * threads;
    Results *r = managed<Results>(1);
    int *returned = managed<int>(n), *lock = managed<int>(1), x = 0;
    r->and_ = 0xffff;
    all<<<blocks, threads>>>(r, returned, lock);
    SYNC();
    char *seen = managed<char>(n);
    for (int i = 0; i < n; i++) {
        x ^= i;
        CHECK(!seen[returned[i]]++);
    }
    CHECK(r->add == n && r->sub == -2 * n && r->low == -(n - 1) && r->high == n - 1);
    CHECK(r->and_ == 0xff00 && r->or_ == 0xffff && r->xor_ == x);
    CHECK(r->inc == n % 100 && r->dec == (100 - n % 100) % 100 && r->umax == 0x80000000u + n - 1);
    CHECK(r->wide == 0x100000000ull * n && r->wide_max == 0x8000000000000000ull + n - 1);
    CHECK(r->real == 0.5f * n && r->precise == 0.25 * n && r->locked == n);
}
