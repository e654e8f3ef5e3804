// FFTW's functions for one precision, over what cufftw.h has for both. No include guard: cufftw.h
// defines the names and types, and this file takes the definitions back.

typedef void *__GCL_FFTW(plan);

// Transforms of one kind, of one to three dimensions, of any of these, and of many at a time.
#define __GCL_FFTW_PLANS(__kind, __type, __in_type, __in_real, __out_type, __out_real, __sign,     \
                         ...)                                                                      \
    static inline __GCL_FFTW(plan)                                                                 \
        __GCL_FFTW(plan_##__kind)(int __rank, const int *__n, __in_type *__in, __out_type *__out,  \
                                  __VA_ARGS__ unsigned __flags) {                                  \
        struct __gcl_fftw_side __from = {NULL, 0, 0, __in_real}, __to = {NULL, 0, 0, __out_real};  \
        (void)__flags;                                                                             \
        return __gcl_fftw_make(__rank, __n, 1, __type, __sign, __in, __from, __out, __to);         \
    }                                                                                              \
    static inline __GCL_FFTW(plan) __GCL_FFTW(plan_##__kind##_1d)(                                 \
        int __n0, __in_type *__in, __out_type *__out, __VA_ARGS__ unsigned __flags) {              \
        struct __gcl_fftw_side __from = {NULL, 0, 0, __in_real}, __to = {NULL, 0, 0, __out_real};  \
        (void)__flags;                                                                             \
        return __gcl_fftw_make(1, &__n0, 1, __type, __sign, __in, __from, __out, __to);            \
    }                                                                                              \
    static inline __GCL_FFTW(plan) __GCL_FFTW(plan_##__kind##_2d)(                                 \
        int __n0, int __n1, __in_type *__in, __out_type *__out, __VA_ARGS__ unsigned __flags) {    \
        struct __gcl_fftw_side __from = {NULL, 0, 0, __in_real}, __to = {NULL, 0, 0, __out_real};  \
        int __n[2] = {__n0, __n1};                                                                 \
        (void)__flags;                                                                             \
        return __gcl_fftw_make(2, __n, 1, __type, __sign, __in, __from, __out, __to);              \
    }                                                                                              \
    static inline __GCL_FFTW(plan)                                                                 \
        __GCL_FFTW(plan_##__kind##_3d)(int __n0, int __n1, int __n2, __in_type *__in,              \
                                       __out_type *__out, __VA_ARGS__ unsigned __flags) {          \
        struct __gcl_fftw_side __from = {NULL, 0, 0, __in_real}, __to = {NULL, 0, 0, __out_real};  \
        int __n[3] = {__n0, __n1, __n2};                                                           \
        (void)__flags;                                                                             \
        return __gcl_fftw_make(3, __n, 1, __type, __sign, __in, __from, __out, __to);              \
    }                                                                                              \
    static inline __GCL_FFTW(plan) __GCL_FFTW(plan_many_##__kind)(                                 \
        int __rank, const int *__n, int __batch, __in_type *__in, const int *__in_embed,           \
        int __in_stride, int __in_distance, __out_type *__out, const int *__out_embed,             \
        int __out_stride, int __out_distance, __VA_ARGS__ unsigned __flags) {                      \
        struct __gcl_fftw_side __from = {__in_embed, __in_stride, __in_distance, __in_real};       \
        struct __gcl_fftw_side __to = {__out_embed, __out_stride, __out_distance, __out_real};     \
        (void)__flags;                                                                             \
        return __gcl_fftw_make(__rank, __n, __batch, __type, __sign, __in, __from, __out, __to);   \
    }                                                                                              \
    static inline __GCL_FFTW(plan) __GCL_FFTW(plan_guru_##__kind)(                                 \
        int __rank, const __GCL_FFTW(iodim) * __n, int __batch_rank,                               \
        const __GCL_FFTW(iodim) * __batch, __in_type * __in, __out_type * __out,                   \
        __VA_ARGS__ unsigned __flags) {                                                            \
        (void)__rank, (void)__n, (void)__batch_rank, (void)__batch, (void)__in, (void)__out;       \
        (void)__sign, (void)__flags;                                                               \
        return __gcl_fftw_refuse("gcluster has no guru interface (plan_guru_" #__kind "); use "    \
                                 "plan_many_" #__kind);                                            \
    }                                                                                              \
    static inline __GCL_FFTW(plan) __GCL_FFTW(plan_guru64_##__kind)(                               \
        int __rank, const __GCL_FFTW(iodim64) * __n, int __batch_rank,                             \
        const __GCL_FFTW(iodim64) * __batch, __in_type * __in, __out_type * __out,                 \
        __VA_ARGS__ unsigned __flags) {                                                            \
        (void)__rank, (void)__n, (void)__batch_rank, (void)__batch, (void)__in, (void)__out;       \
        (void)__sign, (void)__flags;                                                               \
        return __gcl_fftw_refuse("gcluster has no guru interface (plan_guru64_" #__kind "); use "  \
                                 "plan_many_" #__kind);                                            \
    }

#define __GCL_FFTW_SIGN int __sign, // a parameter of complex transforms alone
__GCL_FFTW_PLANS(dft, __GCL_FFTW_C2C, __GCL_FFTW(complex), 0, __GCL_FFTW(complex), 0, __sign,
                 __GCL_FFTW_SIGN)
__GCL_FFTW_PLANS(dft_r2c, __GCL_FFTW_R2C, __GCL_FFTW_REAL, 1, __GCL_FFTW(complex), 0,
                 CUFFT_FORWARD, )
__GCL_FFTW_PLANS(dft_c2r, __GCL_FFTW_C2R, __GCL_FFTW(complex), 0, __GCL_FFTW_REAL, 1,
                 CUFFT_INVERSE, )
#undef __GCL_FFTW_SIGN
#undef __GCL_FFTW_PLANS

static inline void __GCL_FFTW(execute)(const __GCL_FFTW(plan) __plan) {
    const struct __gcl_fftw_plan *__p = (const struct __gcl_fftw_plan *)__plan;
    __gcl_fftw_execute(__p, __p->in, __p->out);
}
static inline void __GCL_FFTW(execute_dft)(const __GCL_FFTW(plan) __plan,
                                           __GCL_FFTW(complex) * __in,
                                           __GCL_FFTW(complex) * __out) {
    __gcl_fftw_execute((const struct __gcl_fftw_plan *)__plan, __in, __out);
}
static inline void __GCL_FFTW(execute_dft_r2c)(const __GCL_FFTW(plan) __plan, __GCL_FFTW_REAL *__in,
                                               __GCL_FFTW(complex) * __out) {
    __gcl_fftw_execute((const struct __gcl_fftw_plan *)__plan, __in, __out);
}
static inline void __GCL_FFTW(execute_dft_c2r)(const __GCL_FFTW(plan) __plan,
                                               __GCL_FFTW(complex) * __in, __GCL_FFTW_REAL *__out) {
    __gcl_fftw_execute((const struct __gcl_fftw_plan *)__plan, __in, __out);
}

static inline void __GCL_FFTW(destroy_plan)(__GCL_FFTW(plan) __plan) {
    if (__plan)
        cufftDestroy(((struct __gcl_fftw_plan *)__plan)->handle);
    free(__plan);
}
static inline void *__GCL_FFTW(malloc)(size_t __size) {
    return malloc(__size);
}
static inline void __GCL_FFTW(free)(void *__pointer) {
    free(__pointer);
}

// Plans aren't measured, so there is nothing to limit, to tell or to keep.

static inline void __GCL_FFTW(cleanup)(void) {
}
static inline void __GCL_FFTW(set_timelimit)(double __seconds) {
    (void)__seconds;
}
static inline void __GCL_FFTW(print_plan)(const __GCL_FFTW(plan) __plan) {
    (void)__plan;
}
static inline double __GCL_FFTW(cost)(const __GCL_FFTW(plan) __plan) {
    (void)__plan;
    return 0;
}
static inline void __GCL_FFTW(flops)(const __GCL_FFTW(plan) __plan, double *__add,
                                     double *__multiply, double *__fma) {
    (void)__plan;
    *__add = *__multiply = *__fma = 0;
}
static inline int __GCL_FFTW(import_wisdom_from_file)(FILE *__file) {
    (void)__file;
    return 0;
}
static inline void __GCL_FFTW(export_wisdom_to_file)(FILE *__file) {
    (void)__file;
}

#undef __GCL_FFTW_C2R
#undef __GCL_FFTW_R2C
#undef __GCL_FFTW_C2C
#undef __GCL_FFTW_REAL
#undef __GCL_FFTW
