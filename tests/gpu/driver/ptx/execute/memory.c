// Loads and stores. Addresses are computed for the whole warp, found in the host's memory at once
// (ptx_locate), and then lanes are gathered or scattered.
#include <assert.h>
#include <stdatomic.h>

#include "access.h"
#include "lanes.h"

/// Where a variable begins, as an address of its space.
static uint64_t begin_of(const struct ptx_warp *warp, const struct ptx_place *place) {
    switch (place->window) {
    case PTX_IN_LOCAL:
        return warp->group->frame->local + place->offset;
    case PTX_IN_SHARED:
        return warp->block->run->code->shared_offsets[place->index];
    case PTX_IN_GLOBAL:
        return warp->group->frame->code->facts.module->variables[place->index].address;
    default:
        return place->offset;
    }
}

uint64_t ptx_place_address(const struct ptx_warp *warp, const struct ptx_place *place) {
    uint64_t begin = begin_of(warp, place);
    return place->window == PTX_IN_PARAM ? begin + PTX_PARAM_WINDOW : begin;
}

void ptx_compute_addresses(struct ptx_warp *warp, const struct ptx_op *op) {
    uint64_t offset = op->value;
    if (op->extra)
        offset += begin_of(warp, op->extra);
    uint64_t *restrict address = warp->address;
    const unsigned char *base = ptx_at(warp, op->s[0]);
    if (op->s_size[0] == 8) {
        const uint64_t *wide = (const uint64_t *)(const void *)base;
        PTX_EACH_LANE(l) address[l] = wide[l] + offset;
        return;
    }
    const uint32_t *narrow = (const uint32_t *)(const void *)base;
    PTX_EACH_LANE(l) address[l] = (uint32_t)(narrow[l] + offset);
}

/// Lanes that lie side by side are copied as one.
static bool is_contiguous(const struct ptx_warp *warp, size_t size) {
    unsigned char *const *pointer = warp->pointer;
    if (warp->mask != UINT32_MAX || pointer[31] != pointer[0] + 31 * size)
        return false;
    bool is_so = true;
    PTX_EACH_LANE(l) is_so &= pointer[l] == pointer[0] + (size_t)l * size;
    return is_so;
}

#define GATHER(T) PTX_EACH_LANE(l) memcpy((T *)to + l, pointer[l] + offset, sizeof(T))

/// One element of each lane, `size` bytes, `offset` bytes behind the pointers.
static void gather(const struct ptx_warp *warp, void *to, size_t offset, size_t size) {
    unsigned char *const *pointer = warp->pointer;
    switch (size) {
    case 1:
        GATHER(uint8_t);
        break;
    case 2:
        GATHER(uint16_t);
        break;
    case 4:
        GATHER(uint32_t);
        break;
    case 8:
        GATHER(uint64_t);
        break;
    default:
        PTX_EACH_LANE(l) memcpy((char *)to + 16 * l, pointer[l] + offset, 16);
    }
}

/// Likewise, each lane's element by one atomic load.
static void gather_atomically(const struct ptx_warp *warp, void *to, size_t offset, size_t size) {
    PTX_EACH_LANE(l) {
        const unsigned char *from = warp->pointer[l] + offset;
        switch (size) {
        case 1:
            ((uint8_t *)to)[l] = __atomic_load_n((const uint8_t *)from, __ATOMIC_ACQUIRE);
            break;
        case 2:
            ((uint16_t *)to)[l] =
                __atomic_load_n((const uint16_t *)(const void *)from, __ATOMIC_ACQUIRE);
            break;
        case 4:
            ((uint32_t *)to)[l] =
                __atomic_load_n((const uint32_t *)(const void *)from, __ATOMIC_ACQUIRE);
            break;
        case 8:
            ((uint64_t *)to)[l] =
                __atomic_load_n((const uint64_t *)(const void *)from, __ATOMIC_ACQUIRE);
            break;
        default:
            memcpy((char *)to + 16 * l, from, 16);
        }
    }
}

#define EXTEND(R, T) PTX_EACH_LANE(l)((R *)to)[l] = (R)((const T *)from)[l]

/// Elements of a type, made as wide as the register.
void ptx_extend(void *restrict to, const void *restrict from, enum ptx_type type, size_t size) {
    const struct ptx_type_fact *fact = &ptx_type_facts[type];
    unsigned kind = (unsigned)fact->size * 64 + (unsigned)size * 2 + (fact->kind == 's');
    switch (kind) {
    case 1 * 64 + 2 * 2:
        EXTEND(uint16_t, uint8_t);
        break;
    case 1 * 64 + 2 * 2 + 1:
        EXTEND(int16_t, int8_t);
        break;
    case 1 * 64 + 4 * 2:
        EXTEND(uint32_t, uint8_t);
        break;
    case 1 * 64 + 4 * 2 + 1:
        EXTEND(int32_t, int8_t);
        break;
    case 1 * 64 + 8 * 2:
        EXTEND(uint64_t, uint8_t);
        break;
    case 1 * 64 + 8 * 2 + 1:
        EXTEND(int64_t, int8_t);
        break;
    case 2 * 64 + 4 * 2:
        EXTEND(uint32_t, uint16_t);
        break;
    case 2 * 64 + 4 * 2 + 1:
        EXTEND(int32_t, int16_t);
        break;
    case 2 * 64 + 8 * 2:
        EXTEND(uint64_t, uint16_t);
        break;
    case 2 * 64 + 8 * 2 + 1:
        EXTEND(int64_t, int16_t);
        break;
    case 4 * 64 + 8 * 2:
        EXTEND(uint64_t, uint32_t);
        break;
    case 4 * 64 + 8 * 2 + 1:
        EXTEND(int64_t, int32_t);
        break;
    default:
        memset(to, 0, size * PTX_LANES);
        PTX_EACH_LANE(l)
        memcpy((char *)to + (size_t)l * size, (const char *)from + (size_t)l * fact->size,
               fact->size);
    }
}

static void store_element(struct ptx_warp *warp, const struct ptx_op *op, unsigned index,
                          const void *values) {
    _Alignas(64) unsigned char wide[PTX_LANES * 16];
    size_t size = op->d_size[index];
    if (size != ptx_type_facts[op->type].size) {
        ptx_extend(wide, values, op->type, size);
        values = wide;
    }
    ptx_store(warp, op->d[index], values, size);
}

const struct ptx_op *ptx_step_load(struct ptx_warp *warp, const struct ptx_op *op) {
    size_t size = ptx_type_facts[op->type].size;
    ptx_compute_addresses(warp, op);
    if (!ptx_locate(warp, op, op->window, size * op->d_count, false))
        return NULL;
    if (op->d_count == 1 && op->kind == PTX_WEAK && is_contiguous(warp, size)) {
        store_element(warp, op, 0, warp->pointer[0]);
        return op + 1;
    }
    for (unsigned i = 0; i < op->d_count; i++) {
        if (op->kind == PTX_WEAK)
            gather(warp, warp->scratch, i * size, size);
        else
            gather_atomically(warp, warp->scratch, i * size, size);
        store_element(warp, op, i, warp->scratch);
    }
    return op + 1;
}

/// A parameter of an entry: all lanes read the same bytes.
const struct ptx_op *ptx_step_load_parameter(struct ptx_warp *warp, const struct ptx_op *op) {
    const struct ptx_place *place = op->extra;
    size_t size = ptx_type_facts[op->type].size;
    const unsigned char *from = warp->block->run->launch->parameters + place->offset + op->value;
    for (unsigned i = 0; i < op->d_count; i++) {
        PTX_EACH_LANE(l) warp->pointer[l] = (unsigned char *)(uintptr_t)from;
        gather(warp, warp->scratch, i * size, size);
        store_element(warp, op, i, warp->scratch);
    }
    return op + 1;
}

/// The low bytes of a lane's register.
static const unsigned char *source_of(const struct ptx_warp *warp, const struct ptx_op *op,
                                      unsigned index, int lane) {
    return ptx_at(warp, op->s[index]) + (size_t)lane * op->s_size[index];
}

#define SCATTER(T)                                                                                 \
    for (uint32_t left = warp->mask; left; left &= left - 1) {                                     \
        int l = __builtin_ctz(left);                                                               \
        memcpy(warp->pointer[l] + offset, from + (size_t)l * step, sizeof(T));                     \
    }

static void scatter(const struct ptx_warp *warp, const unsigned char *from, size_t step,
                    size_t offset, size_t size) {
    switch (size) {
    case 1:
        SCATTER(uint8_t)
        break;
    case 2:
        SCATTER(uint16_t)
        break;
    case 4:
        SCATTER(uint32_t)
        break;
    case 8:
        SCATTER(uint64_t)
        break;
    default:
        for (uint32_t left = warp->mask; left; left &= left - 1) {
            int l = __builtin_ctz(left);
            memcpy(warp->pointer[l] + offset, from + (size_t)l * step, 16);
        }
    }
}

static void scatter_atomically(const struct ptx_warp *warp, const struct ptx_op *op, unsigned index,
                               size_t offset, size_t size) {
    for (uint32_t left = warp->mask; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        uint64_t value = 0;
        memcpy(&value, source_of(warp, op, index, l), size < 8 ? size : 8);
        unsigned char *to = warp->pointer[l] + offset;
        switch (size) {
        case 1:
            __atomic_store_n(to, (uint8_t)value, __ATOMIC_RELEASE);
            break;
        case 2:
            __atomic_store_n((uint16_t *)(void *)to, (uint16_t)value, __ATOMIC_RELEASE);
            break;
        case 4:
            __atomic_store_n((uint32_t *)(void *)to, (uint32_t)value, __ATOMIC_RELEASE);
            break;
        case 8:
            __atomic_store_n((uint64_t *)(void *)to, value, __ATOMIC_RELEASE);
            break;
        default:
            memcpy(to, source_of(warp, op, index, l), 16);
        }
    }
}

const struct ptx_op *ptx_step_store(struct ptx_warp *warp, const struct ptx_op *op) {
    size_t size = ptx_type_facts[op->type].size;
    unsigned count = op->s_count - 1u;
    ptx_compute_addresses(warp, op);
    if (!ptx_locate(warp, op, op->window, size * count, true))
        return NULL;
    if (count == 1 && op->kind == PTX_WEAK && op->s_size[1] == size && is_contiguous(warp, size)) {
        memcpy(warp->pointer[0], ptx_at(warp, op->s[1]), size * PTX_LANES);
        return op + 1;
    }
    for (unsigned i = 0; i < count; i++) {
        if (op->kind == PTX_WEAK)
            scatter(warp, ptx_at(warp, op->s[i + 1]), op->s_size[i + 1], i * size, size);
        else
            scatter_atomically(warp, op, i + 1, i * size, size);
    }
    return op + 1;
}

const struct ptx_op *ptx_step_fence(struct ptx_warp *warp, const struct ptx_op *op) {
    (void)warp;
    atomic_thread_fence(memory_order_seq_cst);
    return op + 1;
}

const struct ptx_op *ptx_step_nothing(struct ptx_warp *warp, const struct ptx_op *op) {
    (void)warp;
    return op + 1;
}
