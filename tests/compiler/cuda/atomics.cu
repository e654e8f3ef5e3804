// Every atomic in its three scopes and for every type: what it returns and what it leaves; and
// caches' loads and stores, which move vectors whole.
#include "../device/check.h"

enum { THREADS = 64 };

#define INTEGER(X, T)                                                                              \
    X(T, atomicAdd)                                                                                \
    X(T, atomicExch) X(T, atomicMin) X(T, atomicMax) X(T, atomicAnd) X(T, atomicOr)                \
        X(T, atomicXor) X(T, atomicSub)

template <class T> static __host__ __device__ T apply(int operation, T old, T value) {
    switch (operation / 3) {
    case 0:
        return old + value;
    case 1:
        return value;
    case 2:
        return value < old ? value : old;
    case 3:
        return value > old ? value : old;
    case 4:
        return old & value;
    case 5:
        return old | value;
    case 6:
        return old ^ value;
    default:
        return old - value;
    }
}

#define CALLS(T, name)                                                                             \
    old = cells[n], wrong += name(&cells[n], value) != old,                                        \
    wrong += cells[n] != apply(n, old, value), n++;                                                \
    old = cells[n], wrong += name##_block(&cells[n], value) != old,                                \
    wrong += cells[n] != apply(n, old, value), n++;                                                \
    old = cells[n], wrong += name##_system(&cells[n], value) != old,                               \
    wrong += cells[n] != apply(n, old, value), n++;

template <class T> __global__ void one_thread(T *cells, T value, int *wrongs) {
    int n = 0, wrong = 0;
    T old;
    INTEGER(CALLS, T)
    cells[0] = 5;
    wrong += atomicCAS(&cells[0], T(5), value) != 5 || cells[0] != value;
    wrong += atomicCAS_block(&cells[0], T(6), T(9)) != value || cells[0] != value;
    wrong += atomicCAS_system(&cells[0], value, T(9)) != value || cells[0] != 9;
    *wrongs += wrong;
}

template <class T> static void test_type(T start, T value) {
    T *cells = managed<T>(24);
    int *wrongs = managed<int>(1);
    for (int n = 0; n < 24; n++)
        cells[n] = start;
    one_thread<<<1, 1>>>(cells, value, wrongs);
    SYNC();
    CHECK(*wrongs == 0);
}

struct Shared {
    float f;
    double d;
    float2 f2;
    float4 f4;
    unsigned inc, dec;
    size_t size;
    unsigned short half;
    int last, nv, nv_high, nv_stored;
};

__global__ void many(Shared *r, float4 *copies) {
    atomicAdd(&r->f, 0.5f);
    atomicAdd_system(&r->d, 0.25);
    atomicAdd(&r->f2, make_float2(1, 2));
    atomicAdd(&r->f4, make_float4(1, 2, 3, 4));
    atomicInc(&r->inc, 6);
    atomicDec(&r->dec, 6);
    atomicAdd(&r->size, 3);
    unsigned short seen = r->half, before;
    do {
        before = seen;
        seen = atomicCAS(&r->half, before, (unsigned short)(before + 1));
    } while (seen != before);
    if (atomicExch(&r->last, threadIdx.x + 1) == 0)
        atomicExch(&copies[0].x, 1.0f);
    __nv_atomic_fetch_add(&r->nv, 2, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_add(&r->nv, 1, __NV_ATOMIC_SEQ_CST);
    __nv_atomic_max(&r->nv_high, (int)threadIdx.x, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_store_n(&r->nv_stored, 7, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
    __nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
    __threadfence();
    int i = threadIdx.x;
    __stcs(&copies[THREADS + i], __ldg(&copies[i]));
    __stcg(&copies[THREADS + i].y, __ldcs(&copies[i].y) + 1);
    __stwt(&copies[THREADS + i].z, __ldcv(&copies[i].z) + __ldcg(&copies[i].z));
    __stwb(&copies[THREADS + i].w, __ldca(&copies[i].w));
}

int main() {
    test_type<int>(-7, 12);
    test_type<unsigned>(0x80000003, 0x10);
    test_type<long>(-7, 1L << 40);
    test_type<unsigned long>(1ul << 63, 77);
    test_type<long long>(-7, -(1LL << 40));
    test_type<unsigned long long>(1ull << 63, 77);
    Shared *r = managed<Shared>(1);
    float4 *copies = managed<float4>(2 * THREADS);
    for (int i = 0; i < THREADS; i++)
        copies[i] = make_float4(i, 2 * i, 3 * i, 4 * i);
    many<<<4, THREADS>>>(r, copies);
    SYNC();
    CHECK(r->f == 128 && r->d == 64 && r->f2.x == 256 && r->f2.y == 512);
    CHECK(r->f4.x == 256 && r->f4.w == 1024 && r->inc == 256 % 7);
    CHECK(r->dec == (7 - 256 % 7) % 7 && r->size == 768 && r->half == 256);
    CHECK(r->nv == 768 && r->nv_high == THREADS - 1 && r->nv_stored == 7);
    CHECK(r->last > 0 && copies[0].x == 1);
    for (int i = 1; i < THREADS; i++) {
        float4 c = copies[THREADS + i];
        CHECK(c.x == i && c.y == 2 * i + 1 && c.z == 6 * i && c.w == 4 * i);
    }
}
