// Inside lifelines: what lifeline.c (streams that are open) and lifeline_door.c (who gets in)
// share.
#ifndef GCL_CLUSTER_LIFELINE_STATE_H
#define GCL_CLUSTER_LIFELINE_STATE_H

#include "cluster/lifeline.h"

enum {
    GCL_LIFELINE_STRANGERS = 256, ///< connections that haven't proven anything yet
    GCL_LIFELINE_FRAME = 2 + GCL_WIRE_MAX_SIZE,
};

/// Node 0 awaits HELLO, answers CHALLENGE, awaits PROOF, answers WELCOME. Another node sends HELLO,
/// awaits CHALLENGE, answers PROOF, awaits WELCOME. Only then is a stream open.
enum gcl_line_state {
    GCL_LINE_CLOSED,
    GCL_LINE_AWAITS_HELLO,
    GCL_LINE_AWAITS_CHALLENGE,
    GCL_LINE_AWAITS_PROOF,
    GCL_LINE_AWAITS_WELCOME,
    GCL_LINE_OPEN,
};

/// A stream.
struct gcl_line {
    int fd;
    enum gcl_line_state state;
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
    struct gcl_line *strangers[GCL_LIFELINE_STRANGERS];
    struct gcl_line **streams; ///< by node; NULL: none (yet, or any more)
    bool *is_lost;             ///< by node
    bool is_ending;
    char told[GCL_WIRE_TEXT_SIZE]; ///< why a node has given up
};

// lifeline.c

/// Whether the frame went out as a whole. A beat that doesn't fit may be left out; a stream that
/// took a part of a frame is broken, which the caller treats as lost.
bool gcl_line_send(struct gcl_line *stream, const struct gcl_wire_message *message,
                   bool *is_broken);
/// The same where nothing may be left out.
bool gcl_line_send_or_break(struct gcl_line *stream, const struct gcl_wire_message *message);
/// Takes NULL.
void gcl_line_close(struct gcl_line *stream);

// lifeline_door.c

/// Node 0: takes a connection from a door, as a stranger.
void gcl_lifeline_accept(struct gcl_lifeline *lifeline, int door);
void gcl_lifeline_end_stranger(struct gcl_lifeline *lifeline, struct gcl_line *stream,
                               const char *why);
/// Others: connects to node 0 and says hello. NULL, after a message, if that can't be done.
struct gcl_line *gcl_lifeline_dial(struct gcl_lifeline *lifeline, const struct gcl_wire_card *card,
                                   bool is_local);
/// The next step of a stream that isn't open. NULL, or why the other side isn't let in.
const char *gcl_lifeline_shake_hands(struct gcl_lifeline *lifeline, struct gcl_line *stream,
                                     const struct gcl_wire_message *message);

#endif
