// What the parts of the sanitizer share; not for others.
//
// sanitize.c         launches, groups of blocks, what has to be written
// sanitize_access.c  accesses
// sanitize_report.c  what is said about them
//
// Compiled code has nothing but addresses to pass, so there is one sanitizer a process. Its lock is
// held while a launch runs.
#ifndef GCL_EXEC_SANITIZE_STATE_H
#define GCL_EXEC_SANITIZE_STATE_H

#include <pthread.h>

#include "exec/block.h"
#include "exec/findings.h"
#include "exec/shadow.h"
#include "plan/footprint.h"

struct gcl_space;

/// Neighbouring blocks whose footprint is found at once: [begin, end) in the grid, `count` from
/// number `first` on.
struct gcl_sanitize_group {
    uint32_t begin[3], end[3];
    uint64_t first, count;
};

/// A race of blocks that both write a granule, perhaps the same.
struct gcl_sanitize_pending {
    uint64_t granule; ///< address
    unsigned char before[GCL_GRANULE];
    gcl_mark mark, other;
};

/// Where a site may go on, as it was for an access to a line of 64 bytes in a group.
struct gcl_sanitize_recent {
    const struct gcl_site *site;
    uint64_t line, group;
    uint64_t begin, reach, shadow, stride, last;
};

enum { GCL_SANITIZE_PENDING = 16, GCL_SANITIZE_RECENT = 4096, GCL_SANITIZE_REGIONS = 3 };

struct gcl_sanitizer {
    pthread_mutex_t lock;

    // Of the running block.
    gcl_mark who;   ///< its mark, without site
    gcl_mark first; ///< of the first block of the launch
    uint32_t lane;  ///< that accesses, from the thread on that the block says is running
    uint64_t access_count;
    struct gcl_site *open; ///< those with places where they may go on
    struct gcl_sanitize_pending pending[GCL_SANITIZE_PENDING];
    size_t pending_count;

    // Of the group.
    struct gcl_sanitize_group group;
    struct gcl_footprint footprint;
    uint64_t group_number;                                  ///< among all groups of the process
    struct gcl_sanitize_recent recent[GCL_SANITIZE_RECENT]; ///< by site and line

    // Of the launch.
    const struct gcl_block_launch *launch;
    struct gcl_space *space;
    struct gcl_evaluator *evaluator; ///< NULL: no footprints
    bool is_whole;                   ///< one group, whose blocks are like one
    bool may_change_all;             ///< kernels write anywhere
    struct gcl_span *changed;        ///< else: the allocations in which they do
    size_t changed_count;
    bool may_synchronise; ///< blocks wait for each other, so they may share memory

    // Of the process.
    struct gcl_shadow shadow;
    struct gcl_findings findings;
    struct gcl_site **sites; ///< by number - 1
    uint32_t site_count;
};

extern struct gcl_sanitizer gcl_sanitizer __attribute__((visibility("hidden")));

// sanitize.c

/// What the pointer or variable from which an access program starts leads to; 0: not known.
uint64_t gcl_sanitize_base(const struct gcl_sanitizer *s, const struct gcl_base *base);
/// The group's blocks, for the evaluator.
struct gcl_launch_part gcl_sanitize_launch_of(const struct gcl_sanitizer *s);
/// Whether blocks of the launch may write the allocation, or change it atomically.
bool gcl_sanitize_may_change(const struct gcl_sanitizer *s, const struct gcl_shadow_extent *extent);

// sanitize_access.c

/// The allocation in which `address` lies, NULL: none.
struct gcl_shadow_extent *gcl_sanitize_find(struct gcl_sanitizer *s, uint64_t address);
/// Has all sites ask again.
void gcl_sanitize_close_sites(struct gcl_sanitizer *s);
/// A block has ended: looks whether what it wrote in races was the same.
void gcl_sanitize_settle(struct gcl_sanitizer *s);

// sanitize_report.c

/// An access, for messages.
struct gcl_sanitize_access {
    uint64_t address, size;
    const struct gcl_site *site;
};

void gcl_sanitize_report_access(struct gcl_sanitizer *s, enum gcl_finding_kind kind,
                                const struct gcl_sanitize_access *access);
/// `use` has bytes [begin, end), relative to its allocation, that weren't written.
void gcl_sanitize_report_unwritten(struct gcl_sanitizer *s, const struct gcl_use *use,
                                   struct gcl_span bytes);
/// A race of the running block's access with that of another one, at `address`.
void gcl_sanitize_report_race(struct gcl_sanitizer *s, enum gcl_finding_kind kind, gcl_mark mark,
                              gcl_mark other, uint64_t address);
/// The footprint's regions for an access, up to two; returns how many.
unsigned gcl_sanitize_regions(const struct gcl_sanitizer *s, const struct gcl_site *site,
                              uint64_t allocation,
                              const struct gcl_region *regions[GCL_SANITIZE_REGIONS]);

#endif
