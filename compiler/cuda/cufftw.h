// cuFFT by FFTW's names. Arrays may be host memory, which is copied to the device and back for each
// transform, or device memory; when a transform returns, it is done. Everything is a plan of
// cuFFT's (cufft.h), of one to three dimensions. The guru interface is refused by name: its plans
// are NULL.
#ifndef GCLUSTER_CUFFTW_H
#define GCLUSTER_CUFFTW_H

#include <stdio.h>
#include <stdlib.h>

#include "cufft.h"

#define FFTW_FORWARD (-1)
#define FFTW_BACKWARD 1
#define FFTW_INVERSE 1
#define FFTW_ESTIMATE 0x01
#define FFTW_MEASURE 0x02
#define FFTW_PATIENT 0x03
#define FFTW_EXHAUSTIVE 0x04
#define FFTW_WISDOM_ONLY 0x05
#define FFTW_DESTROY_INPUT 0x08
#define FFTW_PRESERVE_INPUT 0x0C
#define FFTW_UNALIGNED 0x10

typedef struct {
    int n, is, os;
} fftw_iodim;
typedef fftw_iodim fftwf_iodim;

typedef struct {
    ptrdiff_t n, is, os;
} fftw_iodim64;
typedef fftw_iodim64 fftwf_iodim64;

/// A plan of cuFFT's, and the arrays that it was made for.
struct __gcl_fftw_plan {
    cufftHandle handle;
    cufftType type;
    int direction;
    void *in, *out;
    size_t in_size, out_size; ///< bytes, from the first element to the last one's end
};

/// One side of a transform: the elements of each dimension in memory (NULL: those of the
/// transform), and the distances between elements and transforms of a batch. Stride 0: it is laid
/// out densely.
struct __gcl_fftw_side {
    const int *embed;
    int stride, distance;
    int is_real; ///< of a transform between real and complex numbers
};

/// Elements of the last dimension of a side, and of that in memory.
static inline int __gcl_fftw_last(int __n, cufftType __type, const struct __gcl_fftw_side *__side,
                                  int __is_in_place, int __in_memory) {
    if (__type == CUFFT_C2C || __type == CUFFT_Z2Z)
        return __n;
    if (!__side->is_real)
        return __n / 2 + 1;
    return __in_memory && __is_in_place ? 2 * (__n / 2 + 1) : __n;
}

/// Works out a side for cufftMakePlanMany64; returns the elements from its first one to its last
/// one's end.
static inline size_t __gcl_fftw_lay(int __rank, const int *__n, int __batch, cufftType __type,
                                    int __is_in_place, const struct __gcl_fftw_side *__side,
                                    long long *__embed, long long *__stride,
                                    long long *__distance) {
    long long __step = __side->stride ? __side->stride : 1, __extent = 0;
    *__stride = __step;
    for (int __i = __rank - 1; __i >= 0; __i--) {
        int __is_last = __i == __rank - 1;
        int __count =
            __is_last ? __gcl_fftw_last(__n[__i], __type, __side, __is_in_place, 0) : __n[__i];
        int __lies =
            __is_last ? __gcl_fftw_last(__n[__i], __type, __side, __is_in_place, 1) : __n[__i];
        __embed[__i] = __side->embed ? __side->embed[__i] : __lies;
        __extent += (__count - 1) * __step;
        __step *= __embed[__i];
    }
    *__distance = __side->stride ? __side->distance : __step;
    return (size_t)(__extent + (__batch - 1) * *__distance + 1);
}

static inline size_t __gcl_fftw_element(cufftType __type, int __is_real) {
    int __is_double = __type == CUFFT_Z2Z || __type == CUFFT_D2Z || __type == CUFFT_Z2D;
    return (__is_double ? sizeof(double) : sizeof(float)) * (__is_real ? 1 : 2);
}

static inline void *__gcl_fftw_refuse(const char *__what) {
    fprintf(stderr, "gcluster: error: cuFFT: %s\n", __what);
    return NULL;
}

/// NULL: there is no such plan.
static inline void *__gcl_fftw_make(int __rank, const int *__n, int __batch, cufftType __type,
                                    int __direction, void *__in, struct __gcl_fftw_side __from,
                                    void *__out, struct __gcl_fftw_side __to) {
    long long __sizes[3], __embeds[2][3], __strides[2], __distances[2];
    size_t __work;
    if (__rank < 1 || __rank > 3 || !__n || __batch < 1)
        return __gcl_fftw_refuse("plans by FFTW's names have one to three dimensions");
    for (int __i = 0; __i < __rank; __i++) {
        if (__n[__i] < 1)
            return NULL;
        __sizes[__i] = __n[__i];
    }
    struct __gcl_fftw_plan *__plan = (struct __gcl_fftw_plan *)calloc(1, sizeof *__plan);
    if (!__plan)
        return NULL;
    __plan->type = __type;
    __plan->direction = __direction;
    __plan->in = __in;
    __plan->out = __out;
    __plan->in_size = __gcl_fftw_lay(__rank, __n, __batch, __type, __in == __out, &__from,
                                     __embeds[0], &__strides[0], &__distances[0]) *
                      __gcl_fftw_element(__type, __from.is_real);
    __plan->out_size = __gcl_fftw_lay(__rank, __n, __batch, __type, __in == __out, &__to,
                                      __embeds[1], &__strides[1], &__distances[1]) *
                       __gcl_fftw_element(__type, __to.is_real);
    if (cufftCreate(&__plan->handle) == CUFFT_SUCCESS) {
        if (cufftMakePlanMany64(__plan->handle, __rank, __sizes, __embeds[0], __strides[0],
                                __distances[0], __embeds[1], __strides[1], __distances[1], __type,
                                __batch, &__work) == CUFFT_SUCCESS)
            return __plan;
        cufftDestroy(__plan->handle);
    }
    free(__plan);
    return NULL;
}

static inline cufftResult __gcl_fftw_run(const struct __gcl_fftw_plan *__plan, void *__in,
                                         void *__out) {
    cufftHandle __handle = __plan->handle;
    switch (__plan->type) {
    case CUFFT_C2C:
        return cufftExecC2C(__handle, (cufftComplex *)__in, (cufftComplex *)__out,
                            __plan->direction);
    case CUFFT_Z2Z:
        return cufftExecZ2Z(__handle, (cufftDoubleComplex *)__in, (cufftDoubleComplex *)__out,
                            __plan->direction);
    case CUFFT_R2C:
        return cufftExecR2C(__handle, (cufftReal *)__in, (cufftComplex *)__out);
    case CUFFT_D2Z:
        return cufftExecD2Z(__handle, (cufftDoubleReal *)__in, (cufftDoubleComplex *)__out);
    case CUFFT_C2R:
        return cufftExecC2R(__handle, (cufftComplex *)__in, (cufftReal *)__out);
    default:
        return cufftExecZ2D(__handle, (cufftDoubleComplex *)__in, (cufftDoubleReal *)__out);
    }
}

/// Memory of the device with what `__host` has, or `__host` itself if it is device memory.
static inline void *__gcl_fftw_bring(void *__host, size_t __size, int *__is_copy) {
    struct gclPointerAttributes __found;
    void *__copy = NULL;
    *__is_copy = cudaPointerGetAttributes(&__found, __host) != cudaSuccess ||
                 (__found.type != cudaMemoryTypeDevice && __found.type != cudaMemoryTypeManaged);
    if (!*__is_copy)
        return __host;
    if (cudaMalloc(&__copy, __size) == cudaSuccess)
        cudaMemcpy(__copy, __host, __size, cudaMemcpyHostToDevice);
    return __copy;
}

/// What lies between elements of the output stays, so that is brought to the device, too.
static inline void __gcl_fftw_execute(const struct __gcl_fftw_plan *__plan, void *__in,
                                      void *__out) {
    size_t __both = __plan->in_size > __plan->out_size ? __plan->in_size : __plan->out_size;
    size_t __in_size = __in == __out ? __both : __plan->in_size;
    size_t __out_size = __in == __out ? __both : __plan->out_size;
    int __copies_in, __copies_out = 0;
    void *__from = __gcl_fftw_bring(__in, __in_size, &__copies_in), *__to = __from;
    if (__in != __out)
        __to = __gcl_fftw_bring(__out, __out_size, &__copies_out);
    int __is_good = __from && __to && __gcl_fftw_run(__plan, __from, __to) == CUFFT_SUCCESS &&
                    cudaDeviceSynchronize() == cudaSuccess;
    if (__is_good && (__in == __out ? __copies_in : __copies_out))
        __is_good = cudaMemcpy(__out, __to, __out_size, cudaMemcpyDeviceToHost) == cudaSuccess;
    if (__copies_in)
        cudaFree(__from);
    if (__copies_out)
        cudaFree(__to);
    if (__is_good)
        return;
    __gcl_fftw_refuse("a transform by FFTW's names has failed"); // which FFTW's can't
    abort();
}

// Both precisions.

#ifdef _Complex_I
typedef double _Complex fftw_complex;
typedef float _Complex fftwf_complex;
#else
typedef double fftw_complex[2];
typedef float fftwf_complex[2];
#endif

#define __GCL_FFTW(__name) fftw_##__name
#define __GCL_FFTW_REAL double
#define __GCL_FFTW_C2C CUFFT_Z2Z
#define __GCL_FFTW_R2C CUFFT_D2Z
#define __GCL_FFTW_C2R CUFFT_Z2D
#include "gcluster_cufftw.h"
#define __GCL_FFTW(__name) fftwf_##__name
#define __GCL_FFTW_REAL float
#define __GCL_FFTW_C2C CUFFT_C2C
#define __GCL_FFTW_R2C CUFFT_R2C
#define __GCL_FFTW_C2R CUFFT_C2R
#include "gcluster_cufftw.h"

#endif
