// Lists that grow at their front, by compare-and-swap; one block runs on one thread, so that its
// launches stand there in their order, backwards.
#include "exec/block/children.h"

#include <stdlib.h>
#include <string.h>

#include "exec/block/block.h"
#include "exec/code/registry.h"
#include "exec/code/variant.h"
#include "gcluster.h"

// Shared memory that a block may have, as cudaFuncSetAttribute allows it: device code needn't ask.
enum { MAX_SHARED = 227 << 10 };

static gclError_t check(const struct gcl_children *children, const struct gcl_kernel *kernel,
                        const struct gcl_child *launch) {
    if (children->depth >= GCL_CHILD_DEPTH)
        return gclErrorLaunchMaxDepthExceeded;
    if (!kernel)
        return gclErrorInvalidDeviceFunction;
    if (!gcl_geometry_is_grid(launch->grid) || !gcl_geometry_is_block(launch->block))
        return gclErrorInvalidConfiguration;
    if (launch->block[0] * launch->block[1] * launch->block[2] > kernel->max_threads ||
        launch->shared_size > MAX_SHARED || kernel->shared_size > MAX_SHARED - launch->shared_size)
        return gclErrorInvalidValue;
    return gclSuccess;
}

static struct gcl_child_grid *make(const struct gcl_kernel *kernel, const struct gcl_child *launch,
                                   const void *const *arguments) {
    size_t size = sizeof(struct gcl_child_grid) + kernel->argument_size;
    struct gcl_child_grid *grid = aligned_alloc(16, (size + 15) / 16 * 16);
    if (!grid)
        return NULL;
    memset(grid, 0, size);
    grid->kernel = kernel;
    memcpy(grid->geometry.grid, launch->grid, sizeof launch->grid);
    memcpy(grid->geometry.block, launch->block, sizeof launch->block);
    grid->geometry.shared_size = (uint32_t)launch->shared_size;
    grid->regions = gcl_variant_regions(kernel, grid->geometry.block);
    grid->parent_block = launch->parent_block;
    grid->is_tail = launch->stream == GCL_CHILD_TAIL;
    for (uint32_t i = 0; i < kernel->parameter_count; i++)
        memcpy(grid->arguments + kernel->parameters[i].offset, arguments[i],
               kernel->parameters[i].size);
    return grid;
}

static void note_error(struct gcl_children *children, const struct gcl_child *launch,
                       gclError_t error) {
    struct gcl_child_error *noted = malloc(sizeof *noted);
    if (!noted)
        gcl_block_abort(GCL_FAULT_MEMORY, "no memory to note that a launch has failed");
    noted->block = launch->parent_block;
    noted->thread = launch->parent_thread;
    atomic_init(&noted->error, (uint32_t)error);
    noted->next = atomic_load(&children->errors);
    while (!atomic_compare_exchange_weak(&children->errors, &noted->next, noted))
        continue;
}

void gcl_device_launch(const char *id, const char *name, const struct gcl_child *launch,
                       const void *const *arguments) {
    struct gcl_children *children = gcl_block_launch_current()->children;
    const struct gcl_kernel *kernel = gcl_registry_kernel(id, strlen(id), name, strlen(name));
    gclError_t error = check(children, kernel, launch);
    struct gcl_child_grid *grid = error ? NULL : make(kernel, launch, arguments);
    if (!grid) {
        note_error(children, launch, error ? error : gclErrorMemoryAllocation);
        return;
    }
    grid->next = atomic_load(&children->grids);
    while (!atomic_compare_exchange_weak(&children->grids, &grid->next, grid))
        continue;
}

uint32_t gcl_device_child_error(unsigned long long block, unsigned thread, unsigned clears) {
    struct gcl_children *children = gcl_block_launch_current()->children;
    struct gcl_child_error *e = atomic_load(&children->errors);
    uint32_t last = gclSuccess;
    for (; e; e = e->next) {
        if (e->block != block || e->thread != thread)
            continue;
        uint32_t error = atomic_load(&e->error);
        if (last == gclSuccess)
            last = error;
        if (clears)
            atomic_store(&e->error, (uint32_t)gclSuccess);
    }
    return last;
}

/// A list's grids, first of all those that were launched last.
static struct gcl_child_grid *reverse(struct gcl_child_grid *list) {
    struct gcl_child_grid *reversed = NULL;
    for (struct gcl_child_grid *next; list; list = next) {
        next = list->next;
        list->next = reversed;
        reversed = list;
    }
    return reversed;
}

static bool precedes(const struct gcl_child_grid *a, const struct gcl_child_grid *b) {
    if (a->is_tail != b->is_tail)
        return b->is_tail;
    return a->parent_block <= b->parent_block;
}

static struct gcl_child_grid *merge(struct gcl_child_grid *a, struct gcl_child_grid *b) {
    struct gcl_child_grid *first = NULL, **end = &first;
    while (a && b) {
        struct gcl_child_grid **from = precedes(a, b) ? &a : &b;
        *end = *from;
        *from = (*from)->next;
        end = &(*end)->next;
    }
    *end = a ? a : b;
    return first;
}

/// Sorts a list by merging lists of 1, 2, 4 … grids; those that are alike keep their order.
static struct gcl_child_grid *sort(struct gcl_child_grid *list) {
    enum { LISTS = 64 };
    struct gcl_child_grid *sorted[LISTS] = {NULL}, *all = NULL;
    for (struct gcl_child_grid *next; list; list = next) {
        struct gcl_child_grid *one = list;
        size_t i = 0;
        next = list->next;
        one->next = NULL;
        for (; sorted[i]; i++) {
            one = merge(sorted[i], one);
            sorted[i] = NULL;
        }
        sorted[i] = one;
    }
    for (size_t i = 0; i < LISTS; i++)
        all = merge(sorted[i], all);
    return all;
}

struct gcl_child_grid *gcl_children_take(struct gcl_children *children) {
    struct gcl_child_error *e = atomic_exchange(&children->errors, NULL);
    for (struct gcl_child_error *next; e; e = next) {
        next = e->next;
        free(e);
    }
    return sort(reverse(atomic_exchange(&children->grids, NULL)));
}
