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
GCL_FUNCTION(StreamGetCaptureInfo_v3,
             (gclStream_t stream, enum gclStreamCaptureStatus *status,
              unsigned long long *id GCL_DEFAULT(0), gclGraph_t *graph GCL_DEFAULT(0),
              const gclGraphNode_t **dependencies GCL_DEFAULT(0),
              const gclGraphEdgeData **edges GCL_DEFAULT(0), size_t *count GCL_DEFAULT(0)))
GCL_FUNCTION(StreamUpdateCaptureDependencies,
             (gclStream_t stream, gclGraphNode_t *dependencies, size_t count,
              unsigned int flags GCL_DEFAULT(0)))
/// Swaps how strict the calling thread is about calls that are unsafe while streams capture.
GCL_FUNCTION(ThreadExchangeStreamCaptureMode, (enum gclStreamCaptureMode *mode))

// Making graphs.

GCL_FUNCTION(GraphCreate, (gclGraph_t *graph, unsigned int flags))
/// What was instantiated of it stays.
GCL_FUNCTION(GraphDestroy, (gclGraph_t graph))
/// ErrorNotSupported if it has nodes that allocate or free.
GCL_FUNCTION(GraphClone, (gclGraph_t *clone, gclGraph_t graph))
GCL_FUNCTION(GraphNodeFindInClone,
             (gclGraphNode_t *found, gclGraphNode_t node, gclGraph_t clone))
GCL_FUNCTION(GraphAddKernelNode,
             (gclGraphNode_t *node, gclGraph_t graph, const gclGraphNode_t *dependencies,
              size_t count,
              const struct gclKernelNodeParams *parameters))
GCL_FUNCTION(GraphAddMemcpyNode,
             (gclGraphNode_t *node, gclGraph_t graph, const gclGraphNode_t *dependencies,
              size_t count,
              const struct gclMemcpy3DParms *parameters))
GCL_FUNCTION(GraphAddMemcpyNode1D,
             (gclGraphNode_t *node, gclGraph_t graph, const gclGraphNode_t *dependencies,
              size_t count, void *target, const void *source, size_t size,
              enum gclMemcpyKind kind))
GCL_FUNCTION(GraphAddMemcpyNodeToSymbol,
             (gclGraphNode_t *node, gclGraph_t graph, const gclGraphNode_t *dependencies,
              size_t count, const void *symbol, const void *source, size_t size,
              size_t offset, enum gclMemcpyKind kind))
GCL_FUNCTION(GraphAddMemcpyNodeFromSymbol,
             (gclGraphNode_t *node, gclGraph_t graph, const gclGraphNode_t *dependencies,
              size_t count, void *target, const void *symbol, size_t size,
              size_t offset, enum gclMemcpyKind kind))
GCL_FUNCTION(GraphAddMemsetNode,
             (gclGraphNode_t *node, gclGraph_t graph, const gclGraphNode_t *dependencies,
              size_t count,
              const struct gclMemsetParams *parameters))
GCL_FUNCTION(GraphAddHostNode,
             (gclGraphNode_t *node, gclGraph_t graph, const gclGraphNode_t *dependencies,
              size_t count,
              const struct gclHostNodeParams *parameters))
/// A copy of the graph, whose nodes come all in the place of one.
GCL_FUNCTION(GraphAddChildGraphNode,
             (gclGraphNode_t *node, gclGraph_t graph, const gclGraphNode_t *dependencies,
              size_t count, gclGraph_t child))
GCL_FUNCTION(GraphAddEmptyNode,
             (gclGraphNode_t *node, gclGraph_t graph, const gclGraphNode_t *dependencies,
              size_t count))
GCL_FUNCTION(GraphAddEventRecordNode,
             (gclGraphNode_t *node, gclGraph_t graph, const gclGraphNode_t *dependencies,
              size_t count, gclEvent_t event))
GCL_FUNCTION(GraphAddEventWaitNode,
             (gclGraphNode_t *node, gclGraph_t graph, const gclGraphNode_t *dependencies,
              size_t count, gclEvent_t event))
/// Fills in the address, which stays the same in all launches.
GCL_FUNCTION(GraphAddMemAllocNode,
             (gclGraphNode_t *node, gclGraph_t graph, const gclGraphNode_t *dependencies,
              size_t count,
              struct gclMemAllocNodeParams *parameters))
GCL_FUNCTION(GraphAddMemFreeNode,
             (gclGraphNode_t *node, gclGraph_t graph, const gclGraphNode_t *dependencies,
              size_t count, void *address))
/// Any of these by its type. ErrorNotSupported for conditional nodes and semaphores.
GCL_FUNCTION(GraphAddNode,
             (gclGraphNode_t *node, gclGraph_t graph, const gclGraphNode_t *dependencies,
              size_t count, struct gclGraphNodeParams *parameters))
/// Edges that end before a node does are refused: ErrorNotSupported.
GCL_FUNCTION(GraphAddNode_v2,
             (gclGraphNode_t *node, gclGraph_t graph, const gclGraphNode_t *dependencies,
              const gclGraphEdgeData *edges, size_t count, struct gclGraphNodeParams *parameters))
GCL_FUNCTION(GraphDestroyNode, (gclGraphNode_t node))
GCL_FUNCTION(GraphAddDependencies, (gclGraph_t graph, const gclGraphNode_t *from,
                                    const gclGraphNode_t *to, size_t count))
GCL_FUNCTION(GraphRemoveDependencies, (gclGraph_t graph, const gclGraphNode_t *from,
                                       const gclGraphNode_t *to, size_t count))

// What graphs are.

GCL_FUNCTION(GraphGetNodes, (gclGraph_t graph, gclGraphNode_t *nodes, size_t *count))
GCL_FUNCTION(GraphGetRootNodes, (gclGraph_t graph, gclGraphNode_t *nodes, size_t *count))
GCL_FUNCTION(GraphGetEdges,
             (gclGraph_t graph, gclGraphNode_t *from, gclGraphNode_t *to, size_t *count))
GCL_FUNCTION(GraphNodeGetType, (gclGraphNode_t node, enum gclGraphNodeType *type))
GCL_FUNCTION(GraphNodeGetDependencies,
             (gclGraphNode_t node, gclGraphNode_t *nodes, size_t *count))
GCL_FUNCTION(GraphNodeGetDependentNodes,
             (gclGraphNode_t node, gclGraphNode_t *nodes, size_t *count))
/// Writes a file for Graphviz.
GCL_FUNCTION(GraphDebugDotPrint, (gclGraph_t graph, const char *path, unsigned int flags))

// What nodes do. Arguments of kernels stay the node's.

GCL_FUNCTION(GraphKernelNodeGetParams,
             (gclGraphNode_t node, struct gclKernelNodeParams *parameters))
GCL_FUNCTION(GraphKernelNodeSetParams,
             (gclGraphNode_t node, const struct gclKernelNodeParams *parameters))
GCL_FUNCTION(GraphMemcpyNodeGetParams,
             (gclGraphNode_t node, struct gclMemcpy3DParms *parameters))
GCL_FUNCTION(GraphMemcpyNodeSetParams,
             (gclGraphNode_t node, const struct gclMemcpy3DParms *parameters))
GCL_FUNCTION(GraphMemsetNodeGetParams,
             (gclGraphNode_t node, struct gclMemsetParams *parameters))
GCL_FUNCTION(GraphMemsetNodeSetParams,
             (gclGraphNode_t node, const struct gclMemsetParams *parameters))
GCL_FUNCTION(GraphHostNodeGetParams,
             (gclGraphNode_t node, struct gclHostNodeParams *parameters))
GCL_FUNCTION(GraphHostNodeSetParams,
             (gclGraphNode_t node, const struct gclHostNodeParams *parameters))
GCL_FUNCTION(GraphMemcpyNodeSetParams1D, (gclGraphNode_t node, void *target, const void *source,
                                          size_t size, enum gclMemcpyKind kind))
GCL_FUNCTION(GraphMemcpyNodeSetParamsToSymbol,
             (gclGraphNode_t node, const void *symbol, const void *source, size_t size,
              size_t offset, enum gclMemcpyKind kind))
GCL_FUNCTION(GraphMemcpyNodeSetParamsFromSymbol,
             (gclGraphNode_t node, void *target, const void *symbol, size_t size, size_t offset,
              enum gclMemcpyKind kind))
GCL_FUNCTION(GraphKernelNodeGetAttribute,
             (gclGraphNode_t node, enum gclLaunchAttributeID attribute,
              union gclLaunchAttributeValue *value))
GCL_FUNCTION(GraphKernelNodeSetAttribute,
             (gclGraphNode_t node, enum gclLaunchAttributeID attribute,
              const union gclLaunchAttributeValue *value))
GCL_FUNCTION(GraphKernelNodeCopyAttributes, (gclGraphNode_t source, gclGraphNode_t target))
GCL_FUNCTION(GraphEventRecordNodeGetEvent, (gclGraphNode_t node, gclEvent_t *event))
GCL_FUNCTION(GraphEventRecordNodeSetEvent, (gclGraphNode_t node, gclEvent_t event))
GCL_FUNCTION(GraphEventWaitNodeGetEvent, (gclGraphNode_t node, gclEvent_t *event))
GCL_FUNCTION(GraphEventWaitNodeSetEvent, (gclGraphNode_t node, gclEvent_t event))
/// The graph stays the node's.
GCL_FUNCTION(GraphChildGraphNodeGetGraph, (gclGraphNode_t node, gclGraph_t *graph))
GCL_FUNCTION(GraphMemAllocNodeGetParams,
             (gclGraphNode_t node, struct gclMemAllocNodeParams *parameters))
/// `address` is that of a pointer.
GCL_FUNCTION(GraphMemFreeNodeGetParams, (gclGraphNode_t node, void *address))
GCL_FUNCTION(GraphNodeSetParams, (gclGraphNode_t node, struct gclGraphNodeParams *parameters))

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

// Changing what is launched from here on. Nodes are those of the graph that it was made of.

GCL_FUNCTION(GraphExecKernelNodeSetParams, (gclGraphExec_t execution, gclGraphNode_t node,
                                             const struct gclKernelNodeParams *parameters))
GCL_FUNCTION(GraphExecMemcpyNodeSetParams, (gclGraphExec_t execution, gclGraphNode_t node,
                                             const struct gclMemcpy3DParms *parameters))
GCL_FUNCTION(GraphExecMemsetNodeSetParams, (gclGraphExec_t execution, gclGraphNode_t node,
                                             const struct gclMemsetParams *parameters))
GCL_FUNCTION(GraphExecHostNodeSetParams, (gclGraphExec_t execution, gclGraphNode_t node,
                                             const struct gclHostNodeParams *parameters))
GCL_FUNCTION(GraphExecMemcpyNodeSetParams1D,
             (gclGraphExec_t execution, gclGraphNode_t node, void *target, const void *source,
              size_t size, enum gclMemcpyKind kind))
GCL_FUNCTION(GraphExecMemcpyNodeSetParamsToSymbol,
             (gclGraphExec_t execution, gclGraphNode_t node, const void *symbol,
              const void *source, size_t size, size_t offset, enum gclMemcpyKind kind))
GCL_FUNCTION(GraphExecMemcpyNodeSetParamsFromSymbol,
             (gclGraphExec_t execution, gclGraphNode_t node, void *target, const void *symbol,
              size_t size, size_t offset, enum gclMemcpyKind kind))
GCL_FUNCTION(GraphExecEventRecordNodeSetEvent,
             (gclGraphExec_t execution, gclGraphNode_t node, gclEvent_t event))
GCL_FUNCTION(GraphExecEventWaitNodeSetEvent,
             (gclGraphExec_t execution, gclGraphNode_t node, gclEvent_t event))
GCL_FUNCTION(GraphExecChildGraphNodeSetParams,
             (gclGraphExec_t execution, gclGraphNode_t node, gclGraph_t child))
GCL_FUNCTION(GraphExecNodeSetParams, (gclGraphExec_t execution, gclGraphNode_t node,
                                      struct gclGraphNodeParams *parameters))
/// Takes over what all nodes of a graph with the same nodes and edges, added in the same order, do.
/// ErrorGraphExecUpdateFailure if it has others; nothing has changed then.
GCL_FUNCTION(GraphExecUpdate, (gclGraphExec_t execution, gclGraph_t graph,
                               gclGraphExecUpdateResultInfo *result))
/// Kernels, copies and sets can be left out.
GCL_FUNCTION(GraphNodeSetEnabled,
             (gclGraphExec_t execution, gclGraphNode_t node, unsigned int is_enabled))
GCL_FUNCTION(GraphNodeGetEnabled,
             (gclGraphExec_t execution, gclGraphNode_t node, unsigned int *is_enabled))

// Memory of graphs, and objects of the program's that they keep.

GCL_FUNCTION(DeviceGraphMemTrim, (int device))
GCL_FUNCTION(DeviceGetGraphMemAttribute,
             (int device, enum gclGraphMemAttributeType attribute, void *value))
GCL_FUNCTION(DeviceSetGraphMemAttribute,
             (int device, enum gclGraphMemAttributeType attribute, void *value))
/// `destroy(pointer)` is called when nobody refers to the object any more.
GCL_FUNCTION(UserObjectCreate, (gclUserObject_t *object, void *pointer, gclHostFn_t destroy,
                                unsigned int count, unsigned int flags))
GCL_FUNCTION(UserObjectRetain, (gclUserObject_t object, unsigned int count GCL_DEFAULT(1)))
GCL_FUNCTION(UserObjectRelease, (gclUserObject_t object, unsigned int count GCL_DEFAULT(1)))
GCL_FUNCTION(GraphRetainUserObject,
             (gclGraph_t graph, gclUserObject_t object, unsigned int count GCL_DEFAULT(1),
              unsigned int flags GCL_DEFAULT(0)))
GCL_FUNCTION(GraphReleaseUserObject,
             (gclGraph_t graph, gclUserObject_t object, unsigned int count GCL_DEFAULT(1)))
