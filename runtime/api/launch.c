// Launches: check the geometry, copy the arguments, submit.
#include "launch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/register.h"
#include "base/log.h"
#include "base/name.h"
#include "exec/code/registry.h"
#include "exec/code/variant.h"
#include "exec/engine/engine.h"
#include "exec/memory/escape.h"
#include "exec/memory/space.h"
#include "exec/spread/spread.h"
#include "exec/watch/stats.h"
#include "gcluster/driver_values.h"
#include "graph/capture.h"

static bool is_grid(dim3 grid) {
    return gcl_geometry_is_grid((const uint32_t[]){grid.x, grid.y, grid.z});
}

static bool is_block(dim3 block) {
    return gcl_geometry_is_block((const uint32_t[]){block.x, block.y, block.z});
}

static gclError_t check_shared(const struct gcl_limits *limits, struct gcl_function *function,
                               size_t dynamic) {
    size_t fixed = function->kernel->shared_size;
    size_t allowed = atomic_load(&function->max_dynamic_shared_size);

    if (fixed < limits->shared_size && allowed < limits->shared_size - fixed)
        allowed = limits->shared_size - fixed;
    if (dynamic <= allowed)
        return gclSuccess;
    gcl_log(GCL_LOG_INFO, "%zu bytes of dynamic shared memory asked for, %zu allowed", dynamic,
            allowed);
    return gclErrorInvalidValue;
}

static gclError_t check(struct gcl_function *function, const struct gcl_launch_request *launch) {
    dim3 block = launch->block;

    if (!is_grid(launch->grid) || !is_block(block))
        return gclErrorInvalidConfiguration;
    if (block.x * block.y * block.z > function->kernel->max_threads)
        return gclErrorInvalidValue;
    if (launch->is_cooperative) {
        uint64_t count = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
        uint64_t fitting = gcl_launch_blocks_per_core(
            launch->runtime, function, block.x * block.y * block.z, launch->shared_size);
        const struct gcl_visible_device *device =
            &launch->runtime->devices[gcl_stream_device(launch->stream)];
        if (count > fitting * device->core_count)
            return gclErrorCooperativeLaunchTooLarge;
    }
    return check_shared(&launch->runtime->limits, function, launch->shared_size);
}

static bool pack_arguments(struct gcl_command *command, const struct gcl_kernel *kernel,
                           void *const *arguments) {
    if (!gcl_engine_make_room(command, kernel->argument_size))
        return false;
    for (uint32_t i = 0; i < kernel->parameter_count; i++)
        memcpy(command->run.arguments + kernel->parameters[i].offset, arguments[i],
               kernel->parameters[i].size);
    return true;
}

static void log_launch(const struct gcl_launch_request *launch, const struct gcl_kernel *kernel) {
    char name[128];
    if (!gcl_log_shows(GCL_LOG_TRACE))
        return;
    gcl_log(GCL_LOG_TRACE, "run %s grid %u %u %u block %u %u %u shared %zu stream %llu",
            gcl_name_demangle(kernel->name, name, sizeof name), launch->grid.x, launch->grid.y,
            launch->grid.z, launch->block.x, launch->block.y, launch->block.z, launch->shared_size,
            (unsigned long long)gcl_stream_id(launch->stream));
}

/// Whether what a kernel leaves behind depends on the order of its blocks.
static bool depends_on_order(const struct gcl_kernel *kernel) {
    const struct gcl_program *program = kernel->program;
    for (uint16_t i = 0; program && i < program->access_count; i++) {
        const struct gcl_access *access = &program->accesses[i];
        if (access->kind == GCL_ACCESS_ATOMIC ||
            (access->kind == GCL_ACCESS_REDUCE && access->reduction == GCL_REDUCTION_FADD))
            return true;
    }
    return !program;
}

// Among several nodes a launch is counted as it is split.
static bool count_launch(const struct gcl_runtime *runtime, const struct gcl_kernel *kernel,
                         const struct gcl_geometry *geometry) {
    if (!runtime->stats || runtime->spread)
        return true;
    if (!gcl_stats_add_kernel(runtime->stats, kernel))
        return false;
    gcl_stats_launch_alone(runtime->stats, kernel, geometry);
    return true;
}

/// The end of a long path.
static const char *shorten(const char *file) {
    size_t length = file ? strlen(file) : 0;
    return length > GCL_OPERATION_MAX_FILE ? file + length - GCL_OPERATION_MAX_FILE : file;
}

/// The geometry of a launch that has been checked.
static struct gcl_geometry geometry_of(const struct gcl_launch_request *launch) {
    assert(is_grid(launch->grid) && is_block(launch->block));
    assert(launch->shared_size <= UINT32_MAX);
    return (struct gcl_geometry){.grid = {launch->grid.x, launch->grid.y, launch->grid.z},
                                 .block = {launch->block.x, launch->block.y, launch->block.z},
                                 .shared_size = (uint32_t)launch->shared_size};
}

static gclError_t submit(const struct gcl_launch_request *launch, const struct gcl_kernel *kernel,
                         void *const *arguments) {
    assert(launch->runtime && launch->stream);
    struct gcl_engine *engine = launch->runtime->engine;
    struct gcl_command *command = gcl_engine_command(engine, GCL_COMMAND_RUN);
    if (!command)
        return gclErrorMemoryAllocation;
    struct gcl_block_launch *l = &command->run.launch;

    l->kernel = kernel;
    l->geometry = geometry_of(launch);
    memcpy(l->end, l->geometry.grid, sizeof l->end);
    l->regions = gcl_variant_regions(kernel, l->geometry.block);
    l->space = launch->runtime->space;
    l->file = shorten(launch->origin.file);
    l->line = launch->origin.line;
    if (launch->runtime->trace)
        command->run.origin = gcl_trace_origin(launch->runtime->trace, launch->origin);
    // Blocks that wait for each other by polling have to be alive together as well.
    command->run.is_cooperative = launch->is_cooperative || (kernel->flags & GCL_KERNEL_POLLS) != 0;
    command->run.is_ordered = launch->runtime->env.deterministic && depends_on_order(kernel);
    if (!pack_arguments(command, kernel, arguments) ||
        !count_launch(launch->runtime, kernel, &l->geometry)) {
        gcl_engine_discard(engine, command);
        return gclErrorMemoryAllocation;
    }
    gcl_escape_launch(launch->runtime->space, kernel, command->run.arguments);
    log_launch(launch, kernel);
    if (launch->runtime->spread)
        gcl_spread_submit(launch->runtime->spread, launch->stream, command);
    else
        gcl_engine_submit(engine, launch->stream, command);
    return gclSuccess;
}

/// Adds the kind of memory that an address leads to. The program's own is REGISTERED, also where
/// that is a managed variable.
static void add_kind(struct gcl_space *space, uint64_t address, unsigned *kinds) {
    struct gcl_allocation found;
    if (gcl_space_find(space, (const void *)(uintptr_t)address, &found))
        *kinds |= found.committed ? (unsigned)found.kind : GCL_SPACE_REGISTERED;
}

/// The kinds of memory that a launch names.
static unsigned named_kinds(const struct gcl_launch_request *launch,
                            const struct gcl_kernel *kernel, void *const *arguments) {
    const struct gcl_program *program = kernel->program;
    struct gcl_space *space = launch->runtime->space;
    unsigned kinds = !program && gcl_registry_has_managed(kernel) ? GCL_SPACE_REGISTERED : 0;
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        const unsigned char *argument = arguments[i];
        uint64_t word;
        for (uint32_t at = 0; at + sizeof word <= kernel->parameters[i].size; at += sizeof word) {
            memcpy(&word, argument + at, sizeof word);
            add_kind(space, word, &kinds);
        }
    }
    for (uint16_t i = 0; program && i < program->base_count; i++) {
        const struct gcl_base *base = &program->bases[i];
        if (base->kind == GCL_BASE_VARIABLE)
            add_kind(space, (uintptr_t)*program->variables[base->index], &kinds);
    }
    return kinds;
}

/// What only the first device can do, since it is the program's own process.
static gclError_t check_device(const struct gcl_launch_request *launch,
                               struct gcl_function *function, void *const *arguments) {
    const struct gcl_kernel *kernel = function->kernel;
    unsigned device = gcl_stream_device(launch->stream);
    const char *what = NULL;
    char name[128];
    if (device == 0)
        return gclSuccess;
    unsigned kinds = named_kinds(launch, kernel, arguments);
    gcl_name_demangle(kernel->name, name, sizeof name);
    if ((kernel->flags & GCL_KERNEL_POLLS) && (kinds & (GCL_SPACE_PINNED | GCL_SPACE_MANAGED)) &&
        !atomic_exchange(&function->has_warned, true))
        gcl_log(GCL_LOG_WARN,
                "%s polls memory that the host shares: on device %u it sees nothing that is "
                "written there while it runs",
                name, device);
    if (kernel->flags & GCL_KERNEL_SANITIZED)
        what = "is built with --sanitize";
    else if (kinds & GCL_SPACE_REGISTERED)
        what = "uses a __managed__ variable or memory from cudaHostRegister";
    if (!what)
        return gclSuccess;
    gcl_log(GCL_LOG_ERROR, "%s %s: with GCL_DEVICES=per-node it can run on device 0 alone", name,
            what);
    return gclErrorNotSupported;
}

/// Finds the stream and the kernel of a launch, and checks it.
static gclError_t prepare(struct gcl_launch_request *launch, const void *stub,
                          void *const *arguments, struct gcl_function **function) {
    gclError_t error = gcl_api_enter(&launch->runtime);
    if (error)
        return error;
    launch->stream = gcl_api_stream(launch->runtime, launch->handle);
    if (!launch->stream || gcl_stream_device(launch->stream) != gcl_devices_own())
        return gclErrorInvalidResourceHandle;
    error = gcl_api_error(gcl_registry_function(stub, launch->runtime->space, function));
    if (!error && !arguments && (*function)->kernel->parameter_count > 0)
        error = gclErrorInvalidValue;
    if (!error)
        error = check(*function, launch);
    if (!error)
        error = check_device(launch, *function, arguments);
    return error;
}

/// Notes what a launch is that has been checked.
static gclError_t describe(const struct gcl_launch_request *launch,
                           const struct gcl_function *function, void *const *arguments,
                           struct gcl_kernel_work *work) {
    const struct gcl_kernel *kernel = function->kernel;
    uint32_t *sizes = calloc(kernel->parameter_count + (size_t)1, sizeof *sizes);
    *work = (struct gcl_kernel_work){.stub = function->stub,
                                     .grid = launch->grid,
                                     .block = launch->block,
                                     .shared_size = (uint32_t)launch->shared_size,
                                     .is_cooperative = launch->is_cooperative,
                                     .file = launch->origin.file,
                                     .line = launch->origin.line};
    for (uint32_t i = 0; sizes && i < kernel->parameter_count; i++)
        sizes[i] = kernel->parameters[i].size;
    bool ok = sizes && gcl_kernel_work_fill(work, arguments, sizes, kernel->parameter_count);
    free(sizes);
    return ok ? gclSuccess : gclErrorMemoryAllocation;
}

gclError_t gcl_launch_describe(struct gcl_launch_request *launch, const void *stub,
                               void *const *arguments, struct gcl_kernel_work *work) {
    struct gcl_function *function;
    gclError_t error = prepare(launch, stub, arguments, &function);
    return error ? error : describe(launch, function, arguments, work);
}

gclError_t gcl_launch_again(struct gcl_runtime *runtime, struct gcl_stream *stream,
                            const struct gcl_kernel_work *work) {
    struct gcl_launch_request launch = {.grid = work->grid,
                                        .block = work->block,
                                        .shared_size = work->shared_size,
                                        .origin = {.file = work->file, .line = work->line},
                                        .is_cooperative = work->is_cooperative,
                                        .runtime = runtime,
                                        .stream = stream};
    struct gcl_function *function;
    gclError_t error = gcl_api_error(gcl_registry_function(work->stub, runtime->space, &function));
    return error ? error : submit(&launch, function->kernel, work->arguments);
}

/// What a capturing stream is given becomes a node.
static gclError_t capture(const struct gcl_launch_request *launch,
                          const struct gcl_function *function, void *const *arguments) {
    struct gcl_work_of_node work = {.type = gclGraphNodeTypeKernel,
                                    .device = gcl_stream_device(launch->stream)};
    gclError_t error = describe(launch, function, arguments, &work.kernel);
    return error ? error : gcl_capture_add(launch->stream, &work);
}

static gclError_t launch_kernel(struct gcl_launch_request *launch, const void *stub,
                                void *const *arguments) {
    struct gcl_function *function;
    bool is_captured = false;
    gclError_t error = prepare(launch, stub, arguments, &function);
    if (!error && gcl_capture_is_any())
        error = gcl_capture_claims(launch->stream, &is_captured);
    if (error)
        return error;
    return is_captured ? capture(launch, function, arguments)
                       : submit(launch, function->kernel, arguments);
}

GCL_API(LaunchKernel, (const void *function, dim3 grid, dim3 block, void **arguments,
                       size_t shared_size, gclStream_t stream)) {
    struct gcl_launch_request launch = {.grid = grid,
                                        .block = block,
                                        .shared_size = shared_size,
                                        .handle = stream,
                                        .origin = gcl_register_take_origin()};
    return gcl_api_leave(launch_kernel(&launch, function, arguments));
}

GCL_API(LaunchKernel_ptsz, (const void *function, dim3 grid, dim3 block, void **arguments,
                            size_t shared_size, gclStream_t stream)) {
    return gclLaunchKernel(function, grid, block, arguments, shared_size,
                           stream ? stream : gclStreamPerThread);
}

GCL_API(LaunchCooperativeKernel, (const void *function, dim3 grid, dim3 block, void **arguments,
                                  size_t shared_size, gclStream_t stream)) {
    struct gcl_launch_request launch = {.grid = grid,
                                        .block = block,
                                        .shared_size = shared_size,
                                        .handle = stream,
                                        .is_cooperative = true};
    return gcl_api_leave(launch_kernel(&launch, function, arguments));
}

// Clusters of more than one block would share memory, which the CPU device doesn't offer.
// Events of attributes would never be recorded. Other attributes that CUDA has are hints.
static gclError_t read_attribute(struct gcl_launch_request *launch,
                                 const gclLaunchAttribute *attribute) {
    const union gclLaunchAttributeValue *value = &attribute->val;
    switch ((unsigned)attribute->id) {
    case gclLaunchAttributeCooperative:
        launch->is_cooperative = value->cooperative != 0;
        return gclSuccess;
    case gclLaunchAttributeClusterDimension:
        return value->clusterDim.x * value->clusterDim.y * value->clusterDim.z > 1
                   ? gclErrorNotSupported
                   : gclSuccess;
    case gclLaunchAttributeProgrammaticEvent:
    case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
    case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
        return gclErrorNotSupported;
    default:
        return (unsigned)attribute->id <= CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING
                   ? gclSuccess
                   : gclErrorInvalidValue;
    }
}

GCL_API(LaunchKernelExC,
        (const gclLaunchConfig_t *configuration, const void *function, void **arguments)) {
    if (!configuration)
        return gcl_api_leave(gclErrorInvalidValue);
    struct gcl_launch_request launch = {.grid = configuration->gridDim,
                                        .block = configuration->blockDim,
                                        .shared_size = configuration->dynamicSmemBytes,
                                        .handle = configuration->stream};
    for (unsigned i = 0; i < configuration->numAttrs; i++) {
        gclError_t error = read_attribute(&launch, &configuration->attrs[i]);
        if (error)
            return gcl_api_leave(error);
    }
    return gcl_api_leave(launch_kernel(&launch, function, arguments));
}
