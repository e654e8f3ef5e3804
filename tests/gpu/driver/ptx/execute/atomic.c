// Atomic operations: lane after lane, each atomic for the host's threads too, which run other
// launches.
#include <math.h>

#include "access.h"
#include "half.h"
#include "lanes.h"

#define LOAD(T, from)                                                                              \
    ({                                                                                             \
        T value_;                                                                                  \
        memcpy(&value_, from, sizeof value_);                                                      \
        value_;                                                                                    \
    })

static uint64_t add_floats(uint64_t old, uint64_t by) {
    float a = LOAD(float, &old), sum = a + LOAD(float, &by);
    uint32_t bits = LOAD(uint32_t, &sum);
    return isnan(sum) ? 0x7fffffff : bits;
}

static uint64_t add_doubles(uint64_t old, uint64_t by) {
    double a = LOAD(double, &old), sum = a + LOAD(double, &by);
    return LOAD(uint64_t, &sum);
}

static uint64_t add_halves(uint64_t old, uint64_t by, enum ptx_type type) {
    uint64_t sum = 0;
    for (unsigned at = 0; at < 8u * ptx_type_facts[type].size; at += 16) {
        uint16_t a = (uint16_t)(old >> at), b = (uint16_t)(by >> at);
        bool is_half = type == PTX_F16 || type == PTX_F16X2;
        uint16_t part =
            is_half
                ? ptx_half_of((double)ptx_half_value(a) + (double)ptx_half_value(b), PTX_NEAREST)
                : ptx_bfloat_of((double)ptx_bfloat_value(a) + (double)ptx_bfloat_value(b),
                                PTX_NEAREST);
        sum |= (uint64_t)part << at;
    }
    return sum;
}

static uint64_t add(uint64_t old, uint64_t by, enum ptx_type type) {
    switch (type) {
    case PTX_F32:
        return add_floats(old, by);
    case PTX_F64:
        return add_doubles(old, by);
    case PTX_F16:
    case PTX_BF16:
    case PTX_F16X2:
    case PTX_BF16X2:
        return add_halves(old, by, type);
    default:
        return old + by;
    }
}

static bool is_less(uint64_t a, uint64_t b, enum ptx_type type) {
    if (type == PTX_S32)
        return (int32_t)a < (int32_t)b;
    return type == PTX_S64 ? (int64_t)a < (int64_t)b : a < b;
}

/// What the memory has after the operation.
static uint64_t combine(const struct ptx_op *op, uint64_t old, uint64_t b, uint64_t c) {
    switch ((enum ptx_atomic)op->kind) {
    case PTX_ATOMIC_ADD:
        return add(old, b, op->type);
    case PTX_ATOMIC_MIN:
        return is_less(b, old, op->type) ? b : old;
    case PTX_ATOMIC_MAX:
        return is_less(old, b, op->type) ? b : old;
    case PTX_ATOMIC_INC:
        return old >= b ? 0 : old + 1;
    case PTX_ATOMIC_DEC:
        return old == 0 || old > b ? b : old - 1;
    case PTX_ATOMIC_AND:
        return old & b;
    case PTX_ATOMIC_OR:
        return old | b;
    case PTX_ATOMIC_XOR:
        return old ^ b;
    case PTX_ATOMIC_EXCH:
        return b;
    default:
        return old == b ? c : old;
    }
}

#define EXCHANGE(bits)                                                                             \
    static uint64_t change_##bits(const struct ptx_op *op, unsigned char *at, uint64_t b,          \
                                  uint64_t c) {                                                    \
        uint##bits##_t *to = (uint##bits##_t *)(void *)at;                                         \
        uint##bits##_t old = __atomic_load_n(to, __ATOMIC_SEQ_CST), new;                           \
        do                                                                                         \
            new = (uint##bits##_t)combine(op, old, b, c);                                          \
        while (!__atomic_compare_exchange_n(to, &old, new, false, __ATOMIC_SEQ_CST,                \
                                            __ATOMIC_SEQ_CST));                                    \
        return old;                                                                                \
    }
EXCHANGE(16)
EXCHANGE(32)
EXCHANGE(64)

const struct ptx_op *ptx_step_atomic(struct ptx_warp *warp, const struct ptx_op *op) {
    size_t size = ptx_type_facts[op->type].size;
    ptx_compute_addresses(warp, op);
    if (!ptx_locate(warp, op, op->window, size, true))
        return NULL;
    uint64_t result[PTX_LANES];
    const unsigned char *pb = ptx_at(warp, op->s[1]), *pc = ptx_at(warp, op->s[op->s_count - 1]);
    for (uint32_t left = warp->mask; left; left &= left - 1) {
        size_t l = (size_t)__builtin_ctz(left);
        uint64_t b = 0, c = 0;
        memcpy(&b, pb + l * size, size);
        memcpy(&c, pc + l * size, size);
        result[l] = size == 4   ? change_32(op, warp->pointer[l], b, c)
                    : size == 8 ? change_64(op, warp->pointer[l], b, c)
                                : change_16(op, warp->pointer[l], b, c);
    }
    ptx_hasten(warp);
    if (op->d_count == 0)
        return op + 1;
    for (uint32_t left = warp->mask; left; left &= left - 1) {
        size_t l = (size_t)__builtin_ctz(left);
        memcpy(ptx_at(warp, op->d[0]) + l * size, &result[l], size);
    }
    return op + 1;
}
