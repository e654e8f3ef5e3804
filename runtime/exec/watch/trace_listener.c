// What is heard becomes spans and labels of the trace.
#include <inttypes.h>
#include <stdio.h>

#include "base/name.h"
#include "exec/watch/trace.h"
#include "gcluster/kernel.h"

/// Of the trace's transfers; those of movements come first, by track.
enum { LINE_WAITS = GCL_TRACK_COUNT };

static bool wants_times(void *trace) {
    (void)trace;
    return true;
}

static void began_thread(void *trace, uint64_t line, const char *name) {
    gcl_trace_label(trace, GCL_TRACE_WORKERS, line, name);
}

static void made_stream(void *trace, uint64_t stream, bool is_default) {
    char name[64];
    snprintf(name, sizeof name, "stream %" PRIu64 "%s", stream, is_default ? ", the default" : "");
    gcl_trace_label(trace, GCL_TRACE_STREAMS, stream, name);
}

/// A span of what was heard, whose name may be in `name`, of `size` bytes.
static struct gcl_trace_span span_of(const struct gcl_heard *heard, enum gcl_trace_track track,
                                     char *name, size_t size) {
    static const char *const names[] = {
        [GCL_HEARD_COPY] = "copy",          [GCL_HEARD_SET] = "set",   [GCL_HEARD_FREE] = "free",
        [GCL_HEARD_CALL] = "host function", [GCL_HEARD_WAIT] = "wait",
    };
    static const char *const categories[] = {
        [GCL_HEARD_RUN] = "kernel", [GCL_HEARD_COPY] = "copy", [GCL_HEARD_SET] = "copy",
        [GCL_HEARD_FREE] = "free",  [GCL_HEARD_CALL] = "call", [GCL_HEARD_WAIT] = "wait",
    };
    struct gcl_trace_span span = {.track = track,
                                  .line = heard->line,
                                  .name = names[heard->kind],
                                  .category = categories[heard->kind],
                                  .begin_ns = heard->begin_ns,
                                  .end_ns = heard->end_ns,
                                  .amount = heard->amount,
                                  .origin = heard->origin};
    if (heard->kernel)
        span.name = gcl_name_demangle(heard->kernel->name, name, size);
    else if (heard->name)
        span.name = heard->name;
    return span;
}

static void ran_units(void *trace, const struct gcl_heard *heard) {
    char name[128];
    struct gcl_trace_span span = span_of(heard, GCL_TRACE_WORKERS, name, sizeof name);
    span.unit = heard->kind == GCL_HEARD_RUN ? "blocks" : "pieces";
    if (heard->kind == GCL_HEARD_SET)
        span.name = "copy";
    if (heard->kind != GCL_HEARD_FREE)
        gcl_trace_add(trace, &span);
}

static void ran_command(void *trace, const struct gcl_heard *heard) {
    char name[128];
    struct gcl_trace_span span = span_of(heard, GCL_TRACE_STREAMS, name, sizeof name);
    span.unit = heard->kind == GCL_HEARD_RUN ? "blocks" : "bytes";
    gcl_trace_add(trace, &span);
}

static void waited(void *trace, const struct gcl_heard *heard) {
    struct gcl_trace_span span = span_of(heard, GCL_TRACE_WORKERS, NULL, 0);
    span.unit = "stream";
    gcl_trace_add(trace, &span);
}

// Exchanges.

static uint64_t received_bytes(const struct gcl_heard_exchange *heard) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < heard->count; i++)
        bytes += heard->requests[i].is_sent ? 0 : heard->requests[i].size;
    return bytes;
}

static void add_request(struct gcl_trace *trace, const struct gcl_request *request,
                        struct gcl_trace_span span) {
    span.name = span.category = request->is_sent ? "send" : "receive";
    span.amount = request->size;
    span.is_transfer = true;
    span.is_sent = request->is_sent;
    span.peer = request->peer;
    span.tag = request->tag;
    gcl_trace_add(trace, &span);
}

// The whole exchange, and in it its requests: none of them is known to end before all do. What a
// node reads by itself nobody sends.
static void add_movement(struct gcl_trace *trace, const struct gcl_heard_exchange *heard) {
    const struct gcl_trace_span span = {.track = GCL_TRACE_TRANSFERS,
                                        .line = heard->track,
                                        .name = heard->name,
                                        .category = "transfer",
                                        .begin_ns = heard->begin_ns,
                                        .end_ns = heard->end_ns,
                                        .unit = "bytes",
                                        .amount = received_bytes(heard)};
    gcl_trace_add(trace, &span);
    if (heard->mapped > 0) {
        struct gcl_trace_span mapped = span;
        mapped.name = mapped.category = "mapped";
        mapped.amount = heard->mapped;
        gcl_trace_add(trace, &mapped);
    }
    for (size_t i = 0; !heard->is_alone && i < heard->count; i++)
        add_request(trace, &heard->requests[i], span);
}

static void exchanged(void *trace, const struct gcl_heard_exchange *heard) {
    if (heard->name)
        add_movement(trace, heard);
    else if (!heard->requests[0].is_sent)
        gcl_trace_add(trace, &(struct gcl_trace_span){.track = GCL_TRACE_TRANSFERS,
                                                      .line = LINE_WAITS,
                                                      .name = "wait for other nodes",
                                                      .category = "wait",
                                                      .begin_ns = heard->begin_ns,
                                                      .end_ns = heard->end_ns,
                                                      .unit = "nodes",
                                                      .amount = heard->count});
}

static void came(void *trace, const struct gcl_heard_came *heard) {
    struct gcl_trace_memory memory = {.is_touched = heard->is_touched,
                                      .begin_ns = heard->begin_ns,
                                      .end_ns = heard->end_ns,
                                      .bytes = heard->bytes,
                                      .from_files = heard->from_files,
                                      .lack = heard->lack,
                                      .went = heard->went};
    char name[128]; // as those of other spans
    const char *shown =
        heard->kernel ? gcl_name_demangle(heard->kernel->name, name, sizeof name) : "a copy";
    snprintf(memory.name, sizeof memory.name, "%s", shown);
    gcl_trace_add_memory(trace, &memory);
}

void gcl_trace_label_transfers(struct gcl_trace *trace) {
    for (int track = GCL_TRACK_KERNELS; track <= GCL_TRACK_KERNELS_LAST; track++)
        gcl_trace_label(trace, GCL_TRACE_TRANSFERS, (uint64_t)track,
                        track == GCL_TRACK_KERNELS ? "transfers" : "transfers beside others");
    gcl_trace_label(trace, GCL_TRACE_TRANSFERS, GCL_TRACK_IN, "transfers of copies in");
    gcl_trace_label(trace, GCL_TRACE_TRANSFERS, GCL_TRACK_OUT, "transfers of copies out");
    gcl_trace_label(trace, GCL_TRACE_TRANSFERS, GCL_TRACK_SCATTER, "transfers ahead of kernels");
    gcl_trace_label(trace, GCL_TRACE_TRANSFERS, LINE_WAITS, "waiting for nodes");
}

struct gcl_listener gcl_trace_listener(struct gcl_trace *trace) {
    return (struct gcl_listener){.context = trace,
                                 .wants_times = wants_times,
                                 .began_thread = began_thread,
                                 .made_stream = made_stream,
                                 .ran_units = ran_units,
                                 .ran_command = ran_command,
                                 .waited = waited,
                                 .came = came,
                                 .exchanged = exchanged};
}
