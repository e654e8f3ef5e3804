// First match wins, so longer beginnings stand before shorter ones.
#include "support/unsupported.h"

#include <string.h>

#include <glib.h>

#define CONDITIONAL                                                                                \
    "conditional nodes of CUDA graphs", "let the host decide whether to launch a graph (again)"
#define GRAPH "this part of CUDA graphs", "issue the work into a stream, in the same order"
#define INTEROP                                                                                    \
    "interoperation with this graphics API",                                                       \
        "copy the result to the host and hand it to the graphics API"
#define OPENGL "interoperation with OpenGL", "include cuda_gl_interop.h"
#define IPC "pools shared between processes", "share memory of cudaMalloc: cudaIpcGetMemHandle"
#define EXTERNAL "memory of other APIs", "copy through host memory"
#define LIBRARY_LOADING                                                                            \
    "kernels loaded at run time", "compile the kernel with the program and launch it by name"
#define CONTEXT "partitions of a device", "use streams on the whole device"
#define CDP                                                                                        \
    "launches from device code by a call",                                                         \
        "write <<<...>>>, or launch from the host where the kernel waits for its child"
#define RUNTIME                                                                                    \
    "not in the CUDA runtime as gcluster has it",                                                  \
        "check the spelling; gcluster.h lists what there is"
#define DRIVER "CUDA driver API", "gcluster/driver_functions.h lists what there is"
#define NVRTC "NVRTC", "include nvrtc.h; gcluster/nvrtc.h lists what there is"
#define LINK "nvJitLink", "put the sources together for NVRTC, or link them by gcluster-cc"
#define LIBRARY(name) name, "build without it, or call a CPU library on host copies"
// Of a library that there is: a name that its header doesn't have, or a link without it.
#define BROUGHT(name, header, link) name, "include " header " and link with " link
#define TEMPLATES(name)                                                                            \
    name, "gcluster brings no copy; write the operation as a kernel, or leave this file out"

#define INSTALLABLE(name, package)                                                                 \
    name ", which is not installed",                                                               \
        "install Debian's " package ", or name CUDA 13's: -I/usr/local/cuda/include/cccl"

static const struct gcl_unsupported names[] = {
    {"cudaDataType*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("CUDA's mathematical libraries")},
    {"CUDA_R_*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("CUDA's mathematical libraries")},
    {"CUDA_C_*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("CUDA's mathematical libraries")},
    {"cudaGraphicsD3D*", GCL_CODE_UNSUPPORTED_CALL, INTEROP},
    {"cudaGraphicsEGL*", GCL_CODE_UNSUPPORTED_CALL, INTEROP},
    {"cudaGraphicsVDPAU*", GCL_CODE_UNSUPPORTED_CALL, INTEROP},
    {"cudaGraphicsCubeFace*", GCL_CODE_UNSUPPORTED_CALL, INTEROP},
    {"cudaGraphics*", GCL_CODE_UNSUPPORTED_CALL, OPENGL},
    {"cudaGL*", GCL_CODE_UNSUPPORTED_CALL, OPENGL},
    {"cudaD3D*", GCL_CODE_UNSUPPORTED_CALL, INTEROP},
    {"cudaEGL*", GCL_CODE_UNSUPPORTED_CALL, INTEROP},
    {"cudaEgl*", GCL_CODE_UNSUPPORTED_CALL, INTEROP},
    {"cudaVDPAU*", GCL_CODE_UNSUPPORTED_CALL, INTEROP},
    {"cudaNvSci*", GCL_CODE_UNSUPPORTED_CALL, INTEROP},
    {"cudaGraphCond*", GCL_CODE_UNSUPPORTED_CALL, CONDITIONAL},
    {"cudaGraphSetConditional", GCL_CODE_UNSUPPORTED_CALL, CONDITIONAL},
    {"cudaConditionalNode*", GCL_CODE_UNSUPPORTED_CALL, CONDITIONAL},
    {"cudaGraph*", GCL_CODE_UNSUPPORTED_CALL, GRAPH},
    {"cudaUserObject*", GCL_CODE_UNSUPPORTED_CALL, GRAPH},
    {"cudaMemPoolExport*", GCL_CODE_UNSUPPORTED_CALL, IPC},
    {"cudaMemPoolImport*", GCL_CODE_UNSUPPORTED_CALL, IPC},
    {"cudaExternal*", GCL_CODE_UNSUPPORTED_CALL, EXTERNAL},
    {"cudaImportExternal*", GCL_CODE_UNSUPPORTED_CALL, EXTERNAL},
    {"cudaDestroyExternal*", GCL_CODE_UNSUPPORTED_CALL, EXTERNAL},
    {"cudaSignalExternal*", GCL_CODE_UNSUPPORTED_CALL, EXTERNAL},
    {"cudaWaitExternal*", GCL_CODE_UNSUPPORTED_CALL, EXTERNAL},
    {"cudaLibrary*", GCL_CODE_UNSUPPORTED_CALL, LIBRARY_LOADING},
    {"cudaKernel*", GCL_CODE_UNSUPPORTED_CALL, LIBRARY_LOADING},
    {"cudaGreenCtx*", GCL_CODE_UNSUPPORTED_CALL, CONTEXT},
    {"cudaExecutionC*", GCL_CODE_UNSUPPORTED_CALL, CONTEXT},
    {"cudaDevResource*", GCL_CODE_UNSUPPORTED_CALL, CONTEXT},
    {"cudaGetParameterBuffer*", GCL_CODE_LAUNCH_IN_KERNEL, CDP},
    {"cudaLaunchDevice*", GCL_CODE_LAUNCH_IN_KERNEL, CDP},
    {"cuda", GCL_CODE_UNSUPPORTED_LIBRARY, TEMPLATES("this part of libcu++ (namespace cuda)")},
    {"cuda*", GCL_CODE_UNSUPPORTED_CALL, RUNTIME},
    {"nvrtc*", GCL_CODE_UNSUPPORTED_LIBRARY, NVRTC},
    {"nvJitLink*", GCL_CODE_UNSUPPORTED_LIBRARY, LINK},
    {"cublas*", GCL_CODE_UNSUPPORTED_LIBRARY, BROUGHT("cuBLAS", "cublas_v2.h", "-lcublas")},
    {"CUBLAS_*", GCL_CODE_UNSUPPORTED_LIBRARY, BROUGHT("cuBLAS", "cublas_v2.h", "-lcublas")},
    {"cufft*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("cuFFT")},
    {"CUFFT_*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("cuFFT")},
    {"cusparse*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("cuSPARSE")},
    {"CUSPARSE_*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("cuSPARSE")},
    {"cusolver*", GCL_CODE_UNSUPPORTED_LIBRARY, BROUGHT("cuSOLVER", "cusolverDn.h", "-lcusolver")},
    {"CUSOLVER_*", GCL_CODE_UNSUPPORTED_LIBRARY, BROUGHT("cuSOLVER", "cusolverDn.h", "-lcusolver")},
    {"curandState*", GCL_CODE_UNSUPPORTED_LIBRARY, "this generator of cuRAND's device API",
     "use curandState (XORWOW), Philox4_32_10 or MRG32k3a"},
    {"curand*", GCL_CODE_UNSUPPORTED_LIBRARY, "cuRAND's host API",
     "generate the numbers in a kernel with curand_kernel.h"},
    {"CURAND_*", GCL_CODE_UNSUPPORTED_LIBRARY, "cuRAND's host API",
     "generate the numbers in a kernel with curand_kernel.h"},
    {"cudnn*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("cuDNN")},
    {"CUDNN_*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("cuDNN")},
    {"cutensor*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("cuTENSOR")},
    {"cupti*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("CUPTI")},
    {"cuFile*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("cuFile")},
    {"nccl*", GCL_CODE_UNSUPPORTED_LIBRARY, "this function of NCCL",
     "leave it out; nccl.h lists what there is for one rank"},
    {"nvshmem*", GCL_CODE_UNSUPPORTED_LIBRARY, "NVSHMEM",
     "not needed: the program sees one device, which gcluster spreads over the cluster"},
    {"nvml*", GCL_CODE_UNSUPPORTED_LIBRARY, "this query of NVML",
     "leave it out; nvml.h lists what there is"},
    {"NVML_*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("NVML")},
    {"npp*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("NPP")},
    {"Npp*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("NPP")},
    {"NPP_*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("NPP")},
    {"nvjpeg*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("nvJPEG")},
    {"thrust", GCL_CODE_UNSUPPORTED_LIBRARY, INSTALLABLE("Thrust", "libthrust-dev")},
    {"cub", GCL_CODE_UNSUPPORTED_LIBRARY, INSTALLABLE("CUB", "libcub-dev")},
    {"cutlass", GCL_CODE_UNSUPPORTED_LIBRARY, TEMPLATES("CUTLASS")},
    {"__nv_fp6*", GCL_CODE_UNSUPPORTED_CALL, "6-bit floating point", "use half or bfloat16"},
    {"__nv_fp4*", GCL_CODE_UNSUPPORTED_CALL, "4-bit floating point", "use half or bfloat16"},
    {"CUDA_*", GCL_CODE_UNSUPPORTED_DRIVER, DRIVER},
    {"CU_*", GCL_CODE_UNSUPPORTED_DRIVER, DRIVER},
};

static const struct gcl_unsupported driver = {"cu*", GCL_CODE_UNSUPPORTED_DRIVER, DRIVER};

static const struct gcl_unsupported headers[] = {
    {"cublas*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("cuBLAS")},
    {"cufft*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("cuFFT")},
    {"cusparse*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("cuSPARSE")},
    {"cusolver*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("cuSOLVER")},
    {"curand*", GCL_CODE_UNSUPPORTED_LIBRARY, "cuRAND's host API",
     "generate the numbers in a kernel with curand_kernel.h"},
    {"cudnn*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("cuDNN")},
    {"cutensor*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("cuTENSOR")},
    {"nvshmem*", GCL_CODE_UNSUPPORTED_LIBRARY, "NVSHMEM",
     "not needed: the program sees one device, which gcluster spreads over the cluster"},
    {"npp*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("NPP")},
    {"nvjpeg*", GCL_CODE_UNSUPPORTED_LIBRARY, LIBRARY("nvJPEG")},
    {"nvJitLink*", GCL_CODE_UNSUPPORTED_LIBRARY, LINK},
    {"cudaGL.h", GCL_CODE_UNSUPPORTED_CALL, INTEROP},
    {"cuda_d3d*", GCL_CODE_UNSUPPORTED_CALL, INTEROP},
    {"cudaEGL*", GCL_CODE_UNSUPPORTED_CALL, INTEROP},
    {"cuda_egl*", GCL_CODE_UNSUPPORTED_CALL, INTEROP},
    {"cuda_vdpau*", GCL_CODE_UNSUPPORTED_CALL, INTEROP},
    {"cuda/*", GCL_CODE_UNSUPPORTED_LIBRARY, TEMPLATES("this part of libcu++ (namespace cuda)")},
    {"thrust/*", GCL_CODE_UNSUPPORTED_LIBRARY, INSTALLABLE("Thrust", "libthrust-dev")},
    {"cub/*", GCL_CODE_UNSUPPORTED_LIBRARY, INSTALLABLE("CUB", "libcub-dev")},
    {"cutlass/*", GCL_CODE_UNSUPPORTED_LIBRARY, TEMPLATES("CUTLASS")},
    {"cute/*", GCL_CODE_UNSUPPORTED_LIBRARY, TEMPLATES("CUTLASS")},
};

static bool matches(const char *pattern, const char *name, size_t length) {
    size_t size = strlen(pattern);
    if (pattern[size - 1] == '*')
        return length >= size - 1 && memcmp(pattern, name, size - 1) == 0;
    return length == size && memcmp(pattern, name, size) == 0;
}

static const struct gcl_unsupported *find(const struct gcl_unsupported *table, size_t count,
                                          const char *name, size_t length) {
    for (size_t i = 0; i < count; i++) {
        if (matches(table[i].pattern, name, length))
            return &table[i];
    }
    return NULL;
}

bool gcl_unsupported_is_vague(const struct gcl_unsupported *entry) {
    return strcmp(entry->pattern, "cuda*") == 0;
}

const struct gcl_unsupported *gcl_unsupported_find(const char *name, size_t length) {
    const struct gcl_unsupported *found = find(names, G_N_ELEMENTS(names), name, length);
    // cuInit, CUmodule: two letters, then the other case; anything else beginning so is the
    // program's.
    if (!found && length > 2 &&
        ((name[0] == 'c' && name[1] == 'u' && g_ascii_isupper(name[2])) ||
         (name[0] == 'C' && name[1] == 'U' && g_ascii_islower(name[2]))))
        return &driver;
    // `cuda*` means the API's camel case, not cuda_helper or cudas.
    if (found && gcl_unsupported_is_vague(found) && !(length > 4 && g_ascii_isupper(name[4])))
        return NULL;
    return found;
}

const struct gcl_unsupported *gcl_unsupported_find_header(const char *name, size_t length) {
    return find(headers, G_N_ELEMENTS(headers), name, length);
}

const struct gcl_unsupported *gcl_unsupported_row(size_t index, bool *is_header) {
    *is_header = index >= G_N_ELEMENTS(names);
    if (*is_header)
        index -= G_N_ELEMENTS(names);
    return !*is_header ? &names[index] : index < G_N_ELEMENTS(headers) ? &headers[index] : NULL;
}
