// Normal and log-normal distributions by Box and Muller's transformation: two uniform numbers make
// two normal ones; where one is asked for, the state keeps the other. Its flag tells of which kind:
// 1 normal, 2 log-normal, already with the mean and deviation of the call that made the pair.
#ifndef GCLUSTER_CURAND_NORMAL_H
#define GCLUSTER_CURAND_NORMAL_H

__GCL_CURAND float2 __gcl_box_muller(float __radius, float __turn) {
    float __scale = __builtin_sqrtf(-2.0f * __builtin_logf(__radius));
    float2 __result;
    __result.x = __builtin_sinf(__turn) * __scale;
    __result.y = __builtin_cosf(__turn) * __scale;
    return __result;
}

__GCL_CURAND double2 __gcl_box_muller_double(double __radius, double __turn) {
    double __scale = __builtin_sqrt(-2.0 * __builtin_log(__radius));
    double2 __result;
    __result.x = __builtin_sin(__turn * 3.14159265358979323846) * __scale;
    __result.y = __builtin_cos(__turn * 3.14159265358979323846) * __scale;
    return __result;
}

__GCL_CURAND float2 __gcl_normal2(unsigned __x, unsigned __y) {
    return __gcl_box_muller(__gcl_uniform(__x), (float)__y * (2.3283064e-10f * 6.2831855f) +
                                                    1.1641532e-10f * 6.2831855f);
}

__GCL_CURAND double2 __gcl_normal2_double(uint4 __x) {
    return __gcl_box_muller_double(__gcl_uniform_double(__x.x, __x.y),
                                   2 * __gcl_uniform_double(__x.z, __x.w));
}

#define __GCL_NORMAL2(__state_type)                                                                \
    QUALIFIERS float2 curand_normal2(__state_type *__state) {                                      \
        unsigned __x = curand(__state);                                                            \
        return __gcl_normal2(__x, curand(__state));                                                \
    }                                                                                              \
    QUALIFIERS double2 curand_normal2_double(__state_type *__state) {                              \
        uint4 __x;                                                                                 \
        __x.x = curand(__state);                                                                   \
        __x.y = curand(__state);                                                                   \
        __x.z = curand(__state);                                                                   \
        __x.w = curand(__state);                                                                   \
        return __gcl_normal2_double(__x);                                                          \
    }
__GCL_NORMAL2(curandStateXORWOW_t)
__GCL_NORMAL2(curandStatePhilox4_32_10_t)
#undef __GCL_NORMAL2

QUALIFIERS float2 curand_normal2(curandStateMRG32k3a_t *__state) {
    float __radius = curand_uniform(__state);
    return __gcl_box_muller(__radius, curand_uniform(__state) * 6.2831855f);
}

QUALIFIERS double2 curand_normal2_double(curandStateMRG32k3a_t *__state) {
    double __radius = curand_uniform_double(__state);
    return __gcl_box_muller_double(__radius, 2 * curand_uniform_double(__state));
}

QUALIFIERS float4 curand_normal4(curandStatePhilox4_32_10_t *__state) {
    uint4 __x = curand4(__state);
    float2 __low = __gcl_normal2(__x.x, __x.y), __high = __gcl_normal2(__x.z, __x.w);
    return make_float4(__low.x, __low.y, __high.x, __high.y);
}

QUALIFIERS double4 curand_normal4_double(curandStatePhilox4_32_10_t *__state) {
    double2 __low = __gcl_normal2_double(curand4(__state));
    double2 __high = __gcl_normal2_double(curand4(__state));
    double4 __result;
    __result.x = __low.x;
    __result.y = __low.y;
    __result.z = __high.x;
    __result.w = __high.y;
    return __result;
}

#define __GCL_NORMAL(__state_type, __real, __suffix, __exp)                                        \
    QUALIFIERS __real curand_normal##__suffix(__state_type *__state) {                             \
        if (__state->boxmuller_flag##__suffix == 1) {                                              \
            __state->boxmuller_flag##__suffix = 0;                                                 \
            return __state->boxmuller_extra##__suffix;                                             \
        }                                                                                          \
        __real##2 __pair = curand_normal2##__suffix(__state);                                      \
        __state->boxmuller_extra##__suffix = __pair.y;                                             \
        __state->boxmuller_flag##__suffix = 1;                                                     \
        return __pair.x;                                                                           \
    }                                                                                              \
    QUALIFIERS __real##2 curand_log_normal2##__suffix(__state_type *__state, __real __mean,        \
                                                      __real __deviation) {                        \
        __real##2 __pair = curand_normal2##__suffix(__state);                                      \
        __pair.x = __exp(__mean + __deviation * __pair.x);                                         \
        __pair.y = __exp(__mean + __deviation * __pair.y);                                         \
        return __pair;                                                                             \
    }                                                                                              \
    QUALIFIERS __real curand_log_normal##__suffix(__state_type *__state, __real __mean,            \
                                                  __real __deviation) {                            \
        if (__state->boxmuller_flag##__suffix == 2) {                                              \
            __state->boxmuller_flag##__suffix = 0;                                                 \
            return __state->boxmuller_extra##__suffix;                                             \
        }                                                                                          \
        __real##2 __pair = curand_log_normal2##__suffix(__state, __mean, __deviation);             \
        __state->boxmuller_extra##__suffix = __pair.y;                                             \
        __state->boxmuller_flag##__suffix = 2;                                                     \
        return __pair.x;                                                                           \
    }
#define __GCL_NORMALS(__state_type)                                                                \
    __GCL_NORMAL(__state_type, float, , __builtin_expf)                                            \
    __GCL_NORMAL(__state_type, double, _double, __builtin_exp)
__GCL_NORMALS(curandStateXORWOW_t)
__GCL_NORMALS(curandStatePhilox4_32_10_t)
__GCL_NORMALS(curandStateMRG32k3a_t)
#undef __GCL_NORMALS
#undef __GCL_NORMAL

QUALIFIERS float4 curand_log_normal4(curandStatePhilox4_32_10_t *__state, float __mean,
                                     float __deviation) {
    float4 __x = curand_normal4(__state);
    return make_float4(
        __builtin_expf(__mean + __deviation * __x.x), __builtin_expf(__mean + __deviation * __x.y),
        __builtin_expf(__mean + __deviation * __x.z), __builtin_expf(__mean + __deviation * __x.w));
}

#endif
