// Lengths are checked against the kind before a body is waited for, so that nobody makes the other
// side set memory aside for what can't come.
#include "rendezvous.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"

enum { VERSION = 1 };

uint8_t *gcl_rendezvous_put32(uint8_t *out, uint32_t value) {
    for (int i = 0; i < 4; i++)
        *out++ = (uint8_t)(value >> (8 * i));
    return out;
}

uint32_t gcl_rendezvous_get32(const uint8_t *in) {
    return in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

void gcl_rendezvous_write_head(const struct gcl_rendezvous_head *head,
                               uint8_t out[GCL_RENDEZVOUS_HEAD_SIZE]) {
    assert(head->node < GCL_MAX_NODES);
    *out++ = 'g';
    *out++ = 'j';
    *out++ = VERSION;
    *out++ = (uint8_t)head->kind;
    gcl_bytes_put64(gcl_rendezvous_put32(out, head->node), head->size);
}

const char *gcl_rendezvous_read_head(const uint8_t bytes[GCL_RENDEZVOUS_HEAD_SIZE],
                                     struct gcl_rendezvous_head *head) {
    if (bytes[0] != 'g' || bytes[1] != 'j')
        return "it doesn't begin as one of gcluster's";
    if (bytes[2] != VERSION)
        return "it comes from another version of gcluster";
    head->kind = (enum gcl_rendezvous_kind)bytes[3];
    head->node = gcl_rendezvous_get32(bytes + 4);
    gcl_bytes_get64(bytes + 8, &head->size);
    if (head->node >= GCL_MAX_NODES)
        return "it is of no node";
    switch ((unsigned)head->kind) {
#define CHECK(name, number, least, most)                                                           \
    case number:                                                                                   \
        return head->size - (least) <= (most) - (least) ? NULL : "its size isn't that of its kind";
        GCL_RENDEZVOUS_KINDS(CHECK)
#undef CHECK
    }
    return "its kind is unknown";
}

size_t gcl_rendezvous_write_welcome(const struct gcl_rendezvous_welcome *welcome,
                                    uint8_t out[GCL_RENDEZVOUS_WELCOME_SIZE]) {
    size_t length = strnlen(welcome->host, sizeof welcome->host);
    assert(length < sizeof welcome->host && welcome->node < welcome->count);
    assert(welcome->local_rank < welcome->local_count);
    uint8_t *at = gcl_rendezvous_put32(out, welcome->node);
    at = gcl_rendezvous_put32(at, welcome->count);
    at = gcl_rendezvous_put32(at, welcome->local_rank);
    at = gcl_rendezvous_put32(at, welcome->local_count);
    memcpy(at, welcome->secret, sizeof welcome->secret);
    memcpy(at + sizeof welcome->secret, welcome->host, length);
    return 16 + sizeof welcome->secret + length;
}

const char *gcl_rendezvous_read_welcome(const uint8_t *bytes, size_t size,
                                        struct gcl_rendezvous_welcome *welcome) {
    const size_t before = 16 + sizeof welcome->secret;
    *welcome = (struct gcl_rendezvous_welcome){.node = 0};
    if (size < before || size - before >= sizeof welcome->host)
        return "it is of another size";
    welcome->node = gcl_rendezvous_get32(bytes);
    welcome->count = gcl_rendezvous_get32(bytes + 4);
    welcome->local_rank = gcl_rendezvous_get32(bytes + 8);
    welcome->local_count = gcl_rendezvous_get32(bytes + 12);
    memcpy(welcome->secret, bytes + 16, sizeof welcome->secret);
    memcpy(welcome->host, bytes + before, size - before);
    if (welcome->count == 0 || welcome->count > GCL_MAX_NODES || welcome->node >= welcome->count ||
        welcome->local_count > welcome->count || welcome->local_rank >= welcome->local_count)
        return "its numbers don't fit together";
    for (size_t i = before; i < size; i++) {
        if (bytes[i] <= ' ' || bytes[i] > '~')
            return "its host's name has strange characters";
    }
    return NULL;
}

const char *gcl_rendezvous_read_shared(const uint8_t *bytes, size_t size, gcl_node count,
                                       struct gcl_rendezvous_share *shares) {
    size_t at = 0;
    for (gcl_node n = 0; n < count; n++) {
        assert(at <= size);
        if (size - at < 4)
            return "it is too short";
        shares[n].size = gcl_rendezvous_get32(bytes + at);
        shares[n].bytes = bytes + at + 4;
        at += 4;
        if (shares[n].size > GCL_RENDEZVOUS_SHARE_SIZE || shares[n].size > size - at)
            return "it is too short";
        at += shares[n].size;
    }
    return at == size ? NULL : "it is longer than it says";
}
