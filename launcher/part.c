// Only frames go to standard output. What nodes print goes through a pipe and in frames; their
// standard error is this process' own.
#include "part.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "member.h"
#include "start.h"

enum { FAILED = 1, TICK_MS = 1000 };

struct node {
    gcl_node number;
    pid_t pid;
    struct gcl_link *link;
};

struct part {
    struct gcl_link *home;
    struct gcl_start start;
    sigset_t mask; // that nodes begin with
    int children;  // signalfd
    GArray *nodes; // struct node: those that haven't ended
    unsigned started;
    int output[2];      // a pipe from nodes' standard output
    int input[2];       // a pipe to node 0's standard input; -1: none, or ended
    GByteArray *typed;  // for node 0, not yet in the pipe
    guint typed_used;   // bytes of it that are
    bool is_input_over; // nothing follows `typed`
    const char *wrong;  // why this can't go on
};

// Starting.

static void take_start(struct part *part, const struct gcl_frame *frame) {
    if (part->start.words || !gcl_start_read(frame->body, frame->head.size, &part->start)) {
        part->wrong = "what to start can't be read";
        return;
    }
    for (char **variable = part->start.variables; *variable; variable++) {
        char *equals = strchr(*variable, '=');
        if (!equals)
            continue;
        *equals = 0;
        g_setenv(*variable, equals + 1, TRUE);
    }
    if (chdir(part->start.folder) != 0)
        part->wrong = "the folder that the job was started in isn't there";
}

static void start_node(struct part *part, const struct gcl_frame *frame) {
    struct gcl_rendezvous_welcome welcome;
    struct node node;
    part->wrong = gcl_rendezvous_read_welcome(frame->body, frame->head.size, &welcome);
    if (!part->wrong && !part->start.words)
        part->wrong = "what to start hasn't been said";
    if (!part->wrong && welcome.node == 0 && pipe2(part->input, O_CLOEXEC | O_NONBLOCK) != 0)
        part->wrong = strerror(errno);
    if (part->wrong)
        return;
    if (welcome.node == 0) // only this end may not wait
        fcntl(part->input[0], F_SETFL, fcntl(part->input[0], F_GETFL) & ~O_NONBLOCK);
    node.number = welcome.node;
    node.pid = gcl_member_start(&(struct gcl_member_options){.welcome = &welcome,
                                                             .words = part->start.words,
                                                             .input = part->input[0],
                                                             .output = part->output[1],
                                                             .mask = &part->mask},
                                &node.link);
    if (part->input[0] >= 0)
        close(part->input[0]);
    part->input[0] = -1;
    if (node.pid <= 0) {
        part->wrong = "a node can't be started";
        return;
    }
    g_array_append_val(part->nodes, node);
    part->started++;
}

// The program's input, which is in frames here and a pipe there.

static void pass_input(struct part *part) {
    if (part->input[1] < 0)
        return;
    assert(part->typed_used <= part->typed->len);
    guint left = part->typed->len - part->typed_used;
    if (left > 0) {
        ssize_t count = write(part->input[1], part->typed->data + part->typed_used, left);
        if (count < 0 && errno != EAGAIN && errno != EINTR) { // node 0 doesn't read any more
            close(part->input[1]);
            part->input[1] = -1;
        }
        part->typed_used += count > 0 ? (guint)count : 0;
        if (part->typed_used < part->typed->len)
            return;
        g_byte_array_set_size(part->typed, 0);
        part->typed_used = 0;
        gcl_link_send(part->home, GCL_RENDEZVOUS_TAKEN, 0, NULL, 0);
    }
    if (part->is_input_over && part->input[1] >= 0) {
        close(part->input[1]);
        part->input[1] = -1;
    }
}

static void take_input(struct part *part, const struct gcl_frame *frame) {
    if (frame->head.size == 0)
        part->is_input_over = true;
    else
        g_byte_array_append(part->typed, frame->body, (guint)frame->head.size);
    pass_input(part);
}

// Reads what nodes have printed; false: there is nothing.
static bool pass_output(struct part *part) {
    uint8_t bytes[GCL_RENDEZVOUS_STREAM_SIZE / 4];
    if (gcl_link_pending(part->home) > GCL_RENDEZVOUS_STREAM_SIZE)
        return false; // the pipe is patient
    ssize_t count = read(part->output[0], bytes, sizeof bytes);
    if (count <= 0)
        return false;
    gcl_link_send(part->home, GCL_RENDEZVOUS_OUTPUT, 0, bytes, (size_t)count);
    return true;
}

// Frames.

static void take_home_frame(struct part *part, const struct gcl_frame *frame) {
    switch ((unsigned)frame->head.kind) {
    case GCL_RENDEZVOUS_START:
        take_start(part, frame);
        break;
    case GCL_RENDEZVOUS_WELCOME:
        start_node(part, frame);
        break;
    case GCL_RENDEZVOUS_INPUT:
        take_input(part, frame);
        break;
    case GCL_RENDEZVOUS_SHARED:
        for (guint i = 0; i < part->nodes->len; i++) {
            struct node *node = &g_array_index(part->nodes, struct node, i);
            gcl_link_send(node->link, GCL_RENDEZVOUS_SHARED, node->number, frame->body,
                          frame->head.size);
        }
        break;
    case GCL_RENDEZVOUS_SIGNAL:
        for (guint i = 0; i < part->nodes->len; i++) {
            struct node *node = &g_array_index(part->nodes, struct node, i);
            if (node->number == frame->head.node)
                kill(node->pid, (int)gcl_rendezvous_get32(frame->body));
        }
        break;
    default:
        part->wrong = "a frame of gcluster-run's is of no use here";
    }
}

// What nodes say is checked at home.
static void pass_frames(struct part *part, struct node *node) {
    struct gcl_frame frame;
    gcl_link_progress(node->link);
    while (gcl_link_next(node->link, &frame, &part->wrong))
        gcl_link_send(part->home, frame.head.kind, node->number, frame.body, frame.head.size);
}

static void reap(struct part *part) {
    struct signalfd_siginfo info;
    uint8_t body[4];
    int status;
    while (read(part->children, &info, sizeof info) > 0)
        continue;
    for (guint i = part->nodes->len; i-- > 0;) {
        struct node *node = &g_array_index(part->nodes, struct node, i);
        if (waitpid(node->pid, &status, WNOHANG) != node->pid)
            continue;
        pass_frames(part, node);
        while (pass_output(part))
            continue;
        gcl_rendezvous_put32(body, (uint32_t)status);
        gcl_link_send(part->home, GCL_RENDEZVOUS_ENDED, node->number, body, sizeof body);
        gcl_link_destroy(node->link);
        g_array_remove_index_fast(part->nodes, i);
    }
}

static void wait_for_something(const struct part *part) {
    enum { HOME = 0, CHILDREN = 2, OUTPUT, INPUT, NODES };
    bool is_full = gcl_link_pending(part->home) > GCL_RENDEZVOUS_STREAM_SIZE;
    nfds_t count = NODES + 2 * (nfds_t)part->nodes->len;
    g_autofree struct pollfd *pollers = g_new(struct pollfd, count);

    gcl_link_poll(part->home, pollers + HOME);
    pollers[CHILDREN] = (struct pollfd){.fd = part->children, .events = POLLIN};
    pollers[OUTPUT] = (struct pollfd){.fd = is_full ? -1 : part->output[0], .events = POLLIN};
    pollers[INPUT] =
        (struct pollfd){.fd = part->typed->len > 0 ? part->input[1] : -1, .events = POLLOUT};
    for (guint i = 0; i < part->nodes->len; i++)
        gcl_link_poll(g_array_index(part->nodes, struct node, i).link, pollers + NODES + 2 * i);
    poll(pollers, count, TICK_MS);
}

// One round of waiting and handing on. False: home has closed.
static bool progress(struct part *part) {
    struct gcl_frame frame;
    wait_for_something(part);
    bool is_open = gcl_link_progress(part->home);
    while (!part->wrong && gcl_link_next(part->home, &frame, &part->wrong))
        take_home_frame(part, &frame);
    for (guint i = 0; i < part->nodes->len; i++)
        pass_frames(part, &g_array_index(part->nodes, struct node, i));
    pass_input(part);
    pass_output(part);
    reap(part);
    return is_open;
}

static void kill_nodes(struct part *part) {
    for (guint i = 0; i < part->nodes->len; i++) {
        struct node *node = &g_array_index(part->nodes, struct node, i);
        kill(node->pid, SIGKILL);
        waitpid(node->pid, NULL, 0);
    }
}

static int fail(const char *why) {
    char host[256] = "?";
    gethostname(host, sizeof host - 1);
    fprintf(stderr, "gcluster-run: on host %s: %s\n", host, why);
    return FAILED;
}

int gcl_part_run(void) {
    struct part part = {.nodes = g_array_new(FALSE, FALSE, sizeof(struct node)),
                        .typed = g_byte_array_new(),
                        .input = {-1, -1}};
    int home = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    int answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    int nowhere = open("/dev/null", O_RDWR);
    sigset_t set;

    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, &part.mask);
    part.children = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (home < 0 || answers < 0 || nowhere < 0 || part.children < 0 ||
        pipe2(part.output, O_CLOEXEC) != 0)
        return fail(strerror(errno));
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
    fcntl(part.output[0], F_SETFL, O_NONBLOCK);
    part.home = gcl_link_create(home, answers);

    bool is_open = true;
    while (is_open && !part.wrong && (part.started == 0 || part.nodes->len > 0))
        is_open = progress(&part);
    kill_nodes(&part);
    while (is_open && gcl_link_pending(part.home) > 0)
        is_open = progress(&part);
    return part.wrong ? fail(part.wrong) : 0;
}
