// Types of CUDA graphs: the part of gcluster/types.h, which includes it, that is about graphs and
// about stream capture, by which programs make them.
#ifndef GCLUSTER_GRAPH_TYPES_H
#define GCLUSTER_GRAPH_TYPES_H

#include "gcluster/types.h"

enum gclStreamCaptureMode {
    GCL_ENUMERATOR(StreamCaptureModeGlobal, 0),
    GCL_ENUMERATOR(StreamCaptureModeThreadLocal, 1),
    GCL_ENUMERATOR(StreamCaptureModeRelaxed, 2),
};

enum gclStreamUpdateCaptureDependenciesFlags {
    GCL_ENUMERATOR(StreamAddCaptureDependencies, 0),
    GCL_ENUMERATOR(StreamSetCaptureDependencies, 1),
};

enum gclGraphNodeType {
    GCL_ENUMERATOR(GraphNodeTypeKernel, 0),
    GCL_ENUMERATOR(GraphNodeTypeMemcpy, 1),
    GCL_ENUMERATOR(GraphNodeTypeMemset, 2),
    GCL_ENUMERATOR(GraphNodeTypeHost, 3),
    GCL_ENUMERATOR(GraphNodeTypeGraph, 4),
    GCL_ENUMERATOR(GraphNodeTypeEmpty, 5),
    GCL_ENUMERATOR(GraphNodeTypeWaitEvent, 6),
    GCL_ENUMERATOR(GraphNodeTypeEventRecord, 7),
    GCL_ENUMERATOR(GraphNodeTypeExtSemaphoreSignal, 8),
    GCL_ENUMERATOR(GraphNodeTypeExtSemaphoreWait, 9),
    GCL_ENUMERATOR(GraphNodeTypeMemAlloc, 10),
    GCL_ENUMERATOR(GraphNodeTypeMemFree, 11),
    GCL_ENUMERATOR(GraphNodeTypeConditional, 13),
    GCL_ENUMERATOR(GraphNodeTypeCount, 14),
};

enum gclGraphDependencyType {
    GCL_ENUMERATOR(GraphDependencyTypeDefault, 0),
    GCL_ENUMERATOR(GraphDependencyTypeProgrammatic, 1),
};

enum gclGraphExecUpdateResult {
    GCL_ENUMERATOR(GraphExecUpdateSuccess, 0),
    GCL_ENUMERATOR(GraphExecUpdateError, 1),
    GCL_ENUMERATOR(GraphExecUpdateErrorTopologyChanged, 2),
    GCL_ENUMERATOR(GraphExecUpdateErrorNodeTypeChanged, 3),
    GCL_ENUMERATOR(GraphExecUpdateErrorFunctionChanged, 4),
    GCL_ENUMERATOR(GraphExecUpdateErrorParametersChanged, 5),
    GCL_ENUMERATOR(GraphExecUpdateErrorNotSupported, 6),
    GCL_ENUMERATOR(GraphExecUpdateErrorUnsupportedFunctionChange, 7),
    GCL_ENUMERATOR(GraphExecUpdateErrorAttributesChanged, 8),
};

enum gclGraphInstantiateFlags {
    GCL_ENUMERATOR(GraphInstantiateFlagAutoFreeOnLaunch, 1),
    GCL_ENUMERATOR(GraphInstantiateFlagUpload, 2),
    GCL_ENUMERATOR(GraphInstantiateFlagDeviceLaunch, 4),
    GCL_ENUMERATOR(GraphInstantiateFlagUseNodePriority, 8),
};

enum gclGraphInstantiateResult {
    GCL_ENUMERATOR(GraphInstantiateSuccess, 0),
    GCL_ENUMERATOR(GraphInstantiateError, 1),
    GCL_ENUMERATOR(GraphInstantiateInvalidStructure, 2),
    GCL_ENUMERATOR(GraphInstantiateNodeOperationNotSupported, 3),
    GCL_ENUMERATOR(GraphInstantiateMultipleDevicesNotSupported, 4),
};
typedef enum gclGraphInstantiateResult gclGraphInstantiateResult;

enum gclGraphDebugDotFlags {
    GCL_ENUMERATOR(GraphDebugDotFlagsVerbose, 1 << 0),
    GCL_ENUMERATOR(GraphDebugDotFlagsKernelNodeParams, 1 << 2),
    GCL_ENUMERATOR(GraphDebugDotFlagsMemcpyNodeParams, 1 << 3),
    GCL_ENUMERATOR(GraphDebugDotFlagsMemsetNodeParams, 1 << 4),
    GCL_ENUMERATOR(GraphDebugDotFlagsHostNodeParams, 1 << 5),
    GCL_ENUMERATOR(GraphDebugDotFlagsEventNodeParams, 1 << 6),
    GCL_ENUMERATOR(GraphDebugDotFlagsExtSemasSignalNodeParams, 1 << 7),
    GCL_ENUMERATOR(GraphDebugDotFlagsExtSemasWaitNodeParams, 1 << 8),
    GCL_ENUMERATOR(GraphDebugDotFlagsKernelNodeAttributes, 1 << 9),
    GCL_ENUMERATOR(GraphDebugDotFlagsHandles, 1 << 10),
};

enum gclGraphMemAttributeType {
    GCL_ENUMERATOR(GraphMemAttrUsedMemCurrent, 0),
    GCL_ENUMERATOR(GraphMemAttrUsedMemHigh, 1),
    GCL_ENUMERATOR(GraphMemAttrReservedMemCurrent, 2),
    GCL_ENUMERATOR(GraphMemAttrReservedMemHigh, 3),
};

enum gclUserObjectFlags {
    GCL_ENUMERATOR(UserObjectNoDestructorSync, 1),
};

enum gclUserObjectRetainFlags {
    GCL_ENUMERATOR(GraphUserObjectMove, 1),
};

/// What the nodes of a graph do. Arguments of a kernel are copied when a node gets them.
struct gclKernelNodeParams {
    void *func;
    dim3 gridDim;
    dim3 blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams;
    void **extra;
};

/// `height` rows of `width` elements of 1, 2 or 4 bytes, `pitch` bytes apart.
struct gclMemsetParams {
    void *dst;
    size_t pitch;
    unsigned int value;
    unsigned int elementSize;
    size_t width;
    size_t height;
};

struct gclHostNodeParams {
    gclHostFn_t fn;
    void *userData;
};

struct gclMemAllocNodeParams {
    struct gclMemPoolProps poolProps;
    const struct gclMemAccessDesc *accessDescs;
    size_t accessDescCount;
    size_t bytesize;
    void *dptr; ///< is filled in
};

/// The same for cudaGraphAddNode, each beside the type that it belongs to.
struct gclMemcpyNodeParams {
    int flags;
    int reserved[3];
    struct gclMemcpy3DParms copyParams;
};

struct gclChildGraphNodeParams {
    gclGraph_t graph;
};

struct gclEventWaitNodeParams {
    gclEvent_t event;
};

struct gclEventRecordNodeParams {
    gclEvent_t event;
};

struct gclMemFreeNodeParams {
    void *dptr;
};

struct gclGraphNodeParams {
    enum gclGraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[29];
#if !defined(__cplusplus) || __cplusplus >= 201103L // dim3 has constructors
        struct gclKernelNodeParams kernel;
#endif
        struct gclMemcpyNodeParams memcpy;
        struct gclMemsetParams memset;
        struct gclHostNodeParams host;
        struct gclChildGraphNodeParams graph;
        struct gclEventWaitNodeParams eventWait;
        struct gclEventRecordNodeParams eventRecord;
        struct gclMemAllocNodeParams alloc;
        struct gclMemFreeNodeParams free;
    };
    long long reserved2;
};

/// Edges that end before a node does: none are supported, all fields are 0.
typedef struct gclGraphEdgeData_st {
    unsigned char from_port;
    unsigned char to_port;
    unsigned char type;
    unsigned char reserved[5];
} gclGraphEdgeData;

typedef struct gclGraphExecUpdateResultInfo_st {
    enum gclGraphExecUpdateResult result;
    gclGraphNode_t errorNode;
    gclGraphNode_t errorFromNode;
} gclGraphExecUpdateResultInfo;

typedef struct gclGraphInstantiateParams_st {
    unsigned long long flags;
    gclStream_t uploadStream;
    gclGraphNode_t errNode_out;
    gclGraphInstantiateResult result_out;
} gclGraphInstantiateParams;

#endif
