// CUDA on the host, for programs that generate.py makes: the same text, compiled by the host's
// compiler, says what kernels compute. Nothing of gcluster is in it.
//
// Blocks run one after the other; the threads of a block have stacks of their own and run in turn,
// each until it waits for others. So nothing happens at the same time, an atomic operation is a
// plain one, and shared memory is a static variable. A block in which nobody can go on ends the
// program: it is not valid CUDA.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <ucontext.h>
#include <vector>

#define __global__ static
#define __device__
#define __constant__ static
#define __shared__ static
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {
    }
};
struct int2 {
    int x, y;
};
struct float4 {
    float x, y, z, w;
};
static inline int2 make_int2(int x, int y) {
    return {x, y};
}
static inline float4 make_float4(float x, float y, float z, float w) {
    return {x, y, z, w};
}

static uint3 threadIdx, blockIdx;
static dim3 blockDim, gridDim;

// ---- threads

enum Waiting { RUNS, WAITS_BLOCK, WAITS_WARP, HAS_ENDED };

struct Thread {
    ucontext_t context;
    uint3 index;
    Waiting state;
    unsigned mask;            // of lanes for which it waits
    unsigned long long value; // what it shows them, or the block
    unsigned long long seen[32];
    char *stack;
};

enum { STACK = 256 << 10 };
static std::vector<Thread> threads_here; // of the block
static Thread *thread_here;
static ucontext_t scheduler;
static unsigned long long yes_count, vote_count; // at the last barrier
static void (*kernel_call)(void *);
static void *kernel_context;
static std::vector<double> dynamic_memory;

static void thread_main() {
    kernel_call(kernel_context);
    thread_here->state = HAS_ENDED;
}

static void wait_as(Waiting state, unsigned mask, unsigned long long value) {
    Thread *self = thread_here;
    self->state = state;
    self->mask = mask;
    self->value = value;
    swapcontext(&self->context, &scheduler);
}

// Lets those go on whose lanes are all there.
static bool release_warp(size_t first) {
    bool has_changed = false;
    size_t count = std::min<size_t>(32, threads_here.size() - first);
    Thread *lanes = &threads_here[first];
    for (size_t i = 0; i < count; i++) {
        unsigned mask = lanes[i].mask, found = 0;
        if (lanes[i].state != WAITS_WARP)
            continue;
        for (size_t j = 0; j < count; j++)
            found |= (unsigned)(lanes[j].state == WAITS_WARP && lanes[j].mask == mask) << j;
        if ((found & mask) != mask)
            continue;
        for (size_t j = 0; j < count; j++)
            for (size_t k = 0; mask >> j & 1 && k < count; k++)
                lanes[j].seen[k] = lanes[k].value;
        for (size_t j = 0; j < count; j++)
            if (mask >> j & 1)
                lanes[j].state = RUNS;
        has_changed = true;
    }
    return has_changed;
}

static bool release_block() {
    unsigned long long yes = 0, all = 0;
    for (Thread &t : threads_here) {
        if (t.state != WAITS_BLOCK && t.state != HAS_ENDED)
            return false;
        all += t.state == WAITS_BLOCK;
        yes += t.state == WAITS_BLOCK && t.value;
    }
    yes_count = yes;
    vote_count = all;
    for (Thread &t : threads_here)
        if (t.state == WAITS_BLOCK)
            t.state = RUNS;
    return all;
}

static void run_block() {
    for (Thread &t : threads_here) {
        t.state = RUNS;
        getcontext(&t.context);
        t.context.uc_stack.ss_sp = t.stack;
        t.context.uc_stack.ss_size = STACK;
        t.context.uc_link = &scheduler;
        makecontext(&t.context, thread_main, 0);
    }
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (Thread &t : threads_here) {
            if (t.state != RUNS)
                continue;
            thread_here = &t;
            threadIdx = t.index;
            swapcontext(&scheduler, &t.context);
            goes_on = true;
        }
        for (size_t w = 0; w < threads_here.size(); w += 32)
            goes_on |= release_warp(w);
        goes_on |= release_block();
    }
    for (Thread &t : threads_here) {
        if (t.state != HAS_ENDED) {
            fprintf(stderr, "thread (%u,%u,%u) waits for ever\n", t.index.x, t.index.y, t.index.z);
            exit(3);
        }
    }
}

template <class F> static void run_grid(dim3 grid, dim3 block, size_t shared, F call) {
    static std::vector<char *> stacks;
    threads_here.assign((size_t)block.x * block.y * block.z, Thread());
    while (stacks.size() < threads_here.size())
        stacks.push_back((char *)malloc(STACK));
    for (size_t t = 0; t < threads_here.size(); t++) {
        threads_here[t].stack = stacks[t];
        threads_here[t].index = {(unsigned)t % block.x, (unsigned)t / block.x % block.y,
                                 (unsigned)t / block.x / block.y};
    }
    dynamic_memory.assign(shared / sizeof(double) + 1, 0);
    kernel_call = [](void *context) { (*(F *)context)(); };
    kernel_context = &call;
    gridDim = grid;
    blockDim = block;
    for (unsigned z = 0; z < grid.z; z++)
        for (unsigned y = 0; y < grid.y; y++)
            for (unsigned x = 0; x < grid.x; x++) {
                blockIdx = {x, y, z};
                run_block();
            }
}

// ---- what threads tell each other

static inline void __syncthreads() {
    wait_as(WAITS_BLOCK, 0, 0);
}
static inline int __syncthreads_count(bool yes) {
    wait_as(WAITS_BLOCK, 0, yes);
    return (int)yes_count;
}
static inline int __syncthreads_or(bool yes) {
    return __syncthreads_count(yes) > 0;
}
static inline int __syncthreads_and(bool yes) {
    return __syncthreads_count(yes) == (int)vote_count;
}

// What the lanes in `mask` show, by number.
template <class T> static const unsigned long long *exchange(unsigned mask, T value) {
    unsigned long long bits = 0;
    memcpy(&bits, &value, sizeof value);
    wait_as(WAITS_WARP, mask, bits);
    return thread_here->seen;
}

template <class T> static T shown(const unsigned long long *values, int lane) {
    T value;
    memcpy(&value, &values[lane], sizeof value);
    return value;
}

static inline int lane_here() {
    unsigned row = threadIdx.y + blockDim.y * threadIdx.z;
    return (int)(threadIdx.x + blockDim.x * row) & 31;
}

static inline void __syncwarp(unsigned mask) {
    exchange(mask, 0);
}
template <class T> static T __shfl_sync(unsigned mask, T value, int from, int width = 32) {
    return shown<T>(exchange(mask, value), lane_here() / width * width + (from & (width - 1)));
}
template <class T> static T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32) {
    int lane = lane_here(), from = lane - (int)by;
    return shown<T>(exchange(mask, value), from < lane / width * width ? lane : from);
}
template <class T> static T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32) {
    int lane = lane_here(), from = lane + (int)by;
    return shown<T>(exchange(mask, value), from >= (lane / width + 1) * width ? lane : from);
}
template <class T> static T __shfl_xor_sync(unsigned mask, T value, int by, int width = 32) {
    int lane = lane_here(), from = lane ^ by;
    return shown<T>(exchange(mask, value), from >= (lane / width + 1) * width ? lane : from);
}

template <class T, class F> static T reduce_lanes(unsigned mask, T value, F combine) {
    const unsigned long long *values = exchange(mask, value);
    bool is_first = true;
    for (int i = 0; i < 32; i++) {
        if (!(mask >> i & 1))
            continue;
        value = is_first ? shown<T>(values, i) : combine(value, shown<T>(values, i));
        is_first = false;
    }
    return value;
}

static inline unsigned __ballot_sync(unsigned mask, bool yes) {
    unsigned bit = (unsigned)yes << lane_here();
    return reduce_lanes(mask, bit, [](unsigned a, unsigned b) { return a | b; });
}
static inline int __any_sync(unsigned mask, bool yes) {
    return __ballot_sync(mask, yes) != 0;
}
static inline int __all_sync(unsigned mask, bool yes) {
    return __ballot_sync(mask, yes) == mask;
}
template <class T> static unsigned __match_any_sync(unsigned mask, T value) {
    const unsigned long long *values = exchange(mask, value);
    unsigned same = 0;
    for (int i = 0; i < 32; i++)
        same |= (unsigned)(mask >> i & 1 && shown<T>(values, i) == value) << i;
    return same;
}
template <class T> static unsigned __match_all_sync(unsigned mask, T value, int *are_same) {
    *are_same = __match_any_sync(mask, value) == mask;
    return *are_same ? mask : 0;
}

#define REDUCE(name, type, expression)                                                             \
    static inline type __reduce_##name##_sync(unsigned mask, type value) {                         \
        return reduce_lanes(mask, value, [](type a, type b) { return (type)(expression); });       \
    }
REDUCE(add, unsigned, a + b)
REDUCE(min, unsigned, std::min(a, b))
REDUCE(max, unsigned, std::max(a, b))
REDUCE(and, unsigned, a &b)
REDUCE(or, unsigned, a | b)
REDUCE(xor, unsigned, a ^ b)
REDUCE(add, int, (unsigned)a + (unsigned)b)
REDUCE(min, int, std::min(a, b))
REDUCE(max, int, std::max(a, b))

// ---- atomic operations

template <class T> struct Same {
    typedef T type;
};

#define ATOMIC(name, expression)                                                                   \
    template <class T> static T atomic##name(T *place, typename Same<T>::type value) {             \
        T old = *place;                                                                            \
        *place = (T)(expression);                                                                  \
        return old;                                                                                \
    }
template <class T> static T wrapping_sum(T a, T b) {
    return a + b;
}
static inline int wrapping_sum(int a, int b) {
    return (int)((unsigned)a + (unsigned)b);
}
ATOMIC(Add, wrapping_sum(old, value))
ATOMIC(Exch, value)
ATOMIC(Min, std::min(old, value))
ATOMIC(Max, std::max(old, value))
ATOMIC(And, old &value)
ATOMIC(Or, old | value)
ATOMIC(Xor, old ^ value)
template <class T>
static T atomicCAS(T *place, typename Same<T>::type compare, typename Same<T>::type value) {
    T old = *place;
    if (old == compare)
        *place = value;
    return old;
}

// ---- arithmetic

template <class A, class B> static typename std::common_type<A, B>::type min(A a, B b) {
    typedef typename std::common_type<A, B>::type T;
    return std::min((T)a, (T)b);
}
template <class A, class B> static typename std::common_type<A, B>::type max(A a, B b) {
    typedef typename std::common_type<A, B>::type T;
    return std::max((T)a, (T)b);
}

static inline int __popc(unsigned x) {
    return __builtin_popcount(x);
}
static inline int __clz(int x) {
    return x ? __builtin_clz((unsigned)x) : 32;
}
static inline int __ffs(int x) {
    return __builtin_ffs(x);
}
static inline unsigned __brev(unsigned x) {
    unsigned reversed = 0;
    for (int i = 0; i < 32; i++)
        reversed |= (x >> i & 1) << (31 - i);
    return reversed;
}
static inline int __mulhi(int a, int b) {
    return (int)((long long)a * b >> 32);
}
static inline unsigned __umulhi(unsigned a, unsigned b) {
    return (unsigned)((unsigned long long)a * b >> 32);
}
static inline unsigned __usad(unsigned a, unsigned b, unsigned c) {
    return (a > b ? a - b : b - a) + c;
}

template <class T> static T bits_of(const void *value) {
    T bits;
    memcpy(&bits, value, sizeof bits);
    return bits;
}
static inline unsigned __float_as_uint(float x) {
    return bits_of<unsigned>(&x);
}
static inline long long __double_as_longlong(double x) {
    return bits_of<long long>(&x);
}

// To integers values saturate; a NaN becomes 0, or, from a double or to 64 bits, the integer whose
// highest bit alone is set (PTX ISA, "cvt").
template <class T, class From> static T saturate(From x) {
    double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
    if (x != x)
        return sizeof(T) + sizeof(From) > 8 ? (T)(1ull << (8 * sizeof(T) - 1)) : (T)0;
    if (x >= end)
        return std::numeric_limits<T>::max();
    return x < (std::is_signed<T>::value ? -end : 0) ? std::numeric_limits<T>::min() : (T)x;
}
#define TO_INTEGER(name, type)                                                                     \
    static inline type __float2##name##_rn(float x) {                                              \
        return saturate<type>(std::rint(x));                                                       \
    }                                                                                              \
    static inline type __float2##name##_rz(float x) {                                              \
        return saturate<type>(std::trunc(x));                                                      \
    }                                                                                              \
    static inline type __float2##name##_ru(float x) {                                              \
        return saturate<type>(std::ceil(x));                                                       \
    }                                                                                              \
    static inline type __float2##name##_rd(float x) {                                              \
        return saturate<type>(std::floor(x));                                                      \
    }                                                                                              \
    static inline type __double2##name##_rz(double x) {                                            \
        return saturate<type>(std::trunc(x));                                                      \
    }
TO_INTEGER(int, int)
TO_INTEGER(uint, unsigned)
TO_INTEGER(ll, long long)
TO_INTEGER(ull, unsigned long long)

// ---- memory

typedef int cudaError_t;
enum { cudaSuccess, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };

template <class T> static void cudaMalloc(T **place, size_t size) {
    *place = (T *)malloc(size);
}
static inline void cudaFree(void *place) {
    free(place);
}
static inline void cudaMemset(void *place, int value, size_t size) {
    memset(place, value, size);
}
static inline void cudaMemcpy(void *to, const void *from, size_t size, int) {
    memcpy(to, from, size);
}
template <class T> static void cudaMemcpyToSymbol(T &symbol, const void *from, size_t size) {
    memcpy((void *)&symbol, from, size);
}
template <class T, class P> static void cudaGetSymbolAddress(P *place, T &symbol) {
    *place = (P)&symbol;
}
static inline cudaError_t cudaGetLastError() {
    return cudaSuccess;
}
static inline cudaError_t cudaDeviceSynchronize() {
    return cudaSuccess;
}
static inline const char *cudaGetErrorString(cudaError_t) {
    return "";
}
