// Memory of other processes: the CPU's, whose pages the system can share (exec/memory/share.h).
#include "api/ipc.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "api/api.h"
#include "base/log.h"
#include "exec/engine/engine.h"
#include "exec/memory/share.h"
#include "exec/memory/space.h"
#include "exec/residency/residency.h"

/// What a handle of memory holds.
struct content {
    struct gcl_share share;
    uint64_t offset; ///< of the memory in the pages
};
static_assert(sizeof(struct content) <= sizeof(gclIpcMemHandle_t), "");

// More than what shares pages with others has.
enum { LEAST_SIZE = 1 << 20 };

// Marks allocations whose pages are another process's.
static const char opened;

gclError_t gcl_ipc_enter(struct gcl_runtime **runtime) {
    gclError_t error = gcl_api_enter(runtime);
    const char *where = NULL;
    if (error)
        return error;
    if ((*runtime)->spread)
        where = "in a job of several nodes";
    else if ((*runtime)->device->is_apart)
        where = "on a GPU";
    if (!where)
        return gclSuccess;
    gcl_log(GCL_LOG_ERROR, "processes share no device memory and no events %s", where);
    return gclErrorNotSupported;
}

/// Enters a function by which processes share memory: that doesn't come and go.
static gclError_t enter_memory(struct gcl_runtime **runtime) {
    gclError_t error = gcl_ipc_enter(runtime);
    struct gcl_residency *residency = error ? NULL : gcl_residency_get();
    if (!residency || gcl_residency_fix(residency))
        return error;
    gcl_log(GCL_LOG_ERROR,
            "processes share no memory where more is allocated than the device holds (GCL_MEMORY)");
    return gclErrorNotSupported;
}

GCL_API(IpcGetMemHandle, (gclIpcMemHandle_t * handle, void *pointer)) {
    struct gcl_runtime *runtime;
    struct gcl_allocation found;
    struct content content;
    gclError_t error = enter_memory(&runtime);
    if (!error && (!handle || !gcl_space_find(runtime->space, pointer, &found) ||
                   found.kind != GCL_SPACE_DEVICE || found.owner == &opened))
        error = gclErrorInvalidValue;
    if (!error)
        error = gcl_api_error(gcl_engine_wait_all(runtime->engine));
    if (error)
        return gcl_api_leave(error);
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = found.begin / page * page;
    uintptr_t end = (found.begin + found.size + page - 1) / page * page;
    error = gcl_api_error(gcl_share_pages(begin, end, &content.share));
    if (error)
        return gcl_api_leave(error);
    content.offset = found.begin - content.share.begin;
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &content, sizeof content);
    return gclSuccess;
}

static gclError_t open_memory(struct gcl_runtime *runtime, const struct content *content,
                              void **pointer) {
    const struct gcl_allocation request = {.size = content->share.size + LEAST_SIZE,
                                           .kind = GCL_SPACE_DEVICE,
                                           .device = gcl_devices_own(),
                                           .owner = &opened};
    void *memory;
    if (content->share.size > SIZE_MAX / 2 || content->offset >= content->share.size)
        return gclErrorInvalidValue;
    gclError_t error = gcl_api_error(gcl_space_allocate(runtime->space, &request, &memory));
    if (error)
        return error;
    error = gcl_api_error(gcl_share_map(&content->share, (uintptr_t)memory));
    if (error) {
        enum gcl_status freed = gcl_space_free(runtime->space, memory, GCL_SPACE_DEVICE);
        (void)freed; // the first error is the one to be told
        return error;
    }
    if (gcl_space_notes_writes(runtime->space))
        gcl_space_note_write_anywhere(runtime->space);
    *pointer = (char *)memory + content->offset;
    return gclSuccess;
}

GCL_API(IpcOpenMemHandle, (void **pointer, gclIpcMemHandle_t handle, unsigned int flags)) {
    struct gcl_runtime *runtime;
    struct content content;
    gclError_t error = enter_memory(&runtime);
    if (!error && (!pointer || flags != gclIpcMemLazyEnablePeerAccess))
        error = gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    memcpy(&content, &handle, sizeof content);
    return gcl_api_leave(open_memory(runtime, &content, pointer));
}

GCL_API(IpcCloseMemHandle, (void *pointer)) {
    struct gcl_runtime *runtime;
    struct gcl_allocation found;
    gclError_t error = gcl_ipc_enter(&runtime);
    if (!error && (!gcl_space_find(runtime->space, pointer, &found) || found.owner != &opened))
        error = gclErrorInvalidValue;
    if (!error)
        error = gcl_api_error(gcl_engine_wait_all(runtime->engine));
    if (!error)
        error =
            gcl_api_error(gcl_space_free(runtime->space, (void *)found.begin, GCL_SPACE_DEVICE));
    return gcl_api_leave(error);
}
