#include "batch.h"

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *gcl_blas_allocate(uint64_t size) {
    void *memory = malloc(size ? size : 1);
    if (memory)
        return memory;
    fprintf(stderr, "gcluster: cuBLAS: no memory for %llu bytes\n", (unsigned long long)size);
    abort();
}

cublasStatus_t gcl_blas_skip_batch(cublasHandle_t handle, int *infos, int count) {
    if (!infos || count == 0)
        return CUBLAS_STATUS_SUCCESS;
    return gcl_blas_status(
        cudaMemsetAsync(infos, 0, (size_t)count * sizeof *infos, handle->stream));
}

/// Pointers of each operand, on the host.
struct places {
    char **at[GCL_BLAS_BATCH_OPERANDS];
};

static cublasStatus_t read_pointers(const struct gcl_blas_batched *call, struct places *places) {
    cudaError_t error = cudaSuccess;
    uint64_t size = (uint64_t)call->batch.count * sizeof(char *);
    for (unsigned o = 0; o < GCL_BLAS_BATCH_OPERANDS && !error; o++) {
        if (!call->operands[o].pointers)
            continue;
        places->at[o] = malloc(size);
        if (!places->at[o])
            return CUBLAS_STATUS_ALLOC_FAILED;
        error = cudaMemcpyAsync(places->at[o], call->operands[o].pointers, size, cudaMemcpyDefault,
                                call->handle->stream);
    }
    return gcl_blas_status(error ? error : cudaStreamSynchronize(call->handle->stream));
}

// Bytes from a matrix's first element to behind its last.
static uint64_t matrix_size(const struct gcl_blas_batched *call, unsigned o) {
    const struct gcl_blas_batch_operand *operand = &call->operands[o];
    if (operand->rows == 0 || operand->columns == 0)
        return 0;
    return (uint64_t)((operand->columns - 1) * call->batch.leading[o] + operand->rows) *
           gcl_blas_size(call->batch.type);
}

// `count` of a problem's `one`, from `first` on.
static struct gcl_buffer some(struct gcl_buffer one, int32_t first, int32_t count) {
    if (one.size == 0)
        return one;
    return (struct gcl_buffer){(char *)one.begin + one.size * (uint64_t)first,
                               one.size * (uint64_t)count, one.access};
}

// The matrices of operand `o` in `count` problems from `first` on, and what is between them.
static struct gcl_buffer matrices(const struct gcl_blas_batched *call, unsigned o,
                                  char *const *places, int32_t count) {
    char *begin = places[0], *last = places[0];
    for (int32_t i = 1; i < count; i++) {
        begin = places[i] < begin ? places[i] : begin;
        last = places[i] > last ? places[i] : last;
    }
    uint64_t size = (uint64_t)(last - begin) + matrix_size(call, o);
    return (struct gcl_buffer){begin, size, call->operands[o].access};
}

/// A task for `count` problems, from `first` on.
struct piece {
    struct gcl_blas_batch batch;
    struct gcl_buffer buffers[GCL_BLAS_BATCH_BUFFERS];
};

static struct piece describe(const struct gcl_blas_batched *call, const struct places *places,
                             int32_t first, int32_t count) {
    struct piece piece = {.batch = call->batch};
    piece.batch.count = count;
    for (unsigned o = 0; o < GCL_BLAS_BATCH_OPERANDS; o++) {
        const void *pointers = call->operands[o].pointers;
        if (!pointers)
            continue;
        struct gcl_buffer *buffer = &piece.buffers[GCL_BLAS_BATCH_MATRICES + o];
        *buffer = matrices(call, o, places->at[o] + first, count);
        piece.batch.begins[o] = buffer->begin;
        struct gcl_buffer pointer = {(void *)(uintptr_t)pointers, sizeof(void *), GCL_BUFFER_READ};
        piece.buffers[GCL_BLAS_BATCH_POINTERS + o] = some(pointer, first, count);
    }
    piece.buffers[GCL_BLAS_BATCH_PIVOTS] = some(call->pivots, first, count);
    piece.buffers[GCL_BLAS_BATCH_INFOS] = some(call->infos, first, count);
    piece.buffers[GCL_BLAS_BATCH_ALPHA] = call->alpha;
    return piece;
}

static cublasStatus_t launch(const struct gcl_blas_batched *call, const struct piece *piece) {
    return gcl_blas_status(gclLaunchTask(call->task, piece->buffers, GCL_BLAS_BATCH_BUFFERS,
                                         &piece->batch, sizeof piece->batch, call->handle->stream));
}

// What lies between matrices isn't the batch's: a task must not say that it writes it.

static int compare(const void *a, const void *b) {
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    return (x > y) - (x < y);
}

// Whether there is nothing between an operand's matrices but the rest of their last columns, all in
// one allocation. Sorts the places.
static bool is_dense(const struct gcl_blas_batched *call, unsigned o, char **places) {
    int32_t count = call->batch.count;
    uint64_t size = matrix_size(call, o);
    uint64_t padded = size + (uint64_t)(call->batch.leading[o] - call->operands[o].rows) *
                                 gcl_blas_size(call->batch.type);
    qsort(places, (size_t)count, sizeof *places, compare);
    for (int32_t i = 1; i < count; i++) {
        if ((uint64_t)(places[i] - places[i - 1]) > padded)
            return false;
    }
    CUdeviceptr begin;
    size_t bytes;
    if (cuMemGetAddressRange(&begin, &bytes, (CUdeviceptr)places[0]) != CUDA_SUCCESS)
        return false;
    return (CUdeviceptr)places[count - 1] + size <= begin + bytes;
}

static bool overlap(const struct gcl_buffer *a, const struct gcl_buffer *b) {
    const char *at_a = a->begin, *at_b = b->begin;
    return a->size > 0 && b->size > 0 && at_a < at_b + b->size && at_b < at_a + a->size;
}

// Whether a buffer has bytes of another that is written.
static bool is_tangled(const struct piece *piece) {
    for (unsigned i = 0; i < GCL_BLAS_BATCH_BUFFERS; i++) {
        for (unsigned j = 0; j < i; j++) {
            const struct gcl_buffer *a = &piece->buffers[i], *b = &piece->buffers[j];
            if (((a->access | b->access) & GCL_BUFFER_WRITE) && overlap(a, b))
                return true;
        }
    }
    return false;
}

static bool is_one_piece(const struct gcl_blas_batched *call, const struct piece *whole,
                         const struct places *places) {
    if (is_tangled(whole))
        return false;
    for (unsigned o = 0; o < GCL_BLAS_BATCH_OPERANDS; o++) {
        if (!places->at[o])
            continue;
        size_t size = (size_t)call->batch.count * sizeof(char *);
        char **sorted = malloc(size);
        if (!sorted)
            return false;
        memcpy(sorted, places->at[o], size);
        bool dense = is_dense(call, o, sorted);
        free(sorted);
        if (!dense)
            return false;
    }
    return true;
}

cublasStatus_t gcl_blas_run_batch(const struct gcl_blas_batched *call) {
    struct places places = {0};
    int32_t count = call->batch.count;
    cublasStatus_t status = read_pointers(call, &places);
    if (status == CUBLAS_STATUS_SUCCESS) {
        struct piece piece = describe(call, &places, 0, count);
        bool is_one = count > 1 && is_one_piece(call, &piece, &places);
        if (is_one)
            status = launch(call, &piece);
        for (int32_t i = 0; i < count && !is_one && status == CUBLAS_STATUS_SUCCESS; i++) {
            piece = describe(call, &places, i, 1);
            status = launch(call, &piece);
        }
    }
    for (unsigned o = 0; o < GCL_BLAS_BATCH_OPERANDS; o++)
        free(places.at[o]);
    return status;
}
