#include "api/graph/execution.h"

#include <assert.h>
#include <stdlib.h>

#include "api/graph/again.h"
#include "api/graph/graph_api.h"
#include "exec/spread/spread.h"
#include "graph/capture.h"
#include "graph/memory.h"

enum { LANE_PRIORITY = 0 };

static int compare_places(const void *a, const void *b) {
    const struct gcl_execution_place *left = a, *right = b;
    return (left->id > right->id) - (left->id < right->id);
}

struct gcl_step *gcl_execution_step(const struct gcl_execution *execution,
                                    const struct gcl_graph_node *node) {
    const struct gcl_execution_place wanted = {.id = node->id};
    const struct gcl_execution_place *found =
        bsearch(&wanted, execution->places, execution->place_count, sizeof wanted, compare_places);
    return found ? &execution->order.steps[found->step] : NULL;
}

static bool find_places(struct gcl_execution *execution) {
    const struct gcl_order *order = &execution->order;
    execution->places = calloc(order->step_count + (size_t)1, sizeof *execution->places);
    if (!execution->places)
        return false;
    for (uint32_t i = 0; i < order->step_count; i++) {
        if (order->steps[i].id)
            execution->places[execution->place_count++] =
                (struct gcl_execution_place){.id = order->steps[i].id, .step = i};
    }
    qsort(execution->places, execution->place_count, sizeof *execution->places, compare_places);
    return true;
}

/// Streams of lanes, and the moments that they wait for each other at.
static bool create_moments(struct gcl_execution *e, struct gcl_runtime *runtime) {
    const struct gcl_order *order = &e->order;
    bool ok = true;
    e->device_count = runtime->device_count;
    e->is_disabled = calloc(order->step_count + (size_t)1, sizeof *e->is_disabled);
    e->moments = calloc(order->step_count + (size_t)1, sizeof *e->moments);
    e->streams = calloc(order->lane_count + (size_t)1, sizeof *e->streams);
    e->starts = calloc(e->device_count, sizeof *e->starts);
    if (!e->is_disabled || !e->moments || !e->streams || !e->starts)
        return false;
    for (uint32_t i = 0; ok && i < order->lane_count; i++) {
        const struct gcl_order_lane *lane = &order->lanes[i];
        struct gcl_step *last = &order->steps[lane->last];
        e->streams[i] = gcl_stream_create(runtime->engine, GCL_STREAM_NON_BLOCKING, LANE_PRIORITY,
                                          lane->device);
        if (!last->is_awaited)
            e->moments[lane->last] =
                gcl_event_create(runtime->engine, gclEventDisableTiming, lane->device);
        ok = e->streams[i] && (last->is_awaited || e->moments[lane->last]);
    }
    for (uint32_t i = 0; ok && i < order->step_count; i++) {
        if (!order->steps[i].is_awaited)
            continue;
        e->moments[i] =
            gcl_event_create(runtime->engine, gclEventDisableTiming, order->steps[i].work->device);
        ok = e->moments[i] != NULL;
    }
    for (unsigned i = 0; ok && i < e->device_count; i++) {
        e->starts[i] = gcl_event_create(runtime->engine, gclEventDisableTiming, i);
        ok = e->starts[i] != NULL;
    }
    return ok;
}

static void destroy(struct gcl_execution *e, struct gcl_runtime *runtime) {
    for (uint32_t i = 0; e->streams && i < e->order.lane_count; i++) {
        if (e->streams[i])
            gcl_stream_destroy(runtime->engine, e->streams[i]);
    }
    for (uint32_t i = 0; e->moments && i < e->order.step_count; i++) {
        if (e->moments[i])
            gcl_event_destroy(runtime->engine, e->moments[i]);
    }
    for (unsigned i = 0; e->starts && i < e->device_count; i++) {
        if (e->starts[i])
            gcl_event_destroy(runtime->engine, e->starts[i]);
    }
    free(e->is_disabled);
    free(e->moments);
    free(e->streams);
    free(e->starts);
    free(e->places);
    gcl_order_finish(&e->order);
    gcl_graph_destroy(e->graph);
    free(e);
}

/// Orders a copy of the graph; `*culprit` is the graph's own node.
static gclError_t put_in_order(struct gcl_execution *e, const struct gcl_graph *graph,
                               struct gcl_graph_node **culprit) {
    struct gcl_graph_node *on_cycle = NULL;
    e->graph = gcl_graph_clone(graph);
    if (!e->graph)
        return gclErrorMemoryAllocation;
    gclError_t error = gcl_order_init(&e->order, e->graph, &on_cycle);
    for (size_t i = 0; on_cycle && i < graph->nodes.count; i++) {
        if (graph->nodes.nodes[i]->id == on_cycle->original)
            *culprit = graph->nodes.nodes[i];
    }
    return error;
}

static gclError_t create(struct gcl_graph *graph, unsigned long long flags,
                         struct gcl_execution **created, struct gcl_graph_node **culprit) {
    const unsigned long long known = gclGraphInstantiateFlagAutoFreeOnLaunch |
                                     gclGraphInstantiateFlagUpload |
                                     gclGraphInstantiateFlagUseNodePriority;
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);
    *culprit = NULL;
    if (error)
        return error;
    if (!graph || !created)
        return gclErrorInvalidValue;
    if (flags & ~known)
        return flags & gclGraphInstantiateFlagDeviceLaunch ? gclErrorNotSupported
                                                           : gclErrorInvalidValue;
    struct gcl_execution *e = calloc(1, sizeof *e);
    if (!e)
        return gclErrorMemoryAllocation;
    e->flags = flags;
    error = put_in_order(e, graph, culprit);
    if (!error && (!find_places(e) || !create_moments(e, runtime)))
        error = gclErrorMemoryAllocation;
    if (!error)
        error = gcl_graph_memory_begin(e->graph);
    if (error)
        destroy(e, runtime);
    else
        *created = e;
    return error;
}

GCL_API(GraphInstantiateWithFlags,
        (gclGraphExec_t * execution, gclGraph_t graph, unsigned long long flags)) {
    struct gcl_graph_node *culprit;
    return gcl_api_leave(
        create(gcl_graph_of(graph), flags, (struct gcl_execution **)execution, &culprit));
}

GCL_API(GraphInstantiate,
        (gclGraphExec_t * execution, gclGraph_t graph, unsigned long long flags)) {
    return gclGraphInstantiateWithFlags(execution, graph, flags);
}

GCL_API(GraphInstantiateWithParams,
        (gclGraphExec_t * execution, gclGraph_t graph, gclGraphInstantiateParams *parameters)) {
    struct gcl_graph_node *culprit;
    if (!parameters)
        return gcl_api_leave(gclErrorInvalidValue);
    gclError_t error = create(gcl_graph_of(graph), parameters->flags,
                              (struct gcl_execution **)execution, &culprit);
    parameters->errNode_out = (gclGraphNode_t)culprit;
    parameters->result_out = gclGraphInstantiateSuccess;
    if (error)
        parameters->result_out =
            culprit ? gclGraphInstantiateInvalidStructure : gclGraphInstantiateError;
    return gcl_api_leave(error);
}

GCL_API(GraphExecDestroy, (gclGraphExec_t handle)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);
    if (!error && !handle)
        error = gclErrorInvalidValue;
    if (error)
        return gcl_api_leave(error);
    gcl_graph_memory_end(gcl_execution_of(handle)->graph);
    destroy(gcl_execution_of(handle), runtime);
    return gclSuccess;
}

GCL_API(GraphExecGetFlags, (gclGraphExec_t handle, unsigned long long *flags)) {
    if (!handle || !flags)
        return gcl_api_leave(gclErrorInvalidValue);
    *flags = gcl_execution_of(handle)->flags;
    return gclSuccess;
}

// Launches.

static gclError_t record(struct gcl_runtime *runtime, struct gcl_event *event,
                         struct gcl_stream *stream) {
    if (runtime->spread)
        gcl_spread_await(runtime->spread, stream);
    return gcl_api_error(gcl_event_record(runtime->engine, event, stream));
}

static gclError_t hold(struct gcl_runtime *runtime, struct gcl_event *event,
                       struct gcl_stream *stream) {
    if (runtime->spread && (gcl_stream_device(stream) == 0 || gcl_event_device(event) == 0))
        gcl_spread_join(runtime->spread);
    return gcl_api_error(gcl_event_hold(runtime->engine, event, stream));
}

/// A launch under way.
struct launch {
    struct gcl_runtime *runtime;
    struct gcl_execution *execution;
    struct gcl_stream *stream; ///< that the program launches into
    bool has_begun;            ///< its start is recorded
};

/// The stream of a lane: for the first that of the launch, if it is of the same device.
static struct gcl_stream *stream_of(const struct launch *launch, uint32_t lane) {
    const struct gcl_execution *e = launch->execution;
    bool is_home = lane == 0 && e->order.lanes[0].device == gcl_stream_device(launch->stream);
    return is_home ? launch->stream : e->streams[lane];
}

/// Has lanes wait for what comes before the launch.
static gclError_t begin_lanes(struct launch *launch) {
    const struct gcl_execution *e = launch->execution;
    struct gcl_event *start = e->starts[gcl_stream_device(launch->stream)];
    gclError_t error = gclSuccess;
    for (uint32_t i = 0; !error && i < e->order.lane_count; i++) {
        struct gcl_stream *stream = stream_of(launch, i);
        if (stream == launch->stream || !e->order.lanes[i].waits_first)
            continue;
        if (!launch->has_begun)
            error = record(launch->runtime, start, launch->stream);
        launch->has_begun = true;
        if (!error)
            error = hold(launch->runtime, start, stream);
    }
    return error;
}

static gclError_t do_step(const struct launch *launch, uint32_t number) {
    const struct gcl_execution *e = launch->execution;
    const struct gcl_step *step = &e->order.steps[number];
    struct gcl_stream *stream = stream_of(launch, step->lane);
    bool is_last = e->order.lanes[step->lane].last == number && stream != launch->stream;
    gclError_t error = gclSuccess;
    for (uint32_t i = 0; !error && i < step->wait_count; i++)
        error = hold(launch->runtime, e->moments[e->order.waits[step->first_wait + i]], stream);
    if (!error && step->id && !e->is_disabled[number])
        error = gcl_work_of_node_do(launch->runtime, stream, step->work);
    if (step->is_awaited || is_last) {
        gclError_t also = record(launch->runtime, e->moments[number], stream);
        error = error ? error : also;
    }
    return error;
}

/// Has the launch's stream wait for lanes whose end no other step waits for.
static gclError_t join_lanes(const struct launch *launch) {
    const struct gcl_execution *e = launch->execution;
    gclError_t error = gclSuccess;
    for (uint32_t i = 0; !error && i < e->order.lane_count; i++) {
        const struct gcl_order_lane *lane = &e->order.lanes[i];
        if (lane->is_open && stream_of(launch, i) != launch->stream)
            error = hold(launch->runtime, e->moments[lane->last], launch->stream);
    }
    return error;
}

/// Launches of one graph come one after the other.
static gclError_t follow_last(const struct launch *launch) {
    const struct gcl_execution *e = launch->execution;
    if (!e->last_stream || e->last_stream == launch->stream)
        return gclSuccess;
    return gcl_api_error(gcl_stream_await(launch->runtime->engine, launch->stream, e->last));
}

static gclError_t run(struct launch *launch) {
    struct gcl_execution *e = launch->execution;
    gclError_t error = gcl_graph_memory_launch(
        e->graph, (e->flags & gclGraphInstantiateFlagAutoFreeOnLaunch) != 0);
    if (!error)
        error = follow_last(launch);
    if (!error)
        error = begin_lanes(launch);
    for (uint32_t i = 0; !error && i < e->order.step_count; i++)
        error = do_step(launch, i);
    if (!error)
        error = join_lanes(launch);
    e->last_stream = launch->stream;
    e->last = gcl_stream_fence(launch->runtime->engine, launch->stream);
    return error;
}

/// A graph that a capturing stream is given becomes a node.
static gclError_t capture(const struct launch *launch) {
    struct gcl_work_of_node work = {.type = gclGraphNodeTypeGraph,
                                    .device = gcl_stream_device(launch->stream)};
    if (gcl_graph_has_memory(launch->execution->graph))
        return gcl_capture_forbid(launch->stream);
    work.child = gcl_graph_clone(launch->execution->graph);
    if (!work.child)
        return gclErrorMemoryAllocation;
    work.child->is_child = true;
    return gcl_capture_add(launch->stream, &work);
}

static gclError_t enter(struct launch *launch, gclGraphExec_t execution, gclStream_t stream) {
    gclError_t error = gcl_api_enter(&launch->runtime);
    if (error)
        return error;
    if (!execution)
        return gclErrorInvalidValue;
    launch->execution = gcl_execution_of(execution);
    launch->stream = gcl_api_stream(launch->runtime, stream);
    return launch->stream ? gclSuccess : gclErrorInvalidResourceHandle;
}

GCL_API(GraphLaunch, (gclGraphExec_t execution, gclStream_t stream)) {
    struct launch launch = {.has_begun = false};
    bool is_captured = false;
    gclError_t error = enter(&launch, execution, stream);
    if (!error && gcl_capture_is_any())
        error = gcl_capture_claims(launch.stream, &is_captured);
    if (error)
        return gcl_api_leave(error);
    return gcl_api_leave(is_captured ? capture(&launch) : run(&launch));
}

// All that a launch needs was made with the graph's execution.
GCL_API(GraphUpload, (gclGraphExec_t execution, gclStream_t stream)) {
    struct launch launch;
    return gcl_api_leave(enter(&launch, execution, stream));
}
