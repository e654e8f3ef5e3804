// What the job consists of, and how fast its links are: short messages there and back, then large
// payloads that are each acknowledged. Node 0 asks one node after the other, since links that are
// measured at once would share cores and wires.
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cluster/cluster_state.h"
#include "cluster/wire/host.h"

#define SECOND UINT64_C(1000000000)
#define DEADLINE_NS (3 * SECOND)
#define AWAKE_NS UINT64_C(200000)
#define BRIEF_NS UINT64_C(20000000) // a program waits for a brief measurement

enum {
    PAYLOAD_SIZE = 4 << 20,
    WARM_PINGS = 20,
    PINGS = 100,
    PROBES = 16,
    BRIEF_SIZE = 64 << 10,
    BRIEF_COUNT = 12,
    MOST_NODES = 8, ///< up to that all links are measured, beyond it node 0's
};

// Answers.

static void answer(struct gcl_cluster *c, gcl_node to, uint64_t id) {
    struct gcl_wire_message pong = {.kind = GCL_WIRE_PONG, .ping = {id, gcl_clock_ns()}};
    gcl_transport_send(c->transport, to, &pong, NULL, 0, NULL, NULL);
}

struct probe {
    struct gcl_cluster *cluster;
    gcl_node from;
    uint64_t id;
};

static void finish_probe(void *context, enum gcl_status status) {
    struct probe *probe = context;
    if (status == GCL_OK)
        answer(probe->cluster, probe->from, probe->id);
    free(probe);
}

static void blame(struct gcl_cluster *c, const struct gcl_wire_message *message) {
    char reason[64];
    snprintf(reason, sizeof reason, "sent node %u a wrong %s", c->job.node,
             gcl_wire_name(message->kind));
    gcl_loss_blame(c, message->from, reason);
}

static void take_probe(struct gcl_cluster *c, const struct gcl_wire_message *message,
                       struct gcl_incoming *payload) {
    struct probe *probe = malloc(sizeof *probe);
    if (!c->measuring.sink)
        c->measuring.sink = malloc(PAYLOAD_SIZE);
    if (!payload || gcl_incoming_size(payload) > PAYLOAD_SIZE)
        blame(c, message);
    if (!probe || !c->measuring.sink || !payload || gcl_incoming_size(payload) > PAYLOAD_SIZE) {
        free(probe);
        return;
    }
    *probe = (struct probe){.cluster = c, .from = message->from, .id = message->ping.id};
    gcl_incoming_receive(payload, c->measuring.sink, finish_probe, probe);
}

void gcl_census_take(struct gcl_cluster *c, const struct gcl_wire_message *message,
                     struct gcl_incoming *payload) {
    switch ((unsigned)message->kind) {
    case GCL_WIRE_PING:
        answer(c, message->from, message->ping.id);
        break;
    case GCL_WIRE_PONG:
        if (message->from != c->measuring.asked) // or it comes too late
            break;
        c->measuring.answered = message->ping.id;
        c->measuring.their_ns = message->ping.clock_ns;
        break;
    case GCL_WIRE_PROBE:
        take_probe(c, message, payload);
        break;
    case GCL_WIRE_MEASURE:
        if (message->from != 0 || message->measure.target >= c->job.count ||
            message->measure.target == c->job.node)
            blame(c, message);
        else
            c->measuring.wanted = message->measure.target;
        break;
    case GCL_WIRE_MEASURED:
        if (message->from != c->measuring.asked)
            break;
        c->measuring.measured = message->measured;
        c->measuring.has_result = true;
        break;
    }
}

// Questions.

// Who waits awake has the answer at once, but where others want the core, who sleeps is woken up
// before those that have been at work.
static bool await_answer(struct gcl_cluster *c, uint64_t id) {
    uint64_t begin = gcl_clock_ns(), now = begin;
    while (c->measuring.answered != id) {
        bool has_worked = gcl_cluster_progress(c);
        now = gcl_clock_ns();
        if (!has_worked && now > begin + AWAKE_NS)
            gcl_cluster_sleep(c);
        else if (!has_worked)
            gcl_clock_pause();
        if (now > begin + DEADLINE_NS || c->has_ended)
            return false;
    }
    return true;
}

/// The payload of probes. Who asks gives up at a deadline, when the transport may still be reading
/// it: its last user frees it.
struct load {
    unsigned users; ///< the measurement, and each send that isn't over
    size_t size;    ///< bytes of it that are sent
    unsigned char bytes[PAYLOAD_SIZE];
};

static struct load *create_load(size_t size) {
    assert(size > 0 && size <= PAYLOAD_SIZE);
    struct load *load = calloc(1, sizeof *load);
    if (load) {
        load->users = 1;
        load->size = size;
    }
    return load;
}

static void drop_load(struct load *load) {
    assert(!load || load->users > 0);
    if (load && --load->users == 0)
        free(load);
}

static void load_sent(void *context, enum gcl_status status) {
    (void)status; // who waits for the answer finds out
    drop_load(context);
}

/// Without `load`, a short question.
static bool ask(struct gcl_cluster *c, gcl_node target, struct load *load) {
    static uint64_t last_id; // the cluster's thread's
    struct gcl_wire_message message = {.kind = load ? GCL_WIRE_PROBE : GCL_WIRE_PING,
                                       .ping.id = ++last_id};
    c->measuring.asked = target;
    if (load)
        load->users++;
    gcl_transport_send(c->transport, target, &message, load ? load->bytes : NULL,
                       load ? load->size : 0, load ? load_sent : NULL, load);
    return await_answer(c, last_id);
}

// Zero where nobody answers.
static struct gcl_wire_measured measure(struct gcl_cluster *c, gcl_node target) {
    assert(target < c->job.count && target != c->job.node);
    struct gcl_wire_measured result = {.target = target};
    struct load *load = create_load(PAYLOAD_SIZE);
    bool is_good = load != NULL;

    snprintf(result.link, sizeof result.link, "%s", gcl_transport_link(c->transport, target));
    for (int i = 0; is_good && i < WARM_PINGS; i++)
        is_good = ask(c, target, NULL);
    uint64_t start = gcl_clock_ns();
    for (int i = 0; is_good && i < PINGS; i++)
        is_good = ask(c, target, NULL);
    if (is_good)
        result.latency_ns = (gcl_clock_ns() - start) / (2 * PINGS);
    is_good = is_good && ask(c, target, load);
    start = gcl_clock_ns();
    for (int i = 0; is_good && i < PROBES; i++)
        is_good = ask(c, target, load);
    if (is_good)
        result.bytes_per_second = (uint64_t)((double)((uint64_t)PROBES * PAYLOAD_SIZE) * 1e9 /
                                             (double)(gcl_clock_ns() - start));
    drop_load(load);
    return result;
}

/// The shortest time of a few questions, of one if that takes long; 0: nobody answers.
static uint64_t time_briefly(struct gcl_cluster *c, gcl_node node, struct load *load) {
    uint64_t shortest_ns = UINT64_MAX, end_ns = gcl_clock_ns() + BRIEF_NS;
    for (int i = 0; i < BRIEF_COUNT && (i == 0 || gcl_clock_ns() < end_ns); i++) {
        uint64_t begin_ns = gcl_clock_ns();
        if (!ask(c, node, load))
            return 0;
        uint64_t taken_ns = gcl_clock_ns() - begin_ns;
        shortest_ns = taken_ns < shortest_ns ? taken_ns : shortest_ns;
    }
    return shortest_ns;
}

bool gcl_census_measure_link(struct gcl_cluster *c, gcl_node node, struct gcl_cluster_link *link) {
    struct load *load = create_load(BRIEF_SIZE);
    uint64_t ping_ns = load ? time_briefly(c, node, NULL) : 0;
    uint64_t probe_ns = ping_ns ? time_briefly(c, node, load) : 0;
    drop_load(load);
    if (probe_ns == 0)
        return false;
    // Of a probe's time the rest is its message's; where cores are busy either may be disturbed.
    uint64_t bytes_ns = probe_ns / 2 > ping_ns ? probe_ns - ping_ns : probe_ns / 2 + 1;
    link->latency_ns = (double)ping_ns / 2;
    link->bytes_per_ns = (double)BRIEF_SIZE / (double)bytes_ns;
    return true;
}

// The other node's clock was read somewhere within the round trip: the shortest one says most.
bool gcl_census_compare_clocks(struct gcl_cluster *c, gcl_node node,
                               struct gcl_cluster_clock *clock) {
    struct gcl_cluster_clock best = {.round_trip_ns = UINT64_MAX};
    for (int i = 0; i < PINGS; i++) {
        uint64_t begin_ns = gcl_clock_ns();
        if (!ask(c, node, NULL))
            return false;
        uint64_t round_trip_ns = gcl_clock_ns() - begin_ns;
        if (round_trip_ns >= best.round_trip_ns)
            continue;
        best.round_trip_ns = round_trip_ns;
        best.at_ns = begin_ns + round_trip_ns / 2;
        best.ahead_ns = (int64_t)(c->measuring.their_ns - best.at_ns);
    }
    *clock = best;
    return true;
}

void gcl_census_answer(struct gcl_cluster *c) {
    if (c->measuring.wanted == GCL_NO_NODE)
        return;
    struct gcl_wire_message message = {.kind = GCL_WIRE_MEASURED};
    message.measured = measure(c, c->measuring.wanted);
    c->measuring.wanted = GCL_NO_NODE;
    gcl_transport_send(c->transport, 0, &message, NULL, 0, NULL, NULL);
}

static struct gcl_wire_measured measure_between(struct gcl_cluster *c, gcl_node from, gcl_node to) {
    struct gcl_wire_message message = {.kind = GCL_WIRE_MEASURE, .measure.target = to};
    uint64_t end = gcl_clock_ns() + 2 * DEADLINE_NS;
    if (from == 0)
        return measure(c, to);
    c->measuring.has_result = false;
    c->measuring.asked = from;
    gcl_transport_send(c->transport, from, &message, NULL, 0, NULL, NULL);
    while (!c->measuring.has_result) {
        if (!gcl_cluster_progress(c))
            gcl_clock_pause();
        if (gcl_clock_ns() > end || c->has_ended)
            return (struct gcl_wire_measured){.target = to, .link = "?"};
    }
    c->measuring.measured.target = to;
    return c->measuring.measured;
}

// Reports.

static bool is_shared_memory(const char *link) {
    return strncmp(link, "posix", 5) == 0 || strncmp(link, "sysv", 4) == 0;
}

static const char *why_not_shared(const struct gcl_wire_card *a, const struct gcl_wire_card *b) {
    if (!gcl_host_shares_memory(a, b))
        return "the nodes are in different containers or see different /dev/shm";
    if (getenv("UCX_TLS"))
        return "UCX_TLS in the environment says so";
    return "UCX can't use shared memory; UCX_LOG_LEVEL=info says more";
}

enum gcl_status gcl_census_check_links(struct gcl_cluster *c) {
    const struct gcl_wire_card *own = &c->cards[c->job.node];
    enum gcl_status status = GCL_OK;
    // Each pair once.
    for (gcl_node n = c->job.node + 1; n < c->job.count; n++) {
        const char *link = gcl_transport_link(c->transport, n);
        if (!gcl_host_is_same(own, &c->cards[n]) || is_shared_memory(link))
            continue;
        gcl_log(c->options.is_strict ? GCL_LOG_ERROR : GCL_LOG_WARN,
                "nodes %u and %u are both on %s but use %s: %s", c->job.node, n, own->host, link,
                why_not_shared(own, &c->cards[n]));
        if (c->options.is_strict)
            status = GCL_SYSTEM;
    }
    return status;
}

static void write_link(const struct gcl_wire_measured *m, gcl_node from, FILE *out) {
    char nodes[32];
    snprintf(nodes, sizeof nodes, "%u - %u", from, m->target);
    if (m->bytes_per_second == 0)
        fprintf(out, "  %-12s %-20s no answer\n", nodes, m->link);
    else
        fprintf(out, "  %-12s %-20s %8.2f us %8.2f GB/s\n", nodes, m->link,
                (double)m->latency_ns * 1e-3, (double)m->bytes_per_second * 1e-9);
}

void gcl_census_write(struct gcl_cluster *c, FILE *out) {
    gcl_node sources = c->job.count <= MOST_NODES ? c->job.count : 1;

    fprintf(out, "%u nodes\n  %-5s %-16s %-8s %-8s %-10s %s\n", c->job.count, "node", "host",
            "process", "threads", "memory", "device");
    for (gcl_node n = 0; n < c->job.count; n++) {
        const struct gcl_wire_card *card = &c->cards[n];
        fprintf(out, "  %-5u %-16s %-8u %-8u %6.1f GiB %s\n", n, card->host, card->process,
                card->threads, (double)card->memory / (1 << 30), card->device);
    }
    if (c->job.count < 2)
        return;
    fprintf(out, "links%s\n  %-12s %-20s %11s %13s\n",
            sources == 1 && c->job.count > 2 ? " of node 0" : "", "nodes", "transport", "latency",
            "bandwidth");
    for (gcl_node from = 0; from < sources; from++) {
        for (gcl_node to = from + 1; to < c->job.count; to++) {
            struct gcl_wire_measured measured = measure_between(c, from, to);
            write_link(&measured, from, out);
        }
    }
}
