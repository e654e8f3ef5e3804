// NVML's questions about devices, answered from what the runtime says of them. What it doesn't know
// (temperatures, power, fans) isn't supported, as on GPUs that lack a sensor. Processes of a job
// see the program's devices; indices and PCI names are those of the runtime.
#ifndef GCLUSTER_NVML_H
#define GCLUSTER_NVML_H
#define __nvml_nvml_h__

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cuda_runtime_api.h"

#define NVML_API_VERSION 12
#define NVML_API_VERSION_STR "12"
#define DECLDIR

#define NVML_DEVICE_NAME_BUFFER_SIZE 64
#define NVML_DEVICE_NAME_V2_BUFFER_SIZE 96
#define NVML_DEVICE_UUID_BUFFER_SIZE 80
#define NVML_DEVICE_UUID_V2_BUFFER_SIZE 96
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE 32
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE 16
#define NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE 80
#define NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE 80

typedef struct nvmlDevice_st *nvmlDevice_t;

typedef enum nvmlReturn_enum {
    NVML_SUCCESS = 0,
    NVML_ERROR_UNINITIALIZED = 1,
    NVML_ERROR_INVALID_ARGUMENT = 2,
    NVML_ERROR_NOT_SUPPORTED = 3,
    NVML_ERROR_NO_PERMISSION = 4,
    NVML_ERROR_ALREADY_INITIALIZED = 5,
    NVML_ERROR_NOT_FOUND = 6,
    NVML_ERROR_INSUFFICIENT_SIZE = 7,
    NVML_ERROR_INSUFFICIENT_POWER = 8,
    NVML_ERROR_DRIVER_NOT_LOADED = 9,
    NVML_ERROR_TIMEOUT = 10,
    NVML_ERROR_IRQ_ISSUE = 11,
    NVML_ERROR_LIBRARY_NOT_FOUND = 12,
    NVML_ERROR_FUNCTION_NOT_FOUND = 13,
    NVML_ERROR_CORRUPTED_INFOROM = 14,
    NVML_ERROR_GPU_IS_LOST = 15,
    NVML_ERROR_RESET_REQUIRED = 16,
    NVML_ERROR_OPERATING_SYSTEM = 17,
    NVML_ERROR_LIB_RM_VERSION_MISMATCH = 18,
    NVML_ERROR_IN_USE = 19,
    NVML_ERROR_MEMORY = 20,
    NVML_ERROR_NO_DATA = 21,
    NVML_ERROR_UNKNOWN = 999,
} nvmlReturn_t;

typedef enum nvmlClockType_enum {
    NVML_CLOCK_GRAPHICS = 0,
    NVML_CLOCK_SM = 1,
    NVML_CLOCK_MEM = 2,
    NVML_CLOCK_VIDEO = 3,
} nvmlClockType_t;

typedef enum nvmlTemperatureSensors_enum {
    NVML_TEMPERATURE_GPU = 0,
} nvmlTemperatureSensors_t;

typedef enum nvmlTemperatureThresholds_enum {
    NVML_TEMPERATURE_THRESHOLD_SHUTDOWN = 0,
    NVML_TEMPERATURE_THRESHOLD_SLOWDOWN = 1,
    NVML_TEMPERATURE_THRESHOLD_MEM_MAX = 2,
    NVML_TEMPERATURE_THRESHOLD_GPU_MAX = 3,
} nvmlTemperatureThresholds_t;

typedef enum nvmlSamplingType_enum {
    NVML_TOTAL_POWER_SAMPLES = 0,
    NVML_GPU_UTILIZATION_SAMPLES = 1,
    NVML_MEMORY_UTILIZATION_SAMPLES = 2,
    NVML_ENC_UTILIZATION_SAMPLES = 3,
    NVML_DEC_UTILIZATION_SAMPLES = 4,
    NVML_PROCESSOR_CLK_SAMPLES = 5,
    NVML_MEMORY_CLK_SAMPLES = 6,
} nvmlSamplingType_t;

typedef enum nvmlValueType_enum {
    NVML_VALUE_TYPE_DOUBLE = 0,
    NVML_VALUE_TYPE_UNSIGNED_INT = 1,
    NVML_VALUE_TYPE_UNSIGNED_LONG = 2,
    NVML_VALUE_TYPE_UNSIGNED_LONG_LONG = 3,
    NVML_VALUE_TYPE_SIGNED_LONG_LONG = 4,
} nvmlValueType_t;

typedef union nvmlValue_st {
    double dVal;
    unsigned int uiVal;
    unsigned long ulVal;
    unsigned long long ullVal;
    signed long long sllVal;
} nvmlValue_t;

typedef struct nvmlSample_st {
    unsigned long long timeStamp;
    nvmlValue_t sampleValue;
} nvmlSample_t;

typedef struct nvmlMemory_st {
    unsigned long long total, free, used;
} nvmlMemory_t;

typedef struct nvmlUtilization_st {
    unsigned int gpu, memory;
} nvmlUtilization_t;

typedef struct nvmlPciInfo_st {
    char busIdLegacy[NVML_DEVICE_PCI_BUS_ID_BUFFER_V2_SIZE];
    unsigned int domain, bus, device;
    unsigned int pciDeviceId, pciSubSystemId;
    char busId[NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE];
} nvmlPciInfo_t;

#define nvmlClocksThrottleReasonGpuIdle 0x1ull
#define nvmlClocksThrottleReasonApplicationsClocksSetting 0x2ull
#define nvmlClocksThrottleReasonSwPowerCap 0x4ull
#define nvmlClocksThrottleReasonHwSlowdown 0x8ull
#define nvmlClocksThrottleReasonSyncBoost 0x10ull
#define nvmlClocksThrottleReasonSwThermalSlowdown 0x20ull
#define nvmlClocksThrottleReasonHwThermalSlowdown 0x40ull
#define nvmlClocksThrottleReasonHwPowerBrakeSlowdown 0x80ull
#define nvmlClocksThrottleReasonNone 0ull
#define nvmlClocksThrottleReasonAll 0xffull

static inline const char *nvmlErrorString(nvmlReturn_t __error) {
    switch (__error) {
    case NVML_SUCCESS:
        return "Success";
    case NVML_ERROR_INVALID_ARGUMENT:
        return "Invalid argument";
    case NVML_ERROR_NOT_SUPPORTED:
        return "Not supported";
    case NVML_ERROR_NOT_FOUND:
        return "Not found";
    case NVML_ERROR_INSUFFICIENT_SIZE:
        return "Insufficient size";
    default:
        return "Unknown error";
    }
}

static inline nvmlReturn_t nvmlInit_v2(void) {
    return NVML_SUCCESS;
}
static inline nvmlReturn_t nvmlInitWithFlags(unsigned int __flags) {
    (void)__flags;
    return NVML_SUCCESS;
}
static inline nvmlReturn_t nvmlShutdown(void) {
    return NVML_SUCCESS;
}

/// A device's number; -1 for a handle that is none.
static inline int __gcl_nvml_number(nvmlDevice_t __device) {
    int __count = 0;
    int __number = (int)(intptr_t)__device - 1;
    return gclGetDeviceCount(&__count) == gclSuccess && __number < __count ? __number : -1;
}

/// Copies a text with its final 0.
static inline nvmlReturn_t __gcl_nvml_give(const char *__text, char *__out, unsigned int __size) {
    if (!__out)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (strlen(__text) >= __size)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    strcpy(__out, __text);
    return NVML_SUCCESS;
}

static inline nvmlReturn_t __gcl_nvml_attribute(nvmlDevice_t __device, enum gclDeviceAttr __which,
                                                int *__value) {
    int __number = __gcl_nvml_number(__device);
    if (__number < 0)
        return NVML_ERROR_INVALID_ARGUMENT;
    return gclDeviceGetAttribute(__value, __which, __number) == gclSuccess ? NVML_SUCCESS
                                                                           : NVML_ERROR_UNKNOWN;
}

// The system.

static inline nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *__version) {
    return gclDriverGetVersion(__version) == gclSuccess ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}
static inline nvmlReturn_t nvmlSystemGetDriverVersion(char *__version, unsigned int __size) {
    int __number = 0;
    char __text[32];
    if (gclDriverGetVersion(&__number) != gclSuccess)
        return NVML_ERROR_UNKNOWN;
    snprintf(__text, sizeof __text, "%d.%d", __number / 1000, __number % 1000 / 10);
    return __gcl_nvml_give(__text, __version, __size);
}
static inline nvmlReturn_t nvmlSystemGetNVMLVersion(char *__version, unsigned int __size) {
    return nvmlSystemGetDriverVersion(__version, __size);
}

// Devices.

static inline nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *__count) {
    int __number = 0;
    if (!__count)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (gclGetDeviceCount(&__number) != gclSuccess)
        return NVML_ERROR_UNKNOWN;
    *__count = (unsigned int)__number;
    return NVML_SUCCESS;
}
static inline nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int __index,
                                                         nvmlDevice_t *__device) {
    nvmlDevice_t __handle = (nvmlDevice_t)((intptr_t)__index + 1);
    if (!__device || __gcl_nvml_number(__handle) < 0)
        return NVML_ERROR_INVALID_ARGUMENT;
    *__device = __handle;
    return NVML_SUCCESS;
}
static inline nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *__id,
                                                            nvmlDevice_t *__device) {
    int __number = 0;
    if (!__id || gclDeviceGetByPCIBusId(&__number, __id) != gclSuccess)
        return NVML_ERROR_NOT_FOUND;
    return nvmlDeviceGetHandleByIndex_v2((unsigned int)__number, __device);
}
static inline nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t __device, unsigned int *__index) {
    int __number = __gcl_nvml_number(__device);
    if (__number < 0 || !__index)
        return NVML_ERROR_INVALID_ARGUMENT;
    *__index = (unsigned int)__number;
    return NVML_SUCCESS;
}
static inline nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t __device, char *__name,
                                             unsigned int __size) {
    struct gclDeviceProp __properties;
    int __number = __gcl_nvml_number(__device);
    if (__number < 0 || gclGetDeviceProperties(&__properties, __number) != gclSuccess)
        return NVML_ERROR_INVALID_ARGUMENT;
    return __gcl_nvml_give(__properties.name, __name, __size);
}
static inline nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t __device, char *__uuid,
                                             unsigned int __size) {
    struct gclDeviceProp __properties;
    char __text[NVML_DEVICE_UUID_BUFFER_SIZE] = "GPU-";
    int __number = __gcl_nvml_number(__device);
    size_t __at = strlen(__text);
    if (__number < 0 || gclGetDeviceProperties(&__properties, __number) != gclSuccess)
        return NVML_ERROR_INVALID_ARGUMENT;
    for (int __i = 0; __i < 16; __i++) {
        const char *__dash = __i == 4 || __i == 6 || __i == 8 || __i == 10 ? "-" : "";
        __at += (size_t)snprintf(__text + __at, sizeof __text - __at, "%s%02x", __dash,
                                 (unsigned char)__properties.uuid.bytes[__i]);
    }
    return __gcl_nvml_give(__text, __uuid, __size);
}
static inline nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t __device, nvmlPciInfo_t *__info) {
    struct gclDeviceProp __properties;
    int __number = __gcl_nvml_number(__device);
    if (__number < 0 || !__info || gclGetDeviceProperties(&__properties, __number) != gclSuccess)
        return NVML_ERROR_INVALID_ARGUMENT;
    memset(__info, 0, sizeof *__info);
    __info->domain = (unsigned int)__properties.pciDomainID;
    __info->bus = (unsigned int)__properties.pciBusID;
    __info->device = (unsigned int)__properties.pciDeviceID;
    snprintf(__info->busId, sizeof __info->busId, "%08X:%02X:%02X.0", __info->domain, __info->bus,
             __info->device);
    snprintf(__info->busIdLegacy, sizeof __info->busIdLegacy, "%04X:%02X:%02X.0",
             __info->domain & 0xffffu, __info->bus & 0xffu, __info->device & 0xffu);
    return NVML_SUCCESS;
}
static inline nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t __device, nvmlMemory_t *__memory) {
    size_t __free_size = 0;
    size_t __total_size = 0;
    int __number = __gcl_nvml_number(__device);
    int __current = 0;
    if (__number < 0 || !__memory || gclGetDevice(&__current) != gclSuccess)
        return NVML_ERROR_INVALID_ARGUMENT;
    gclError_t __error = gclSetDevice(__number);
    if (__error == gclSuccess)
        __error = gclMemGetInfo(&__free_size, &__total_size);
    gclSetDevice(__current);
    if (__error != gclSuccess)
        return NVML_ERROR_UNKNOWN;
    __memory->total = __total_size;
    __memory->free = __free_size;
    __memory->used = __total_size - __free_size;
    return NVML_SUCCESS;
}
/// In MHz.
static inline nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t __device, nvmlClockType_t __type,
                                                  unsigned int *__clock) {
    int __value = 0;
    nvmlReturn_t __error = __gcl_nvml_attribute(
        __device, __type == NVML_CLOCK_MEM ? gclDevAttrMemoryClockRate : gclDevAttrClockRate,
        &__value);
    if (__error == NVML_SUCCESS)
        *__clock = (unsigned int)__value / 1000;
    return __error;
}
static inline nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t __device, nvmlClockType_t __type,
                                                     unsigned int *__clock) {
    return nvmlDeviceGetClockInfo(__device, __type, __clock);
}
static inline nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t __device,
                                                       unsigned int *__width) {
    int __value = 0;
    nvmlReturn_t __error = __gcl_nvml_attribute(__device, gclDevAttrGlobalMemoryBusWidth, &__value);
    if (__error == NVML_SUCCESS)
        *__width = (unsigned int)__value;
    return __error;
}
static inline nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t __device, int *__major,
                                                              int *__minor) {
    nvmlReturn_t __error =
        __gcl_nvml_attribute(__device, gclDevAttrComputeCapabilityMajor, __major);
    if (__error == NVML_SUCCESS)
        __error = __gcl_nvml_attribute(__device, gclDevAttrComputeCapabilityMinor, __minor);
    return __error;
}

// Sensors.

#define __GCL_NVML_SENSOR(__name, ...)                                                             \
    static inline nvmlReturn_t __name(nvmlDevice_t __device, __VA_ARGS__) {                        \
        return __gcl_nvml_number(__device) < 0 ? NVML_ERROR_INVALID_ARGUMENT                       \
                                               : NVML_ERROR_NOT_SUPPORTED;                         \
    }
#define __GCL_UNUSED __attribute__((unused))
__GCL_NVML_SENSOR(nvmlDeviceGetUtilizationRates, nvmlUtilization_t *__rates __GCL_UNUSED)
__GCL_NVML_SENSOR(nvmlDeviceGetTemperature, nvmlTemperatureSensors_t __sensor __GCL_UNUSED,
                  unsigned int *__degrees __GCL_UNUSED)
__GCL_NVML_SENSOR(nvmlDeviceGetTemperatureThreshold,
                  nvmlTemperatureThresholds_t __threshold __GCL_UNUSED,
                  unsigned int *__degrees __GCL_UNUSED)
__GCL_NVML_SENSOR(nvmlDeviceGetPowerUsage, unsigned int *__milliwatts __GCL_UNUSED)
__GCL_NVML_SENSOR(nvmlDeviceGetPowerManagementLimit, unsigned int *__milliwatts __GCL_UNUSED)
__GCL_NVML_SENSOR(nvmlDeviceGetEnforcedPowerLimit, unsigned int *__milliwatts __GCL_UNUSED)
__GCL_NVML_SENSOR(nvmlDeviceGetTotalEnergyConsumption,
                  unsigned long long *__millijoules __GCL_UNUSED)
__GCL_NVML_SENSOR(nvmlDeviceGetFanSpeed, unsigned int *__percent __GCL_UNUSED)
__GCL_NVML_SENSOR(nvmlDeviceGetCurrentClocksThrottleReasons,
                  unsigned long long *__reasons __GCL_UNUSED)
__GCL_NVML_SENSOR(nvmlDeviceGetSamples, nvmlSamplingType_t __type __GCL_UNUSED,
                  unsigned long long __since __GCL_UNUSED,
                  nvmlValueType_t *__value_type __GCL_UNUSED, unsigned int *__count __GCL_UNUSED,
                  nvmlSample_t *__samples __GCL_UNUSED)
#undef __GCL_UNUSED
#undef __GCL_NVML_SENSOR

#define nvmlInit nvmlInit_v2
#define nvmlDeviceGetCount nvmlDeviceGetCount_v2
#define nvmlDeviceGetHandleByIndex nvmlDeviceGetHandleByIndex_v2
#define nvmlDeviceGetHandleByPciBusId nvmlDeviceGetHandleByPciBusId_v2
#define nvmlDeviceGetPciInfo nvmlDeviceGetPciInfo_v3

#endif
