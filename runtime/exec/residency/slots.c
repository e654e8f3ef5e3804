// The smallest free slot is taken, so that what is kept gathers in few stretches.
#include "exec/residency/slots.h"

#include <assert.h>
#include <stdlib.h>

static uint64_t stretch_begin(const struct gcl_slots *slots, uint64_t stretch) {
    return stretch * slots->kind->stretch;
}

static uint64_t stretch_end(const struct gcl_slots *slots, uint64_t stretch) {
    uint64_t end = stretch_begin(slots, stretch + 1);
    return end < slots->count ? end : slots->count;
}

bool gcl_slots_init(struct gcl_slots *slots, const struct gcl_slots_kind *kind, void *owner,
                    uint64_t count) {
    *slots = (struct gcl_slots){.kind = kind, .owner = owner, .count = count};
    pthread_mutex_init(&slots->lock, NULL);
    if (count == 0)
        return true;
    uint64_t stretches = (count + kind->stretch - 1) / kind->stretch;
    slots->stretch_taken = calloc(stretches, sizeof slots->stretch_taken[0]);
    if (!slots->stretch_taken || !gcl_bits_init(&slots->free, count) ||
        !gcl_bits_init(&slots->missing, stretches)) {
        gcl_slots_finish(slots);
        return false;
    }
    for (uint64_t s = 0; s < stretches; s++)
        gcl_bits_add(&slots->missing, s);
    return true;
}

void gcl_slots_finish(struct gcl_slots *slots) {
    if (!slots->kind)
        return;
    gcl_bits_finish(&slots->free);
    gcl_bits_finish(&slots->missing);
    free(slots->stretch_taken);
    pthread_mutex_destroy(&slots->lock);
    *slots = (struct gcl_slots){.count = 0};
}

/// Has something be behind the first stretch that has nothing. False: there is none, or not more.
static bool grow(struct gcl_slots *slots) {
    uint64_t stretch = gcl_bits_smallest(&slots->missing);
    if (stretch == GCL_BITS_NONE)
        return false;
    uint64_t begin = stretch_begin(slots, stretch), end = stretch_end(slots, stretch);
    if (!slots->kind->obtain(slots->owner, begin, end))
        return false;
    gcl_bits_remove(&slots->missing, stretch);
    for (uint64_t slot = begin; slot < end; slot++)
        gcl_bits_add(&slots->free, slot);
    slots->idle++;
    return true;
}

static void shrink(struct gcl_slots *slots, uint64_t stretch) {
    uint64_t begin = stretch_begin(slots, stretch), end = stretch_end(slots, stretch);
    for (uint64_t slot = begin; slot < end; slot++)
        gcl_bits_remove(&slots->free, slot);
    gcl_bits_add(&slots->missing, stretch);
    slots->kind->give_back(slots->owner, begin, end);
    slots->idle--;
}

static uint64_t take(struct gcl_slots *slots) {
    uint64_t slot = gcl_bits_smallest(&slots->free);
    if (slot == GCL_BITS_NONE) {
        if (!grow(slots))
            return GCL_SLOT_NONE;
        slot = gcl_bits_smallest(&slots->free);
    }
    gcl_bits_remove(&slots->free, slot);
    if (slots->stretch_taken[slot / slots->kind->stretch]++ == 0)
        slots->idle--;
    slots->taken++;
    return slot;
}

uint64_t gcl_slots_take(struct gcl_slots *slots) {
    if (slots->count == 0)
        return GCL_SLOT_NONE;
    pthread_mutex_lock(&slots->lock);
    uint64_t slot = take(slots);
    pthread_mutex_unlock(&slots->lock);
    return slot;
}

void gcl_slots_drop(struct gcl_slots *slots, uint64_t slot) {
    assert(slot < slots->count);
    uint64_t stretch = slot / slots->kind->stretch;
    pthread_mutex_lock(&slots->lock);
    assert(!gcl_bits_has(&slots->free, slot) && slots->stretch_taken[stretch] > 0);
    gcl_bits_add(&slots->free, slot);
    slots->taken--;
    if (--slots->stretch_taken[stretch] == 0 && ++slots->idle > slots->kind->idle_most)
        shrink(slots, stretch);
    pthread_mutex_unlock(&slots->lock);
}
