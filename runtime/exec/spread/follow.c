// The other nodes: what they make of node 0's operations.
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "exec/code/library.h"
#include "exec/code/module.h"
#include "exec/code/registry.h"
#include "exec/code/variant.h"
#include "exec/exchange/remote.h"
#include "exec/exchange/report.h"
#include "exec/memory/space.h"
#include "exec/spread/allocations.h"
#include "exec/spread/carry.h"
#include "exec/spread/check.h"
#include "exec/spread/copy.h"
#include "exec/spread/devices.h"
#include "exec/spread/launch.h"
#include "exec/spread/settle.h"
#include "exec/spread/track.h"

struct memory_change {
    struct gcl_spread *spread;
    struct gcl_allocation allocation;
    bool is_free;
};

static void fail_change(const struct memory_change *change) {
    char reason[128];
    snprintf(reason, sizeof reason, "it has no memory for an allocation of %zu bytes at %p",
             change->allocation.size, (void *)change->allocation.begin);
    gcl_spread_fail(change->spread, GCL_NO_MEMORY, reason);
}

// When everything before it is done, since memory may be in use up to there; everything after it
// waits for that.
static void change_memory(void *data) {
    struct memory_change *change = data;
    struct gcl_space *space = change->spread->options.space;
    if (change->is_free && change->spread->remote)
        gcl_remote_close(change->spread->remote, change->allocation.begin);
    if (change->is_free)
        gcl_space_abandon(space, change->allocation.begin);
    else if (gcl_space_adopt(space, &change->allocation) != GCL_OK)
        fail_change(change);
    free(change);
}

static void submit_change(struct gcl_spread *spread, const struct gcl_operation *o) {
    struct gcl_stream *stream = gcl_stream_legacy(spread->options.engine);
    struct memory_change *change = calloc(1, sizeof *change);
    if (!change) {
        gcl_spread_give_up(spread);
        return;
    }
    change->spread = spread;
    change->is_free = o->kind == GCL_OPERATION_FREE;
    change->allocation.begin = change->is_free ? o->free.begin : o->allocate.begin;
    if (!change->is_free) {
        change->allocation.size = o->allocate.size;
        change->allocation.kind = (enum gcl_space_kind)o->allocate.space_kind;
    }
    gcl_spread_join_tracks(spread, stream, GCL_SPREAD_ALL_TRACKS);
    gcl_spread_part_tracks(spread,
                           gcl_spread_call(spread, stream,
                                           (struct gcl_host_call){.function = change_memory,
                                                                  .data = change,
                                                                  .name = "change memory"}));
}

static bool apply_kernel(struct gcl_spread *spread, const struct gcl_operation *o) {
    if (o->kernel.name_size == 0) { // unloaded: it has a number, which stays
        struct gcl_kernel *gone = calloc(1, sizeof *gone);
        if (gone)
            gone->name = "(unloaded)";
        return gone && gcl_spread_add_kernel(spread, gone);
    }
    return gcl_spread_add_kernel(spread, gcl_registry_kernel(o->kernel.id, o->kernel.id_size,
                                                             o->kernel.name, o->kernel.name_size));
}

static void set_place(struct gcl_run *run, const struct gcl_operation *o) {
    if (o->launch.file_size == 0)
        return;
    memcpy(run->file, o->launch.file, o->launch.file_size);
    run->file[o->launch.file_size] = 0;
    run->launch.file = run->file;
    run->launch.line = o->launch.line;
}

/// The command that runs all of a launch that hasn't been run. NULL: no memory.
static struct gcl_command *make_run(struct gcl_spread *spread, const struct gcl_operation *o) {
    const struct gcl_kernel *kernel = gcl_spread_kernel(spread, o->launch.kernel);
    struct gcl_command *command = gcl_engine_command(spread->options.engine, GCL_COMMAND_RUN);
    if (!command)
        return NULL;
    struct gcl_run *run = &command->run;
    if (!gcl_engine_make_room(command, o->launch.argument_size)) {
        gcl_engine_discard(spread->options.engine, command);
        return NULL;
    }
    memcpy(run->arguments, o->launch.arguments, o->launch.argument_size);
    run->launch.space = spread->options.space;
    run->is_cooperative = (o->launch.flags & GCL_OPERATION_COOPERATIVE) != 0;
    run->is_ordered = (o->launch.flags & GCL_OPERATION_ORDERED) != 0;
    run->origin = o->launch.origin;
    set_place(run, o);
    run->launch.kernel = kernel;
    run->launch.geometry = o->launch.geometry;
    memcpy(run->launch.end, run->launch.geometry.grid, sizeof run->launch.end);
    run->launch.begin[gcl_geometry_slowest(&run->launch.geometry)] = o->launch.first;
    run->launch.regions = gcl_variant_regions(kernel, run->launch.geometry.block);
    return command;
}

static bool apply_launch(struct gcl_spread *spread, struct gcl_stream *stream,
                         const struct gcl_operation *o) {
    struct gcl_command *command = make_run(spread, o);
    if (!command)
        return false;
    gcl_spread_launch(spread, stream, command,
                      &(struct gcl_spread_site){o->launch.kernel, o->launch.node, o->sequence,
                                                o->track, o->launch.planning,
                                                (o->launch.flags & GCL_OPERATION_BESIDE_CALL) == 0,
                                                (o->launch.flags & GCL_OPERATION_FAULTS) != 0});
    return true;
}

static bool apply_code(struct gcl_spread *spread, struct gcl_stream *stream,
                       const struct gcl_operation *o) {
    struct gcl_slices slices = {.count = 1};
    if (o->code.stride)
        slices = (struct gcl_slices){spread->options.count, spread->options.self, o->code.stride};
    // The images go to memory that has to be there.
    gcl_spread_join_tracks(spread, stream, GCL_SPREAD_ALL_TRACKS);
    struct gcl_fence fence = gcl_spread_submit_nothing(spread, stream);
    const struct gcl_placement placement = {.id = o->code.id,
                                            .id_size = o->code.id_size,
                                            .addresses = o->code.addresses,
                                            .count = o->code.count,
                                            .slices = slices};
    return gcl_engine_wait(spread->options.engine, fence) == GCL_OK &&
           gcl_registry_adopt(&placement, spread->options.space) == GCL_OK;
}

/// Kernels of other modules may be running meanwhile.
static bool apply_module(struct gcl_spread *spread, const struct gcl_operation *o) {
    struct gcl_module *module;
    enum gcl_status status =
        gcl_module_load(o->module.bytes, o->module.size, o->module.number, &module);
    if (status != GCL_OK && status != GCL_NO_MEMORY)
        gcl_spread_fail(spread, status, "it can't load a module that node 0 has loaded");
    return status == GCL_OK;
}

static bool apply_library(struct gcl_spread *spread, struct gcl_stream *stream,
                          const struct gcl_operation *o) {
    char reason[160];
    char *path = strndup(o->library.path, o->library.path_size);
    // Its constructors run here: nothing else does meanwhile.
    gcl_spread_join_tracks(spread, stream, GCL_SPREAD_ALL_TRACKS);
    struct gcl_fence fence = gcl_spread_submit_nothing(spread, stream);
    const struct gcl_library library = {path, o->library.content};
    bool ok = path && gcl_engine_wait(spread->options.engine, fence) == GCL_OK &&
              gcl_library_load(&library) == GCL_OK && gcl_registry_renew(&library);
    if (path && !ok) {
        snprintf(reason, sizeof reason, "it can't load the library %.100s", path);
        gcl_spread_fail(spread, GCL_SYSTEM, reason);
    }
    free(path);
    return ok;
}

/// The program has been told already what node 0's device says to it.
static void apply_limit(const struct gcl_spread *spread, const struct gcl_operation *o) {
    const struct gcl_device *device = spread->options.device;
    bool is_meant = o->limit.node == UINT32_MAX || o->limit.node == spread->options.self;
    if (is_meant && device->set_limit && !device->set_limit(o->limit.limit, o->limit.value))
        gcl_log(GCL_LOG_WARN,
                "cudaDeviceSetLimit: this node's GPU refuses a limit of %" PRIu64
                " (number %u): its kernels run with the one before",
                o->limit.value, o->limit.limit);
}

static bool apply(struct gcl_spread *spread, struct gcl_operation *o) {
    struct gcl_stream *stream = gcl_stream_legacy(spread->options.engine);
    assert(o->sequence == spread->sequence + 1);
    spread->sequence = o->sequence;
    switch (o->kind) {
    case GCL_OPERATION_ALLOCATE:
        gcl_spread_add_memory(spread, o);
        submit_change(spread, o);
        return true;
    case GCL_OPERATION_FREE:
        submit_change(spread, o);
        return gcl_spread_remove_memory(spread, o->free.begin);
    case GCL_OPERATION_CODE:
        return apply_code(spread, stream, o);
    case GCL_OPERATION_MODULE:
        return apply_module(spread, o);
    case GCL_OPERATION_LIBRARY:
        return apply_library(spread, stream, o);
    case GCL_OPERATION_KERNEL:
        return apply_kernel(spread, o);
    case GCL_OPERATION_LAUNCH:
        return apply_launch(spread, stream, o);
    case GCL_OPERATION_ACCESS:
        gcl_spread_access(spread, stream, o, NULL);
        return true;
    case GCL_OPERATION_FILL:
        gcl_spread_fill(spread, stream, o);
        return true;
    case GCL_OPERATION_ESCAPE:
        gcl_directory_escape(spread->directory, o->escape.begin);
        return true;
    case GCL_OPERATION_AWAIT:
        return o->await.node != spread->options.self || gcl_spread_apply_settle(spread, o);
    case GCL_OPERATION_ALLOW:
        return gcl_spread_apply_allow(spread, o);
    case GCL_OPERATION_LIMIT:
        apply_limit(spread, o);
        return true;
    case GCL_OPERATION_SETTLE:
        return gcl_spread_apply_settle(spread, o);
    case GCL_OPERATION_REPORT: {
        struct gcl_report report = gcl_spread_report(spread, o->sequence);
        return gcl_report_send(&report);
    }
    }
    return false;
}

// What can't be done for want of memory, nodes would disagree on afterwards.
bool gcl_spread_apply(struct gcl_spread *spread, const void *bytes, size_t size) {
    struct gcl_operation operation;
    char reason[96];
    const char *wrong = gcl_operation_read(bytes, size, &operation);
    if (wrong) {
        snprintf(reason, sizeof reason, "node 0 sent it an operation that can't be read: %s",
                 wrong);
        gcl_spread_fail(spread, GCL_SYSTEM, reason);
        return false;
    }
    if (!gcl_spread_check(spread, &operation))
        return false;
    bool ok = apply(spread, &operation);
    if (!ok)
        gcl_spread_give_up(spread);
    return ok;
}
