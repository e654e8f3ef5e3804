// Errors are those that the runtime gives for a call's own arguments. Pages are those of groups of
// functions, which have kept their names since CUDA 6.
#include "lsp/read/reference.h"

#include <string.h>

#define AT_ONCE "Returns at once; the work runs in the order of the stream."
#define COPY                                                                                       \
    "Returns when the host may use its end again; a copy within the device may still run then."
#define COPY_ASYNC                                                                                 \
    "Returns at once where the host's end is page-locked memory, otherwise as the copy without "   \
    "`Async`. Leave both ends alone until the stream has come past it."
#define SET "Returns at once: the bytes are set in the order of the stream."
#define COPY_ERRORS                                                                                \
    "`cudaErrorInvalidValue` (more bytes than are allocated there), "                              \
    "`cudaErrorInvalidMemcpyDirection`"
#define PITCH_ERRORS COPY_ERRORS ", `cudaErrorInvalidPitchValue`"
#define SYMBOL_ERRORS COPY_ERRORS ", `cudaErrorInvalidSymbol`"
#define HANDLE "`cudaErrorInvalidResourceHandle`"
#define VALUE "`cudaErrorInvalidValue`"
#define MEMORY "`cudaErrorMemoryAllocation`"
#define LAUNCH_ERRORS                                                                              \
    "`cudaErrorInvalidConfiguration` (grid or block empty or too large), "                         \
    "`cudaErrorInvalidDeviceFunction`"
#define EARLIER "What has failed since shows here."

// Ascending by strcmp.
static const struct gcl_reference references[] = {
    {"cudaDeviceSynchronize", "The host waits. " EARLIER, NULL},
    {"cudaEventCreate", NULL, VALUE},
    {"cudaEventCreateWithFlags", NULL, VALUE},
    {"cudaEventDestroy", "Returns at once, also if the mark isn't reached yet.", HANDLE},
    {"cudaEventElapsedTime", "Waits for nothing.",
     HANDLE " (an event without times, or not recorded), `cudaErrorNotReady`"},
    {"cudaEventQuery", "Waits for nothing.", HANDLE ", `cudaErrorNotReady`"},
    {"cudaEventRecord", AT_ONCE, HANDLE},
    {"cudaEventSynchronize", "The host waits. " EARLIER, HANDLE},
    {"cudaFree", "Waits until all work of the device is done.",
     VALUE " (no beginning of an allocation)"},
    {"cudaFreeAsync", AT_ONCE, VALUE},
    {"cudaFreeHost", "Waits until all work of the device is done.", VALUE},
    {"cudaGetDeviceProperties", NULL, "`cudaErrorInvalidDevice`"},
    {"cudaGetLastError", "Waits for nothing: kernels that still run may fail later.", NULL},
    {"cudaGraphLaunch", AT_ONCE, VALUE},
    {"cudaHostAlloc", NULL, MEMORY ", " VALUE},
    {"cudaLaunchCooperativeKernel", AT_ONCE,
     LAUNCH_ERRORS ", `cudaErrorCooperativeLaunchTooLarge`"},
    {"cudaLaunchHostFunc", AT_ONCE, HANDLE},
    {"cudaLaunchKernel", AT_ONCE, LAUNCH_ERRORS},
    {"cudaMalloc", NULL, MEMORY ", " VALUE},
    {"cudaMallocAsync", AT_ONCE, MEMORY ", " VALUE},
    {"cudaMallocHost", NULL, MEMORY ", " VALUE},
    {"cudaMallocManaged", NULL, MEMORY ", " VALUE},
    {"cudaMallocPitch", NULL, MEMORY ", " VALUE},
    {"cudaMemcpy", COPY, COPY_ERRORS},
    {"cudaMemcpy2D", COPY, PITCH_ERRORS},
    {"cudaMemcpy2DAsync", COPY_ASYNC, PITCH_ERRORS},
    {"cudaMemcpy3D", COPY, PITCH_ERRORS},
    {"cudaMemcpy3DAsync", COPY_ASYNC, PITCH_ERRORS},
    {"cudaMemcpyAsync", COPY_ASYNC, COPY_ERRORS ", " HANDLE},
    {"cudaMemcpyFromSymbol", COPY, SYMBOL_ERRORS},
    {"cudaMemcpyFromSymbolAsync", COPY_ASYNC, SYMBOL_ERRORS},
    {"cudaMemcpyPeer", COPY, VALUE ", `cudaErrorInvalidDevice`"},
    {"cudaMemcpyPeerAsync", COPY_ASYNC, VALUE ", `cudaErrorInvalidDevice`"},
    {"cudaMemcpyToSymbol", COPY, SYMBOL_ERRORS},
    {"cudaMemcpyToSymbolAsync", COPY_ASYNC, SYMBOL_ERRORS},
    {"cudaMemset", SET, VALUE},
    {"cudaMemset2D", SET, VALUE ", `cudaErrorInvalidPitchValue`"},
    {"cudaMemsetAsync", SET, VALUE ", " HANDLE},
    {"cudaPeekAtLastError", "Waits for nothing: kernels that still run may fail later.", NULL},
    {"cudaSetDevice", NULL, "`cudaErrorInvalidDevice`"},
    {"cudaStreamCreate", NULL, VALUE},
    {"cudaStreamCreateWithFlags", NULL, VALUE},
    {"cudaStreamDestroy", "Returns at once, also if there is work in the stream.", HANDLE},
    {"cudaStreamQuery", "Waits for nothing.", HANDLE ", `cudaErrorNotReady`"},
    {"cudaStreamSynchronize", "The host waits. " EARLIER, HANDLE},
    {"cudaStreamWaitEvent", "Returns at once: the stream waits, not the host.", HANDLE},
};

const struct gcl_reference *gcl_reference_find(const char *name) {
    for (size_t i = 0; i < G_N_ELEMENTS(references); i++) {
        if (strcmp(references[i].name, name) == 0)
            return &references[i];
    }
    return NULL;
}

// The group of a function: of the first beginning that fits.
static const char *group_of(const char *name) {
    static const struct {
        const char *beginning, *group;
    } groups[] = {
        {"cudaDeviceCanAccessPeer", "PEER"},
        {"cudaDeviceEnablePeerAccess", "PEER"},
        {"cudaDeviceDisablePeerAccess", "PEER"},
        {"cudaDeviceGraph", "GRAPH"},
        {"cudaGraph", "GRAPH"},
        {"cudaMallocAsync", "MEMORY__POOLS"},
        {"cudaMallocFromPool", "MEMORY__POOLS"},
        {"cudaFreeAsync", "MEMORY__POOLS"},
        {"cudaMemPool", "MEMORY__POOLS"},
        {"cudaPointerGetAttributes", "UNIFIED"},
        {"cudaMalloc", "MEMORY"},
        {"cudaFree", "MEMORY"},
        {"cudaHost", "MEMORY"},
        {"cudaMem", "MEMORY"},
        {"cudaArrayGet", "MEMORY"},
        {"cudaGetSymbol", "MEMORY"},
        {"cudaStream", "STREAM"},
        {"cudaThreadExchangeStreamCaptureMode", "STREAM"},
        {"cudaThread", "THREAD__DEPRECATED"},
        {"cudaEvent", "EVENT"},
        {"cudaFunc", "EXECUTION"},
        {"cudaLaunch", "EXECUTION"},
        {"cudaOccupancy", "OCCUPANCY"},
        {"cudaProfiler", "PROFILER"},
        {"cudaDriverGetVersion", "__VERSION"},
        {"cudaRuntimeGetVersion", "__VERSION"},
        {"cudaGetError", "ERROR"},
        {"cudaGetLastError", "ERROR"},
        {"cudaPeekAtLastError", "ERROR"},
        {"cudaCreateTextureObject", "TEXTURE__OBJECT"},
        {"cudaDestroyTextureObject", "TEXTURE__OBJECT"},
        {"cudaCreateSurfaceObject", "SURFACE__OBJECT"},
        {"cudaDestroySurfaceObject", "SURFACE__OBJECT"},
        {"cudaDevice", "DEVICE"},
        {"cudaGetDevice", "DEVICE"},
        {"cudaSetDevice", "DEVICE"},
        {"cudaChooseDevice", "DEVICE"},
        {"cudaIpc", "DEVICE"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(groups); i++) {
        if (g_str_has_prefix(name, groups[i].beginning))
            return groups[i].group;
    }
    return NULL;
}

char *gcl_reference_page(const char *name, bool is_function) {
    if (!g_str_has_prefix(name, "cuda") || !g_ascii_isupper(name[4]))
        return NULL;
    const char *group = is_function ? group_of(name) : "TYPES";
    return group
               ? g_strdup_printf(
                     "https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__%s.html", group)
               : NULL;
}
