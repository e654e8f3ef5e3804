// Few listen, and mostly nobody does.
#include "exec/watch/listener.h"

#include <assert.h>

void gcl_listeners_add(struct gcl_listeners *listeners, const struct gcl_listener *listener) {
    assert(listeners->count < GCL_LISTENERS_MOST);
    listeners->items[listeners->count++] = *listener;
}

bool gcl_listeners_want_causes(const struct gcl_listeners *listeners) {
    bool wants = false;
    for (size_t i = 0; i < listeners->count; i++)
        wants = wants || listeners->items[i].wants_causes;
    return wants;
}

bool gcl_listeners_want_times(const struct gcl_listeners *listeners) {
    bool wants = false;
    for (size_t i = 0; i < listeners->count && !wants; i++) {
        const struct gcl_listener *l = &listeners->items[i];
        wants = l->wants_times && l->wants_times(l->context);
    }
    return wants;
}

bool gcl_listeners_want_done(const struct gcl_listeners *listeners) {
    bool wants = false;
    for (size_t i = 0; i < listeners->count; i++)
        wants = wants || listeners->items[i].carried_out;
    return wants;
}

void gcl_listeners_began_thread(const struct gcl_listeners *listeners, uint64_t line,
                                const char *name) {
    const struct gcl_listener *l = listeners->items;
    for (; l < listeners->items + listeners->count; l++) {
        if (l->began_thread)
            l->began_thread(l->context, line, name);
    }
}

void gcl_listeners_made_stream(const struct gcl_listeners *listeners, uint64_t stream,
                               bool is_default) {
    const struct gcl_listener *l = listeners->items;
    for (; l < listeners->items + listeners->count; l++) {
        if (l->made_stream)
            l->made_stream(l->context, stream, is_default);
    }
}

void gcl_listeners_ran_units(const struct gcl_listeners *listeners, const struct gcl_heard *heard) {
    const struct gcl_listener *l = listeners->items;
    for (; l < listeners->items + listeners->count; l++) {
        if (l->ran_units)
            l->ran_units(l->context, heard);
    }
}

void gcl_listeners_ran_command(const struct gcl_listeners *listeners,
                               const struct gcl_heard *heard) {
    const struct gcl_listener *l = listeners->items;
    for (; l < listeners->items + listeners->count; l++) {
        if (l->ran_command)
            l->ran_command(l->context, heard);
    }
}

void gcl_listeners_waited(const struct gcl_listeners *listeners, const struct gcl_heard *heard) {
    const struct gcl_listener *l = listeners->items;
    for (; l < listeners->items + listeners->count; l++) {
        if (l->waited)
            l->waited(l->context, heard);
    }
}

bool gcl_listeners_added_kernel(const struct gcl_listeners *listeners,
                                const struct gcl_kernel *kernel) {
    const struct gcl_listener *l = listeners->items;
    bool ok = true;
    for (; l < listeners->items + listeners->count; l++)
        ok = (!l->added_kernel || l->added_kernel(l->context, kernel)) && ok;
    return ok;
}

void gcl_listeners_submits(const struct gcl_listeners *listeners) {
    const struct gcl_listener *l = listeners->items;
    for (; l < listeners->items + listeners->count; l++) {
        if (l->submits)
            l->submits(l->context);
    }
}

void gcl_listeners_begins(const struct gcl_listeners *listeners) {
    const struct gcl_listener *l = listeners->items;
    for (; l < listeners->items + listeners->count; l++) {
        if (l->begins)
            l->begins(l->context);
    }
}

void gcl_listeners_ends(const struct gcl_listeners *listeners, bool is_launch) {
    const struct gcl_listener *l = listeners->items;
    for (; l < listeners->items + listeners->count; l++) {
        if (l->ends)
            l->ends(l->context, is_launch);
    }
}

void gcl_listeners_planned(const struct gcl_listeners *listeners, uint32_t kernel, bool has_looked,
                           uint64_t time_ns) {
    const struct gcl_listener *l = listeners->items;
    for (; l < listeners->items + listeners->count; l++) {
        if (l->planned)
            l->planned(l->context, kernel, has_looked, time_ns);
    }
}

void gcl_listeners_launches(const struct gcl_listeners *listeners,
                            const struct gcl_heard_launch *heard) {
    const struct gcl_listener *l = listeners->items;
    for (; l < listeners->items + listeners->count; l++) {
        if (l->launches)
            l->launches(l->context, heard);
    }
}

void gcl_listeners_carries_out(const struct gcl_listeners *listeners, const struct gcl_plan *plan) {
    const struct gcl_listener *l = listeners->items;
    for (; l < listeners->items + listeners->count; l++) {
        if (l->carries_out)
            l->carries_out(l->context, plan);
    }
}

void gcl_listeners_carried_out(const struct gcl_listeners *listeners,
                               const struct gcl_heard_plan *heard) {
    const struct gcl_listener *l = listeners->items;
    for (; l < listeners->items + listeners->count; l++) {
        if (l->carried_out)
            l->carried_out(l->context, heard);
    }
}

void gcl_listeners_touched(const struct gcl_listeners *listeners, uint32_t kernel, uint64_t bytes) {
    const struct gcl_listener *l = listeners->items;
    for (; l < listeners->items + listeners->count; l++) {
        if (l->touched)
            l->touched(l->context, kernel, bytes);
    }
}

void gcl_listeners_judged(const struct gcl_listeners *listeners,
                          const struct gcl_judgement *judgement) {
    const struct gcl_listener *l = listeners->items;
    for (; l < listeners->items + listeners->count; l++) {
        if (l->judged)
            l->judged(l->context, judgement);
    }
}

void gcl_listeners_came(const struct gcl_listeners *listeners, const struct gcl_heard_came *heard) {
    const struct gcl_listener *l = listeners->items;
    for (; l < listeners->items + listeners->count; l++) {
        if (l->came)
            l->came(l->context, heard);
    }
}

void gcl_listeners_exchanged(const struct gcl_listeners *listeners,
                             const struct gcl_heard_exchange *heard) {
    const struct gcl_listener *l = listeners->items;
    for (; l < listeners->items + listeners->count; l++) {
        if (l->exchanged)
            l->exchanged(l->context, heard);
    }
}
