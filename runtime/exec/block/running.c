// The words for what runs in a block when it faults, from what the code notes as it goes
// (gcl_block.running): a thread, the warps of a vector, or nothing.
#include "exec/block/running.h"

#include <stdint.h>
#include <stdio.h>

enum { WARP = 32, PLACE_SIZE = 40 };

static const char *print_thread(const struct gcl_block *b, uint32_t t, char *text) {
    uint32_t nx = b->block_size[0], ny = b->block_size[1];
    snprintf(text, PLACE_SIZE, "(%u, %u, %u)", t % nx, t / nx % ny, t / nx / ny);
    return text;
}

void gcl_running_print(const struct gcl_block *b, char *text, size_t size) {
    uint32_t first = b->running % GCL_RUNNING_COUNT, count = b->running / GCL_RUNNING_COUNT;
    uint32_t last = first + count - 1;
    char from[PLACE_SIZE], to[PLACE_SIZE];
    int length = snprintf(text, size, "block (%u, %u, %u), ", b->block_index[0], b->block_index[1],
                          b->block_index[2]);
    text += length;
    size -= (size_t)length;
    if (count == 0)
        snprintf(text, size, "a thread that isn't known");
    else if (count == 1)
        snprintf(text, size, "thread %s", print_thread(b, first, from));
    else if (first / WARP == last / WARP)
        snprintf(text, size, "only the warp is known: %u, threads %s to %s", first / WARP,
                 print_thread(b, first, from), print_thread(b, last, to));
    else
        snprintf(text, size, "only the warps are known: %u to %u, threads %s to %s", first / WARP,
                 last / WARP, print_thread(b, first, from), print_thread(b, last, to));
}
