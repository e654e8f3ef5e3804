// Spans are written as they end, one JSON object a line; times are microseconds since the trace
// began.
#include "trace.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"

struct gcl_trace {
    pthread_mutex_t lock;
    FILE *file;
    uint64_t begin_ns;
    bool is_first;
};

static void begin_object(struct gcl_trace *trace) {
    fputs(trace->is_first ? "\n" : ",\n", trace->file);
    trace->is_first = false;
}

static void label_track(struct gcl_trace *trace, enum gcl_trace_track track, const char *name) {
    begin_object(trace);
    fprintf(trace->file,
            "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"args\":{\"name\":", (int)track);
    gcl_json_write_string(trace->file, name);
    fputs("}}", trace->file);
}

struct gcl_trace *gcl_trace_create(const char *path) {
    struct gcl_trace *trace = calloc(1, sizeof *trace);
    if (!trace)
        return NULL;
    trace->file = fopen(path, "w");
    if (!trace->file) {
        gcl_log(GCL_LOG_ERROR, "can't write the trace %s: %s", path, strerror(errno));
        free(trace);
        return NULL;
    }
    pthread_mutex_init(&trace->lock, NULL);
    trace->begin_ns = gcl_clock_ns();
    trace->is_first = true;
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", trace->file);
    label_track(trace, GCL_TRACE_WORKERS, "CPU device: workers");
    label_track(trace, GCL_TRACE_STREAMS, "CPU device: streams");
    return trace;
}

void gcl_trace_close(struct gcl_trace *trace) {
    if (!trace)
        return;
    pthread_mutex_lock(&trace->lock);
    fputs("\n]}\n", trace->file);
    if (fclose(trace->file) != 0)
        gcl_log(GCL_LOG_ERROR, "can't write the trace: %s", strerror(errno));
    trace->file = NULL;
    pthread_mutex_unlock(&trace->lock);
}

static void write_label(struct gcl_trace *trace, enum gcl_trace_track track, uint64_t line,
                        const char *name) {
    begin_object(trace);
    fprintf(trace->file,
            "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%d,\"tid\":%" PRIu64
            ",\"args\":{\"name\":",
            (int)track, line);
    gcl_json_write_string(trace->file, name);
    fputs("}}", trace->file);
}

void gcl_trace_label(struct gcl_trace *trace, enum gcl_trace_track track, uint64_t line,
                     const char *name) {
    pthread_mutex_lock(&trace->lock);
    if (trace->file)
        write_label(trace, track, line, name);
    pthread_mutex_unlock(&trace->lock);
}

static double microseconds(const struct gcl_trace *trace, uint64_t ns) {
    return ns > trace->begin_ns ? (double)(ns - trace->begin_ns) / 1e3 : 0;
}

static void write_span(struct gcl_trace *trace, const struct gcl_trace_span *span) {
    begin_object(trace);
    fputs("{\"ph\":\"X\",\"name\":", trace->file);
    gcl_json_write_string(trace->file, span->name);
    fprintf(trace->file,
            ",\"cat\":\"%s\",\"pid\":%d,\"tid\":%" PRIu64
            ",\"ts\":%.3f,\"dur\":%.3f,\"args\":{\"%s\":%" PRIu64 "}}",
            span->category, (int)span->track, span->line, microseconds(trace, span->begin_ns),
            (double)(span->end_ns - span->begin_ns) / 1e3, span->unit, span->amount);
}

void gcl_trace_add(struct gcl_trace *trace, const struct gcl_trace_span *span) {
    pthread_mutex_lock(&trace->lock);
    if (trace->file)
        write_span(trace, span);
    pthread_mutex_unlock(&trace->lock);
}
