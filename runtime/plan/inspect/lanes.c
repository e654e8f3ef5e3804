// One loop for each kind of node, compiled for each level of the processor that has longer vectors.
// What is known is only computed where an operand isn't known in all lanes.
#include "plan/inspect/lanes.h"

#include <assert.h>
#include <string.h>

#include "base/vectors.h"

void gcl_lanes_fill(struct gcl_lanes *lanes, uint64_t value, bool is_known) {
    for (unsigned i = 0; i < GCL_LANES; i++)
        lanes->values[i] = value;
    memset(lanes->known, is_known, sizeof lanes->known);
    lanes->all_known = is_known;
}

GCL_IN_VECTORS_INLINE void pick_plain(const uint64_t *values, const uint16_t *from, unsigned count,
                                      uint64_t *restrict out) {
    for (unsigned i = 0; i < count; i++)
        out[i] = values[from[i]];
}

GCL_IN_VECTORS(void, pick,
               (const uint64_t *values, const uint16_t *from, unsigned count,
                uint64_t *restrict out),
               (values, from, count, out))

void gcl_lanes_pick(const struct gcl_lanes *lanes, const uint16_t *from, unsigned count,
                    struct gcl_lanes *out) {
    assert(count <= GCL_LANES);
    pick(lanes->values, from, count, out->values);
    for (unsigned i = 0; i < count && !lanes->all_known; i++)
        out->known[i] = lanes->known[from[i]];
    out->all_known = lanes->all_known;
}

// Values.

/// Operands of a node whose lanes are computed.
struct operation {
    uint8_t kind;
    unsigned width; ///< of the operands
    uint64_t mask;  ///< of the result
    const uint64_t *a, *b, *c;
};

#define EACH(expression)                                                                           \
    for (unsigned i = 0; i < count; i++)                                                           \
        out[i] = (uint64_t)(expression) & mask;                                                    \
    return

/// Signed comparisons are of numbers that are shifted to the top.
GCL_IN_VECTORS_INLINE void compute_plain(const struct operation *o, unsigned count,
                                         uint64_t *restrict out) {
    const uint64_t *a = o->a, *b = o->b, *c = o->c, mask = o->mask;
    unsigned up = 64 - o->width;
    switch (o->kind) {
    case GCL_NODE_ADD:
        EACH(a[i] + b[i]);
    case GCL_NODE_SUBTRACT:
        EACH(a[i] - b[i]);
    case GCL_NODE_MULTIPLY:
        EACH(a[i] * b[i]);
    case GCL_NODE_AND:
        EACH(a[i] & b[i]);
    case GCL_NODE_OR:
        EACH(a[i] | b[i]);
    case GCL_NODE_XOR:
        EACH(a[i] ^ b[i]);
    case GCL_NODE_SHL:
        EACH(b[i] < o->width ? a[i] << (b[i] & 63) : 0);
    case GCL_NODE_LSHR:
        EACH(b[i] < o->width ? a[i] >> (b[i] & 63) : 0);
    case GCL_NODE_UMIN:
        EACH(a[i] < b[i] ? a[i] : b[i]);
    case GCL_NODE_UMAX:
        EACH(a[i] < b[i] ? b[i] : a[i]);
    case GCL_NODE_SMIN:
        EACH((int64_t)(a[i] << up) < (int64_t)(b[i] << up) ? a[i] : b[i]);
    case GCL_NODE_SMAX:
        EACH((int64_t)(a[i] << up) < (int64_t)(b[i] << up) ? b[i] : a[i]);
    case GCL_NODE_EQ:
        EACH(a[i] == b[i]);
    case GCL_NODE_ULT:
        EACH(a[i] < b[i]);
    case GCL_NODE_SLT:
        EACH((int64_t)(a[i] << up) < (int64_t)(b[i] << up));
    case GCL_NODE_SELECT:
        EACH(a[i] ? b[i] : c[i]);
    case GCL_NODE_SEXT:
        EACH((int64_t)(a[i] << up) >> up);
    case GCL_NODE_ZEXT:
    case GCL_NODE_TRUNC:
        EACH(a[i]);
    default:
        EACH(gcl_scalar_compute(o->kind, a[i], b[i], o->width));
    }
}

#undef EACH

GCL_IN_VECTORS(void, compute, (const struct operation *o, unsigned count, uint64_t *restrict out),
               (o, count, out))

// What is known.

/// 0 for one operand of `and`, 1 for one of `or` are enough.
static bool decides(const struct gcl_node *node, const struct gcl_lanes *operand, unsigned i) {
    return gcl_lanes_is_known(operand, i) &&
           ((node->kind == GCL_NODE_AND && operand->values[i] == 0) ||
            (node->kind == GCL_NODE_OR && node->width == 1 && operand->values[i] == 1));
}

static bool is_known(const struct gcl_node *node, const struct gcl_lanes *const operands[3],
                     unsigned i) {
    if (!operands[1])
        return gcl_lanes_is_known(operands[0], i);
    if (node->kind == GCL_NODE_SELECT)
        return gcl_lanes_is_known(operands[0], i) &&
               gcl_lanes_is_known(operands[operands[0]->values[i] ? 1 : 2], i);
    return (gcl_lanes_is_known(operands[0], i) && gcl_lanes_is_known(operands[1], i)) ||
           decides(node, operands[0], i) || decides(node, operands[1], i);
}

void gcl_lanes_compute(const struct gcl_node *node, unsigned width,
                       const struct gcl_lanes *const operands[3], unsigned count,
                       struct gcl_lanes *out) {
    const uint64_t none[1] = {0};
    assert(operands[0] && count <= GCL_LANES && node->kind >= GCL_NODE_ADD);
    const struct operation o = {.kind = node->kind,
                                .width = width,
                                .mask = gcl_scalar_truncate(UINT64_MAX, node->width),
                                .a = operands[0]->values,
                                .b = operands[1] ? operands[1]->values : none,
                                .c = operands[2] ? operands[2]->values : none};
    compute(&o, count, out->values);
    out->all_known = true;
    for (unsigned k = 0; k < 3 && operands[k]; k++)
        out->all_known = out->all_known && operands[k]->all_known;
    for (unsigned i = 0; i < count && !out->all_known; i++)
        out->known[i] = is_known(node, operands, i);
}

// Numbers without a node.

GCL_IN_VECTORS_INLINE struct gcl_lanes_bounds find_bounds_plain(const uint64_t *values,
                                                                unsigned count) {
    uint64_t least = UINT64_MAX, greatest = 0;
    for (unsigned i = 0; i < count; i++) {
        least = values[i] < least ? values[i] : least;
        greatest = values[i] > greatest ? values[i] : greatest;
    }
    return (struct gcl_lanes_bounds){least, greatest};
}

GCL_IN_VECTORS(struct gcl_lanes_bounds, find_bounds, (const uint64_t *values, unsigned count),
               (values, count))

struct gcl_lanes_bounds gcl_lanes_find_bounds(const uint64_t *values, unsigned count) {
    assert(count > 0);
    return find_bounds(values, count);
}

GCL_IN_VECTORS_INLINE unsigned count_set_plain(const uint64_t *values, unsigned count) {
    uint64_t set = 0;
    for (unsigned i = 0; i < count; i++)
        set += values[i] != 0;
    return (unsigned)set;
}

GCL_IN_VECTORS(unsigned, count_set, (const uint64_t *values, unsigned count), (values, count))

unsigned gcl_lanes_count_set(const uint64_t *values, unsigned count) {
    return count_set(values, count);
}

void gcl_lanes_read(const unsigned char *bytes, uint64_t begin, unsigned size, unsigned count,
                    uint64_t *values) {
    assert(size > 0 && size <= sizeof *values);
    for (unsigned i = 0; i < count && size == sizeof(uint32_t); i++) {
        uint32_t value;
        memcpy(&value, bytes + (values[i] - begin), sizeof value);
        values[i] = value;
    }
    for (unsigned i = 0; i < count && size != sizeof(uint32_t); i++) {
        uint64_t value = 0;
        memcpy(&value, bytes + (values[i] - begin), size); // little-endian
        values[i] = value;
    }
}
