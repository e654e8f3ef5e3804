// Routines of vectors by NVIDIA's cuBLAS: of all slices of a launch at once.
#include <stddef.h>

#include "vendor.h"

/// A launch's part of vectors, as BLAS has them: with steps back, the first element comes last.
struct part {
    const struct gcl_blas_vectors *v;
    struct gcl_blas_range range;
    cublasHandle_t handle;
    const void *alpha;
};

static void *first(const struct part *p, void *vector, int64_t step, int64_t size) {
    int64_t index = step < 0 ? p->range.begin + p->range.count - 1 : p->range.begin;
    return (char *)vector + index * step * size;
}

static struct part part_of(const struct gcl_vendor_launch *launch) {
    const struct gcl_blas_vectors *v = launch->arguments;
    return (struct part){
        .v = v, .range = gcl_blas_slices(launch->begin[0], launch->end[0], v->slice, v->n)};
}

#define N p.range.count
#define X(size) first(&p, p.v->x, p.v->x_step, size), p.v->x_step
#define Y(size) first(&p, p.v->y, p.v->y_step, size), p.v->y_step

#define CHANGE(name, letter, size, call)                                                           \
    static bool name##_##letter(const struct gcl_vendor_launch *launch) {                          \
        struct part p = part_of(launch);                                                           \
        struct gcl_blas_vendor_scalar alpha;                                                       \
        p.handle = gcl_blas_vendor_scaled(launch->stream, &p.v->alpha, &alpha, &p.alpha);          \
        return p.handle && gcl_blas_vendor.has.call == CUBLAS_STATUS_SUCCESS;                      \
    }
#define CHANGES(letter, L, size)                                                                   \
    CHANGE(axpy, letter, size, cublas##L##axpy_v2_64(p.handle, N, p.alpha, X(size), Y(size)))      \
    CHANGE(scal, letter, size, cublas##L##scal_v2_64(p.handle, N, p.alpha, X(size)))               \
    CHANGE(copy, letter, size, cublas##L##copy_v2_64(p.handle, N, X(size), Y(size)))               \
    CHANGE(swap, letter, size, cublas##L##swap_v2_64(p.handle, N, X(size), Y(size)))
CHANGES(s, S, 4)
CHANGES(d, D, 8)
CHANGES(c, C, 8)
CHANGES(z, Z, 16)

/// Makes room for a launch's one number, of `size` bytes: other blocks' are 0, which neither sums
/// nor norms see.
static void *take_result(struct part *p, const struct gcl_vendor_launch *launch, size_t size) {
    size_t count = launch->end[0] - launch->begin[0];
    char *result = (char *)p->v->result + launch->begin[0] * size;
    p->handle = gcl_blas_vendor_begin(launch->stream, CUBLAS_POINTER_MODE_DEVICE);
    return p->handle && launch->clear(launch, result, count * size) ? result : NULL;
}

#define REDUCTION(name, letter, size, call)                                                        \
    static bool name##_##letter(const struct gcl_vendor_launch *launch) {                          \
        struct part p = part_of(launch);                                                           \
        void *result = take_result(&p, launch, size);                                              \
        return result && (call) == CUBLAS_STATUS_SUCCESS;                                          \
    }
#define DOT(name, size) gcl_blas_vendor.has.name(p.handle, N, X(size), Y(size), result)
#define NORM(name, size) gcl_blas_vendor.has.name(p.handle, N, X(size), result)
REDUCTION(dot, s, 4, DOT(cublasSdot_v2_64, 4))
REDUCTION(dot, d, 8, DOT(cublasDdot_v2_64, 8))
REDUCTION(dot, c, 8, p.v->conjugate ? DOT(cublasCdotc_v2_64, 8) : DOT(cublasCdotu_v2_64, 8))
REDUCTION(dot, z, 16, p.v->conjugate ? DOT(cublasZdotc_v2_64, 16) : DOT(cublasZdotu_v2_64, 16))
REDUCTION(nrm2, s, 4, NORM(cublasSnrm2_v2_64, 4))
REDUCTION(nrm2, d, 8, NORM(cublasDnrm2_v2_64, 8))
REDUCTION(nrm2, c, 4, NORM(cublasScnrm2_v2_64, 8))
REDUCTION(nrm2, z, 8, NORM(cublasDznrm2_v2_64, 16))
REDUCTION(asum, s, 4, NORM(cublasSasum_v2_64, 4))
REDUCTION(asum, d, 8, NORM(cublasDasum_v2_64, 8))
REDUCTION(asum, c, 4, NORM(cublasScasum_v2_64, 8))
REDUCTION(asum, z, 8, NORM(cublasDzasum_v2_64, 16))

#define OFFER(name, letter, ...) {gcl_blas_vendor_is_there, name##_##letter},
static const struct gcl_vendor offers[] = {GCL_BLAS_VECTORS(OFFER)};

__attribute__((constructor)) static void offer(void) {
    for (size_t i = 0; i < sizeof offers / sizeof *offers; i++)
        gcl_vendor_offer(gcl_blas_kernels[GCL_BLAS_axpy_s + i], &offers[i]);
}
