#include "fair.h"

#include <assert.h>

void gcl_fair_join(struct gcl_fair *fair, struct gcl_sharer *sharer, unsigned weight) {
    assert(weight > 0);
    *sharer = (struct gcl_sharer){.time = fair->now, .weight = weight};
    g_queue_push_tail(&fair->sharers, sharer);
}

void gcl_fair_leave(struct gcl_fair *fair, struct gcl_sharer *sharer) {
    g_queue_remove(&fair->sharers, sharer);
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
    for (const GList *at = fair->sharers.head; at; at = at->next) {
        struct gcl_sharer *s = at->data;
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
