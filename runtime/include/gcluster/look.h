// Looks: code that the compiler makes, for each kernel whose accesses depend on what memory holds,
// to find where they are. A look goes through the threads of some blocks of a launch and computes
// of an access program (gcluster/access.h) what one access needs: the same nodes, in the same
// order, as the runtime does that goes through the program itself (runtime/plan/inspect), which
// takes over where a look gives up.
//
// A look reads no memory but the runtime's windows: bytes at an offset outside of one aren't known
// to it, whatever a kernel's index arrays hold.
#ifndef GCLUSTER_LOOK_H
#define GCLUSTER_LOOK_H

#include <stdint.h>

/// Offsets that a look finds before it has them taken.
enum { GCL_LOOK_ROOM = 1024 };

/// The offset of a lane that touches nothing.
#define GCL_LOOK_NOWHERE INT64_MIN

/// What a look may read for one access that loads.
struct gcl_look_window {
    const unsigned char *bytes; ///< the first one
    uint64_t size;              ///< 0: what the access loads isn't known
    uint64_t shift;             ///< where the access' pointer leads, in bytes from the first one
    /// What has been read since the last take: bytes from offset `least` on, up to and with the
    /// number that begins at `greatest`; nothing if `least` is greater.
    uint64_t least, greatest;
};

enum gcl_look_end {
    GCL_LOOK_FOUND,
    GCL_LOOK_MISSED, ///< something isn't known to it that counts, or take has refused
    GCL_LOOK_LONG,   ///< there were too few steps
};

struct gcl_look;
/// Takes `count` offsets, in bytes from where the access' pointer leads, which may be changed
/// then; if `is_sparse`, some may
/// be GCL_LOOK_NOWHERE. Returns 0: the look ends.
typedef uint32_t gcl_look_take(struct gcl_look *look, int64_t *offsets, uint64_t count,
                               uint32_t is_sparse);

/// What a look is told, and what it has found so far.
struct gcl_look {
    const unsigned char *arguments;  ///< packed as gcl_parameter says (gcluster/kernel.h)
    uint32_t block[3], grid[3];      ///< sizes
    uint32_t begin[3], end[3];       ///< the blocks
    struct gcl_look_window *windows; ///< by gcl_look_code.loads
    gcl_look_take *take;
    int64_t steps;        ///< nodes that may still be computed, in each lane
    uint32_t is_doubtful; ///< something was found that may not be touched
};

/// Goes through all blocks. Returns enum gcl_look_end. `offsets`: room for GCL_LOOK_ROOM.
typedef uint32_t gcl_look_function(struct gcl_look *look, int64_t *offsets);

/// A look for one access and kind of processor.
struct gcl_look_code {
    uint32_t level; ///< enum gcl_cpu_level (gcluster/kernel.h)
    uint16_t access;
    uint16_t load_count;
    const uint16_t *loads; ///< accesses, a window for each
    gcl_look_function *function;
    int64_t shift; ///< bytes from what the function finds to what the access touches
};

#endif
