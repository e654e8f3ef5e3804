// When a node is lost, silent or waited for in vain: who says so, and that the job ends.
//
// A loss is told once, by node 0; by node 1 if node 0 is the one that is lost and its launcher
// doesn't say so. The program on node 0 hears of it from its next call and has a moment for what it
// wants to save; the other processes end at once, whatever they are doing. What is lost after that
// are nodes that end because of it. A node that can't do its part counts as lost, too: it says why.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/name.h"
#include "cluster/cluster_state.h"

#define MILLISECOND UINT64_C(1000000)
#define LOOK_NS (250 * MILLISECOND)
// After a loss the process of node 0 has so much time, and those of the others so much.
#define HOME_NS (2500 * MILLISECOND)
#define OTHERS_NS (2000 * MILLISECOND)
// When a host can't be reached, mpirun has to notice that by itself before a process ends: or else
// it sends its orders there, and waits for minutes until TCP gives them up.
#define LINGER_NS (1500 * MILLISECOND)
// A node that waits longer for another one says so. Node 0 leaves the others the first word: it
// waits for them when they wait for each other. A node that is silent has it before them all: the
// others may wait for what it doesn't pass on. Each report doubles the time until the next, to a
// minute: kernels may take long on one node and not on another.
#define WAIT_NS (4000 * MILLISECOND)
#define FIRST_WORD_NS (500 * MILLISECOND)

enum { MAX_DOUBLINGS = 4 };

static void end_job(struct gcl_cluster *c, bool is_failure) {
    pthread_mutex_lock(&c->lock);
    c->has_ended = true;
    c->is_failure |= is_failure;
    pthread_cond_broadcast(&c->ended);
    pthread_mutex_unlock(&c->lock);
    if (is_failure && !c->failed_ns)
        c->failed_ns = gcl_clock_ns();
    if (c->mailbox)
        gcl_mailbox_close(c->mailbox);
}

static enum gcl_log_level level_of_loss(const struct gcl_cluster *c, gcl_node node,
                                        const char *reason) {
    bool is_consequence = c->failed_ns != 0;
    bool is_said = node == 0 && strcmp(reason, GCL_LIFELINE_ENDED) == 0;
    bool is_mine = c->job.node == (node == 0 ? 1 : 0);
    return is_mine && !is_said && !is_consequence ? GCL_LOG_ERROR : GCL_LOG_INFO;
}

static void lose(void *context, gcl_node node, const char *reason) {
    struct gcl_cluster *c = context;
    struct gcl_cluster_loss loss = {.size = 0};
    char gone[96] = "";

    assert(node < c->job.count);
    if (c->mailbox)
        gcl_mailbox_fail(c->mailbox);
    gcl_neighbours_fail(c->neighbours);
    if (c->transport && node != c->job.node)
        gcl_transport_abandon(c->transport, node);
    if (c->options.lost)
        c->options.lost(c->options.context, node, &loss);
    if (loss.size > 0)
        snprintf(gone, sizeof gone, "; %zu bytes of %zu allocation%s were there alone", loss.size,
                 loss.allocation_count, loss.allocation_count == 1 ? "" : "s");
    gcl_log(level_of_loss(c, node, reason), "node %u on %s (process %u) is lost: %s%s", node,
            c->cards[node].host, c->cards[node].process, reason, gone);
    if (c->job.node == 0 && node != 0)
        gcl_lifeline_tell_lost(c->lifeline, node, reason);
    c->is_cut |= strcmp(reason, GCL_LIFELINE_CUT) == 0;
    end_job(c, true);
}

static void give_up(struct gcl_cluster *c, const char *reason) {
    if (c->has_ended)
        return;
    gcl_lifeline_tell_lost(c->lifeline, c->job.node, reason);
    lose(c, c->job.node, reason);
}

void gcl_loss_linger(const struct gcl_cluster *c) {
    while (c->is_cut && gcl_clock_ns() < c->failed_ns + LINGER_NS)
        usleep(10000);
}

// Takes `node` for lost because of what this node finds.
static void accuse(struct gcl_cluster *c, gcl_node node, const char *text) {
    if (c->job.node == 0 || node == 0)
        lose(c, node, text);
    else
        gcl_lifeline_tell_lost(c->lifeline, node, text);
}

/// A node that has to go and why, on the way to the cluster's thread: what carries messages can't
/// be ended in the middle of one.
struct charge {
    struct gcl_cluster *cluster;
    gcl_node node;
    char reason[GCL_WIRE_TEXT_SIZE];
};

static void prosecute(void *context) {
    struct charge *charge = context;
    struct gcl_cluster *c = charge->cluster;
    if (charge->node == c->job.node)
        give_up(c, charge->reason);
    else if (!c->has_ended)
        accuse(c, charge->node, charge->reason);
    free(charge);
}

static void charge(struct gcl_cluster *c, gcl_node node, const char *subject, const char *reason) {
    struct charge *made = malloc(sizeof *made);
    if (!made) {
        gcl_log(GCL_LOG_ERROR, "node %u on %s ends: %s%s", c->job.node, c->job.host, subject,
                reason);
        abort(); // the others notice that
    }
    *made = (struct charge){.cluster = c, .node = node};
    snprintf(made->reason, sizeof made->reason, "%s%s", subject, reason);
    gcl_cluster_post(c, prosecute, made);
}

// Of node 0's end the others would hear last: who finds it out gives up, and says why.
void gcl_loss_blame(void *context, gcl_node culprit, const char *reason) {
    struct gcl_cluster *c = context;
    bool is_home = culprit == 0 && c->job.node != 0;
    charge(c, is_home ? c->job.node : culprit, is_home ? "node 0 " : "it ", reason);
}

void gcl_loss_resign(void *context, const char *reason) {
    struct gcl_cluster *c = context;
    charge(c, c->job.node, "", reason);
}

void gcl_loss_of_link(void *context, gcl_node node, const char *reason) {
    struct gcl_cluster *c = context;
    char text[GCL_WIRE_TEXT_SIZE + 96];
    snprintf(text, sizeof text, "node %u on %s can't reach it: %s", c->job.node, c->job.host,
             reason);
    for (int i = 0; i < 50; i++) { // its process' end may be a moment away
        gcl_lifeline_progress(c->lifeline);
        if (c->has_ended)
            return;
        usleep(1000);
    }
    accuse(c, node, text);
}

static void report_stall(void *context, gcl_node node, uint64_t silent_ns) {
    struct gcl_cluster *c = context;
    assert(node < c->job.count);
    // Of node 0 the others hear all at once.
    enum gcl_log_level level = c->job.node <= 1 ? GCL_LOG_WARN : GCL_LOG_INFO;
    if (silent_ns == 0)
        gcl_log(level, "node %u on %s goes on", node, c->cards[node].host);
    else
        gcl_log(level, "node %u on %s (process %u) has been silent for %.1f s", node,
                c->cards[node].host, c->cards[node].process, (double)silent_ns * 1e-9);
}

static void hear_bye(void *context, bool is_failure) {
    end_job(context, is_failure);
}

const struct gcl_lifeline_calls gcl_loss_calls = {.lost = lose,
                                                  .stalled = report_stall,
                                                  .bye = hear_bye,
                                                  .describe_tiers = gcl_tiers_describe,
                                                  .heard_tiers = gcl_tiers_heard};

// Waiting.

struct look {
    struct gcl_cluster *cluster;
    uint64_t now;
    bool is_overdue;
    gcl_node culprit;
    char text[GCL_WIRE_TEXT_SIZE];
};

static void report_wait(const struct gcl_cluster *c, const struct gcl_wait *wait, const char *name,
                        uint64_t waited_ns) {
    const struct gcl_request *request = wait->request;
    char others[48] = "";
    assert(request->peer < c->job.count);
    if (wait->others > 0)
        snprintf(others, sizeof others, ", and for %zu more transfers", wait->others);
    gcl_log(GCL_LOG_WARN, "%s: node %u has waited %.1f s %s %zu bytes %s node %u on %s%s", name,
            c->job.node, (double)waited_ns * 1e-9, request->is_sent ? "to send" : "for",
            request->size, request->is_sent ? "to" : "from", request->peer,
            c->cards[request->peer].host, others);
}

static void look_at(void *context, const struct gcl_wait *wait) {
    struct look *look = context;
    struct gcl_cluster *c = look->cluster;
    uint64_t timeout_ns = c->options.timeout_ns;
    // The wait may have begun since the look did.
    uint64_t waited_ns = wait->since_ns < look->now ? look->now - wait->since_ns : 0;
    uint64_t late_ns = waited_ns - (c->job.node == 0 ? FIRST_WORD_NS : 0);
    char name[128];

    if (look->is_overdue || waited_ns < FIRST_WORD_NS || !wait->request->what)
        return;
    gcl_name_demangle(wait->request->what, name, sizeof name);
    if (!*wait->is_told && late_ns >= WAIT_NS << c->wait_reports) {
        *wait->is_told = true;
        c->wait_reports += c->wait_reports < MAX_DOUBLINGS;
        report_wait(c, wait, name, waited_ns);
    }
    if (timeout_ns == 0 || late_ns < timeout_ns + FIRST_WORD_NS)
        return;
    look->is_overdue = true;
    look->culprit = wait->request->peer;
    snprintf(look->text, sizeof look->text,
             "node %u has waited for %zu bytes of %s longer than GCL_TIMEOUT allows", c->job.node,
             wait->request->size, name);
}

static void end_process(const struct gcl_cluster *c, uint64_t now) {
    bool is_home = c->job.node == 0;
    if (now < c->failed_ns + (is_home ? HOME_NS : OTHERS_NS))
        return;
    if (is_home)
        gcl_log(GCL_LOG_ERROR, "the program went on for %.1f s after a node was lost: it is ended",
                (double)HOME_NS * 1e-9);
    _exit(EXIT_FAILURE);
}

// A job without launcher has nobody to end it, or to take its output.
_Noreturn static void end_orphan(const struct gcl_cluster *c) {
    gcl_log(c->job.node == 0 ? GCL_LOG_ERROR : GCL_LOG_INFO,
            "the process that started node %u is gone: the job is ended", c->job.node);
    _exit(EXIT_FAILURE);
}

void gcl_loss_look(struct gcl_cluster *c, uint64_t now) {
    struct look look = {.cluster = c, .now = now};
    if (now < c->looked_ns + LOOK_NS)
        return;
    c->looked_ns = now;
    if (getppid() != c->launcher)
        end_orphan(c);
    if (c->failed_ns) {
        end_process(c, now);
        return;
    }
    gcl_mailbox_look(c->mailbox, look_at, &look);
    gcl_neighbours_look(c->neighbours, look_at, &look);
    if (look.is_overdue)
        accuse(c, look.culprit, look.text);
}
