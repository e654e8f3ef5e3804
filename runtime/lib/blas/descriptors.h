// What is in the descriptors of cuBLASLt.
#ifndef GCL_BLAS_DESCRIPTORS_H
#define GCL_BLAS_DESCRIPTORS_H

#include <cublasLt.h>

struct gcl_blas_layout {
    int32_t type; ///< cudaDataType
    int32_t order;
    uint64_t rows, columns;
    int64_t leading;
    int32_t batches;
    int32_t batch_mode;
    int64_t batch;
    int64_t plane;
};

struct gcl_blas_operation {
    int32_t compute, scale, pointer_mode, transa, transb, transc, part, epilogue;
    const void *bias;
    int64_t bias_batch;
    void *beside;
    int64_t beside_leading, beside_batch, alpha_batch;
    const void *scales[5]; ///< of A, B, C, D, and the auxiliary matrix
    void *largest[2];      ///< of D, and the auxiliary matrix
    int32_t beside_type, bias_type, sm_count, modes[5];
    int8_t is_fast;
};

struct gcl_blas_transform {
    int32_t scale, pointer_mode, transa, transb;
};

struct gcl_blas_preference {
    uint32_t search, reductions;
    uint64_t workspace, implementations;
    uint32_t alignments[4];
    float waves;
};

#endif
