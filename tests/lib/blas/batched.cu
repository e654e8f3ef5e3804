// Batches of small matrices: LU and QR factors and what is done with them. Matrices lie one behind
// the other, by turns with those of the other operand, or each in an allocation of its own.
#include "blas.h"

static cublasHandle_t handle;

enum layout { BEHIND, BY_TURNS, APART, LAYOUTS };
enum { COUNT = 5 };

// Batches of two operands, and their pointers on the device.
template <class T> struct batches {
    T *memory[2 * COUNT];
    std::vector<T> host[2];
    T *at[2][COUNT];
    T **pointers[2];
    int sizes[2];

    batches(int layout, int first_size, int second_size) : sizes{first_size, second_size} {
        int both = sizes[0] + sizes[1], allocations = layout == APART ? 2 * COUNT : 2;
        for (int i = 0; i < allocations; i++)
            CHECK(cudaMalloc(&memory[i], (layout == APART ? both : COUNT * both) * sizeof(T)));
        for (int o = 0; o < 2; o++) {
            host[o].resize(COUNT * sizes[o]);
            for (T &x : host[o])
                assign(x, random_number());
            for (int i = 0; i < COUNT; i++)
                at[o][i] = layout == APART    ? memory[o * COUNT + i]
                           : layout == BEHIND ? memory[o] + (COUNT - 1 - i) * sizes[o]
                                              : memory[0] + i * both + o * sizes[0];
            CHECK(cudaMalloc(&pointers[o], sizeof at[o]));
            CHECK(cudaMemcpy(pointers[o], at[o], sizeof at[o], cudaMemcpyHostToDevice));
        }
        give();
    }
    void give() {
        for (int o = 0; o < 2; o++)
            for (int i = 0; i < COUNT; i++)
                CHECK(cudaMemcpy(at[o][i], &host[o][i * sizes[o]], sizes[o] * sizeof(T),
                                 cudaMemcpyHostToDevice));
    }
    // Operand `o` as it is on the device.
    std::vector<T> take(int o) const {
        std::vector<T> taken(COUNT * sizes[o]);
        for (int i = 0; i < COUNT; i++)
            CHECK(cudaMemcpy(&taken[i * sizes[o]], at[o][i], sizes[o] * sizeof(T),
                             cudaMemcpyDeviceToHost));
        return taken;
    }
    // What is between columns stays as it was.
    void stays_between(int o, int rows, int leading) const {
        std::vector<T> taken = take(o);
        for (int i = 0; i < COUNT * sizes[o]; i++)
            if (i % sizes[o] % leading >= rows)
                EXPECT(value(taken[i]) == value(host[o][i]));
    }
};

template <class T> struct functions {
    cublasStatus_t (*getrf)(cublasHandle_t, int, T *const *, int, int *, int *, int);
    cublasStatus_t (*getri)(cublasHandle_t, int, const T *const *, int, const int *, T *const *,
                            int, int *, int);
    cublasStatus_t (*getrs)(cublasHandle_t, cublasOperation_t, int, int, const T *const *, int,
                            const int *, T *const *, int, int *, int);
    cublasStatus_t (*matinv)(cublasHandle_t, int, const T *const *, int, T *const *, int, int *,
                             int);
    cublasStatus_t (*geqrf)(cublasHandle_t, int, int, T *const *, int, T *const *, int *, int);
    cublasStatus_t (*gels)(cublasHandle_t, cublasOperation_t, int, int, int, T *const *, int,
                           T *const *, int, int *, int *, int);
    cublasStatus_t (*trsm)(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                           cublasDiagType_t, int, int, const T *, const T *const *, int, T *const *,
                           int, int);
    cublasStatus_t (*trsm_64)(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                              cublasDiagType_t, int64_t, int64_t, const T *, const T *const *,
                              int64_t, T *const *, int64_t, int64_t);
    double error;
};

// Element (i, j) of op(A).
template <class T>
static number element(const std::vector<T> &a, int begin, int lda, int i, int j,
                      cublasOperation_t operation = CUBLAS_OP_N) {
    if (operation != CUBLAS_OP_N)
        std::swap(i, j);
    number x = value(a[begin + i + j * lda]);
    return operation == CUBLAS_OP_C ? std::conj(x) : x;
}

// A system's matrix that is far from singular, and whose factors need pivots or don't.
template <class T> static void strengthen(batches<T> &b, int n, int lda, bool has_pivots = false) {
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < n; j++)
            assign(b.host[0][i * b.sizes[0] + (has_pivots ? n - 1 - j : j) + j * lda],
                   number(20 * n + i, j));
    b.give();
}

static std::vector<int> take(const int *infos) {
    std::vector<int> taken(COUNT);
    CHECK(cudaMemcpy(taken.data(), infos, COUNT * sizeof(int), cudaMemcpyDeviceToHost));
    return taken;
}

static void are_all_0(const int *infos) {
    for (int info : take(infos))
        EXPECT(info == 0);
}

// op(A) X is B.
template <class T>
static void systems(const functions<T> &f, int layout, int n, bool has_pivots,
                    cublasOperation_t operation) {
    int lda = n + 1, ldb = n + 2, columns = 3, info = 9;
    batches<T> b(layout, lda * n, ldb * columns);
    strengthen(b, n, lda, has_pivots);
    shared<int> pivots(COUNT * n, false), infos(COUNT, false);
    int *p = has_pivots ? pivots.device : nullptr;
    CHECK(f.getrf(handle, n, b.pointers[0], lda, p, infos.device, COUNT));
    are_all_0(infos.device);
    CHECK(f.getrs(handle, operation, n, columns, b.pointers[0], lda, p, b.pointers[1], ldb, &info,
                  COUNT));
    EXPECT(info == 0);
    std::vector<T> x = b.take(1);
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < columns; j++)
            for (int k = 0; k < n; k++) {
                number sum = 0;
                for (int l = 0; l < n; l++)
                    sum += element(b.host[0], i * b.sizes[0], lda, k, l, operation) *
                           element(x, i * b.sizes[1], ldb, l, j);
                EXPECT(is_close(sum, element(b.host[1], i * b.sizes[1], ldb, k, j), f.error));
            }
    b.stays_between(0, n, lda);
    b.stays_between(1, n, ldb);
}

// A times its inverse is 1.
template <class T>
static void inverses(const functions<T> &f, int layout, int n, bool has_pivots, bool is_short) {
    int lda = n + 1, ldc = n + 2;
    batches<T> b(layout, lda * n, ldc * n);
    strengthen(b, n, lda, has_pivots);
    shared<int> pivots(COUNT * n, false), infos(COUNT, false);
    int *p = has_pivots ? pivots.device : nullptr;
    if (is_short) {
        CHECK(f.matinv(handle, n, b.pointers[0], lda, b.pointers[1], ldc, infos.device, COUNT));
    } else {
        CHECK(f.getrf(handle, n, b.pointers[0], lda, p, infos.device, COUNT));
        CHECK(f.getri(handle, n, b.pointers[0], lda, p, b.pointers[1], ldc, infos.device, COUNT));
    }
    are_all_0(infos.device);
    std::vector<T> inverse = b.take(1);
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                number sum = 0;
                for (int l = 0; l < n; l++)
                    sum += element(b.host[0], i * b.sizes[0], lda, k, l) *
                           element(inverse, i * b.sizes[1], ldc, l, j);
                EXPECT(is_close(sum, k == j, f.error));
            }
    b.stays_between(1, n, ldc);
}

// Which of the matrices have none, and from which column on.
template <class T> static void singular(const functions<T> &f, int layout, bool has_pivots) {
    int n = 4;
    batches<T> b(layout, n * n, n * n);
    strengthen(b, n, n);
    for (int j = 0; j < n; j++)
        assign(b.host[0][3 * n * n + 2 * n + j], 0);
    b.give();
    shared<int> pivots(COUNT * n, false), infos(COUNT, false);
    int *p = has_pivots ? pivots.device : nullptr;
    CHECK(f.getrf(handle, n, b.pointers[0], n, p, infos.device, COUNT));
    EXPECT(take(infos.device) == (std::vector<int>{0, 0, 0, 3, 0}));
    CHECK(f.getri(handle, n, b.pointers[0], n, p, b.pointers[1], n, infos.device, COUNT));
    EXPECT(take(infos.device) == (std::vector<int>{0, 0, 0, 3, 0}));
    b.give();
    CHECK(f.matinv(handle, n, b.pointers[0], n, b.pointers[1], n, infos.device, COUNT));
    EXPECT(take(infos.device) == (std::vector<int>{0, 0, 0, 3, 0}));
}

// R' R is A' A.
template <class T> static void orthogonal(const functions<T> &f, int layout, int m, int n) {
    int lda = m + 1, info = 9;
    batches<T> b(layout, lda * n, std::min(m, n));
    CHECK(f.geqrf(handle, m, n, b.pointers[0], lda, b.pointers[1], &info, COUNT));
    EXPECT(info == 0);
    std::vector<T> r = b.take(0);
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                number sum = 0, should = 0;
                for (int l = 0; l < m; l++) {
                    should += std::conj(element(b.host[0], i * b.sizes[0], lda, l, j)) *
                              element(b.host[0], i * b.sizes[0], lda, l, k);
                    if (l <= j && l <= k)
                        sum += std::conj(element(r, i * b.sizes[0], lda, l, j)) *
                               element(r, i * b.sizes[0], lda, l, k);
                }
                EXPECT(is_close(sum, should, f.error * m));
            }
    b.stays_between(0, m, lda);
}

// What is left of B is orthogonal to A's columns.
template <class T>
static void least_squares(const functions<T> &f, int layout, int m, int n, bool has_infos) {
    int lda = m + 1, ldc = m + 2, columns = 2, info = 9;
    batches<T> b(layout, lda * n, ldc * columns);
    shared<int> infos(COUNT, false);
    CHECK(f.gels(handle, CUBLAS_OP_N, m, n, columns, b.pointers[0], lda, b.pointers[1], ldc, &info,
                 has_infos ? infos.device : nullptr, COUNT));
    EXPECT(info == 0);
    if (has_infos)
        are_all_0(infos.device);
    std::vector<T> x = b.take(1);
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < columns; j++)
            for (int k = 0; k < n; k++) {
                number sum = 0;
                for (int l = 0; l < m; l++) {
                    number left = -element(b.host[1], i * b.sizes[1], ldc, l, j);
                    for (int c = 0; c < n; c++)
                        left += element(b.host[0], i * b.sizes[0], lda, l, c) *
                                element(x, i * b.sizes[1], ldc, c, j);
                    sum += std::conj(element(b.host[0], i * b.sizes[0], lda, l, k)) * left;
                }
                EXPECT(is_close(sum, 0, f.error * m * 30));
            }
}

// A lower triangle times X is 2 B.
template <class T>
static void triangles(const functions<T> &f, int layout, int n, bool on_device, bool is_wide) {
    int lda = n + 1, ldb = n + 2, columns = 3;
    batches<T> b(layout, lda * n, ldb * columns);
    strengthen(b, n, lda);
    shared<T> alpha(1);
    assign(alpha.host[0], 2);
    alpha.give();
    cublasSetPointerMode(handle, on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST);
    const T *two = on_device ? alpha.device : alpha.host.data();
    if (is_wide)
        CHECK(f.trsm_64(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                        CUBLAS_DIAG_NON_UNIT, n, columns, two, b.pointers[0], lda, b.pointers[1],
                        ldb, COUNT));
    else
        CHECK(f.trsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                     CUBLAS_DIAG_NON_UNIT, n, columns, two, b.pointers[0], lda, b.pointers[1], ldb,
                     COUNT));
    std::vector<T> x = b.take(1);
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < columns; j++)
            for (int k = 0; k < n; k++) {
                number sum = 0;
                for (int l = 0; l <= k; l++)
                    sum += element(b.host[0], i * b.sizes[0], lda, k, l) *
                           element(x, i * b.sizes[1], ldb, l, j);
                EXPECT(is_close(sum, 2.0 * element(b.host[1], i * b.sizes[1], ldb, k, j), f.error));
            }
    b.stays_between(1, n, ldb);
}

template <class T> static void all(const functions<T> &f) {
    for (int layout = 0; layout < LAYOUTS; layout++) {
        for (int way = 0; way < 4; way++) {
            systems(f, layout, 6, way & 1, (cublasOperation_t)(way % 3));
            inverses(f, layout, 6, way & 1, false);
            triangles(f, layout, 7, way & 1, way & 2);
        }
        systems(f, layout, 1, true, CUBLAS_OP_N);
        inverses(f, layout, 9, true, true);
        singular(f, layout, true);
        singular(f, layout, false);
        orthogonal(f, layout, 8, 5);
        orthogonal(f, layout, 4, 6);
        least_squares(f, layout, 8, 5, true);
        least_squares(f, layout, 5, 5, false);
    }
}

// What a call says that can't be.
static void mistakes() {
    batches<double> b(BEHIND, 16, 16);
    shared<int> infos(COUNT);
    int info;
    EXPECT(cublasDgetrfBatched(nullptr, 4, b.pointers[0], 4, nullptr, infos.device, COUNT) ==
           CUBLAS_STATUS_NOT_INITIALIZED);
    EXPECT(cublasDgetrfBatched(handle, 4, b.pointers[0], 3, nullptr, infos.device, COUNT) ==
           CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasDmatinvBatched(handle, 33, b.pointers[0], 33, b.pointers[1], 33, infos.device,
                                COUNT) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasDgetrsBatched(handle, CUBLAS_OP_N, 4, 1, b.pointers[0], 3, nullptr, b.pointers[1],
                               4, &info, COUNT) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(info == -5);
    EXPECT(cublasDgelsBatched(handle, CUBLAS_OP_T, 4, 4, 1, b.pointers[0], 4, b.pointers[1], 4,
                              &info, nullptr, COUNT) == CUBLAS_STATUS_NOT_SUPPORTED);
    CHECK(cublasDgetrfBatched(handle, 0, b.pointers[0], 1, nullptr, infos.device, COUNT));
    are_all_0(infos.device);
    CHECK(cublasDgetrfBatched(handle, 4, b.pointers[0], 4, nullptr, infos.device, 0));
}

int main() {
    CHECK(cublasCreate(&handle));
#define ALL(p, T)                                                                                  \
    all<T>({cublas##p##getrfBatched, cublas##p##getriBatched, cublas##p##getrsBatched,             \
            cublas##p##matinvBatched, cublas##p##geqrfBatched, cublas##p##gelsBatched,             \
            cublas##p##trsmBatched, cublas##p##trsmBatched_64, errors.p})
    struct {
        double S = 1e-3, D = 1e-9, C = 1e-3, Z = 1e-9;
    } errors;
    ALL(S, float);
    ALL(D, double);
    ALL(C, cuComplex);
    ALL(Z, cuDoubleComplex);
    mistakes();
    CHECK(cublasDestroy(handle));
    return 0;
}
