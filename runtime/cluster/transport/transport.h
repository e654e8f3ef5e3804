// Messages and bytes between nodes: by UCX where nodes share memory or a fabric that isolates jobs,
// otherwise by TLS over TCP (transport/carrier.h), with a key of the job.
//
// A message is a control message (wire/wire.h) and, if wanted, a payload of any size. The
// receiver's handler sees the message first and says where the payload goes; large payloads then
// travel straight there. Messages from one node to another arrive in order, payloads may be done
// later.
//
// Each message carries a token that the job's secret makes for this pair of nodes in this
// direction. One with a wrong token is dropped with a warning before anything else in it is looked
// at, and its payload isn't received. Who has proven to be a node of the job, by a token or by TLS,
// and sends what can't be read, is blamed for it and given up: somebody may wait for what it was.
//
// One thread owns a transport and makes all calls; callbacks come on it, from
// gcl_transport_progress (completions also from the call that starts something). Callbacks may
// send, but not progress.
#ifndef GCL_CLUSTER_TRANSPORT_H
#define GCL_CLUSTER_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "cluster/communicator/node.h"
#include "cluster/wire/wire.h"

struct gcl_transport;

/// A payload on its way; lives during the handler.
struct gcl_incoming;

/// Called for each message; `payload` is NULL if it has none.
typedef void (*gcl_transport_handler)(void *context, const struct gcl_wire_message *message,
                                      struct gcl_incoming *payload);
/// Called once a node can't be reached any more, by `reason`, or has to be given up.
typedef void (*gcl_transport_lost)(void *context, gcl_node node, const char *reason);
/// Called when a send or a receive is over, well or not.
typedef void (*gcl_transport_done)(void *context, enum gcl_status status);

struct gcl_transport_options {
    gcl_node self, count;
    const uint8_t *secret;       ///< GCL_SECRET_SIZE bytes
    const bool *shares_memory;   ///< by node, during create: if all do, no port is opened
    uint32_t address;            ///< IPv4, in host order: where others reach this node
    const char *card_name;       ///< network card for UCX, "mlx5_0:1"; NULL: all
    const char *interface_names; ///< network devices for UCX over TCP, "eth0"; NULL: all
    bool is_network_trusted;     ///< UCX may use TCP, which lets whoever reaches its port do all
    gcl_transport_handler handler;
    gcl_transport_lost lost;
    /// Called instead of `lost` where a node has sent what can't be read. `reason` goes on after
    /// "it ", as that of struct gcl_mailbox_calls.
    gcl_transport_lost blame;
    void *context;
};

/// NULL, after a message, if UCX can't be started or there is no port. UCX_ variables of the user's
/// hold, but UCX has no TCP unless the network is trusted.
struct gcl_transport *gcl_transport_create(const struct gcl_transport_options *options);
/// Drops what is under way. Takes NULL.
void gcl_transport_destroy(struct gcl_transport *transport);

/// The address by which the other nodes reach this one; lives as long as the transport.
const void *gcl_transport_address(const struct gcl_transport *transport, size_t *size);
/// Makes a node reachable, by the `size` bytes of its address. GCL_SYSTEM, after a message, if it
/// can't be. Messages wait until it is.
GCL_MUST_USE enum gcl_status gcl_transport_connect(struct gcl_transport *transport, gcl_node node,
                                                   const void *address, size_t size);
/// A connected node that isn't reachable yet, or GCL_NO_NODE.
gcl_node gcl_transport_awaited(const struct gcl_transport *transport);

/// How a connected node is reached: "posix/memory", "tls/eth0", "ktls/eth0" if the kernel encrypts,
/// "tcp/eth0" by UCX. "?" if UCX doesn't tell.
const char *gcl_transport_link(const struct gcl_transport *transport, gcl_node node);

/// Sends a message; `message` is copied, from and token are set. `payload` of `size` bytes stays
/// the caller's and unchanged until `done` (may be NULL) is called.
void gcl_transport_send(struct gcl_transport *transport, gcl_node to,
                        const struct gcl_wire_message *message, const void *payload, size_t size,
                        gcl_transport_done done, void *context);

/// Gives a node up: what is under way with it ends, later sends fail, and neither `lost` nor
/// `blame` is called.
void gcl_transport_abandon(struct gcl_transport *transport, gcl_node node);

size_t gcl_incoming_size(const struct gcl_incoming *payload);
/// Receives a payload into `buffer`, which has room for it. To be called in the handler; a payload
/// that isn't received is dropped. `done` (may be NULL) is called when the bytes are there.
void gcl_incoming_receive(struct gcl_incoming *payload, void *buffer, gcl_transport_done done,
                          void *context);

/// Sends and receives what can be now; false if there was nothing.
bool gcl_transport_progress(struct gcl_transport *transport);
/// Readable when there may be something to progress after gcl_transport_arm returned true.
int gcl_transport_descriptor(const struct gcl_transport *transport);
/// Before sleeping on the descriptor: false if there is something to progress instead.
bool gcl_transport_arm(struct gcl_transport *transport);
/// Messages and connections refused because they aren't the job's.
uint64_t gcl_transport_refused(const struct gcl_transport *transport);

#endif
