// Buffers that are kept form a list, the latest first. One serves for what is at least half as
// large; the oldest ones go when there are too many bytes.
#include "base/spare.h"

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

/// Stands before a buffer.
struct spare {
    _Alignas(64) size_t room;
    struct spare *next; ///< of one that is kept
};

static struct {
    pthread_mutex_t lock;
    struct spare *first;
    size_t size; ///< bytes of all
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

/// Takes out the first one that serves; NULL: there is none. The lock is held.
static struct spare *take_out(size_t size) {
    for (struct spare **link = &kept.first; *link; link = &(*link)->next) {
        struct spare *spare = *link;
        if (spare->room < size || spare->room / 2 > size)
            continue;
        *link = spare->next;
        kept.size -= spare->room;
        return spare;
    }
    return NULL;
}

void *gcl_spare_take(size_t size) {
    struct spare *spare = NULL;
    if (size >= GCL_SPARE_LEAST) {
        pthread_mutex_lock(&kept.lock);
        spare = take_out(size);
        pthread_mutex_unlock(&kept.lock);
    }
    if (spare)
        return spare + 1;
    if (size <= SIZE_MAX - 2 * sizeof *spare) // which are whole alignments
        spare = aligned_alloc(sizeof *spare, (size / sizeof *spare + 2) * sizeof *spare);
    if (!spare)
        return NULL;
    spare->room = size;
    return spare + 1;
}

/// Takes out those at the end of the list that are too many. The lock is held.
static struct spare *take_rest(void) {
    struct spare **link = &kept.first, *rest;
    for (size_t size = 0; *link && size + (*link)->room <= GCL_SPARE_MOST; link = &(*link)->next)
        size += (*link)->room;
    rest = *link;
    *link = NULL;
    for (const struct spare *spare = rest; spare; spare = spare->next)
        kept.size -= spare->room;
    return rest;
}

void gcl_spare_give(void *bytes) {
    struct spare *spare = bytes ? (struct spare *)bytes - 1 : NULL, *rest = spare;
    if (spare)
        spare->next = NULL;
    if (spare && spare->room >= GCL_SPARE_LEAST) {
        pthread_mutex_lock(&kept.lock);
        spare->next = kept.first;
        kept.first = spare;
        kept.size += spare->room;
        rest = kept.size > GCL_SPARE_MOST ? take_rest() : NULL;
        assert(kept.size <= GCL_SPARE_MOST);
        pthread_mutex_unlock(&kept.lock);
    }
    while (rest) {
        struct spare *next = rest->next;
        free(rest);
        rest = next;
    }
}
