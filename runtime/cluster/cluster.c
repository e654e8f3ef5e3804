// Joining a job in steps: the secret, then cards, which nodes share through the launcher, and if
// need be what addresses they can have (addresses.c), then lifelines, by which a node that ends
// later is noticed, then the transport's addresses through the launcher, because the cards decide
// how it is started, then connections.
#include "cluster/cluster.h"

#include <assert.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "cluster/cluster_state.h"
#include "cluster/messages/broadcast.h"
#include "cluster/wire/host.h"

#define MILLISECOND UINT64_C(1000000)
// A message that comes within that time after another finds the thread awake.
#define SPIN_NS UINT64_C(30000)
#define LIFELINE_NS MILLISECOND

enum { START_SECONDS = 30, LEAST_START_SECONDS = 10, END_SECONDS = 2, SLEEP_MS = 100 };

// The cluster of this process, kept for the child after a fork.
static struct gcl_cluster *the_cluster;

// Messages.

static void take_message(void *context, const struct gcl_wire_message *message,
                         struct gcl_incoming *payload) {
    struct gcl_cluster *c = context;
    char reason[96];
    switch ((unsigned)message->kind) {
    case GCL_WIRE_PING:
    case GCL_WIRE_PONG:
    case GCL_WIRE_PROBE:
    case GCL_WIRE_MEASURE:
    case GCL_WIRE_MEASURED:
        gcl_census_take(c, message, payload);
        break;
    case GCL_WIRE_DATA:
    case GCL_WIRE_OPERATION:
        gcl_mailbox_take(c->mailbox, message, payload);
        break;
    default:
        snprintf(reason, sizeof reason, "sent node %u %s, which isn't sent this way", c->job.node,
                 gcl_wire_name(message->kind));
        gcl_loss_blame(c, message->from, reason);
    }
}

// The thread.

bool gcl_cluster_progress(struct gcl_cluster *c) {
    bool has_worked = gcl_transport_progress(c->transport);
    uint64_t now = gcl_clock_ns();
    if (now >= c->progressed_ns + LIFELINE_NS) {
        c->progressed_ns = now;
        gcl_lifeline_progress(c->lifeline);
    }
    return has_worked;
}

static struct gcl_post *take_posts(struct gcl_cluster *c, bool *is_stopping) {
    pthread_mutex_lock(&c->lock);
    struct gcl_post *posts = c->first;
    c->first = c->last = NULL;
    *is_stopping = c->is_stopping;
    pthread_mutex_unlock(&c->lock);
    return posts;
}

static bool run_posts(struct gcl_post *posts) {
    bool has_worked = posts != NULL;
    while (posts) {
        struct gcl_post *post = posts;
        posts = post->next;
        post->function(post->context);
        free(post);
    }
    return has_worked;
}

void gcl_cluster_sleep(struct gcl_cluster *c) {
    struct epoll_event events[4];
    if (gcl_transport_arm(c->transport))
        epoll_wait(c->epoll, events, 4, SLEEP_MS);
}

static void sleep_until_needed(struct gcl_cluster *c) {
    uint64_t count;

    atomic_store(&c->is_asleep, true);
    pthread_mutex_lock(&c->lock);
    bool has_posts = c->first || c->is_stopping; // whoever posts from here on writes to `wake`
    pthread_mutex_unlock(&c->lock);
    if (!has_posts)
        gcl_cluster_sleep(c);
    atomic_store(&c->is_asleep, false);
    if (read(c->wake, &count, sizeof count) < 0)
        count = 0; // it was something else
    c->progressed_ns = 0;
}

static void *run(void *context) {
    struct gcl_cluster *c = context;
    uint64_t worked_ns = gcl_clock_ns();
    bool is_stopping = false;

    while (!is_stopping) {
        bool has_worked = gcl_cluster_progress(c);
        has_worked |= run_posts(take_posts(c, &is_stopping));
        gcl_census_answer(c);
        uint64_t now = gcl_clock_ns();
        gcl_loss_look(c, now);
        if (has_worked)
            worked_ns = now;
        else if (now > worked_ns + SPIN_NS)
            sleep_until_needed(c);
        else
            sched_yield();
    }
    return NULL;
}

static void wake_thread(struct gcl_cluster *c) {
    uint64_t one = 1;
    if (atomic_load(&c->is_asleep) && write(c->wake, &one, sizeof one) < 0)
        gcl_log(GCL_LOG_DEBUG, "the cluster's thread is awake already");
}

void gcl_cluster_post(struct gcl_cluster *c, void (*function)(void *context), void *context) {
    assert(function);
    struct gcl_post *added = malloc(sizeof *added);
    if (!added) {
        gcl_log(GCL_LOG_ERROR, "no memory for a command to the cluster");
        abort();
    }
    *added = (struct gcl_post){.function = function, .context = context};
    pthread_mutex_lock(&c->lock);
    assert(!c->first == !c->last);
    *(c->last ? &c->last->next : &c->first) = added;
    c->last = added;
    pthread_mutex_unlock(&c->lock);
    wake_thread(c);
}

static bool watch(int epoll, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static enum gcl_status start_thread(struct gcl_cluster *c) {
    sigset_t all, before;
    c->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    c->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (c->wake < 0 || c->epoll < 0 || !watch(c->epoll, c->wake) ||
        !watch(c->epoll, gcl_transport_descriptor(c->transport)) ||
        !watch(c->epoll, gcl_lifeline_descriptor(c->lifeline))) {
        gcl_log(GCL_LOG_ERROR, "can't watch the cluster's sockets");
        return GCL_SYSTEM;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    c->has_thread = pthread_create(&c->thread, NULL, run, c) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!c->has_thread)
        gcl_log(GCL_LOG_ERROR, "can't start the cluster's thread");
    return c->has_thread ? GCL_OK : GCL_SYSTEM;
}

static void stop_thread(struct gcl_cluster *c) {
    if (!c->has_thread)
        return;
    pthread_mutex_lock(&c->lock);
    c->is_stopping = true;
    pthread_mutex_unlock(&c->lock);
    wake_thread(c);
    pthread_join(c->thread, NULL);
    c->has_thread = false;
}

// Start.

static void leave_in_child(void) {
    if (the_cluster && the_cluster->lifeline)
        gcl_lifeline_abandon(the_cluster->lifeline);
    the_cluster = NULL;
}

static enum gcl_status join(const struct gcl_cluster_options *options, struct gcl_cluster **cluster,
                            struct gcl_cluster_place *place) {
    static char label[32];
    struct gcl_cluster *c = calloc(1, sizeof *c);

    gcl_log_set(options->log_level);
    if (!c)
        return GCL_NO_MEMORY;
    c->options = *options;
    c->launcher = getppid();
    c->wake = c->epoll = -1;
    c->measuring.wanted = GCL_NO_NODE;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->ended, NULL);
    enum gcl_status status = gcl_job_join(&c->job, options->is_strict);
    if (status != GCL_OK) {
        free(c);
        return status;
    }
    snprintf(label, sizeof label, "node %u: ", c->job.node);
    gcl_log_set_label(c->job.node > 0 ? label : "");
    *place = (struct gcl_cluster_place){.node = c->job.node,
                                        .count = c->job.count,
                                        .local_rank = c->job.local_rank,
                                        .local_count = c->job.local_count};
    *cluster = the_cluster = c;
    pthread_atfork(NULL, NULL, leave_in_child);
    return GCL_OK;
}

static enum gcl_status create_lifeline(struct gcl_cluster *c) {
    c->lifeline = gcl_lifeline_create(&(struct gcl_lifeline_options){
        .self = c->job.node,
        .count = c->job.count,
        .secret = c->job.secret,
        .timeout_ns = c->options.timeout_ns,
        .calls = gcl_loss_calls,
        .context = c,
    });
    return c->lifeline ? GCL_OK : GCL_NO_MEMORY;
}

// Fills in this node's card and, on node 0, opens its doors.
static enum gcl_status describe_node(struct gcl_cluster *c,
                                     const struct gcl_cluster_device *device) {
    struct gcl_wire_card *card = &c->cards[c->job.node];

    snprintf(card->host, sizeof card->host, "%s", c->job.host);
    snprintf(card->device, sizeof card->device, "%s", device->name);
    snprintf(card->bound, sizeof card->bound, "%s", device->binding.device);
    snprintf(card->cores, sizeof card->cores, "%s", device->binding.cores);
    snprintf(card->memory_nodes, sizeof card->memory_nodes, "%s", device->binding.memory_nodes);
    snprintf(card->network, sizeof card->network, "%s", device->binding.network);
    card->is_apart = device->is_apart;
    card->is_packed = device->is_packed;
    card->can_fault = device->can_fault;
    card->threads = device->threads;
    card->limits = device->limits;
    card->memory = device->memory;
    card->begin = device->begin;
    card->end = device->end;
    card->code = device->code;
    gcl_host_describe(card);
    c->neighbours = gcl_neighbours_create(c->job.node, c->job.count, card);
    if (!c->neighbours)
        return GCL_NO_MEMORY;
    bool has_network = c->job.local_count < c->job.count;
    uint32_t address = has_network ? gcl_host_choose_interface(c->job.host, card) : 0;
    if (has_network && !address) {
        gcl_log(GCL_LOG_ERROR, "host %s has no network interface for the job", c->job.host);
        return GCL_SYSTEM;
    }
    return c->job.node == 0 ? gcl_lifeline_listen(c->lifeline, address, card) : GCL_OK;
}

static enum gcl_status read_cards(struct gcl_cluster *c, const struct gcl_job_shares *shares) {
    for (gcl_node n = 0; n < c->job.count; n++) {
        const char *wrong = n == c->job.node ? NULL
                                             : gcl_wire_read_card(shares->of[n].bytes,
                                                                  shares->of[n].size, &c->cards[n]);
        if (!wrong)
            continue;
        gcl_log(GCL_LOG_ERROR, "node %u's card can't be read: %s", n, wrong);
        return GCL_SYSTEM;
    }
    return GCL_OK;
}

/// Kernels, variables and functions have the same addresses on all nodes if the code does.
static enum gcl_status check_code(const struct gcl_cluster *c) {
    const struct gcl_wire_card *home = &c->cards[0];
    for (gcl_node n = 1; n < c->job.count; n++) {
        const struct gcl_wire_card *card = &c->cards[n];
        if (card->code == home->code)
            continue;
        gcl_log(c->job.node == 0 ? GCL_LOG_ERROR : GCL_LOG_INFO,
                "node %u's program (on %s, process %u) has other device code than node 0's (on %s, "
                "process %u): the same binary, with the same libraries, has to run on all nodes",
                n, card->host, card->process, home->host, home->process);
        return GCL_SYSTEM;
    }
    return GCL_OK;
}

/// How long nodes may take to start.
static unsigned start_seconds(const struct gcl_cluster *c) {
    uint64_t seconds = c->options.timeout_ns / (1000 * MILLISECOND);
    if (seconds == 0)
        return START_SECONDS;
    return seconds < LEAST_START_SECONDS ? LEAST_START_SECONDS : (unsigned)seconds;
}

/// Picks the seats of this host's nodes out of all.
static enum gcl_status pick_seats(const struct gcl_cluster *c, const struct gcl_job_shares *shares,
                                  struct gcl_cluster_seats *seats) {
    seats->of = calloc(c->job.count, sizeof *seats->of);
    seats->count = 0;
    if (!seats->of)
        return GCL_NO_MEMORY;
    for (gcl_node n = 0; n < c->job.count; n++) {
        struct gcl_wire_seat read;
        const char *wrong = gcl_wire_read_seat(shares->of[n].bytes, shares->of[n].size, &read);
        if (wrong) {
            gcl_log(GCL_LOG_ERROR, "what node %u may use can't be read: %s", n, wrong);
            free(seats->of);
            return GCL_SYSTEM;
        }
        if (n == c->job.node)
            seats->self = seats->count;
        if (strcmp(read.host, c->job.host) == 0)
            seats->of[seats->count++] = read.seat;
    }
    return GCL_OK;
}

static enum gcl_status take_seat(struct gcl_cluster *c, const struct gcl_seat *own,
                                 struct gcl_cluster_seats *seats) {
    const struct gcl_job_patience patience = {.seconds = start_seconds(c)};
    struct gcl_wire_seat seat = {.seat = *own};
    uint8_t bytes[GCL_WIRE_MAX_SEAT_SIZE];
    struct gcl_job_shares shares = {.of = NULL};
    snprintf(seat.host, sizeof seat.host, "%s", c->job.host);
    enum gcl_status status = gcl_job_learn_secret(&c->job, &patience);
    if (status == GCL_OK)
        status =
            gcl_job_share(&c->job, bytes, gcl_wire_write_seat(&seat, bytes), &patience, &shares);
    if (status == GCL_OK)
        status = pick_seats(c, &shares, seats);
    seats->job = gcl_secret_job(c->job.secret);
    gcl_job_shares_free(&shares);
    return status;
}

static enum gcl_status exchange_cards(struct gcl_cluster *c,
                                      const struct gcl_cluster_device *device) {
    const struct gcl_job_patience patience = {.seconds = start_seconds(c)};
    uint8_t bytes[GCL_WIRE_MAX_CARD_SIZE];
    struct gcl_job_shares shares = {.of = NULL};
    enum gcl_status status = describe_node(c, device);
    if (status == GCL_OK)
        status = gcl_job_share(&c->job, bytes, gcl_wire_write_card(&c->cards[c->job.node], bytes),
                               &patience, &shares);
    if (status == GCL_OK)
        status = read_cards(c, &shares);
    gcl_job_shares_free(&shares);
    return status;
}

/// Whether a node has been lost since its lifeline was there.
static bool is_in_vain(void *context) {
    struct gcl_cluster *c = context;
    gcl_lifeline_progress(c->lifeline);
    return c->has_ended;
}

/// Shares bytes; waits until all nodes have come here, or one is lost.
static enum gcl_status meet(struct gcl_cluster *c, const void *bytes, size_t size,
                            struct gcl_job_shares *shares) {
    const struct gcl_job_patience patience = {
        .seconds = start_seconds(c), .is_in_vain = is_in_vain, .context = c};
    return gcl_job_share(&c->job, bytes, size, &patience, shares);
}

static enum gcl_status create_transport(struct gcl_cluster *c) {
    struct gcl_wire_card *own = &c->cards[c->job.node];
    bool *shares_memory = calloc(c->job.count, sizeof *shares_memory), all = true;
    if (!shares_memory)
        return GCL_NO_MEMORY;
    for (gcl_node n = 0; n < c->job.count; n++)
        all &= shares_memory[n] = gcl_host_shares_memory(own, &c->cards[n]);
    // Nodes that share no memory on the only host: nobody else has to reach them.
    uint32_t address = all ? 0 : gcl_host_choose_interface(c->job.host, own);
    c->transport = gcl_transport_create(&(struct gcl_transport_options){
        .self = c->job.node,
        .count = c->job.count,
        .secret = c->job.secret,
        .shares_memory = shares_memory,
        .address = address ? address : INADDR_LOOPBACK,
        .interface_names = own->interface[0] ? own->interface : NULL,
        .card_name = own->network[0] ? own->network : NULL,
        .is_network_trusted = c->options.is_network_trusted,
        .handler = take_message,
        .lost = gcl_loss_of_link,
        .blame = gcl_loss_blame,
        .context = c,
    });
    free(shares_memory);
    return c->transport ? GCL_OK : GCL_SYSTEM;
}

/// Until connections to all nodes are there, which the launcher's fence wouldn't go on with.
static enum gcl_status await_links(struct gcl_cluster *c) {
    uint64_t end_ns = gcl_clock_ns() + start_seconds(c) * 1000 * MILLISECOND;
    gcl_node awaited;
    while ((awaited = gcl_transport_awaited(c->transport)) != GCL_NO_NODE) {
        if (!gcl_transport_progress(c->transport))
            usleep(200);
        if (is_in_vain(c))
            return GCL_NODE_LOST;
        if (gcl_clock_ns() < end_ns)
            continue;
        gcl_log(GCL_LOG_ERROR, "no connection between nodes %u and %u (on %s) within %u s",
                c->job.node, awaited, c->cards[awaited].host, start_seconds(c));
        return GCL_SYSTEM;
    }
    return GCL_OK;
}

static enum gcl_status connect_transport(struct gcl_cluster *c) {
    size_t size;
    if (create_transport(c) != GCL_OK)
        return GCL_SYSTEM;
    c->mailbox =
        gcl_mailbox_create(c->transport, c->job.node, c->job.count,
                           &(struct gcl_mailbox_calls){.blame = gcl_loss_blame, .context = c});
    if (!c->mailbox)
        return GCL_NO_MEMORY;
    const void *address = gcl_transport_address(c->transport, &size);
    gcl_neighbours_connect(c->neighbours, c->cards);
    struct gcl_job_shares shares;
    enum gcl_status status = meet(c, address, size, &shares);
    gcl_neighbours_agree(c->neighbours);
    for (gcl_node n = 0; status == GCL_OK && n < c->job.count; n++) {
        if (n != c->job.node)
            status = gcl_transport_connect(c->transport, n, shares.of[n].bytes, shares.of[n].size);
    }
    gcl_job_shares_free(&shares);
    if (status == GCL_OK)
        status = await_links(c);
    // A program may be over before others have found each other.
    if (status == GCL_OK)
        status = meet(c, NULL, 0, &shares);
    gcl_job_shares_free(&shares);
    return status;
}

static enum gcl_status connect_lifeline(struct gcl_cluster *c) {
    if (c->job.node == 0)
        return gcl_lifeline_await(c->lifeline, start_seconds(c));
    bool is_local = gcl_host_shares_memory(&c->cards[0], &c->cards[c->job.node]);
    return gcl_lifeline_connect(c->lifeline, &c->cards[0], is_local, start_seconds(c));
}

static enum gcl_status connect_all(struct gcl_cluster *c, struct gcl_cluster_device *device,
                                   const struct gcl_cluster_mover *mover) {
    const struct gcl_job_patience patience = {.seconds = start_seconds(c)};
    c->cards = calloc(c->job.count, sizeof c->cards[0]);
    c->tiers = calloc(c->job.count, sizeof c->tiers[0]);
    if (!c->cards || !c->tiers)
        return GCL_NO_MEMORY;
    enum gcl_status status = create_lifeline(c);
    if (status == GCL_OK)
        status = exchange_cards(c, device);
    if (status == GCL_OK)
        status = check_code(c);
    if (status == GCL_OK)
        status = gcl_addresses_agree(c, &patience, device, mover);
    if (status == GCL_OK)
        status = connect_lifeline(c);
    if (status == GCL_OK)
        status = connect_transport(c);
    if (status == GCL_OK)
        status = gcl_census_check_links(c);
    if (status == GCL_OK)
        status = start_thread(c);
    return status;
}

// Work, and end.

static struct gcl_cluster_device total(struct gcl_cluster *c) {
    struct gcl_cluster_device sum = {.limits = c->cards[0].limits, .can_fault = true};
    for (gcl_node n = 0; n < c->job.count; n++) {
        sum.threads += c->cards[n].threads;
        sum.memory += c->cards[n].memory;
        sum.is_apart |= c->cards[n].is_apart != 0;
        sum.can_fault &= c->cards[n].can_fault != 0;
        gcl_limits_lower(&sum.limits, &c->cards[n].limits);
    }
    return sum;
}

// A question for the cluster's thread, which measures; who asks waits.
struct measurement {
    struct gcl_cluster *cluster;
    FILE *out; // of a census, or
    gcl_node node;
    struct gcl_cluster_clock *clock; // to compare, or
    struct gcl_cluster_link *link;   // to measure
    bool is_good, is_done;
};

static void take_measurement(void *context) {
    struct measurement *m = context;
    struct gcl_cluster *c = m->cluster;
    if (m->out)
        gcl_census_write(c, m->out);
    else if (m->clock)
        m->is_good = gcl_census_compare_clocks(c, m->node, m->clock);
    else
        m->is_good = gcl_census_measure_link(c, m->node, m->link);
    pthread_mutex_lock(&c->lock);
    m->is_done = true;
    pthread_cond_broadcast(&c->ended);
    pthread_mutex_unlock(&c->lock);
}

static void await_measurement(struct measurement *m) {
    struct gcl_cluster *c = m->cluster;
    assert(!c->has_thread || !pthread_equal(pthread_self(), c->thread));
    gcl_cluster_post(c, take_measurement, m);
    pthread_mutex_lock(&c->lock);
    while (!m->is_done)
        pthread_cond_wait(&c->ended, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

static void census(struct gcl_cluster *c, FILE *out) {
    struct measurement m = {.cluster = c, .out = out};
    await_measurement(&m);
}

static struct gcl_cluster_member member(const struct gcl_cluster *c, gcl_node node) {
    assert(c->cards && node < c->job.count);
    const struct gcl_wire_card *card = &c->cards[node];
    return (struct gcl_cluster_member){
        .host = card->host,
        .device = card->device,
        .binding = {.device = card->bound,
                    .cores = card->cores,
                    .memory_nodes = card->memory_nodes,
                    .network = card->network[0] ? card->network : card->interface},
        .is_apart = card->is_apart != 0,
        .process = card->process,
        .threads = card->threads,
        .memory = card->memory};
}

static bool compare_clocks(struct gcl_cluster *c, gcl_node node, struct gcl_cluster_clock *clock) {
    assert(node < c->job.count && node != c->job.node && clock);
    struct measurement m = {.cluster = c, .node = node, .clock = clock};
    await_measurement(&m);
    return m.is_good;
}

static bool measure_link(struct gcl_cluster *c, gcl_node node, struct gcl_cluster_link *link) {
    assert(node < c->job.count && node != c->job.node && link);
    struct measurement m = {.cluster = c, .node = node, .link = link};
    await_measurement(&m);
    return m.is_good;
}

static int serve(struct gcl_cluster *c,
                 bool (*apply)(void *context, const void *bytes, size_t size), void *context) {
    size_t size;
    void *bytes;
    bool is_ok = true;
    while (is_ok && (bytes = gcl_mailbox_next(c->mailbox, &size))) {
        is_ok = apply(context, bytes, size);
        free(bytes);
    }
    pthread_mutex_lock(&c->lock);
    // Operations may also end because one can't be read, or for want of memory.
    bool is_failure = c->is_failure || !is_ok || !c->has_ended;
    pthread_mutex_unlock(&c->lock);
    return is_failure ? 1 : 0;
}

static void broadcast(void *context, const void *bytes, size_t size) {
    struct gcl_cluster *c = context;
    struct gcl_broadcast *made = gcl_broadcast_create(c->mailbox, bytes, size);
    if (!made) {
        gcl_log(GCL_LOG_ERROR, "no memory for an operation");
        abort(); // the others would wait for it for ever
    }
    gcl_cluster_post(c, gcl_broadcast_start, made);
}

static struct gcl_communicator communicator(struct gcl_cluster *c) {
    return (struct gcl_communicator){.broadcast = broadcast,
                                     .exchange = gcl_exchange_run,
                                     .attempt = gcl_exchange_attempt,
                                     .is_near = gcl_exchange_is_near,
                                     .read = gcl_exchange_read,
                                     .expect = gcl_exchange_expect,
                                     .give_up = gcl_loss_resign,
                                     .context = c};
}

static void close_cluster(struct gcl_cluster *c, bool is_failure) {
    // Workers may be waiting for bytes that nobody wants any more.
    bool is_quiet = gcl_exchange_end_all(c, END_SECONDS);
    stop_thread(c);
    // The process ends, and other threads may still wait in what would be taken down; the launcher
    // ends what is left of the job.
    if (is_failure || c->is_failure || !is_quiet) {
        gcl_loss_linger(c);
        return;
    }
    if (c->lifeline && c->job.node == 0 && !gcl_lifeline_say_bye(c->lifeline, false, END_SECONDS))
        gcl_log(GCL_LOG_WARN, "not all nodes have ended");
    gcl_transport_destroy(c->transport);
    gcl_mailbox_destroy(c->mailbox);
    gcl_neighbours_destroy(c->neighbours);
    gcl_lifeline_destroy(c->lifeline);
    c->lifeline = NULL;
    gcl_job_leave(&c->job);
    if (c->wake >= 0)
        close(c->wake);
    if (c->epoll >= 0)
        close(c->epoll);
    free(c->measuring.sink);
    free(c->cards);
    free(c->tiers);
    // The rest stays, for workers that come late and find that they may not enter.
}

extern const struct gcl_cluster_calls gcl_cluster_calls;
__attribute__((visibility("default"))) const struct gcl_cluster_calls gcl_cluster_calls = {
    .join = join,
    .seat = take_seat,
    .connect = connect_all,
    .total = total,
    .post = gcl_cluster_post,
    .member = member,
    .census = census,
    .compare_clocks = compare_clocks,
    .measure_link = measure_link,
    .tell_tiers = gcl_tiers_tell,
    .tiers = gcl_tiers_of,
    .communicator = communicator,
    .serve = serve,
    .close = close_cluster,
};
