// What is written ahead of a region's bytes for a neighbour that can't reach them in their place:
// whether its device reads them there after all, since it has been lent the memory, and what else
// it is lent of that memory. What is lent with one message is read in its place with the next: a
// neighbour that can't map it has the bytes.
//
// Descriptors go from process to process without a door: the one that wants a copy takes it by the
// system's leave, which it needs for reading the other's memory as well (pidfd_getfd).
#ifndef GCL_CLUSTER_TICKET_H
#define GCL_CLUSTER_TICKET_H

#include "cluster/communicator/communicator.h"
#include "cluster/messages/reading.h"

/// Bytes of a ticket, at most.
#define GCL_TICKET_MOST (sizeof(struct gcl_ticket_head) + GCL_LOANS_MOST * sizeof(struct gcl_loan))

struct gcl_ticket_head {
    uint64_t is_lent; ///< 1: nothing follows the loans; 0: the region's bytes do
    uint64_t loan_count;
};

/// Who reads, seen from the owner; or the owner, seen from who reads.
struct gcl_ticket_peer {
    unsigned number; ///< as struct gcl_lending wants it; GCL_LENDING_MOST and more: nothing is lent
    bool refuses;    ///< to be lent anything, or to be lent more
    pid_t process;
    int descriptor; ///< of the process (pidfd_open); -1: there is none
};

/// Writes a ticket for a request that is sent. Returns the first byte behind it, where the region's
/// bytes go unless `is_lent`.
unsigned char *gcl_ticket_write(const struct gcl_request *request,
                                const struct gcl_ticket_peer *peer, unsigned char *out,
                                bool *is_lent);
/// The peer has read what the ticket is for: ends what it offers. Returns the first byte behind
/// the region's.
const unsigned char *gcl_ticket_end(const struct gcl_request *request,
                                    const struct gcl_ticket_peer *peer,
                                    const unsigned char *ticket);
/// Reads a ticket of a request that is received at `*there`, in the peer's memory, which becomes
/// the first byte behind it, and takes what it lends. If `is_lent`, the request is done.
/// GCL_NODE_LOST, GCL_SYSTEM.
GCL_MUST_USE enum gcl_status gcl_ticket_take(const struct gcl_request *request,
                                             struct gcl_ticket_peer *peer,
                                             const unsigned char **there, bool *is_lent);

#endif
