// Transforms of all kinds against sums in double, with layouts, batches and in place.
#include <cufft.h>
#ifndef _CUFFT_H_ // by which headers of programs know that it has been included
#error
#endif

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "../check.h"

typedef std::complex<double> complex;

struct shape {
    int rank, n[3], batch;
};

static int count_of(const shape &s) {
    int count = 1;
    for (int i = 0; i < s.rank; i++)
        count *= s.n[i];
    return count;
}

// Element `index` of a dense array, transformed as the definition says.
static complex at(const shape &s, const complex *x, int index, int direction) {
    int k[3], count = count_of(s);
    for (int i = s.rank - 1, rest = index; i >= 0; rest /= s.n[i--])
        k[i] = rest % s.n[i];
    complex sum = 0;
    for (int e = 0; e < count; e++) {
        double phase = 0;
        for (int i = s.rank - 1, rest = e; i >= 0; rest /= s.n[i--])
            phase += double(k[i]) * (rest % s.n[i]) / s.n[i];
        sum += x[e] * std::polar(1.0, direction * 2 * M_PI * phase);
    }
    return sum;
}

static double value(int i) {
    return (i * 7919 % 1000) / 500.0 - 1;
}

static void expect(const shape &s, int i, complex found, complex wanted, const char *what) {
    if (std::abs(found - wanted) <= 2e-4 * count_of(s))
        return;
    printf("%s rank %d, %d: %g %g instead of %g %g\n", what, s.rank, i, found.real(), found.imag(),
           wanted.real(), wanted.imag());
    exit(1);
}

template <class Type> static Type *device(const std::vector<Type> &host) {
    Type *memory;
    cudaMalloc(&memory, host.size() * sizeof(Type));
    cudaMemcpy(memory, host.data(), host.size() * sizeof(Type), cudaMemcpyHostToDevice);
    return memory;
}

template <class Type> static void fetch(std::vector<Type> &host, Type *memory) {
    cudaMemcpy(host.data(), memory, host.size() * sizeof(Type), cudaMemcpyDeviceToHost);
}

static void make(cufftHandle *plan, const shape &s, cufftType type) {
    if (s.batch > 1 || s.rank == 1)
        CHECK(cufftPlanMany(plan, s.rank, (int *)s.n, NULL, 1, 0, NULL, 1, 0, type, s.batch));
    else if (s.rank == 2)
        CHECK(cufftPlan2d(plan, s.n[0], s.n[1], type));
    else
        CHECK(cufftPlan3d(plan, s.n[0], s.n[1], s.n[2], type));
}

// Complex forth and back, out of place and in place.
template <class Complex, cufftType type>
static void complex_transforms(const shape &s,
                               cufftResult (*execute)(cufftHandle, Complex *, Complex *, int)) {
    int count = count_of(s), all = count * s.batch;
    std::vector<Complex> host(all), back(all);
    std::vector<complex> x(all);
    for (int i = 0; i < all; i++) {
        host[i].x = value(2 * i);
        host[i].y = value(2 * i + 1);
        x[i] = complex(host[i].x, host[i].y);
    }
    Complex *in = device(host), *out = device(host);
    cufftHandle plan;
    make(&plan, s, type);
    CHECK(execute(plan, in, out, CUFFT_FORWARD));
    CHECK(execute(plan, out, out, CUFFT_INVERSE));
    fetch(back, out);
    for (int i = 0; i < all; i++)
        expect(s, i, complex(back[i].x, back[i].y) / double(count), x[i], "back");
    CHECK(execute(plan, in, in, CUFFT_INVERSE));
    fetch(back, in);
    for (int i = 0; i < all; i += 3)
        expect(s, i, complex(back[i].x, back[i].y),
               at(s, &x[i / count * count], i % count, CUFFT_INVERSE), "inverse");
    CHECK(cufftDestroy(plan));
    cudaFree(in);
    cudaFree(out);
}

// Real forth and back: half of the last dimension is stored, rows are padded in place.
static void real_transforms(const shape &s, bool in_place) {
    int last = s.n[s.rank - 1], half = last / 2 + 1, rows = count_of(s) / last * s.batch;
    int padded = in_place ? 2 * half : last;
    std::vector<float> host(rows * padded, 99.0f), back(rows * padded);
    std::vector<complex> x(rows * last);
    for (int i = 0; i < rows * last; i++)
        x[i] = host[i / last * padded + i % last] = float(value(i));
    std::vector<float2> spectrum(rows * half);
    float *in = device(host);
    float2 *out = in_place ? (float2 *)in : device(spectrum);
    cufftHandle forth, inverse;
    make(&forth, s, CUFFT_R2C);
    make(&inverse, s, CUFFT_C2R);
    CHECK(cufftExecR2C(forth, in, out));
    fetch(spectrum, out);
    int count = count_of(s);
    for (int i = 0; i < rows * half; i += 2) {
        int dense = i / half * last + i % half;
        expect(s, i, complex(spectrum[i].x, spectrum[i].y),
               at(s, &x[dense / count * count], dense % count, CUFFT_FORWARD), "real");
    }
    cudaMemcpy(out, spectrum.data(), spectrum.size() * sizeof(float2), cudaMemcpyHostToDevice);
    CHECK(cufftExecC2R(inverse, out, in));
    fetch(back, in);
    for (int i = 0; i < rows * last; i++)
        expect(s, i, complex(back[i / last * padded + i % last]) / double(count), x[i],
               "real back");
    // On a GPU that of several dimensions may be overwritten.
    const char *on = getenv("GCL_DEVICE");
    bool may_change = on && strcmp(on, "cuda") == 0 && s.rank > 1;
    std::vector<float2> kept(spectrum.size());
    fetch(kept, out);
    for (size_t i = 0; !in_place && !may_change && i < kept.size(); i++)
        expect(s, i, complex(kept[i].x, kept[i].y), complex(spectrum[i].x, spectrum[i].y), "input");
    CHECK(cufftDestroy(forth));
    CHECK(cufftDestroy(inverse));
    cudaFree(in);
}

// Every second element of rows of 20, three columns side by side; what lies between stays.
static void strided() {
    enum { N = 9, STRIDE = 2, DISTANCE = 20, BATCH = 3, SIZE = DISTANCE * BATCH };
    shape s = {1, {N}, BATCH};
    std::vector<float2> host(SIZE), back(SIZE);
    std::vector<complex> x(N * BATCH);
    for (int i = 0; i < SIZE; i++)
        host[i] = make_float2(value(i), value(3 * i));
    for (int i = 0; i < N * BATCH; i++) {
        float2 e = host[i / N * DISTANCE + i % N * STRIDE];
        x[i] = complex(e.x, e.y);
    }
    float2 *in = device(host), *out = device(host);
    int n[] = {N}, embedded[] = {DISTANCE / STRIDE};
    cufftHandle plan;
    size_t size = 1;
    CHECK(cufftCreate(&plan));
    CHECK(cufftMakePlanMany(plan, 1, n, embedded, STRIDE, DISTANCE, embedded, STRIDE, DISTANCE,
                            CUFFT_C2C, BATCH, &size));
    CHECK(cufftExecC2C(plan, in, out, CUFFT_FORWARD));
    fetch(back, out);
    for (int i = 0; i < SIZE; i++) {
        int column = i % DISTANCE;
        bool is_meant = column % STRIDE == 0 && column / STRIDE < N;
        int b = i / DISTANCE;
        expect(s, i, complex(back[i].x, back[i].y),
               is_meant ? at(s, &x[b * N], column / STRIDE, CUFFT_FORWARD)
                        : complex(host[i].x, host[i].y),
               "strided");
    }
    CHECK(cufftDestroy(plan));
}

static void errors() {
    cufftHandle plan;
    float2 *none = NULL;
    int version = 0;
    EXPECT(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
    EXPECT(cufftPlan1d(&plan, 8, (cufftType)1, 1) == CUFFT_INVALID_TYPE);
    EXPECT(cufftExecC2C(777, none, none, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
    CHECK(cufftPlan1d(&plan, 8, CUFFT_C2C, 1));
    EXPECT(cufftExecC2C(plan, none, none, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
    EXPECT(cufftExecR2C(plan, (float *)&version, none) == CUFFT_INVALID_TYPE);
    CHECK(cufftDestroy(plan));
    EXPECT(cufftDestroy(plan) == CUFFT_INVALID_PLAN);
    CHECK(cufftGetVersion(&version));
}

int main() {
    const shape shapes[] = {{1, {16}, 1},      {1, {15}, 4},      {2, {6, 10}, 1}, {2, {5, 7}, 2},
                            {3, {4, 3, 6}, 1}, {3, {3, 4, 5}, 2}, {1, {1}, 1}};
    for (const shape &s : shapes) {
        complex_transforms<float2, CUFFT_C2C>(s, cufftExecC2C);
        complex_transforms<double2, CUFFT_Z2Z>(s, cufftExecZ2Z);
        real_transforms(s, false);
        real_transforms(s, true);
    }
    strided();
    errors();
    return 0;
}
