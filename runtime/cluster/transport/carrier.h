// What carries messages: UCX between nodes that share memory or a fabric that isolates jobs
// (ucx.c), TLS over TCP between all others (tls.c). The transport chooses one for each pair of
// nodes.
//
// A carrier moves heads, which are control messages as bytes, and payloads. It knows nothing of
// what they say, but whom they come from where its connections prove that. All calls and upcalls
// are on the transport's thread; `take` and `lose` may come from any call but create and destroy.
#ifndef GCL_CLUSTER_CARRIER_H
#define GCL_CLUSTER_CARRIER_H

#include "cluster/transport/transport.h"

/// A payload on its way; the beginning of what a carrier knows of it.
struct gcl_incoming {
    size_t size;
    bool is_taken;
    /// See gcl_incoming_receive. Clears is_taken if there is no memory to receive with.
    void (*receive)(struct gcl_incoming *payload, void *buffer, gcl_transport_done done,
                    void *context);
};

/// What goes with a head; see gcl_transport_send.
struct gcl_outgoing {
    const void *payload;
    size_t size;
    gcl_transport_done done;
    void *context;
};

struct gcl_carrier_options {
    const struct gcl_transport_options *transport; ///< outlives the carrier
    /// A message came; `from` is GCL_NO_NODE if the carrier doesn't know. `payload` may be NULL.
    void (*take)(void *receiver, gcl_node from, const uint8_t *head, size_t head_size,
                 struct gcl_incoming *payload);
    /// A node can't be reached any more. What is under way with it ends when it is abandoned.
    void (*lose)(void *receiver, gcl_node node, const char *reason);
    /// A node has sent what can't be read, over a connection that proves that it did; otherwise as
    /// `lose`. `wrong` goes on after "a message that can't be read: ".
    void (*blame)(void *receiver, gcl_node node, const char *wrong);
    /// A connection was refused, of somebody who isn't a node of the job.
    void (*refuse)(void *receiver, const char *why);
    void *receiver;
};

struct gcl_carrier;

/// What every carrier can do; where nothing else is said, as the transport's function of that name.
struct gcl_carrier_calls {
    void (*destroy)(struct gcl_carrier *carrier);
    const void *(*address)(const struct gcl_carrier *carrier, size_t *size);
    enum gcl_status (*connect)(struct gcl_carrier *carrier, gcl_node node, const void *address,
                               size_t size);
    /// Whether messages to the node can leave; false also of nodes that weren't connected to.
    bool (*is_open)(const struct gcl_carrier *carrier, gcl_node node);
    const char *(*link)(const struct gcl_carrier *carrier, gcl_node node);
    void (*send)(struct gcl_carrier *carrier, gcl_node to, const uint8_t *head, size_t head_size,
                 const struct gcl_outgoing *payload);
    /// Ends what is under way with a node, for good. Of nodes that weren't connected to, too.
    void (*abandon)(struct gcl_carrier *carrier, gcl_node node);
    bool (*progress)(struct gcl_carrier *carrier);
    int (*descriptor)(const struct gcl_carrier *carrier);
    bool (*arm)(struct gcl_carrier *carrier);
};

/// The beginning of each carrier.
struct gcl_carrier {
    const struct gcl_carrier_calls *calls;
};

/// NULL, after a message, if UCX can't be started as the options want it.
struct gcl_carrier *gcl_ucx_create(const struct gcl_carrier_options *options);
/// Whether UCX reaches other hosts, too: over a fabric that isolates jobs, or a trusted network.
bool gcl_ucx_has_network(const struct gcl_carrier *ucx);

/// NULL, after a message, if there is no port or no memory.
struct gcl_carrier *gcl_tls_create(const struct gcl_carrier_options *options);

#endif
