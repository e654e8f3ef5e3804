// cuSOLVER's routines that factor a sparse matrix once and solve with it often, in the form of
// gcluster_cusolver_sparse.h. __H is Host in functions with all arguments on the host, or nothing.
#ifndef GCLUSTER_CUSOLVER_LOWLEVEL_H
#define GCLUSTER_CUSOLVER_LOWLEVEL_H

#include "gcluster_cusolver_sparse.h"

/// What a way of factoring, lu, qr or chol has for all types.
#define __GCL_CUSOLVER_LOW_INFO(__F, __k, __H)                                                     \
    __F(CreateCsr##__k##Info##__H, (csr##__k##Info##__H##_t * info))                               \
    __F(DestroyCsr##__k##Info##__H, (csr##__k##Info##__H##_t info))
#define __GCL_CUSOLVER_LOW_ANALYSIS(__F, __k, __H)                                                 \
    __F(Xcsr##__k##Analysis##__H,                                                                  \
        (__GCL_CUSOLVER_SP, int n, int nnz, __GCL_CUSOLVER_PATTERN, csr##__k##Info##__H##_t info))
#define __GCL_CUSOLVER_LOW_QR_ANALYSIS(__F, __H)                                                   \
    __F(XcsrqrAnalysis##__H, (__GCL_CUSOLVER_SP, int m, int n, int nnz, __GCL_CUSOLVER_PATTERN,    \
                              csrqrInfo##__H##_t info))
#define __GCL_CUSOLVER_LOW_ANY(__F)                                                                \
    __GCL_CUSOLVER_LOW_INFO(__F, lu, Host)                                                         \
    __GCL_CUSOLVER_LOW_INFO(__F, qr, Host)                                                         \
    __GCL_CUSOLVER_LOW_INFO(__F, chol, Host)                                                       \
    __GCL_CUSOLVER_LOW_INFO(__F, chol, )                                                           \
    __GCL_CUSOLVER_LOW_ANALYSIS(__F, lu, Host)                                                     \
    __GCL_CUSOLVER_LOW_ANALYSIS(__F, chol, Host)                                                   \
    __GCL_CUSOLVER_LOW_ANALYSIS(__F, chol, )                                                       \
    __GCL_CUSOLVER_LOW_QR_ANALYSIS(__F, Host)                                                      \
    __GCL_CUSOLVER_LOW_QR_ANALYSIS(__F, )                                                          \
    __F(XcsrluNnzHost, (__GCL_CUSOLVER_SP, int *nnz_l, int *nnz_u, csrluInfoHost_t info))

/// What lu and chol have of one type.
#define __GCL_CUSOLVER_LOW_SQUARE(__F, __p, __k, __H, __T, __R)                                    \
    __F(__p##csr##__k##BufferInfo##__H,                                                            \
        (__GCL_CUSOLVER_SP, int n, int nnz, __GCL_CUSOLVER_CSR(__T), csr##__k##Info##__H##_t info, \
         size_t *internal_size, size_t *size))                                                     \
    __F(__p##csr##__k##ZeroPivot##__H,                                                             \
        (__GCL_CUSOLVER_SP, csr##__k##Info##__H##_t info, __R tolerance, int *position))           \
    __F(__p##csr##__k##Solve##__H, (__GCL_CUSOLVER_SP, int n, const __T *b, __T *x,                \
                                    csr##__k##Info##__H##_t info, void *buffer))
#define __GCL_CUSOLVER_LOW_CHOL(__F, __p, __H, __T, __R)                                           \
    __GCL_CUSOLVER_LOW_SQUARE(__F, __p, chol, __H, __T, __R)                                       \
    __F(__p##csrcholFactor##__H, (__GCL_CUSOLVER_SP, int n, int nnz, __GCL_CUSOLVER_CSR(__T),      \
                                  csrcholInfo##__H##_t info, void *buffer))
#define __GCL_CUSOLVER_LOW_QR(__F, __p, __H, __T, __R)                                             \
    __F(__p##csrqrBufferInfo##__H,                                                                 \
        (__GCL_CUSOLVER_SP, int m, int n, int nnz, __GCL_CUSOLVER_CSR(__T),                        \
         csrqrInfo##__H##_t info, size_t *internal_size, size_t *size))                            \
    __F(__p##csrqrSetup##__H, (__GCL_CUSOLVER_SP, int m, int n, int nnz, __GCL_CUSOLVER_CSR(__T),  \
                               __T mu, csrqrInfo##__H##_t info))                                   \
    __F(__p##csrqrFactor##__H, (__GCL_CUSOLVER_SP, int m, int n, int nnz, __T *b, __T *x,          \
                                csrqrInfo##__H##_t info, void *buffer))                            \
    __F(__p##csrqrZeroPivot##__H,                                                                  \
        (__GCL_CUSOLVER_SP, csrqrInfo##__H##_t info, __R tolerance, int *position))                \
    __F(__p##csrqrSolve##__H,                                                                      \
        (__GCL_CUSOLVER_SP, int m, int n, __T *b, __T *x, csrqrInfo##__H##_t info, void *buffer))

#define __GCL_CUSOLVER_LOW_ONE(__F, __p, __T, __R)                                                 \
    __GCL_CUSOLVER_LOW_SQUARE(__F, __p, lu, Host, __T, __R)                                        \
    __F(__p##csrluFactorHost, (__GCL_CUSOLVER_SP, int n, int nnz, __GCL_CUSOLVER_CSR(__T),         \
                               csrluInfoHost_t info, __R threshold, void *buffer))                 \
    __F(__p##csrluExtractHost,                                                                     \
        (__GCL_CUSOLVER_SP, int *p, int *q, const cusparseMatDescr_t matrix_l, __T *values_l,      \
         int *offsets_l, int *indices_l, const cusparseMatDescr_t matrix_u, __T *values_u,         \
         int *offsets_u, int *indices_u, csrluInfoHost_t info, void *buffer))                      \
    __GCL_CUSOLVER_LOW_CHOL(__F, __p, Host, __T, __R)                                              \
    __GCL_CUSOLVER_LOW_CHOL(__F, __p, , __T, __R)                                                  \
    __F(__p##csrcholDiag, (__GCL_CUSOLVER_SP, csrcholInfo_t info, __R * diagonal))                 \
    __GCL_CUSOLVER_LOW_QR(__F, __p, Host, __T, __R)                                                \
    __GCL_CUSOLVER_LOW_QR(__F, __p, , __T, __R)

#define __GCL_CUSOLVER_LOWLEVEL(__F)                                                               \
    __GCL_CUSOLVER_LOW_ANY(__F)                                                                    \
    __GCL_CUSOLVER_LOW_ONE(__F, S, float, float)                                                   \
    __GCL_CUSOLVER_LOW_ONE(__F, D, double, double)                                                 \
    __GCL_CUSOLVER_LOW_ONE(__F, C, cuComplex, float)                                               \
    __GCL_CUSOLVER_LOW_ONE(__F, Z, cuDoubleComplex, double)

#endif
