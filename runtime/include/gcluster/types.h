// Types of the public API: handles, enumerations, structures. Layouts of structures are our own;
// names of fields and values of enumerators are the documented ones.
//
// Each enumerator exists under two names, gclX and cudaX. A tag (struct gclDeviceProp) exists once;
// cuda_runtime_api.h gives it its other name.
#ifndef GCLUSTER_TYPES_H
#define GCLUSTER_TYPES_H

#include <stddef.h>

#include "gcluster/dim3.h"

#define GCL_ENUMERATOR(name, value) gcl##name = value, cuda##name = value

/// What every function of the API returns.
enum gclError {
// Pasted here, not handed on: X11's headers have a macro of the name Success.
#define GCL_ERROR(name, value, text) gcl##name = value, cuda##name = value,
#include "gcluster/errors.h"
#undef GCL_ERROR
    GCL_ENUMERATOR(ErrorApiFailureBase, 10000),
};
typedef enum gclError gclError_t;

/// A queue of work that runs in order. NULL is the default stream.
typedef struct CUstream_st *gclStream_t;
/// A point in a stream's work.
typedef struct CUevent_st *gclEvent_t;
/// Memory with an extent and a channel format, for textures and surfaces.
typedef struct gclArray *gclArray_t;
typedef const struct gclArray *gclArray_const_t;
typedef struct gclMipmappedArray *gclMipmappedArray_t;
typedef const struct gclMipmappedArray *gclMipmappedArray_const_t;
/// Device-readable descriptors: each is the address of a struct gcl_texture (gcluster/texture.h).
typedef unsigned long long gclTextureObject_t;
typedef unsigned long long gclSurfaceObject_t;
/// Where stream-ordered allocations come from.
typedef struct CUmemPoolHandle_st *gclMemPool_t;
typedef struct CUfunc_st *gclFunction_t;

/// Work with dependencies, to be launched many times: a graph, a node of it, and what is launched.
typedef struct CUgraph_st *gclGraph_t;
typedef struct CUgraphNode_st *gclGraphNode_t;
typedef struct CUgraphExec_st *gclGraphExec_t;
/// An object of the program's that lives as long as graphs refer to it.
typedef struct CUuserObject_st *gclUserObject_t;

/// Called on a thread of the runtime, in stream order; must not call the API.
typedef void (*gclHostFn_t)(void *data);
typedef void (*gclStreamCallback_t)(gclStream_t stream, gclError_t status, void *data);

/// The stream that waits for, and holds up, all streams made without gclStreamNonBlocking.
#define gclStreamLegacy ((gclStream_t)0x1)
/// The calling thread's own default stream.
#define gclStreamPerThread ((gclStream_t)0x2)

// Flags.
enum {
    GCL_ENUMERATOR(HostAllocDefault, 0x00),
    GCL_ENUMERATOR(HostAllocPortable, 0x01),
    GCL_ENUMERATOR(HostAllocMapped, 0x02),
    GCL_ENUMERATOR(HostAllocWriteCombined, 0x04),
    GCL_ENUMERATOR(HostRegisterDefault, 0x00),
    GCL_ENUMERATOR(HostRegisterPortable, 0x01),
    GCL_ENUMERATOR(HostRegisterMapped, 0x02),
    GCL_ENUMERATOR(HostRegisterIoMemory, 0x04),
    GCL_ENUMERATOR(HostRegisterReadOnly, 0x08),
    GCL_ENUMERATOR(PeerAccessDefault, 0x00),
    GCL_ENUMERATOR(StreamDefault, 0x00),
    GCL_ENUMERATOR(StreamNonBlocking, 0x01),
    GCL_ENUMERATOR(EventDefault, 0x00),
    GCL_ENUMERATOR(EventBlockingSync, 0x01),
    GCL_ENUMERATOR(EventDisableTiming, 0x02),
    GCL_ENUMERATOR(EventInterprocess, 0x04),
    GCL_ENUMERATOR(EventRecordDefault, 0x00),
    GCL_ENUMERATOR(EventRecordExternal, 0x01),
    GCL_ENUMERATOR(EventWaitDefault, 0x00),
    GCL_ENUMERATOR(EventWaitExternal, 0x01),
    GCL_ENUMERATOR(DeviceScheduleAuto, 0x00),
    GCL_ENUMERATOR(DeviceScheduleSpin, 0x01),
    GCL_ENUMERATOR(DeviceScheduleYield, 0x02),
    GCL_ENUMERATOR(DeviceScheduleBlockingSync, 0x04),
    GCL_ENUMERATOR(DeviceBlockingSync, 0x04),
    GCL_ENUMERATOR(DeviceScheduleMask, 0x07),
    GCL_ENUMERATOR(DeviceMapHost, 0x08),
    GCL_ENUMERATOR(DeviceLmemResizeToMax, 0x10),
    GCL_ENUMERATOR(DeviceSyncMemops, 0x80),
    GCL_ENUMERATOR(DeviceMask, 0xff),
    GCL_ENUMERATOR(ArrayDefault, 0x00),
    GCL_ENUMERATOR(ArrayLayered, 0x01),
    GCL_ENUMERATOR(ArraySurfaceLoadStore, 0x02),
    GCL_ENUMERATOR(ArrayCubemap, 0x04),
    GCL_ENUMERATOR(ArrayTextureGather, 0x08),
    GCL_ENUMERATOR(MemAttachGlobal, 0x01),
    GCL_ENUMERATOR(MemAttachHost, 0x02),
    GCL_ENUMERATOR(MemAttachSingle, 0x04),
    GCL_ENUMERATOR(TextureType1D, 0x01),
    GCL_ENUMERATOR(TextureType2D, 0x02),
    GCL_ENUMERATOR(TextureType3D, 0x03),
    GCL_ENUMERATOR(TextureTypeCubemap, 0x0c),
    GCL_ENUMERATOR(TextureType1DLayered, 0xf1),
    GCL_ENUMERATOR(TextureType2DLayered, 0xf2),
    GCL_ENUMERATOR(TextureTypeCubemapLayered, 0xfc),
    GCL_ENUMERATOR(SurfaceType1D, 0x01),
    GCL_ENUMERATOR(SurfaceType2D, 0x02),
    GCL_ENUMERATOR(SurfaceType3D, 0x03),
    GCL_ENUMERATOR(SurfaceTypeCubemap, 0x0c),
    GCL_ENUMERATOR(SurfaceType1DLayered, 0xf1),
    GCL_ENUMERATOR(SurfaceType2DLayered, 0xf2),
    GCL_ENUMERATOR(SurfaceTypeCubemapLayered, 0xfc),
    GCL_ENUMERATOR(OccupancyDefault, 0x00),
    GCL_ENUMERATOR(OccupancyDisableCachingOverride, 0x01),
    GCL_ENUMERATOR(CpuDeviceId, -1),
    GCL_ENUMERATOR(InvalidDeviceId, -2),
    GCL_ENUMERATOR(InitDeviceFlagsAreValid, 0x01),
    GCL_ENUMERATOR(IpcMemLazyEnablePeerAccess, 0x01),
    GCL_ENUMERATOR(GraphKernelNodePortDefault, 0),
    GCL_ENUMERATOR(GraphKernelNodePortProgrammatic, 1),
    GCL_ENUMERATOR(GraphKernelNodePortLaunchCompletion, 2),
    GCL_ENUMERATOR(EnableDefault, 0x00),
    GCL_ENUMERATOR(EnableLegacyStream, 0x01),
    GCL_ENUMERATOR(EnablePerThreadDefaultStream, 0x02),
};

enum gclMemcpyKind {
    GCL_ENUMERATOR(MemcpyHostToHost, 0),
    GCL_ENUMERATOR(MemcpyHostToDevice, 1),
    GCL_ENUMERATOR(MemcpyDeviceToHost, 2),
    GCL_ENUMERATOR(MemcpyDeviceToDevice, 3),
    GCL_ENUMERATOR(MemcpyDefault, 4),
};

enum gclMemoryType {
    GCL_ENUMERATOR(MemoryTypeUnregistered, 0),
    GCL_ENUMERATOR(MemoryTypeHost, 1),
    GCL_ENUMERATOR(MemoryTypeDevice, 2),
    GCL_ENUMERATOR(MemoryTypeManaged, 3),
};

enum gclMemoryAdvise {
    GCL_ENUMERATOR(MemAdviseSetReadMostly, 1),
    GCL_ENUMERATOR(MemAdviseUnsetReadMostly, 2),
    GCL_ENUMERATOR(MemAdviseSetPreferredLocation, 3),
    GCL_ENUMERATOR(MemAdviseUnsetPreferredLocation, 4),
    GCL_ENUMERATOR(MemAdviseSetAccessedBy, 5),
    GCL_ENUMERATOR(MemAdviseUnsetAccessedBy, 6),
};

enum gclMemRangeAttribute {
    GCL_ENUMERATOR(MemRangeAttributeReadMostly, 1),
    GCL_ENUMERATOR(MemRangeAttributePreferredLocation, 2),
    GCL_ENUMERATOR(MemRangeAttributeAccessedBy, 3),
    GCL_ENUMERATOR(MemRangeAttributeLastPrefetchLocation, 4),
};

enum gclChannelFormatKind {
    GCL_ENUMERATOR(ChannelFormatKindSigned, 0),
    GCL_ENUMERATOR(ChannelFormatKindUnsigned, 1),
    GCL_ENUMERATOR(ChannelFormatKindFloat, 2),
    GCL_ENUMERATOR(ChannelFormatKindNone, 3),
};

enum gclTextureAddressMode {
    GCL_ENUMERATOR(AddressModeWrap, 0),
    GCL_ENUMERATOR(AddressModeClamp, 1),
    GCL_ENUMERATOR(AddressModeMirror, 2),
    GCL_ENUMERATOR(AddressModeBorder, 3),
};

enum gclTextureFilterMode {
    GCL_ENUMERATOR(FilterModePoint, 0),
    GCL_ENUMERATOR(FilterModeLinear, 1),
};

enum gclTextureReadMode {
    GCL_ENUMERATOR(ReadModeElementType, 0),
    GCL_ENUMERATOR(ReadModeNormalizedFloat, 1),
};

enum gclSurfaceBoundaryMode {
    GCL_ENUMERATOR(BoundaryModeZero, 0),
    GCL_ENUMERATOR(BoundaryModeClamp, 1),
    GCL_ENUMERATOR(BoundaryModeTrap, 2),
};

enum gclSurfaceFormatMode {
    GCL_ENUMERATOR(FormatModeForced, 0),
    GCL_ENUMERATOR(FormatModeAuto, 1),
};

enum gclResourceType {
    GCL_ENUMERATOR(ResourceTypeArray, 0),
    GCL_ENUMERATOR(ResourceTypeMipmappedArray, 1),
    GCL_ENUMERATOR(ResourceTypeLinear, 2),
    GCL_ENUMERATOR(ResourceTypePitch2D, 3),
};

enum gclResourceViewFormat {
    GCL_ENUMERATOR(ResViewFormatNone, 0),
};

enum gclFuncCache {
    GCL_ENUMERATOR(FuncCachePreferNone, 0),
    GCL_ENUMERATOR(FuncCachePreferShared, 1),
    GCL_ENUMERATOR(FuncCachePreferL1, 2),
    GCL_ENUMERATOR(FuncCachePreferEqual, 3),
};

enum gclSharedMemConfig {
    GCL_ENUMERATOR(SharedMemBankSizeDefault, 0),
    GCL_ENUMERATOR(SharedMemBankSizeFourByte, 1),
    GCL_ENUMERATOR(SharedMemBankSizeEightByte, 2),
};

enum gclSharedCarveout {
    GCL_ENUMERATOR(SharedmemCarveoutDefault, -1),
    GCL_ENUMERATOR(SharedmemCarveoutMaxL1, 0),
    GCL_ENUMERATOR(SharedmemCarveoutMaxShared, 100),
};

enum gclFuncAttribute {
    GCL_ENUMERATOR(FuncAttributeMaxDynamicSharedMemorySize, 8),
    GCL_ENUMERATOR(FuncAttributePreferredSharedMemoryCarveout, 9),
    GCL_ENUMERATOR(FuncAttributeClusterDimMustBeSet, 10),
    GCL_ENUMERATOR(FuncAttributeRequiredClusterWidth, 11),
    GCL_ENUMERATOR(FuncAttributeRequiredClusterHeight, 12),
    GCL_ENUMERATOR(FuncAttributeRequiredClusterDepth, 13),
    GCL_ENUMERATOR(FuncAttributeNonPortableClusterSizeAllowed, 14),
    GCL_ENUMERATOR(FuncAttributeClusterSchedulingPolicyPreference, 15),
    GCL_ENUMERATOR(FuncAttributeMax, 16),
};

enum gclLimit {
    GCL_ENUMERATOR(LimitStackSize, 0),
    GCL_ENUMERATOR(LimitPrintfFifoSize, 1),
    GCL_ENUMERATOR(LimitMallocHeapSize, 2),
    GCL_ENUMERATOR(LimitDevRuntimeSyncDepth, 3),
    GCL_ENUMERATOR(LimitDevRuntimePendingLaunchCount, 4),
    GCL_ENUMERATOR(LimitMaxL2FetchGranularity, 5),
    GCL_ENUMERATOR(LimitPersistingL2CacheSize, 6),
};

enum gclComputeMode {
    GCL_ENUMERATOR(ComputeModeDefault, 0),
    GCL_ENUMERATOR(ComputeModeExclusive, 1),
    GCL_ENUMERATOR(ComputeModeProhibited, 2),
    GCL_ENUMERATOR(ComputeModeExclusiveProcess, 3),
};

enum gclDeviceAttr {
#define GCL_ATTRIBUTE(name, value) GCL_ENUMERATOR(DevAttr##name, value),
#include "gcluster/attributes.h"
#undef GCL_ATTRIBUTE
};

enum gclDeviceP2PAttr {
    GCL_ENUMERATOR(DevP2PAttrPerformanceRank, 1),
    GCL_ENUMERATOR(DevP2PAttrAccessSupported, 2),
    GCL_ENUMERATOR(DevP2PAttrNativeAtomicSupported, 3),
    GCL_ENUMERATOR(DevP2PAttrCudaArrayAccessSupported, 4),
};

enum gclMemPoolAttr {
    GCL_ENUMERATOR(MemPoolReuseFollowEventDependencies, 1),
    GCL_ENUMERATOR(MemPoolReuseAllowOpportunistic, 2),
    GCL_ENUMERATOR(MemPoolReuseAllowInternalDependencies, 3),
    GCL_ENUMERATOR(MemPoolAttrReleaseThreshold, 4),
    GCL_ENUMERATOR(MemPoolAttrReservedMemCurrent, 5),
    GCL_ENUMERATOR(MemPoolAttrReservedMemHigh, 6),
    GCL_ENUMERATOR(MemPoolAttrUsedMemCurrent, 7),
    GCL_ENUMERATOR(MemPoolAttrUsedMemHigh, 8),
};

enum gclMemLocationType {
    GCL_ENUMERATOR(MemLocationTypeInvalid, 0),
    GCL_ENUMERATOR(MemLocationTypeDevice, 1),
    GCL_ENUMERATOR(MemLocationTypeHost, 2),
    GCL_ENUMERATOR(MemLocationTypeHostNuma, 3),
    GCL_ENUMERATOR(MemLocationTypeHostNumaCurrent, 4),
};

enum gclMemAccessFlags {
    GCL_ENUMERATOR(MemAccessFlagsProtNone, 0),
    GCL_ENUMERATOR(MemAccessFlagsProtRead, 1),
    GCL_ENUMERATOR(MemAccessFlagsProtReadWrite, 3),
};

/// When a batch's copy may read its source: in stream order, before the call returns, or whenever.
enum gclMemcpySrcAccessOrder {
    GCL_ENUMERATOR(MemcpySrcAccessOrderInvalid, 0),
    GCL_ENUMERATOR(MemcpySrcAccessOrderStream, 1),
    GCL_ENUMERATOR(MemcpySrcAccessOrderDuringApiCall, 2),
    GCL_ENUMERATOR(MemcpySrcAccessOrderAny, 3),
    GCL_ENUMERATOR(MemcpySrcAccessOrderMax, 0x7fffffff),
};

enum gclMemcpyFlags {
    GCL_ENUMERATOR(MemcpyFlagDefault, 0),
    GCL_ENUMERATOR(MemcpyFlagPreferOverlapWithCompute, 1),
};

enum gclMemAllocationType {
    GCL_ENUMERATOR(MemAllocationTypeInvalid, 0),
    GCL_ENUMERATOR(MemAllocationTypePinned, 1),
};

enum gclMemAllocationHandleType {
    GCL_ENUMERATOR(MemHandleTypeNone, 0),
    GCL_ENUMERATOR(MemHandleTypePosixFileDescriptor, 1),
};

enum gclDriverEntryPointQueryResult {
    GCL_ENUMERATOR(DriverEntryPointSuccess, 0),
    GCL_ENUMERATOR(DriverEntryPointSymbolNotFound, 1),
    GCL_ENUMERATOR(DriverEntryPointVersionNotSufficent, 2), // as CUDA spells it
};

enum gclStreamCaptureStatus {
    GCL_ENUMERATOR(StreamCaptureStatusNone, 0),
    GCL_ENUMERATOR(StreamCaptureStatusActive, 1),
    GCL_ENUMERATOR(StreamCaptureStatusInvalidated, 2),
};

enum gclAccessProperty {
    GCL_ENUMERATOR(AccessPropertyNormal, 0),
    GCL_ENUMERATOR(AccessPropertyStreaming, 1),
    GCL_ENUMERATOR(AccessPropertyPersisting, 2),
};

enum gclSynchronizationPolicy {
    GCL_ENUMERATOR(SyncPolicyAuto, 1),
    GCL_ENUMERATOR(SyncPolicySpin, 2),
    GCL_ENUMERATOR(SyncPolicyYield, 3),
    GCL_ENUMERATOR(SyncPolicyBlockingSync, 4),
};

enum gclLaunchAttributeID {
    GCL_ENUMERATOR(LaunchAttributeIgnore, 0),
    GCL_ENUMERATOR(LaunchAttributeAccessPolicyWindow, 1),
    GCL_ENUMERATOR(LaunchAttributeCooperative, 2),
    GCL_ENUMERATOR(LaunchAttributeSynchronizationPolicy, 3),
    GCL_ENUMERATOR(LaunchAttributeClusterDimension, 4),
    GCL_ENUMERATOR(LaunchAttributeClusterSchedulingPolicyPreference, 5),
    GCL_ENUMERATOR(LaunchAttributeProgrammaticStreamSerialization, 6),
    GCL_ENUMERATOR(LaunchAttributeProgrammaticEvent, 7),
    GCL_ENUMERATOR(LaunchAttributePriority, 8),
    GCL_ENUMERATOR(StreamAttributeAccessPolicyWindow, 1),
    GCL_ENUMERATOR(StreamAttributeSynchronizationPolicy, 3),
    GCL_ENUMERATOR(StreamAttributePriority, 8),
    GCL_ENUMERATOR(KernelNodeAttributeAccessPolicyWindow, 1),
    GCL_ENUMERATOR(KernelNodeAttributeCooperative, 2),
    GCL_ENUMERATOR(KernelNodeAttributePriority, 8),
};

typedef struct gclUUID {
    char bytes[16];
} gclUUID_t;

/// By which another process of the same user on this host gets at memory, or an event.
typedef struct gclIpcMemHandle_st {
    char reserved[64];
} gclIpcMemHandle_t;

typedef struct gclIpcEventHandle_st {
    char reserved[64];
} gclIpcEventHandle_t;

struct gclExtent {
    size_t width; ///< elements for arrays, bytes otherwise
    size_t height, depth;
};

struct gclPos {
    size_t x, y, z;
};

struct gclPitchedPtr {
    void *ptr;
    size_t pitch; ///< bytes from row to row
    size_t xsize, ysize;
};

struct gclChannelFormatDesc {
    int x, y, z, w; ///< bits of each channel
    enum gclChannelFormatKind f;
};

struct gclMemcpy3DParms {
    gclArray_t srcArray;
    struct gclPos srcPos;
    struct gclPitchedPtr srcPtr;
    gclArray_t dstArray;
    struct gclPos dstPos;
    struct gclPitchedPtr dstPtr;
    struct gclExtent extent;
    enum gclMemcpyKind kind;
};

struct gclMemcpy3DPeerParms {
    gclArray_t srcArray;
    struct gclPos srcPos;
    struct gclPitchedPtr srcPtr;
    int srcDevice;
    gclArray_t dstArray;
    struct gclPos dstPos;
    struct gclPitchedPtr dstPtr;
    int dstDevice;
    struct gclExtent extent;
};

struct gclPointerAttributes {
    enum gclMemoryType type;
    int device;
    void *devicePointer;
    void *hostPointer;
};

struct gclFuncAttributes {
    size_t sharedSizeBytes;
    size_t constSizeBytes;
    size_t localSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int ptxVersion;
    int binaryVersion;
    int cacheModeCA;
    int maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
    int clusterDimMustBeSet;
    int requiredClusterWidth;
    int requiredClusterHeight;
    int requiredClusterDepth;
    int clusterSchedulingPolicyPreference;
    int nonPortableClusterSizeAllowed;
};

struct gclResourceDesc {
    enum gclResourceType resType;
    union {
        struct {
            gclArray_t array;
        } array;
        struct {
            gclMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void *devPtr;
            struct gclChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            struct gclChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};

struct gclResourceViewDesc {
    enum gclResourceViewFormat format;
    size_t width, height, depth;
    unsigned int firstMipmapLevel, lastMipmapLevel;
    unsigned int firstLayer, lastLayer;
};

struct gclTextureDesc {
    enum gclTextureAddressMode addressMode[3];
    enum gclTextureFilterMode filterMode;
    enum gclTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    enum gclTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias;
    float minMipmapLevelClamp;
    float maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int seamlessCubemap;
};

struct gclMemLocation {
    enum gclMemLocationType type;
    int id;
};

/// Of copies in a batch; locations and flags are hints.
typedef struct gclMemcpyAttributes {
    enum gclMemcpySrcAccessOrder srcAccessOrder;
    struct gclMemLocation srcLocHint, dstLocHint;
    unsigned int flags;
} gclMemcpyAttributes;

struct gclMemAccessDesc {
    struct gclMemLocation location;
    enum gclMemAccessFlags flags;
};

struct gclMemPoolProps {
    enum gclMemAllocationType allocType;
    enum gclMemAllocationHandleType handleTypes;
    struct gclMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
};

struct gclAccessPolicyWindow {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    enum gclAccessProperty hitProp;
    enum gclAccessProperty missProp;
};

union gclLaunchAttributeValue {
    char pad[64];
    struct gclAccessPolicyWindow accessPolicyWindow;
    int cooperative;
    enum gclSynchronizationPolicy syncPolicy;
    struct {
        unsigned int x, y, z;
    } clusterDim;
    int priority;
    int programmaticStreamSerializationAllowed;
};

typedef struct gclLaunchAttribute_st {
    enum gclLaunchAttributeID id;
    union gclLaunchAttributeValue val;
} gclLaunchAttribute;

typedef struct gclLaunchConfig_st {
    dim3 gridDim;
    dim3 blockDim;
    size_t dynamicSmemBytes;
    gclStream_t stream;
    gclLaunchAttribute *attrs;
    unsigned int numAttrs;
} gclLaunchConfig_t;

struct gclDeviceProp {
    char name[256];
    gclUUID_t uuid;
    char luid[8];
    unsigned int luidDeviceNodeMask;
    size_t totalGlobalMem;
    size_t sharedMemPerBlock;
    int regsPerBlock;
    int warpSize;
    size_t memPitch;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    int clockRate; ///< kHz
    size_t totalConstMem;
    int major;
    int minor;
    size_t textureAlignment;
    size_t texturePitchAlignment;
    int deviceOverlap;
    int multiProcessorCount;
    int kernelExecTimeoutEnabled;
    int integrated;
    int canMapHostMemory;
    int computeMode;
    int maxTexture1D;
    int maxTexture1DMipmap;
    int maxTexture1DLinear;
    int maxTexture2D[2];
    int maxTexture2DMipmap[2];
    int maxTexture2DLinear[3];
    int maxTexture2DGather[2];
    int maxTexture3D[3];
    int maxTexture3DAlt[3];
    int maxTextureCubemap;
    int maxTexture1DLayered[2];
    int maxTexture2DLayered[3];
    int maxTextureCubemapLayered[2];
    int maxSurface1D;
    int maxSurface2D[2];
    int maxSurface3D[3];
    int maxSurface1DLayered[2];
    int maxSurface2DLayered[3];
    int maxSurfaceCubemap;
    int maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels;
    int ECCEnabled;
    int pciBusID;
    int pciDeviceID;
    int pciDomainID;
    int tccDriver;
    int asyncEngineCount;
    int unifiedAddressing;
    int memoryClockRate; ///< kHz
    int memoryBusWidth;  ///< bits
    int l2CacheSize;
    int persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported;
    int globalL1CacheSupported;
    int localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor;
    int managedMemory;
    int isMultiGpuBoard;
    int multiGpuBoardGroupID;
    int hostNativeAtomicSupported;
    int singleToDoublePrecisionPerfRatio;
    int pageableMemoryAccess;
    int concurrentManagedAccess;
    int computePreemptionSupported;
    int canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    int cooperativeMultiDeviceLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables;
    int directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported;
    int sparseCudaArraySupported;
    int hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported;
    int memoryPoolsSupported;
    int gpuDirectRDMASupported;
    unsigned int gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned int memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported;
    int ipcEventSupported;
    int clusterLaunch;
    int unifiedFunctionPointers;
};

#include "gcluster/graph_types.h"
#include "gcluster/references.h"

#endif
