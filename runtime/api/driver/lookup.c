// Names: those of errors, and functions by theirs.
#include <string.h>

#include "api/api.h"
#include "api/driver/driver.h"

static const struct {
    const char *name;
    void (*function)(void);
} functions[] = {
#define CU_FUNCTION(name, parameters) {"cu" #name, (void (*)(void))cu##name},
#define CU_FUNCTION_V2(name, parameters) CU_FUNCTION(name, parameters)
#include "gcluster/driver_functions.h"
#undef CU_FUNCTION
#undef CU_FUNCTION_V2
    {"cuGetProcAddress", (void (*)(void))cuGetProcAddress_v2},
};

static void (*find(const char *name))(void) {
    size_t length = strlen(name);
    length -= length > 3 && strcmp(name + length - 3, "_v2") == 0 ? 3 : 0;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (strlen(functions[i].name) == length && memcmp(functions[i].name, name, length) == 0)
            return functions[i].function;
    }
    return NULL;
}

CUresult cuGetProcAddress_v2(const char *name, void **function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status) {
    (void)version, (void)flags;
    if (!name || !function)
        return CUDA_ERROR_INVALID_VALUE;
    void (*found)(void) = find(name);
    *function = found ? (void *)(uintptr_t)found : NULL;
    if (status)
        *status = found ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return found || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

GCL_API(GetDriverEntryPointByVersion,
        (const char *name, void **function, unsigned int version, unsigned long long flags,
         enum gclDriverEntryPointQueryResult *status)) {
    CUdriverProcAddressQueryResult found;
    if (cuGetProcAddress_v2(name, function, (int)version, flags, &found) != CUDA_SUCCESS)
        return gcl_api_leave(gclErrorInvalidValue);
    if (status)
        *status = (enum gclDriverEntryPointQueryResult)found;
    return gcl_api_leave(*function || status ? gclSuccess : gclErrorSymbolNotFound);
}

GCL_API(GetDriverEntryPoint, (const char *name, void **function, unsigned long long flags,
                              enum gclDriverEntryPointQueryResult *status)) {
    return gclGetDriverEntryPointByVersion(name, function, GCLRT_VERSION, flags, status);
}

#undef cuGetProcAddress
CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags);

/// As CUDA had it before 12.0, for who looks it up.
CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags) {
    return cuGetProcAddress_v2(name, function, version, flags, NULL);
}

GCL_CU(GetErrorString, (CUresult error, const char **text)) {
    const char *name;
    CUresult result = cuGetErrorName(error, &name);
    if (text)
        *text = result == CUDA_SUCCESS ? gclGetErrorString((gclError_t)error) : NULL;
    return text ? result : CUDA_ERROR_INVALID_VALUE;
}

GCL_CU(GetErrorName, (CUresult error, const char **text)) {
    static const struct {
        CUresult error;
        const char *name;
    } names[] = {
#define CU_ERROR(name, value) {name, #name},
#include "gcluster/driver_errors.h"
#undef CU_ERROR
    };
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].error == error) {
            *text = names[i].name;
            return CUDA_SUCCESS;
        }
    }
    *text = NULL;
    return CUDA_ERROR_INVALID_VALUE;
}
