// Handles and descriptors: what they are made of, and asked for.
#include <stdlib.h>

#include "sparse/sparse.h"

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return CUSPARSE_STATUS_INVALID_VALUE;                                                  \
    } while (0)

/// Makes `**place` of what `value` holds.
#define MAKE(place, ...)                                                                           \
    do {                                                                                           \
        *(place) = calloc(1, sizeof(**(place)));                                                   \
        if (!*(place))                                                                             \
            return CUSPARSE_STATUS_ALLOC_FAILED;                                                   \
        **(place) = __VA_ARGS__;                                                                   \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    } while (0)

#define SET(place, value)                                                                          \
    do {                                                                                           \
        if (place)                                                                                 \
            *(place) = value;                                                                      \
    } while (0)

static cusparseStatus_t destroy(const void *descriptor) {
    free((void *)(uintptr_t)descriptor);
    return CUSPARSE_STATUS_SUCCESS;
}

// The library.

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
    CHECK(handle);
    MAKE(handle, (struct cusparseContext){.stream = NULL});
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
    return handle ? destroy(handle) : CUSPARSE_STATUS_NOT_INITIALIZED;
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version) {
    (void)handle;
    CHECK(version);
    *version = CUSPARSE_VERSION;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int *value) {
    static const int parts[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
    CHECK(value && (unsigned)type < sizeof parts / sizeof *parts);
    *value = parts[type];
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream) {
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    CHECK(stream);
    *stream = handle->stream;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    handle->mode = mode;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode) {
    if (!handle)
        return CUSPARSE_STATUS_NOT_INITIALIZED;
    CHECK(mode);
    *mode = handle->mode;
    return CUSPARSE_STATUS_SUCCESS;
}

#define STATUS_ROWS(ROW)                                                                           \
    ROW(SUCCESS, "success")                                                                        \
    ROW(NOT_INITIALIZED, "there is no handle")                                                     \
    ROW(ALLOC_FAILED, "out of memory")                                                             \
    ROW(INVALID_VALUE, "an argument is wrong")                                                     \
    ROW(ARCH_MISMATCH, "the device can't do this")                                                 \
    ROW(MAPPING_ERROR, "memory isn't accessible")                                                  \
    ROW(EXECUTION_FAILED, "the device reports an error")                                           \
    ROW(INTERNAL_ERROR, "an error of the library's own")                                           \
    ROW(MATRIX_TYPE_NOT_SUPPORTED, "not for this type of matrix")                                  \
    ROW(ZERO_PIVOT, "a pivot is zero")                                                             \
    ROW(NOT_SUPPORTED, "not supported")                                                            \
    ROW(INSUFFICIENT_RESOURCES, "there is too little of something")

const char *cusparseGetErrorName(cusparseStatus_t status) {
    switch (status) {
#define NAME_ROW(name, text)                                                                       \
    case CUSPARSE_STATUS_##name:                                                                   \
        return "CUSPARSE_STATUS_" #name;
        STATUS_ROWS(NAME_ROW)
    }
    return "unknown status";
}

const char *cusparseGetErrorString(cusparseStatus_t status) {
    switch (status) {
#define TEXT_ROW(name, text)                                                                       \
    case CUSPARSE_STATUS_##name:                                                                   \
        return text;
        STATUS_ROWS(TEXT_ROW)
    }
    return "unknown status";
}

// Sparse vectors.

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *vector, int64_t size, int64_t nnz,
                                     void *indices, void *values, cusparseIndexType_t index_type,
                                     cusparseIndexBase_t base, cudaDataType type) {
    CHECK(vector && size >= 0 && nnz >= 0 && nnz <= size && gcl_number_size(type) > 0);
    MAKE(vector, (struct cusparseSpVecDescr){.size = size,
                                             .nnz = nnz,
                                             .indices = indices,
                                             .values = values,
                                             .index_type = index_type,
                                             .base = base,
                                             .type = type});
}

cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *vector, int64_t size,
                                          int64_t nnz, const void *indices, const void *values,
                                          cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                          cudaDataType type) {
    return cusparseCreateSpVec((cusparseSpVecDescr_t *)vector, size, nnz,
                               (void *)(uintptr_t)indices, (void *)(uintptr_t)values, index_type,
                               base, type);
}

cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector) {
    return destroy(vector);
}

cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t vector, int64_t *size, int64_t *nnz,
                                  void **indices, void **values, cusparseIndexType_t *index_type,
                                  cusparseIndexBase_t *base, cudaDataType *type) {
    CHECK(vector);
    SET(size, vector->size);
    SET(nnz, vector->nnz);
    SET(indices, vector->indices);
    SET(values, vector->values);
    SET(index_type, vector->index_type);
    SET(base, vector->base);
    SET(type, vector->type);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t vector,
                                           cusparseIndexBase_t *base) {
    CHECK(vector && base);
    *base = vector->base;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector, void **values) {
    CHECK(vector && values);
    *values = vector->values;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void *values) {
    CHECK(vector);
    vector->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}

// Dense vectors.

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t size, void *values,
                                     cudaDataType type) {
    CHECK(vector && size >= 0 && gcl_number_size(type) > 0);
    MAKE(vector, (struct cusparseDnVecDescr){.shape = {.rows = size,
                                                       .columns = 1,
                                                       .row_step = 1,
                                                       .column_step = size,
                                                       .type = type,
                                                       .batch = 1},
                                             .values = values});
}

cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *vector, int64_t size,
                                          const void *values, cudaDataType type) {
    return cusparseCreateDnVec((cusparseDnVecDescr_t *)vector, size, (void *)(uintptr_t)values,
                               type);
}

cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
    return destroy(vector);
}

cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t *size, void **values,
                                  cudaDataType *type) {
    CHECK(vector);
    SET(size, vector->shape.rows);
    SET(values, vector->values);
    SET(type, vector->shape.type);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void **values) {
    CHECK(vector && values);
    *values = vector->values;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values) {
    CHECK(vector);
    vector->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}

// Sparse matrices.

static cusparseStatus_t make_matrix(cusparseSpMatDescr_t *matrix, cusparseFormat_t format,
                                    int64_t rows, int64_t columns, int64_t nnz, void *offsets,
                                    void *indices, void *values, cusparseIndexType_t offset_type,
                                    cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                    cudaDataType type) {
    CHECK(matrix && rows >= 0 && columns >= 0 && nnz >= 0 && gcl_number_size(type) > 0);
    MAKE(matrix, (struct cusparseSpMatDescr){.shape = {.rows = rows,
                                                       .columns = columns,
                                                       .nnz = nnz,
                                                       .format = format,
                                                       .offset_type = offset_type,
                                                       .index_type = index_type,
                                                       .base = base,
                                                       .type = type,
                                                       .batch = 1},
                                             .offsets = offsets,
                                             .indices = indices,
                                             .values = values});
}

/// What differs between CSR and CSC is a name.
#define COMPRESSED(name, NAME)                                                                     \
    cusparseStatus_t cusparseCreate##name(                                                         \
        cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t nnz, void *offsets,   \
        void *indices, void *values, cusparseIndexType_t offset_type,                              \
        cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) {             \
        return make_matrix(matrix, CUSPARSE_FORMAT_##NAME, rows, columns, nnz, offsets, indices,   \
                           values, offset_type, index_type, base, type);                           \
    }                                                                                              \
    cusparseStatus_t cusparseCreateConst##name(                                                    \
        cusparseConstSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t nnz,             \
        const void *offsets, const void *indices, const void *values,                              \
        cusparseIndexType_t offset_type, cusparseIndexType_t index_type, cusparseIndexBase_t base, \
        cudaDataType type) {                                                                       \
        return make_matrix((cusparseSpMatDescr_t *)matrix, CUSPARSE_FORMAT_##NAME, rows, columns,  \
                           nnz, (void *)(uintptr_t)offsets, (void *)(uintptr_t)indices,            \
                           (void *)(uintptr_t)values, offset_type, index_type, base, type);        \
    }                                                                                              \
    cusparseStatus_t cusparse##name##SetPointers(cusparseSpMatDescr_t matrix, void *offsets,       \
                                                 void *indices, void *values) {                    \
        return set_pointers(matrix, CUSPARSE_FORMAT_##NAME, offsets, indices, values);             \
    }

static cusparseStatus_t set_pointers(cusparseSpMatDescr_t matrix, cusparseFormat_t format,
                                     void *offsets, void *indices, void *values) {
    CHECK(matrix && matrix->shape.format == format);
    matrix->offsets = offsets;
    matrix->indices = indices;
    matrix->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}

COMPRESSED(Csr, CSR)
COMPRESSED(Csc, CSC)

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nnz, void *row_indices, void *column_indices,
                                   void *values, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type) {
    return make_matrix(matrix, CUSPARSE_FORMAT_COO, rows, columns, nnz, row_indices, column_indices,
                       values, index_type, index_type, base, type);
}

cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t *matrix, int64_t rows,
                                        int64_t columns, int64_t nnz, const void *row_indices,
                                        const void *column_indices, const void *values,
                                        cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                        cudaDataType type) {
    return cusparseCreateCoo((cusparseSpMatDescr_t *)matrix, rows, columns, nnz,
                             (void *)(uintptr_t)row_indices, (void *)(uintptr_t)column_indices,
                             (void *)(uintptr_t)values, index_type, base, type);
}

cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void *row_indices,
                                        void *column_indices, void *values) {
    return set_pointers(matrix, CUSPARSE_FORMAT_COO, row_indices, column_indices, values);
}

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
    return destroy(matrix);
}

cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                int64_t *nnz, void **offsets, void **indices, void **values,
                                cusparseIndexType_t *offset_type, cusparseIndexType_t *index_type,
                                cusparseIndexBase_t *base, cudaDataType *type) {
    CHECK(matrix && matrix->shape.format != CUSPARSE_FORMAT_COO);
    SET(offset_type, matrix->shape.offset_type);
    SET(offsets, matrix->offsets);
    SET(indices, matrix->indices);
    SET(values, matrix->values);
    SET(index_type, matrix->shape.index_type);
    SET(base, matrix->shape.base);
    SET(type, matrix->shape.type);
    return cusparseSpMatGetSize(matrix, rows, columns, nnz);
}

cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                int64_t *nnz, void **row_indices, void **column_indices,
                                void **values, cusparseIndexType_t *index_type,
                                cusparseIndexBase_t *base, cudaDataType *type) {
    CHECK(matrix && matrix->shape.format == CUSPARSE_FORMAT_COO);
    SET(row_indices, matrix->offsets);
    SET(column_indices, matrix->indices);
    SET(values, matrix->values);
    SET(index_type, matrix->shape.index_type);
    SET(base, matrix->shape.base);
    SET(type, matrix->shape.type);
    return cusparseSpMatGetSize(matrix, rows, columns, nnz);
}

cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows,
                                      int64_t *columns, int64_t *nnz) {
    CHECK(matrix);
    SET(rows, matrix->shape.rows);
    SET(columns, matrix->shape.columns);
    SET(nnz, matrix->shape.nnz);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix,
                                        cusparseFormat_t *format) {
    CHECK(matrix && format);
    *format = matrix->shape.format;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix,
                                           cusparseIndexBase_t *base) {
    CHECK(matrix && base);
    *base = matrix->shape.base;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void **values) {
    CHECK(matrix && values);
    *values = matrix->values;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values) {
    CHECK(matrix);
    matrix->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void *value,
                                           size_t size) {
    CHECK(matrix && value && size == sizeof(int));
    if (attribute == CUSPARSE_SPMAT_FILL_MODE)
        matrix->shape.fill = *(cusparseFillMode_t *)value;
    else
        matrix->shape.diagonal = *(cusparseDiagType_t *)value;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void *value,
                                           size_t size) {
    CHECK(matrix && value && size == sizeof(int));
    if (attribute == CUSPARSE_SPMAT_FILL_MODE)
        *(cusparseFillMode_t *)value = matrix->shape.fill;
    else
        *(cusparseDiagType_t *)value = matrix->shape.diagonal;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t matrix, int *count) {
    CHECK(matrix && count);
    *count = (int)matrix->shape.batch;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count,
                                            int64_t offset_stride, int64_t value_stride) {
    CHECK(matrix && count > 0 && offset_stride >= 0 && value_stride >= 0);
    matrix->shape.batch = count;
    matrix->shape.offset_stride = offset_stride;
    matrix->shape.value_stride = value_stride;
    return CUSPARSE_STATUS_SUCCESS;
}

// Dense matrices.

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns,
                                     int64_t leading, void *values, cudaDataType type,
                                     cusparseOrder_t order) {
    bool by_row = order == CUSPARSE_ORDER_ROW;
    CHECK(matrix && rows >= 0 && columns >= 0 && gcl_number_size(type) > 0);
    CHECK(leading >= (by_row ? columns : rows));
    MAKE(matrix, (struct cusparseDnMatDescr){.shape = {.rows = rows,
                                                       .columns = columns,
                                                       .row_step = by_row ? leading : 1,
                                                       .column_step = by_row ? 1 : leading,
                                                       .type = type,
                                                       .batch = 1},
                                             .leading = leading,
                                             .order = order,
                                             .values = values});
}

cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *matrix, int64_t rows,
                                          int64_t columns, int64_t leading, const void *values,
                                          cudaDataType type, cusparseOrder_t order) {
    return cusparseCreateDnMat((cusparseDnMatDescr_t *)matrix, rows, columns, leading,
                               (void *)(uintptr_t)values, type, order);
}

cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
    return destroy(matrix);
}

cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                  int64_t *leading, void **values, cudaDataType *type,
                                  cusparseOrder_t *order) {
    CHECK(matrix);
    SET(rows, matrix->shape.rows);
    SET(columns, matrix->shape.columns);
    SET(leading, matrix->leading);
    SET(values, matrix->values);
    SET(type, matrix->shape.type);
    SET(order, matrix->order);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void **values) {
    CHECK(matrix && values);
    *values = matrix->values;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void *values) {
    CHECK(matrix);
    matrix->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count,
                                              int64_t stride) {
    CHECK(matrix && count > 0 && stride >= 0);
    matrix->shape.batch = count;
    matrix->shape.stride = stride;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t matrix, int *count,
                                              int64_t *stride) {
    CHECK(matrix);
    SET(count, (int)matrix->shape.batch);
    SET(stride, matrix->shape.stride);
    return CUSPARSE_STATUS_SUCCESS;
}
