// Events of the API.
#include <stdint.h>

#include "api/api.h"
#include "api/ipc_event.h"
#include "exec/engine/engine.h"
#include "exec/spread/spread.h"
#include "graph/capture.h"

GCL_API(EventCreateWithFlags, (gclEvent_t * handle, unsigned int flags)) {
    const unsigned known = gclEventBlockingSync | gclEventDisableTiming | gclEventInterprocess;
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (error)
        return gcl_api_leave(error);
    if (!handle || (flags & ~known) ||
        ((flags & gclEventInterprocess) && !(flags & gclEventDisableTiming)))
        return gcl_api_leave(gclErrorInvalidValue);
    struct gcl_event *event = gcl_event_create(runtime->engine, flags, gcl_devices_own());
    if (!event)
        return gcl_api_leave(gclErrorMemoryAllocation);
    *handle = (gclEvent_t)event;
    return gclSuccess;
}

GCL_API(EventCreate, (gclEvent_t * handle)) {
    return gclEventCreateWithFlags(handle, gclEventDefault);
}

static gclError_t enter(gclEvent_t handle, struct gcl_runtime **runtime, struct gcl_event **event) {
    gclError_t error = gcl_api_enter(runtime);
    if (error)
        return error;
    *event = (struct gcl_event *)handle;
    return gcl_event_is_alive((*runtime)->engine, *event) ? gclSuccess
                                                          : gclErrorInvalidResourceHandle;
}

GCL_API(EventDestroy, (gclEvent_t handle)) {
    struct gcl_runtime *runtime;
    struct gcl_event *event;
    gclError_t error = enter(handle, &runtime, &event);

    if (!error && gcl_capture_is_any())
        gcl_capture_forget_event(event);
    if (!error && gcl_ipc_event_is_any())
        gcl_ipc_event_forget(event);
    if (!error)
        gcl_event_destroy(runtime->engine, event);
    return gcl_api_leave(error);
}

/// In a capturing stream an event stands for the nodes so far, an external one is a node.
/// `*is_done`: the stream captures.
static gclError_t capture_record(struct gcl_stream *stream, gclEvent_t event, unsigned flags,
                                 bool *is_done) {
    gclError_t error = gcl_capture_claims(stream, is_done);
    struct gcl_work_of_node work = {
        .type = gclGraphNodeTypeEventRecord, .device = gcl_stream_device(stream), .event = event};
    if (error)
        return error;
    if (*is_done)
        return flags & gclEventRecordExternal
                   ? gcl_capture_add(stream, &work)
                   : gcl_capture_record(stream, (struct gcl_event *)event);
    gcl_capture_forget_event((struct gcl_event *)event);
    return gclSuccess;
}

GCL_API(EventRecordWithFlags, (gclEvent_t handle, gclStream_t stream_handle, unsigned int flags)) {
    struct gcl_runtime *runtime;
    struct gcl_event *event;
    bool is_captured = false;
    gclError_t error = enter(handle, &runtime, &event);

    if (error)
        return gcl_api_leave(error);
    if (flags > gclEventRecordExternal)
        return gcl_api_leave(gclErrorInvalidValue);
    struct gcl_stream *stream = gcl_api_stream(runtime, stream_handle);
    if (!stream || gcl_stream_device(stream) != gcl_event_device(event))
        return gcl_api_leave(gclErrorInvalidResourceHandle);
    if (gcl_capture_is_any())
        error = capture_record(stream, handle, flags, &is_captured);
    if (error || is_captured)
        return gcl_api_leave(error);
    bool is_timed = !(gcl_event_flags(event) & gclEventDisableTiming);
    if (runtime->spread)
        (is_timed ? gcl_spread_time : gcl_spread_await)(runtime->spread, stream);
    error = gcl_api_error(gcl_event_record(runtime->engine, event, stream));
    if (!error && gcl_ipc_event_is_any())
        error = gcl_ipc_event_record(runtime, event, stream);
    return gcl_api_leave(error);
}

GCL_API(EventRecord, (gclEvent_t handle, gclStream_t stream)) {
    return gclEventRecordWithFlags(handle, stream, gclEventRecordDefault);
}

GCL_API(EventSynchronize, (gclEvent_t handle)) {
    struct gcl_runtime *runtime;
    struct gcl_event *event;
    gclError_t error = enter(handle, &runtime, &event);

    if (!error && gcl_capture_is_any())
        error = gcl_capture_check_event(event);
    if (error)
        return gcl_api_leave(error);
    if (gcl_ipc_event_is_any())
        gcl_ipc_event_synchronize(event);
    return gcl_api_leave_status(
        gcl_engine_wait(runtime->engine, gcl_event_fence(runtime->engine, event)));
}

GCL_API(EventQuery, (gclEvent_t handle)) {
    struct gcl_runtime *runtime;
    struct gcl_event *event;
    gclError_t error = enter(handle, &runtime, &event);

    if (!error && gcl_capture_is_any())
        error = gcl_capture_check_event(event);
    if (!error && gcl_capture_is_any())
        error = gcl_capture_forbid_unsafe();
    if (error)
        return gcl_api_leave(error);
    if (gcl_ipc_event_is_any() && !gcl_ipc_event_is_reached(event))
        return gcl_api_leave(gclErrorNotReady);
    if (!gcl_engine_is_reached(runtime->engine, gcl_event_fence(runtime->engine, event)))
        return gcl_api_leave(gclErrorNotReady);
    return gcl_api_leave_status(gcl_engine_status(runtime->engine));
}

GCL_API(EventElapsedTime, (float *milliseconds, gclEvent_t begin_handle, gclEvent_t end_handle)) {
    struct gcl_runtime *runtime;
    struct gcl_event *begin, *end;
    uint64_t begin_ns = 0, end_ns = 0;
    gclError_t error = enter(begin_handle, &runtime, &begin);

    if (!error)
        error = enter(end_handle, &runtime, &end);
    if (!error && gcl_capture_is_any())
        error = gcl_capture_check_event(begin);
    if (!error && gcl_capture_is_any())
        error = gcl_capture_check_event(end);
    if (error)
        return gcl_api_leave(error);
    if (!milliseconds)
        return gcl_api_leave(gclErrorInvalidValue);
    if (((gcl_event_flags(begin) | gcl_event_flags(end)) & gclEventDisableTiming) ||
        gcl_event_device(begin) != gcl_event_device(end))
        return gcl_api_leave(gclErrorInvalidResourceHandle);
    enum gcl_status status = gcl_event_time(runtime->engine, begin, &begin_ns);
    if (status == GCL_OK)
        status = gcl_event_time(runtime->engine, end, &end_ns);
    if (status == GCL_OK)
        *milliseconds = (float)((double)(int64_t)(end_ns - begin_ns) / 1e6);
    return gcl_api_leave_status(status);
}
