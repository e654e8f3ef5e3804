// Stream capture: streams whose work becomes nodes of a graph. A capture begins on one stream;
// others join it where they wait for an event that was recorded in it. For each of its streams it
// knows after which nodes the next one comes.
//
// All functions may be called from any thread, but as long as nothing captures, gcl_capture_is_any
// says so at the price of one load, and none of the others need be called.
#ifndef GCL_GRAPH_CAPTURE_H
#define GCL_GRAPH_CAPTURE_H

#include "exec/engine/engine.h"
#include "graph/graph.h"

/// Whether a stream captures, or an event was last recorded in a capture.
bool gcl_capture_is_any(void);

/// Begins a capture on a stream, into `graph`, which it owns if `is_own`; nodes come after
/// `before`.
gclError_t gcl_capture_begin(struct gcl_stream *stream, enum gclStreamCaptureMode mode,
                             struct gcl_graph *graph, bool is_own,
                             struct gcl_graph_node *const *before, size_t count);
/// Ends it; the caller has the graph, NULL with an error.
gclError_t gcl_capture_end(struct gcl_stream *stream, struct gcl_graph **graph);

/// Whether what a stream is given becomes a node. Errors are those of a stream that can't be given
/// anything: its capture is invalid, or it is a legacy stream of whose streams one captures.
gclError_t gcl_capture_claims(struct gcl_stream *stream, bool *claims);
/// Adds a node for what a capturing stream is given; it takes what the work owns, also if it fails.
gclError_t gcl_capture_add(struct gcl_stream *stream, struct gcl_work_of_node *work);

struct gcl_capture_info {
    enum gclStreamCaptureStatus status;
    uint64_t id;
    struct gcl_graph *graph;
    struct gcl_graph_node **before; ///< the next node comes after these; until the next call
    size_t count;
};
void gcl_capture_get_info(struct gcl_stream *stream, struct gcl_capture_info *info);
/// Has the next node come after `nodes`, and unless `replaces` after what it comes after anyway.
gclError_t gcl_capture_depend(struct gcl_stream *stream, struct gcl_graph_node *const *nodes,
                              size_t count, bool replaces);

// Events.

/// A capturing stream has an event recorded: it stands for the nodes so far.
gclError_t gcl_capture_record(struct gcl_stream *stream, struct gcl_event *event);
/// A stream waits for an event. `*is_done`: that was a matter of captures; if it isn't, the stream
/// waits as streams do.
gclError_t gcl_capture_wait(struct gcl_stream *stream, struct gcl_event *event, bool *is_done);
/// ErrorCapturedEvent, and the capture is invalid, if the event was last recorded in one.
gclError_t gcl_capture_check_event(const struct gcl_event *event);
/// An event is recorded otherwise, or goes.
void gcl_capture_forget_event(const struct gcl_event *event);

// What isn't allowed. What fails makes the captures that forbid it invalid.

/// Something on a stream that can't become a node, or queries it.
gclError_t gcl_capture_forbid(struct gcl_stream *stream);
/// Something on a whole device.
gclError_t gcl_capture_forbid_device(unsigned device);
/// Something that other streams may be held up by, where the calling thread's mode and those of
/// captures don't allow that.
gclError_t gcl_capture_forbid_unsafe(void);
/// A stream goes.
void gcl_capture_forget_stream(struct gcl_stream *stream);
/// Sets the calling thread's mode, and returns what it was.
enum gclStreamCaptureMode gcl_capture_exchange_mode(enum gclStreamCaptureMode mode);

#endif
