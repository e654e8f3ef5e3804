// cuda::atomic and atomic_ref, in kernels and on the host, and some of cuda::std.
#include <cuda/atomic>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/type_traits>

#include <cstdio>

static_assert(cuda::std::is_same<int, cuda::std::remove_reference<int &>::type>::value, "");

struct counters {
    cuda::atomic<int, cuda::thread_scope_device> sum;
    cuda::std::atomic<unsigned long long> bits;
    float total;
    unsigned most, least;
    int turns;
    volatile cuda::std::atomic<int> seen;
};

__global__ void count(counters *c, unsigned *limit) {
    c->sum.fetch_add(2);
    ++c->sum;
    c->bits |= 1ull << threadIdx.x;
    cuda::atomic_ref<float, cuda::thread_scope_device>(c->total) += 0.5f;
    cuda::atomic_ref<unsigned>(c->most).fetch_max(threadIdx.x * 3);
    cuda::atomic_ref<unsigned>(c->least).fetch_min(threadIdx.x + 7);
    cuda::atomic_ref<int> turns(c->turns);
    int expected = turns.load(cuda::memory_order_relaxed);
    while (!turns.compare_exchange_weak(expected, expected + 3))
        ;
    for (int old = c->seen;
         old < (int)threadIdx.x && !c->seen.compare_exchange_strong(old, threadIdx.x);)
        old = c->seen.load();
    *limit = cuda::std::identity()(cuda::std::numeric_limits<unsigned>::max());
}

// The first thread of all waits for one of another warp.
__global__ void hand(cuda::atomic<float> *number, unsigned *got) {
    if (threadIdx.x == 0) {
        number->wait(1);
        *got = (unsigned)number->load();
    } else if (threadIdx.x == 40) {
        number->store(9);
        number->notify_all();
    }
}

static bool hands_on(unsigned *got) {
    cuda::atomic<float> *number;
    cudaMallocManaged(&number, sizeof *number);
    *number = 1;
    hand<<<1, 64>>>(number, got);
    if (cudaDeviceSynchronize() != cudaSuccess || *got != 9)
        return false;
    cuda::atomic_ref<unsigned> here(*got);
    here.wait(8);
    here.notify_one();
    return true;
}

int main() {
    counters *c;
    unsigned *limit;
    cudaMallocManaged(&c, sizeof *c);
    cudaMallocManaged(&limit, sizeof *limit);
    c->sum = 10;
    c->bits.store(0);
    c->total = 0;
    c->most = 0;
    c->least = 100;
    c->turns = 1;
    c->seen = -1;
    count<<<2, 64>>>(c, limit);
    cudaDeviceSynchronize();
    bool good = c->sum == 10 + 3 * 128 && c->bits.load() == ~0ull && c->total == 64 &&
                c->most == 189 && c->least == 7 && c->turns == 1 + 3 * 128 &&
                c->seen.load() == 63 && *limit == ~0u && hands_on(limit);
    printf("%s\n", good ? "good" : "wrong");
    return !good;
}
