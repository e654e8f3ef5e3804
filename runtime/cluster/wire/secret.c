// Nettle has HMAC in a library of its own that needs nothing else.
#include "secret.h"

#include <errno.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <string.h>
#include <sys/random.h>

#include "base/log.h"

enum gcl_status gcl_secret_random(void *bytes, size_t size) {
    uint8_t *out = bytes;
    while (size > 0) {
        ssize_t got = getrandom(out, size, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            gcl_log(GCL_LOG_ERROR, "the system has no random numbers: %s", strerror(errno));
            return GCL_SYSTEM;
        }
        out += got;
        size -= (size_t)got;
    }
    return GCL_OK;
}

static void add_number(struct hmac_sha256_ctx *context, uint32_t number) {
    uint8_t bytes[4];
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(number >> (8 * i));
    hmac_sha256_update(context, sizeof bytes, bytes);
}

// The purpose goes in with its final 0, so that none is the beginning of another.
static void start(struct hmac_sha256_ctx *context, const uint8_t *secret, const char *purpose) {
    hmac_sha256_set_key(context, GCL_SECRET_SIZE, secret);
    hmac_sha256_update(context, strlen(purpose) + 1, (const uint8_t *)purpose);
}

void gcl_secret_prove(const uint8_t secret[GCL_SECRET_SIZE], const char *purpose, gcl_node node,
                      const uint8_t ours[GCL_WIRE_NONCE_SIZE],
                      const uint8_t theirs[GCL_WIRE_NONCE_SIZE],
                      uint8_t proof[GCL_WIRE_PROOF_SIZE]) {
    struct hmac_sha256_ctx context;
    start(&context, secret, purpose);
    add_number(&context, node);
    hmac_sha256_update(&context, GCL_WIRE_NONCE_SIZE, ours);
    hmac_sha256_update(&context, GCL_WIRE_NONCE_SIZE, theirs);
    hmac_sha256_digest(&context, GCL_WIRE_PROOF_SIZE, proof);
}

void gcl_secret_seal(const uint8_t secret[GCL_SECRET_SIZE], gcl_node node, uint32_t round,
                     const void *bytes, size_t size, uint8_t proof[GCL_WIRE_PROOF_SIZE]) {
    struct hmac_sha256_ctx context;
    start(&context, secret, "share");
    add_number(&context, node);
    add_number(&context, round);
    hmac_sha256_update(&context, size, bytes);
    hmac_sha256_digest(&context, GCL_WIRE_PROOF_SIZE, proof);
}

void gcl_secret_key(const uint8_t secret[GCL_SECRET_SIZE], const char *purpose, gcl_node from,
                    gcl_node to, uint8_t key[GCL_SECRET_KEY_SIZE]) {
    struct hmac_sha256_ctx context;
    start(&context, secret, purpose);
    add_number(&context, from);
    add_number(&context, to);
    hmac_sha256_digest(&context, GCL_SECRET_KEY_SIZE, key);
}

static uint64_t make_number(const uint8_t secret[GCL_SECRET_SIZE], const char *purpose,
                            gcl_node from, gcl_node to) {
    uint8_t key[GCL_SECRET_KEY_SIZE];
    uint64_t number = 0;
    gcl_secret_key(secret, purpose, from, to, key);
    for (int i = 0; i < 8; i++)
        number |= (uint64_t)key[i] << (8 * i);
    return number;
}

uint64_t gcl_secret_token(const uint8_t secret[GCL_SECRET_SIZE], gcl_node from, gcl_node to) {
    return make_number(secret, "message", from, to);
}

uint64_t gcl_secret_job(const uint8_t secret[GCL_SECRET_SIZE]) {
    return make_number(secret, "agent", 0, 0) | 1;
}

bool gcl_secret_equal(const void *a, const void *b, size_t size) {
    return memeql_sec(a, b, size);
}
