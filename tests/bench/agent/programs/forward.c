// What an agent that is sent all bytes would take: a process that has the device's memory, and one
// that sends it requests and payloads by a Unix socket and gets replies. Prints what copy.cu does.
// Argument: the largest size, in MiB.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct request {
    uint64_t size;
    uint32_t is_in;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void move(int socket, char *bytes, size_t size, int is_sent) {
    while (size > 0) {
        ssize_t done = is_sent ? write(socket, bytes, size) : read(socket, bytes, size);
        if (done <= 0)
            exit(is_sent);
        bytes += done;
        size -= (size_t)done;
    }
}

/// A forwarder receives into a buffer of its own, and copies from there to the device.
static void serve(int socket, size_t most) {
    char *buffer = calloc(1, most), *device = calloc(1, most);
    struct request request;
    for (;;) {
        move(socket, (char *)&request, sizeof request, 0);
        if (request.is_in) {
            move(socket, buffer, request.size, 0);
            memcpy(device, buffer, request.size);
            move(socket, (char *)&request, sizeof request, 1);
        } else {
            memcpy(buffer, device, request.size);
            move(socket, buffer, request.size, 1);
        }
    }
}

static void copy(int socket, char *host, size_t size) {
    struct request request = {.size = size, .is_in = 1};
    move(socket, (char *)&request, sizeof request, 1);
    move(socket, host, size, 1);
    move(socket, (char *)&request, sizeof request, 0);
    request.is_in = 0;
    move(socket, (char *)&request, sizeof request, 1);
    move(socket, host, size, 0);
}

int main(int argc, char **argv) {
    size_t most = (size_t)atoi(argv[argc - 1]) << 20;
    char *host = malloc(most);
    int sockets[2];
    if (!host || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        return 1;
    if (fork() == 0) {
        close(sockets[0]);
        serve(sockets[1], most);
    }
    close(sockets[1]);
    memset(host, 1, most);
    for (size_t size = 4096; size <= most; size *= 4) {
        double best = 1e9, end = now() + 0.3;
        for (int i = 0; i < 5 || now() < end; i++) {
            double begin = now();
            copy(sockets[0], host, size);
            double taken = now() - begin;
            best = taken < best ? taken : best;
        }
        printf("%zu %g\n", size, best * 1e6);
    }
    return 0;
}
