// Numbers and indices in memory, of the types that matrices have. What isn't hot computes in double
// precision, complex, whatever the type.
#ifndef GCL_LIB_SPARSE_NUMBER_H
#define GCL_LIB_SPARSE_NUMBER_H

#include <complex.h>
#include <stdint.h>
#include <string.h>

#include <cusparse.h>

typedef double complex gcl_number;

/// Bytes of a number; 0: a type that there is nothing for.
static inline uint64_t gcl_number_size(cudaDataType type) {
    switch (type) {
    case CUDA_R_16F:
    case CUDA_R_16BF:
        return 2;
    case CUDA_R_32F:
    case CUDA_R_32I:
        return 4;
    case CUDA_R_64F:
    case CUDA_C_32F:
        return 8;
    case CUDA_C_64F:
        return 16;
    case CUDA_R_8I:
        return 1;
    default:
        return 0;
    }
}

static inline float gcl_number_from_bfloat16(uint16_t bits) {
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

/// To the nearest, ties to even.
static inline uint16_t gcl_number_to_bfloat16(float value) {
    uint32_t wide;
    memcpy(&wide, &value, sizeof wide);
    if (value != value)
        return 0x7fff;
    return (uint16_t)((wide + 0x7fff + (wide >> 16 & 1)) >> 16);
}

static inline gcl_number gcl_number_load(cudaDataType type, const void *numbers, int64_t i) {
    switch (type) {
    case CUDA_R_16F:
        return (double)((const _Float16 *)numbers)[i];
    case CUDA_R_16BF:
        return gcl_number_from_bfloat16(((const uint16_t *)numbers)[i]);
    case CUDA_R_32F:
        return ((const float *)numbers)[i];
    case CUDA_R_64F:
        return ((const double *)numbers)[i];
    case CUDA_C_32F:
        return ((const float complex *)numbers)[i];
    case CUDA_C_64F:
        return ((const double complex *)numbers)[i];
    case CUDA_R_32I:
        return ((const int32_t *)numbers)[i];
    case CUDA_R_8I:
        return ((const int8_t *)numbers)[i];
    default:
        return 0;
    }
}

static inline void gcl_number_store(cudaDataType type, void *numbers, int64_t i, gcl_number value) {
    switch (type) {
    case CUDA_R_16F:
        ((_Float16 *)numbers)[i] = (_Float16)creal(value);
        break;
    case CUDA_R_16BF:
        ((uint16_t *)numbers)[i] = gcl_number_to_bfloat16((float)creal(value));
        break;
    case CUDA_R_32F:
        ((float *)numbers)[i] = (float)creal(value);
        break;
    case CUDA_R_64F:
        ((double *)numbers)[i] = creal(value);
        break;
    case CUDA_C_32F:
        ((float complex *)numbers)[i] = (float complex)value;
        break;
    case CUDA_C_64F:
        ((double complex *)numbers)[i] = value;
        break;
    case CUDA_R_32I:
        ((int32_t *)numbers)[i] = (int32_t)creal(value);
        break;
    case CUDA_R_8I:
        ((int8_t *)numbers)[i] = (int8_t)creal(value);
        break;
    default:
        break;
    }
}

static inline uint64_t gcl_index_size(cusparseIndexType_t type) {
    return type == CUSPARSE_INDEX_64I ? 8 : type == CUSPARSE_INDEX_32I ? 4 : 2;
}

static inline int64_t gcl_index_load(cusparseIndexType_t type, const void *indices, int64_t i) {
    if (type == CUSPARSE_INDEX_64I)
        return ((const int64_t *)indices)[i];
    if (type == CUSPARSE_INDEX_32I)
        return ((const int32_t *)indices)[i];
    return ((const uint16_t *)indices)[i];
}

static inline void gcl_index_store(cusparseIndexType_t type, void *indices, int64_t i,
                                   int64_t value) {
    if (type == CUSPARSE_INDEX_64I)
        ((int64_t *)indices)[i] = value;
    else if (type == CUSPARSE_INDEX_32I)
        ((int32_t *)indices)[i] = (int32_t)value;
    else
        ((uint16_t *)indices)[i] = (uint16_t)value;
}

#endif
