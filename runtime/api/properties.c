// What the device says about itself: a GPU by its driver, a CPU in the words of a GPU. A core is a
// multiprocessor. Of several nodes that are one device, cores and memory are the sums of all, and
// limits those of the least.
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "api/launch.h"
#include "exec/memory/space.h"

enum { TEXTURE_1D = 131072, TEXTURE_2D = 65536 };
enum { TEXTURE_3D = 16384, LAYERS = 2048 };

static void set_textures(struct gclDeviceProp *p) {
    p->textureAlignment = 512;
    p->texturePitchAlignment = 32;
    p->surfaceAlignment = 512;
    p->maxTexture1D = p->maxTexture1DMipmap = p->maxSurface1D = TEXTURE_1D;
    p->maxTexture1DLinear = INT32_MAX;
    for (int i = 0; i < 2; i++) {
        p->maxTexture2D[i] = p->maxTexture2DMipmap[i] = TEXTURE_2D;
        p->maxTexture2DLinear[i] = p->maxTexture2DGather[i] = p->maxSurface2D[i] = TEXTURE_2D;
        p->maxTexture2DLayered[i] = p->maxSurface2DLayered[i] = TEXTURE_2D / 2;
    }
    p->maxTexture2DLinear[2] = INT32_MAX; // pitch
    for (int i = 0; i < 3; i++)
        p->maxTexture3D[i] = p->maxTexture3DAlt[i] = p->maxSurface3D[i] = TEXTURE_3D;
    p->maxTextureCubemap = p->maxSurfaceCubemap = TEXTURE_2D / 2;
    p->maxTexture1DLayered[0] = p->maxSurface1DLayered[0] = TEXTURE_2D / 2;
    p->maxTextureCubemapLayered[0] = p->maxSurfaceCubemapLayered[0] = TEXTURE_2D / 2;
    p->maxTexture1DLayered[1] = p->maxSurface1DLayered[1] = LAYERS;
    p->maxTexture2DLayered[2] = p->maxSurface2DLayered[2] = LAYERS;
    p->maxTextureCubemapLayered[1] = p->maxSurfaceCubemapLayered[1] = LAYERS - 2;
}

static void set_limits(const struct gcl_limits *limits, struct gclDeviceProp *p) {
    p->warpSize = 32;
    p->maxThreadsPerBlock = GCL_MAX_THREADS;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = GCL_MAX_THREADS;
    p->maxThreadsDim[2] = GCL_MAX_BLOCK_Z;
    p->maxGridSize[0] = GCL_MAX_GRID_X;
    p->maxGridSize[1] = p->maxGridSize[2] = GCL_MAX_GRID_YZ;
    p->major = (int)limits->capability / 10;
    p->minor = (int)limits->capability % 10;
    p->maxThreadsPerMultiProcessor = (int)limits->threads_per_core;
    p->maxBlocksPerMultiProcessor = (int)limits->blocks_per_core;
    p->sharedMemPerBlock = limits->shared_size;
    p->sharedMemPerBlockOptin = limits->shared_size_optin;
    p->sharedMemPerMultiprocessor = limits->shared_size_per_core;
    p->reservedSharedMemPerBlock = GCL_LIMIT_SHARED_RESERVED;
    p->regsPerBlock = p->regsPerMultiprocessor = (int)limits->registers_per_core;
    p->memPitch = INT32_MAX;
    p->totalConstMem = 64 << 10;
}

// Flags that aren't set are 0: among them what later cannot hold on a cluster, such as kernels that
// use any host memory. `can_share`: with other processes.
static void set_abilities(struct gclDeviceProp *p, bool can_share) {
    p->asyncEngineCount = 1;
    p->deviceOverlap = 1;
    p->concurrentKernels = 1;
    p->canMapHostMemory = 1;
    p->unifiedAddressing = 1;
    p->ipcEventSupported = can_share;
    p->managedMemory = 1;
    p->concurrentManagedAccess = 1;
    p->hostRegisterSupported = 1;
    p->streamPrioritiesSupported = 1;
    p->globalL1CacheSupported = 1;
    p->localL1CacheSupported = 1;
    p->computePreemptionSupported = 1;
    p->cooperativeLaunch = 1;
    p->memoryPoolsSupported = 1;
}

/// A GPU is called what others call it, unless it is one of several devices.
static void set_identity(const struct gcl_runtime *runtime, unsigned index,
                         struct gclDeviceProp *p) {
    static const unsigned char none[sizeof p->uuid.bytes];
    const struct gcl_device_properties *own = runtime->device->properties();
    const char *processor = runtime->devices[index].processor;
    bool is_gpu = memcmp(own->uuid, none, sizeof none) != 0;
    char id[sizeof p->uuid.bytes + 1];
    snprintf(p->name, sizeof p->name, is_gpu ? "%s" : "gcluster CPU: %s",
             processor ? processor : own->name);
    snprintf(id, sizeof id, "gcluster-cpu%04x", index & 0xffff);
    memcpy(p->uuid.bytes, is_gpu && runtime->device_count == 1 ? (const char *)own->uuid : id,
           sizeof p->uuid.bytes);
    p->pciDomainID = (int)gcl_devices_pci_domain(index);
    p->pciBusID = (int)gcl_devices_pci_bus(index);
    p->multiGpuBoardGroupID = (int)index;
}

// The first device is the program's own process; others see what the host writes from the next
// launch on, and none of its own memory.
static void set_host_abilities(unsigned index, struct gclDeviceProp *p) {
    p->hostNativeAtomicSupported = index == 0;
    p->canUseHostPointerForRegisteredMem = index == 0;
}

static void fill(const struct gcl_runtime *runtime, unsigned index, struct gclDeviceProp *p) {
    assert(index < runtime->device_count);
    const struct gcl_visible_device *device = &runtime->devices[index];
    const struct gcl_device_properties *own = runtime->device->properties();
    memset(p, 0, sizeof *p);
    set_identity(runtime, index, p);
    p->totalGlobalMem = gcl_space_capacity(runtime->space, index);
    p->multiProcessorCount = (int)device->core_count;
    p->clockRate = own->clock_khz;
    p->memoryClockRate = own->memory_clock_khz;
    p->memoryBusWidth = own->memory_bus_width;
    p->l2CacheSize = own->l2_size;
    p->singleToDoublePrecisionPerfRatio = own->double_ratio;
    set_limits(&runtime->limits, p);
    set_textures(p);
    set_abilities(p, !runtime->spread && !runtime->device->is_apart);
    set_host_abilities(index, p);
}

GCL_API(GetDeviceProperties, (struct gclDeviceProp * properties, int device)) {
    struct gcl_runtime *runtime;
    gclError_t error = gcl_api_enter(&runtime);

    if (error)
        return gcl_api_leave(error);
    if (!properties)
        return gcl_api_leave(gclErrorInvalidValue);
    if (!gcl_devices_has(device))
        return gcl_api_leave(gclErrorInvalidDevice);
    fill(runtime, (unsigned)device, properties);
    return gclSuccess;
}

// Attributes are fields of the properties under another name.
static const struct attribute {
    int id;
    size_t offset;
    size_t size;
} attributes[] = {
#define FIELD(name, field)                                                                         \
    {gclDevAttr##name, offsetof(struct gclDeviceProp, field),                                      \
     sizeof(((struct gclDeviceProp *)0)->field)}
    FIELD(MaxThreadsPerBlock, maxThreadsPerBlock),
    FIELD(MaxBlockDimX, maxThreadsDim[0]),
    FIELD(MaxBlockDimY, maxThreadsDim[1]),
    FIELD(MaxBlockDimZ, maxThreadsDim[2]),
    FIELD(MaxGridDimX, maxGridSize[0]),
    FIELD(MaxGridDimY, maxGridSize[1]),
    FIELD(MaxGridDimZ, maxGridSize[2]),
    FIELD(MaxSharedMemoryPerBlock, sharedMemPerBlock),
    FIELD(TotalConstantMemory, totalConstMem),
    FIELD(WarpSize, warpSize),
    FIELD(MaxPitch, memPitch),
    FIELD(MaxRegistersPerBlock, regsPerBlock),
    FIELD(ClockRate, clockRate),
    FIELD(TextureAlignment, textureAlignment),
    FIELD(GpuOverlap, deviceOverlap),
    FIELD(MultiProcessorCount, multiProcessorCount),
    FIELD(KernelExecTimeout, kernelExecTimeoutEnabled),
    FIELD(Integrated, integrated),
    FIELD(CanMapHostMemory, canMapHostMemory),
    FIELD(ComputeMode, computeMode),
    FIELD(MaxTexture1DWidth, maxTexture1D),
    FIELD(MaxTexture2DWidth, maxTexture2D[0]),
    FIELD(MaxTexture2DHeight, maxTexture2D[1]),
    FIELD(MaxTexture3DWidth, maxTexture3D[0]),
    FIELD(MaxTexture3DHeight, maxTexture3D[1]),
    FIELD(MaxTexture3DDepth, maxTexture3D[2]),
    FIELD(MaxTexture2DLayeredWidth, maxTexture2DLayered[0]),
    FIELD(MaxTexture2DLayeredHeight, maxTexture2DLayered[1]),
    FIELD(MaxTexture2DLayeredLayers, maxTexture2DLayered[2]),
    FIELD(SurfaceAlignment, surfaceAlignment),
    FIELD(ConcurrentKernels, concurrentKernels),
    FIELD(EccEnabled, ECCEnabled),
    FIELD(PciBusId, pciBusID),
    FIELD(PciDeviceId, pciDeviceID),
    FIELD(TccDriver, tccDriver),
    FIELD(MemoryClockRate, memoryClockRate),
    FIELD(GlobalMemoryBusWidth, memoryBusWidth),
    FIELD(L2CacheSize, l2CacheSize),
    FIELD(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    FIELD(AsyncEngineCount, asyncEngineCount),
    FIELD(UnifiedAddressing, unifiedAddressing),
    FIELD(MaxTexture1DLayeredLayers, maxTexture1DLayered[1]),
    FIELD(MaxTexture3DWidthAlt, maxTexture3DAlt[0]),
    FIELD(PciDomainId, pciDomainID),
    FIELD(TexturePitchAlignment, texturePitchAlignment),
    FIELD(MaxTextureCubemapWidth, maxTextureCubemap),
    FIELD(MaxSurface1DWidth, maxSurface1D),
    FIELD(MaxSurface2DWidth, maxSurface2D[0]),
    FIELD(MaxSurface3DWidth, maxSurface3D[0]),
    FIELD(MaxSurface3DDepth, maxSurface3D[2]),
    FIELD(MaxSurface2DLayeredHeight, maxSurface2DLayered[1]),
    FIELD(MaxSurface2DLayeredLayers, maxSurface2DLayered[2]),
    FIELD(MaxSurfaceCubemapWidth, maxSurfaceCubemap),
    FIELD(MaxTexture1DLinearWidth, maxTexture1DLinear),
    FIELD(MaxTexture2DLinearHeight, maxTexture2DLinear[1]),
    FIELD(MaxTexture2DLinearPitch, maxTexture2DLinear[2]),
    FIELD(MaxTexture2DMipmappedWidth, maxTexture2DMipmap[0]),
    FIELD(MaxTexture2DMipmappedHeight, maxTexture2DMipmap[1]),
    FIELD(ComputeCapabilityMajor, major),
    FIELD(ComputeCapabilityMinor, minor),
    FIELD(MaxTexture1DMipmappedWidth, maxTexture1DMipmap),
    FIELD(StreamPrioritiesSupported, streamPrioritiesSupported),
    FIELD(GlobalL1CacheSupported, globalL1CacheSupported),
    FIELD(LocalL1CacheSupported, localL1CacheSupported),
    FIELD(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor),
    FIELD(MaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    FIELD(ManagedMemory, managedMemory),
    FIELD(IsMultiGpuBoard, isMultiGpuBoard),
    FIELD(MultiGpuBoardGroupID, multiGpuBoardGroupID),
    FIELD(HostNativeAtomicSupported, hostNativeAtomicSupported),
    FIELD(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio),
    FIELD(PageableMemoryAccess, pageableMemoryAccess),
    FIELD(ConcurrentManagedAccess, concurrentManagedAccess),
    FIELD(ComputePreemptionSupported, computePreemptionSupported),
    FIELD(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem),
    FIELD(CooperativeLaunch, cooperativeLaunch),
    FIELD(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch),
    FIELD(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin),
    FIELD(HostRegisterSupported, hostRegisterSupported),
    FIELD(PageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables),
    FIELD(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost),
    FIELD(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor),
    FIELD(MaxPersistingL2CacheSize, persistingL2CacheMaxSize),
    FIELD(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize),
    FIELD(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock),
    FIELD(SparseCudaArraySupported, sparseCudaArraySupported),
    FIELD(HostRegisterReadOnlySupported, hostRegisterReadOnlySupported),
    FIELD(TimelineSemaphoreInteropSupported, timelineSemaphoreInteropSupported),
    FIELD(MemoryPoolsSupported, memoryPoolsSupported),
    FIELD(GPUDirectRDMASupported, gpuDirectRDMASupported),
    FIELD(GPUDirectRDMAFlushWritesOptions, gpuDirectRDMAFlushWritesOptions),
    FIELD(GPUDirectRDMAWritesOrdering, gpuDirectRDMAWritesOrdering),
    FIELD(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes),
    FIELD(ClusterLaunch, clusterLaunch),
    FIELD(DeferredMappingCudaArraySupported, deferredMappingCudaArraySupported),
    FIELD(IpcEventSupport, ipcEventSupported),
    FIELD(MaxTexture1DLayeredWidth, maxTexture1DLayered[0]),
    FIELD(MaxTexture2DGatherWidth, maxTexture2DGather[0]),
    FIELD(MaxTexture2DGatherHeight, maxTexture2DGather[1]),
    FIELD(MaxTexture3DHeightAlt, maxTexture3DAlt[1]),
    FIELD(MaxTexture3DDepthAlt, maxTexture3DAlt[2]),
    FIELD(MaxTextureCubemapLayeredWidth, maxTextureCubemapLayered[0]),
    FIELD(MaxTextureCubemapLayeredLayers, maxTextureCubemapLayered[1]),
    FIELD(MaxSurface2DHeight, maxSurface2D[1]),
    FIELD(MaxSurface3DHeight, maxSurface3D[1]),
    FIELD(MaxSurface1DLayeredWidth, maxSurface1DLayered[0]),
    FIELD(MaxSurface1DLayeredLayers, maxSurface1DLayered[1]),
    FIELD(MaxSurface2DLayeredWidth, maxSurface2DLayered[0]),
    FIELD(MaxSurfaceCubemapLayeredWidth, maxSurfaceCubemapLayered[0]),
    FIELD(MaxSurfaceCubemapLayeredLayers, maxSurfaceCubemapLayered[1]),
    FIELD(MaxTexture2DLinearWidth, maxTexture2DLinear[0]),
#undef FIELD
};

static int read_field(const struct gclDeviceProp *properties, const struct attribute *attribute) {
    const unsigned char *field = (const unsigned char *)properties + attribute->offset;
    assert(attribute->offset + sizeof(int) <= sizeof *properties);
    if (attribute->size == sizeof(size_t)) {
        size_t value;
        memcpy(&value, field, sizeof value);
        return (int)value;
    }
    int value;
    memcpy(&value, field, sizeof value);
    return value;
}

static bool is_known(int attribute) {
    switch (attribute) {
#define GCL_ATTRIBUTE(name, value) case value:
#include "gcluster/attributes.h"
#undef GCL_ATTRIBUTE
        return true;
    default:
        return false;
    }
}

GCL_API(DeviceGetAttribute, (int *value, enum gclDeviceAttr attribute, int device)) {
    struct gclDeviceProp properties;
    gclError_t error = gclGetDeviceProperties(&properties, device);

    if (error)
        return error;
    if (!value || !is_known((int)attribute))
        return gcl_api_leave(gclErrorInvalidValue);
    *value = 0;
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        if (attributes[i].id == (int)attribute)
            *value = read_field(&properties, &attributes[i]);
    }
    return gclSuccess;
}
