// Members of structures, which lanes load and store together.
#include <climits>

#include "each.h"

struct Mixed {
    int a;
    float b;
    short c;
    unsigned char d, e;
    double f;
};

static BODY int sum(int4 v) {
    return v.x + 3 * v.y + 5 * v.z + 7 * v.w;
}

static BODY int sum(int2 v) {
    return v.x + 3 * v.y;
}

static BODY int sum(float2 v) {
    return (int)v.x + 3 * (int)v.y;
}

static BODY int sum(float4 v) {
    return (int)v.x + 3 * (int)v.y + 5 * (int)v.z + 7 * (int)v.w;
}

static BODY int sum(short4 v) {
    return v.x + 3 * v.y + 5 * v.z + 7 * v.w;
}

static BODY int sum(uchar4 v) {
    return v.x + 3 * v.y + 5 * v.z + 7 * v.w;
}

static BODY int sum(double2 v) {
    return (int)v.x + 3 * (int)v.y;
}

static BODY int sum(float3 v) {
    return (int)v.x + 3 * (int)v.y + 5 * (int)v.z;
}

static BODY int sum(Mixed v) {
    return v.a + 3 * (int)v.b + 5 * v.c + 7 * v.d + 11 * v.e + 13 * (int)v.f;
}

template <class T> struct InOrder {
    const T *in;
    BODY int operator()(int t) const {
        return sum(in[t]);
    }
};

template <class T> struct Some {
    const T *in;
    BODY int operator()(int t) const {
        return t % 3 ? sum(in[t]) : t % 7 ? sum(in[t + 1]) : -1;
    }
};

template <class T> struct Anywhere {
    const T *in;
    unsigned times;
    BODY int operator()(int t) const {
        unsigned i = (unsigned)t * times % 1000;
        return sum(in[i]) - sum(in[999 - i]);
    }
};

// The index may wrap, as far as the compiler knows.
template <class T> struct Unsure {
    const T *in;
    unsigned begin;
    BODY int operator()(int t) const {
        return sum(in[(unsigned)t + begin]);
    }
};

struct Members {
    const int4 *in;
    BODY int operator()(int t) const {
        return in[t].y - in[t].w + in[t + 1].x * 2 + in[t].y;
    }
};

// Members in another order than they lie in.
struct Backwards {
    const int4 *in;
    const int *order;
    BODY int operator()(int t) const {
        const int4 *v = &in[order[t]];
        int sum = v->w;
        sum = sum * 3 + v->z;
        sum = sum * 5 + v->y;
        return sum * 7 + v->x + in[t].w * 11 + in[t].x;
    }
};

struct Pairs {
    const int *in;
    BODY int operator()(int t) const {
        return in[t] + 2 * in[t + 1] + 3 * in[t + 2] + in[2 * t];
    }
};

// Neighbours by what is added to an index, on both sides of it, as far as sums don't wrap.
struct Elements {
    const int *in;
    unsigned from;
    BODY int operator()(int t) const {
        int sum = in[4 * t] + 3 * in[4 * t + 1] + 5 * in[4 * t + 2] + 7 * in[4 * t + 3];
        unsigned i = 2 * (unsigned)t + from;
        return sum + 11 * in[i + 6] + 13 * in[i + 7] + 17 * in[2 * t + 9] + 19 * in[2 * t + 8];
    }
};

// Each load has a neighbour before and behind it, but there are three of them.
struct Three {
    const int *in;
    BODY int operator()(int t) const {
        int first = in[4 * t], last = in[4 * t + 2], middle = in[4 * t + 1];
        return first + 3 * last + 5 * middle;
    }
};

// A store between the loads changes what the second one gets.
struct Between {
    int *data;
    BODY int operator()(int t) const {
        int *mine = data + 4 * t;
        mine[0] = t;
        mine[1] = 2 * t;
        int before = mine[0];
        mine[1] = 5 * t;
        int after = mine[1];
        mine[0] = 9;
        return before + 1000 * after + mine[0];
    }
};

template <class T> __global__ void copy(T *out, const T *in, int n, int step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 5 != step)
        out[i] = in[i * step % n];
}

__global__ void store_backwards(int4 *out, const int *order) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int4 *v = &out[order[i]];
    v->w = i;
    v->z = 2 * i;
    v->x = 3 * i;
    v->y = 4 * i;
}

// The last index that is stored to comes first; those of `wraps` go from the highest to 0.
__global__ void store_elements(int *out, const int *in, unsigned wraps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
    out[4 * i + 3] = c;
    out[4 * i + 2] = b;
    out[4 * i] = a;
    out[4 * i + 1] = a + b;
    unsigned far = 2 * (unsigned)i + wraps;
    out[far + 4001] = c;
    out[far + 4002] = b;
}

template <class T> __global__ void turn(T *out, const T *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        T v = in[i];
        auto x = v.x;
        v.x = v.y;
        v.y = x;
        out[n - 1 - i] = v;
    }
}

template <class T> static T number(int i) {
    T v;
    memset(&v, 0, sizeof v);
    v.x = (decltype(v.x))(i % 100 + 1);
    v.y = (decltype(v.y))(i * 7 % 120);
    return v;
}

template <> int4 number<int4>(int i) {
    return {i, 3 * i, -i, 1 - 2 * i};
}

template <> float4 number<float4>(int i) {
    return {(float)i, (float)(3 * i), (float)-i, (float)(1 - 2 * i)};
}

template <> Mixed number<Mixed>(int i) {
    return {i, (float)(2 * i), (short)-i, (unsigned char)i, (unsigned char)(i / 3), 1.0 * i};
}

template <class T> static T *numbers() {
    T *data = managed<T>(3100);
    for (int i = 0; i < 3100; i++)
        data[i] = number<T>(i);
    return data;
}

static void check_elements() {
    enum { N = 1000 };
    int *in = (int *)numbers<int4>(), *out = managed<int>(4 * N + 2 * N + 2);
    for (int block : {8, 40, 250, 1000}) {
        memset(out, 0x55, (6 * N + 2) * sizeof(int));
        store_elements<<<N / block, block>>>(out, in, UINT_MAX);
        SYNC();
        for (int i = 0; i < N; i++) {
            int a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
            CHECK(out[4 * i] == a && out[4 * i + 1] == a + b && out[4 * i + 2] == b);
            CHECK(out[4 * i + 3] == c && out[4 * N + 2 * i] == c && out[4 * N + 2 * i + 1] == b);
        }
    }
}

template <class T> static void check_loads() {
    T *in = numbers<T>();
    CHECK_EACH(InOrder<T>{in});
    CHECK_EACH(Some<T>{in});
    CHECK_EACH(Anywhere<T>{in, 7});
    CHECK_EACH(Unsure<T>{in, 3});
    cudaFree(in);
}

template <class T> static void check_stores() {
    enum { N = 1000 };
    T *in = numbers<T>(), *out = managed<T>(N);
    for (int block : {1, 7, 33, 64, 256, 1000}) {
        for (int step : {1, 3, 7}) {
            memset(out, 0x55, N * sizeof(T));
            copy<<<(N + block - 1) / block, block>>>(out, in, N, step);
            SYNC();
            for (int i = 0; i < N; i++) {
                T expected;
                memset(&expected, 0x55, sizeof expected);
                if (i % 5 != step)
                    expected = in[i * step % N];
                CHECK(sum(out[i]) == sum(expected));
            }
        }
    }
}

template <class T> static void check_turns() {
    enum { N = 1000 };
    T *in = numbers<T>(), *out = managed<T>(N);
    for (int block : {7, 64, 256}) {
        memset(out, 0x55, N * sizeof(T));
        turn<<<(N + block - 1) / block, block>>>(out, in, N);
        SYNC();
        for (int i = 0; i < N; i++)
            CHECK(out[N - 1 - i].x == in[i].y && out[N - 1 - i].y == in[i].x);
    }
}

int main() {
    check_loads<int2>();
    check_loads<int4>();
    check_loads<float2>();
    check_loads<float3>();
    check_loads<float4>();
    check_loads<short4>();
    check_loads<uchar4>();
    check_loads<double2>();
    check_loads<Mixed>();
    CHECK_EACH(Members{numbers<int4>()});
    int *order = managed<int>(1000);
    for (int i = 0; i < 1000; i++)
        order[i] = i * 7 % 1000;
    CHECK_EACH(Backwards{numbers<int4>(), order});
    CHECK_EACH(Pairs{(int *)numbers<int4>()});
    CHECK_EACH(Elements{(int *)numbers<int4>(), UINT_MAX - 3});
    CHECK_EACH(Three{(int *)numbers<int4>()});
    check_elements();
    CHECK_EACH(Between{managed<int>(4096)});
    int4 *out = managed<int4>(1000);
    store_backwards<<<4, 250>>>(out, order);
    SYNC();
    for (int i = 0; i < 1000; i++) {
        int4 v = out[order[i]];
        CHECK(v.x == 3 * i && v.y == 4 * i && v.z == 2 * i && v.w == i);
    }
    check_stores<int2>();
    check_stores<int4>();
    check_stores<float3>();
    check_stores<uchar4>();
    check_stores<double2>();
    check_stores<Mixed>();
    check_turns<int2>();
    check_turns<float4>();
    check_turns<uchar4>();
    check_turns<double2>();
}
