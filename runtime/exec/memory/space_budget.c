// How much memory devices have, and how much of it is in use.
#include <assert.h>

#include "base/log.h"
#include "exec/memory/space.h"
#include "exec/memory/space_state.h"

void gcl_space_set_capacity(struct gcl_space *space, unsigned device, size_t capacity) {
    size_t room = space->device.end - space->device.begin;
    space->budgets[device].capacity = capacity < room ? capacity : room;
}

void gcl_space_limit_managed(struct gcl_space *space, size_t most) {
    space->managed_capacity = most;
}

void gcl_space_borrow(struct gcl_space *space, const struct gcl_space_lender *lender) {
    space->lender = *lender;
}

size_t gcl_space_capacity(const struct gcl_space *space, unsigned device) {
    return space->budgets[device].capacity;
}

size_t gcl_space_used(struct gcl_space *space, unsigned device) {
    pthread_mutex_lock(&space->lock);
    size_t used = space->budgets[device].used;
    pthread_mutex_unlock(&space->lock);
    return used;
}

size_t gcl_space_left(struct gcl_space *space, unsigned device) {
    pthread_mutex_lock(&space->lock);
    const struct gcl_space_budget *budget = &space->budgets[device];
    size_t left = budget->capacity - budget->used;
    if (space->lender.left) {
        size_t most = space->lender.left(space->lender.context);
        left = left < most ? left : most;
    }
    pthread_mutex_unlock(&space->lock);
    return left;
}

bool gcl_space_is_accounted(enum gcl_space_kind kind) {
    enum { ACCOUNTED = ~(GCL_SPACE_PINNED | GCL_SPACE_REGISTERED) };
    return ((unsigned)kind & (unsigned)ACCOUNTED) != 0;
}

enum gcl_status gcl_space_charge(struct gcl_space *space, const struct gcl_allocation *a) {
    struct gcl_space_budget *budget = &space->budgets[a->device];
    bool is_accounted = gcl_space_is_accounted(a->kind);
    assert(a->device < space->device_count && budget->used <= budget->capacity);
    if (is_accounted && a->size > budget->capacity - budget->used) {
        gcl_log(GCL_LOG_INFO, "%zu bytes asked for, %zu of %zu free", a->size,
                budget->capacity - budget->used, budget->capacity);
        return GCL_NO_MEMORY;
    }
    if (a->kind == GCL_SPACE_MANAGED && a->size > space->managed_capacity - space->managed_used) {
        gcl_log(GCL_LOG_INFO, "%zu bytes of managed memory asked for, %zu of %zu free", a->size,
                space->managed_capacity - space->managed_used, space->managed_capacity);
        return GCL_NO_MEMORY;
    }
    enum gcl_status status = is_accounted && space->lender.take
                                 ? space->lender.take(space->lender.context, a->size)
                                 : GCL_OK;
    if (status != GCL_OK)
        return status;
    budget->used += is_accounted ? a->size : 0;
    space->managed_used += a->kind == GCL_SPACE_MANAGED ? a->size : 0;
    return GCL_OK;
}

void gcl_space_discharge(struct gcl_space *space, const struct gcl_allocation *a) {
    if (a->kind == GCL_SPACE_MANAGED)
        space->managed_used -= a->size;
    if (!gcl_space_is_accounted(a->kind))
        return;
    assert(space->budgets[a->device].used >= a->size);
    space->budgets[a->device].used -= a->size;
    if (space->lender.give)
        space->lender.give(space->lender.context, a->size);
}
