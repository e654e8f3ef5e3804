// What kernels allocate from: a list of spans in the order of their addresses, the first that is
// large enough is taken. Kernels that allocate much are slow; they are few.
#include <pthread.h>
#include <stdlib.h>

#include "warp.h"

struct span {
    struct span *next;
    uint64_t begin, end;
    bool is_free;
};

struct ptx_heap {
    pthread_mutex_t mutex;
    struct ptx_range range;
    struct span *first;
};

struct ptx_heap *ptx_heap_create(uint64_t address, size_t size) {
    struct ptx_heap *heap = calloc(1, sizeof *heap);
    struct span *first = calloc(1, sizeof *first);
    unsigned char *bytes = calloc(size ? size : 1, 1);
    if (!heap || !first || !bytes) {
        free(heap);
        free(first);
        free(bytes);
        return NULL;
    }
    pthread_mutex_init(&heap->mutex, NULL);
    heap->range = (struct ptx_range){address, address + size, bytes};
    *first = (struct span){NULL, address, address + size, true};
    heap->first = first;
    return heap;
}

void ptx_heap_destroy(struct ptx_heap *heap) {
    if (!heap)
        return;
    while (heap->first) {
        struct span *next = heap->first->next;
        free(heap->first);
        heap->first = next;
    }
    pthread_mutex_destroy(&heap->mutex);
    free(heap->range.bytes);
    free(heap);
}

struct ptx_range ptx_heap_range(const struct ptx_heap *heap) {
    return heap->range;
}

/// Cuts the span so that `size` bytes stay in it.
static bool cut(struct span *span, uint64_t size) {
    if (span->end - span->begin == size)
        return true;
    struct span *rest = malloc(sizeof *rest);
    if (!rest)
        return false;
    *rest = (struct span){span->next, span->begin + size, span->end, true};
    span->next = rest;
    span->end = rest->begin;
    return true;
}

uint64_t ptx_heap_allocate(struct ptx_heap *heap, uint64_t size) {
    uint64_t rounded = size ? (size + 15) / 16 * 16 : 16, address = 0;
    if (rounded < size)
        return 0;
    pthread_mutex_lock(&heap->mutex);
    for (struct span *span = heap->first; span; span = span->next)
        if (span->is_free && span->end - span->begin >= rounded && cut(span, rounded)) {
            span->is_free = false;
            address = span->begin;
            break;
        }
    pthread_mutex_unlock(&heap->mutex);
    return address;
}

/// Makes one of the span and the free one behind it.
static void join(struct span *span) {
    struct span *next = span->next;
    if (!next || !span->is_free || !next->is_free)
        return;
    span->end = next->end;
    span->next = next->next;
    free(next);
}

bool ptx_heap_free(struct ptx_heap *heap, uint64_t address) {
    bool is_found = false;
    pthread_mutex_lock(&heap->mutex);
    struct span *before = NULL, *span = heap->first;
    while (span && span->begin != address) {
        before = span;
        span = span->next;
    }
    if (span && !span->is_free) {
        is_found = span->is_free = true;
        join(span);
        if (before)
            join(before);
    }
    pthread_mutex_unlock(&heap->mutex);
    return is_found;
}
