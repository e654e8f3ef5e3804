// Words at both ends of a range may be shared with a neighbour who is copied at the same time, so
// words change atomically; most ranges are long, and the words inside them are set as a whole.
#include "exec/memory/written.h"

#include <assert.h>

#include "exec/memory/space.h"

enum { BITS = 64 };

// `count` bits from `at` on within a word, 1 to 64.
static uint64_t mask_of(size_t at, size_t count) {
    assert(count >= 1 && at + count <= BITS);
    return UINT64_MAX >> (BITS - count) << at;
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

void gcl_written_set(uint64_t *bits, size_t begin, size_t end) {
    for (size_t at = begin, count; at < end; at += count) {
        count = least(BITS - at % BITS, end - at);
        uint64_t mask = mask_of(at % BITS, count);
        if (~__atomic_load_n(&bits[at / BITS], __ATOMIC_RELAXED) & mask)
            __atomic_fetch_or(&bits[at / BITS], mask, __ATOMIC_RELAXED);
    }
}

size_t gcl_written_missing(const uint64_t *bits, size_t begin, size_t end) {
    for (size_t at = begin, count; at < end; at += count) {
        count = least(BITS - at % BITS, end - at);
        uint64_t missing =
            ~__atomic_load_n(&bits[at / BITS], __ATOMIC_RELAXED) & mask_of(at % BITS, count);
        if (missing)
            return at / BITS * BITS + (size_t)__builtin_ctzll(missing);
    }
    return end;
}

bool gcl_written_any(const uint64_t *bits, size_t begin, size_t end) {
    for (size_t at = begin, count; at < end; at += count) {
        count = least(BITS - at % BITS, end - at);
        if (__atomic_load_n(&bits[at / BITS], __ATOMIC_RELAXED) & mask_of(at % BITS, count))
            return true;
    }
    return false;
}

// `count` bits from `at` on, 1 to 64, as the lowest of a word.
static uint64_t get(const uint64_t *bits, size_t at, size_t count) {
    uint64_t low = __atomic_load_n(&bits[at / BITS], __ATOMIC_RELAXED) >> at % BITS;
    if (at % BITS + count > BITS)
        low |= __atomic_load_n(&bits[at / BITS + 1], __ATOMIC_RELAXED) << (BITS - at % BITS);
    return low & mask_of(0, count);
}

// Of `size` bytes from `to` on those are written that are from `from` on.
static void copy(uint64_t *bits, size_t to, const uint64_t *source, size_t from, size_t size) {
    for (size_t done = 0, count; done < size; done += count) {
        size_t at = to + done;
        count = least(BITS - at % BITS, size - done);
        uint64_t mask = mask_of(at % BITS, count);
        uint64_t value = get(source, from + done, count) << at % BITS;
        __atomic_fetch_and(&bits[at / BITS], value | ~mask, __ATOMIC_RELAXED);
        __atomic_fetch_or(&bits[at / BITS], value, __ATOMIC_RELAXED);
    }
}

void gcl_written_note_copy(struct gcl_space *space, const void *target, const void *source,
                           size_t size) {
    struct gcl_allocation to, from;
    if (!gcl_space_find(space, target, &to) || !to.written)
        return;
    size_t at = (uintptr_t)target - to.begin;
    assert(at + size <= to.size);
    if (source && gcl_space_find(space, source, &from) && from.written)
        copy(to.written, at, from.written, (uintptr_t)source - from.begin, size);
    else
        gcl_written_set(to.written, at, at + size);
}
