// Spans are written as they end, one JSON object a line; times are microseconds since the trace
// began. A node is a process of the picture, numbered from 1, since viewers take 0 for an idle one.
//
// What other nodes keep are records, one after the other: a kind, then 8 bytes a number and a byte
// of length a text. The first record says what is missing.
#include "exec/watch/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"

enum record { RECORD_SPAN = 1, RECORD_LABEL, RECORD_HOST, RECORD_MEMORY };

enum {
    TEXT_SIZE = 256,
    NUMBERS = 9,
    HEAD_SIZE = 16,
    MOST_RECORD = 1 + 8 * NUMBERS + 3 * TEXT_SIZE
};

enum {
    JOIN_NS = 1000000,         ///< between bytes that make one span,
    MOST_JOINED_NS = 50000000, ///< which isn't longer than that, and a piece
};

struct gcl_trace {
    pthread_mutex_t lock;
    gcl_node self;
    FILE *file; ///< node 0's, until it is closed
    uint64_t begin_ns;
    bool is_first;
    struct gcl_origin *origins; ///< node 0's; the first has number 1
    uint32_t origin_count;

    struct gcl_trace_memory coming[2]; ///< spans that may go on: beforehand, and as touched

    // On other nodes than 0: records behind room for a head.
    unsigned char *kept;
    size_t size, capacity;
    uint64_t dropped, dropped_since_ns;
};

// Writing.

static void begin_object(struct gcl_trace *trace) {
    fputs(trace->is_first ? "\n" : ",\n", trace->file);
    trace->is_first = false;
}

static void write_process(struct gcl_trace *trace, gcl_node node, const char *host) {
    char name[TEXT_SIZE + 32];
    snprintf(name, sizeof name, "node %u on %s", node, host);
    begin_object(trace);
    fprintf(trace->file,
            "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"args\":{\"name\":", node + 1);
    gcl_json_write_string(trace->file, name);
    fputs("}}", trace->file);
}

static uint64_t thread_of(enum gcl_trace_track track, uint64_t line) {
    return (uint64_t)track * GCL_TRACE_LINES + line;
}

static void write_label(struct gcl_trace *trace, gcl_node node, uint64_t thread, const char *name) {
    begin_object(trace);
    fprintf(trace->file,
            "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%u,\"tid\":%" PRIu64
            ",\"args\":{\"name\":",
            node + 1, thread);
    gcl_json_write_string(trace->file, name);
    fputs("}}", trace->file);
}

static double microseconds(const struct gcl_trace *trace, uint64_t ns) {
    return ns > trace->begin_ns ? (double)(ns - trace->begin_ns) / 1e3 : 0;
}

// An arrow from where bytes are sent to where they have come.
static void write_arrow(struct gcl_trace *trace, gcl_node node, const struct gcl_trace_span *span) {
    gcl_node from = span->is_sent ? node : span->peer, to = span->is_sent ? span->peer : node;
    uint64_t ns =
        span->is_sent || span->end_ns == span->begin_ns ? span->begin_ns : span->end_ns - 1;
    begin_object(trace);
    fprintf(trace->file,
            "{\"ph\":\"%s,\"name\":\"bytes\",\"cat\":\"transfer\",\"id\":\"%u-%u-%" PRIu64
            "\",\"pid\":%u,\"tid\":%" PRIu64 ",\"ts\":%.3f}",
            span->is_sent ? "s\"" : "f\",\"bp\":\"e\"", from, to, span->tag, node + 1,
            thread_of(span->track, span->line), microseconds(trace, ns));
}

static void write_origin(struct gcl_trace *trace, const struct gcl_origin *origin) {
    fputs(",\"file\":", trace->file);
    gcl_json_write_string(trace->file, origin->file);
    fprintf(trace->file, ",\"line\":%" PRIu32, origin->line);
}

static void write_span(struct gcl_trace *trace, gcl_node node, const struct gcl_trace_span *span) {
    double begin = microseconds(trace, span->begin_ns), end = microseconds(trace, span->end_ns);
    begin_object(trace);
    fputs("{\"ph\":\"X\",\"name\":", trace->file);
    gcl_json_write_string(trace->file, span->name);
    fputs(",\"cat\":", trace->file);
    gcl_json_write_string(trace->file, span->category);
    fprintf(trace->file, ",\"pid\":%u,\"tid\":%" PRIu64 ",\"ts\":%.3f,\"dur\":%.3f,\"args\":{",
            node + 1, thread_of(span->track, span->line), begin, end - begin);
    gcl_json_write_string(trace->file, span->unit);
    fprintf(trace->file, ":%" PRIu64, span->amount);
    if (span->origin > 0 && span->origin <= trace->origin_count)
        write_origin(trace, &trace->origins[span->origin - 1]);
    if (span->is_transfer)
        fprintf(trace->file, ",\"%s\":%u,\"tag\":%" PRIu64, span->is_sent ? "to" : "from",
                span->peer, span->tag);
    fputs("}}", trace->file);
    if (span->is_transfer)
        write_arrow(trace, node, span);
}

static void write_memory(struct gcl_trace *trace, gcl_node node,
                         const struct gcl_trace_memory *memory) {
    double begin = microseconds(trace, memory->begin_ns), end = microseconds(trace, memory->end_ns);
    begin_object(trace);
    fputs("{\"ph\":\"X\",\"name\":", trace->file);
    gcl_json_write_string(trace->file, memory->name);
    fprintf(trace->file,
            ",\"cat\":\"memory\",\"pid\":%u,\"tid\":%" PRIu64
            ",\"ts\":%.3f,\"dur\":%.3f,\"args\":{\"%s\":%" PRIu64 ",\"from_files\":%" PRIu64
            ",\"lack\":%" PRIu64 ",\"evicted\":%" PRIu64 "}}",
            node + 1, thread_of(GCL_TRACE_MEMORY, memory->is_touched), begin, end - begin,
            memory->is_touched ? "touched" : "came", memory->bytes, memory->from_files,
            memory->lack, memory->went);
}

static void write_arguments(FILE *out, const struct gcl_trace_note *note) {
    const char *between = note->category ? "," : "";
    if (note->category_name) {
        fputs("\"category\":", out);
        gcl_json_write_string(out, note->category_name);
    } else if (note->category) {
        fprintf(out, "\"category\":%" PRIu32, note->category);
    }
    if (note->has_color) {
        fprintf(out, "%s\"color\":\"#%08" PRIx32 "\"", between, note->color);
        between = ",";
    }
    if (note->payload[0])
        fprintf(out, "%s\"payload\":%s", between, note->payload);
}

static void write_note(struct gcl_trace *trace, const struct gcl_trace_note *note) {
    static const char *const phases[] = {[GCL_TRACE_PUSH] = "B",
                                         [GCL_TRACE_POP] = "E",
                                         [GCL_TRACE_MARK] = "i\",\"s\":\"t",
                                         [GCL_TRACE_START] = "b",
                                         [GCL_TRACE_END] = "e"};
    begin_object(trace);
    fprintf(trace->file, "{\"ph\":\"%s\",\"name\":", phases[note->kind]);
    gcl_json_write_string(trace->file, note->name);
    fputs(",\"cat\":", trace->file);
    gcl_json_write_string(trace->file, note->domain ? note->domain : "nvtx");
    if (note->range)
        fprintf(trace->file, ",\"id\":\"nvtx-%" PRIu64 "\"", note->range);
    fprintf(trace->file, ",\"pid\":1,\"tid\":%" PRIu64 ",\"ts\":%.3f,\"args\":{",
            thread_of(GCL_TRACE_PROGRAM, note->line), microseconds(trace, gcl_clock_ns()));
    write_arguments(trace->file, note);
    fputs("}}", trace->file);
}

// Keeping.

static unsigned char *put_text(unsigned char *out, const char *text) {
    size_t length = strnlen(text, TEXT_SIZE - 1);
    *out++ = (unsigned char)length;
    return (unsigned char *)memcpy(out, text, length) + length;
}

static unsigned char *put_span(unsigned char *out, const struct gcl_trace_span *span) {
    *out++ = RECORD_SPAN;
    out = gcl_bytes_put64(out, span->track);
    out = gcl_bytes_put64(out, span->line);
    out = gcl_bytes_put64(out, span->begin_ns);
    out = gcl_bytes_put64(out, span->end_ns);
    out = gcl_bytes_put64(out, span->amount);
    out = gcl_bytes_put64(out, span->origin);
    out = gcl_bytes_put64(out, span->is_transfer ? 1 + span->is_sent : 0);
    out = gcl_bytes_put64(out, span->peer);
    out = gcl_bytes_put64(out, span->tag);
    out = put_text(out, span->name);
    out = put_text(out, span->category);
    return put_text(out, span->unit);
}

static unsigned char *put_memory(unsigned char *out, const struct gcl_trace_memory *memory) {
    *out++ = RECORD_MEMORY;
    out = gcl_bytes_put64(out, memory->is_touched);
    out = gcl_bytes_put64(out, memory->begin_ns);
    out = gcl_bytes_put64(out, memory->end_ns);
    out = gcl_bytes_put64(out, memory->bytes);
    out = gcl_bytes_put64(out, memory->from_files);
    out = gcl_bytes_put64(out, memory->lack);
    out = gcl_bytes_put64(out, memory->went);
    return put_text(out, memory->name);
}

static unsigned char *put_label(unsigned char *out, uint64_t thread, const char *name) {
    *out++ = RECORD_LABEL;
    out = gcl_bytes_put64(out, thread);
    return put_text(out, name);
}

static unsigned char *put_host(unsigned char *out, const char *host) {
    *out++ = RECORD_HOST;
    return put_text(out, host);
}

/// Room for one record more; NULL: it has to be dropped.
static unsigned char *reserve(struct gcl_trace *trace) {
    if (trace->size + MOST_RECORD > trace->capacity) {
        size_t capacity = trace->capacity ? 2 * trace->capacity : 64 << 10;
        unsigned char *kept = capacity <= GCL_TRACE_MOST ? realloc(trace->kept, capacity) : NULL;
        if (!kept)
            return NULL;
        trace->kept = kept;
        trace->capacity = capacity;
        if (trace->size == 0)
            trace->size = HEAD_SIZE;
    }
    return trace->kept + trace->size;
}

static void drop(struct gcl_trace *trace, uint64_t ns) {
    if (trace->dropped++ == 0)
        trace->dropped_since_ns = ns;
}

static void keep(struct gcl_trace *trace, const unsigned char *end) {
    trace->size = (size_t)(end - trace->kept);
}

// Memory that comes. The lock is held.

static void add_label(struct gcl_trace *trace, uint64_t thread, const char *name) {
    unsigned char *out = trace->self == 0 ? NULL : reserve(trace);
    if (trace->file)
        write_label(trace, trace->self, thread, name);
    else if (out)
        keep(trace, put_label(out, thread, name));
}

/// Ends a span that others might have joined. One that is empty has no name.
static void end_coming(struct gcl_trace *trace, struct gcl_trace_memory *memory) {
    if (!memory->name[0])
        return;
    unsigned char *out = trace->self == 0 ? NULL : reserve(trace);
    if (trace->file)
        write_memory(trace, trace->self, memory);
    else if (out)
        keep(trace, put_memory(out, memory));
    else
        drop(trace, memory->begin_ns);
    memory->name[0] = 0;
}

static void end_all_coming(struct gcl_trace *trace) {
    end_coming(trace, &trace->coming[0]);
    end_coming(trace, &trace->coming[1]);
}

static bool joins(const struct gcl_trace_memory *all, const struct gcl_trace_memory *next) {
    return strcmp(all->name, next->name) == 0 && next->begin_ns < all->end_ns + JOIN_NS &&
           all->end_ns - all->begin_ns < MOST_JOINED_NS;
}

/// Several threads have memory come at a time: their pieces may overlap, spans of a line may not.
static void join(struct gcl_trace_memory *all, const struct gcl_trace_memory *next) {
    double lacks =
        (double)all->lack * (double)all->bytes + (double)next->lack * (double)next->bytes;
    all->end_ns = next->end_ns > all->end_ns ? next->end_ns : all->end_ns;
    all->bytes += next->bytes;
    all->from_files += next->from_files;
    all->went += next->went;
    all->lack = all->bytes > 0 ? (uint64_t)(lacks / (double)all->bytes) : 0;
}

void gcl_trace_add_memory(struct gcl_trace *trace, const struct gcl_trace_memory *memory) {
    struct gcl_trace_memory *all = &trace->coming[memory->is_touched];
    pthread_mutex_lock(&trace->lock);
    if (all->end_ns == 0)
        add_label(trace, thread_of(GCL_TRACE_MEMORY, memory->is_touched),
                  memory->is_touched ? "memory as threads touch it" : "memory for launches");
    if (all->name[0] && joins(all, memory)) {
        join(all, memory);
    } else {
        uint64_t last_ns = all->end_ns;
        end_coming(trace, all);
        *all = *memory;
        all->begin_ns = memory->begin_ns > last_ns ? memory->begin_ns : last_ns;
        all->end_ns = memory->end_ns > all->begin_ns ? memory->end_ns : all->begin_ns;
    }
    pthread_mutex_unlock(&trace->lock);
}

// Life.

static bool open_file(struct gcl_trace *trace, const char *path) {
    trace->file = fopen(path, "w");
    if (!trace->file) {
        gcl_log(GCL_LOG_ERROR, "can't write the trace %s: %s", path, strerror(errno));
        return false;
    }
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", trace->file);
    return true;
}

struct gcl_trace *gcl_trace_create(const char *path, gcl_node self) {
    char host[TEXT_SIZE] = "?";
    struct gcl_trace *trace = calloc(1, sizeof *trace);
    if (!trace)
        return NULL;
    trace->self = self;
    trace->begin_ns = gcl_clock_ns();
    trace->is_first = true;
    pthread_mutex_init(&trace->lock, NULL);
    if (self == 0 && !open_file(trace, path)) {
        free(trace);
        return NULL;
    }
    gethostname(host, sizeof host - 1);
    unsigned char *out = self == 0 ? NULL : reserve(trace);
    if (self == 0)
        write_process(trace, 0, host);
    else if (out)
        keep(trace, put_host(out, host));
    return trace;
}

void gcl_trace_close(struct gcl_trace *trace) {
    if (!trace)
        return;
    pthread_mutex_lock(&trace->lock);
    if (trace->file) {
        end_all_coming(trace);
        fputs("\n]}\n", trace->file);
        if (fclose(trace->file) != 0)
            gcl_log(GCL_LOG_ERROR, "can't write the trace: %s", strerror(errno));
    }
    trace->file = NULL;
    pthread_mutex_unlock(&trace->lock);
}

void gcl_trace_label(struct gcl_trace *trace, enum gcl_trace_track track, uint64_t line,
                     const char *name) {
    uint64_t thread = thread_of(track, line);
    pthread_mutex_lock(&trace->lock);
    add_label(trace, thread, name);
    pthread_mutex_unlock(&trace->lock);
}

void gcl_trace_add(struct gcl_trace *trace, const struct gcl_trace_span *span) {
    pthread_mutex_lock(&trace->lock);
    unsigned char *out = trace->self == 0 ? NULL : reserve(trace);
    if (trace->file)
        write_span(trace, trace->self, span);
    else if (out)
        keep(trace, put_span(out, span));
    else
        drop(trace, span->begin_ns);
    pthread_mutex_unlock(&trace->lock);
}

void gcl_trace_note(struct gcl_trace *trace, const struct gcl_trace_note *note) {
    pthread_mutex_lock(&trace->lock);
    if (trace->file)
        write_note(trace, note);
    pthread_mutex_unlock(&trace->lock);
}

// Programs have few places that launch.
static uint32_t find_origin(const struct gcl_trace *trace, struct gcl_origin origin) {
    for (uint32_t i = 0; i < trace->origin_count; i++) {
        const struct gcl_origin *known = &trace->origins[i];
        if (known->line == origin.line && strcmp(known->file, origin.file) == 0)
            return i + 1;
    }
    return 0;
}

static uint32_t add_origin(struct gcl_trace *trace, struct gcl_origin origin) {
    uint32_t count = trace->origin_count;
    struct gcl_origin *origins = realloc(trace->origins, (count + 1) * sizeof *origins);
    char *file = strdup(origin.file); // that of the program goes with its object
    if (origins)
        trace->origins = origins;
    if (!origins || !file) {
        free(file);
        return 0;
    }
    origins[count] = (struct gcl_origin){file, origin.line};
    return trace->origin_count = count + 1;
}

uint32_t gcl_trace_origin(struct gcl_trace *trace, struct gcl_origin origin) {
    if (!origin.file)
        return 0;
    pthread_mutex_lock(&trace->lock);
    uint32_t number = find_origin(trace, origin);
    if (!number)
        number = add_origin(trace, origin);
    pthread_mutex_unlock(&trace->lock);
    return number;
}

unsigned char *gcl_trace_report(struct gcl_trace *trace, size_t *size) {
    pthread_mutex_lock(&trace->lock);
    end_all_coming(trace);
    unsigned char *report = trace->kept;
    if (report)
        gcl_bytes_put64(gcl_bytes_put64(report, trace->dropped), trace->dropped_since_ns);
    *size = trace->size;
    trace->kept = NULL;
    trace->size = trace->capacity = 0;
    trace->dropped = trace->dropped_since_ns = 0;
    pthread_mutex_unlock(&trace->lock);
    return report;
}

// Merging.

struct reader {
    const unsigned char *in, *end;
    bool failed;
};

static uint64_t get_number(struct reader *r) {
    uint64_t value = 0;
    if (r->end - r->in < 8)
        r->failed = true;
    else
        r->in = gcl_bytes_get64(r->in, &value);
    return value;
}

static const char *get_text(struct reader *r, char text[TEXT_SIZE]) {
    size_t length = r->in < r->end ? *r->in : 0;
    if ((size_t)(r->end - r->in) < 1 + length) {
        r->failed = true;
        length = 0;
    } else {
        memcpy(text, r->in + 1, length);
        r->in += 1 + length;
    }
    text[length] = 0;
    return text;
}

static void read_span(struct gcl_trace *trace, gcl_node node, const struct gcl_clocks *clocks,
                      struct reader *r) {
    char name[TEXT_SIZE], category[TEXT_SIZE], unit[TEXT_SIZE];
    struct gcl_trace_span span = {.track = (enum gcl_trace_track)get_number(r)};
    span.line = get_number(r);
    span.begin_ns = gcl_clocks_here(clocks, get_number(r));
    span.end_ns = gcl_clocks_here(clocks, get_number(r));
    span.amount = get_number(r);
    span.origin = (uint32_t)get_number(r);
    uint64_t direction = get_number(r);
    span.is_transfer = direction > 0;
    span.is_sent = direction > 1;
    span.peer = (gcl_node)get_number(r);
    span.tag = get_number(r);
    span.name = get_text(r, name);
    span.category = get_text(r, category);
    span.unit = get_text(r, unit);
    if (!r->failed)
        write_span(trace, node, &span);
}

static void read_memory(struct gcl_trace *trace, gcl_node node, const struct gcl_clocks *clocks,
                        struct reader *r) {
    char name[TEXT_SIZE];
    struct gcl_trace_memory memory = {.is_touched = get_number(r) != 0};
    memory.begin_ns = gcl_clocks_here(clocks, get_number(r));
    memory.end_ns = gcl_clocks_here(clocks, get_number(r));
    memory.bytes = get_number(r);
    memory.from_files = get_number(r);
    memory.lack = get_number(r);
    memory.went = get_number(r);
    snprintf(memory.name, sizeof memory.name, "%s", get_text(r, name));
    if (!r->failed)
        write_memory(trace, node, &memory);
}

static void read_record(struct gcl_trace *trace, gcl_node node, const struct gcl_clocks *clocks,
                        struct reader *r) {
    char text[TEXT_SIZE];
    switch (*r->in++) {
    case RECORD_SPAN:
        read_span(trace, node, clocks, r);
        break;
    case RECORD_MEMORY:
        read_memory(trace, node, clocks, r);
        break;
    case RECORD_LABEL: {
        uint64_t thread = get_number(r);
        get_text(r, text);
        if (!r->failed)
            write_label(trace, node, thread, text);
        break;
    }
    case RECORD_HOST:
        get_text(r, text);
        if (!r->failed)
            write_process(trace, node, text);
        break;
    default:
        r->failed = true;
    }
}

static void tell_dropped(struct gcl_trace *trace, gcl_node node, uint64_t dropped,
                         uint64_t since_ns) {
    gcl_log(GCL_LOG_WARN,
            "the trace lacks %" PRIu64 " spans of node %u, from %.3f s on: it keeps "
            "no more than %zu MiB",
            dropped, node, microseconds(trace, since_ns) * 1e-6, GCL_TRACE_MOST >> 20);
    begin_object(trace);
    fprintf(trace->file,
            "{\"ph\":\"i\",\"name\":\"%" PRIu64 " spans are missing from here on\",\"s\":\"p\","
            "\"pid\":%u,\"tid\":%" PRIu64 ",\"ts\":%.3f}",
            dropped, node + 1, thread_of(GCL_TRACE_TRANSFERS, 0), microseconds(trace, since_ns));
}

bool gcl_trace_merge(struct gcl_trace *trace, gcl_node node, const struct gcl_clocks *clocks,
                     const unsigned char *bytes, size_t size) {
    struct reader reader = {.in = bytes, .end = bytes + size};
    pthread_mutex_lock(&trace->lock);
    uint64_t dropped = get_number(&reader), since_ns = get_number(&reader);
    if (!trace->file)
        reader.failed = true;
    while (!reader.failed && reader.in < reader.end)
        read_record(trace, node, clocks, &reader);
    if (!reader.failed && dropped > 0)
        tell_dropped(trace, node, dropped, gcl_clocks_here(clocks, since_ns));
    pthread_mutex_unlock(&trace->lock);
    return !reader.failed;
}
