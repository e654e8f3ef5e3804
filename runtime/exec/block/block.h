// Runs blocks of a kernel on the calling thread: the SIMT scheduler of the CPU device.
//
// Threads of a block run region by region (gcluster/kernel.h). A block barrier waits until each
// thread of the block stands before a barrier or has returned; a warp operation waits until every
// lane in its mask does, lowest cut first, so that lanes that parted ways meet again. Nothing here
// blocks: a block is run to its end before the next one starts, unless it waits for other blocks,
// in a loop (waiting.h) or at a barrier of the grid.
#ifndef GCL_EXEC_BLOCK_H
#define GCL_EXEC_BLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gcluster/kernel.h"
#include "plan/region/geometry.h"

enum gcl_fault_kind {
    GCL_FAULT_NONE,
    GCL_FAULT_ASSERT,      ///< a device assert failed
    GCL_FAULT_TRAP,        ///< __trap() was called
    GCL_FAULT_MEMORY,      ///< no memory for the block's own state
    GCL_FAULT_BARRIER,     ///< a grid barrier in a launch that is not cooperative
    GCL_FAULT_ADDRESS,     ///< an access to an address that isn't there
    GCL_FAULT_CODE,        ///< the device has no code of the kernel
    GCL_FAULT_INSTRUCTION, ///< an instruction that the compiler didn't know
    GCL_FAULT_WAIT,        ///< its blocks wait for what can't come
};

/// The first thing that went wrong in a launch. The thread that sets `kind` from NONE owns `text`
/// and sets `ready` when it is written; blocks that start later return at once.
struct gcl_fault {
    _Atomic int kind; ///< enum gcl_fault_kind
    atomic_bool ready;
    char text[640]; ///< for people: what, kernel, block, the thread if it is known, the launch
};

struct gcl_block_launch;
/// Sets a launch's fault if it has none: what went wrong, and the place in the launch.
void gcl_fault_report(const struct gcl_block_launch *launch, enum gcl_fault_kind kind,
                      const char *what, const char *place);

/// Functions that are told how the threads of blocks wait for each other, on the thread that runs
/// them. A thread that waits stands in gcl_block.next.
struct gcl_block_watch {
    /// `block` runs from here on, for the first time if `is_new`.
    void (*enter)(const struct gcl_block *block, bool is_new);
    /// The block has ended, or waits for other blocks. Not called for a block that a fault ends.
    void (*leave)(const struct gcl_block *block);
    /// No thread of the block gets further before a barrier opens, which it does now. If
    /// `is_diverged` its threads stand before different cuts, or some have returned.
    void (*barrier)(const struct gcl_block *block, bool is_diverged);
    /// Of the warp that begins with thread `first`, `lanes` pass a warp operation together.
    void (*warp)(const struct gcl_block *block, uint32_t first, uint32_t lanes);
};

struct gcl_space;
struct gcl_children;

/// What all blocks of one launch have in common. Borrowed for the call.
struct gcl_block_launch {
    const struct gcl_kernel *kernel;
    gcl_region *const *regions; ///< of the kernel's variant for this machine and geometry
    struct gcl_geometry geometry;
    uint32_t begin[3], end[3]; ///< the blocks that run here, a box of the grid
    const unsigned char *arguments;
    struct gcl_fault *fault;
    struct gcl_space *space;             ///< in which its memory lies; NULL: nobody touches margins
    const struct gcl_block_watch *watch; ///< NULL: nobody
    const char *file;                    ///< the source file that launches it; NULL: unknown
    uint32_t line;                       ///< in it
    struct gcl_children *children;       ///< where its blocks' launches are noted
};

/// Memory of one worker for the block that it runs: shared memory, frames, cut operands. Grows to
/// what the largest launch needs and is reused. One thread uses a pool at a time.
struct gcl_block_pool;

/// Returns NULL if there is no memory.
struct gcl_block_pool *gcl_block_pool_create(void);
void gcl_block_pool_destroy(struct gcl_block_pool *pool);

/// How many blocks run here.
uint64_t gcl_block_count(const struct gcl_block_launch *launch);
/// How many of them, side by side along x, run faster one row at a time than each by itself: at
/// least 1.
uint32_t gcl_block_together(const struct gcl_block_launch *launch);
/// Runs blocks [begin, end) of those, counted with x fastest, on the calling thread. Returns early
/// when `launch->fault` is set, by these blocks or by others.
void gcl_block_run(struct gcl_block_pool *pool, const struct gcl_block_launch *launch,
                   uint64_t begin, uint64_t end);

/// Runs all of them on the calling thread so that its blocks may wait for each other at barriers of
/// the grid: a cooperative launch. All blocks exist at once and take turns.
void gcl_block_run_cooperative(struct gcl_block_pool *pool, const struct gcl_block_launch *launch);

/// Ends the running block of the calling thread with a fault; only code called from a region may
/// call it. Never returns. `format` as for printf; kernel, block and thread are appended.
_Noreturn void gcl_block_abort(enum gcl_fault_kind kind, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Like gcl_block_abort, where the processor has stopped the block: one instruction may be that of
/// many threads, all of which are named then (running.h).
_Noreturn void gcl_block_abort_somewhere(enum gcl_fault_kind kind, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Leaves the running block of the calling thread, whose launch has a fault, on the stack that runs
/// it.
_Noreturn void gcl_block_leave(void);

/// The block that the calling thread runs, NULL outside of kernels. Compiled device code that was
/// not inlined into its kernel asks for it too.
__attribute__((visibility("default"))) const struct gcl_block *gcl_block_current(void);
/// The launch that it belongs to.
const struct gcl_block_launch *gcl_block_launch_current(void);
/// Bytes of its frame.
size_t gcl_block_frame_size(void);
/// The calling thread's block has stopped at an address. True: it may try again (margin.h).
bool gcl_block_touch(uintptr_t address, bool is_written);
/// Whether nobody's memory is at an address since the calling thread's block has its own near
/// there.
bool gcl_block_misses_shared(uintptr_t address);

#endif
