// How fast payloads go from one process to another, over the loopback interface: by the transport
// with TLS (`tls`), with UCX over TCP (`ucx`), or by a plain socket (`tcp`).
//
//     bench_network tls|ucx|tcp COUNT    prints the rate of COUNT payloads of 4 MiB in GB/s
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "cluster/transport/transport.h"
#include "cluster/wire/secret.h"
#include "cluster/wire/socket.h"

enum { SIZE = 4 << 20, WINDOW = 4, MAX_ADDRESS = 4096 };

static unsigned char *payload;
static int done_count, open_count;
static uint64_t begin_ns;

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "bench_network: %s\n", what);
    exit(1);
}

static void report(int count) {
    double seconds = (double)(gcl_clock_ns() - begin_ns) * 1e-9;
    for (size_t i = 0; i < SIZE; i++) {
        if (payload[i] != (unsigned char)(i * 7))
            fail("wrong bytes");
    }
    printf("rate %.3f\n", (double)SIZE * (count - 1) / seconds * 1e-9);
}

// The first payload warms up.
static void received(void *context, enum gcl_status status) {
    (void)context;
    if (status != GCL_OK)
        fail("a payload is lost");
    if (done_count++ == 0)
        begin_ns = gcl_clock_ns();
}

static void take(void *context, const struct gcl_wire_message *message,
                 struct gcl_incoming *incoming) {
    (void)context, (void)message;
    gcl_incoming_receive(incoming, payload, received, NULL);
}

static void sent(void *context, enum gcl_status status) {
    (void)context, (void)status;
    open_count--;
}

static void lose(void *context, gcl_node node, const char *reason) {
    (void)context, (void)node;
    fail(reason);
}

static struct gcl_transport *create(gcl_node self, bool is_ucx) {
    static const uint8_t secret[GCL_SECRET_SIZE] = {1};
    const bool shares_memory[2] = {self == 0, self == 1};
    struct gcl_transport *t =
        gcl_transport_create(&(struct gcl_transport_options){.self = self,
                                                             .count = 2,
                                                             .secret = secret,
                                                             .shares_memory = shares_memory,
                                                             .address = INADDR_LOOPBACK,
                                                             .interface_names = "lo",
                                                             .is_network_trusted = is_ucx,
                                                             .handler = take,
                                                             .lost = lose,
                                                             .blame = lose});
    if (!t)
        fail("no transport");
    return t;
}

// Processes that wait awake would take each other's processor where there are few.
static void step(struct gcl_transport *t) {
    struct pollfd descriptor = {.fd = gcl_transport_descriptor(t), .events = POLLIN};
    if (!gcl_transport_progress(t) && gcl_transport_arm(t))
        poll(&descriptor, 1, 10);
}

static _Noreturn void send_by_transport(bool is_ucx, int count, int pipe) {
    const struct gcl_wire_message message = {.kind = GCL_WIRE_DATA};
    unsigned char address[MAX_ADDRESS];
    struct gcl_transport *t = create(1, is_ucx);
    ssize_t size = read(pipe, address, sizeof address);
    if (size <= 0 || gcl_transport_connect(t, 0, address, (size_t)size) != GCL_OK)
        fail("no connection");
    for (int i = 0; i < count; open_count++, i++) {
        while (open_count == WINDOW)
            step(t);
        gcl_transport_send(t, 0, &message, payload, SIZE, sent, NULL);
    }
    for (;;) // until it is ended
        step(t);
}

static void receive_by_transport(bool is_ucx, int count, int pipe) {
    size_t size;
    struct gcl_transport *t = create(0, is_ucx);
    const void *address = gcl_transport_address(t, &size);
    if (write(pipe, address, size) != (ssize_t)size)
        fail("no pipe");
    while (done_count < count)
        step(t);
    report(count);
}

static _Noreturn void send_by_socket(int count, int pipe) {
    uint16_t port;
    if (read(pipe, &port, sizeof port) != sizeof port)
        fail("no pipe");
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(port)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) != 0)
        fail("no connection");
    for (size_t at = 0, end = (size_t)count * SIZE; at < end;) {
        ssize_t got = send(fd, payload + at % SIZE, SIZE - at % SIZE, MSG_NOSIGNAL);
        if (got <= 0)
            fail("the connection is lost");
        at += (size_t)got;
    }
    for (;;)
        pause();
}

static void receive_by_socket(int count, int pipe) {
    uint16_t port;
    int door = gcl_socket_listen(INADDR_LOOPBACK, &port), fd = -1;
    if (door < 0 || write(pipe, &port, sizeof port) != sizeof port)
        fail("no port");
    while (fd < 0)
        fd = accept(door, NULL, NULL);
    for (size_t at = 0, end = (size_t)count * SIZE; at < end;) {
        ssize_t got = recv(fd, payload + at % SIZE, SIZE - at % SIZE, 0);
        if (got <= 0)
            fail("the connection is lost");
        if (at < SIZE && at + (size_t)got >= SIZE)
            begin_ns = gcl_clock_ns();
        at += (size_t)got;
    }
    report(count);
}

int main(int word_count, char **words) {
    int ends[2], count = word_count == 3 ? atoi(words[2]) : 0;
    if (count < 2 || pipe(ends) != 0)
        fail("usage: tls|ucx|tcp COUNT");
    bool is_tcp = strcmp(words[1], "tcp") == 0, is_ucx = strcmp(words[1], "ucx") == 0;
    payload = calloc(1, SIZE);
    pid_t sender = fork();
    for (size_t i = 0; i < SIZE && sender == 0; i++)
        payload[i] = (unsigned char)(i * 7);
    if (sender == 0 && is_tcp)
        send_by_socket(count, ends[0]);
    if (sender == 0)
        send_by_transport(is_ucx, count, ends[0]);
    if (is_tcp)
        receive_by_socket(count, ends[1]);
    else
        receive_by_transport(is_ucx, count, ends[1]);
    kill(sender, SIGKILL);
    waitpid(sender, NULL, 0);
    return 0;
}
