// Matrices with a structure, in full, as a band and packed, with vectors and with each other:
// what they compute against the matrix that they stand for.
#include "blas.h"

static cublasHandle_t handle;

enum storage { FULL, BAND, PACKED };
enum kind { TRIANGULAR, UNIT_TRIANGULAR, SYMMETRIC, HERMITIAN };

// A matrix of order n of which a triangle is stored, `beside` diagonals of it in a band.
template <class T> struct matrix {
    storage form;
    kind is;
    cublasFillMode_t part;
    int n, beside, lda;
    shared<T> a;

    matrix(storage form, kind is, cublasFillMode_t part, int n, int beside)
        : form(form), is(is), part(part), n(n), beside(form == BAND ? beside : n),
          lda(form == BAND ? beside + 2 : n + 1),
          a(form == PACKED ? n * (n + 1) / 2 : (size_t)lda * n) {
        for (int i = 0; i < n; i++) // of systems: no small divisors
            assign(a.host[index(i, i)], is == TRIANGULAR ? number(8) : a.at(index(i, i)).real());
        a.give();
    }

    // Of an element that is stored.
    size_t index(int i, int j) const {
        bool is_upper = part == CUBLAS_FILL_MODE_UPPER;
        if (form == FULL)
            return i + (size_t)j * lda;
        if (form == BAND)
            return (is_upper ? beside + i - j : i - j) + (size_t)j * lda;
        return is_upper ? i + (size_t)j * (j + 1) / 2 : i + (size_t)j * (2 * n - j - 1) / 2;
    }

    number operator()(int i, int j) const {
        if (i == j && is == UNIT_TRIANGULAR)
            return 1;
        if (std::abs(i - j) > beside)
            return 0;
        if (part == CUBLAS_FILL_MODE_UPPER ? i <= j : i >= j)
            return a.at(index(i, j));
        if (is == SYMMETRIC)
            return a.at(index(j, i));
        return is == HERMITIAN ? std::conj(a.at(index(j, i))) : 0;
    }
    number op(cublasOperation_t operation, int i, int j) const {
        return operation == CUBLAS_OP_N   ? (*this)(i, j)
               : operation == CUBLAS_OP_T ? (*this)(j, i)
                                          : std::conj((*this)(j, i));
    }
};

// A vector with a step.
template <class T> struct stepping {
    int n, step;
    shared<T> x;
    stepping(int n, int step) : n(n), step(step), x((size_t)(n - 1) * abs(step) + 1) {
    }
    size_t index(int i) const {
        return (size_t)(step > 0 ? i : i - n + 1) * step;
    }
    number operator()(int i) const {
        return x.at(index(i));
    }
    void set(int i, number z) {
        assign(x.host[index(i)], z);
    }
};

static const cublasFillMode_t parts[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};

// Runs `call` on x, which should become `multiplied` op(A) x or, of a system, what becomes of it.
template <class T, class Call>
static void triangular(storage form, bool is_system, double error, const Call &call) {
    for (int way = 0; way < 12; way++) {
        kind is = way & 1 ? UNIT_TRIANGULAR : TRIANGULAR;
        cublasOperation_t operation = (cublasOperation_t)(way / 4);
        matrix<T> a(form, is, parts[way / 2 % 2], 23, is == UNIT_TRIANGULAR && is_system ? 1 : 5);
        if (is_system)
            for (T &x : a.a.host)
                assign(x, value(x) / 8.0);
        a.a.give();
        stepping<T> x(a.n, way % 3 ? -2 : 1);
        CHECK(call(a.part, operation,
                   is == UNIT_TRIANGULAR ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, a.n,
                   form == BAND ? a.beside : a.lda, a, x));
        std::vector<number> expected(a.n);
        std::vector<T> taken = x.x.take();
        for (int i = 0; i < a.n; i++)
            for (int j = 0; j < a.n; j++)
                expected[i] +=
                    a.op(operation, i, j) * (is_system ? value(taken[x.index(j)]) : x(j));
        for (int i = 0; i < a.n; i++)
            EXPECT(is_system ? is_close(expected[i], x(i), error)
                             : is_close(value(taken[x.index(i)]), expected[i], error));
    }
}

template <class T, class Call> static void symmetric(storage form, kind is, const Call &call) {
    for (int way = 0; way < 4; way++) {
        matrix<T> a(form, is, parts[way & 1], 29, 4);
        stepping<T> x(a.n, way & 2 ? -1 : 3), y(a.n, way & 2 ? 2 : -1);
        T alpha, beta;
        assign(alpha, {2, 1});
        assign(beta, {-1, 1});
        CHECK(call(a, &alpha, x, &beta, y));
        std::vector<number> expected(a.n);
        for (int i = 0; i < a.n; i++) {
            for (int j = 0; j < a.n; j++)
                expected[i] += a(i, j) * x(j);
            expected[i] = value(alpha) * expected[i] + value(beta) * y(i);
        }
        for (int i = 0; i < a.n; i++)
            y.set(i, expected[i]);
        EXPECT(agree(y.x));
    }
}

// A += alpha x y' + other y x', on a triangle; y' is y's transpose or its conjugate's.
template <class T, class R, class Call>
static void update(storage form, kind is, bool has_y, const Call &call) {
    for (int way = 0; way < 4; way++) {
        matrix<T> a(form, is, parts[way & 1], 19, 0);
        stepping<T> x(a.n, way & 2 ? -1 : 3), y(a.n, way & 2 ? 2 : -1);
        R alpha;
        assign(alpha, {2, 3});
        CHECK(call(a, &alpha, x, y));
        auto second = [&](number z) { return is == HERMITIAN ? std::conj(z) : z; };
        for (int j = 0; j < a.n; j++)
            for (int i = 0; i < a.n; i++) {
                if (a.part == CUBLAS_FILL_MODE_UPPER ? i > j : i < j)
                    continue;
                number change = has_y ? value(alpha) * x(i) * second(y(j)) +
                                            second(value(alpha)) * y(i) * second(x(j))
                                      : value(alpha) * x(i) * second(x(j));
                assign(a.a.host[a.index(i, j)], a.a.at(a.index(i, j)) + change);
            }
        EXPECT(agree(a.a));
    }
}

#define TRIANGLES(L, T, error)                                                                     \
    {                                                                                              \
        auto full = [](auto f) {                                                                   \
            return [f](auto part, auto op, auto diag, int n, int, auto &a, auto &x) {              \
                return f(handle, part, op, diag, n, a.a.device, a.lda, x.x.device, x.step);        \
            };                                                                                     \
        };                                                                                         \
        auto band = [](auto f) {                                                                   \
            return [f](auto part, auto op, auto diag, int n, int k, auto &a, auto &x) {            \
                return f(handle, part, op, diag, n, k, a.a.device, a.lda, x.x.device, x.step);     \
            };                                                                                     \
        };                                                                                         \
        auto packed = [](auto f) {                                                                 \
            return [f](auto part, auto op, auto diag, int n, int, auto &a, auto &x) {              \
                return f(handle, part, op, diag, n, a.a.device, x.x.device, x.step);               \
            };                                                                                     \
        };                                                                                         \
        triangular<T>(FULL, false, error, full(cublas##L##trmv));                                  \
        triangular<T>(FULL, true, error, full(cublas##L##trsv));                                   \
        triangular<T>(BAND, false, error, band(cublas##L##tbmv));                                  \
        triangular<T>(BAND, true, error, band(cublas##L##tbsv));                                   \
        triangular<T>(PACKED, false, error, packed(cublas##L##tpmv));                              \
        triangular<T>(PACKED, true, error, packed(cublas##L##tpsv));                               \
    }

#define MULTIPLY_FULL(L, T, name, is)                                                              \
    symmetric<T>(FULL, is, [](auto &a, auto *alpha, auto &x, auto *beta, auto &y) {                \
        return cublas##L##name(handle, a.part, a.n, alpha, a.a.device, a.lda, x.x.device, x.step,  \
                               beta, y.x.device, y.step);                                          \
    });
#define MULTIPLY_BAND(L, T, name, is)                                                              \
    symmetric<T>(BAND, is, [](auto &a, auto *alpha, auto &x, auto *beta, auto &y) {                \
        return cublas##L##name(handle, a.part, a.n, a.beside, alpha, a.a.device, a.lda,            \
                               x.x.device, x.step, beta, y.x.device, y.step);                      \
    });
#define MULTIPLY_PACKED(L, T, name, is)                                                            \
    symmetric<T>(PACKED, is, [](auto &a, auto *alpha, auto &x, auto *beta, auto &y) {              \
        return cublas##L##name(handle, a.part, a.n, alpha, a.a.device, x.x.device, x.step, beta,   \
                               y.x.device, y.step);                                                \
    });
#define ADD(L, T, R, name, is)                                                                     \
    update<T, R>(FULL, is, false, [](auto &a, auto *alpha, auto &x, auto &) {                      \
        return cublas##L##name(handle, a.part, a.n, alpha, x.x.device, x.step, a.a.device, a.lda); \
    });
#define ADD_2(L, T, name, is)                                                                      \
    update<T, T>(FULL, is, true, [](auto &a, auto *alpha, auto &x, auto &y) {                      \
        return cublas##L##name(handle, a.part, a.n, alpha, x.x.device, x.step, y.x.device, y.step, \
                               a.a.device, a.lda);                                                 \
    });
#define ADD_PACKED(L, T, R, name, name2, is)                                                       \
    update<T, R>(PACKED, is, false, [](auto &a, auto *alpha, auto &x, auto &) {                    \
        return cublas##L##name(handle, a.part, a.n, alpha, x.x.device, x.step, a.a.device);        \
    });                                                                                            \
    update<T, T>(PACKED, is, true, [](auto &a, auto *alpha, auto &x, auto &y) {                    \
        return cublas##L##name2(handle, a.part, a.n, alpha, x.x.device, x.step, y.x.device,        \
                                y.step, a.a.device);                                               \
    });

template <class T, class Call> static void outer(bool conjugated, const Call &call) {
    int m = 17, n = 11, lda = 20;
    stepping<T> x(m, 2), y(n, -3);
    shared<T> a((size_t)lda * n);
    T alpha;
    assign(alpha, {2, 1});
    CHECK(call(m, n, &alpha, x, y, a.device, lda));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            assign(a.host[i + j * lda],
                   a.at(i + j * lda) + value(alpha) * x(i) * (conjugated ? std::conj(y(j)) : y(j)));
    EXPECT(agree(a));
}

// A band around the diagonal of a matrix that isn't square.
template <class T, class Call> static void banded(const Call &call) {
    int m = 21, n = 15, below = 3, above = 2, lda = 7;
    for (int operation = 0; operation < 3; operation++) {
        bool is_plain = operation == CUBLAS_OP_N;
        shared<T> a((size_t)lda * n);
        stepping<T> x(is_plain ? n : m, 1), y(is_plain ? m : n, -2);
        T alpha, beta;
        assign(alpha, {2, 1});
        assign(beta, {1, -1});
        CHECK(call((cublasOperation_t)operation, m, n, below, above, &alpha, a.device, lda, x,
                   &beta, y));
        std::vector<number> expected(y.n);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                if (i - j > below || j - i > above)
                    continue;
                number e = a.at(above + i - j + j * lda);
                if (is_plain)
                    expected[i] += e * x(j);
                else
                    expected[j] += (operation == CUBLAS_OP_C ? std::conj(e) : e) * x(i);
            }
        for (int i = 0; i < y.n; i++)
            y.set(i, value(alpha) * expected[i] + value(beta) * y(i));
        EXPECT(agree(y.x));
    }
}

#define OUTER(L, T, name, conjugated)                                                              \
    outer<T>(conjugated, [](int m, int n, auto *alpha, auto &x, auto &y, auto *a, int lda) {       \
        return cublas##L##name(handle, m, n, alpha, x.x.device, x.step, y.x.device, y.step, a,     \
                               lda);                                                               \
    });
#define BANDED(L, T)                                                                               \
    banded<T>([](auto op, int m, int n, int below, int above, auto *alpha, auto *a, int lda,       \
                 auto &x, auto *beta, auto &y) {                                                   \
        return cublas##L##gbmv(handle, op, m, n, below, above, alpha, a, lda, x.x.device, x.step,  \
                               beta, y.x.device, y.step);                                          \
    });

#define EVERY(L, T, error)                                                                         \
    TRIANGLES(L, T, error)                                                                         \
    MULTIPLY_FULL(L, T, symv, SYMMETRIC)                                                           \
    ADD(L, T, T, syr, SYMMETRIC)                                                                   \
    ADD_2(L, T, syr2, SYMMETRIC)                                                                   \
    BANDED(L, T)
#define REAL(L, T, error)                                                                          \
    EVERY(L, T, error)                                                                             \
    MULTIPLY_BAND(L, T, sbmv, SYMMETRIC)                                                           \
    MULTIPLY_PACKED(L, T, spmv, SYMMETRIC)                                                         \
    ADD_PACKED(L, T, T, spr, spr2, SYMMETRIC)                                                      \
    OUTER(L, T, ger, false)
#define COMPLEX(L, T, R, error)                                                                    \
    EVERY(L, T, error)                                                                             \
    MULTIPLY_FULL(L, T, hemv, HERMITIAN)                                                           \
    MULTIPLY_BAND(L, T, hbmv, HERMITIAN)                                                           \
    MULTIPLY_PACKED(L, T, hpmv, HERMITIAN)                                                         \
    ADD(L, T, R, her, HERMITIAN)                                                                   \
    ADD_2(L, T, her2, HERMITIAN)                                                                   \
    ADD_PACKED(L, T, R, hpr, hpr2, HERMITIAN)                                                      \
    OUTER(L, T, geru, false)                                                                       \
    OUTER(L, T, gerc, true)

int main() {
    CHECK(cublasCreate(&handle));
    REAL(S, float, 2e-4)
    REAL(D, double, 1e-10)
    COMPLEX(C, cuComplex, float, 2e-4)
    COMPLEX(Z, cuDoubleComplex, double, 1e-10)
    CHECK(cublasDestroy(handle));
    return 0;
}
