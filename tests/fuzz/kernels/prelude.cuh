// What generated programs share: places, warp operations without undefined values, and the host's
// part: inputs from a seed, outputs that are hashed and shown.
#ifdef HOST // compiled with host.h
#define DYNAMIC_SHARED double *dynamic_shared = dynamic_memory.data()
#else
#include <cuda_runtime.h>
#define DYNAMIC_SHARED extern __shared__ double dynamic_shared[]
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Mixed {
    int a;
    float b;
    short c;
    unsigned char d;
    long long e;
};

__constant__ int const_i[64];
__constant__ unsigned const_x[50];
__constant__ float const_f[40];

__device__ inline unsigned thread() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

__device__ inline unsigned threads() {
    return blockDim.x * blockDim.y * blockDim.z;
}

__device__ inline unsigned block() {
    return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}

__device__ inline unsigned blocks() {
    return gridDim.x * gridDim.y * gridDim.z;
}

// The lanes of this warp that there are: the last warp of a block may be partial.
__device__ inline unsigned lanes() {
    unsigned left = threads() - (thread() & ~31u);
    return left >= 32 ? 0xffffffffu : (1u << left) - 1;
}

// Shuffles; a lane whose source is not in the mask keeps its value.
template <class T> __device__ inline T pick_up(unsigned mask, T value, int amount, int width) {
    int lane = (int)(thread() & 31), source = lane - amount;
    T other = __shfl_up_sync(mask, value, (unsigned)amount, width);
    return lane % width < amount || !(mask >> source & 1) ? value : other;
}

template <class T> __device__ inline T pick_down(unsigned mask, T value, int amount, int width) {
    int lane = (int)(thread() & 31), source = lane + amount;
    T other = __shfl_down_sync(mask, value, (unsigned)amount, width);
    return lane % width + amount >= width || !(mask >> source & 1) ? value : other;
}

// A source in an earlier group of `width` lanes may be read, one in a later group is the lane
// itself.
template <class T> __device__ inline T pick_xor(unsigned mask, T value, int amount, int width) {
    int lane = (int)(thread() & 31), source = lane ^ amount;
    T other = __shfl_xor_sync(mask, value, amount, width);
    return source / width > lane / width || !(mask >> source & 1) ? value : other;
}

template <class T> __device__ inline T pick_lane(unsigned mask, T value, int from, int width) {
    int lane = (int)(thread() & 31), source = lane / width * width + from % width;
    T other = __shfl_sync(mask, value, from, width);
    return mask >> source & 1 ? other : value;
}

// Mixes a value into a thread's sum, so that it counts. All NaNs are one.
template <class T> __device__ inline void note(unsigned *sum, T value) {
    *sum = *sum * 31u + (unsigned)value;
}

template <> __device__ inline void note<float>(unsigned *sum, float value) {
    *sum = *sum * 31u + (value == value ? __float_as_uint(value) : 1u);
}

template <> __device__ inline void note<double>(unsigned *sum, double value) {
    unsigned long long bits = (unsigned long long)__double_as_longlong(value);
    *sum = *sum * 31u + (value == value ? (unsigned)bits ^ (unsigned)(bits >> 32) : 1u);
}

// Functions that change a variable of their caller.
template <class T> __device__ __noinline__ T change(T *place, T value) {
    *place ^= value;
    return *place & 15;
}

template <class T> __device__ inline void change_inline(T *place, T value) {
    if (value & 1)
        *place ^= value;
    else
        *place |= 5;
}

__device__ __noinline__ void wait_for_all() {
    __syncthreads();
}

// ---- host

static unsigned long long random_state;

static unsigned random_bits() {
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    unsigned long long x = random_state >> 33;
    return (unsigned)(x ^ x >> 15) * 0x9e3779b1u ^ (unsigned)(random_state >> 40);
}

// Half of the values are small, so that they meet. Whatever calls random_bits() twice does so in
// statements of their own: compilers choose the order of operands.
static long long random_integer() {
    unsigned long long high = random_bits();
    long long wide = (long long)(high << 32 | random_bits());
    return random_bits() % 2 ? wide : random_bits() % 3 ? wide % 100 : (long long)(wide % 3);
}

static double random_real() {
    double value = (double)random_bits() - 2147483648.0;
    return value / (random_bits() % 2 ? 2147483648.0 : 20000000.0);
}

static float odd_float() {
    static const float odd[] = {0.0f,    -0.0f, INFINITY,      -INFINITY,    NAN,  1e-40f,
                                -3e-39f, 3e38f, -3e38f,        1e10f,        0.5f, 1.5f,
                                2.5f,    -0.5f, 2147483648.0f, 4294967296.0f};
    return random_bits() % 3 ? (float)random_real() : odd[random_bits() % 16];
}

template <class T, class F> static void fill(T *device, unsigned begin, unsigned end, F make) {
    T *host = (T *)malloc((end - begin) * sizeof(T));
    for (unsigned i = begin; i < end; i++)
        host[i - begin] = (T)make(i);
    cudaMemcpy(device + begin, host, (end - begin) * sizeof(T), cudaMemcpyHostToDevice);
    free(host);
}

template <class T, class F> static T *input(unsigned count, F make) {
    T *device;
    cudaMalloc(&device, count * sizeof(T));
    fill(device, 0, count, make);
    return device;
}

template <class T> static void copy(T *to, const T *from, unsigned count) {
    cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyDeviceToDevice);
}

static Mixed random_mixed() {
    Mixed m;
    m.a = (int)random_integer();
    m.b = (float)random_real();
    m.c = (short)random_integer();
    m.d = (unsigned char)random_bits();
    m.e = random_integer();
    return m;
}

static float4 random_float4() {
    float x = (float)random_real(), y = odd_float(), z = (float)random_real();
    return make_float4(x, y, z, 1.0f);
}

static int2 random_int2(unsigned i) {
    return make_int2((int)random_integer(), (int)i);
}

static int *in_i, *in_s, *in_p;
static unsigned *in_x, *in_u;
static long long *in_l;
static unsigned long long *in_m;
static float *in_f, *in_g;
static double *in_d;
static signed char *in_c;
static unsigned char *in_b;
static short *in_h;
static unsigned short *in_w;
static bool *in_t;
static float4 *in_v;
static int2 *in_y;
static Mixed *in_z, sz;

static void make_inputs(unsigned long long seed) {
    random_state = seed * 2 + 1;
    auto integer = [](unsigned) { return random_integer(); };
    auto real = [](unsigned) { return random_real(); };
    in_i = input<int>(1000, integer);
    in_s = input<int>(1024, [](unsigned) { return random_bits() & 15; });
    in_x = input<unsigned>(4096, [](unsigned) { return random_bits() % 1000; });
    in_u = input<unsigned>(1024, integer);
    in_l = input<long long>(600, integer);
    in_m = input<unsigned long long>(600, integer);
    in_f = input<float>(2000, real);
    in_g = input<float>(256, [](unsigned) { return odd_float(); });
    in_d = input<double>(1000, real);
    in_c = input<signed char>(1024, integer);
    in_b = input<unsigned char>(1024, integer);
    in_h = input<short>(777, integer);
    in_w = input<unsigned short>(512, integer);
    in_t = input<bool>(512, [](unsigned) { return random_bits() % 2 != 0; });
    in_p = input<int>(1024, [](unsigned i) { return (int)(i * 421 + 77) & 1023; });
    in_v = input<float4>(500, [](unsigned) { return random_float4(); });
    in_y = input<int2>(600, random_int2);
    in_z = input<Mixed>(333, [](unsigned) { return random_mixed(); });
    sz = random_mixed();
    int ci[64];
    unsigned cx[50];
    float cf[40];
    for (int i = 0; i < 64; i++)
        ci[i] = (int)random_integer();
#ifdef MAKE_MISTAKES // to see that they are found
    for (int &i : ci)
        i++;
#endif
    for (int i = 0; i < 50; i++)
        cx[i] = random_bits() & 31;
    for (int i = 0; i < 40; i++)
        cf[i] = (float)random_real();
    cudaMemcpyToSymbol(const_i, ci, sizeof ci);
    cudaMemcpyToSymbol(const_x, cx, sizeof cx);
    cudaMemcpyToSymbol(const_f, cf, sizeof cf);
}

// A number that the compiler doesn't see.
static unsigned hidden(unsigned number) {
    static volatile unsigned zero = 0;
    return number + zero;
}

static bool dump;

static void show(float value) {
    printf(value != value ? "nan" : "%.9g (%a)", (double)value, (double)value);
}

static void show(double value) {
    printf(value != value ? "nan" : "%.17g (%a)", value, value);
}

static void show(float4 value) {
    printf("%a %a %a %a", value.x, value.y, value.z, value.w);
}

template <class T> static void show(T value) {
    printf("%lld", (long long)value);
}

// All NaNs are one: IEEE 754 leaves open which of them an operation returns.
template <class T> static void make_plain(T &value) {
    if (value != value)
        memset(&value, 0xff, sizeof value);
}

static void make_plain(float4 &value) {
    make_plain(value.x);
    make_plain(value.y);
    make_plain(value.z);
    make_plain(value.w);
}

// What one kernel reads, in memory of its own or in a variable.
template <class T> struct Input {
    T *device, *own;

    template <class F> Input(unsigned count, F make) {
        device = own = input<T>(count, make);
    }

    template <class F, class S> Input(unsigned count, F make, S &variable) : Input(count, make) {
        cudaGetSymbolAddress((void **)&device, variable);
        cudaMemcpy(device, own, count * sizeof(T), cudaMemcpyDeviceToDevice);
    }

    ~Input() {
        cudaFree(own);
    }
};

template <class T> struct Output {
    T *device, *own;
    unsigned count;
    const char *name;
    bool is_unordered = false; // elements may come in any order

    Output(const char *name, unsigned count) : count(count), name(name) {
        cudaMalloc(&device, count * sizeof(T));
        cudaMemset(device, 0, count * sizeof(T));
        own = device;
    }

    template <class S> Output(const char *name, unsigned count, S &variable) : Output(name, count) {
        cudaGetSymbolAddress((void **)&device, variable);
    }

    ~Output() {
        cudaFree(own);
    }

    void report(const char *launch) {
        T *host = (T *)malloc(count * sizeof(T));
        cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost);
        const unsigned long long start = 14695981039346656037ull;
        unsigned long long hash = start, sum = 0;
        for (unsigned i = 0; i < count; i++) {
            make_plain(host[i]);
            for (unsigned b = 0; b < sizeof(T); b++)
                hash = (hash ^ ((unsigned char *)(host + i))[b]) * 1099511628211ull;
            sum += is_unordered ? hash : 0;
            hash = is_unordered ? start : hash;
        }
        hash ^= sum;
        printf("%s %s %016llx\n", launch, name, hash);
        for (unsigned i = 0; dump && i < count; i++) {
            printf("%s %s[%u] = ", launch, name, i);
            show(host[i]);
            printf("\n");
        }
        free(host);
    }
};

static void finish(const char *launch) {
    cudaError_t error = cudaGetLastError(); // of a launch that there wasn't
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error != cudaSuccess) { // and no later launch would work
        fprintf(stderr, "%s: %s\n", launch, cudaGetErrorString(error));
        exit(1);
    }
}

struct Entry {
    int number;
    void (*run)();
};

// program [first [last [dump]]]: runs the kernels whose numbers lie between.
static int run_all(const Entry *entries, int count, unsigned long long seed, int argc,
                   char **argv) {
    int first = argc > 1 ? atoi(argv[1]) : 0, last = argc > 2 ? atoi(argv[2]) : 0x7fffffff;
    dump = argc > 3;
    make_inputs(seed);
    for (int i = 0; i < count; i++) {
        if (entries[i].number < first || entries[i].number > last)
            continue;
        random_state = (seed + (unsigned long long)entries[i].number * 7919) * 2 + 1;
        entries[i].run();
        printf("end %d\n", entries[i].number);
        fflush(stdout);
    }
    return 0;
}
