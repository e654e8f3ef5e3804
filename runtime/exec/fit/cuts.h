// How launches were cut of which memory had to be looked into: to find that takes longer than to
// move what they use, and in a loop of launches they find the same each time. Before a launch that
// is like one that is kept, what that one had read is compared, by checksums.
//
// Another thread that changes what is read meanwhile, a checksum that two contents have in common:
// then chunks come as they are touched, or bytes that a launch of the same kernel with the same
// arguments overwrites have not come.
#ifndef GCL_EXEC_FIT_CUTS_H
#define GCL_EXEC_FIT_CUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exec/residency/use.h"
#include "plan/program/evaluate.h"

struct gcl_kernel;
struct gcl_memory;
struct gcl_reading;

/// Blocks that run at a time, and what they use, which has settled.
struct gcl_cuts_range {
    uint32_t begin[3], end[3];
    struct gcl_use *use;
    bool is_vague; ///< they may use more
};

/// Zeroed at the beginning.
struct gcl_cuts_launch {
    const struct gcl_kernel *kernel; ///< NULL: nothing is kept here
    struct gcl_launch_part part;     ///< all of it; its arguments are `arguments`
    unsigned char *arguments;
    struct gcl_cuts_reading *readings;
    size_t reading_count;
    struct gcl_cuts_range *ranges;
    size_t range_count;
    size_t weight;       ///< bytes of all uses
    uint64_t compare_ns; ///< that it takes to compare what was read
    uint64_t latest;     ///< when it was of use: a larger number is later
    uint32_t changes;    ///< launches in a row that found something else there
    bool is_vain;        ///< it would be of no use, and is kept to say so
};

enum { GCL_CUTS_LAUNCHES = 16 };

/// Zeroed at the beginning; one thread uses it at a time.
struct gcl_cuts {
    struct gcl_cuts_launch launches[GCL_CUTS_LAUNCHES];
    uint64_t latest;
};

/// The place for such a launch: where one that is like it is kept, else that of the one that was of
/// use longest ago, which is emptied. NULL: no memory, or
/// it would be in vain.
struct gcl_cuts_launch *gcl_cuts_place(struct gcl_cuts *cuts, const struct gcl_kernel *kernel,
                                       const struct gcl_launch_part *part);
/// Whether it has ranges, and what they depend on is what it was. If not, it is made anew: nothing
/// is kept of it any more.
bool gcl_cuts_holds(struct gcl_cuts_launch *launch, const struct gcl_memory *memory);
/// Notes what ranges that are going to be added depend on, as it is now. False: no memory.
GCL_MUST_USE bool gcl_cuts_depend(struct gcl_cuts_launch *launch,
                                  const struct gcl_reading *readings, size_t count);
/// Adds a range with a copy of the use. False: no memory, or too much is kept.
GCL_MUST_USE bool gcl_cuts_add(struct gcl_cuts_launch *launch, const struct gcl_cuts_range *range);
/// All ranges are added, which took so long to find.
void gcl_cuts_end(struct gcl_cuts_launch *launch, uint64_t find_ns);
/// Keeps no ranges of it.
void gcl_cuts_drop(struct gcl_cuts_launch *launch);

#endif
