// cuBLAS' first interface: what its functions do is what those with a handle do.
#include <cublas.h>

#include "blas.h"

enum { N = 6, LD = 8, COUNT = LD * N };

static cublasHandle_t handle;

// Device memory that both ways begin with alike.
template <class T> struct operands {
    shared<T> a{COUNT}, b{COUNT}, c{COUNT}, x{COUNT}, y{COUNT};

    operands() {
        for (int i = 0; i < N; i++) { // systems that have solutions
            assign(a.host[i + i * LD], 64);
            assign(a.host[i * (i + 3) / 2], 64);
        }
        give();
    }
    void give() {
        for (shared<T> *each : {&a, &b, &c, &x, &y})
            each->give();
    }
    std::vector<std::vector<T>> take() {
        return {a.take(), b.take(), c.take(), x.take(), y.take()};
    }
};

template <class T>
static bool same(const std::vector<std::vector<T>> &a, const std::vector<std::vector<T>> &b) {
    for (size_t i = 0; i < a.size(); i++)
        if (memcmp(a[i].data(), b[i].data(), a[i].size() * sizeof(T)) != 0)
            return false;
    return true;
}

// Whether both calls leave the same in memory.
#define SAME(old, now)                                                                             \
    do {                                                                                           \
        o.give();                                                                                  \
        auto before = o.take();                                                                    \
        old;                                                                                       \
        CHECK(cublasGetError());                                                                   \
        auto is = o.take();                                                                        \
        EXPECT(!same(is, before));                                                                 \
        o.give();                                                                                  \
        CHECK(now);                                                                                \
        EXPECT(same(is, o.take()));                                                                \
    } while (0)

// Whether both calls result in the same.
#define RESULT(T, old, function, ...)                                                              \
    do {                                                                                           \
        T is = old, should;                                                                        \
        CHECK(cublasGetError());                                                                   \
        CHECK(function(handle, __VA_ARGS__, &should));                                             \
        EXPECT(memcmp(&is, &should, sizeof(T)) == 0 && value(is) != number(0));                    \
    } while (0)

#define A o.a.device, LD
#define B o.b.device, LD
#define C o.c.device, LD
#define X o.x.device, 2
#define Y o.y.device, 3
#define PACKED o.a.device

static const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER, upper = CUBLAS_FILL_MODE_UPPER;
static const cublasOperation_t none = CUBLAS_OP_N, transposed = CUBLAS_OP_T,
                               conjugate = CUBLAS_OP_C;
static const cublasDiagType_t unit = CUBLAS_DIAG_UNIT, general = CUBLAS_DIAG_NON_UNIT;
static const cublasSideMode_t left = CUBLAS_SIDE_LEFT, right = CUBLAS_SIDE_RIGHT;

// Those that all types have, here by letter p of one.
#define ALL(p, i, T, alpha, beta)                                                                  \
    operands<T> o;                                                                                 \
    SAME(cublas##p##scal(N, alpha, X), cublas##p##scal_v2(handle, N, &alpha, X));                  \
    SAME(cublas##p##axpy(N, alpha, X, Y), cublas##p##axpy_v2(handle, N, &alpha, X, Y));            \
    SAME(cublas##p##copy(N, X, Y), cublas##p##copy_v2(handle, N, X, Y));                           \
    SAME(cublas##p##swap(N, X, Y), cublas##p##swap_v2(handle, N, X, Y));                           \
    RESULT(int, cublasI##i##amax(N, X), cublasI##i##amax_v2, N, X);                                \
    RESULT(int, cublasI##i##amin(N, X), cublasI##i##amin_v2, N, X);                                \
    SAME(cublas##p##gemv('t', N, N, alpha, A, X, beta, Y),                                         \
         cublas##p##gemv_v2(handle, transposed, N, N, &alpha, A, X, &beta, Y));                    \
    SAME(cublas##p##gbmv('N', N, N, 1, 2, alpha, A, X, beta, Y),                                   \
         cublas##p##gbmv_v2(handle, none, N, N, 1, 2, &alpha, A, X, &beta, Y));                    \
    SAME(cublas##p##trmv('L', 'C', 'N', N, A, X),                                                  \
         cublas##p##trmv_v2(handle, lower, conjugate, general, N, A, X));                          \
    SAME(cublas##p##trsv('U', 'N', 'N', N, A, X),                                                  \
         cublas##p##trsv_v2(handle, upper, none, general, N, A, X));                               \
    SAME(cublas##p##tbmv('U', 'T', 'U', N, 2, A, X),                                               \
         cublas##p##tbmv_v2(handle, upper, transposed, unit, N, 2, A, X));                         \
    SAME(cublas##p##tbsv('l', 'n', 'u', N, 2, A, X),                                               \
         cublas##p##tbsv_v2(handle, lower, none, unit, N, 2, A, X));                               \
    SAME(cublas##p##tpmv('U', 'T', 'N', N, PACKED, X),                                             \
         cublas##p##tpmv_v2(handle, upper, transposed, general, N, PACKED, X));                    \
    SAME(cublas##p##tpsv('U', 'T', 'N', N, PACKED, X),                                             \
         cublas##p##tpsv_v2(handle, upper, transposed, general, N, PACKED, X));                    \
    SAME(cublas##p##gemm('N', 'c', 5, 4, 3, alpha, A, B, beta, C),                                 \
         cublas##p##gemm_v2(handle, none, conjugate, 5, 4, 3, &alpha, A, B, &beta, C));            \
    SAME(cublas##p##syrk('U', 'T', N, 3, alpha, A, beta, C),                                       \
         cublas##p##syrk_v2(handle, upper, transposed, N, 3, &alpha, A, &beta, C));                \
    SAME(cublas##p##syr2k('L', 'N', N, 3, alpha, A, B, beta, C),                                   \
         cublas##p##syr2k_v2(handle, lower, none, N, 3, &alpha, A, B, &beta, C));                  \
    SAME(cublas##p##symm('R', 'U', 5, 4, alpha, A, B, beta, C),                                    \
         cublas##p##symm_v2(handle, right, upper, 5, 4, &alpha, A, B, &beta, C));                  \
    SAME(cublas##p##trsm('L', 'L', 'N', 'U', N, 3, alpha, A, B),                                   \
         cublas##p##trsm_v2(handle, left, lower, none, unit, N, 3, &alpha, A, B));                 \
    SAME(cublas##p##trmm('R', 'U', 'T', 'N', 5, N, alpha, A, B),                                   \
         cublas##p##trmm_v2(handle, right, upper, transposed, general, 5, N, &alpha, A, B, B));

// Products with symmetric matrices, and what is added to them: sy, sp, sb, or he, hp, hb.
#define SYMMETRIC(p, y, q, b, yr, alpha, beta, real)                                               \
    SAME(cublas##p##y##mv('U', N, alpha, A, X, beta, Y),                                           \
         cublas##p##y##mv_v2(handle, upper, N, &alpha, A, X, &beta, Y));                           \
    SAME(cublas##p##b##mv('L', N, 2, alpha, A, X, beta, Y),                                        \
         cublas##p##b##mv_v2(handle, lower, N, 2, &alpha, A, X, &beta, Y));                        \
    SAME(cublas##p##q##mv('L', N, alpha, PACKED, X, beta, Y),                                      \
         cublas##p##q##mv_v2(handle, lower, N, &alpha, PACKED, X, &beta, Y));                      \
    SAME(cublas##p##yr('U', N, real, X, A), cublas##p##yr##_v2(handle, upper, N, &real, X, A));    \
    SAME(cublas##p##q##r('L', N, real, X, PACKED),                                                 \
         cublas##p##q##r_v2(handle, lower, N, &real, X, PACKED));                                  \
    SAME(cublas##p##yr##2('U', N, alpha, X, Y, A),                                                 \
         cublas##p##yr##2_v2(handle, upper, N, &alpha, X, Y, A));                                  \
    SAME(cublas##p##q##r2('L', N, alpha, X, Y, PACKED),                                            \
         cublas##p##q##r2_v2(handle, lower, N, &alpha, X, Y, PACKED));

static void real() {
    double alpha = 2, beta = -3, param[] = {-1, 1, 2, 3, 4};
    ALL(D, d, double, alpha, beta)
    SYMMETRIC(D, sy, sp, sb, syr, alpha, beta, alpha)
    RESULT(double, cublasDnrm2(N, X), cublasDnrm2_v2, N, X);
    RESULT(double, cublasDasum(N, X), cublasDasum_v2, N, X);
    RESULT(double, cublasDdot(N, X, Y), cublasDdot_v2, N, X, Y);
    SAME(cublasDrot(N, X, Y, alpha, beta), cublasDrot_v2(handle, N, X, Y, &alpha, &beta));
    SAME(cublasDrotm(N, X, Y, param), cublasDrotm_v2(handle, N, X, Y, param));
    SAME(cublasDger(5, 4, alpha, X, Y, A), cublasDger_v2(handle, 5, 4, &alpha, X, Y, A));
    double a = 3, b = 4, c, s, d1 = 1, d2 = 4, x = 2, y = 3;
    cublasDrotg(&a, &b, &c, &s);
    EXPECT(is_close(a, 5, 1e-15) && is_close(c, 0.6, 1e-15) && is_close(s, 0.8, 1e-15));
    cublasDrotmg(&d1, &d2, &x, &y, param);
    EXPECT(param[0] == 1 && is_close(param[1], 1 / 6.0, 1e-15));
    CHECK(cublasGetError());
}

static void complex() {
    cuDoubleComplex alpha = {2, 1}, beta = {-1, 3};
    double r = 2, s = 3;
    ALL(Z, z, cuDoubleComplex, alpha, beta)
    SYMMETRIC(Z, he, hp, hb, her, alpha, beta, r)
    RESULT(double, cublasDznrm2(N, X), cublasDznrm2_v2, N, X);
    RESULT(double, cublasDzasum(N, X), cublasDzasum_v2, N, X);
    RESULT(cuDoubleComplex, cublasZdotu(N, X, Y), cublasZdotu_v2, N, X, Y);
    RESULT(cuDoubleComplex, cublasZdotc(N, X, Y), cublasZdotc_v2, N, X, Y);
    SAME(cublasZdscal(N, r, X), cublasZdscal_v2(handle, N, &r, X));
    SAME(cublasZdrot(N, X, Y, r, s), cublasZdrot_v2(handle, N, X, Y, &r, &s));
    SAME(cublasZrot(N, X, Y, r, alpha), cublasZrot_v2(handle, N, X, Y, &r, &alpha));
    SAME(cublasZgeru(5, 4, alpha, X, Y, A), cublasZgeru_v2(handle, 5, 4, &alpha, X, Y, A));
    SAME(cublasZgerc(5, 4, alpha, X, Y, A), cublasZgerc_v2(handle, 5, 4, &alpha, X, Y, A));
    SAME(cublasZherk('U', 'C', N, 3, r, A, s, C),
         cublasZherk_v2(handle, upper, conjugate, N, 3, &r, A, &s, C));
    SAME(cublasZher2k('L', 'N', N, 3, alpha, A, B, s, C),
         cublasZher2k_v2(handle, lower, none, N, 3, &alpha, A, B, &s, C));
    SAME(cublasZhemm('L', 'U', N, 3, alpha, A, B, beta, C),
         cublasZhemm_v2(handle, left, upper, N, 3, &alpha, A, B, &beta, C));
    cuDoubleComplex a = {3, 0}, b = {4, 0}, sine;
    cublasZrotg(&a, b, &r, &sine);
    EXPECT(is_close(r, 0.6, 1e-15) && is_close(value(sine), 0.8, 1e-15));
    CHECK(cublasGetError());
}

// As programs use it: without cublasInit, with memory and a stream of its own.
static void single() {
    int version = 0;
    CHECK(cublasGetVersion(&version));
    EXPECT(version == CUBLAS_VERSION);
    void *memory;
    CHECK(cublasAlloc(3 * 4, sizeof(cuComplex), &memory));
    cuComplex *z = (cuComplex *)memory, one = {1, 2}, all[12];
    for (int i = 0; i < 12; i++)
        all[i] = {(float)i, 1};
    CHECK(cublasSetVector(12, sizeof(cuComplex), all, 1, z, 1));
    EXPECT(value(cublasCdotu(2, z, 1, z + 2, 1)) == number(1, 6));
    EXPECT(value(cublasCdotc(2, z, 1, z + 2, 1)) == number(5, -4));
    EXPECT(cublasIcamax(12, z, 1) == 12 && cublasScasum(3, z, 1) == 6);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cublasSetKernelStream(stream));
    cublasCscal(12, one, z, 1);
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cublasGetVector(12, sizeof(cuComplex), z, 1, all, 1));
    EXPECT(value(all[3]) == number(1, 7));
    CHECK(cublasSetKernelStream(nullptr));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cublasFree(memory));
    EXPECT(cublasAlloc(0, 4, &memory) == CUBLAS_STATUS_INVALID_VALUE);
}

// A function that returns nothing, or a number, says by cublasGetError what went wrong.
static void errors() {
    float x = 0;
    cublasSgemm('N', 'Q', 1, 1, 1, 1, &x, 1, &x, 1, 0, &x, 1);
    cublasStatus status = cublasGetError();
    EXPECT(status == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasGetError());
    cublasStrsm('L', 'X', 'N', 'N', 1, 1, 1, &x, 1, &x, 1);
    EXPECT(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSdot(-1, nullptr, 1, nullptr, 1) == 0);
    cublasGetError();
    CHECK(cublasShutdown());
    EXPECT(cublasShutdown() == CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK(cublasInit());
    CHECK(cublasInit());
    CHECK(cublasShutdown());
}

int main() {
    single();
    CHECK(cublasCreate_v2(&handle));
    real();
    complex();
    CHECK(cublasDestroy_v2(handle));
    errors();
    return 0;
}
