// Tasks: what libraries that gcluster brings (runtime/lib) do to device memory in C, outside of
// kernels. A task runs on one node, in the order of its stream, and says which bytes it reads and
// writes, so that it finds there what other nodes have computed, and they what it leaves.
//
//     static void transform(void *const *buffers, const void *payload) { ... }
//     GCL_TASK(forward, "cufftExecC2C", transform)
//
//     const struct gcl_buffer buffers[] = {{in, size, GCL_BUFFER_READ}, {out, size,
//     GCL_BUFFER_WRITE}}; gclLaunchTask(&forward, buffers, 2, &plan, sizeof plan, stream);
//
// To the runtime a task is a kernel of one block with an access program of its own: statistics,
// traces and forecasts know it by its name.
#ifndef GCLUSTER_TASK_H
#define GCLUSTER_TASK_H

#include "gcluster/kernel.h"
#include "gcluster/types.h"

enum gcl_buffer_access {
    GCL_BUFFER_READ = 1,
    GCL_BUFFER_WRITE = 2, ///< all of it; a task that leaves some bytes as they are reads them, too
};

/// Bytes that a task uses: of device memory, or such that the host and devices share.
struct gcl_buffer {
    void *begin;
    uint64_t size;   ///< bytes; 0: none, and `begin` may be anything
    uint64_t access; ///< enum gcl_buffer_access, one or both
};

enum {
    GCL_TASK_BUFFERS = 8,
    GCL_TASK_PAYLOAD = 1024, ///< bytes
};

/// What a task does. `buffers` are those it was launched with, where they can be reached here;
/// `payload` is a copy, aligned to 8 bytes. Runs on a thread of the runtime's, on any node, and so
/// can't fail, nor call the API, nor use pointers of node 0's own.
typedef void gcl_task_body(void *const *buffers, const void *payload);

/// A task's buffer as its access program reads it.
struct gcl_task_buffer {
    void *begin;
    uint64_t read;    ///< bytes
    uint64_t written; ///< bytes
};

/// As the runtime packs it: a kernel's only argument.
struct gcl_task_argument {
    struct gcl_task_buffer buffers[GCL_TASK_BUFFERS];
    uint64_t payload[GCL_TASK_PAYLOAD / 8];
};

/// A task, made by GCL_TASK: it lives as long as its library.
struct gcl_task {
    const char *name; ///< of the library's function
    gcl_region *region;
    gcl_task_body *body;
    // Of gcl_task_register, since pointers to tables aren't constant.
    struct gcl_parameter parameter;
    struct gcl_cut cut;
    gcl_region *regions[1];
    struct gcl_variant variant;
    struct gcl_kernel kernel;
    struct gcl_code code;
};

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Makes a task known; called before main, in all processes of a job.
void gcl_task_register(struct gcl_task *task);

/// Runs a task when all that `stream` holds is done. ErrorInvalidValue: more buffers or a larger
/// payload than there may be. Other errors as of launches. On a device whose memory the host can't
/// reach a vendor's library does it (gcluster/vendor.h); without one the call waits for the stream,
/// and works on copies.
gclError_t gclLaunchTask(const struct gcl_task *task, const struct gcl_buffer *buffers,
                         unsigned count, const void *payload, size_t payload_size,
                         gclStream_t stream);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/// The payload of a task from its packed arguments, and where its buffers begin.
static inline const void *gcl_task_open(const void *arguments, void *begins[GCL_TASK_BUFFERS]) {
    const struct gcl_task_argument *argument = (const struct gcl_task_argument *)arguments;
    for (unsigned i = 0; i < GCL_TASK_BUFFERS; i++)
        begins[i] = argument->buffers[i].begin;
    return argument->payload;
}

/// What a task's block does.
static inline uint32_t gcl_task_run(const struct gcl_block *block, gcl_task_body *body) {
    void *begins[GCL_TASK_BUFFERS];
    const void *payload = gcl_task_open(block->arguments, begins);
    body(begins, payload);
    return GCL_EXIT;
}

/// Defines the task `task`, by which `body` runs under a name.
#define GCL_TASK(task, title, function)                                                            \
    static uint32_t task##_region(struct gcl_block *block, uint32_t begin, uint32_t end,           \
                                  uint32_t here) {                                                 \
        (void)begin, (void)end, (void)here;                                                        \
        return gcl_task_run(block, function);                                                      \
    }                                                                                              \
    static struct gcl_task task = {.name = title, .region = task##_region, .body = function};      \
    __attribute__((constructor)) static void task##_register(void) {                               \
        gcl_task_register(&task);                                                                  \
    }

#endif
