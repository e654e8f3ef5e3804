// How much memory devices have, and how much of it is in use.
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
