#include "staged.h"

#include <stdatomic.h>

static atomic_uint_least64_t staged;

void gcl_staged_add(size_t bytes) {
    atomic_fetch_add_explicit(&staged, bytes, memory_order_relaxed);
}

uint64_t gcl_staged_bytes(void) {
    return atomic_load_explicit(&staged, memory_order_relaxed);
}
