// Inside lifelines: what lifeline.c (peers that are proven) and door.c (who gets in)
// share.
#ifndef GCL_CLUSTER_LIFELINE_STATE_H
#define GCL_CLUSTER_LIFELINE_STATE_H

#include "cluster/lifeline/lifeline.h"

enum {
    GCL_LIFELINE_STRANGERS = 256, ///< connections that haven't proven anything yet
    GCL_LIFELINE_FRAME = 2 + GCL_WIRE_MAX_SIZE,
};

/// Node 0 awaits HELLO, answers CHALLENGE, awaits PROOF, answers WELCOME. Another node sends HELLO,
/// awaits CHALLENGE, answers PROOF, awaits WELCOME. Only then is the connection open.
enum gcl_lifeline_state {
    GCL_LIFELINE_CLOSED, ///< by a failure, until the caller notices
    GCL_LIFELINE_AWAITS_HELLO,
    GCL_LIFELINE_AWAITS_CHALLENGE,
    GCL_LIFELINE_AWAITS_PROOF,
    GCL_LIFELINE_AWAITS_WELCOME,
    GCL_LIFELINE_OPEN,
};

/// The connection to a node: of node 0 to each other one, of others to node 0.
struct gcl_lifeline_peer {
    int fd;
    enum gcl_lifeline_state state;
    gcl_node node;     ///< GCL_NO_NODE until it has said
    uint64_t since_ns; ///< opened, then heard last
    bool is_stalled;
    bool is_remote;
    size_t used; ///< bytes in `buffer`
    uint8_t our_nonce[GCL_WIRE_NONCE_SIZE], their_nonce[GCL_WIRE_NONCE_SIZE];
    uint8_t buffer[GCL_LIFELINE_FRAME];
};

struct gcl_lifeline {
    struct gcl_lifeline_options options;
    int epoll;
    int doors[2]; ///< Unix, TCP; -1: none
    uint64_t beat, beaten_ns, refused;
    struct gcl_lifeline_peer *strangers[GCL_LIFELINE_STRANGERS];
    struct gcl_lifeline_peer **peers; ///< by node; NULL: none (yet, or any more)
    bool *is_lost;                    ///< by node
    bool is_ending;
    char told[GCL_WIRE_TEXT_SIZE]; ///< why a node has given up
};

// lifeline.c

/// Sends a frame that may not be left out. False if it didn't go out as a whole: the connection is
/// broken, which the caller treats as lost.
bool gcl_lifeline_peer_send(struct gcl_lifeline_peer *peer, const struct gcl_wire_message *message);
/// Takes NULL.
void gcl_lifeline_peer_close(struct gcl_lifeline_peer *peer);

// door.c

/// Node 0: takes a connection from a door, as a stranger.
void gcl_lifeline_accept(struct gcl_lifeline *lifeline, int door);
void gcl_lifeline_end_stranger(struct gcl_lifeline *lifeline, struct gcl_lifeline_peer *peer,
                               const char *why);
/// Nodes but node 0: connects to node 0 and says hello. NULL, after a message, if that can't be
/// done.
struct gcl_lifeline_peer *gcl_lifeline_dial(struct gcl_lifeline *lifeline,
                                            const struct gcl_wire_card *card, bool is_local);
/// The next step of the handshake with a peer. NULL, or why the other side isn't let in.
const char *gcl_lifeline_shake_hands(struct gcl_lifeline *lifeline, struct gcl_lifeline_peer *peer,
                                     const struct gcl_wire_message *message);

#endif
