// An imagined moment of a launch: how its blocks lie, at which iteration each loop is, and what the
// values are that follow from data. In it the addresses of a kernel are numbers, thread by thread,
// so that whether two threads meet in memory is seen by looking, whatever an address is made of.
//
// What is seen in no moment may happen nevertheless: moments are chosen so that tiles, strides and
// the steps of reductions and scans, which are powers of two, show what they do.
#ifndef GCL_DEVICE_MOMENT_H
#define GCL_DEVICE_MOMENT_H

#include "device/ir/cfg.h"
#include "device/ir/module.h"
#include "device/ir/uniformity.h"

/// What all moments of one kernel have in common.
struct gcl_moments {
    const struct gcl_cfg *cfg;
    const struct gcl_uniformity *u;
    GHashTable *values;             ///< instruction or argument -> what is the same in all moments
    struct gcl_moment_known *known; ///< what has been worked out, by value and moment
    GArray *variables;              ///< int64_t: where shared variables begin, ascending
    GArray *shapes;                 ///< struct gcl_shape: blocks that launches may have
    int *dominators;   ///< per block of `cfg`: the immediate one; GCL_NOWHERE for the entry
    uint64_t *weights; ///< per loop: what one of its iterations adds to the state of a moment
};

struct gcl_moments *gcl_moments_create(struct gcl_module *m, const struct gcl_device_kernel *kernel,
                                       const struct gcl_cfg *cfg, const struct gcl_uniformity *u);
void gcl_moments_destroy(struct gcl_moments *moments);

/// Whether `dominator` is passed on every way to block `b`, which includes itself.
bool gcl_moments_dominates(const struct gcl_moments *moments, int dominator, int b);

struct gcl_moment {
    struct gcl_moments *all;
    uint32_t number; ///< everything that isn't known follows from it
    const uint32_t *block_size;
    int later;       ///< a loop that is one iteration further than in the moment itself
    uint32_t thread; ///< its number in the block
    int *iterations; ///< per loop
    uint64_t state;  ///< all iterations as one number
    bool is_large;   ///< what all threads share and isn't known is a large number
    unsigned steps;  ///< instructions that may still be worked out
    bool guesses;    ///< what was worked out follows from data that differ from thread to thread
    bool is_lost;    ///< what was worked out is of a block to which the thread doesn't come
};

/// Moment `number`, with loop `later` (or GCL_NOWHERE) one iteration further.
struct gcl_moment gcl_moment_begin(struct gcl_moments *moments, uint32_t number, int later);
void gcl_moment_end(struct gcl_moment *moment);
/// Makes `moment` that of `thread`. What has been worked out for a thread at the same iterations
/// is found again as long as no other thread's turn comes between.
void gcl_moment_turn(struct gcl_moment *moment, uint32_t thread, bool is_large);
uint32_t gcl_moment_threads(const struct gcl_moment *moment);

/// A number, or an address: `offset` bytes behind `root`.
struct gcl_spot {
    LLVMValueRef root; ///< NULL: a number. A shared variable is the constant where it begins
    int64_t offset;
};

/// What `value` is for `moment->thread`.
struct gcl_spot gcl_moment_value(struct gcl_moment *moment, LLVMValueRef value);
/// Whether `moment->thread` comes to block `b` of the control flow.
bool gcl_moment_comes(struct gcl_moment *moment, int b);
/// The constant where a shared variable begins, if `address` is its address as lower/variables.c
/// has made it; else NULL.
LLVMValueRef gcl_moment_variable(LLVMValueRef address);
/// Whether `size` bytes at a place are all in the shared variable that its address is made from;
/// true for places outside of shared memory.
bool gcl_moment_is_inside(const struct gcl_moments *moments, struct gcl_spot place, int64_t size);

#endif
