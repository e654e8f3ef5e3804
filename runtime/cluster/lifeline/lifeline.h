// Who belongs to the job, and who is alive: a connection from each node to node 0, over a Unix
// socket within a machine and TCP between machines.
//
// A connection opens with a challenge in both directions; before both sides have proven that they
// know the job's secret nothing else is read from it. Then each side sends a beat every quarter of
// a second. The system tells of a process that ended (the connection closes, at once) and of a cut
// link (what was sent isn't acknowledged, 3 s). A connection that stays open without beats is a
// process that is stopped or stuck: a stall, which is reported, and is a loss only after
// GCL_TIMEOUT.
//
// Lifelines are apart from UCX because UCX can miss the end of a neighbour for ever, and from PMIx
// because its events often don't arrive.
//
// One thread owns a lifeline and makes all calls; callbacks come from gcl_lifeline_progress.
#ifndef GCL_CLUSTER_LIFELINE_H
#define GCL_CLUSTER_LIFELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "cluster/communicator/node.h"
#include "cluster/wire/wire.h"

struct gcl_lifeline;

/// The reason of a loss that the launcher sees as well.
#define GCL_LIFELINE_ENDED "its process has ended"
/// The reason of a loss that the launcher doesn't see.
#define GCL_LIFELINE_CUT "its host doesn't answer any more"

struct gcl_lifeline_calls {
    /// A node is lost, called once for each.
    void (*lost)(void *context, gcl_node node, const char *reason);
    /// A node has been silent for that long. Again when it goes on, with 0.
    void (*stalled)(void *context, gcl_node node, uint64_t silent_ns);
    /// Node 0 says that the job ends.
    void (*bye)(void *context, bool is_failure);
    /// Fills in what this node's next beat says, which is zeroed; and what another one's said.
    void (*describe_tiers)(void *context, struct gcl_tiers *tiers);
    void (*heard_tiers)(void *context, gcl_node node, const struct gcl_tiers *tiers);
};

struct gcl_lifeline_options {
    gcl_node self, count;
    const uint8_t *secret; ///< GCL_SECRET_SIZE bytes; outlives the lifeline
    uint64_t timeout_ns;   ///< silence that counts as a loss; 0: none
    struct gcl_lifeline_calls calls;
    void *context;
};

struct gcl_lifeline *gcl_lifeline_create(const struct gcl_lifeline_options *options);
/// Closes all connections. Takes NULL.
void gcl_lifeline_destroy(struct gcl_lifeline *lifeline);

/// In a child after fork(): closes what the child has of the connections, or else the others would
/// take this process for alive as long as its child. The lifeline can't be used in the child.
void gcl_lifeline_abandon(struct gcl_lifeline *lifeline);

/// Node 0: opens its doors and writes them into its card: a Unix socket, and TCP at `address` (IPv4
/// in host order) unless that is 0. GCL_SYSTEM after a message.
GCL_MUST_USE enum gcl_status gcl_lifeline_listen(struct gcl_lifeline *lifeline, uint32_t address,
                                                 struct gcl_wire_card *card);
/// Node 0: lets the others in until all are there. GCL_SYSTEM, after a message, if that takes more
/// than `seconds`, or if one of them is lost again.
GCL_MUST_USE enum gcl_status gcl_lifeline_await(struct gcl_lifeline *lifeline, unsigned seconds);
/// Nodes but node 0: opens the connection to node 0, whose card this is, by its Unix socket or by
/// TCP.
GCL_MUST_USE enum gcl_status gcl_lifeline_connect(struct gcl_lifeline *lifeline,
                                                  const struct gcl_wire_card *card, bool is_local,
                                                  unsigned seconds);

/// Reads what is there, sends beats that are due, finds silence.
void gcl_lifeline_progress(struct gcl_lifeline *lifeline);
/// An epoll descriptor: readable when there is something to progress. Beats need a call of
/// gcl_lifeline_progress every 250 ms beside.
int gcl_lifeline_descriptor(const struct gcl_lifeline *lifeline);

/// Node 0 tells all others that a node is lost; others tell node 0. A node that names itself gives
/// up.
void gcl_lifeline_tell_lost(struct gcl_lifeline *lifeline, gcl_node node, const char *reason);
/// Node 0 tells the others that the job ends, and waits for at most `seconds` until they have
/// closed their connections. True if all have.
bool gcl_lifeline_say_bye(struct gcl_lifeline *lifeline, bool is_failure, unsigned seconds);
/// Connections that were refused so far.
uint64_t gcl_lifeline_refused(const struct gcl_lifeline *lifeline);

#endif
