// Tasks of libraries (gcluster/task.h). All have the same access program: buffer i is read, and
// written, from its first byte on for as many bytes as the argument says.
#include "gcluster/task.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/log.h"
#include "exec/code/registry.h"
#include "exec/device/device.h"

// The access program.

enum {
    START,            // node: offset 0
    SIZES,            // nodes: what is read of buffer 0, what is written, of buffer 1, …
    ACCESSES_EACH = 2 // of a buffer
};

static struct gcl_node nodes[SIZES + GCL_TASK_BUFFERS * ACCESSES_EACH];
static struct gcl_base bases[GCL_TASK_BUFFERS];
static struct gcl_access accesses[GCL_TASK_BUFFERS * ACCESSES_EACH];
static const struct gcl_program program = {.nodes = nodes,
                                           .constants = (const int64_t[]){0},
                                           .bases = bases,
                                           .accesses = accesses,
                                           .files = (const char *const[]){""},
                                           .names = (const char *const[]){"argument"},
                                           .node_count = sizeof nodes / sizeof *nodes,
                                           .constant_count = 1,
                                           .base_count = GCL_TASK_BUFFERS,
                                           .access_count = sizeof accesses / sizeof *accesses,
                                           .file_count = 1,
                                           .flags = GCL_PROGRAM_SINGLE};

static void describe_access(uint16_t buffer, bool is_write, size_t size_at) {
    uint16_t index = (uint16_t)(buffer * ACCESSES_EACH + is_write);
    nodes[SIZES + index] =
        (struct gcl_node){.kind = GCL_NODE_ARGUMENT, .width = 64, .a = (uint16_t)size_at};
    accesses[index] = (struct gcl_access){.kind = is_write ? GCL_ACCESS_WRITE : GCL_ACCESS_READ,
                                          .base = buffer,
                                          .offset = START,
                                          .guard = GCL_NONE,
                                          .length = (uint16_t)(SIZES + index),
                                          .element = 1};
}

static void write_program(void) {
    nodes[START] = (struct gcl_node){.kind = GCL_NODE_CONSTANT, .width = 64};
    for (uint16_t i = 0; i < GCL_TASK_BUFFERS; i++) {
        size_t at = i * sizeof(struct gcl_task_buffer); // buffers come first in the argument
        bases[i] =
            (struct gcl_base){.kind = GCL_BASE_ARGUMENT,
                              .index = (uint16_t)(at + offsetof(struct gcl_task_buffer, begin))};
        describe_access(i, false, at + offsetof(struct gcl_task_buffer, read));
        describe_access(i, true, at + offsetof(struct gcl_task_buffer, written));
    }
}

static_assert(offsetof(struct gcl_task_argument, buffers) == 0, "");

// Both halves of what an object file would register: a kernel of one block, and its stub.
void gcl_task_register(struct gcl_task *task) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, write_program);
    task->parameter = (struct gcl_parameter){.size = sizeof(struct gcl_task_argument)};
    task->regions[0] = task->region;
    task->variant = (struct gcl_variant){.level = GCL_CPU_ANY, .regions = task->regions};
    task->kernel = (struct gcl_kernel){.name = task->name,
                                       .parameters = &task->parameter,
                                       .variants = &task->variant,
                                       .cuts = &task->cut,
                                       .variant_count = 1,
                                       .parameter_count = 1,
                                       .argument_size = sizeof(struct gcl_task_argument),
                                       .region_count = 1,
                                       .max_threads = 1,
                                       .flags = GCL_KERNEL_TASK,
                                       .program = &program};
    task->code = (struct gcl_code){.abi = GCL_KERNEL_ABI,
                                   .kernel_count = 1,
                                   .id = task->name,
                                   .cpu = "",
                                   .source = task->name,
                                   .kernels = &task->kernel};
    gcl_code_register(&task->code);
    struct gcl_registry_unit *unit = gcl_registry_add_unit(task->name);
    if (!unit || !gcl_registry_add_function(unit, task, task->name))
        gcl_log(GCL_LOG_ERROR, "no memory to register %s", task->name);
}

// Where the host doesn't reach the device's memory.

struct copies {
    const struct gcl_buffer *buffers;
    unsigned count;
    void *begins[GCL_TASK_BUFFERS];
};

static gclError_t copy_in(struct copies *c, gclStream_t stream) {
    gclError_t error = gclSuccess;
    for (unsigned i = 0; i < c->count && !error; i++) {
        const struct gcl_buffer *buffer = &c->buffers[i];
        if (buffer->size == 0)
            continue;
        c->begins[i] = malloc(buffer->size);
        if (!c->begins[i])
            return gclErrorMemoryAllocation;
        if (buffer->access & GCL_BUFFER_READ)
            error =
                gclMemcpyAsync(c->begins[i], buffer->begin, buffer->size, gclMemcpyDefault, stream);
    }
    return error ? error : gclStreamSynchronize(stream);
}

static gclError_t copy_out(const struct copies *c, gclStream_t stream) {
    gclError_t error = gclSuccess;
    for (unsigned i = 0; i < c->count && !error; i++) {
        const struct gcl_buffer *buffer = &c->buffers[i];
        if (buffer->size > 0 && (buffer->access & GCL_BUFFER_WRITE))
            error =
                gclMemcpyAsync(buffer->begin, c->begins[i], buffer->size, gclMemcpyDefault, stream);
    }
    return error ? error : gclStreamSynchronize(stream);
}

static gclError_t run_on_copies(const struct gcl_task *task, struct copies *c, const void *payload,
                                gclStream_t stream) {
    gcl_log(GCL_LOG_INFO, "%s works on the host, on copies of what lies on the device", task->name);
    gclError_t error = copy_in(c, stream);
    if (!error) {
        task->body(c->begins, payload);
        error = copy_out(c, stream);
    }
    for (unsigned i = 0; i < c->count; i++)
        free(c->begins[i]);
    return error;
}

/// Whether the device does the task by itself.
static bool runs_there(const struct gcl_runtime *runtime, const struct gcl_task *task) {
    struct gcl_device_kernel description;
    struct gcl_function *function;
    return gcl_registry_function(task, runtime->space, &function) == GCL_OK &&
           runtime->device->describe(function->kernel, &description);
}

gclError_t gclLaunchTask(const struct gcl_task *task, const struct gcl_buffer *buffers,
                         unsigned count, const void *payload, size_t payload_size,
                         gclStream_t stream) {
    struct gcl_task_argument argument = {0};
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);
    if (error)
        return gcl_api_leave(error);
    if (count > GCL_TASK_BUFFERS || payload_size > sizeof argument.payload)
        return gcl_api_leave(gclErrorInvalidValue);
    if (payload_size > 0)
        memcpy(argument.payload, payload, payload_size);
    if (runtime->device->is_apart && !runs_there(runtime, task)) {
        struct copies copies = {.buffers = buffers, .count = count};
        return run_on_copies(task, &copies, argument.payload, stream);
    }
    for (unsigned i = 0; i < count; i++)
        argument.buffers[i] = (struct gcl_task_buffer){
            .begin = buffers[i].begin,
            .read = buffers[i].access & GCL_BUFFER_READ ? buffers[i].size : 0,
            .written = buffers[i].access & GCL_BUFFER_WRITE ? buffers[i].size : 0};
    void *arguments[] = {&argument};
    return gclLaunchKernel(task, (dim3){1, 1, 1}, (dim3){1, 1, 1}, arguments, 0, stream);
}
