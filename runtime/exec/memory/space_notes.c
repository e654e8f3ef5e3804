// What is noted of allocations while the program runs: which have escaped, what is written, how
// many there are.
#include <search.h>

#include "exec/memory/space_state.h"
#include "exec/memory/written.h"

bool gcl_space_notes_escapes(const struct gcl_space *space) {
    return atomic_load_explicit(&space->notes_escapes, memory_order_relaxed);
}

void gcl_space_escape(struct gcl_space *space, const void *pointer) {
    pthread_mutex_lock(&space->lock);
    struct gcl_allocation *a = gcl_space_find_range(space, (uintptr_t)pointer, 1);
    if (a)
        a->has_escaped = true;
    pthread_mutex_unlock(&space->lock);
}

static void escape(const void *node, VISIT visit, void *closure) {
    struct gcl_allocation *a = *(struct gcl_allocation *const *)node;
    (void)closure;
    if (visit == postorder || visit == leaf)
        a->has_escaped = true;
}

void gcl_space_escape_all(struct gcl_space *space) {
    pthread_mutex_lock(&space->lock);
    twalk_r(space->tree, escape, NULL);
    pthread_mutex_unlock(&space->lock);
}

// Addresses of what comes later are in no copy that has begun.
void gcl_space_note_escapes(struct gcl_space *space) {
    if (!atomic_exchange(&space->notes_escapes, true))
        gcl_space_escape_all(space);
}

void gcl_space_note_writes(struct gcl_space *space) {
    if (space->device_count == 1)
        atomic_store(&space->notes_writes, true);
}

bool gcl_space_notes_writes(const struct gcl_space *space) {
    return atomic_load_explicit(&space->notes_writes, memory_order_relaxed) &&
           !space->watcher.allocated;
}

static void write_all(const void *node, VISIT visit, void *closure) {
    struct gcl_allocation *a = *(struct gcl_allocation *const *)node;
    (void)closure;
    if ((visit == postorder || visit == leaf) && a->written)
        gcl_written_set(a->written, 0, a->size);
}

void gcl_space_note_write_anywhere(struct gcl_space *space) {
    pthread_mutex_lock(&space->lock);
    twalk_r(space->tree, write_all, NULL);
    pthread_mutex_unlock(&space->lock);
}

/// Where escaped allocations are listed.
struct listing {
    struct gcl_allocation *list;
    size_t count, room;
};

static void list_escaped(const void *node, VISIT visit, void *closure) {
    const struct gcl_allocation *a = *(struct gcl_allocation *const *)node;
    struct listing *l = closure;
    if ((visit != postorder && visit != leaf) || !a->has_escaped || a->kind == GCL_SPACE_RETIRED)
        return;
    if (l->count < l->room)
        l->list[l->count] = *a;
    l->count++;
}

size_t gcl_space_escaped(struct gcl_space *space, struct gcl_allocation *list, size_t room) {
    struct listing l = {.list = list, .room = room};
    pthread_mutex_lock(&space->lock);
    twalk_r(space->tree, list_escaped, &l);
    pthread_mutex_unlock(&space->lock);
    return l.count;
}

void gcl_space_extent(const struct gcl_space *space, uintptr_t *begin, uintptr_t *end) {
    *begin = space->begin;
    *end = space->top;
}

/// What is counted.
struct tally {
    unsigned kinds;
    size_t count, size;
};

static void count_allocation(const void *node, VISIT visit, void *closure) {
    const struct gcl_allocation *a = *(struct gcl_allocation *const *)node;
    struct tally *t = closure;
    if ((visit != postorder && visit != leaf) || !((unsigned)a->kind & t->kinds) || !a->committed)
        return;
    t->count++;
    t->size += a->size;
}

size_t gcl_space_count(struct gcl_space *space, unsigned kinds, size_t *size) {
    struct tally t = {.kinds = kinds};
    pthread_mutex_lock(&space->lock);
    twalk_r(space->tree, count_allocation, &t);
    pthread_mutex_unlock(&space->lock);
    *size = t.size;
    return t.count;
}
