// Updates of rank k: both triangles, of which the other keeps what it has.
#include "blas.h"

static cublasHandle_t handle;

template <class T, class R>
static void update(cublasStatus_t (*call)(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int,
                                          int, const R *, const T *, int, const R *, T *, int),
                   cublasOperation_t transposed, int n, int k, bool on_device) {
    bool is_hermitian = transposed == CUBLAS_OP_C;
    for (cublasFillMode_t part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
        for (cublasOperation_t operation : {CUBLAS_OP_N, transposed}) {
            bool is_plain = operation == CUBLAS_OP_N;
            int lda = (is_plain ? n : k) + 1, ldc = n + 2;
            shared<T> a((size_t)lda * (is_plain ? k : n)), c((size_t)ldc * n);
            if (is_hermitian)
                for (int i = 0; i < n; i++)
                    assign(c.host[i * (size_t)(ldc + 1)], c.at(i * (size_t)(ldc + 1)).real());
            c.give();
            shared<R> scalars(2);
            assign(scalars.host[0], 2);
            assign(scalars.host[1], -1);
            scalars.give();
            cublasSetPointerMode(handle,
                                 on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST);
            const R *at = on_device ? scalars.device : scalars.host.data();
            CHECK(call(handle, part, operation, n, k, at, a.device, lda, at + 1, c.device, ldc));
            for (int j = 0; j < n; j++)
                for (int i = part == CUBLAS_FILL_MODE_LOWER ? j : 0;
                     i < (part == CUBLAS_FILL_MODE_LOWER ? n : j + 1); i++) {
                    number sum = 0;
                    for (int l = 0; l < k; l++) {
                        number x = a.at(is_plain ? i + (size_t)l * lda : l + (size_t)i * lda);
                        number y = a.at(is_plain ? j + (size_t)l * lda : l + (size_t)j * lda);
                        if (is_hermitian)
                            (is_plain ? y : x) = std::conj(is_plain ? y : x);
                        sum += x * y;
                    }
                    T &is = c.host[i + (size_t)j * ldc];
                    assign(is, 2.0 * sum - value(is));
                }
            EXPECT(agree(c));
        }
}

int main() {
    CHECK(cublasCreate(&handle));
    for (int n : {1, 40, 300}) {
        update<float, float>(cublasSsyrk, CUBLAS_OP_T, n, 7, n == 40);
        update<double, double>(cublasDsyrk, CUBLAS_OP_T, n, 7, n == 40);
        update<cuComplex, cuComplex>(cublasCsyrk, CUBLAS_OP_T, n, 7, n == 40);
        update<cuDoubleComplex, cuDoubleComplex>(cublasZsyrk, CUBLAS_OP_T, n, 7, n == 40);
        update<cuComplex, float>(cublasCherk, CUBLAS_OP_C, n, 7, n == 40);
        update<cuDoubleComplex, double>(cublasZherk, CUBLAS_OP_C, n, 7, n == 40);
    }
    float one = 1, *none = nullptr;
    EXPECT(cublasSsyrk(handle, CUBLAS_FILL_MODE_FULL, CUBLAS_OP_N, 1, 1, &one, none, 1, &one, none,
                       1) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasDestroy(handle));
    return 0;
}
