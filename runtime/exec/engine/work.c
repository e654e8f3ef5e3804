// A range is one 64-bit word, so taking from its front and stealing from its back are both one
// compare-and-swap. A thief puts what it stole in its own slot, where others can steal it again;
// between the two swaps nobody sees those units, but the thief will run them.
#include "exec/engine/work.h"

#include <assert.h>

// Taking an eighth of what is left makes few claims for many units and leaves single units at the
// end, when it matters that all workers finish together.
enum { SHARE = 8 };

static uint64_t pack(uint32_t begin, uint32_t end) {
    return (uint64_t)end << 32 | begin;
}

static uint32_t begin_of(uint64_t range) {
    return (uint32_t)range;
}

static uint32_t end_of(uint64_t range) {
    return (uint32_t)(range >> 32);
}

void gcl_work_start(struct gcl_work *work, struct gcl_work_slot *slots, uint32_t slot_count,
                    uint32_t unit_count) {
    assert(unit_count > 0 && (!slots || slot_count > 0));
    work->slots = slots ? slots : &work->single;
    work->slot_count = slots ? slot_count : 1;
    work->unit_count = unit_count;
    atomic_store_explicit(&work->done, 0, memory_order_relaxed);
    for (uint32_t i = 0; i < work->slot_count; i++) {
        uint64_t count = unit_count;
        uint32_t begin = (uint32_t)(count * i / work->slot_count);
        uint32_t end = (uint32_t)(count * (i + 1) / work->slot_count);
        atomic_store_explicit(&work->slots[i].range, pack(begin, end), memory_order_relaxed);
    }
}

static bool take_front(struct gcl_work_slot *slot, uint32_t most, uint32_t *begin, uint32_t *end) {
    uint64_t range = atomic_load_explicit(&slot->range, memory_order_relaxed);
    while (begin_of(range) < end_of(range)) {
        uint32_t count = (end_of(range) - begin_of(range) + SHARE - 1) / SHARE;
        uint32_t middle = begin_of(range) + (count < most ? count : most);
        if (atomic_compare_exchange_weak(&slot->range, &range, pack(middle, end_of(range)))) {
            *begin = begin_of(range);
            *end = middle;
            return true;
        }
    }
    return false;
}

static bool take_back_half(struct gcl_work_slot *slot, uint32_t *begin, uint32_t *end) {
    uint64_t range = atomic_load_explicit(&slot->range, memory_order_relaxed);
    while (begin_of(range) < end_of(range)) {
        uint32_t middle = begin_of(range) + (end_of(range) - begin_of(range)) / 2;
        if (atomic_compare_exchange_weak(&slot->range, &range, pack(begin_of(range), middle))) {
            *begin = middle;
            *end = end_of(range);
            return true;
        }
    }
    return false;
}

bool gcl_work_claim(struct gcl_work *work, uint32_t slot, uint32_t most, uint32_t *begin,
                    uint32_t *end) {
    bool is_guest = slot >= work->slot_count;

    assert(most > 0); // or nobody would get on
    if (!is_guest && take_front(&work->slots[slot], most, begin, end))
        return true;
    for (uint32_t i = 1; i <= work->slot_count; i++) {
        struct gcl_work_slot *victim = &work->slots[((is_guest ? 0 : slot) + i) % work->slot_count];
        if (is_guest) {
            if (take_front(victim, most, begin, end))
                return true;
        } else if (take_back_half(victim, begin, end)) {
            atomic_store(&work->slots[slot].range, pack(*begin, *end));
            if (take_front(&work->slots[slot], most, begin, end))
                return true;
        }
    }
    return false;
}

uint32_t gcl_work_left(const struct gcl_work *work) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < work->slot_count; i++) {
        uint64_t range = atomic_load_explicit(&work->slots[i].range, memory_order_relaxed);
        left += end_of(range) - begin_of(range);
    }
    return left;
}
