// Descriptors of cuBLASLt: memory of the program's or of ours, whose fields have numbers.
#include "descriptors.h"

#include <stdlib.h>
#include <string.h>

#include "blas.h"

struct field {
    unsigned attribute;
    size_t offset;
    size_t size;
};

#define FIELD(attribute, type, member)                                                             \
    {attribute, offsetof(struct gcl_blas_##type, member),                                          \
     sizeof(((struct gcl_blas_##type *)NULL)->member)}
#define LAYOUT(name, member) FIELD(CUBLASLT_MATRIX_LAYOUT_##name, layout, member)
#define OPERATION(name, member) FIELD(CUBLASLT_MATMUL_DESC_##name, operation, member)
#define TRANSFORM(name, member) FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_##name, transform, member)
#define PREFERENCE(name, member) FIELD(CUBLASLT_MATMUL_PREF_##name, preference, member)

static const struct field MatrixLayout_fields[] = {
    LAYOUT(TYPE, type),
    LAYOUT(ORDER, order),
    LAYOUT(ROWS, rows),
    LAYOUT(COLS, columns),
    LAYOUT(LD, leading),
    LAYOUT(BATCH_COUNT, batches),
    LAYOUT(STRIDED_BATCH_OFFSET, batch),
    LAYOUT(PLANE_OFFSET, plane),
    LAYOUT(BATCH_MODE, batch_mode),
};

static const struct field MatmulDesc_fields[] = {
    OPERATION(COMPUTE_TYPE, compute),
    OPERATION(SCALE_TYPE, scale),
    OPERATION(POINTER_MODE, pointer_mode),
    OPERATION(TRANSA, transa),
    OPERATION(TRANSB, transb),
    OPERATION(TRANSC, transc),
    OPERATION(FILL_MODE, part),
    OPERATION(EPILOGUE, epilogue),
    OPERATION(BIAS_POINTER, bias),
    OPERATION(BIAS_BATCH_STRIDE, bias_batch),
    OPERATION(EPILOGUE_AUX_POINTER, beside),
    OPERATION(EPILOGUE_AUX_LD, beside_leading),
    OPERATION(EPILOGUE_AUX_BATCH_STRIDE, beside_batch),
    OPERATION(ALPHA_VECTOR_BATCH_STRIDE, alpha_batch),
    OPERATION(SM_COUNT_TARGET, sm_count),
    OPERATION(A_SCALE_POINTER, scales[0]),
    OPERATION(B_SCALE_POINTER, scales[1]),
    OPERATION(C_SCALE_POINTER, scales[2]),
    OPERATION(D_SCALE_POINTER, scales[3]),
    OPERATION(EPILOGUE_AUX_SCALE_POINTER, scales[4]),
    OPERATION(AMAX_D_POINTER, largest[0]),
    OPERATION(EPILOGUE_AUX_AMAX_POINTER, largest[1]),
    OPERATION(EPILOGUE_AUX_DATA_TYPE, beside_type),
    OPERATION(FAST_ACCUM, is_fast),
    OPERATION(BIAS_DATA_TYPE, bias_type),
    OPERATION(A_SCALE_MODE, modes[0]),
    OPERATION(B_SCALE_MODE, modes[1]),
    OPERATION(C_SCALE_MODE, modes[2]),
    OPERATION(D_SCALE_MODE, modes[3]),
    OPERATION(EPILOGUE_AUX_SCALE_MODE, modes[4]),
};

static const struct field MatrixTransformDesc_fields[] = {
    TRANSFORM(SCALE_TYPE, scale),
    TRANSFORM(POINTER_MODE, pointer_mode),
    TRANSFORM(TRANSA, transa),
    TRANSFORM(TRANSB, transb),
};

static const struct field MatmulPreference_fields[] = {
    PREFERENCE(SEARCH_MODE, search),
    PREFERENCE(MAX_WORKSPACE_BYTES, workspace),
    PREFERENCE(REDUCTION_SCHEME_MASK, reductions),
    PREFERENCE(MIN_ALIGNMENT_A_BYTES, alignments[0]),
    PREFERENCE(MIN_ALIGNMENT_B_BYTES, alignments[1]),
    PREFERENCE(MIN_ALIGNMENT_C_BYTES, alignments[2]),
    PREFERENCE(MIN_ALIGNMENT_D_BYTES, alignments[3]),
    PREFERENCE(MAX_WAVES_COUNT, waves),
    PREFERENCE(IMPL_MASK, implementations),
};

static const struct field *find(const struct field *fields, size_t count, unsigned attribute) {
    for (size_t i = 0; i < count; i++) {
        if (fields[i].attribute == attribute)
            return &fields[i];
    }
    return NULL;
}

static cublasStatus_t set(void *descriptor, const struct field *field, const void *value,
                          size_t size) {
    if (!descriptor || !value || !field || size != field->size)
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy((char *)descriptor + field->offset, value, size);
    return CUBLAS_STATUS_SUCCESS;
}

// With no room for the value only its size is said.
static cublasStatus_t get(const void *descriptor, const struct field *field, void *value,
                          size_t size, size_t *written) {
    if (!descriptor || !field || (size == 0 && !written) || (size > 0 && !value) ||
        (size > 0 && size < field->size))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (size > 0)
        memcpy(value, (const char *)descriptor + field->offset, field->size);
    if (written)
        *written = field->size;
    return CUBLAS_STATUS_SUCCESS;
}

// What a descriptor begins with.

static void begin_MatrixLayout(void *at, cudaDataType type, uint64_t rows, uint64_t columns,
                               int64_t leading) {
    *(struct gcl_blas_layout *)at = (struct gcl_blas_layout){
        .type = (int32_t)type, .rows = rows, .columns = columns, .leading = leading, .batches = 1};
}

static void begin_MatmulDesc(void *at, cublasComputeType_t compute, cudaDataType scale) {
    *(struct gcl_blas_operation *)at =
        (struct gcl_blas_operation){.compute = (int32_t)compute,
                                    .scale = (int32_t)scale,
                                    .part = CUBLAS_FILL_MODE_FULL,
                                    .epilogue = CUBLASLT_EPILOGUE_DEFAULT,
                                    .beside_type = -1,
                                    .bias_type = -1};
}

static void begin_MatrixTransformDesc(void *at, cudaDataType scale) {
    *(struct gcl_blas_transform *)at = (struct gcl_blas_transform){.scale = (int32_t)scale};
}

static void begin_MatmulPreference(void *at) {
    *(struct gcl_blas_preference *)at = (struct gcl_blas_preference){
        .reductions = CUBLASLT_REDUCTION_SCHEME_MASK, .alignments = {256, 256, 256, 256}};
}

#define DESCRIPTOR(name, attributes, parameters, arguments)                                        \
    cublasStatus_t cublasLt##name##Init_internal(cublasLt##name##_t descriptor,                    \
                                                 size_t size __GCL_UNPACK parameters) {            \
        if (!descriptor || size < sizeof *descriptor)                                              \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
        memset(descriptor, 0, sizeof *descriptor);                                                 \
        begin_##name(descriptor __GCL_UNPACK arguments);                                           \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublasLt##name##Create(                                                         \
        cublasLt##name##_t *descriptor __GCL_UNPACK parameters) {                                  \
        if (!descriptor)                                                                           \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
        cublasLt##name##_t created = malloc(sizeof *created);                                      \
        if (!created)                                                                              \
            return CUBLAS_STATUS_ALLOC_FAILED;                                                     \
        *descriptor = created;                                                                     \
        return cublasLt##name##Init(created __GCL_UNPACK arguments);                               \
    }                                                                                              \
    cublasStatus_t cublasLt##name##Destroy(cublasLt##name##_t descriptor) {                        \
        free(descriptor);                                                                          \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublasLt##name##SetAttribute(                                                   \
        cublasLt##name##_t descriptor, attributes attribute, const void *value, size_t size) {     \
        const struct field *field =                                                                \
            find(name##_fields, sizeof name##_fields / sizeof *name##_fields, attribute);          \
        return set(descriptor, field, value, size);                                                \
    }                                                                                              \
    cublasStatus_t cublasLt##name##GetAttribute(cublasLt##name##_t descriptor,                     \
                                                attributes attribute, void *value, size_t size,    \
                                                size_t *written) {                                 \
        const struct field *field =                                                                \
            find(name##_fields, sizeof name##_fields / sizeof *name##_fields, attribute);          \
        return get(descriptor, field, value, size, written);                                       \
    }
__GCL_CUBLASLT_DESCRIPTORS(DESCRIPTOR)

_Static_assert(sizeof(struct gcl_blas_layout) <= sizeof(cublasLtMatrixLayoutOpaque_t), "");
_Static_assert(sizeof(struct gcl_blas_operation) <= sizeof(cublasLtMatmulDescOpaque_t), "");
_Static_assert(sizeof(struct gcl_blas_preference) <= sizeof(cublasLtMatmulPreferenceOpaque_t), "");
