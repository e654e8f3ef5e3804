// An encrypted connection between two nodes: TLS 1.3 over a socket that doesn't block.
//
// Both sides prove that they have the pair's key, which is derived from the job's secret for the
// dialling and the listening node in this order: neither can take the other for a third. The keys
// that encrypt come from a Diffie-Hellman exchange, too, so who learns the secret later can't read
// what was recorded. There are no certificates, tickets or early data.
#ifndef GCL_CLUSTER_TLS_SESSION_H
#define GCL_CLUSTER_TLS_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/communicator/node.h"

/// What all sessions of a node share.
struct gcl_tls_sessions;
struct gcl_tls_session;

enum gcl_tls_session_status {
    GCL_TLS_SESSION_OK,
    GCL_TLS_SESSION_BLOCKED, ///< the socket has to become readable or writable
    GCL_TLS_SESSION_BROKEN,  ///< for good: gcl_tls_session_reason
};

/// Records that one key encrypts. AES-GCM is safe for 2^24.5 of the largest size (RFC 8446, 5.5).
enum { GCL_TLS_SESSION_KEY_RECORDS = 1 << 22 };

/// NULL, after a message, if there is no TLS. Keeps `secret` (GCL_SECRET_SIZE bytes). A session
/// renews its key after `key_records` records, unless the kernel encrypts.
struct gcl_tls_sessions *gcl_tls_sessions_create(gcl_node self, gcl_node count,
                                                 const uint8_t *secret, unsigned key_records);
/// After its sessions. Takes NULL.
void gcl_tls_sessions_destroy(struct gcl_tls_sessions *sessions);

/// Begins a session on a socket, which it takes. `listener` is who was dialled, GCL_NO_NODE on the
/// side that listens. NULL: no memory; the socket is closed.
struct gcl_tls_session *gcl_tls_session_create(struct gcl_tls_sessions *sessions, int fd,
                                               gcl_node listener);
/// Takes NULL.
void gcl_tls_session_destroy(struct gcl_tls_session *session);

/// Goes on with the handshake; GCL_TLS_SESSION_OK when both sides are proven.
enum gcl_tls_session_status gcl_tls_session_shake_hands(struct gcl_tls_session *session);
/// The node at the other end; GCL_NO_NODE as long as that isn't proven.
gcl_node gcl_tls_session_node(const struct gcl_tls_session *session);

/// Reads at least one byte and at most `size` ones.
enum gcl_tls_session_status gcl_tls_session_read(struct gcl_tls_session *session, void *bytes,
                                                 size_t size, size_t *got);
/// Encrypts at least one byte, in one record; after GCL_TLS_SESSION_BLOCKED it has to be called
/// with the same bytes again, which may have moved and may be more. What it took may leave only
/// with the next flush.
enum gcl_tls_session_status gcl_tls_session_write(struct gcl_tls_session *session,
                                                  const void *bytes, size_t size, size_t *taken);
enum gcl_tls_session_status gcl_tls_session_flush(struct gcl_tls_session *session);

/// Whether the kernel encrypts what is sent.
bool gcl_tls_session_is_kernel(const struct gcl_tls_session *session);
int gcl_tls_session_descriptor(const struct gcl_tls_session *session);
/// Why it is broken, for people; lives as long as the session.
const char *gcl_tls_session_reason(const struct gcl_tls_session *session);

#endif
