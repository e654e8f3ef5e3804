// OpenSSL, and nothing else of it anywhere.
//
// Measured: OpenSSL hands each record of 16 KiB to the socket by itself; gathering them in
// WRITE_SIZE bytes, and reading as many at once, gives a third more throughput. The kernel gathers
// by itself where it encrypts. OpenSSL has a context of its own here: the program may use it, too,
// and the system's configuration of it says nothing about this.
#include "tls_session.h"

#include <assert.h>
#include <errno.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "cluster/wire/secret.h"

#define CIPHER "TLS_AES_128_GCM_SHA256"
#define PURPOSE "TLS"

enum {
    IDENTITY_SIZE = 8, ///< the dialling node's number and the listening one's, little-endian
    WRITE_SIZE = 256 << 10,
    READ_SIZE = 256 << 10,
};

struct gcl_tls_sessions {
    OSSL_LIB_CTX *library;
    SSL_CTX *context;
    BIO_METHOD *socket;
    gcl_node self, count;
    const uint8_t *secret;
    unsigned key_records; ///< that one key encrypts
};

struct gcl_tls_session {
    struct gcl_tls_sessions *sessions;
    SSL *ssl;
    int fd;
    gcl_node claimed; ///< who it says it is; proven when the handshake is over
    bool is_listener, is_open, is_kernel;
    bool is_writing;      ///< has to be given the same bytes again
    unsigned key_records; ///< encrypted with the current key
    char reason[128];
};

// As OpenSSL's own, except that a connection that is closed at the other end is no signal.
static int write_socket(BIO *bio, const char *bytes, int size) {
    if (BIO_get_ktls_send(bio)) // then the thread that sends has signals blocked
        return BIO_meth_get_write(BIO_s_socket())(bio, bytes, size);
    int fd = (int)BIO_get_fd(bio, NULL);
    BIO_clear_retry_flags(bio);
    ssize_t written = send(fd, bytes, (size_t)size, MSG_NOSIGNAL);
    if (written < 0 && BIO_sock_should_retry((int)written))
        BIO_set_retry_write(bio);
    return (int)written;
}

static BIO_METHOD *create_socket_method(void) {
    const BIO_METHOD *plain = BIO_s_socket();
    BIO_METHOD *method = BIO_meth_new(BIO_TYPE_SOCKET, "socket without SIGPIPE");
    if (!method)
        return NULL;
    BIO_meth_set_write(method, write_socket);
    BIO_meth_set_read(method, BIO_meth_get_read(plain));
    BIO_meth_set_ctrl(method, BIO_meth_get_ctrl(plain));
    BIO_meth_set_create(method, BIO_meth_get_create(plain));
    BIO_meth_set_destroy(method, BIO_meth_get_destroy(plain));
    return method;
}

// Keys.

static void write_identity(gcl_node dialler, gcl_node listener, uint8_t bytes[IDENTITY_SIZE]) {
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(dialler >> 8 * i);
        bytes[4 + i] = (uint8_t)(listener >> 8 * i);
    }
}

static SSL_SESSION *create_key(const struct gcl_tls_session *s, gcl_node dialler,
                               gcl_node listener) {
    static const unsigned char cipher[2] = {0x13, 0x01}; // CIPHER
    uint8_t key[GCL_SECRET_KEY_SIZE];
    SSL_SESSION *made = SSL_SESSION_new();
    gcl_secret_key(s->sessions->secret, PURPOSE, dialler, listener, key);
    bool is_good = made && SSL_SESSION_set1_master_key(made, key, sizeof key) &&
                   SSL_SESSION_set_cipher(made, SSL_CIPHER_find(s->ssl, cipher)) &&
                   SSL_SESSION_set_protocol_version(made, TLS1_3_VERSION);
    explicit_bzero(key, sizeof key);
    if (is_good)
        return made;
    SSL_SESSION_free(made);
    return NULL;
}

// On the side that dials.
static int show_key(SSL *ssl, const EVP_MD *digest, const unsigned char **identity, size_t *size,
                    SSL_SESSION **key) {
    static _Thread_local uint8_t bytes[IDENTITY_SIZE]; // is copied at once
    const struct gcl_tls_session *s = SSL_get_app_data(ssl);
    (void)digest;
    write_identity(s->sessions->self, s->claimed, bytes);
    *identity = bytes;
    *size = sizeof bytes;
    *key = create_key(s, s->sessions->self, s->claimed);
    return *key != NULL;
}

// On the side that listens: nodes are dialled by those with higher numbers.
static int find_key(SSL *ssl, const unsigned char *identity, size_t size, SSL_SESSION **key) {
    struct gcl_tls_session *s = SSL_get_app_data(ssl);
    uint8_t expected[IDENTITY_SIZE];
    gcl_node dialler = 0;
    for (size_t i = 0; i < 4 && size == IDENTITY_SIZE; i++)
        dialler |= (gcl_node)identity[i] << 8 * i;
    write_identity(dialler, s->sessions->self, expected);
    if (size != IDENTITY_SIZE || memcmp(identity, expected, size) != 0 ||
        dialler <= s->sessions->self || dialler >= s->sessions->count)
        return 0;
    s->claimed = dialler;
    *key = create_key(s, dialler, s->sessions->self);
    return *key != NULL;
}

static const char *describe_error(void) {
    const char *text = ERR_reason_error_string(ERR_peek_last_error());
    return text ? text : "no reason is known";
}

struct gcl_tls_sessions *gcl_tls_sessions_create(gcl_node self, gcl_node count,
                                                 const uint8_t *secret, unsigned key_records) {
    assert(self < count && key_records > 0);
    struct gcl_tls_sessions *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (struct gcl_tls_sessions){
        .self = self, .count = count, .secret = secret, .key_records = key_records};
    // The cluster's thread may encrypt while the process exits.
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT | OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
    ERR_clear_error();
    s->library = OSSL_LIB_CTX_new();
    s->socket = create_socket_method();
    s->context = s->library ? SSL_CTX_new_ex(s->library, NULL, TLS_method()) : NULL;
    if (!s->socket || !s->context || !SSL_CTX_set_min_proto_version(s->context, TLS1_3_VERSION) ||
        !SSL_CTX_set_ciphersuites(s->context, CIPHER) ||
        !SSL_CTX_set1_groups_list(s->context, "X25519") ||
        !SSL_CTX_set_num_tickets(s->context, 0)) {
        gcl_log(GCL_LOG_ERROR, "OpenSSL can't be started: %s", describe_error());
        gcl_tls_sessions_destroy(s);
        return NULL;
    }
    SSL_CTX_set_options(s->context, SSL_OP_ENABLE_KTLS | SSL_OP_NO_TICKET);
    SSL_CTX_set_mode(s->context,
                     SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_session_cache_mode(s->context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_psk_use_session_callback(s->context, show_key);
    SSL_CTX_set_psk_find_session_callback(s->context, find_key);
    return s;
}

void gcl_tls_sessions_destroy(struct gcl_tls_sessions *s) {
    if (!s)
        return;
    SSL_CTX_free(s->context);
    BIO_meth_free(s->socket);
    OSSL_LIB_CTX_free(s->library);
    free(s);
}

// Sessions.

struct gcl_tls_session *gcl_tls_session_create(struct gcl_tls_sessions *sessions, int fd,
                                               gcl_node listener) {
    assert(fd >= 0 && (listener == GCL_NO_NODE || listener < sessions->self));
    struct gcl_tls_session *s = calloc(1, sizeof *s);
    BIO *socket = s ? BIO_new(sessions->socket) : NULL;
    SSL *ssl = socket ? SSL_new(sessions->context) : NULL;
    if (!ssl) {
        BIO_free(socket);
        free(s);
        close(fd);
        return NULL;
    }
    *s = (struct gcl_tls_session){.sessions = sessions,
                                  .ssl = ssl,
                                  .fd = fd,
                                  .claimed = listener,
                                  .is_listener = listener == GCL_NO_NODE};
    BIO_set_fd(socket, fd, BIO_NOCLOSE);
    SSL_set_bio(ssl, socket, socket);
    SSL_set_app_data(ssl, s);
    if (s->is_listener) {
        SSL_set_accept_state(ssl);
    } else {
        SSL_set_connect_state(ssl);
        SSL_set_verify(ssl, SSL_VERIFY_PEER, NULL); // no certificate is trusted
    }
    return s;
}

void gcl_tls_session_destroy(struct gcl_tls_session *s) {
    if (!s)
        return;
    SSL_free(s->ssl);
    close(s->fd);
    free(s);
}

static enum gcl_tls_session_status fail(struct gcl_tls_session *s, const char *reason) {
    if (!s->reason[0])
        snprintf(s->reason, sizeof s->reason, "%s", reason);
    return GCL_TLS_SESSION_BROKEN;
}

// `result` is what OpenSSL returned.
static enum gcl_tls_session_status check(struct gcl_tls_session *s, int result) {
    int number = errno;
    switch (SSL_get_error(s->ssl, result)) {
    case SSL_ERROR_NONE:
        return GCL_TLS_SESSION_OK;
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
        return GCL_TLS_SESSION_BLOCKED;
    case SSL_ERROR_ZERO_RETURN:
        return fail(s, "it closed the connection");
    case SSL_ERROR_SYSCALL:
        return fail(s, number ? strerror(number) : "it closed the connection");
    }
    return fail(s, describe_error());
}

// Without the kernel's TLS: records are gathered on their way out, and read many at a time.
static bool gather_records(struct gcl_tls_session *s) {
    BIO *socket = SSL_get_rbio(s->ssl), *buffer = BIO_new(BIO_f_buffer());
    if (!buffer || !BIO_set_write_buffer_size(buffer, WRITE_SIZE)) {
        BIO_free(buffer);
        return false;
    }
    BIO_up_ref(socket);
    SSL_set0_wbio(s->ssl, BIO_push(buffer, socket));
    SSL_set_read_ahead(s->ssl, 1);
    SSL_set_default_read_buffer_len(s->ssl, READ_SIZE);
    return true;
}

enum gcl_tls_session_status gcl_tls_session_shake_hands(struct gcl_tls_session *s) {
    errno = 0;
    ERR_clear_error();
    enum gcl_tls_session_status status = check(s, SSL_do_handshake(s->ssl));
    if (status != GCL_TLS_SESSION_OK)
        return status;
    if (!SSL_session_reused(s->ssl)) // what a key proves counts as that in OpenSSL
        return fail(s, "it doesn't know the job's secret");
    s->is_kernel = BIO_get_ktls_send(SSL_get_wbio(s->ssl));
    if (!s->is_kernel && !gather_records(s))
        return fail(s, "no memory");
    s->is_open = true;
    return GCL_TLS_SESSION_OK;
}

gcl_node gcl_tls_session_node(const struct gcl_tls_session *s) {
    return s->is_open ? s->claimed : GCL_NO_NODE;
}

enum gcl_tls_session_status gcl_tls_session_read(struct gcl_tls_session *s, void *bytes,
                                                 size_t size, size_t *got) {
    assert(size > 0);
    errno = 0;
    ERR_clear_error();
    return check(s, SSL_read_ex(s->ssl, bytes, size, got));
}

enum gcl_tls_session_status gcl_tls_session_flush(struct gcl_tls_session *s) {
    BIO *bio = SSL_get_wbio(s->ssl);
    errno = 0;
    if (BIO_flush(bio) > 0)
        return GCL_TLS_SESSION_OK;
    if (BIO_should_retry(bio))
        return GCL_TLS_SESSION_BLOCKED;
    return fail(s, errno ? strerror(errno) : "it closed the connection");
}

// The kernel's TLS keeps the first key, which is safe far beyond the limit.
static bool needs_key(const struct gcl_tls_session *s) {
    return s->key_records >= s->sessions->key_records && !s->is_writing && !s->is_kernel;
}

// OpenSSL can't go on with a new key if the socket takes no more meanwhile, so that isn't begun
// unless there is room.
static enum gcl_tls_session_status renew_key(struct gcl_tls_session *s) {
    struct pollfd socket = {.fd = s->fd, .events = POLLOUT};
    enum gcl_tls_session_status status = gcl_tls_session_flush(s);
    if (status != GCL_TLS_SESSION_OK)
        return status;
    if (poll(&socket, 1, 0) <= 0)
        return GCL_TLS_SESSION_BLOCKED;
    s->key_records = 0;
    ERR_clear_error();
    if (SSL_key_update(s->ssl, SSL_KEY_UPDATE_NOT_REQUESTED) && SSL_do_handshake(s->ssl) > 0)
        return GCL_TLS_SESSION_OK;
    return fail(s, describe_error());
}

enum gcl_tls_session_status gcl_tls_session_write(struct gcl_tls_session *s, const void *bytes,
                                                  size_t size, size_t *taken) {
    assert(size > 0);
    enum gcl_tls_session_status status = needs_key(s) ? renew_key(s) : GCL_TLS_SESSION_OK;
    if (status != GCL_TLS_SESSION_OK)
        return status;
    errno = 0;
    ERR_clear_error();
    status = check(s, SSL_write_ex(s->ssl, bytes, size, taken));
    s->is_writing = status == GCL_TLS_SESSION_BLOCKED;
    if (status == GCL_TLS_SESSION_OK)
        s->key_records++;
    return status;
}

bool gcl_tls_session_is_kernel(const struct gcl_tls_session *s) {
    return s->is_kernel;
}

int gcl_tls_session_descriptor(const struct gcl_tls_session *s) {
    return s->fd;
}

const char *gcl_tls_session_reason(const struct gcl_tls_session *s) {
    return s->reason;
}
