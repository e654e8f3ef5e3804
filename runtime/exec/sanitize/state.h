// What the parts of the sanitizer share; not for others.
//
// sanitize.c            launches, what has to be written
// sanitize/footprint.c  the footprint of each block
// sanitize/access.c     accesses
// sanitize/threads.c    what threads of a block do to each other
// sanitize/sync.c       barriers and warp operations that not all of them reach
// sanitize/report.c     what is said about accesses
//
// Compiled code has nothing but addresses to pass, so there is one sanitizer a process. Its lock is
// held while a launch runs.
#ifndef GCL_EXEC_SANITIZE_STATE_H
#define GCL_EXEC_SANITIZE_STATE_H

#include <pthread.h>

#include "exec/block/block.h"
#include "exec/sanitize/findings.h"
#include "exec/sanitize/hazards.h"
#include "exec/sanitize/shadow.h"
#include "plan/inspect/contents.h"
#include "plan/program/shares.h"

struct gcl_space;
struct gcl_allocation;

/// Neighbouring blocks: [begin, end) in the grid, `count` from number `first` on.
struct gcl_sanitize_blocks {
    uint32_t begin[3], end[3];
    uint64_t first, count;
};

/// A race of blocks that both write a granule, perhaps the same.
struct gcl_sanitize_pending {
    uint64_t granule; ///< address
    unsigned char before[GCL_GRANULE];
    gcl_mark mark, other;
};

/// Where a site may go on, as it was for an access to a line of 64 bytes.
struct gcl_sanitize_recent {
    const struct gcl_site *site;
    uint64_t line, turn;
    uint64_t begin, reach, shadow, stride, last;
};

enum { GCL_SANITIZE_PENDING = 16, GCL_SANITIZE_RECENT = 4096, GCL_SANITIZE_REGIONS = 3 };

/// What the running block may touch. Arrays are by access, but for `origins`: by use.
struct gcl_sanitize_footprint {
    struct gcl_sanitize_blocks group; ///< evaluated at once
    struct gcl_shares shares;         ///< of them
    uint64_t step, most;              ///< how many blocks to evaluate next, and ever
    struct gcl_footprint regions;     ///< of the block that leads
    bool inspects;                    ///< memory told something of a block
    bool leads;                       ///< others may have the same regions, moved
    struct gcl_share_move *moves;     ///< of the running block
    struct gcl_allocation_use **uses; ///< of the leading one; NULL: none
    int64_t *origins;                 ///< addresses from which a use's regions count
    size_t origin_room;
    struct gcl_memory memory;
    struct gcl_contents contents;   ///< of what the launch only reads
    struct gcl_allocation *escaped; ///< where pointers in memory may lead
    size_t escaped_count;
};

/// Regions in which an access may lie.
struct gcl_sanitize_regions {
    const struct gcl_region *regions[GCL_SANITIZE_REGIONS];
    unsigned count;
    int64_t origin; ///< the address from which they count
};

/// The threads of a block.
struct gcl_sanitize_threads {
    struct gcl_hazards hazards;
    const struct gcl_site *places[GCL_HAZARD_THREADS]; ///< where each waits, or was seen last
    uint64_t *written; ///< which bytes of shared memory are (written.h)
};

/// A store of the running thread that races with one of another thread, before it happens: they
/// may store the same.
struct gcl_sanitize_store {
    uint64_t address, size; ///< 0: there is none
    unsigned char before[16];
    struct gcl_hazard_access access;
    struct gcl_hazard hazard;
};

/// The allocation to which a site's last access went.
struct gcl_sanitize_near {
    uint64_t begin, end;
    uint64_t *written;
    bool may_change; ///< kernels write there
};

enum { GCL_SANITIZE_NEAR = 64 };

struct gcl_sanitizer {
    pthread_mutex_t lock;

    // Of the running block, or of all that are like one.
    struct gcl_sanitize_blocks blocks;
    gcl_mark who;          ///< its mark, without site
    uint32_t lane;         ///< that accesses, from the thread on that the block says is running
    struct gcl_site *open; ///< those with places where they may go on
    struct gcl_sanitize_pending pending[GCL_SANITIZE_PENDING];
    size_t pending_count;
    uint64_t turn;                                          ///< among all blocks of the process
    struct gcl_sanitize_recent recent[GCL_SANITIZE_RECENT]; ///< by site and line

    // Of the running block alone, as threads are told apart.
    const struct gcl_block *block;
    struct gcl_sanitize_threads *running;
    struct gcl_sanitize_store store;
    struct gcl_sanitize_near near[GCL_SANITIZE_NEAR]; ///< by site

    // Of the launch.
    uint32_t checks;                      ///< enum gcl_kernel_flags
    struct gcl_sanitize_threads *threads; ///< one, or one for each block if those take turns
    size_t threads_count;
    const struct gcl_block_launch *launch;
    struct gcl_space *space;
    struct gcl_evaluator *evaluator; ///< NULL: no footprints
    struct gcl_sanitize_footprint footprint;
    gcl_mark first;           ///< of its first block
    bool is_whole;            ///< its blocks are like one
    bool may_change_all;      ///< kernels write anywhere
    struct gcl_span *changed; ///< else: the allocations in which they do
    size_t changed_count;
    bool may_synchronise; ///< blocks wait for each other, so they may share memory

    // Of the process.
    bool has_warned; ///< that writes of others aren't known
    struct gcl_shadow shadow;
    struct gcl_findings findings;
    struct gcl_site **sites; ///< by number - 1
    uint32_t site_count;
};

extern struct gcl_sanitizer gcl_sanitizer __attribute__((visibility("hidden")));

// sanitize.c

/// What the pointer or variable from which an access program starts leads to; 0: not known.
uint64_t gcl_sanitize_base(const struct gcl_sanitizer *s, const struct gcl_base *base);
/// Up to `count` blocks from number `first` on: part of a row of the grid, or whole rows of a
/// plane, or whole planes.
struct gcl_sanitize_blocks gcl_sanitize_cut(const uint32_t grid[3], uint64_t first, uint64_t count);
/// Whether blocks of the launch may write the allocation, or change it atomically.
bool gcl_sanitize_may_change(const struct gcl_sanitizer *s, const struct gcl_shadow_extent *extent);

// sanitize/footprint.c

/// False: no memory, and no footprints.
bool gcl_sanitize_begin_footprints(struct gcl_sanitizer *s);
void gcl_sanitize_end_footprints(struct gcl_sanitizer *s);
/// Prepares for blocks from number `first` on; returns how many.
uint64_t gcl_sanitize_take_group(struct gcl_sanitizer *s, uint64_t first);
/// Finds what the running block, one of those, may touch.
void gcl_sanitize_find_footprint(struct gcl_sanitizer *s);
/// Where an access to the allocation may lie.
struct gcl_sanitize_regions gcl_sanitize_regions_of(const struct gcl_sanitizer *s,
                                                    const struct gcl_site *site,
                                                    uint64_t allocation);
/// Blocks of the launch, for the evaluator.
struct gcl_launch_part gcl_sanitize_part(const struct gcl_sanitizer *s,
                                         const struct gcl_sanitize_blocks *blocks);

// sanitize/access.c

/// The allocation in which `address` lies, NULL: none.
struct gcl_shadow_extent *gcl_sanitize_find(struct gcl_sanitizer *s, uint64_t address);
/// Gives a site a number. False: there are too many.
bool gcl_sanitize_enlist(struct gcl_sanitizer *s, struct gcl_site *site);
/// Lets all sites ask again.
void gcl_sanitize_close_sites(struct gcl_sanitizer *s);
/// A block has ended: looks whether what it wrote in races was the same.
void gcl_sanitize_settle(struct gcl_sanitizer *s);

// sanitize/threads.c

/// Whether threads of a block are told apart.
static inline bool gcl_sanitize_has_threads(const struct gcl_sanitizer *s) {
    return (s->checks & (GCL_KERNEL_RACE | GCL_KERNEL_INIT)) != 0;
}
/// Before and after a launch. False: no memory.
bool gcl_sanitize_begin_threads(struct gcl_sanitizer *s, uint64_t block_count, bool takes_turns);
void gcl_sanitize_end_threads(struct gcl_sanitizer *s);
/// The functions that watch the launch's blocks, NULL: nobody has to.
const struct gcl_block_watch *gcl_sanitize_watch(const struct gcl_sanitizer *s);
/// An access of the running thread. False: to memory that only its block has.
bool gcl_sanitize_access_thread(struct gcl_sanitizer *s, uint64_t address, uint64_t size,
                                struct gcl_site *site);

// sanitize/sync.c

/// Threads of the block stand before different cuts, or have ended, as a barrier opens.
void gcl_sanitize_check_barrier(struct gcl_sanitizer *s, const struct gcl_block *block);
/// Lanes of a warp pass a warp operation together.
void gcl_sanitize_check_warp(struct gcl_sanitizer *s, const struct gcl_block *block, uint32_t first,
                             uint32_t lanes);

// sanitize/report.c

enum { GCL_SANITIZE_TEXT = 192, GCL_SANITIZE_PLACE = 256 };

/// The kernel's name, and a site's file and line, in `out`, which has that room.
const char *gcl_sanitize_format_kernel(const struct gcl_sanitizer *s, char out[GCL_SANITIZE_TEXT]);
const char *gcl_sanitize_format_place(const struct gcl_site *site, char out[GCL_SANITIZE_PLACE]);

/// An access, for messages.
struct gcl_sanitize_access {
    uint64_t address, size;
    const struct gcl_site *site;
};

void gcl_sanitize_report_access(struct gcl_sanitizer *s, enum gcl_finding_kind kind,
                                const struct gcl_sanitize_access *access);
/// Use number `use` of the footprint has bytes [begin, end), relative to its origin, that weren't
/// written.
void gcl_sanitize_report_unwritten(struct gcl_sanitizer *s, size_t use, struct gcl_span bytes);
/// A race of the running block's access with that of another one, at `address`.
void gcl_sanitize_report_race(struct gcl_sanitizer *s, enum gcl_finding_kind kind, gcl_mark mark,
                              gcl_mark other, uint64_t address);
/// The running thread is about to access what isn't its block's shared memory, through a variable
/// that is. Ends the process.
_Noreturn void gcl_sanitize_end_at_bounds(struct gcl_sanitizer *s,
                                          const struct gcl_sanitize_access *access);
/// The running thread reads bytes that nobody wrote, of which `missing` is the first.
void gcl_sanitize_report_init(struct gcl_sanitizer *s, const struct gcl_sanitize_access *access,
                              uint64_t missing);
/// A race of two threads of the running block.
void gcl_sanitize_report_hazard(struct gcl_sanitizer *s, enum gcl_finding_kind kind,
                                const struct gcl_hazard_access *access,
                                const struct gcl_hazard *hazard);

#endif
