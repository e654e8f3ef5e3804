// The types of the runtime under CUDA's names; what they are is in gcluster/types.h.
//
// Tags are macros, because programs write `struct cudaDeviceProp` as well as `cudaDeviceProp`, and
// a type has one tag only. Enumerators already have both names.
#ifndef GCLUSTER_DRIVER_TYPES_H
#define GCLUSTER_DRIVER_TYPES_H
#define __DRIVER_TYPES_H__ // programs ask for it

#include "vector_types.h"

#include "gcluster/types.h"

#define cudaAccessPolicyWindow gclAccessPolicyWindow
#define cudaAccessProperty gclAccessProperty
#define cudaArray gclArray
#define cudaChannelFormatDesc gclChannelFormatDesc
#define cudaChannelFormatKind gclChannelFormatKind
#define cudaComputeMode gclComputeMode
#define cudaDeviceAttr gclDeviceAttr
#define cudaDeviceP2PAttr gclDeviceP2PAttr
#define cudaDeviceProp gclDeviceProp
#define cudaError gclError
#define cudaExtent gclExtent
#define cudaFuncAttribute gclFuncAttribute
#define cudaFuncAttributes gclFuncAttributes
#define cudaFuncCache gclFuncCache
#define cudaLaunchAttributeID gclLaunchAttributeID
#define cudaLaunchAttributeValue gclLaunchAttributeValue
#define cudaLaunchAttribute_st gclLaunchAttribute_st
#define cudaLaunchConfig_st gclLaunchConfig_st
#define cudaLimit gclLimit
#define cudaMemAccessDesc gclMemAccessDesc
#define cudaMemAccessFlags gclMemAccessFlags
#define cudaMemAllocationHandleType gclMemAllocationHandleType
#define cudaMemAllocationType gclMemAllocationType
#define cudaMemLocation gclMemLocation
#define cudaMemLocationType gclMemLocationType
#define cudaMemPoolAttr gclMemPoolAttr
#define cudaMemPoolProps gclMemPoolProps
#define cudaMemRangeAttribute gclMemRangeAttribute
#define cudaMemcpy3DParms gclMemcpy3DParms
#define cudaMemcpyKind gclMemcpyKind
#define cudaMemoryAdvise gclMemoryAdvise
#define cudaMemoryType gclMemoryType
#define cudaMipmappedArray gclMipmappedArray
#define cudaPitchedPtr gclPitchedPtr
#define cudaPointerAttributes gclPointerAttributes
#define cudaPos gclPos
#define cudaResourceDesc gclResourceDesc
#define cudaResourceType gclResourceType
#define cudaResourceViewDesc gclResourceViewDesc
#define cudaResourceViewFormat gclResourceViewFormat
#define cudaSharedCarveout gclSharedCarveout
#define cudaSharedMemConfig gclSharedMemConfig
#define cudaStreamCaptureStatus gclStreamCaptureStatus
#define cudaSurfaceBoundaryMode gclSurfaceBoundaryMode
#define cudaSurfaceFormatMode gclSurfaceFormatMode
#define cudaSynchronizationPolicy gclSynchronizationPolicy
#define cudaTextureAddressMode gclTextureAddressMode
#define cudaTextureDesc gclTextureDesc
#define cudaTextureFilterMode gclTextureFilterMode
#define cudaTextureReadMode gclTextureReadMode
#define cudaUUID gclUUID

typedef gclError_t cudaError_t;
typedef gclStream_t cudaStream_t;
typedef gclEvent_t cudaEvent_t;
typedef gclArray_t cudaArray_t;
typedef gclArray_const_t cudaArray_const_t;
typedef gclMipmappedArray_t cudaMipmappedArray_t;
typedef gclMipmappedArray_const_t cudaMipmappedArray_const_t;
typedef gclTextureObject_t cudaTextureObject_t;
typedef gclSurfaceObject_t cudaSurfaceObject_t;
typedef gclMemPool_t cudaMemPool_t;
typedef gclFunction_t cudaFunction_t;
typedef gclUUID_t cudaUUID_t;
typedef gclLaunchAttribute cudaLaunchAttribute;
typedef gclLaunchConfig_t cudaLaunchConfig_t;
typedef gclHostFn_t cudaHostFn_t;
typedef gclStreamCallback_t cudaStreamCallback_t;

typedef union gclLaunchAttributeValue gclStreamAttrValue;
typedef union gclLaunchAttributeValue gclKernelNodeAttrValue;
typedef enum gclLaunchAttributeID gclStreamAttrID;
typedef enum gclLaunchAttributeID gclKernelNodeAttrID;
typedef gclStreamAttrValue cudaStreamAttrValue;
typedef gclKernelNodeAttrValue cudaKernelNodeAttrValue;
typedef gclStreamAttrID cudaStreamAttrID;
typedef gclKernelNodeAttrID cudaKernelNodeAttrID;

#define cudaStreamLegacy gclStreamLegacy
#define cudaStreamPerThread gclStreamPerThread

#endif
