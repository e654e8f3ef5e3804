// Lanes that lie close together, in an order that follows from bits that all of them share; and
// such as only seem to.
#include "../device/check.h"

#define BODY __host__ __device__

// What is loaded takes whole pages, with none behind them.
enum { MOST = 1024, LENGTH = 4 * MOST, LOADED = 17 * MOST };

// Where thread t is, by bits u. Stores go to all of them.
struct Butterfly {
    static BODY unsigned place(unsigned t, unsigned u) {
        return 2 * t - (t & (u - 1));
    }
};
struct Twisted {
    static BODY unsigned place(unsigned t, unsigned u) {
        return t ^ u;
    }
};
struct Apart {
    static BODY unsigned place(unsigned t, unsigned u) {
        return 2 * (u ^ t);
    }
};
struct Doubled {
    static BODY unsigned place(unsigned t, unsigned u) {
        return 2 * t - (u | t) + 127;
    }
};
struct Padded {
    static BODY unsigned place(unsigned t, unsigned u) {
        return t + (t >> (u & 7));
    }
};
struct Widened {
    static BODY unsigned place(unsigned t, unsigned u) {
        return 3 * t - (t >> (u & 7)) + 1;
    }
};
struct Reversed {
    static BODY int place(int t, int u) {
        return 2 * MOST + 10 - 2 * t + (t & (u - 1));
    }
};
struct Both {
    static BODY int place(int t, int u) {
        return 2 * t - (t & u) + (t ^ u) - (t | u);
    }
};
// The number that is taken apart isn't a multiple of the lanes in the first one.
struct Moved {
    static BODY unsigned place(unsigned t, unsigned u) {
        return 2 * t - ((t + 3) & u) + 128;
    }
};
struct MovedAndTwisted {
    static BODY unsigned place(unsigned t, unsigned u) {
        return 2 * t + 4 - ((t + 5) ^ u) + 256;
    }
};

template <class Places> __global__ void load(unsigned *out, const unsigned *in, unsigned u) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[Places::place(t, u)];
}

// Only what is below `most` is there.
__global__ void load_some(unsigned *out, const unsigned *in, const unsigned *places, unsigned u,
                          unsigned most) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned result = t;
    if (places[t] < most)
        result = in[Butterfly::place(t, u)];
    out[t] = result;
}

struct Stores {
    float *out;
    const float *in;
    const unsigned *marks;
    unsigned begin, mask;
};

template <class Places> __global__ void store(Stores s, unsigned u) {
    unsigned t = threadIdx.x;
    float value = s.in[t];
    if ((s.marks[t] & s.mask) == 0)
        s.out[Places::place(s.begin + t, u)] = value;
}

// Some places of the first 40 threads, which do nothing, are below 0.
__global__ void store_late(float *out, const float *in, unsigned u) {
    unsigned t = threadIdx.x;
    float value = in[t];
    if (t >= 40)
        out[2 * t - (t & u) - 64] = value;
}

// The same for the first 32 threads, and what others do is far away.
__global__ void store_far(float *out, const float *in, unsigned shift) {
    unsigned t = threadIdx.x;
    float value = in[t];
    if (t >= 32)
        out[700 * (t >> shift) + (t & ((1u << shift) - 1)) - 1100] = value;
}

// Sorts numbers in steps of pairs.
__global__ void sort(unsigned *numbers) {
    __shared__ unsigned shared[2 * MOST];
    unsigned t = threadIdx.x, n = 2 * blockDim.x;
    unsigned *begin = numbers + blockIdx.x * n;
    shared[t] = begin[t];
    shared[t + blockDim.x] = begin[t + blockDim.x];
    __syncthreads();
    for (unsigned k = 2; k <= n; k *= 2) {
        for (unsigned j = k / 2; j > 0; j /= 2) {
            unsigned i = Butterfly::place(t, j), low = shared[i], high = shared[i + j];
            if ((low > high) == ((i & k) == 0)) {
                shared[i] = high;
                shared[i + j] = low;
            }
            __syncthreads();
        }
    }
    begin[t] = shared[t];
    begin[t + blockDim.x] = shared[t + blockDim.x];
}

static const unsigned sizes[] = {7, 33, 96, 512, MOST};
static const unsigned shared_bits[] = {1, 2, 3, 4, 5, 8, 15, 16, 31, 32, 33, 63, 64, 127};

// One past the last place.
template <class Places> static unsigned length_of(unsigned u) {
    unsigned length = 0;
    for (unsigned t = 0; t < MOST; t++)
        length = Places::place(t, u) + 1u > length ? Places::place(t, u) + 1u : length;
    return length;
}

// Of `all`, the first or the last elements.
template <class Places> static void check_loads(const unsigned *all, unsigned u, bool at_end) {
    unsigned *out = managed<unsigned>(MOST);
    const unsigned *in = at_end ? all + LOADED - length_of<Places>(u) : all;
    for (unsigned size : sizes) {
        load<Places><<<MOST / size, size>>>(out, in, u);
        SYNC();
        for (unsigned t = 0; t < MOST / size * size; t++)
            CHECK(out[t] == in[Places::place(t, u)]);
    }
    cudaFree(out);
}

static void check_some_loads(unsigned u, unsigned most) {
    unsigned *out = managed<unsigned>(MOST), *places = managed<unsigned>(MOST);
    unsigned *in = managed<unsigned>(LOADED) + LOADED - most;
    for (unsigned i = 0; i < most; i++)
        in[i] = i * 2654435761u;
    for (unsigned t = 0; t < MOST; t++)
        places[t] = Butterfly::place(t, u);
    for (unsigned size : sizes) {
        load_some<<<MOST / size, size>>>(out, in, places, u, most);
        SYNC();
        for (unsigned t = 0; t < MOST / size * size; t++)
            CHECK(out[t] == (places[t] < most ? in[places[t]] : t));
    }
    cudaFree(in + most - LOADED);
    cudaFree(out);
    cudaFree(places);
}

// What is there afterwards, lanes that don't store and what lies around all included.
template <class Places> static void check_stores(Stores s, unsigned u, unsigned size) {
    float expected[LENGTH];
    for (unsigned i = 0; i < LENGTH; i++)
        s.out[i] = expected[i] = -(float)i;
    for (unsigned t = 0; t < size; t++) {
        if ((s.marks[t] & s.mask) == 0)
            expected[Places::place(s.begin + t, u)] = s.in[t];
    }
    store<Places><<<1, size>>>(s, u);
    SYNC();
    for (unsigned i = 0; i < LENGTH; i++)
        CHECK(s.out[i] == expected[i]);
}

template <class Places> static void check_places() {
    float *out = managed<float>(LENGTH), *in = managed<float>(MOST);
    unsigned *marks = managed<unsigned>(MOST), *numbers = managed<unsigned>(LOADED);
    for (unsigned t = 0; t < MOST; t++) {
        in[t] = (float)t + 0.5f;
        marks[t] = t * 2654435761u >> 16;
    }
    for (unsigned i = 0; i < LOADED; i++)
        numbers[i] = i * 2654435761u;
    for (unsigned u : shared_bits) {
        check_loads<Places>(numbers, u, false);
        check_loads<Places>(numbers, u, true);
        for (unsigned size : sizes) {
            for (unsigned mask : {0u, 1u, 3u, 31u, 0xffffu}) {
                check_stores<Places>({out, in, marks, 0, mask}, u, size);
                check_stores<Places>({out, in, marks, 5, mask}, u, size);
            }
        }
    }
    cudaFree(out);
    cudaFree(in);
    cudaFree(marks);
    cudaFree(numbers);
}

static void check_late(unsigned u) {
    float *out = managed<float>(LENGTH), *in = managed<float>(MOST), expected[LENGTH];
    for (unsigned t = 0; t < MOST; t++)
        in[t] = (float)t;
    for (unsigned size : {64u, 96u}) {
        for (unsigned i = 0; i < LENGTH; i++)
            out[i] = expected[i] = -1;
        store_late<<<1, size>>>(out, in, u);
        store_far<<<1, size>>>(out + LENGTH / 4, in, 4);
        SYNC();
        for (unsigned t = 40; t < size; t++)
            expected[2 * t - (t & u) - 64] = in[t];
        for (unsigned t = 32; t < size; t++)
            expected[LENGTH / 4 + 700 * (t >> 4) + (t & 15) - 1100] = in[t];
        for (unsigned i = 0; i < LENGTH; i++)
            CHECK(out[i] == expected[i]);
    }
    cudaFree(out);
    cudaFree(in);
}

// Sizes that are known when compiling.
static void launch_sort(unsigned *numbers, unsigned blocks, unsigned size) {
    if (size == 128)
        sort<<<blocks, 128>>>(numbers);
    else if (size == 512)
        sort<<<blocks, 512>>>(numbers);
    else
        sort<<<blocks, size>>>(numbers);
}

static void check_sort(unsigned size) {
    unsigned blocks = 3, *numbers = managed<unsigned>(blocks * 2 * size);
    for (unsigned i = 0; i < blocks * 2 * size; i++)
        numbers[i] = i * 2654435761u >> 8;
    launch_sort(numbers, blocks, size);
    SYNC();
    for (unsigned i = 1; i < blocks * 2 * size; i++)
        CHECK(i % (2 * size) == 0 || numbers[i - 1] <= numbers[i]);
    cudaFree(numbers);
}

int main() {
    check_places<Butterfly>();
    check_places<Twisted>();
    check_places<Apart>();
    check_places<Doubled>();
    check_places<Padded>();
    check_places<Widened>();
    check_places<Reversed>();
    check_places<Both>();
    check_places<Moved>();
    check_places<MovedAndTwisted>();
    for (unsigned u : shared_bits) {
        check_late(u & 15);
        check_some_loads(u, 1000 + u);
    }
    for (unsigned size : {8u, 32u, 128u, 512u, 1024u})
        check_sort(size);
}
