// cublasLtMatmul: types, orders, batches, C beside D, and what is done to results.
#include "blas.h"

#include <cublasLt.h>

static cublasLtHandle_t handle;

static double gelu(double x) {
    return 0.5 * x * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

static double slope(double x) {
    double h = 1e-4;
    return (gelu(x + h) - gelu(x - h)) / (2 * h);
}

struct shape {
    int m, n, k, batches;
    bool transa, transb, by_rows, is_beside; // is_beside: D isn't C
};

static cublasLtMatrixLayout_t layout(cudaDataType type, int rows, int columns, int leading,
                                     const shape &s, long long stride) {
    cublasLtMatrixLayout_t made;
    int32_t order = s.by_rows ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
    CHECK(cublasLtMatrixLayoutCreate(&made, type, rows, columns, leading));
    CHECK(
        cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
    CHECK(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &s.batches,
                                           sizeof s.batches));
    CHECK(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                           &stride, sizeof stride));
    return made;
}

// A matrix on both sides, with one more element between lines than there has to be.
template <class T> struct matrix {
    int rows, columns, leading;
    bool by_rows;
    long long stride;
    shared<T> content;

    matrix(int of_rows, int of_columns, const shape &s)
        : rows(of_rows), columns(of_columns), leading((s.by_rows ? of_columns : of_rows) + 1),
          by_rows(s.by_rows), stride((long long)leading * (s.by_rows ? of_rows : of_columns)),
          content(stride * s.batches) {
        for (T &x : content.host) // small, so that GELU isn't the identity
            assign(x, value(x) / 8.0);
        content.give();
    }
    size_t place(int i, int j, int batch) const {
        return batch * stride + (by_rows ? j + (size_t)i * leading : i + (size_t)j * leading);
    }
    number at(int i, int j, int batch, bool transposed = false) const {
        return content.at(transposed ? place(j, i, batch) : place(i, j, batch));
    }
};

template <class In, class Out>
static void product(cudaDataType in, cudaDataType out, const shape &s, int epilogue,
                    bool float_bias, double error) {
    matrix<In> a(s.transa ? s.k : s.m, s.transa ? s.m : s.k, s);
    matrix<In> b(s.transb ? s.n : s.k, s.transb ? s.k : s.n, s);
    matrix<Out> c(s.m, s.n, s), d(s.m, s.n, s), beside(s.m, s.n, s);
    shared<Out> bias(s.m);
    shared<float> floats(s.m);
    cublasLtMatmulDesc_t operation;
    CHECK(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    auto set = [&](cublasLtMatmulDescAttributes_t attribute, auto value) {
        CHECK(cublasLtMatmulDescSetAttribute(operation, attribute, &value, sizeof value));
    };
    set(CUBLASLT_MATMUL_DESC_TRANSA, s.transa ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(CUBLASLT_MATMUL_DESC_TRANSB, s.transb ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    set(CUBLASLT_MATMUL_DESC_BIAS_POINTER,
        float_bias ? (void *)floats.device : (void *)bias.device);
    if (float_bias)
        set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, CUDA_R_32F);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, beside.content.device);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, (int64_t)beside.leading);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, (int64_t)beside.stride);
    cublasLtMatrixLayout_t la = layout(in, a.rows, a.columns, a.leading, s, a.stride);
    cublasLtMatrixLayout_t lb = layout(in, b.rows, b.columns, b.leading, s, b.stride);
    cublasLtMatrixLayout_t lc = layout(out, s.m, s.n, c.leading, s, c.stride);
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulHeuristicResult_t found;
    int count;
    CHECK(cublasLtMatmulPreferenceCreate(&preference));
    CHECK(cublasLtMatmulAlgoGetHeuristic(handle, operation, la, lb, lc, lc, preference, 1, &found,
                                         &count));
    EXPECT(count == 1);
    float alpha = 2, beta = -1;
    matrix<Out> &to = s.is_beside ? d : c;
    CHECK(cublasLtMatmul(handle, operation, &alpha, a.content.device, la, b.content.device, lb,
                         &beta, c.content.device, lc, to.content.device, lc, &found.algo, nullptr,
                         0, nullptr));
    CHECK(cublasLtMatmulPreferenceDestroy(preference));
    CHECK(cublasLtMatrixLayoutDestroy(la));
    CHECK(cublasLtMatrixLayoutDestroy(lb));
    CHECK(cublasLtMatrixLayoutDestroy(lc));
    CHECK(cublasLtMatmulDescDestroy(operation));

    for (int l = 0; l < s.batches; l++)
        for (int j = 0; j < s.n; j++)
            for (int i = 0; i < s.m; i++) {
                number sum = 0;
                for (int k = 0; k < s.k; k++)
                    sum += a.at(i, k, l, s.transa) * b.at(k, j, l, s.transb);
                double x = (2.0 * sum - c.at(i, j, l)).real();
                if (epilogue & CUBLASLT_EPILOGUE_BIAS)
                    x += (float_bias ? floats.at(i) : bias.at(i)).real();
                if (epilogue == CUBLASLT_EPILOGUE_DGELU)
                    x *= slope(beside.at(i, j, l).real());
                else if (epilogue & 128)
                    assign(beside.content.host[beside.place(i, j, l)], x);
                if (epilogue & CUBLASLT_EPILOGUE_GELU)
                    x = gelu(x);
                if (epilogue & CUBLASLT_EPILOGUE_RELU)
                    x = x < 0 ? 0 : x;
                assign(to.content.host[to.place(i, j, l)], x);
            }
    EXPECT(agree(to.content, error) && agree(beside.content, error));
    EXPECT(agree(c.content, error));
}

static void refusals() {
    cublasLtMatmulDesc_t operation;
    cublasLtMatrixLayout_t floats, wrong, bytes;
    CHECK(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    CHECK(cublasLtMatrixLayoutCreate(&floats, CUDA_R_32F, 4, 4, 4));
    CHECK(cublasLtMatrixLayoutCreate(&wrong, CUDA_R_32F, 5, 4, 5));
    CHECK(cublasLtMatrixLayoutCreate(&bytes, CUDA_R_8F_E4M3, 4, 4, 4));
    float one = 1, *none = nullptr;
    auto call = [&](cublasLtMatrixLayout_t a) {
        return cublasLtMatmul(handle, operation, &one, none, a, none, floats, &one, none, floats,
                              none, floats, nullptr, nullptr, 0, nullptr);
    };
    EXPECT(call(wrong) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(call(bytes) == CUBLAS_STATUS_NOT_SUPPORTED);
    int epilogue = CUBLASLT_EPILOGUE_BGRADB;
    CHECK(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                         sizeof epilogue));
    EXPECT(call(floats) == CUBLAS_STATUS_NOT_SUPPORTED);
    EXPECT(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, 2) ==
           CUBLAS_STATUS_INVALID_VALUE);
    size_t size;
    CHECK(cublasLtMatmulDescGetAttribute(operation, CUBLASLT_MATMUL_DESC_EPILOGUE, nullptr, 0,
                                         &size));
    EXPECT(size == sizeof epilogue);
}

int main() {
    CHECK(cublasLtCreate(&handle));
    const int epilogues[] = {CUBLASLT_EPILOGUE_DEFAULT,       CUBLASLT_EPILOGUE_BIAS,
                             CUBLASLT_EPILOGUE_RELU_BIAS,     CUBLASLT_EPILOGUE_GELU,
                             CUBLASLT_EPILOGUE_GELU_AUX_BIAS, CUBLASLT_EPILOGUE_DGELU};
    const shape shapes[] = {{33, 20, 9, 1, false, false, false, false},
                            {140, 30, 9, 2, true, false, false, true},
                            {33, 200, 9, 1, false, true, true, false},
                            {17, 1, 9, 2, true, true, true, true},
                            {1, 17, 9, 1, true, false, false, true}};
    for (const shape &s : shapes)
        for (int epilogue : epilogues) {
            product<float, float>(CUDA_R_32F, CUDA_R_32F, s, epilogue, false, 1e-4);
            product<__half, __half>(CUDA_R_16F, CUDA_R_16F, s, epilogue, false, 4e-3);
            product<__nv_bfloat16, __nv_bfloat16>(CUDA_R_16BF, CUDA_R_16BF, s, epilogue, true,
                                                  3e-2);
            product<__nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_32F, s, epilogue, false, 1e-4);
        }
    refusals();
    CHECK(cublasLtDestroy(handle));
    return 0;
}
