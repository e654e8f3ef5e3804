// Who runs: a launch's blocks, their warps, and in a warp the groups of lanes that are at one
// place.
//
// A group is a set of lanes with one program counter and one frame. A warp runs one group at a
// time, until its lanes diverge, wait or end, or until it comes to a label while other groups
// exist; then the scheduler (schedule.c) merges groups that are at one place and chooses the next
// one. A step (ptx_step) sees the group as the warp's mask and frame.
#ifndef PTX_RUN_WARP_H
#define PTX_RUN_WARP_H

#include "../module.h"

enum { PTX_BARRIERS = 16, PTX_RANGES = 4 };

/// Registers of one call for the 32 lanes; and how to return from it.
struct ptx_frame {
    struct ptx_frame *parent; ///< of the caller; in the list of free frames: the next one
    const struct ptx_code *code;
    const struct ptx_op *call; ///< where it was called
    uint32_t live;             ///< lanes that have not returned
    uint32_t depth;
    uint64_t local; ///< where its local memory begins in each lane's
    _Alignas(64) unsigned char registers[];
};

enum ptx_state { PTX_READY, PTX_AT_BARRIER, PTX_AT_LANES };

struct ptx_group {
    uint32_t mask;
    enum ptx_state state;
    const struct ptx_op *at; ///< the operation that is next, or that is waited at
    struct ptx_frame *frame;
    uint64_t round;   ///< turns that it has used up: groups with fewer go first
    int64_t used;     ///< operations of its turn
    uint32_t members; ///< PTX_AT_LANES: the mask it waits for
    uint32_t barrier; ///< PTX_AT_BARRIER
};

struct ptx_barrier {
    uint32_t arrived, expected; ///< threads; expected 0: all that have not ended
    uint32_t true_count, waiting;
};

struct ptx_block {
    struct ptx_run *run;
    struct ptx_warp *warps;
    uint32_t index[3];
    uint64_t number; ///< in the grid
    uint32_t warp_count, live_threads;
    unsigned char *shared;
    struct ptx_barrier barriers[PTX_BARRIERS];
    struct ptx_block *next, *previous; ///< among those under way; in the list of free blocks
};

struct ptx_warp {
    struct ptx_block *block;
    unsigned char *base[2];  ///< the group's registers, and its function's constants
    uint32_t mask;           ///< lanes that execute the operation
    uint32_t alive;          ///< lanes that have not ended
    int64_t left;            ///< operations until the turn is over
    bool is_listed;          ///< among the run's ready warps
    struct ptx_group *group; ///< the one that runs
    struct ptx_group groups[PTX_LANES];
    uint32_t group_count;
    uint32_t number; ///< in the block
    uint32_t thread[3][PTX_LANES];
    unsigned char *local; ///< of lane l: from l * local_size on
    uint64_t local_size;
    _Alignas(64) unsigned char scratch[PTX_LANES * 16];
    uint64_t address[PTX_LANES];
    unsigned char *pointer[PTX_LANES];
};

/// A launch under way.
struct ptx_run {
    const struct ptx_launch *launch;
    const struct ptx_code *code;
    enum ptx_end end;
    char *text; ///< what happened, if `end` isn't PTX_DONE
    size_t text_size;
    uint64_t seed, garbage;
    uint64_t instructions; ///< of lanes
    int64_t turn_length;
    uint64_t shared_size;
    uint32_t threads;                       ///< of a block
    uint64_t block_count, begun, ended;     ///< of blocks
    struct ptx_range ranges[2][PTX_RANGES]; ///< for reading, for writing; the one last used first
    struct ptx_block *blocks, *free_blocks; ///< under way; to be used again
    struct ptx_frame **free_frames;         ///< by number of the function
    struct ptx_warp **ready;                ///< warps that can run
    size_t ready_count, ready_capacity;
};

/// The next of the launch's random numbers.
static inline uint64_t ptx_random(struct ptx_run *run) {
    uint64_t z = run->seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/// Makes the turn shorter: for what programs that wait do again and again.
static inline void ptx_hasten(struct ptx_warp *warp) {
    warp->left -= 16;
    warp->group->used += 64;
}

// frame.c

/// A frame for `code`, its registers garbage; its local memory begins behind the parent's.
/// NULL: the lanes' stack is full, which the run's end says.
struct ptx_frame *ptx_frame_create(struct ptx_warp *warp, const struct ptx_code *code,
                                   struct ptx_frame *parent, const struct ptx_op *call);
/// Lanes leave the frame, which is free when the last one has.
void ptx_frame_leave(struct ptx_run *run, struct ptx_frame *frame, uint32_t mask);

// fault.c

/// Ends the run: says `what` of the lane (the first of the mask if it is -1) that executes `op`.
void ptx_fault(struct ptx_warp *warp, const struct ptx_op *op, int lane, enum ptx_end end,
               const char *what, ...) __attribute__((format(printf, 5, 6)));

// address.c

/// Fills warp->pointer for each lane of the mask (others get the one of a lane that is in it) with
/// where in the host's memory `size` bytes at warp->address of `window` lie. False: some are
/// nowhere, or misaligned, and the run has ended.
bool ptx_locate(struct ptx_warp *warp, const struct ptx_op *op, enum ptx_window window, size_t size,
                bool is_write);
/// Where a byte of generic memory that `lane` reads lies, and how many are there from it on; NULL:
/// none.
const unsigned char *ptx_locate_byte(struct ptx_warp *warp, int lane, uint64_t address,
                                     size_t *available);

// heap.c

/// Zero: out of memory.
uint64_t ptx_heap_allocate(struct ptx_heap *heap, uint64_t size);
/// False: the heap has no such allocation.
bool ptx_heap_free(struct ptx_heap *heap, uint64_t address);

// group.c

/// The group's lanes `mask` go on at `at` as a group of their own. The caller returns NULL, or goes
/// on with the rest.
struct ptx_group *ptx_group_split(struct ptx_warp *warp, uint32_t mask, const struct ptx_op *at);
/// Leaves the lanes of the warp's mask alone in the group: the others go on behind `op`.
void ptx_group_isolate(struct ptx_warp *warp, const struct ptx_op *op);
/// The lanes of the warp's mask end.
void ptx_group_exit(struct ptx_warp *warp);
/// Begins at the function's first operation with all lanes of `mask`. False: the run has ended.
bool ptx_warp_begin(struct ptx_warp *warp, uint32_t mask);
void ptx_warp_turn(struct ptx_warp *warp);
bool ptx_warp_is_ready(const struct ptx_warp *warp);

// run.c

/// The warp has groups that can run again.
void ptx_run_wake(struct ptx_warp *warp);

// ../execute/barrier.c

/// Lets those go on that wait at a barrier that is complete. To be called when threads end.
void ptx_barriers_check(struct ptx_block *block);

// ../execute/together.c

/// Carries out what groups of the warp wait for, where all lanes of a mask have come.
void ptx_lanes_check(struct ptx_warp *warp);

#endif
