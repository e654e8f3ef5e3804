// The text of what blocks do to slices of vectors. Reductions leave a number for each block, of
// which `total` makes one.
#ifndef GCL_BLAS_VECTOR_CUH
#define GCL_BLAS_VECTOR_CUH

#include "number.cuh"

template <class T> __device__ T *element(void *vector, int64_t step, int64_t i) {
    return static_cast<T *>(vector) + i * step;
}

// Elements are T, what is computed with them is S.

template <class T, class S = T> __device__ void axpy(const struct gcl_blas_vectors &v) {
    S alpha = read<S>(v.alpha);
    int64_t end = min(v.n, (blockIdx.x + 1) * v.slice);
    for (int64_t i = blockIdx.x * v.slice + threadIdx.x; i < end; i += blockDim.x) {
        T *y = element<T>(v.y, v.y_step, i);
        S x = convert<S>(*element<const T>(v.x, v.x_step, i));
        *y = convert<T>(plus(times(alpha, x), convert<S>(*y)));
    }
}

template <class T, class S = T> __device__ void scal(const struct gcl_blas_vectors &v) {
    S alpha = read<S>(v.alpha);
    int64_t end = min(v.n, (blockIdx.x + 1) * v.slice);
    for (int64_t i = blockIdx.x * v.slice + threadIdx.x; i < end; i += blockDim.x) {
        T *x = element<T>(v.x, v.x_step, i);
        *x = convert<T>(times(alpha, convert<S>(*x)));
    }
}

template <class T> __device__ void copy(const struct gcl_blas_vectors &v) {
    int64_t end = min(v.n, (blockIdx.x + 1) * v.slice);
    for (int64_t i = blockIdx.x * v.slice + threadIdx.x; i < end; i += blockDim.x)
        *element<T>(v.y, v.y_step, i) = *element<const T>(v.x, v.x_step, i);
}

template <class T> __device__ void swap(const struct gcl_blas_vectors &v) {
    int64_t end = min(v.n, (blockIdx.x + 1) * v.slice);
    for (int64_t i = blockIdx.x * v.slice + threadIdx.x; i < end; i += blockDim.x) {
        T *x = element<T>(v.x, v.x_step, i), *y = element<T>(v.y, v.y_step, i);
        T kept = *x;
        *x = *y;
        *y = kept;
    }
}

// Reductions: the first thread of a block adds, so that sums have one order, in double precision.

template <class T> struct wide {
    using type = double;
};
template <> struct wide<float2> {
    using type = double2;
};
template <> struct wide<double2> {
    using type = double2;
};

__device__ inline void add(double &sum, double value) {
    sum += value;
}
__device__ inline void add(double2 &sum, float2 value) {
    sum.x += value.x;
    sum.y += value.y;
}
__device__ inline void add(double2 &sum, double2 value) {
    sum.x += value.x;
    sum.y += value.y;
}

template <class T, class S = T> __device__ void dot(const struct gcl_blas_vectors &v) {
    if (threadIdx.x > 0)
        return;
    int64_t end = min(v.n, (blockIdx.x + 1) * v.slice);
    typename wide<S>::type sum{};
    for (int64_t i = blockIdx.x * v.slice; i < end; i++) {
        S x = convert<S>(*element<const T>(v.x, v.x_step, i));
        S y = convert<S>(*element<const T>(v.y, v.y_step, i));
        add(sum, times(conjugate_if(v.conjugate, x), y));
    }
    static_cast<S *>(v.result)[blockIdx.x] = convert<S>(sum);
}

template <class R> struct scaled { // of a sum of squares: scale^2 * sum
    R scale = 0, sum = 1;
    __device__ void add(R value) {
        R size = fabs(value);
        if (size == 0)
            return;
        if (!(size <= scale)) {
            sum = 1 + sum * (scale / size) * (scale / size);
            scale = size;
        } else {
            sum += (size / scale) * (size / scale);
        }
    }
    __device__ void add(float2 value) {
        add(value.x);
        add(value.y);
    }
    __device__ void add(double2 value) {
        add(value.x);
        add(value.y);
    }
};

template <class T> struct real {
    using type = T;
};
template <> struct real<float2> {
    using type = float;
};
template <> struct real<double2> {
    using type = double;
};

template <class T, class S = T> __device__ void nrm2(const struct gcl_blas_vectors &v) {
    using R = typename real<S>::type;
    if (threadIdx.x > 0)
        return;
    int64_t end = min(v.n, (blockIdx.x + 1) * v.slice);
    scaled<R> norm;
    for (int64_t i = blockIdx.x * v.slice; i < end; i++)
        norm.add(convert<S>(*element<const T>(v.x, v.x_step, i)));
    static_cast<R *>(v.result)[blockIdx.x] = norm.scale * sqrt(norm.sum);
}

template <class R> __device__ R size(R value) {
    return fabs(value);
}
__device__ inline float size(float2 value) {
    return fabsf(value.x) + fabsf(value.y);
}
__device__ inline double size(double2 value) {
    return fabs(value.x) + fabs(value.y);
}

template <class T> __device__ void asum(const struct gcl_blas_vectors &v) {
    using R = typename real<T>::type;
    if (threadIdx.x > 0)
        return;
    int64_t end = min(v.n, (blockIdx.x + 1) * v.slice);
    double sum = 0;
    for (int64_t i = blockIdx.x * v.slice; i < end; i++)
        sum += size(*element<const T>(v.x, v.x_step, i));
    static_cast<R *>(v.result)[blockIdx.x] = static_cast<R>(sum);
}

template <class T> __device__ void total(const struct gcl_blas_vectors &v) {
    if (threadIdx.x > 0)
        return;
    typename wide<T>::type sum{};
    for (int64_t i = 0; i < v.n; i++)
        add(sum, static_cast<const T *>(v.x)[i]);
    *static_cast<T *>(v.result) = convert<T>(sum);
}

#define KERNEL(name, letter, T)                                                                    \
    extern "C" __global__ __attribute__((                                                          \
        annotate("gcl.native=gcl_blas_" #name                                                      \
                 "_" #letter))) void cublas_##name##_##letter(struct gcl_blas_vectors v) {         \
        name<T>(v);                                                                                \
    }
GCL_BLAS_VECTORS(KERNEL)
#undef KERNEL

#define KERNEL(name, letter, T)                                                                    \
    extern "C" __global__ void cublas_##name##_##letter(struct gcl_blas_vectors v) {               \
        name<T>(v);                                                                                \
    }
GCL_BLAS_TOTALS(KERNEL)
#undef KERNEL

#define KERNEL(name, letter, T, S)                                                                 \
    extern "C" __global__ void cublas_##name##_##letter(struct gcl_blas_vectors v) {               \
        name<T, S>(v);                                                                             \
    }
GCL_BLAS_HALF_VECTORS(KERNEL)
#undef KERNEL

#endif
