// Where the valid copies of an allocation's bytes are.
//
// A layout is a value. Equal layouts are one object, so a plan that was made for one can be found
// again by its address. One that nobody holds may go with the next one that is made: what functions
// here return is to be held before that.
#ifndef GCL_PLAN_LAYOUT_H
#define GCL_PLAN_LAYOUT_H

#include <stdatomic.h>

#include "plan/region/region.h"

struct gcl_layout {
    uint64_t hash;
    atomic_size_t holders;
    uint32_t node_count;
    uint8_t fill;     ///< the value of the bytes in held[node_count]
    uint64_t *hashes; ///< of the regions in `held`, behind which they lie
    /// For each node the bytes whose copy there is valid; behind them, those that each node can
    /// make itself, because all of them are `fill`. Every byte is in one of these at least.
    struct gcl_region held[];
};

/// All layouts of one job.
struct gcl_layouts;
/// Boxes of what a node has of an allocation, and of what it lacks. So many fewer than
/// GCL_REGION_MOST_BOXES that whatever a node is to get of a layout, a copy of all bytes say, can
/// be said exactly; and that planning with it takes milliseconds.
enum { GCL_LAYOUT_MOST_BOXES = 1 << 14 };

/// NULL: no memory.
struct gcl_layouts *gcl_layouts_create(uint32_t node_count);
/// Destroys all layouts; nobody holds one any more.
void gcl_layouts_destroy(struct gcl_layouts *layouts);

/// Keeps a layout, which it returns, until it is released as often. Any thread that has it.
const struct gcl_layout *gcl_layout_hold(const struct gcl_layout *layout);
void gcl_layout_release(const struct gcl_layout *layout);

/// Whether each of the `size` bytes is valid on a node, or filled, and no other byte is: for
/// asserts.
bool gcl_layout_is_complete(const struct gcl_layout *layout, int64_t size);

/// Bytes of memory that all layouts take.
size_t gcl_layouts_memory(const struct gcl_layouts *layouts);

/// All nodes have all `size` bytes; NULL: no memory.
const struct gcl_layout *gcl_layouts_everywhere(struct gcl_layouts *layouts, int64_t size);
/// Node 0 alone has all `size` bytes; NULL: no memory.
const struct gcl_layout *gcl_layouts_home(struct gcl_layouts *layouts, int64_t size);

/// What happens to an allocation. Arrays have a region for each node; NULL: nothing for any.
struct gcl_layout_change {
    const struct gcl_region *received;    ///< became valid there before the others happen
    const struct gcl_region *written;     ///< is valid there, and nowhere else; disjoint
    const struct gcl_region *all_written; ///< by all nodes together; NULL: to be found
    const struct gcl_region *filled;      ///< one region: becomes `fill`, on no node
    uint8_t fill;
};

/// The layout after a change; NULL if it takes more than GCL_LAYOUT_MOST_BOXES boxes to say
/// what a node has or lacks, or without memory:
/// nobody knows then where bytes are. There is one fill: to fill with another value isn't possible
/// (NULL) while bytes of the old one are on no node: have them received first.
const struct gcl_layout *gcl_layouts_change(struct gcl_layouts *layouts,
                                            const struct gcl_layout *before,
                                            const struct gcl_layout_change *change);

#endif
