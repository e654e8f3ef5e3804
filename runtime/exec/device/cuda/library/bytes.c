// Kernels for what moves between launches. libgcluster carries this file as PTX (../kernels.c),
// which every GPU's driver makes code of.
//
// Each kernel does one thing to every word of the strips of a region. A thread takes a word and
// then the one as many behind it as there are threads, so that threads beside each other touch
// bytes beside each other, however the region lies.
#include "exec/device/cuda/strip.h"
#include "plan/schedule/operations.h"

static uint64_t first_word(void) {
    return (uint64_t)__nvvm_read_ptx_sreg_ctaid_x() * (uint64_t)__nvvm_read_ptx_sreg_ntid_x() +
           (uint64_t)__nvvm_read_ptx_sreg_tid_x();
}

static uint64_t thread_count(void) {
    return (uint64_t)__nvvm_read_ptx_sreg_nctaid_x() * (uint64_t)__nvvm_read_ptx_sreg_ntid_x();
}

/// Where a word lies.
struct offsets {
    int64_t place, packed;
};

static struct offsets find(const struct gcl_cuda_strip *strips, uint64_t count, int64_t word,
                           int64_t size) {
    uint64_t low = 0, high = count; // the strip is in [low, high)
    while (high - low > 1) {
        uint64_t middle = (low + high) / 2;
        if (strips[middle].first <= word)
            low = middle;
        else
            high = middle;
    }
    const struct gcl_cuda_strip *s = &strips[low];
    int64_t rest = word - s->first, run = 0, words = s->length / size;
    if (rest >= words) {
        run = rest / words;
        rest -= run * words;
    }
    return (struct offsets){s->place + run * s->stride + rest * size,
                            s->packed + run * s->packed_stride + rest * size};
}

/// A kernel that does something to each word of a type: `*place`, `*packed`, or `*base`.
#define KERNEL(name, type, ...)                                                                    \
    __attribute__((nvptx_kernel)) void name(struct gcl_cuda_strips w) {                            \
        for (uint64_t i = first_word(); i < w.words; i += thread_count()) {                        \
            struct offsets at = find(w.strips, w.count, (int64_t)i, sizeof(type));                 \
            type *place = (type *)(w.place + at.place), *packed = (type *)(w.packed + at.packed);  \
            const type *base = (const type *)(w.base + at.place);                                  \
            (void)place, (void)packed, (void)base;                                                 \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/// All bits of those bytes that two words have in common.
static uint64_t same_bytes(uint64_t a, uint64_t b) {
    const uint64_t low = 0x7f7f7f7f7f7f7f7f;
    uint64_t x = a ^ b;
    return (~(((x & low) + low) | x | low) >> 7) * 255;
}

// `merge` and `complete` do what gcl_combine_merge and gcl_combine_complete do with elements of a
// word, `merge_bytes` and `complete_bytes` with elements of a byte.
#define ELEMENTS(bits, type)                                                                       \
    KERNEL(merge##bits, type, if (*packed != *base) *place = *packed;)                             \
    KERNEL(complete##bits, type, if (*place == *base) *place = *packed;)
#define WORDS(bits, type)                                                                          \
    KERNEL(pack##bits, type, *packed = *place;)                                                    \
    KERNEL(unpack##bits, type, *place = *packed;)                                                  \
    KERNEL(fill##bits, type, *place = (type)w.value;)                                              \
    ELEMENTS(bits, type)                                                                           \
    KERNEL(merge_bytes##bits, type, type same = (type)same_bytes(*packed, *base);                  \
           if (*packed != *base) *place = (type)((*place & same) | (*packed & ~same));)            \
    KERNEL(complete_bytes##bits, type, type same = (type)same_bytes(*place, *base);                \
           if (same) *place = (type)((*place & ~same) | (*packed & same));)

WORDS(8, uint8_t)
WORDS(32, uint32_t)
WORDS(64, uint64_t)
ELEMENTS(16, uint16_t)

#define INFINITY __builtin_inff()

#define BITS(type)                                                                                 \
    static uint64_t bits_of_##type(type value) {                                                   \
        union {                                                                                    \
            type value;                                                                            \
            uint64_t bits;                                                                         \
        } u = {.bits = 0};                                                                         \
        u.value = value;                                                                           \
        return u.bits;                                                                             \
    }
BITS(uint32_t)
BITS(uint64_t)
BITS(int32_t)
BITS(int64_t)
BITS(float)
BITS(double)

#define REDUCTION(name, reduction, type, neutral, expression)                                      \
    KERNEL(reduce_##name, type, type a = *place; type b = *packed;                                 \
           if (bits_of_##type(b) != bits_of_##type(neutral)) *place = (type)(expression);)
GCL_OPERATIONS(REDUCTION)
