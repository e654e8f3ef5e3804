// Streams of the API. NULL and two small numbers mean default streams of the device that the thread
// uses; a thread's own is made when it is first used and goes with the thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "api/api.h"
#include "api/ipc_event.h"
#include "exec/engine/engine.h"
#include "exec/spread/spread.h"
#include "graph/capture.h"

enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static atomic_bool null_is_thread_stream;

static void destroy_thread_streams(void *data) {
    struct gcl_stream **streams = data;
    struct gcl_runtime *runtime = gcl_runtime_peek();
    for (unsigned i = 0; runtime && i < runtime->device_count; i++) {
        if (streams[i])
            gcl_stream_destroy(runtime->engine, streams[i]);
    }
    free(streams);
}

static void create_key(void) {
    pthread_key_create(&key, destroy_thread_streams);
}

/// The calling thread's streams, by device; NULL: no memory.
static struct gcl_stream **thread_streams(const struct gcl_runtime *runtime) {
    pthread_once(&key_once, create_key);
    struct gcl_stream **streams = pthread_getspecific(key);
    if (streams)
        return streams;
    streams = calloc(runtime->device_count, sizeof *streams);
    if (streams && pthread_setspecific(key, streams) == 0)
        return streams;
    free(streams);
    return NULL;
}

static struct gcl_stream *thread_stream(struct gcl_runtime *runtime) {
    struct gcl_stream **streams = thread_streams(runtime);
    unsigned device = gcl_devices_own();
    assert(device < runtime->device_count);
    if (streams && !streams[device])
        streams[device] =
            gcl_stream_create(runtime->engine, GCL_STREAM_BLOCKING, LEAST_PRIORITY, device);
    return streams ? streams[device] : NULL;
}

void __gcl_use_thread_streams(void) {
    atomic_store(&null_is_thread_stream, true);
}

struct gcl_stream *gcl_api_stream(struct gcl_runtime *runtime, gclStream_t handle) {
    struct gcl_stream *stream = (struct gcl_stream *)handle;

    if (handle == gclStreamPerThread || (!handle && atomic_load(&null_is_thread_stream)))
        return thread_stream(runtime);
    if (!handle || handle == gclStreamLegacy)
        return gcl_stream_legacy_of(runtime->engine, gcl_devices_own());
    return gcl_stream_is_alive(runtime->engine, stream) ? stream : NULL;
}

static bool is_default(gclStream_t handle) {
    return !handle || handle == gclStreamLegacy || handle == gclStreamPerThread;
}

GCL_API(StreamCreateWithPriority, (gclStream_t * handle, unsigned int flags, int priority)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (error)
        return gcl_api_leave(error);
    if (!handle || flags > gclStreamNonBlocking)
        return gcl_api_leave(gclErrorInvalidValue);
    if (priority < GREATEST_PRIORITY)
        priority = GREATEST_PRIORITY;
    if (priority > LEAST_PRIORITY)
        priority = LEAST_PRIORITY;
    struct gcl_stream *stream =
        gcl_stream_create(runtime->engine, flags ? GCL_STREAM_NON_BLOCKING : GCL_STREAM_BLOCKING,
                          priority, gcl_devices_own());
    if (!stream)
        return gcl_api_leave(gclErrorMemoryAllocation);
    *handle = (gclStream_t)stream;
    return gclSuccess;
}

GCL_API(StreamCreateWithFlags, (gclStream_t * handle, unsigned int flags)) {
    return gclStreamCreateWithPriority(handle, flags, LEAST_PRIORITY);
}

GCL_API(StreamCreate, (gclStream_t * handle)) {
    return gclStreamCreateWithPriority(handle, gclStreamDefault, LEAST_PRIORITY);
}

// Starts a function that takes a stream.
static gclError_t enter(gclStream_t handle, struct gcl_runtime **runtime,
                        struct gcl_stream **stream) {
    gclError_t error = gcl_api_enter(runtime);
    if (error)
        return error;
    *stream = gcl_api_stream(*runtime, handle);
    return *stream ? gclSuccess : gclErrorInvalidResourceHandle;
}

GCL_API(StreamDestroy, (gclStream_t handle)) {
    struct gcl_runtime *runtime;
    struct gcl_stream *stream;
    gclError_t error = enter(handle, &runtime, &stream);

    if (!error && is_default(handle))
        error = gclErrorInvalidResourceHandle;
    if (!error && gcl_capture_is_any())
        gcl_capture_forget_stream(stream);
    if (!error)
        gcl_stream_destroy(runtime->engine, stream);
    return gcl_api_leave(error);
}

GCL_API(StreamSynchronize, (gclStream_t handle)) {
    struct gcl_runtime *runtime;
    struct gcl_stream *stream;
    gclError_t error = enter(handle, &runtime, &stream);

    if (!error && gcl_capture_is_any())
        error = gcl_capture_forbid(stream);
    if (error)
        return gcl_api_leave(error);
    if (runtime->spread)
        gcl_spread_await(runtime->spread, stream);
    return gcl_api_leave_status(gcl_engine_wait_stream(runtime->engine, stream));
}

GCL_API(StreamQuery, (gclStream_t handle)) {
    struct gcl_runtime *runtime;
    struct gcl_stream *stream;
    gclError_t error = enter(handle, &runtime, &stream);

    if (!error && gcl_capture_is_any())
        error = gcl_capture_forbid(stream);
    if (error)
        return gcl_api_leave(error);
    if (runtime->spread)
        gcl_spread_await(runtime->spread, stream);
    if (!gcl_engine_is_stream_done(runtime->engine, stream))
        return gcl_api_leave(gclErrorNotReady);
    return gcl_api_leave_status(gcl_engine_status(runtime->engine));
}

/// A capturing stream waits for an event outside of its graph by a node, for one within it by an
/// edge. `*is_done`: it was one of these.
static gclError_t capture_wait(struct gcl_stream *stream, gclEvent_t event, unsigned flags,
                               bool *is_done) {
    if (!(flags & gclEventWaitExternal))
        return gcl_capture_wait(stream, (struct gcl_event *)event, is_done);
    gclError_t error = gcl_capture_claims(stream, is_done);
    struct gcl_work_of_node work = {
        .type = gclGraphNodeTypeWaitEvent, .device = gcl_stream_device(stream), .event = event};
    return error || !*is_done ? error : gcl_capture_add(stream, &work);
}

GCL_API(StreamWaitEvent, (gclStream_t handle, gclEvent_t event_handle, unsigned int flags)) {
    struct gcl_runtime *runtime;
    struct gcl_stream *stream;
    struct gcl_event *event = (struct gcl_event *)event_handle;
    bool is_captured = false;
    gclError_t error = enter(handle, &runtime, &stream);

    if (error)
        return gcl_api_leave(error);
    if (flags > gclEventWaitExternal)
        return gcl_api_leave(gclErrorInvalidValue);
    if (!gcl_event_is_alive(runtime->engine, event))
        return gcl_api_leave(gclErrorInvalidResourceHandle);
    if (gcl_capture_is_any())
        error = capture_wait(stream, event_handle, flags, &is_captured);
    if (error || is_captured)
        return gcl_api_leave(error);
    if (gcl_ipc_event_is_any())
        error = gcl_ipc_event_hold(runtime, event, stream);
    if (error)
        return gcl_api_leave(error);
    if (runtime->spread && (gcl_stream_device(stream) == 0 || gcl_event_device(event) == 0))
        gcl_spread_join(runtime->spread);
    return gcl_api_leave_status(gcl_event_hold(runtime->engine, event, stream));
}

GCL_API(StreamGetFlags, (gclStream_t handle, unsigned int *flags)) {
    struct gcl_runtime *runtime;
    struct gcl_stream *stream;
    gclError_t error = enter(handle, &runtime, &stream);

    if (!error && !flags)
        error = gclErrorInvalidValue;
    if (!error)
        *flags = gcl_stream_kind(stream) == GCL_STREAM_NON_BLOCKING ? gclStreamNonBlocking
                                                                    : gclStreamDefault;
    return gcl_api_leave(error);
}

GCL_API(StreamGetPriority, (gclStream_t handle, int *priority)) {
    struct gcl_runtime *runtime;
    struct gcl_stream *stream;
    gclError_t error = enter(handle, &runtime, &stream);

    if (!error && !priority)
        error = gclErrorInvalidValue;
    if (!error)
        *priority = gcl_stream_priority(stream);
    return gcl_api_leave(error);
}

GCL_API(StreamGetId, (gclStream_t handle, unsigned long long *id)) {
    struct gcl_runtime *runtime;
    struct gcl_stream *stream;
    gclError_t error = enter(handle, &runtime, &stream);

    if (!error && !id)
        error = gclErrorInvalidValue;
    if (!error)
        *id = gcl_stream_id(stream);
    return gcl_api_leave(error);
}

GCL_API(StreamGetDevice, (gclStream_t handle, int *device)) {
    struct gcl_runtime *runtime;
    struct gcl_stream *stream;
    gclError_t error = enter(handle, &runtime, &stream);

    if (!error && !device)
        error = gclErrorInvalidValue;
    if (!error)
        *device = (int)gcl_stream_device(stream);
    return gcl_api_leave(error);
}

// Attributes of streams are hints about caches and waiting, which a CPU has no use for.

GCL_API(StreamSetAttribute, (gclStream_t handle, enum gclLaunchAttributeID attribute,
                             const union gclLaunchAttributeValue *value)) {
    struct gcl_runtime *runtime;
    struct gcl_stream *stream;
    gclError_t error = enter(handle, &runtime, &stream);

    if (!error && (!value || (attribute != gclStreamAttributeAccessPolicyWindow &&
                              attribute != gclStreamAttributeSynchronizationPolicy)))
        error = gclErrorInvalidValue;
    return gcl_api_leave(error);
}

GCL_API(StreamGetAttribute, (gclStream_t handle, enum gclLaunchAttributeID attribute,
                             union gclLaunchAttributeValue *value)) {
    struct gcl_runtime *runtime;
    struct gcl_stream *stream;
    gclError_t error = enter(handle, &runtime, &stream);

    if (!error && !value)
        error = gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    *value = (union gclLaunchAttributeValue){.pad = {0}};
    if (attribute == gclStreamAttributePriority)
        value->priority = gcl_stream_priority(stream);
    if (attribute == gclStreamAttributeSynchronizationPolicy)
        value->syncPolicy = gclSyncPolicyAuto;
    return gclSuccess;
}

GCL_API(StreamCopyAttributes, (gclStream_t target, gclStream_t source)) {
    struct gcl_runtime *runtime;
    struct gcl_stream *stream;
    gclError_t error = enter(target, &runtime, &stream);
    if (!error)
        error = enter(source, &runtime, &stream);
    return gcl_api_leave(error);
}

GCL_API(StreamAttachMemAsync,
        (gclStream_t handle, void *pointer, size_t size, unsigned int flags)) {
    struct gcl_runtime *runtime;
    struct gcl_stream *stream;
    gclError_t error = enter(handle, &runtime, &stream);

    (void)size;
    if (!error && (!pointer || (flags != gclMemAttachGlobal && flags != gclMemAttachHost &&
                                flags != gclMemAttachSingle)))
        error = gclErrorInvalidValue;
    if (!error && gcl_capture_is_any())
        error = gcl_capture_forbid(stream);
    return gcl_api_leave(error);
}

GCL_API(CtxResetPersistingL2Cache, (void)) {
    return gclSuccess;
}

GCL_API(DeviceGetStreamPriorityRange, (int *least, int *greatest)) {
    if (least)
        *least = LEAST_PRIORITY;
    if (greatest)
        *greatest = GREATEST_PRIORITY;
    return gclSuccess;
}

// Host functions.

static gclError_t capture_call(struct gcl_stream *stream, gclHostFn_t function, void *data) {
    struct gcl_work_of_node work = {.type = gclGraphNodeTypeHost,
                                    .device = gcl_stream_device(stream),
                                    .host = {.fn = function, .userData = data}};
    return gcl_capture_add(stream, &work);
}

GCL_API(LaunchHostFunc, (gclStream_t handle, gclHostFn_t function, void *data)) {
    struct gcl_runtime *runtime;
    struct gcl_stream *stream;
    gclError_t error = enter(handle, &runtime, &stream);

    bool is_captured = false;
    if (!error && !function)
        error = gclErrorInvalidValue;
    if (!error && gcl_capture_is_any())
        error = gcl_capture_claims(stream, &is_captured);
    if (error || is_captured)
        return gcl_api_leave(error ? error : capture_call(stream, function, data));
    struct gcl_command *command = gcl_engine_command(runtime->engine, GCL_COMMAND_CALL);
    if (!command)
        return gcl_api_leave(gclErrorMemoryAllocation);
    command->call = (struct gcl_host_call){.function = function, .data = data};
    if (runtime->spread)
        gcl_spread_submit(runtime->spread, stream, command);
    else
        gcl_engine_submit(runtime->engine, stream, command);
    return gclSuccess;
}

struct callback {
    gclStreamCallback_t function;
    gclStream_t stream;
    void *data;
};

static void call_back(void *data) {
    struct callback *callback = data;
    assert(callback && callback->function);
    struct gcl_runtime *runtime = gcl_runtime_peek();
    gclError_t error = runtime ? gcl_api_error(gcl_engine_status(runtime->engine)) : gclSuccess;
    callback->function(callback->stream, error, callback->data);
    free(callback);
}

GCL_API(StreamAddCallback,
        (gclStream_t handle, gclStreamCallback_t function, void *data, unsigned int flags)) {
    struct gcl_runtime *runtime;
    struct gcl_stream *stream;
    gclError_t error = enter(handle, &runtime, &stream);
    if (!error && (!function || flags))
        error = gclErrorInvalidValue;
    if (!error && gcl_capture_is_any())
        error = gcl_capture_forbid(stream);
    if (error)
        return gcl_api_leave(error);
    struct callback *callback = malloc(sizeof *callback);
    if (!callback)
        return gcl_api_leave(gclErrorMemoryAllocation);
    *callback = (struct callback){.function = function, .stream = handle, .data = data};
    error = gclLaunchHostFunc(handle, call_back, callback);
    if (error)
        free(callback);
    return error;
}
