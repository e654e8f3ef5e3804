// Inside the cluster: what cluster.c, census.c and the cluster's thread share.
#ifndef GCL_CLUSTER_CLUSTER_STATE_H
#define GCL_CLUSTER_CLUSTER_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "cluster/cluster.h"
#include "cluster/job/job.h"
#include "cluster/lifeline/lifeline.h"
#include "cluster/messages/mailbox.h"
#include "cluster/messages/neighbours.h"
#include "cluster/transport/transport.h"
#include "cluster/wire/wire.h"

struct gcl_post {
    void (*function)(void *context);
    void *context;
    struct gcl_post *next;
};

/// What the cluster's thread is waiting for while it measures.
struct gcl_measuring {
    gcl_node asked;                    ///< whose answers count: who was asked last
    uint64_t answered;                 ///< id of its last PONG
    uint64_t their_ns;                 ///< the clock in it
    gcl_node wanted;                   ///< a MEASURE came: measure this one. GCL_NO_NODE: none
    bool has_result;                   ///< a MEASURED came:
    struct gcl_wire_measured measured; ///< this
    void *sink;                        ///< where probes' payloads go
};

struct gcl_cluster {
    struct gcl_cluster_options options;
    struct gcl_job job;
    pid_t launcher;              ///< the process that started this one
    struct gcl_wire_card *cards; ///< by node
    struct gcl_tiers *tiers;     ///< by node, as heard last
    gcl_tell_tiers *tell_tiers;  ///< this node's; NULL: it has none
    struct gcl_lifeline *lifeline;
    struct gcl_transport *transport;
    struct gcl_mailbox *mailbox;
    struct gcl_neighbours *neighbours;
    struct gcl_measuring measuring; ///< the cluster's thread's
    pthread_t thread;
    bool has_thread;
    int wake, epoll;
    pthread_mutex_t lock; ///< of the posts, of exchanges, of tiers, and of how the job ends
    pthread_cond_t ended;
    unsigned exchanges; ///< that somebody is in
    bool is_leaving;    ///< none may begin
    struct gcl_post *first, *last;
    bool is_stopping;      ///< the thread ends after its next round
    bool has_ended;        ///< node 0 said bye, or a node is lost
    bool is_failure;       ///< a node is lost
    uint64_t failed_ns;    ///< the thread's: when that was; 0: not
    bool is_cut;           ///< the thread's: a host doesn't answer
    uint64_t looked_ns;    ///< the thread's: at what waits, last
    unsigned wait_reports; ///< the thread's: how often who waits was reported, to some number
    atomic_bool is_asleep;
    uint64_t progressed_ns; ///< the lifeline, last
};

/// See gcl_cluster_calls.post.
void gcl_cluster_post(struct gcl_cluster *cluster, void (*function)(void *context), void *context);
/// exchange.c: see struct gcl_communicator. `cluster`: a struct gcl_cluster.
enum gcl_status gcl_exchange_run(void *cluster, struct gcl_turn turn,
                                 const struct gcl_request *requests, size_t count);
enum gcl_status gcl_exchange_attempt(void *cluster, struct gcl_turn turn,
                                     const struct gcl_request *requests, size_t count);
bool gcl_exchange_is_near(void *cluster, gcl_node node);
enum gcl_status gcl_exchange_read(void *cluster, const struct gcl_request *requests, size_t count);
void gcl_exchange_expect(void *cluster, const struct gcl_request *request,
                         void (*came)(void *receiver, enum gcl_status status), void *receiver);
/// No exchange begins any more, and those that go on end for want of the others. False: not all
/// have ended within `seconds`.
bool gcl_exchange_end_all(struct gcl_cluster *cluster, unsigned seconds);
/// One round of the cluster's thread without posts and without sleep; false if there was nothing.
bool gcl_cluster_progress(struct gcl_cluster *cluster);
/// The cluster's thread sleeps until there may be something to progress, or for a while.
void gcl_cluster_sleep(struct gcl_cluster *cluster);

/// What loss.c hears from the lifeline and from the transport.
extern const struct gcl_lifeline_calls gcl_loss_calls;
void gcl_loss_of_link(void *context, gcl_node node, const char *reason);
/// A node has sent what it shouldn't have, or this one can't go on: the job ends, soon. `reason` as
/// struct gcl_mailbox_calls has it; `cluster`: a struct gcl_cluster. Any thread, also in callbacks.
void gcl_loss_blame(void *cluster, gcl_node culprit, const char *reason);
/// See struct gcl_communicator, give_up.
void gcl_loss_resign(void *cluster, const char *reason);
/// After the thread has ended, before the process does: waits for what mpirun needs.
void gcl_loss_linger(const struct gcl_cluster *cluster);
/// Now and then: reports what waits for long, and ends this process some time after a loss.
void gcl_loss_look(struct gcl_cluster *cluster, uint64_t now);

/// addresses.c: has all nodes reserve the same addresses, once they have each other's cards;
/// `device`, this node's, has them afterwards. GCL_SYSTEM if there are none that all can have.
GCL_MUST_USE enum gcl_status gcl_addresses_agree(struct gcl_cluster *cluster,
                                                 const struct gcl_job_patience *patience,
                                                 struct gcl_cluster_device *device,
                                                 const struct gcl_cluster_mover *mover);

/// tiers.c: what the lifeline asks for and hears. `cluster`: a struct gcl_cluster.
void gcl_tiers_describe(void *cluster, struct gcl_tiers *tiers);
void gcl_tiers_heard(void *cluster, gcl_node node, const struct gcl_tiers *tiers);
/// See gcl_cluster_calls.tell_tiers and tiers.
void gcl_tiers_tell(struct gcl_cluster *cluster, gcl_tell_tiers *tell);
struct gcl_tiers gcl_tiers_of(struct gcl_cluster *cluster, gcl_node node);

/// census.c: takes the messages that belong to measuring.
void gcl_census_take(struct gcl_cluster *cluster, const struct gcl_wire_message *message,
                     struct gcl_incoming *payload);
/// Measures if another node has asked for it. On the cluster's thread, outside of callbacks.
void gcl_census_answer(struct gcl_cluster *cluster);
/// Warns of links between nodes of one machine that don't use shared memory; GCL_SYSTEM if that is
/// an error.
GCL_MUST_USE enum gcl_status gcl_census_check_links(struct gcl_cluster *cluster);
/// See gcl_cluster_calls.compare_clocks.
bool gcl_census_measure_link(struct gcl_cluster *cluster, gcl_node node,
                             struct gcl_cluster_link *link);
bool gcl_census_compare_clocks(struct gcl_cluster *cluster, gcl_node node,
                               struct gcl_cluster_clock *clock);
/// See gcl_cluster_calls.census.
void gcl_census_write(struct gcl_cluster *cluster, FILE *out);

#endif
