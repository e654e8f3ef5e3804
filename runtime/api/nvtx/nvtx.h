// NVTX: what a program says it is doing, for the trace. Nothing is kept where no trace is asked
// for. Each function may be called by any thread; handles live as long as the process.
#ifndef GCL_API_NVTX_H
#define GCL_API_NVTX_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/watch/trace.h"
#include "gcluster.h"
#include "gcluster/nvtx.h"

/// The trace of a process that writes one and isn't about to end, started with the runtime if need
/// be; NULL: what is said goes nowhere.
struct gcl_trace *gcl_nvtx_trace(void);

// names.c

/// The name of a domain; NULL: the default one, which has none.
const char *gcl_nvtx_domain_name(nvtxDomainHandle_t domain);
/// The name of a category of a domain, NULL if it has none.
const char *gcl_nvtx_category_name(nvtxDomainHandle_t domain, uint32_t category);
const char *gcl_nvtx_string(nvtxStringHandle_t string);
/// The text in UTF-8, to be freed; NULL: no memory. Takes NULL for "".
char *gcl_nvtx_narrow(const wchar_t *text);

// lines.c

/// What a thread says in one domain: a line of the picture.
struct gcl_nvtx_line {
    struct gcl_nvtx_line *next;   ///< of all threads
    struct gcl_nvtx_line *of_own; ///< of the same thread
    nvtxDomainHandle_t domain;
    uint64_t number;   ///< of GCL_TRACE_PROGRAM
    uint32_t thread;   ///< as the system numbers it
    char *thread_name; ///< NULL: the program hasn't named it
    int depth;         ///< ranges that have been pushed; the thread's own
};

/// The calling thread's line for a domain; NULL: no memory.
struct gcl_nvtx_line *gcl_nvtx_line(struct gcl_trace *trace, nvtxDomainHandle_t domain);

// What libgcluster exports; nvtx3/nvToolsExt.h says what each means.

void nvtxInitialize(const void *reserved);
int nvtxRangePushA(const char *text);
int nvtxRangePushW(const wchar_t *text);
int nvtxRangePushEx(const nvtxEventAttributes_t *event);
int nvtxRangePop(void);
int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event);
int nvtxDomainRangePop(nvtxDomainHandle_t domain);
nvtxRangeId_t nvtxRangeStartA(const char *text);
nvtxRangeId_t nvtxRangeStartW(const wchar_t *text);
nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *event);
nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event);
void nvtxRangeEnd(nvtxRangeId_t range);
void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t range);
void nvtxMarkA(const char *text);
void nvtxMarkW(const wchar_t *text);
void nvtxMarkEx(const nvtxEventAttributes_t *event);
void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event);
void nvtxNameOsThreadA(uint32_t thread, const char *text);
void nvtxNameOsThreadW(uint32_t thread, const wchar_t *text);
void nvtxNameCategoryA(uint32_t category, const char *text);
void nvtxNameCategoryW(uint32_t category, const wchar_t *text);
void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category, const char *text);
void nvtxDomainNameCategoryW(nvtxDomainHandle_t domain, uint32_t category, const wchar_t *text);
nvtxDomainHandle_t nvtxDomainCreateA(const char *text);
nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t *text);
void nvtxDomainDestroy(nvtxDomainHandle_t domain);
nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char *text);
nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t domain, const wchar_t *text);
void nvtxNameCudaStreamA(gclStream_t stream, const char *text);
void nvtxNameCudaStreamW(gclStream_t stream, const wchar_t *text);

#endif
