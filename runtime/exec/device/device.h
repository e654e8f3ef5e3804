// The door to a device: what runs kernels, and the memory that they work on. The CPU (cpu.h) and
// the device of a dry run (dry.h) stand behind it.
//
// The engine decides which thread runs what, and when; the spread, which bytes have to be where;
// the space, which addresses are whose. They touch device memory through these tables alone, by
// its addresses, which are the same on all nodes. What the host shares with the device (managed
// and pinned memory) it reaches by itself.
//
// Functions of a device may block only the calling thread, and return when what they do is done:
// so moments of streams and events are the engine's alone. They never call the engine or the
// spread.
#ifndef GCL_EXEC_DEVICE_H
#define GCL_EXEC_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/limits.h"
#include "base/status.h"
#include "cluster/communicator/communicator.h"
#include "cluster/communicator/operation.h"
#include "exec/block/block.h"
#include "exec/block/children.h"
#include "exec/block/waiting.h"
#include "exec/memory/pages.h"
#include "plan/schedule/plan.h"

enum { GCL_DEVICE_LIMITS = 7 };

struct gcl_device;
struct gcl_kernel;
struct gcl_space;

// What is cut into units, which threads of the engine run side by side.

enum { GCL_RUN_INLINE_ARGUMENTS = 256 };

/// What a kernel's blocks have taken so far; threads add to it.
struct gcl_run_cost {
    atomic_uint_least64_t busy_ns; ///< of all threads together
    atomic_uint_least64_t blocks;
};

/// A node's share of a launch.
struct gcl_run {
    struct gcl_block_launch launch;
    struct gcl_fault fault;            ///< the device says here what goes wrong
    struct gcl_children children;      ///< what its blocks have launched
    uint64_t block_count;              ///< the device's, once it is cut, like the next ones
    uint64_t blocks_per_unit;          ///< the last unit may have fewer
    struct gcl_waiting_blocks waiting; ///< if its blocks wait for each other
    bool waits;                        ///< they may
    bool is_resumed;                   ///< all have begun: units are blocks that wait
    uint32_t origin;           ///< where the program launches it, as traces number it; 0: unknown
    struct gcl_run_cost *cost; ///< outlives the run; NULL: nobody wants to know
    bool is_cooperative;
    bool is_closed;           ///< nothing else changes the memory that it uses before it has ended
    bool is_ordered;          ///< one block after the other, on one worker of one node
    unsigned char *arguments; ///< `inline_arguments`, or of the heap
    _Alignas(16) unsigned char inline_arguments[GCL_RUN_INLINE_ARGUMENTS];
    char file[GCL_OPERATION_MAX_FILE + 1]; ///< room for `launch.file`, where it is another node's
};

/// `depth` slices of `height` rows of `width` bytes. `source` NULL: set them to `value`.
struct gcl_box_copy {
    unsigned char *target;
    const unsigned char *source;
    size_t target_pitch, source_pitch; ///< bytes from row to row
    size_t target_slice, source_slice; ///< bytes from slice to slice
    size_t width, height, depth;
    int value;
    void *staging;           ///< freed when the copy is done; may be NULL
    struct gcl_space *space; ///< where addresses come in with it from the host; NULL: they don't
    struct gcl_space *noted; ///< where it is noted what is written; NULL: nowhere
};

struct gcl_device_units {
    uint32_t count; ///< 0: nothing is to be done
    bool is_small;  ///< so short that waking several threads at once would take longer
};

/// How launches and copies run.
struct gcl_device_unit_ops {
    /// Cuts a launch, or a copy, once and before any of its units runs. The engine's lock is held:
    /// it returns at once, and can't fail.
    struct gcl_device_units (*cut_run)(const struct gcl_device *device, struct gcl_run *run);
    struct gcl_device_units (*cut_copy)(const struct gcl_device *device, struct gcl_box_copy *copy);
    /// Runs units [begin, end), while other threads run others. A launch that goes wrong says so in
    /// `run->fault`, and the rest of its units do nothing. NULL, as is `leave_run`: launches go
    /// into queues.
    void (*run_units)(const struct gcl_device *device, void *scratch, struct gcl_run *run,
                      uint32_t begin, uint32_t end);
    /// All units of a launch have run: how many there are again, as blocks wait for others (0:
    /// none do, and the launch is over). Unless `gives_up`, which ends it. `*has_moved`: some got
    /// further. NULL: none ever wait. The engine's lock is held.
    uint32_t (*cut_again)(const struct gcl_device *device, struct gcl_run *run, bool gives_up,
                          bool *has_moved);
    /// Copies units [begin, end) likewise, of rows that may overlap only within one.
    void (*copy_units)(const struct gcl_device *device, const struct gcl_box_copy *copy,
                       uint32_t begin, uint32_t end);
    /// The calling thread has run units of a launch, and runs no more of them.
    void (*leave_run)(const struct gcl_device *device, const struct gcl_run *run);
    /// A thread of the engine's own begins, which may run units.
    void (*enter_thread)(const struct gcl_device *device);
    /// What a thread needs to run units of launches, from one to the next; one thread uses it at a
    /// time. NULL: no memory. `close_scratch` takes NULL.
    void *(*open_scratch)(const struct gcl_device *device);
    void (*close_scratch)(const struct gcl_device *device, void *scratch);
};

enum gcl_device_reach {
    GCL_REACHED,
    GCL_NOT_REACHED,
    GCL_REACH_FAILED, ///< what the queue was given fails, and so will all that it is given
};

/// A place in a queue; the device's own part follows.
struct gcl_device_mark {
    unsigned holders; ///< the engine's: who looks at it
};

/// How a device is given work that it does beside the engine's threads: queues, one a stream, each
/// of which it works off in order. What goes wrong in one shows when a mark is looked at. Any
/// thread may call, and the engine's lock may be held but for `await`; nothing else waits.
struct gcl_device_queue_ops {
    /// NULL: no memory. Lower priorities run first, as in CUDA.
    void *(*open)(const struct gcl_device *device, int priority);
    void (*close)(const struct gcl_device *device, void *queue); ///< which has nothing left to do
    /// Whether a copy can be put in a queue. If not, it is cut into units.
    bool (*takes_copy)(const struct gcl_device *device, const struct gcl_box_copy *copy);
    /// The run stays as it is until it is done; what goes wrong at once is said in its fault.
    void (*put_run)(const struct gcl_device *device, void *queue, struct gcl_run *run);
    void (*put_copy)(const struct gcl_device *device, void *queue, const struct gcl_box_copy *copy);
    /// A mark behind all that the queue has been given, also when it has failed. Without memory
    /// for one it waits for the queue, and returns one that says how that ended.
    struct gcl_device_mark *(*mark)(const struct gcl_device *device, void *queue);
    void (*forget_mark)(const struct gcl_device *device, struct gcl_device_mark *mark);
    /// What the queue is given from here on waits for a mark in another one.
    void (*follow)(const struct gcl_device *device, void *queue, struct gcl_device_mark *mark);
    enum gcl_device_reach (*look)(const struct gcl_device *device, struct gcl_device_mark *mark);
    enum gcl_device_reach (*await)(const struct gcl_device *device, struct gcl_device_mark *mark);
    /// When a mark was reached, by gcl_clock_ns.
    uint64_t (*time)(const struct gcl_device *device, struct gcl_device_mark *mark);
    /// A queue has failed, in this launch or one of `others` behind it: says in its fault what
    /// went wrong. Once a failure.
    void (*blame)(const struct gcl_device *device, struct gcl_run *run, uint32_t others);
};

// What is moved between launches. Regions count from `place`, the address of their offset 0.

/// What one node has of a combination's stretch.
struct gcl_device_part {
    const struct gcl_region *bytes;
    const unsigned char *packed; ///< in the host's memory; NULL: in its place on this device
};

/// The stretch of a combination that this node puts together.
struct gcl_device_merge {
    const struct gcl_combination *combination;
    unsigned char *place;
    struct gcl_span stretch;             ///< not empty
    const void *twin;                    ///< of all of the combination's bytes that this node has
    const struct gcl_region *twinned;    ///< those bytes
    const struct gcl_device_part *parts; ///< of each node, in their order
    size_t count;
};

/// How bytes of device memory change between launches. Any thread may call; nobody else uses the
/// same bytes meanwhile.
struct gcl_device_byte_ops {
    /// Copies like memcpy, between device memory and the host's or within either.
    void (*copy)(const struct gcl_device *device, void *target, const void *source, size_t size);
    /// Sets a region's bytes to a value.
    void (*fill)(const struct gcl_device *device, unsigned char *place,
                 const struct gcl_region *region, uint8_t value);
    /// Keeps a region's bytes as they are now, as their twin: `merge` finds by it what a launch has
    /// changed. NULL: no memory. `forget` takes NULL.
    void *(*keep_twin)(const struct gcl_device *device, const unsigned char *place,
                       const struct gcl_region *region);
    void (*forget_twin)(const struct gcl_device *device, void *twin);
    /// Sets a region's bytes to what changes nothing when it is reduced with anything.
    void (*make_neutral)(const struct gcl_device *device, unsigned char *place,
                         const struct gcl_region *region,
                         const struct gcl_combination *combination);
    /// Puts what all nodes have for a stretch in its place: onto what the twin says was there, each
    /// node's changes, or each node's elements reduced. GCL_NO_MEMORY.
    enum gcl_status (*merge)(const struct gcl_device *device, const struct gcl_device_merge *merge);
};

/// What a device says about itself.
struct gcl_device_properties {
    char name[200];
    unsigned core_count; ///< 0: those of the host that the node uses
    int clock_khz;
    int memory_clock_khz;
    int memory_bus_width;   ///< bits
    int l2_size;            ///< bytes
    int double_ratio;       ///< of what it does with floats to what it does with doubles
    unsigned char uuid[16]; ///< zeros: it has none
    unsigned sharers;       ///< nodes of this host that use it; 0: all of them
    size_t memory;          ///< bytes that this node may use; 0: as much as the host has to spare
};

/// What a device makes of a kernel.
struct gcl_device_kernel {
    int register_count;              ///< of a thread
    int local_size;                  ///< bytes of a thread
    int max_threads;                 ///< of a block
    int ptx_version, binary_version; ///< 90 for 9.0
};

struct gcl_device {
    const struct gcl_device_unit_ops *units;
    /// NULL: the engine's threads do all that there is to do.
    const struct gcl_device_queue_ops *queues;
    /// NULL: what is in its memory doesn't matter, and never moves, since nothing is computed.
    const struct gcl_device_byte_ops *bytes;
    struct gcl_packer packer;         ///< also of `bytes`, for those who exchange them
    const struct gcl_page_ops *pages; ///< where spaces for its memory have their pages from
    /// The host doesn't reach its memory, but for what the space has `pages->shared` for.
    bool is_apart;
    /// Read at the first call, by any thread.
    const struct gcl_device_properties *(*properties)(void);
    const struct gcl_limits *limits;
    /// What it makes of a kernel, which is loaded for that; false: it can't run it. NULL: of any
    /// kernel the same.
    bool (*describe)(const struct gcl_kernel *kernel, struct gcl_device_kernel *description);
    /// How many blocks of a kernel a core runs at once. NULL: as many as its limits allow.
    unsigned (*blocks_per_core)(const struct gcl_kernel *kernel, unsigned threads,
                                size_t shared_size);
    /// Sets one of what CUDA calls limits, by its number there (0: bytes of a thread's stack),
    /// below GCL_DEVICE_LIMITS. False: that can't be. NULL: they change nothing.
    bool (*set_limit)(unsigned limit, size_t value);
    /// What has gone wrong with it for good, outside of launches or in one. NULL: nothing can.
    enum gcl_status (*status)(void);
};

#endif
