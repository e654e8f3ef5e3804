// Frames of registers, and the local memory of lanes, which grows with them.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "warp.h"

/// Bytes of local memory for a thread.
#define MOST_LOCAL ((uint64_t)512 << 10)

static void *require(void *memory) {
    if (memory)
        return memory;
    fputs("test driver: out of host memory\n", stderr);
    abort();
}

static void fill(unsigned char *bytes, size_t size, uint64_t garbage) {
    size_t at = 0;
    for (; at + 8 <= size; at += 8)
        memcpy(bytes + at, &garbage, 8);
    memcpy(bytes + at, &garbage, size - at);
}

/// Gives each lane at least `size` bytes; what there was stays.
static void grow_local(struct ptx_warp *warp, uint64_t size) {
    uint64_t old = warp->local_size, larger = old ? old : 64;
    while (larger < size)
        larger *= 2;
    if (larger == old)
        return;
    unsigned char *local = require(aligned_alloc(64, larger * PTX_LANES));
    for (size_t l = 0; l < PTX_LANES; l++)
        if (old)
            memcpy(local + l * larger, warp->local + l * old, old);
    free(warp->local);
    warp->local = local;
    warp->local_size = larger;
}

static struct ptx_frame *allocate(struct ptx_run *run, const struct ptx_code *code) {
    struct ptx_frame *frame = run->free_frames[code->number];
    if (frame) {
        run->free_frames[code->number] = frame->parent;
        return frame;
    }
    size_t size = sizeof *frame + code->frame_size;
    return require(aligned_alloc(64, (size + 63) / 64 * 64));
}

struct ptx_frame *ptx_frame_create(struct ptx_warp *warp, const struct ptx_code *code,
                                   struct ptx_frame *parent, const struct ptx_op *call) {
    struct ptx_run *run = warp->block->run;
    uint64_t begin = parent ? parent->local + parent->code->facts.local_size : 0;
    begin = (begin + 63) / 64 * 64;
    uint64_t end = begin + code->facts.local_size + 16;
    if (end > MOST_LOCAL) {
        ptx_fault(warp, call, -1, PTX_STACK_OVERFLOW, "stack overflow, calling %s",
                  code->facts.name);
        return NULL;
    }
    grow_local(warp, end);
    struct ptx_frame *frame = allocate(run, code);
    frame->parent = parent;
    frame->code = code;
    frame->call = call;
    frame->live = warp->mask;
    frame->depth = parent ? parent->depth + 1 : 0;
    frame->local = begin;
    fill(frame->registers, code->frame_size, run->garbage);
    for (uint32_t left = warp->mask; left; left &= left - 1)
        fill(warp->local + (uint64_t)__builtin_ctz(left) * warp->local_size + begin,
             code->facts.local_size, ~run->garbage);
    return frame;
}

void ptx_frame_leave(struct ptx_run *run, struct ptx_frame *frame, uint32_t mask) {
    assert((frame->live & mask) == mask);
    frame->live &= ~mask;
    if (frame->live)
        return;
    frame->parent = run->free_frames[frame->code->number];
    run->free_frames[frame->code->number] = frame;
}
