// Inside the TLS carrier: what tls.c, which carries messages, and tls_door.c, which lets nodes in,
// share.
#ifndef GCL_CLUSTER_TLS_STATE_H
#define GCL_CLUSTER_TLS_STATE_H

#include "cluster/transport/carrier.h"
#include "cluster/transport/frame.h"
#include "cluster/transport/tls_session.h"

enum {
    GCL_TLS_STRANGERS = 16, ///< connections that haven't proven anything yet
    GCL_TLS_ADDRESS_SIZE = 6,
};

/// A message on its way out.
struct gcl_tls_message {
    struct gcl_tls_message *next;
    gcl_transport_done done;
    void *context;
    const uint8_t *payload; ///< what isn't copied behind the head
    size_t payload_size, payload_at;
    size_t size, at; ///< of `bytes`
    uint8_t bytes[]; ///< prefix, head, and small payloads
};

/// A payload on its way in.
struct gcl_tls_payload {
    uint64_t left; ///< 0: none is
    uint8_t *into; ///< NULL: it is dropped
    gcl_transport_done done;
    void *context;
};

struct gcl_tls_peer {
    struct gcl_tls_session *session; ///< NULL: none yet, or none any more
    bool is_expected;                ///< the peer dials, and hasn't come yet
    bool is_open;
    bool can_read, can_write; ///< as far as is known
    bool is_ready;            ///< in the list of those with something to do
    bool is_pushing;
    bool has_unflushed; ///< encrypted, and not in the socket yet
    struct gcl_tls_peer *next_ready;
    struct gcl_tls_message *first, *last;
    struct gcl_frame_reader reader;
    struct gcl_tls_payload payload;
    char link[64];
};

struct gcl_tls_stranger {
    struct gcl_tls_session *session; ///< NULL: the place is free
    uint64_t since_ns;
};

struct gcl_tls {
    struct gcl_carrier carrier;
    struct gcl_carrier_options options;
    gcl_node self, count;
    struct gcl_tls_sessions *sessions;
    int epoll;
    int door; ///< -1: closed, because all nodes that dial are in
    bool has_callers;
    uint8_t address[GCL_TLS_ADDRESS_SIZE]; ///< IPv4 address and port, little-endian
    struct gcl_tls_stranger strangers[GCL_TLS_STRANGERS];
    struct gcl_tls_peer *peers;
    struct gcl_tls_peer *first_ready;
    uint64_t checked_ns;
};

/// Opens the port; GCL_SYSTEM after a message.
GCL_MUST_USE enum gcl_status gcl_tls_door_open(struct gcl_tls *tls, uint32_t ip);
/// Closes it, and drops strangers, if all nodes that dial are in or given up. Closed doors are
/// fine.
void gcl_tls_door_close_after_last(struct gcl_tls *tls);
void gcl_tls_door_close(struct gcl_tls *tls);
/// Begins to connect to a node's port.
GCL_MUST_USE enum gcl_status gcl_tls_door_dial(struct gcl_tls *tls, gcl_node node,
                                               const uint8_t address[GCL_TLS_ADDRESS_SIZE]);
/// Something happened: `what` is from an epoll event of no peer.
void gcl_tls_door_answer(struct gcl_tls *tls, uint64_t what);
/// Lets in who waits outside, as far as there is room, and sends away who is too slow.
void gcl_tls_door_watch(struct gcl_tls *tls);

/// tls.c: a node has proven itself; takes the session.
void gcl_tls_adopt(struct gcl_tls *tls, gcl_node node, struct gcl_tls_session *session);
/// Makes epoll tell of a session's socket as `what`: a node's number, or more than that.
bool gcl_tls_watch(struct gcl_tls *tls, int operation, int fd, uint64_t what);

#endif
