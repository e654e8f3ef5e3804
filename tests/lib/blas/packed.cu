// Triangles from packed storage to a matrix, and back.
#include "blas.h"

static cublasHandle_t handle;

template <class T> struct functions {
    cublasStatus_t (*tpttr)(cublasHandle_t, cublasFillMode_t, int, const T *, T *, int);
    cublasStatus_t (*trttp)(cublasHandle_t, cublasFillMode_t, int, const T *, int, T *);
};

template <class T> static void repack(const functions<T> &f, cublasFillMode_t part) {
    int n = 7, lda = 9, at = 0;
    shared<T> packed(n * (n + 1) / 2), a(lda * n), back(n * (n + 1) / 2, false);
    CHECK(f.tpttr(handle, part, n, packed.device, a.device, lda));
    for (int j = 0; j < n; j++)
        for (int i = part == CUBLAS_FILL_MODE_UPPER ? 0 : j;
             i < (part == CUBLAS_FILL_MODE_UPPER ? j + 1 : n); i++)
            a.host[i + j * lda] = packed.host[at++];
    EXPECT(agree(a)); // the other triangle is as it was
    CHECK(f.trttp(handle, part, n, a.device, lda, back.device));
    back.host = packed.host;
    EXPECT(agree(back));
    EXPECT(f.trttp(handle, part, n, a.device, n - 1, back.device) == CUBLAS_STATUS_INVALID_VALUE);
}

template <class T> static void both(const functions<T> &f) {
    repack(f, CUBLAS_FILL_MODE_UPPER);
    repack(f, CUBLAS_FILL_MODE_LOWER);
}

int main() {
    CHECK(cublasCreate(&handle));
    both<float>({cublasStpttr, cublasStrttp});
    both<double>({cublasDtpttr, cublasDtrttp});
    both<cuComplex>({cublasCtpttr, cublasCtrttp});
    both<cuDoubleComplex>({cublasZtpttr, cublasZtrttp});
    CHECK(cublasDestroy(handle));
    return 0;
}
