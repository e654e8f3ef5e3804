// Captures are few and short-lived, so all of them are in one list under one lock, and looked up by
// going through it.
#include "graph/capture.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/// A stream that takes part, with the nodes after which its next one comes.
struct member {
    struct gcl_stream *stream; ///< NULL: it was destroyed
    struct gcl_node_list tips;
    struct member *next;
};

struct capture {
    uint64_t id;
    struct gcl_graph *graph; ///< NULL once it is invalid and was its own
    bool is_own, is_invalid;
    enum gclStreamCaptureMode mode;
    pthread_t thread; ///< that began it
    struct member *origin, *members;
    struct capture *next;
};

/// An event that was last recorded in a capture, which may have ended.
struct captured_event {
    const struct gcl_event *event;
    uint64_t capture;
    struct gcl_node_list tips;
    struct captured_event *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct capture *captures;
static struct captured_event *events;
static atomic_uint any; ///< captures and events
static uint64_t last_id;
static _Thread_local enum gclStreamCaptureMode thread_mode;

bool gcl_capture_is_any(void) {
    return atomic_load_explicit(&any, memory_order_relaxed) > 0;
}

static struct member *find_member(const struct capture *capture, const struct gcl_stream *stream) {
    struct member *member = capture->members;
    while (member && member->stream != stream)
        member = member->next;
    return member;
}

/// The capture that a stream takes part in; NULL: none.
static struct capture *find(const struct gcl_stream *stream, struct member **member) {
    for (struct capture *c = captures; c; c = c->next) {
        *member = find_member(c, stream);
        if (*member)
            return c;
    }
    *member = NULL;
    return NULL;
}

static struct capture *find_by_id(uint64_t id) {
    struct capture *capture = captures;
    while (capture && capture->id != id)
        capture = capture->next;
    return capture;
}

static struct captured_event *find_event(const struct gcl_event *event) {
    struct captured_event *found = events;
    while (found && found->event != event)
        found = found->next;
    return found;
}

static gclError_t invalidate(struct capture *capture, gclError_t error) {
    capture->is_invalid = true;
    return error;
}

static struct member *add_member(struct capture *capture, struct gcl_stream *stream) {
    struct member *member = calloc(1, sizeof *member);
    if (!member)
        return NULL;
    member->stream = stream;
    member->next = capture->members;
    capture->members = member;
    return member;
}

static bool join_all(struct gcl_node_list *list, struct gcl_graph_node *const *nodes,
                     size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!gcl_node_list_join(list, nodes[i]))
            return false;
    }
    return true;
}

static void destroy(struct capture *capture) {
    while (capture->members) {
        struct member *member = capture->members;
        capture->members = member->next;
        gcl_node_list_finish(&member->tips);
        free(member);
    }
    free(capture);
}

gclError_t gcl_capture_begin(struct gcl_stream *stream, enum gclStreamCaptureMode mode,
                             struct gcl_graph *graph, bool is_own,
                             struct gcl_graph_node *const *before, size_t count) {
    struct member *member;
    if (gcl_stream_kind(stream) == GCL_STREAM_LEGACY)
        return gclErrorStreamCaptureUnsupported;
    struct capture *capture = calloc(1, sizeof *capture);
    if (!capture)
        return gclErrorMemoryAllocation;
    *capture =
        (struct capture){.graph = graph, .is_own = is_own, .mode = mode, .thread = pthread_self()};
    capture->origin = add_member(capture, stream);
    gclError_t error = capture->origin && join_all(&capture->origin->tips, before, count)
                           ? gclSuccess
                           : gclErrorMemoryAllocation;
    pthread_mutex_lock(&lock);
    if (!error && find(stream, &member))
        error = gclErrorIllegalState;
    if (!error) {
        capture->id = ++last_id;
        capture->next = captures;
        captures = capture;
        atomic_fetch_add(&any, 1);
    }
    pthread_mutex_unlock(&lock);
    if (error)
        destroy(capture);
    return error;
}

/// Whether a node is one of some, or before one of them.
static bool is_before(const struct gcl_graph_node *node, const struct gcl_node_list *tips) {
    struct gcl_node_list seen = {.nodes = NULL};
    bool is_found = join_all(&seen, tips->nodes, tips->count) && gcl_node_list_has(&seen, node);
    for (size_t i = 0; !is_found && i < seen.count; i++) {
        const struct gcl_node_list *before = &seen.nodes[i]->before;
        if (!join_all(&seen, before->nodes, before->count))
            break;
        is_found = gcl_node_list_has(&seen, node);
    }
    gcl_node_list_finish(&seen);
    return is_found;
}

static bool is_joined(const struct capture *capture) {
    for (const struct member *m = capture->members; m; m = m->next) {
        for (size_t i = 0; i < m->tips.count; i++) {
            if (!gcl_node_list_has(&capture->origin->tips, m->tips.nodes[i]) &&
                !is_before(m->tips.nodes[i], &capture->origin->tips))
                return false;
        }
    }
    return true;
}

static void take_out(struct capture *capture) {
    struct capture **link = &captures;
    while (*link != capture)
        link = &(*link)->next;
    *link = capture->next;
    atomic_fetch_sub(&any, 1);
    for (struct captured_event *e = events; e; e = e->next) {
        if (e->capture == capture->id)
            gcl_node_list_finish(&e->tips);
    }
}

static gclError_t end_check(struct capture *capture, const struct member *member) {
    if (capture->mode != gclStreamCaptureModeRelaxed &&
        !pthread_equal(capture->thread, pthread_self()))
        return gclErrorStreamCaptureWrongThread;
    if (capture->origin != member)
        return invalidate(capture, gclErrorStreamCaptureUnmatched);
    return gclSuccess;
}

gclError_t gcl_capture_end(struct gcl_stream *stream, struct gcl_graph **graph) {
    struct member *member;
    pthread_mutex_lock(&lock);
    struct capture *capture = find(stream, &member);
    gclError_t error = capture ? end_check(capture, member) : gclErrorIllegalState;
    *graph = NULL;
    if (error) {
        pthread_mutex_unlock(&lock);
        return error;
    }
    if (capture->is_invalid)
        error = gclErrorStreamCaptureInvalidated;
    else if (!is_joined(capture))
        error = gclErrorStreamCaptureUnjoined;
    take_out(capture);
    pthread_mutex_unlock(&lock);
    if (!error)
        *graph = capture->graph;
    else if (capture->is_own)
        gcl_graph_destroy(capture->graph);
    destroy(capture);
    return error;
}

/// Makes captures invalid whose work the legacy stream of a device would have to come after.
static gclError_t check_legacy(unsigned device) {
    gclError_t error = gclSuccess;
    for (struct capture *c = captures; c; c = c->next) {
        for (const struct member *m = c->members; m; m = m->next) {
            if (m->stream && gcl_stream_device(m->stream) == device &&
                gcl_stream_kind(m->stream) == GCL_STREAM_BLOCKING)
                error = invalidate(c, gclErrorStreamCaptureImplicit);
        }
    }
    return error;
}

gclError_t gcl_capture_claims(struct gcl_stream *stream, bool *claims) {
    struct member *member;
    gclError_t error = gclSuccess;
    pthread_mutex_lock(&lock);
    const struct capture *capture = find(stream, &member);
    *claims = capture != NULL;
    if (capture && capture->is_invalid)
        error = gclErrorStreamCaptureInvalidated;
    else if (gcl_stream_kind(stream) == GCL_STREAM_LEGACY)
        error = check_legacy(gcl_stream_device(stream));
    pthread_mutex_unlock(&lock);
    return error;
}

gclError_t gcl_capture_add(struct gcl_stream *stream, struct gcl_work_of_node *work) {
    struct member *member;
    pthread_mutex_lock(&lock);
    const struct capture *capture = find(stream, &member);
    struct gcl_graph_node *node = NULL;
    gclError_t error = gclErrorStreamCaptureInvalidated;
    if (capture && !capture->is_invalid) {
        error = gclErrorMemoryAllocation;
        node = gcl_graph_add(capture->graph, work, member->tips.nodes, member->tips.count);
    }
    if (node) {
        member->tips.count = 0;
        error = gcl_node_list_add(&member->tips, node) ? gclSuccess : gclErrorMemoryAllocation;
    }
    pthread_mutex_unlock(&lock);
    if (!node)
        gcl_work_of_node_finish(work);
    return error;
}

void gcl_capture_get_info(struct gcl_stream *stream, struct gcl_capture_info *info) {
    struct member *member;
    *info = (struct gcl_capture_info){.status = gclStreamCaptureStatusNone};
    pthread_mutex_lock(&lock);
    const struct capture *capture = find(stream, &member);
    if (capture)
        *info = (struct gcl_capture_info){.status = capture->is_invalid
                                                        ? gclStreamCaptureStatusInvalidated
                                                        : gclStreamCaptureStatusActive,
                                          .id = capture->id,
                                          .graph = capture->graph,
                                          .before = member->tips.nodes,
                                          .count = member->tips.count};
    pthread_mutex_unlock(&lock);
}

gclError_t gcl_capture_depend(struct gcl_stream *stream, struct gcl_graph_node *const *nodes,
                              size_t count, bool replaces) {
    struct member *member;
    gclError_t error = gclSuccess;
    pthread_mutex_lock(&lock);
    const struct capture *capture = find(stream, &member);
    if (!capture)
        error = gclErrorIllegalState;
    else if (capture->is_invalid)
        error = gclErrorStreamCaptureInvalidated;
    else if (!gcl_graph_has_all(capture->graph, nodes, count))
        error = gclErrorInvalidValue;
    if (!error) {
        if (replaces)
            member->tips.count = 0;
        if (!join_all(&member->tips, nodes, count))
            error = gclErrorMemoryAllocation;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

// Events.

static void remove_event(const struct gcl_event *event) {
    struct captured_event **link = &events;
    while (*link && (*link)->event != event)
        link = &(*link)->next;
    struct captured_event *found = *link;
    if (!found)
        return;
    *link = found->next;
    gcl_node_list_finish(&found->tips);
    free(found);
    atomic_fetch_sub(&any, 1);
}

static gclError_t note_event(const struct capture *capture, const struct member *member,
                             const struct gcl_event *event) {
    struct captured_event *noted = calloc(1, sizeof *noted);
    if (!noted || !join_all(&noted->tips, member->tips.nodes, member->tips.count)) {
        if (noted)
            gcl_node_list_finish(&noted->tips);
        free(noted);
        return gclErrorMemoryAllocation;
    }
    remove_event(event);
    noted->event = event;
    noted->capture = capture->id;
    noted->next = events;
    events = noted;
    atomic_fetch_add(&any, 1);
    return gclSuccess;
}

gclError_t gcl_capture_record(struct gcl_stream *stream, struct gcl_event *event) {
    struct member *member;
    pthread_mutex_lock(&lock);
    const struct capture *capture = find(stream, &member);
    gclError_t error = capture && !capture->is_invalid ? note_event(capture, member, event)
                                                       : gclErrorStreamCaptureInvalidated;
    pthread_mutex_unlock(&lock);
    return error;
}

/// A stream waits for what an event stands for in a capture. `own`: the capture that it takes part
/// in already.
static gclError_t join(struct capture *capture, const struct captured_event *event,
                       struct gcl_stream *stream, struct capture *own, struct member *member) {
    if (own && own != capture) {
        invalidate(own, gclErrorStreamCaptureMerge);
        return invalidate(capture, gclErrorStreamCaptureMerge);
    }
    if (capture->is_invalid)
        return gclErrorStreamCaptureInvalidated;
    if (gcl_stream_kind(stream) == GCL_STREAM_LEGACY)
        return invalidate(capture, gclErrorStreamCaptureImplicit);
    if (!member)
        member = add_member(capture, stream);
    return member && join_all(&member->tips, event->tips.nodes, event->tips.count)
               ? gclSuccess
               : gclErrorMemoryAllocation;
}

gclError_t gcl_capture_wait(struct gcl_stream *stream, struct gcl_event *event, bool *is_done) {
    struct member *member;
    gclError_t error = gclSuccess;
    pthread_mutex_lock(&lock);
    struct capture *own = find(stream, &member);
    const struct captured_event *captured = find_event(event);
    struct capture *capture = captured ? find_by_id(captured->capture) : NULL;
    *is_done = own || captured;
    if (own && own->is_invalid)
        error = gclErrorStreamCaptureInvalidated;
    else if (capture)
        error = join(capture, captured, stream, own, member);
    else if (own)
        error = invalidate(own, gclErrorStreamCaptureIsolation);
    else if (captured)
        error = gclErrorCapturedEvent;
    pthread_mutex_unlock(&lock);
    return error;
}

gclError_t gcl_capture_check_event(const struct gcl_event *event) {
    pthread_mutex_lock(&lock);
    const struct captured_event *captured = find_event(event);
    struct capture *capture = captured ? find_by_id(captured->capture) : NULL;
    if (capture)
        invalidate(capture, gclErrorCapturedEvent);
    pthread_mutex_unlock(&lock);
    return captured ? gclErrorCapturedEvent : gclSuccess;
}

void gcl_capture_forget_event(const struct gcl_event *event) {
    pthread_mutex_lock(&lock);
    remove_event(event);
    pthread_mutex_unlock(&lock);
}

// What isn't allowed.

gclError_t gcl_capture_forbid(struct gcl_stream *stream) {
    struct member *member;
    gclError_t error = gclSuccess;
    pthread_mutex_lock(&lock);
    struct capture *capture = find(stream, &member);
    if (capture)
        error = capture->is_invalid ? gclErrorStreamCaptureInvalidated
                                    : invalidate(capture, gclErrorStreamCaptureUnsupported);
    else if (gcl_stream_kind(stream) == GCL_STREAM_LEGACY)
        error = check_legacy(gcl_stream_device(stream));
    pthread_mutex_unlock(&lock);
    return error;
}

gclError_t gcl_capture_forbid_device(unsigned device) {
    gclError_t error = gclSuccess;
    pthread_mutex_lock(&lock);
    for (struct capture *c = captures; c; c = c->next) {
        for (const struct member *m = c->members; m; m = m->next) {
            if (m->stream && gcl_stream_device(m->stream) == device)
                error = invalidate(c, gclErrorStreamCaptureUnsupported);
        }
    }
    pthread_mutex_unlock(&lock);
    return error;
}

gclError_t gcl_capture_forbid_unsafe(void) {
    gclError_t error = gclSuccess;
    if (thread_mode == gclStreamCaptureModeRelaxed)
        return gclSuccess;
    pthread_mutex_lock(&lock);
    for (struct capture *c = captures; c; c = c->next) {
        bool is_own = pthread_equal(c->thread, pthread_self());
        if (is_own ? c->mode != gclStreamCaptureModeRelaxed
                   : thread_mode == gclStreamCaptureModeGlobal &&
                         c->mode == gclStreamCaptureModeGlobal)
            error = invalidate(c, gclErrorStreamCaptureUnsupported);
    }
    pthread_mutex_unlock(&lock);
    return error;
}

void gcl_capture_forget_stream(struct gcl_stream *stream) {
    struct member *member;
    pthread_mutex_lock(&lock);
    struct capture *capture = find(stream, &member);
    if (capture && member == capture->origin) {
        take_out(capture);
        if (capture->is_own)
            gcl_graph_destroy(capture->graph);
        destroy(capture);
    } else if (capture) {
        member->stream = NULL; // what it was given has to be joined still
    }
    pthread_mutex_unlock(&lock);
}

enum gclStreamCaptureMode gcl_capture_exchange_mode(enum gclStreamCaptureMode mode) {
    enum gclStreamCaptureMode before = thread_mode;
    thread_mode = mode;
    return before;
}
