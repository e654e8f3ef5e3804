#include "fair.h"

#include <assert.h>

void gcl_fair_join(struct gcl_fair *fair, struct gcl_sharer *sharer, unsigned weight) {
    assert(weight > 0);
    *sharer = (struct gcl_sharer){.time = fair->now, .weight = weight, .previous = fair->last};
    if (fair->last)
        fair->last->next = sharer;
    else
        fair->first = sharer;
    fair->last = sharer;
}

void gcl_fair_leave(struct gcl_fair *fair, struct gcl_sharer *sharer) {
    if (sharer->next)
        sharer->next->previous = sharer->previous;
    else
        fair->last = sharer->previous;
    if (sharer->previous)
        sharer->previous->next = sharer->next;
    else
        fair->first = sharer->next;
    *sharer = (struct gcl_sharer){.weight = 0};
}

void gcl_fair_want(struct gcl_fair *fair, struct gcl_sharer *sharer) {
    double least = fair->now - (double)GCL_FAIR_TURN_NS;
    if (sharer->time < least)
        sharer->time = least;
    sharer->wants = true;
}

void gcl_fair_charge(struct gcl_sharer *sharer, uint64_t ns) {
    sharer->time += (double)ns / sharer->weight;
}

struct gcl_sharer *gcl_fair_next(const struct gcl_fair *fair) {
    struct gcl_sharer *next = NULL;
    for (struct gcl_sharer *s = fair->first; s; s = s->next) {
        if (s->wants && (!next || s->time < next->time))
            next = s;
    }
    return next;
}

void gcl_fair_serve(struct gcl_fair *fair, struct gcl_sharer *sharer) {
    sharer->wants = false;
    if (sharer->time > fair->now)
        fair->now = sharer->time;
}
