// Each operation is a row of one list (operations.h). Elements are copied in and out, so that bytes
// needn't be aligned.
#include "plan/schedule/combine.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plan/schedule/operations.h"

const char *const gcl_reduction_names[GCL_REDUCTIONS] = {
    [GCL_REDUCTION_ADD] = "add",   [GCL_REDUCTION_FADD] = "fadd", [GCL_REDUCTION_AND] = "and",
    [GCL_REDUCTION_OR] = "or",     [GCL_REDUCTION_XOR] = "xor",   [GCL_REDUCTION_UMIN] = "umin",
    [GCL_REDUCTION_UMAX] = "umax", [GCL_REDUCTION_SMIN] = "smin", [GCL_REDUCTION_SMAX] = "smax",
    [GCL_REDUCTION_FMIN] = "fmin", [GCL_REDUCTION_FMAX] = "fmax"};

// For one operation on elements of one type: what is neutral, and how two become one. With what is
// neutral an element stays bit by bit: it may be something else, which nobody reduces. It isn't
// written, since compilers take a + -0.0 for a, which that isn't for some NaNs.
#define OPERATION(name, type, start, expression)                                                   \
    static void neutral_##name(unsigned char *bytes, size_t count) {                               \
        const type value = start;                                                                  \
        for (size_t i = 0; i < count; i++)                                                         \
            memcpy(bytes + i * sizeof value, &value, sizeof value);                                \
    }                                                                                              \
    static void reduce_##name(unsigned char *bytes, const unsigned char *other, size_t count) {    \
        const type neutral = start;                                                                \
        for (size_t i = 0; i < count; i++) {                                                       \
            type a, b;                                                                             \
            memcpy(&a, bytes + i * sizeof a, sizeof a);                                            \
            memcpy(&b, other + i * sizeof b, sizeof b);                                            \
            if (memcmp(&b, &neutral, sizeof b) == 0)                                               \
                continue;                                                                          \
            a = (type)(expression);                                                                \
            memcpy(bytes + i * sizeof a, &a, sizeof a);                                            \
        }                                                                                          \
    }

#define DEFINE(name, reduction, type, start, expression) OPERATION(name, type, start, expression)
GCL_OPERATIONS(DEFINE)
#undef DEFINE

struct operation {
    enum gcl_reduction reduction;
    size_t element;
    void (*neutral)(unsigned char *bytes, size_t count);
    void (*reduce)(unsigned char *bytes, const unsigned char *other, size_t count);
};

static const struct operation operations[] = {
#define ROW(name, reduction, type, start, expression)                                              \
    {GCL_REDUCTION_##reduction, sizeof(type), neutral_##name, reduce_##name},
    GCL_OPERATIONS(ROW)
#undef ROW
};

static const struct operation *find(enum gcl_reduction reduction, size_t element) {
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        if (operations[i].reduction == reduction && operations[i].element == element)
            return &operations[i];
    }
    return NULL;
}

bool gcl_combine_can(enum gcl_reduction reduction, size_t element) {
    return find(reduction, element) != NULL;
}

void gcl_combine_neutral(enum gcl_reduction reduction, size_t element, void *bytes, size_t size) {
    const struct operation *operation = find(reduction, element);
    assert(operation && size % element == 0);
    operation->neutral(bytes, size / element);
}

void gcl_combine_reduce(enum gcl_reduction reduction, size_t element, void *bytes,
                        const void *other, size_t size) {
    const struct operation *operation = find(reduction, element);
    assert(operation && size % element == 0);
    operation->reduce(bytes, other, size / element);
}

// Bytes are compared a vector at a time, whatever the processor: the compiler has no need to prove
// that the three arrays don't overlap.

enum { VECTOR = 16 };
typedef unsigned char vector __attribute__((vector_size(VECTOR)));

static vector load(const unsigned char *bytes) {
    vector value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

#define DIFFERENT(bits)                                                                            \
    typedef uint##bits##_t vector##bits __attribute__((vector_size(VECTOR)));                      \
    static vector different##bits(vector a, vector b) {                                            \
        return (vector)((vector##bits)a != (vector##bits)b);                                       \
    }
DIFFERENT(8)
DIFFERENT(16)
DIFFERENT(32)
DIFFERENT(64)

/// All bits of those elements in which two vectors differ.
static vector different(vector a, vector b, size_t element) {
    switch (element) {
    case 8:
        return different64(a, b);
    case 4:
        return different32(a, b);
    case 2:
        return different16(a, b);
    default:
        return different8(a, b);
    }
}

/// Takes over those bits of `other`.
static void take_over(unsigned char *bytes, const unsigned char *other, vector taken) {
    vector result = (load(other) & taken) | (load(bytes) & ~taken);
    memcpy(bytes, &result, sizeof result);
}

/// Bytes of the element at `i` that there are.
static size_t element_at(size_t i, size_t size, size_t element) {
    return size - i < element ? size - i : element;
}

void gcl_combine_merge(size_t element, unsigned char *bytes, const unsigned char *other,
                       const unsigned char *twin, size_t size) {
    size_t i = 0;
    assert(element > 0);
    for (; size - i >= VECTOR; i += VECTOR)
        take_over(bytes + i, other + i, different(load(other + i), load(twin + i), element));
    for (size_t step; i < size; i += step) {
        step = element_at(i, size, element);
        if (memcmp(other + i, twin + i, step) != 0)
            memcpy(bytes + i, other + i, step);
    }
}

void gcl_combine_complete(size_t element, unsigned char *bytes, const unsigned char *other,
                          const unsigned char *twin, size_t size) {
    size_t i = 0;
    assert(element > 0);
    for (; size - i >= VECTOR; i += VECTOR)
        take_over(bytes + i, other + i, ~different(load(bytes + i), load(twin + i), element));
    for (size_t step; i < size; i += step) {
        step = element_at(i, size, element);
        if (memcmp(bytes + i, twin + i, step) == 0)
            memcpy(bytes + i, other + i, step);
    }
}
