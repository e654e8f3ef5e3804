// Ranges and marks. What is said is written as it is said; of ranges that any thread may end the
// name is kept until then, since the trace names both ends.
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/nvtx/nvtx.h"
#include "base/env.h"
#include "process/runtime.h"

/// A range that has been started.
struct started {
    struct started *next;
    nvtxRangeId_t number;
    nvtxDomainHandle_t domain;
    char name[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct started *all_started;
static nvtxRangeId_t started_count;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_asked_for;

static void ask(void) {
    is_asked_for = gcl_env_asks_for_trace();
}

struct gcl_trace *gcl_nvtx_trace(void) {
    pthread_once(&once, ask);
    struct gcl_runtime *runtime = is_asked_for ? gcl_runtime_get() : NULL;
    return runtime && runtime->place.node == 0 ? runtime->trace : NULL;
}

void nvtxInitialize(const void *reserved) {
    (void)reserved; // nothing has to be
}

// What is said.

/// An event of the program's, as its attributes say it.
struct event {
    struct gcl_trace_note note;
    char *narrow;     ///< to be freed
    char payload[64]; ///< a number of JSON, "" without one
};

static void write_payload(const nvtxEventAttributes_t *from, char *text, size_t size) {
    double number = from->payloadType == NVTX_PAYLOAD_TYPE_FLOAT ? (double)from->payload.fValue
                                                                 : from->payload.dValue;
    text[0] = 0;
    switch (from->payloadType) {
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT64:
        snprintf(text, size, "%" PRIu64, from->payload.ullValue);
        break;
    case NVTX_PAYLOAD_TYPE_INT64:
        snprintf(text, size, "%" PRId64, from->payload.llValue);
        break;
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT32:
        snprintf(text, size, "%" PRIu32, from->payload.uiValue);
        break;
    case NVTX_PAYLOAD_TYPE_INT32:
        snprintf(text, size, "%" PRId32, from->payload.iValue);
        break;
    case NVTX_PAYLOAD_TYPE_DOUBLE:
    case NVTX_PAYLOAD_TYPE_FLOAT: // JSON has no infinities
        snprintf(text, size, isfinite(number) ? "%.17g" : "\"%f\"", number);
        break;
    default:
        break;
    }
}

static const char *name_of(const nvtxEventAttributes_t *from, char **narrow) {
    const char *name = "";
    if (from->messageType == NVTX_MESSAGE_TYPE_ASCII)
        name = from->message.ascii;
    if (from->messageType == NVTX_MESSAGE_TYPE_UNICODE)
        name = *narrow = gcl_nvtx_narrow(from->message.unicode);
    if (from->messageType == NVTX_MESSAGE_TYPE_REGISTERED)
        name = gcl_nvtx_string(from->message.registered);
    return name ? name : "";
}

/// Fills in an event that lies at `event` until it is finished.
static void begin_event(struct event *event, enum gcl_trace_note_kind kind,
                        nvtxDomainHandle_t domain, const nvtxEventAttributes_t *from) {
    *event = (struct event){.note = {.kind = kind, .name = ""}};
    event->note.domain = gcl_nvtx_domain_name(domain);
    event->note.payload = event->payload;
    if (!from || from->size < sizeof *from)
        return;
    event->note.name = name_of(from, &event->narrow);
    event->note.has_color = from->colorType == NVTX_COLOR_ARGB;
    event->note.color = from->color;
    event->note.category = from->category;
    event->note.category_name =
        from->category ? gcl_nvtx_category_name(domain, from->category) : NULL;
    write_payload(from, event->payload, sizeof event->payload);
}

static nvtxEventAttributes_t plain(const char *text) {
    return (nvtxEventAttributes_t){.version = NVTX_VERSION,
                                   .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                   .messageType = NVTX_MESSAGE_TYPE_ASCII,
                                   .message.ascii = text};
}

static nvtxEventAttributes_t wide(const wchar_t *text) {
    return (nvtxEventAttributes_t){.version = NVTX_VERSION,
                                   .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                   .messageType = NVTX_MESSAGE_TYPE_UNICODE,
                                   .message.unicode = text};
}

/// Says it on the line of the calling thread, which is returned; NULL: no memory.
static struct gcl_nvtx_line *say(struct gcl_trace *trace, enum gcl_trace_note_kind kind,
                                 nvtxDomainHandle_t domain, const nvtxEventAttributes_t *from) {
    struct gcl_nvtx_line *line = gcl_nvtx_line(trace, domain);
    struct event event;
    if (!line)
        return NULL;
    begin_event(&event, kind, domain, from);
    event.note.line = line->number;
    gcl_trace_note(trace, &event.note);
    free(event.narrow);
    return line;
}

// Ranges of a thread.

int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event) {
    struct gcl_trace *trace = gcl_nvtx_trace();
    struct gcl_nvtx_line *line = trace ? say(trace, GCL_TRACE_PUSH, domain, event) : NULL;
    return line ? line->depth++ : NVTX_NO_PUSH_POP_TRACKING;
}

int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
    struct gcl_trace *trace = gcl_nvtx_trace();
    struct gcl_nvtx_line *line = trace ? gcl_nvtx_line(trace, domain) : NULL;
    if (!line)
        return NVTX_NO_PUSH_POP_TRACKING;
    if (line->depth == 0)
        return -1;
    say(trace, GCL_TRACE_POP, domain, NULL);
    return --line->depth;
}

int nvtxRangePushEx(const nvtxEventAttributes_t *event) {
    return nvtxDomainRangePushEx(NULL, event);
}

int nvtxRangePushA(const char *text) {
    const nvtxEventAttributes_t event = plain(text);
    return nvtxRangePushEx(&event);
}

int nvtxRangePushW(const wchar_t *text) {
    const nvtxEventAttributes_t event = wide(text);
    return nvtxRangePushEx(&event);
}

int nvtxRangePop(void) {
    return nvtxDomainRangePop(NULL);
}

// Ranges of the process.

/// The number of a new range; 0, which nobody ends: no memory.
static nvtxRangeId_t add_started(nvtxDomainHandle_t domain, const char *name) {
    size_t size = strlen(name) + 1;
    struct started *added = malloc(sizeof *added + size);
    if (!added)
        return 0;
    memcpy(added->name, name, size);
    added->domain = domain;
    pthread_mutex_lock(&lock);
    nvtxRangeId_t number = added->number = ++started_count;
    added->next = all_started;
    all_started = added;
    pthread_mutex_unlock(&lock);
    return number;
}

/// Takes a range off the list, to be freed; NULL: there is none of that number.
static struct started *take_started(nvtxRangeId_t number) {
    pthread_mutex_lock(&lock);
    struct started **at = &all_started;
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    struct started *found = *at;
    if (found)
        *at = found->next;
    pthread_mutex_unlock(&lock);
    return found;
}

nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain,
                                     const nvtxEventAttributes_t *attributes) {
    struct gcl_trace *trace = gcl_nvtx_trace();
    struct event event;
    if (!trace)
        return 0;
    begin_event(&event, GCL_TRACE_START, domain, attributes);
    event.note.range = add_started(domain, event.note.name);
    if (event.note.range)
        gcl_trace_note(trace, &event.note);
    free(event.narrow);
    return event.note.range;
}

nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *event) {
    return nvtxDomainRangeStartEx(NULL, event);
}

nvtxRangeId_t nvtxRangeStartA(const char *text) {
    const nvtxEventAttributes_t event = plain(text);
    return nvtxRangeStartEx(&event);
}

nvtxRangeId_t nvtxRangeStartW(const wchar_t *text) {
    const nvtxEventAttributes_t event = wide(text);
    return nvtxRangeStartEx(&event);
}

void nvtxRangeEnd(nvtxRangeId_t range) {
    struct gcl_trace *trace = gcl_nvtx_trace();
    struct started *started = trace ? take_started(range) : NULL;
    if (!started)
        return;
    gcl_trace_note(trace, &(struct gcl_trace_note){.kind = GCL_TRACE_END,
                                                   .name = started->name,
                                                   .domain = gcl_nvtx_domain_name(started->domain),
                                                   .range = range,
                                                   .payload = ""});
    free(started);
}

void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t range) {
    (void)domain; // numbers are those of the process
    nvtxRangeEnd(range);
}

// Marks.

void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event) {
    struct gcl_trace *trace = gcl_nvtx_trace();
    if (trace)
        say(trace, GCL_TRACE_MARK, domain, event);
}

void nvtxMarkEx(const nvtxEventAttributes_t *event) {
    nvtxDomainMarkEx(NULL, event);
}

void nvtxMarkA(const char *text) {
    const nvtxEventAttributes_t event = plain(text);
    nvtxMarkEx(&event);
}

void nvtxMarkW(const wchar_t *text) {
    const nvtxEventAttributes_t event = wide(text);
    nvtxMarkEx(&event);
}
