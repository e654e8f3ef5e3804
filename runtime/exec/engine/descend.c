// Each grid is followed by what it has launched, so that it is complete before the next one of the
// launching block begins: an order that CUDA allows for, whatever streams they are in. Grids nest
// no deeper than GCL_CHILD_DEPTH.
#include "exec/engine/descend.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "exec/memory/escape.h"

bool gcl_descend_is_needed(const struct gcl_run *run) {
    return run->launch.children == &run->children &&
           (atomic_load(&run->children.grids) || atomic_load(&run->children.errors));
}

static void run_grid(const struct gcl_device *device, void *scratch, const struct gcl_run *parent,
                     struct gcl_run *run, struct gcl_child_grid *grid) {
    memset(run, 0, sizeof *run);
    run->launch = parent->launch;
    run->launch.kernel = grid->kernel;
    run->launch.regions = grid->regions;
    run->launch.geometry = grid->geometry;
    run->launch.arguments = grid->arguments;
    memset(run->launch.begin, 0, sizeof run->launch.begin);
    memcpy(run->launch.end, grid->geometry.grid, sizeof run->launch.end);
    run->is_cooperative = (grid->kernel->flags & GCL_KERNEL_POLLS) != 0;
    run->is_ordered = parent->is_ordered;
    run->children.depth = parent->children.depth + 1;
    if (run->launch.space)
        gcl_escape_launch(run->launch.space, grid->kernel, grid->arguments);
    uint32_t count = device->units->cut_run(device, run).count;
    for (bool has_moved = true; count > 0;) {
        if (!has_moved)
            sched_yield();
        device->units->run_units(device, scratch, run, 0, count);
        count =
            device->units->cut_again ? device->units->cut_again(device, run, false, &has_moved) : 0;
    }
    device->units->leave_run(device, run);
}

/// `runs` has room for a run of each level below the parent's.
static void run_all(const struct gcl_device *device, void *scratch, struct gcl_run *parent,
                    struct gcl_run *runs, struct gcl_turn_taken *turn) {
    struct gcl_child_grid *grid = gcl_children_take(&parent->children);
    for (struct gcl_child_grid *next; grid; grid = next) {
        next = grid->next;
        gcl_turn_renew(turn);
        if (gcl_turn_is_mine(turn) && atomic_load(&parent->launch.fault->kind) == GCL_FAULT_NONE) {
            run_grid(device, scratch, parent, runs, grid);
            run_all(device, scratch, runs, runs + 1, turn);
        }
        free(grid);
    }
}

void gcl_descend(const struct gcl_device *device, void *scratch, struct gcl_run *run,
                 struct gcl_turn_taken *turn) {
    struct gcl_run *runs = calloc(GCL_CHILD_DEPTH + 1, sizeof *runs);
    if (!runs)
        gcl_fault_report(&run->launch, GCL_FAULT_MEMORY, "no memory to run what it launches",
                         "on the CPU");
    run_all(device, scratch, run, runs, turn);
    free(runs);
}
