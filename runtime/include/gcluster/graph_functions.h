// clang-format off
//
// The functions of gcluster/functions.h, which includes it, that are about graphs. A list of nodes is
// an array and its length; where it is asked for, `*count` is the room that the array has, then what
// is in it, and without an array how much there is. Nodes given as dependencies are of the same graph.

// Stream capture: what capturing streams are given becomes nodes instead of being done.

/// ErrorStreamCaptureUnsupported for the legacy stream, ErrorIllegalState if it captures already.
GCL_FUNCTION(StreamBeginCapture, (gclStream_t stream, enum gclStreamCaptureMode mode))
/// The first nodes come after `dependencies`, which are of `graph`.
GCL_FUNCTION(StreamBeginCaptureToGraph,
             (gclStream_t stream, gclGraph_t graph, const gclGraphNode_t *dependencies,
              const gclGraphEdgeData *edges, size_t count, enum gclStreamCaptureMode mode))
/// Ends what began on this stream. An invalidated capture gives NULL and an error.
GCL_FUNCTION(StreamEndCapture, (gclStream_t stream, gclGraph_t *graph))
GCL_FUNCTION(StreamIsCapturing, (gclStream_t stream, enum gclStreamCaptureStatus *status))
/// `*dependencies` stays valid until the stream is given something or the capture ends.
GCL_FUNCTION(StreamGetCaptureInfo,
             (gclStream_t stream, enum gclStreamCaptureStatus *status,
              unsigned long long *id GCL_DEFAULT(0), gclGraph_t *graph GCL_DEFAULT(0),
              const gclGraphNode_t **dependencies GCL_DEFAULT(0), size_t *count GCL_DEFAULT(0)))
GCL_FUNCTION(StreamGetCaptureInfo_v2,
             (gclStream_t stream, enum gclStreamCaptureStatus *status,
              unsigned long long *id GCL_DEFAULT(0), gclGraph_t *graph GCL_DEFAULT(0),
              const gclGraphNode_t **dependencies GCL_DEFAULT(0), size_t *count GCL_DEFAULT(0)))
GCL_FUNCTION(StreamUpdateCaptureDependencies,
             (gclStream_t stream, gclGraphNode_t *dependencies, size_t count,
              unsigned int flags GCL_DEFAULT(0)))
/// Swaps how strict the calling thread is about calls that are unsafe while streams capture.
GCL_FUNCTION(ThreadExchangeStreamCaptureMode, (enum gclStreamCaptureMode *mode))

// Making graphs.

GCL_FUNCTION(GraphCreate, (gclGraph_t *graph, unsigned int flags))
GCL_FUNCTION(GraphDestroy, (gclGraph_t graph))

// Launching them.

/// A copy of the graph, ready to be launched. ErrorInvalidValue if there is a cycle.
GCL_FUNCTION(GraphInstantiate,
             (gclGraphExec_t *execution, gclGraph_t graph,
              unsigned long long flags GCL_DEFAULT(0)))
GCL_FUNCTION(GraphInstantiateWithFlags,
             (gclGraphExec_t *execution, gclGraph_t graph,
              unsigned long long flags GCL_DEFAULT(0)))
GCL_FUNCTION(GraphInstantiateWithParams, (gclGraphExec_t *execution, gclGraph_t graph,
                                          gclGraphInstantiateParams *parameters))
/// Work that was launched still runs.
GCL_FUNCTION(GraphExecDestroy, (gclGraphExec_t execution))
GCL_FUNCTION(GraphExecGetFlags, (gclGraphExec_t execution, unsigned long long *flags))
/// Comes after what the stream was given, and after earlier launches of the same graph.
GCL_FUNCTION(GraphLaunch, (gclGraphExec_t execution, gclStream_t stream))
GCL_FUNCTION(GraphUpload, (gclGraphExec_t execution, gclStream_t stream))
