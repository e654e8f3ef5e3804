// Requests as messages: small ones from one node to another share messages of up to
// GCL_FREIGHT_TOGETHER bytes, so that a neighbour gets one message a launch however many arrays
// have a halo. A message costs both nodes some microseconds, as much as it takes to copy tens of
// KiB. What is larger is a message of its own, which goes straight from its place to its place if
// it is one run of bytes.
//
// Both nodes find the same messages, without a word about it: of the requests with regions between
// them, in one direction, they know the same, in the same order.
#ifndef GCL_CLUSTER_FREIGHT_H
#define GCL_CLUSTER_FREIGHT_H

#include "cluster/communicator/communicator.h"

enum { GCL_FREIGHT_TOGETHER = 32 << 10 }; ///< bytes of a message of several requests, at most

/// What a message is made of: requests [begin, end).
struct gcl_freight_message {
    size_t begin, end;
    bool is_packed; ///< its bytes are memory of the freight's own
};

/// Requests of an exchange, and the messages that they become. Zeroed it has none, and may be
/// finished.
struct gcl_freight {
    const struct gcl_request **requests; ///< by direction and peer
    struct gcl_request *messages;        ///< as requests without packers
    struct gcl_freight_message *loads;   ///< of each message
    size_t count;                        ///< messages
};

/// Makes messages of requests, which stay where they are: first those that are sent. `requests` may
/// be put in another order, and has to last like them. False: no memory.
GCL_MUST_USE bool gcl_freight_init(struct gcl_freight *freight, const struct gcl_request **requests,
                                   size_t count);
/// Packs those of the messages [begin, end) that are to be sent.
void gcl_freight_load(const struct gcl_freight *freight, size_t begin, size_t end);
/// Puts the bytes of those that have come where requests want them.
void gcl_freight_unload(const struct gcl_freight *freight, size_t begin, size_t end);
void gcl_freight_finish(struct gcl_freight *freight);

#endif
