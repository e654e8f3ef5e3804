// Sorted by direction and peer, and in the order of the exchange among those, requests that may
// become one message follow each other. Its tag is that of the first one, which no other message
// has.
#include "freight.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    const struct gcl_request *p = *(const struct gcl_request *const *)a,
                             *q = *(const struct gcl_request *const *)b;
    if (p->is_sent != q->is_sent)
        return p->is_sent ? -1 : 1;
    if (p->peer != q->peer)
        return p->peer < q->peer ? -1 : 1;
    return p < q ? -1 : p > q; // they are of one array
}

static bool may_follow(const struct gcl_request *first, const struct gcl_request *next) {
    return first->region && next->region && first->is_sent == next->is_sent &&
           first->peer == next->peer;
}

/// The end of the requests that become one message, of which `begin` is the first; `*size`: bytes.
static size_t find_end(const struct gcl_request **requests, size_t begin, size_t count,
                       size_t *size) {
    size_t end = begin + 1;
    *size = requests[begin]->size;
    while (end < count && may_follow(requests[begin], requests[end]) &&
           *size + requests[end]->size <= GCL_FREIGHT_TOGETHER)
        *size += requests[end++]->size;
    return end;
}

/// Whether a request's bytes aren't one after the other where they come from or go to, or the host
/// can't reach them there.
static bool is_scattered(const struct gcl_request *request) {
    bool is_in_place = request->region && (request->is_sent || !request->bytes);
    return is_in_place && (request->packer->is_apart || gcl_region_run_count(request->region) > 1);
}

/// Where a request's bytes are one after the other.
static void *bytes_of(const struct gcl_request *request) {
    return request->region && !request->bytes
               ? request->place + gcl_region_bounds(request->region).begin
               : request->bytes;
}

static void pack(const struct gcl_freight *freight, const struct gcl_freight_message *load,
                 unsigned char *out) {
    for (size_t i = load->begin; i < load->end; i++) {
        const struct gcl_request *p = freight->requests[i];
        p->packer->pack(p->packer, p->region, p->place, out);
        out += p->size;
    }
}

static void unpack(const struct gcl_freight *freight, const struct gcl_freight_message *load,
                   const unsigned char *in) {
    for (size_t i = load->begin; i < load->end; i++) {
        const struct gcl_request *p = freight->requests[i];
        if (p->bytes)
            memcpy(p->bytes, in, p->size);
        else
            p->packer->unpack(p->packer, p->region, in, p->place);
        in += p->size;
    }
}

/// Adds the message of requests [begin, end). False: no memory.
static bool add(struct gcl_freight *freight, size_t begin, size_t end, size_t size) {
    const struct gcl_request *first = freight->requests[begin];
    struct gcl_request *message = &freight->messages[freight->count];
    struct gcl_freight_message *load = &freight->loads[freight->count];
    *load = (struct gcl_freight_message){begin, end, end - begin > 1 || is_scattered(first)};
    assert(!load->is_packed || (first->region && first->packer));
    *message = (struct gcl_request){.peer = first->peer,
                                    .is_sent = first->is_sent,
                                    .tag = first->tag,
                                    .size = size,
                                    .what = first->what};
    message->bytes = load->is_packed ? malloc(size) : bytes_of(first);
    if (!message->bytes)
        return false;
    freight->count++;
    return true;
}

bool gcl_freight_init(struct gcl_freight *freight, const struct gcl_request **requests,
                      size_t count) {
    *freight = (struct gcl_freight){.requests = requests};
    if (count == 0)
        return true;
    qsort(requests, count, sizeof *requests, compare);
    freight->messages = malloc(count * sizeof *freight->messages);
    freight->loads = malloc(count * sizeof *freight->loads);
    bool ok = freight->messages && freight->loads;
    for (size_t begin = 0, end; ok && begin < count; begin = end) {
        size_t size;
        end = find_end(requests, begin, count, &size);
        ok = add(freight, begin, end, size);
    }
    return ok;
}

void gcl_freight_load(const struct gcl_freight *freight, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        if (freight->loads[i].is_packed && freight->messages[i].is_sent)
            pack(freight, &freight->loads[i], freight->messages[i].bytes);
    }
}

void gcl_freight_unload(const struct gcl_freight *freight, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        if (freight->loads[i].is_packed && !freight->messages[i].is_sent)
            unpack(freight, &freight->loads[i], freight->messages[i].bytes);
    }
}

void gcl_freight_finish(struct gcl_freight *freight) {
    for (size_t i = 0; i < freight->count; i++) {
        if (freight->loads[i].is_packed)
            free(freight->messages[i].bytes);
    }
    free(freight->messages);
    free(freight->loads);
    *freight = (struct gcl_freight){.count = 0};
}
