// Products, systems and conversions of random matrices in all formats, against dense arithmetic.
#include <cusparse.h>
#include <cusparse_v2.h>
#ifndef CUSPARSEAPI // by which headers of programs know that it has been included
#error
#endif

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include "../check.h"

typedef std::complex<double> number;

static cusparseHandle_t handle;

static unsigned random_bits() {
    static unsigned long long state = 1;
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return unsigned(state >> 33);
}

template <class T> struct kind;
template <> struct kind<float> {
    static const cudaDataType type = CUDA_R_32F;
    static number widen(float x) {
        return x;
    }
    static float narrow(number x) {
        return float(x.real());
    }
};
template <> struct kind<double> {
    static const cudaDataType type = CUDA_R_64F;
    static number widen(double x) {
        return x;
    }
    static double narrow(number x) {
        return x.real();
    }
};
template <> struct kind<float2> {
    static const cudaDataType type = CUDA_C_32F;
    static number widen(float2 x) {
        return number(x.x, x.y);
    }
    static float2 narrow(number x) {
        return make_float2(float(x.real()), float(x.imag()));
    }
};

template <class T> static T *device(const std::vector<T> &host) {
    T *memory;
    cudaMalloc(&memory, (host.size() + 1) * sizeof(T));
    cudaMemcpy(memory, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return memory;
}

template <class T> static std::vector<T> host(const T *memory, size_t count) {
    std::vector<T> result(count);
    cudaMemcpy(result.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost);
    return result;
}

// A dense matrix, by rows, of which a third isn't 0.
struct dense {
    int rows, columns;
    std::vector<number> at;
    dense(int r, int c) : rows(r), columns(c), at(size_t(r) * c) {
    }
    number &operator()(int i, int j) {
        return at[size_t(i) * columns + j];
    }
};

template <class T> static dense random_matrix(int rows, int columns, unsigned among) {
    dense m(rows, columns);
    for (number &x : m.at) {
        if (random_bits() % among == 0)
            x = kind<T>::widen(kind<T>::narrow(
                number(random_bits() % 16 / 8.0 - 0.9, random_bits() % 16 / 8.0 - 0.9)));
    }
    return m;
}

static dense turned(dense m, cusparseOperation_t op) {
    dense t(m.columns, m.rows);
    if (op == CUSPARSE_OPERATION_NON_TRANSPOSE)
        return m;
    for (int i = 0; i < m.rows; i++) {
        for (int j = 0; j < m.columns; j++)
            t(j, i) = op == CUSPARSE_OPERATION_TRANSPOSE ? m(i, j) : std::conj(m(i, j));
    }
    return t;
}

// The matrix in memory of the device's.
template <class T, class Index> struct stored {
    std::vector<Index> offsets, indices;
    std::vector<T> values;
    cusparseSpMatDescr_t matrix;

    stored(dense &m, cusparseFormat_t format, int base) {
        bool by_column = format == CUSPARSE_FORMAT_CSC, is_coo = format == CUSPARSE_FORMAT_COO;
        int majors = by_column ? m.columns : m.rows, minors = by_column ? m.rows : m.columns;
        for (int i = 0; i < majors; i++) {
            if (!is_coo)
                offsets.push_back(Index(values.size()) + base);
            for (int j = 0; j < minors; j++) {
                number x = by_column ? m(j, i) : m(i, j);
                if (x == 0.0)
                    continue;
                if (is_coo)
                    offsets.push_back(i + base);
                indices.push_back(j + base);
                values.push_back(kind<T>::narrow(x));
            }
        }
        if (!is_coo)
            offsets.push_back(Index(values.size()) + base);
        cusparseIndexType_t type = sizeof(Index) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
        cusparseIndexBase_t b = base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
        Index *o = device(offsets), *k = device(indices);
        T *v = device(values);
        if (is_coo)
            CHECK(cusparseCreateCoo(&matrix, m.rows, m.columns, values.size(), o, k, v, type, b,
                                    kind<T>::type));
        else if (by_column)
            CHECK(cusparseCreateCsc(&matrix, m.rows, m.columns, values.size(), o, k, v, type, type,
                                    b, kind<T>::type));
        else
            CHECK(cusparseCreateCsr(&matrix, m.rows, m.columns, values.size(), o, k, v, type, type,
                                    b, kind<T>::type));
    }
};

template <class T>
static void expect_equal(const std::vector<T> &found, dense &wanted, int leading, bool by_row) {
    for (int i = 0; i < wanted.rows; i++) {
        for (int j = 0; j < wanted.columns; j++) {
            number x = kind<T>::widen(found[by_row ? i * leading + j : j * leading + i]);
            EXPECT(std::abs(x - wanted(i, j)) < 1e-4 * (1 + std::abs(wanted(i, j))));
        }
    }
}

// C = 2 op(A) B - C / 2, with B and C by rows or by columns, and padded.
template <class T, class Index>
static void product(cusparseFormat_t format, cusparseOperation_t op, int columns, int base,
                    bool on_device) {
    dense a = random_matrix<T>(37, 53, 3), t = turned(a, op);
    dense b = random_matrix<T>(t.columns, columns, 1), c = random_matrix<T>(t.rows, columns, 1);
    stored<T, Index> s(a, format, base);
    bool by_row = base == 0;
    int lead_b = (by_row ? columns : t.columns) + 2, lead_c = (by_row ? columns : t.rows) + 1;
    std::vector<T> bs(size_t(lead_b) * (by_row ? t.columns : columns));
    std::vector<T> cs(size_t(lead_c) * (by_row ? t.rows : columns));
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < t.columns; i++)
            bs[by_row ? i * lead_b + j : j * lead_b + i] = kind<T>::narrow(b(i, j));
        for (int i = 0; i < t.rows; i++)
            cs[by_row ? i * lead_c + j : j * lead_c + i] = kind<T>::narrow(c(i, j));
    }
    T *bd = device(bs), *cd = device(cs);
    T scalars[] = {kind<T>::narrow(2), kind<T>::narrow(-0.5)};
    T *alpha = scalars, *beta = scalars + 1;
    if (on_device) {
        alpha = device(std::vector<T>(scalars, scalars + 2));
        beta = alpha + 1;
    }
    CHECK(cusparseSetPointerMode(handle, on_device ? CUSPARSE_POINTER_MODE_DEVICE
                                                   : CUSPARSE_POINTER_MODE_HOST));
    size_t size;
    cusparseDnMatDescr_t mb, mc;
    cusparseOrder_t order = by_row ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
    CHECK(cusparseCreateDnMat(&mb, t.columns, columns, lead_b, bd, kind<T>::type, order));
    CHECK(cusparseCreateDnMat(&mc, t.rows, columns, lead_c, cd, kind<T>::type, order));
    CHECK(cusparseSpMM_bufferSize(handle, op, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, s.matrix, mb,
                                  beta, mc, kind<T>::type, CUSPARSE_SPMM_ALG_DEFAULT, &size));
    CHECK(cusparseSpMM(handle, op, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, s.matrix, mb, beta, mc,
                       kind<T>::type, CUSPARSE_SPMM_ALG_DEFAULT, NULL));
    for (int i = 0; i < t.rows; i++) {
        for (int j = 0; j < columns; j++) {
            number sum = 0;
            for (int k = 0; k < t.columns; k++)
                sum += t(i, k) * b(k, j);
            c(i, j) = 2.0 * sum - 0.5 * c(i, j);
        }
    }
    std::vector<T> found = host(cd, cs.size());
    expect_equal(found, c, lead_c, by_row);
    for (size_t i = 0; i < cs.size(); i++) { // what pads the matrix stays 0
        if (int(i % lead_c) >= (by_row ? columns : t.rows))
            EXPECT(kind<T>::widen(found[i]) == 0.0);
    }
    CHECK(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
    CHECK(cusparseDestroyDnMat(mb));
    CHECK(cusparseDestroyDnMat(mc));
    CHECK(cusparseDestroySpMat(s.matrix));
}

template <class T> static void vector_product() {
    dense a = random_matrix<T>(1000, 700, 20), x = random_matrix<T>(700, 1, 1), y(1000, 1);
    stored<T, int> s(a, CUSPARSE_FORMAT_CSR, 0);
    std::vector<T> xs, ys(1000, kind<T>::narrow(NAN)); // beta is 0: it isn't read
    for (number e : x.at)
        xs.push_back(kind<T>::narrow(e));
    T alpha = kind<T>::narrow(1), beta = kind<T>::narrow(0), *yd = device(ys);
    cusparseDnVecDescr_t vx, vy;
    CHECK(cusparseCreateDnVec(&vx, 700, device(xs), kind<T>::type));
    CHECK(cusparseCreateDnVec(&vy, 1000, yd, kind<T>::type));
    CHECK(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, s.matrix, vx, &beta, vy,
                       kind<T>::type, CUSPARSE_SPMV_ALG_DEFAULT, NULL));
    for (int i = 0; i < 1000; i++) {
        for (int k = 0; k < 700; k++)
            y(i, 0) += a(i, k) * x(k, 0);
    }
    expect_equal(host(yd, 1000), y, 1, true);
    EXPECT(cusparseSpMV(handle, CUSPARSE_OPERATION_TRANSPOSE, &alpha, s.matrix, vx, &beta, vy,
                        kind<T>::type, CUSPARSE_SPMV_ALG_DEFAULT,
                        NULL) == CUSPARSE_STATUS_INVALID_VALUE);
}

// op(A) y = 3 x, of both triangles.
template <class T> static void solution(cusparseFillMode_t fill, cusparseOperation_t op) {
    enum { N = 40 };
    dense a = random_matrix<T>(N, N, 3);
    for (int i = 0; i < N; i++)
        a(i, i) = number(4 + i % 3);
    stored<T, int> s(a, CUSPARSE_FORMAT_CSR, 0);
    dense x = random_matrix<T>(N, 1, 1), back(N, 1);
    std::vector<T> xs;
    for (number e : x.at)
        xs.push_back(kind<T>::narrow(e));
    cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
    CHECK(cusparseSpMatSetAttribute(s.matrix, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
    CHECK(
        cusparseSpMatSetAttribute(s.matrix, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
    T alpha = kind<T>::narrow(3), *yd = device(xs);
    cusparseDnVecDescr_t vx, vy;
    cusparseSpSVDescr_t state;
    size_t size;
    CHECK(cusparseCreateDnVec(&vx, N, device(xs), kind<T>::type));
    CHECK(cusparseCreateDnVec(&vy, N, yd, kind<T>::type));
    CHECK(cusparseSpSV_createDescr(&state));
    CHECK(cusparseSpSV_bufferSize(handle, op, &alpha, s.matrix, vx, vy, kind<T>::type,
                                  CUSPARSE_SPSV_ALG_DEFAULT, state, &size));
    CHECK(cusparseSpSV_analysis(handle, op, &alpha, s.matrix, vx, vy, kind<T>::type,
                                CUSPARSE_SPSV_ALG_DEFAULT, state, NULL));
    CHECK(cusparseSpSV_solve(handle, op, &alpha, s.matrix, vx, vy, kind<T>::type,
                             CUSPARSE_SPSV_ALG_DEFAULT, state));
    CHECK(cusparseSpSV_destroyDescr(state));
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            if (fill == CUSPARSE_FILL_MODE_LOWER ? j > i : j < i)
                a(i, j) = 0;
        }
    }
    dense t = turned(a, op);
    std::vector<T> y = host(yd, N);
    for (int i = 0; i < N; i++) {
        x(i, 0) *= 3;
        for (int j = 0; j < N; j++)
            back(i, 0) += t(i, j) * kind<T>::widen(y[j]);
    }
    for (int i = 0; i < N; i++)
        EXPECT(std::abs(back(i, 0) - x(i, 0)) < 1e-3 * (1 + std::abs(x(i, 0))));
}

static void conversions() {
    dense a = random_matrix<float>(17, 23, 4);
    for (cusparseFormat_t format :
         {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO}) {
        stored<float, int> s(a, format, 1);
        std::vector<float> there(17 * 23, 5.0f);
        float *d = device(there);
        cusparseDnMatDescr_t m;
        CHECK(cusparseCreateDnMat(&m, 17, 23, 23, d, CUDA_R_32F, CUSPARSE_ORDER_ROW));
        CHECK(cusparseSparseToDense(handle, s.matrix, m, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, NULL));
        expect_equal(host(d, there.size()), a, 23, true);
        cusparseSpMatDescr_t back;
        int count = int(s.values.size());
        int *offsets = device(std::vector<int>(count + 30)), *indices = device(s.indices);
        float *values = device(std::vector<float>(count));
        if (format == CUSPARSE_FORMAT_COO)
            CHECK(cusparseCreateCoo(&back, 17, 23, 0, offsets, indices, values, CUSPARSE_INDEX_32I,
                                    CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F));
        else if (format == CUSPARSE_FORMAT_CSC)
            CHECK(cusparseCreateCsc(&back, 17, 23, 0, offsets, indices, values, CUSPARSE_INDEX_32I,
                                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F));
        else
            CHECK(cusparseCreateCsr(&back, 17, 23, 0, offsets, indices, values, CUSPARSE_INDEX_32I,
                                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_32F));
        int64_t rows, columns, nnz;
        CHECK(cusparseDenseToSparse_analysis(handle, m, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                             NULL));
        CHECK(cusparseSpMatGetSize(back, &rows, &columns, &nnz));
        EXPECT(rows == 17 && columns == 23 && nnz == count);
        CHECK(cusparseDenseToSparse_convert(handle, m, back, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                            NULL));
        EXPECT(host(offsets, s.offsets.size()) == s.offsets);
        EXPECT(host(indices, count) == s.indices);
        EXPECT(host(values, count) == s.values);
    }
    stored<float, int> row(a, CUSPARSE_FORMAT_CSR, 0), column(a, CUSPARSE_FORMAT_CSC, 0);
    int nnz = int(row.values.size());
    int *offsets = device(std::vector<int>(24)), *indices = device(std::vector<int>(nnz));
    float *values = device(std::vector<float>(nnz));
    CHECK(cusparseCsr2cscEx2(handle, 17, 23, nnz, device(row.values), device(row.offsets),
                             device(row.indices), values, offsets, indices, CUDA_R_32F,
                             CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO,
                             CUSPARSE_CSR2CSC_ALG1, NULL));
    EXPECT(host(offsets, 24) == column.offsets);
    EXPECT(host(indices, nnz) == column.indices);
    EXPECT(host(values, nnz) == column.values);
    int *rows = device(std::vector<int>(nnz)), *again = device(std::vector<int>(18));
    CHECK(cusparseXcsr2coo(handle, device(row.offsets), nnz, 17, rows, CUSPARSE_INDEX_BASE_ZERO));
    CHECK(cusparseXcoo2csr(handle, rows, nnz, 17, again, CUSPARSE_INDEX_BASE_ZERO));
    EXPECT(host(again, 18) == row.offsets);
}

static void sparse_product() {
    dense a = random_matrix<double>(30, 20, 4), b = random_matrix<double>(20, 25, 4), c(30, 25);
    stored<double, int> sa(a, CUSPARSE_FORMAT_CSR, 0), sb(b, CUSPARSE_FORMAT_CSR, 0);
    cusparseSpMatDescr_t sc;
    cusparseSpGEMMDescr_t state;
    const cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
    double alpha = 2, beta = 0;
    size_t size = 0;
    void *buffer;
    int *offsets = device(std::vector<int>(31));
    CHECK(cusparseCreateCsr(&sc, 30, 25, 0, offsets, NULL, NULL, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    CHECK(cusparseSpGEMM_createDescr(&state));
    CHECK(cusparseSpGEMM_workEstimation(handle, op, op, &alpha, sa.matrix, sb.matrix, &beta, sc,
                                        CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, state, &size, NULL));
    CHECK(cusparseSpGEMM_compute(handle, op, op, &alpha, sa.matrix, sb.matrix, &beta, sc,
                                 CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, state, &size, NULL));
    cudaMalloc(&buffer, size);
    CHECK(cusparseSpGEMM_compute(handle, op, op, &alpha, sa.matrix, sb.matrix, &beta, sc,
                                 CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, state, &size, buffer));
    int64_t rows, columns, nnz;
    CHECK(cusparseSpMatGetSize(sc, &rows, &columns, &nnz));
    CHECK(cusparseCsrSetPointers(sc, offsets, device(std::vector<int>(nnz)),
                                 device(std::vector<double>(nnz))));
    CHECK(cusparseSpGEMM_copy(handle, op, op, &alpha, sa.matrix, sb.matrix, &beta, sc, CUDA_R_64F,
                              CUSPARSE_SPGEMM_DEFAULT, state));
    CHECK(cusparseSpGEMM_destroyDescr(state));
    double *d = device(std::vector<double>(30 * 25));
    cusparseDnMatDescr_t m;
    CHECK(cusparseCreateDnMat(&m, 30, 25, 25, d, CUDA_R_64F, CUSPARSE_ORDER_ROW));
    CHECK(cusparseSparseToDense(handle, sc, m, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, NULL));
    for (int i = 0; i < 30; i++) {
        for (int j = 0; j < 25; j++) {
            for (int k = 0; k < 20; k++)
                c(i, j) += 2.0 * a(i, k) * b(k, j);
        }
    }
    expect_equal(host(d, 30 * 25), c, 25, true);
}

// Factors of a matrix that has all elements are its LU factors.
static void factors() {
    enum { N = 12 };
    dense a = random_matrix<double>(N, N, 1), product(N, N);
    for (int i = 0; i < N; i++)
        a(i, i) = 20;
    for (number &x : a.at)
        x = x == 0.0 ? 0.25 : x;
    stored<double, int> s(a, CUSPARSE_FORMAT_CSR, 0);
    double *values = device(s.values);
    cusparseMatDescr_t matrix;
    csrilu02Info_t info;
    int pivot = 7;
    CHECK(cusparseCreateMatDescr(&matrix));
    CHECK(cusparseCreateCsrilu02Info(&info));
    CHECK(cusparseDcsrilu02(handle, N, N * N, matrix, values, device(s.offsets), device(s.indices),
                            info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, NULL));
    CHECK(cusparseXcsrilu02_zeroPivot(handle, info, &pivot));
    EXPECT(pivot == -1);
    std::vector<double> f = host(values, N * N);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            for (int k = 0; k <= i && k <= j; k++)
                product(i, j) += (k == i ? 1.0 : f[i * N + k]) * f[k * N + j];
            EXPECT(std::abs(product(i, j) - a(i, j)) < 1e-9);
        }
    }
    CHECK(cusparseDestroyCsrilu02Info(info));
    CHECK(cusparseDestroyMatDescr(matrix));
}

static void vectors() {
    enum { SIZE = 50, NNZ = 7 };
    std::vector<int> indices = {3, 40, 7, 0, 49, 21, 22};
    std::vector<float> x = {1, 2, 3, 4, 5, 6, 7}, y(SIZE);
    for (int i = 0; i < SIZE; i++)
        y[i] = i;
    float *xd = device(x), *yd = device(y), alpha = 2, beta = 0.5f, dot = 0, wanted = 0;
    cusparseSpVecDescr_t vx;
    cusparseDnVecDescr_t vy;
    CHECK(cusparseCreateSpVec(&vx, SIZE, NNZ, device(indices), xd, CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    CHECK(cusparseCreateDnVec(&vy, SIZE, yd, CUDA_R_32F));
    CHECK(cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, vx, vy, &dot, CUDA_R_32F, NULL));
    for (int k = 0; k < NNZ; k++)
        wanted += x[k] * y[indices[k]];
    EXPECT(dot == wanted);
    CHECK(cusparseAxpby(handle, &alpha, vx, &beta, vy));
    for (float &e : y)
        e *= beta;
    for (int k = 0; k < NNZ; k++)
        y[indices[k]] += alpha * x[k];
    EXPECT(host(yd, SIZE) == y);
    CHECK(cusparseGather(handle, vy, vx));
    for (int k = 0; k < NNZ; k++)
        x[k] = y[indices[k]];
    EXPECT(host(xd, NNZ) == x);
}

int main() {
    CHECK(cusparseCreate(&handle));
    for (cusparseOperation_t op : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                                   CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE}) {
        for (cusparseFormat_t format :
             {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO}) {
            product<float, int>(format, op, 3, 0, false);
            product<float2, int>(format, op, 5, 1, true);
            product<double, int64_t>(format, op, 1, 0, true);
        }
        solution<double>(CUSPARSE_FILL_MODE_LOWER, op);
        solution<float2>(CUSPARSE_FILL_MODE_UPPER, op);
    }
    vector_product<float>();
    vector_product<double>();
    conversions();
    sparse_product();
    factors();
    vectors();
    CHECK(cusparseDestroy(handle));
    return 0;
}
