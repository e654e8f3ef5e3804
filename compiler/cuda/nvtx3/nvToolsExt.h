// NVTX marks ranges for NVIDIA's profilers. Without one, these do nothing.
#ifndef GCLUSTER_NVTX_H
#define GCLUSTER_NVTX_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

enum {
    NVTX_COLOR_UNKNOWN = 0,
    NVTX_COLOR_ARGB = 1,
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3,
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
};

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;

typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
    uint16_t version;
    uint16_t size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType;
    int32_t reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define __NVTX(__type, __name, __parameters)                                                       \
    static inline __type __name __parameters {                                                     \
        return (__type)0;                                                                          \
    }

__NVTX(int, nvtxRangePushA, (const char *__text __attribute__((unused))))
__NVTX(int, nvtxRangePushW, (const wchar_t *__text __attribute__((unused))))
__NVTX(int, nvtxRangePushEx, (const nvtxEventAttributes_t *__event __attribute__((unused))))
__NVTX(int, nvtxRangePop, (void))
__NVTX(nvtxRangeId_t, nvtxRangeStartA, (const char *__text __attribute__((unused))))
__NVTX(nvtxRangeId_t, nvtxRangeStartEx,
       (const nvtxEventAttributes_t *__event __attribute__((unused))))
__NVTX(void, nvtxRangeEnd, (nvtxRangeId_t __range __attribute__((unused))))
__NVTX(void, nvtxMarkA, (const char *__text __attribute__((unused))))
__NVTX(void, nvtxMarkEx, (const nvtxEventAttributes_t *__event __attribute__((unused))))
__NVTX(void, nvtxNameOsThreadA,
       (uint32_t __thread_number __attribute__((unused)),
        const char *__text __attribute__((unused))))
__NVTX(void, nvtxNameCategoryA,
       (uint32_t __category __attribute__((unused)), const char *__text __attribute__((unused))))
__NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (const char *__text __attribute__((unused))))
__NVTX(void, nvtxDomainDestroy, (nvtxDomainHandle_t __domain __attribute__((unused))))
__NVTX(int, nvtxDomainRangePushEx,
       (nvtxDomainHandle_t __domain __attribute__((unused)),
        const nvtxEventAttributes_t *__event __attribute__((unused))))
__NVTX(int, nvtxDomainRangePop, (nvtxDomainHandle_t __domain __attribute__((unused))))

#undef __NVTX

#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxDomainCreate nvtxDomainCreateA

#endif
