// NVTX: ranges and marks by which a program says what it is doing. They become part of the trace
// that GCL_TRACE names (gcluster(7)); without one, each is a call that returns at once.
//
// As NVIDIA's, this header asks for no library: in a program that isn't linked with libgcluster the
// functions do nothing.
#ifndef GCLUSTER_NVTX_H
#define GCLUSTER_NVTX_H

#include "gcluster/nvtx.h"

#ifdef __cplusplus
extern "C" {
#endif

// A function of libgcluster's, if that is there. The two symbols have different names, since the
// one that is here may be emitted, too.
#define __NVTX_BOTH(__type, __name, __parameters)                                                  \
    extern __type __##__name __parameters __asm__(#__name) __attribute__((weak));                  \
    static inline __type __name __parameters __asm__("__gcl_" #__name);                            \
    static inline __type __name __parameters
#define __NVTX(__type, __name, __parameters, __arguments, __otherwise)                             \
    __NVTX_BOTH(__type, __name, __parameters) {                                                    \
        return __##__name ? __##__name __arguments : __otherwise;                                  \
    }
#define __NVTX_PUSH(__name, __parameters, __arguments)                                             \
    __NVTX(int, __name, __parameters, __arguments, NVTX_NO_PUSH_POP_TRACKING)
#define __NVTX_START(__name, __parameters, __arguments)                                            \
    __NVTX(nvtxRangeId_t, __name, __parameters, __arguments, 0)
#define __NVTX_TELL(__name, __parameters, __arguments)                                             \
    __NVTX_BOTH(void, __name, __parameters) {                                                      \
        if (__##__name)                                                                            \
            __##__name __arguments;                                                                \
    }

__NVTX_TELL(nvtxInitialize, (const void *__reserved), (__reserved))

// Ranges of a thread, which nest. Push returns the new range's depth, from 0; pop that of the range
// that has ended, or something negative if there was none.
__NVTX_PUSH(nvtxRangePushA, (const char *__text), (__text))
__NVTX_PUSH(nvtxRangePushW, (const wchar_t *__text), (__text))
__NVTX_PUSH(nvtxRangePushEx, (const nvtxEventAttributes_t *__event), (__event))
__NVTX_PUSH(nvtxRangePop, (void), ())
__NVTX_PUSH(nvtxDomainRangePushEx,
            (nvtxDomainHandle_t __domain, const nvtxEventAttributes_t *__event),
            (__domain, __event))
__NVTX_PUSH(nvtxDomainRangePop, (nvtxDomainHandle_t __domain), (__domain))

// Ranges of the process: another thread may end them, and they may overlap.
__NVTX_START(nvtxRangeStartA, (const char *__text), (__text))
__NVTX_START(nvtxRangeStartW, (const wchar_t *__text), (__text))
__NVTX_START(nvtxRangeStartEx, (const nvtxEventAttributes_t *__event), (__event))
__NVTX_START(nvtxDomainRangeStartEx,
             (nvtxDomainHandle_t __domain, const nvtxEventAttributes_t *__event),
             (__domain, __event))
__NVTX_TELL(nvtxRangeEnd, (nvtxRangeId_t __range), (__range))
__NVTX_TELL(nvtxDomainRangeEnd, (nvtxDomainHandle_t __domain, nvtxRangeId_t __range),
            (__domain, __range))

// Moments.
__NVTX_TELL(nvtxMarkA, (const char *__text), (__text))
__NVTX_TELL(nvtxMarkW, (const wchar_t *__text), (__text))
__NVTX_TELL(nvtxMarkEx, (const nvtxEventAttributes_t *__event), (__event))
__NVTX_TELL(nvtxDomainMarkEx, (nvtxDomainHandle_t __domain, const nvtxEventAttributes_t *__event),
            (__domain, __event))

// Names. A thread's number is that of the system: gettid().
__NVTX_TELL(nvtxNameOsThreadA, (uint32_t __thread_number, const char *__text),
            (__thread_number, __text))
__NVTX_TELL(nvtxNameOsThreadW, (uint32_t __thread_number, const wchar_t *__text),
            (__thread_number, __text))
__NVTX_TELL(nvtxNameCategoryA, (uint32_t __category, const char *__text), (__category, __text))
__NVTX_TELL(nvtxNameCategoryW, (uint32_t __category, const wchar_t *__text), (__category, __text))
__NVTX_TELL(nvtxDomainNameCategoryA,
            (nvtxDomainHandle_t __domain, uint32_t __category, const char *__text),
            (__domain, __category, __text))
__NVTX_TELL(nvtxDomainNameCategoryW,
            (nvtxDomainHandle_t __domain, uint32_t __category, const wchar_t *__text),
            (__domain, __category, __text))

// Domains and texts, which live as long as the process. NULL where nobody records.
__NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (const char *__text), (__text), NULL)
__NVTX(nvtxDomainHandle_t, nvtxDomainCreateW, (const wchar_t *__text), (__text), NULL)
__NVTX_TELL(nvtxDomainDestroy, (nvtxDomainHandle_t __domain), (__domain))
__NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringA,
       (nvtxDomainHandle_t __domain, const char *__text), (__domain, __text), NULL)
__NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringW,
       (nvtxDomainHandle_t __domain, const wchar_t *__text), (__domain, __text), NULL)

#undef __NVTX_TELL
#undef __NVTX_START
#undef __NVTX_PUSH
#undef __NVTX
#undef __NVTX_BOTH

#ifdef __cplusplus
}
#endif

#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA

#endif
