// X(name, value, what it means): the results of the driver's calls, as far as the test driver gives
// or passes them.
#define CARD_RESULTS(X)                                                                            \
    X(CUDA_SUCCESS, 0, "no error")                                                                 \
    X(CUDA_ERROR_INVALID_VALUE, 1, "invalid argument")                                             \
    X(CUDA_ERROR_OUT_OF_MEMORY, 2, "out of memory")                                                \
    X(CUDA_ERROR_NOT_INITIALIZED, 3, "initialization error")                                       \
    X(CUDA_ERROR_DEINITIALIZED, 4, "driver shutting down")                                         \
    X(CUDA_ERROR_DEVICE_UNAVAILABLE, 46, "device is busy or unavailable")                          \
    X(CUDA_ERROR_NO_DEVICE, 100, "no device is detected")                                          \
    X(CUDA_ERROR_INVALID_DEVICE, 101, "invalid device ordinal")                                    \
    X(CUDA_ERROR_INVALID_IMAGE, 200, "device kernel image is invalid")                             \
    X(CUDA_ERROR_INVALID_CONTEXT, 201, "invalid device context")                                   \
    X(CUDA_ERROR_MAP_FAILED, 205, "mapping failed")                                                \
    X(CUDA_ERROR_UNMAP_FAILED, 206, "unmapping failed")                                            \
    X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209, "no kernel image is there for the device")                \
    X(CUDA_ERROR_ECC_UNCORRECTABLE, 214, "uncorrectable ECC error")                                \
    X(CUDA_ERROR_UNSUPPORTED_LIMIT, 215, "limit is not supported on this architecture")            \
    X(CUDA_ERROR_INVALID_PTX, 218, "a PTX JIT compilation failed")                                 \
    X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222, "the PTX is of an unsupported version")             \
    X(CUDA_ERROR_OPERATING_SYSTEM, 304, "a call of the operating system failed")                   \
    X(CUDA_ERROR_INVALID_HANDLE, 400, "invalid resource handle")                                   \
    X(CUDA_ERROR_NOT_FOUND, 500, "named symbol not found")                                         \
    X(CUDA_ERROR_NOT_READY, 600, "device not ready")                                               \
    X(CUDA_ERROR_ILLEGAL_ADDRESS, 700, "an illegal memory access was encountered")                 \
    X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701, "too many resources requested for launch")          \
    X(CUDA_ERROR_LAUNCH_TIMEOUT, 702, "the launch timed out and was terminated")                   \
    X(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708, "the primary context is active already")             \
    X(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709, "context is destroyed")                                \
    X(CUDA_ERROR_ASSERT, 710, "device-side assert triggered")                                      \
    X(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712, "host memory is registered already")         \
    X(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713, "host memory is not registered")                 \
    X(CUDA_ERROR_HARDWARE_STACK_ERROR, 714, "hardware stack error")                                \
    X(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715, "an illegal instruction was encountered")               \
    X(CUDA_ERROR_MISALIGNED_ADDRESS, 716, "misaligned address")                                    \
    X(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717, "operation not supported on this address space")      \
    X(CUDA_ERROR_INVALID_PC, 718, "invalid program counter")                                       \
    X(CUDA_ERROR_LAUNCH_FAILED, 719, "unspecified launch failure")                                 \
    X(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720, "too many blocks in cooperative launch")       \
    X(CUDA_ERROR_NOT_PERMITTED, 800, "operation not permitted")                                    \
    X(CUDA_ERROR_NOT_SUPPORTED, 801, "operation not supported")                                    \
    X(CUDA_ERROR_UNKNOWN, 999, "unknown error")
