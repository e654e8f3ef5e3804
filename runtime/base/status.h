// What can go wrong in the world: one list of statuses, with what each means to a CUDA program.
//
// The function that first decides on a status other than GCL_OK logs the cause; callers pass it on.
#ifndef GCL_BASE_STATUS_H
#define GCL_BASE_STATUS_H

/// GCL_STATUS_MAP(X): X(name, error of the API)
#define GCL_STATUS_MAP(X)                                                                          \
    X(OK, Success)                                                                                 \
    X(NO_MEMORY, ErrorMemoryAllocation)                                                            \
    X(INVALID, ErrorInvalidValue)                                                                  \
    X(INVALID_HANDLE, ErrorInvalidResourceHandle)                                                  \
    X(NOT_READY, ErrorNotReady)                                                                    \
    X(NOT_PERMITTED, ErrorNotPermitted)                                                            \
    X(NO_IMAGE, ErrorNoKernelImageForDevice)                                                       \
    X(NO_FUNCTION, ErrorInvalidDeviceFunction)                                                     \
    X(NO_SYMBOL, ErrorInvalidSymbol)                                                               \
    X(ASSERT, ErrorAssert)                                                                         \
    X(TRAP, ErrorLaunchFailure)                                                                    \
    X(ILLEGAL_ADDRESS, ErrorIllegalAddress)                                                        \
    X(ILLEGAL_INSTRUCTION, ErrorIllegalInstruction)                                                \
    X(OUT_OF_RESOURCES, ErrorLaunchOutOfResources)                                                 \
    X(TIMEOUT, ErrorLaunchTimeout)                                                                 \
    X(SYSTEM, ErrorOperatingSystem)                                                                \
    X(NODE_LOST, ErrorNodeLost)                                                                    \
    X(UNAVAILABLE, ErrorDevicesUnavailable)                                                        \
    X(UNLOADING, ErrorCudartUnloading)

enum gcl_status {
#define GCL_STATUS(name, error) GCL_##name,
    GCL_STATUS_MAP(GCL_STATUS)
#undef GCL_STATUS
};

#define GCL_MUST_USE __attribute__((warn_unused_result))

#endif
