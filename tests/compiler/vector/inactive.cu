// Lanes that don't take part must not be noticed: they don't load, store, divide or call.
#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

#include "each.h"

// `count` elements, right behind which no memory is.
template <class T> static T *at_end(size_t count) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t size = (count * sizeof(T) + page - 1) / page * page;
    char *memory = (char *)mmap(nullptr, size + 2 * page, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    CHECK(mprotect(memory, page, PROT_NONE) == 0 &&
          mprotect(memory + page + size, page, PROT_NONE) == 0);
    T *array = (T *)(memory + page + size) - count;
    CHECK(cudaHostRegister(memory + page, size, cudaHostRegisterMapped) == cudaSuccess);
    return array;
}

template <class T> __global__ void guarded(const T *in, T *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + 1;
    if (i < n && in[i] > 3)
        out[i] = in[i] * 2;
    out[i < n ? i : 0] += i < n ? in[i] : 0;
}

// The first lanes are out, too: reading from the array's beginning is as wrong.
template <class T> __global__ void shifted(const T *in, T *out, int n) {
    unsigned i = threadIdx.x - 9u;
    if (i < (unsigned)n)
        out[n - 1 - i] = in[n - 1 - i] - in[i];
}

template <class T> __global__ void looped(const T *in, T *out, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        T sum = 0;
        for (int k = i; k < n && k < i + 3; k++)
            sum += in[k];
        out[i] = sum;
    }
}

template <class T> static void test_ends(int n) {
    T *in = at_end<T>(n), *out = at_end<T>(n);
    for (int i = 0; i < n; i++)
        in[i] = (T)(i % 9);
    guarded<<<(n + 1 + 99) / 100, 100>>>(in, out, n);
    SYNC();
    for (int i = 1; i < n; i++)
        CHECK(out[i] == (T)(in[i] + (in[i] > 3 ? in[i] * 2 : in[i] + 1)));
    shifted<<<1, 1024>>>(in, out, n);
    SYNC();
    for (int i = 0; i < n; i++)
        CHECK(out[n - 1 - i] == (T)(in[n - 1 - i] - in[i]));
    looped<<<1, 64>>>(in, out, n);
    SYNC();
    for (int i = 0; i < n; i++)
        CHECK(out[i] == (T)(in[i] + (i + 1 < n ? in[i + 1] : 0) + (i + 2 < n ? in[i + 2] : 0)));
}

struct Divide {
    const int *a, *b;
    BODY int operator()(int t) const {
        int r = -1;
        if (b[t] != 0 && !(a[t] == INT_MIN && b[t] == -1))
            r = a[t] / b[t] + a[t] % b[t];
        unsigned u = (unsigned)b[t];
        return r ^ (u ? (int)(1000u % u) : 7);
    }
};

struct DivideWide {
    const int *a, *b;
    BODY int operator()(int t) const {
        long long x = a[t], y = b[t];
        return y ? (int)(x * 5 / y) : 3;
    }
};

// Only this lane's pointer leads anywhere.
struct Null {
    const int *const *table;
    BODY int operator()(int t) const {
        const int *p = table[t];
        return p ? *p : t;
    }
};

struct Wild {
    const int *in;
    const int *places;
    BODY int operator()(int t) const {
        int i = places[t];
        int r = i >= 0 && i < 1000 ? in[i] : -2;
        for (int k = 0; k < 3 && i >= 0 && i < 1000; k++)
            i = places[i];
        return r + i % 7;
    }
};

// Lanes that are done must not keep a loop going, nor go on walking their lists.
struct List {
    const int *next;
    BODY int operator()(int t) const {
        int steps = 0;
        for (int i = t; i >= 0; i = next[i])
            steps++;
        return steps;
    }
};

int main() {
    for (int n : {1, 5, 31, 32, 33, 100, 500, 1000}) {
        test_ends<int>(n);
        test_ends<float>(n);
        test_ends<unsigned char>(n);
        test_ends<short>(n);
        test_ends<double>(n);
    }
    int *a = managed<int>(1000), *b = managed<int>(1000), *places = managed<int>(1000);
    const int **table = managed<const int *>(1000);
    for (int i = 0; i < 1000; i++) {
        a[i] = i % 4 == 1 ? INT_MIN : i * 1000003;
        b[i] = i % 3 - 1;
        table[i] = i % 5 == 2 ? a + i / 2 : nullptr;
        places[i] = i % 7 == 0 ? INT_MAX - i : i % 7 == 1 ? INT_MIN + i : i * 37 % 1000;
    }
    CHECK_EACH(Divide{a, b});
    CHECK_EACH(DivideWide{a, b});
    CHECK_EACH(Null{table});
    CHECK_EACH(Wild{a, places});
    int *next = managed<int>(1000);
    for (int i = 0; i < 1000; i++)
        next[i] = i % 10 == 0 ? INT_MIN : i - 1;
    CHECK_EACH(List{next});
}
