// Grids that blocks launch while they run (gcluster/child.h): noted here without waiting, by many
// threads at once, and taken when the blocks are done.
#ifndef GCL_EXEC_CHILDREN_H
#define GCL_EXEC_CHILDREN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "gcluster/child.h"
#include "gcluster/kernel.h"
#include "plan/region/geometry.h"

/// A grid to be run.
struct gcl_child_grid {
    struct gcl_child_grid *next;
    const struct gcl_kernel *kernel;
    gcl_region *const *regions; ///< of the kernel's variant for this machine and geometry
    struct gcl_geometry geometry;
    uint64_t parent_block;
    bool is_tail; ///< comes after all that the launching grid launches otherwise
    _Alignas(16) unsigned char arguments[]; ///< packed, as for gcl_block
};

/// The last error of a thread.
struct gcl_child_error {
    struct gcl_child_error *next;
    uint64_t block;
    uint32_t thread;
    _Atomic uint32_t error; ///< enum gclError; 0: none any more
};

/// What one grid has launched. Zeros: nothing.
struct gcl_children {
    struct gcl_child_grid *_Atomic grids;   ///< last first
    struct gcl_child_error *_Atomic errors; ///< last first
    uint32_t depth;                         ///< grids above the launching one
};

/// Takes the grids, which the caller frees, in the order in which they are to run: that of blocks,
/// and in each that of its launches, so that it is the same every time. Tail launches come last.
/// Nobody launches meanwhile. Forgets errors.
struct gcl_child_grid *gcl_children_take(struct gcl_children *children);

// What compiled device code calls; there are no threads of blocks elsewhere.

/// Launches the kernel of that name in the object of that id. What goes wrong is the thread's
/// error.
void gcl_device_launch(const char *id, const char *name, const struct gcl_child *launch,
                       const void *const *arguments);
/// The last error of a thread's launches (enum gclError), which is none from here on if `clears`.
uint32_t gcl_device_child_error(unsigned long long block, unsigned thread, unsigned clears);

#endif
