// Stream capture; what is captured is added where the API's functions are given it.
#include "graph/capture.h"

#include "api/graph/graph_api.h"

static gclError_t enter(gclStream_t handle, struct gcl_stream **stream) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);
    if (error)
        return error;
    *stream = gcl_api_stream(runtime, handle);
    return *stream ? gclSuccess : gclErrorInvalidResourceHandle;
}

GCL_API(StreamBeginCapture, (gclStream_t handle, enum gclStreamCaptureMode mode)) {
    struct gcl_stream *stream;
    gclError_t error = enter(handle, &stream);
    if (!error && (unsigned)mode > gclStreamCaptureModeRelaxed)
        error = gclErrorInvalidValue;
    struct gcl_graph *graph = error ? NULL : gcl_graph_create();
    if (!error && !graph)
        error = gclErrorMemoryAllocation;
    if (!error)
        error = gcl_capture_begin(stream, mode, graph, true, NULL, 0);
    if (error)
        gcl_graph_destroy(graph);
    return gcl_api_leave(error);
}

GCL_API(StreamBeginCaptureToGraph,
        (gclStream_t handle, gclGraph_t graph, const gclGraphNode_t *dependencies,
         const gclGraphEdgeData *edges, size_t count, enum gclStreamCaptureMode mode)) {
    struct gcl_stream *stream;
    gclError_t error = enter(handle, &stream);
    if (!error &&
        (!graph || (unsigned)mode > gclStreamCaptureModeRelaxed ||
         !gcl_graph_has_all(gcl_graph_of(graph), gcl_graph_nodes_of(dependencies), count)))
        error = gclErrorInvalidValue;
    if (!error)
        error = gcl_graph_check_edges(edges, count);
    if (!error)
        error = gcl_capture_begin(stream, mode, gcl_graph_of(graph), false,
                                  gcl_graph_nodes_of(dependencies), count);
    return gcl_api_leave(error);
}

GCL_API(StreamEndCapture, (gclStream_t handle, gclGraph_t *graph)) {
    struct gcl_stream *stream;
    struct gcl_graph *captured = NULL;
    gclError_t error = enter(handle, &stream);
    if (!error && !graph)
        error = gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    error = gcl_capture_end(stream, &captured);
    *graph = (gclGraph_t)captured;
    return gcl_api_leave(error);
}

GCL_API(StreamIsCapturing, (gclStream_t handle, enum gclStreamCaptureStatus *status)) {
    struct gcl_stream *stream;
    struct gcl_capture_info info;
    bool claims;
    gclError_t error = enter(handle, &stream);
    if (!error && !status)
        error = gclErrorInvalidValue;
    if (!error && gcl_stream_kind(stream) == GCL_STREAM_LEGACY)
        error = gcl_capture_claims(stream, &claims);
    if (error)
        return gcl_api_leave(error);
    gcl_capture_get_info(stream, &info);
    *status = info.status;
    return gclSuccess;
}

GCL_API(StreamGetCaptureInfo,
        (gclStream_t handle, enum gclStreamCaptureStatus *status, unsigned long long *id,
         gclGraph_t *graph, const gclGraphNode_t **dependencies, size_t *count)) {
    struct gcl_stream *stream;
    struct gcl_capture_info info;
    gclError_t error = enter(handle, &stream);
    if (!error && !status)
        error = gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    gcl_capture_get_info(stream, &info);
    *status = info.status;
    if (info.status != gclStreamCaptureStatusActive)
        return gclSuccess;
    if (id)
        *id = info.id;
    if (graph)
        *graph = (gclGraph_t)info.graph;
    if (dependencies)
        *dependencies = (const gclGraphNode_t *)info.before;
    if (count)
        *count = info.count;
    return gclSuccess;
}

GCL_API(StreamGetCaptureInfo_v2,
        (gclStream_t handle, enum gclStreamCaptureStatus *status, unsigned long long *id,
         gclGraph_t *graph, const gclGraphNode_t **dependencies, size_t *count)) {
    return gclStreamGetCaptureInfo(handle, status, id, graph, dependencies, count);
}

// All edges are ordinary ones, so that nothing is said of them.
GCL_API(StreamGetCaptureInfo_v3,
        (gclStream_t handle, enum gclStreamCaptureStatus *status, unsigned long long *id,
         gclGraph_t *graph, const gclGraphNode_t **dependencies, const gclGraphEdgeData **edges,
         size_t *count)) {
    if (edges)
        *edges = NULL;
    return gclStreamGetCaptureInfo(handle, status, id, graph, dependencies, count);
}

GCL_API(StreamUpdateCaptureDependencies,
        (gclStream_t handle, gclGraphNode_t *dependencies, size_t count, unsigned int flags)) {
    struct gcl_stream *stream;
    gclError_t error = enter(handle, &stream);
    if (!error && (flags > gclStreamSetCaptureDependencies || (count > 0 && !dependencies)))
        error = gclErrorInvalidValue;
    if (!error)
        error = gcl_capture_depend(stream, gcl_graph_nodes_of(dependencies), count,
                                   flags == gclStreamSetCaptureDependencies);
    return gcl_api_leave(error);
}

GCL_API(ThreadExchangeStreamCaptureMode, (enum gclStreamCaptureMode * mode)) {
    if (!mode || (unsigned)*mode > gclStreamCaptureModeRelaxed)
        return gcl_api_leave(gclErrorInvalidValue);
    *mode = gcl_capture_exchange_mode(*mode);
    return gclSuccess;
}
