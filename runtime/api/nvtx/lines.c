// Lines of the picture: ranges of one domain nest in a thread, those of two domains needn't nest in
// each other, so each domain has its own line under the thread.
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "api/api.h"
#include "api/nvtx/nvtx.h"
#include "exec/engine/engine.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gcl_nvtx_line *lines; ///< of all threads, the newest first
static uint64_t line_count;
static _Thread_local struct gcl_nvtx_line *own;

/// Says what a line is. With the lock.
static void label(struct gcl_trace *trace, const struct gcl_nvtx_line *line) {
    const char *domain = gcl_nvtx_domain_name(line->domain);
    char text[256], plain[32];
    snprintf(plain, sizeof plain,
             line->thread == (uint32_t)getpid() ? "main thread" : "thread %" PRIu32, line->thread);
    snprintf(text, sizeof text, "%s%s%s", line->thread_name ? line->thread_name : plain,
             domain ? ": " : "", domain ? domain : "");
    gcl_trace_label(trace, GCL_TRACE_PROGRAM, line->number, text);
}

/// The newest line of a thread; NULL: it has none. With the lock.
static struct gcl_nvtx_line *line_of(uint32_t thread) {
    struct gcl_nvtx_line *line = lines;
    while (line && line->thread != thread)
        line = line->next;
    return line;
}

static struct gcl_nvtx_line *add_line(uint32_t thread, nvtxDomainHandle_t domain) {
    const struct gcl_nvtx_line *known = line_of(thread);
    struct gcl_nvtx_line *line = calloc(1, sizeof *line);
    if (!line)
        return NULL;
    line->domain = domain;
    line->thread = thread;
    line->number = line_count++;
    if (known && known->thread_name)
        line->thread_name = strdup(known->thread_name);
    line->next = lines;
    return lines = line;
}

struct gcl_nvtx_line *gcl_nvtx_line(struct gcl_trace *trace, nvtxDomainHandle_t domain) {
    struct gcl_nvtx_line *line = own;
    while (line && line->domain != domain)
        line = line->of_own;
    if (line)
        return line;
    pthread_mutex_lock(&lock);
    line = add_line((uint32_t)syscall(SYS_gettid), domain);
    if (line) {
        line->of_own = own;
        own = line;
        label(trace, line);
    }
    pthread_mutex_unlock(&lock);
    return line;
}

static void name_line(struct gcl_trace *trace, struct gcl_nvtx_line *line, const char *text) {
    free(line->thread_name);
    line->thread_name = strdup(text);
    label(trace, line);
}

// Threads are named before they say anything, too: the line that is made for that stays empty.
void nvtxNameOsThreadA(uint32_t thread, const char *text) {
    struct gcl_trace *trace = text ? gcl_nvtx_trace() : NULL;
    if (!trace)
        return;
    pthread_mutex_lock(&lock);
    if (!line_of(thread))
        add_line(thread, NULL);
    for (struct gcl_nvtx_line *line = lines; line; line = line->next) {
        if (line->thread == thread)
            name_line(trace, line, text);
    }
    pthread_mutex_unlock(&lock);
}

void nvtxNameOsThreadW(uint32_t thread, const wchar_t *text) {
    char *narrow = gcl_nvtx_trace() ? gcl_nvtx_narrow(text) : NULL;
    nvtxNameOsThreadA(thread, narrow);
    free(narrow);
}

void nvtxNameCudaStreamA(gclStream_t handle, const char *text) {
    struct gcl_trace *trace = text ? gcl_nvtx_trace() : NULL;
    struct gcl_runtime *runtime = trace ? gcl_runtime_peek() : NULL;
    struct gcl_stream *stream = runtime ? gcl_api_stream(runtime, handle) : NULL;
    if (stream)
        gcl_trace_label(trace, GCL_TRACE_STREAMS, gcl_stream_id(stream), text);
}

void nvtxNameCudaStreamW(gclStream_t stream, const wchar_t *text) {
    char *narrow = gcl_nvtx_trace() ? gcl_nvtx_narrow(text) : NULL;
    nvtxNameCudaStreamA(stream, narrow);
    free(narrow);
}
