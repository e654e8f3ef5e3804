// What a node and its launcher, gcluster-run, say to each other: frames over a socket that the node
// inherits, so that no port is open and nobody else can take part.
//
//     launcher to node    WELCOME, before the node looks; SHARED, once all nodes have sent SHARE
//     node to launcher    HERE as it joins; SHARE; LEAVE when it ends in order
//
// Nodes on other machines have a part of the launcher there, which gcluster-run talks to over the
// standard input and output of ssh or srun, in frames of the same kind that name the node:
//
//     launcher to part    START, a WELCOME for each node to start, SHARED, SIGNAL, INPUT
//     part to launcher    HERE, SHARE, LEAVE of its nodes; ENDED, OUTPUT, TAKEN
//
// A frame is a head of 16 bytes (magic, version, kind, node, size of the body) and a body; numbers
// are little-endian. Reading checks every length.
#ifndef GCL_CLUSTER_RENDEZVOUS_H
#define GCL_CLUSTER_RENDEZVOUS_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "cluster/communicator/node.h"

enum {
    GCL_RENDEZVOUS_HEAD_SIZE = 16,
    GCL_RENDEZVOUS_SECRET_SIZE = 32,
    GCL_RENDEZVOUS_HOST_SIZE = 256,        ///< a host's name with its final 0
    GCL_RENDEZVOUS_SHARE_SIZE = 16 * 1024, ///< most that a node shares at once
    GCL_RENDEZVOUS_STREAM_SIZE = 64 * 1024 ///< most of the program's input or output in a frame
};

/// The environment of a node: the descriptor of its socket, and its number for programs that start
/// it. gcl_job_join removes both.
#define GCL_RENDEZVOUS_DESCRIPTOR "GCL_JOB"
#define GCL_RENDEZVOUS_NODE "GCL_NODE"

/// GCL_RENDEZVOUS_KINDS(X): X(NAME, number, least and most bytes of the body)
#define GCL_RENDEZVOUS_KINDS(X)                                                                    \
    X(WELCOME, 1, 16 + GCL_RENDEZVOUS_SECRET_SIZE,                                                 \
      16 + GCL_RENDEZVOUS_SECRET_SIZE + GCL_RENDEZVOUS_HOST_SIZE)                                  \
    X(HERE, 2, 0, 0)                                                                               \
    X(SHARE, 3, 0, GCL_RENDEZVOUS_SHARE_SIZE)                                                      \
    X(SHARED, 4, 0, (uint64_t)GCL_MAX_NODES * (4 + GCL_RENDEZVOUS_SHARE_SIZE))                     \
    X(LEAVE, 5, 0, 0)                                                                              \
    X(START, 6, 4, 64 << 20)                                                                       \
    X(ENDED, 7, 4, 4)                                                                              \
    X(SIGNAL, 8, 4, 4)                                                                             \
    X(INPUT, 9, 0, GCL_RENDEZVOUS_STREAM_SIZE)                                                     \
    X(TAKEN, 10, 0, 0)                                                                             \
    X(OUTPUT, 11, 0, GCL_RENDEZVOUS_STREAM_SIZE)

enum gcl_rendezvous_kind {
#define GCL_RENDEZVOUS_KIND(name, number, least, most) GCL_RENDEZVOUS_##name = number,
    GCL_RENDEZVOUS_KINDS(GCL_RENDEZVOUS_KIND)
#undef GCL_RENDEZVOUS_KIND
};

struct gcl_rendezvous_head {
    enum gcl_rendezvous_kind kind;
    gcl_node node;
    uint64_t size; ///< bytes of the body
};

/// What the launcher tells a node of its place in the job.
struct gcl_rendezvous_welcome {
    gcl_node node, count;
    uint32_t local_rank, local_count; ///< among the nodes of its host
    uint8_t secret[GCL_RENDEZVOUS_SECRET_SIZE];
    char host[GCL_RENDEZVOUS_HOST_SIZE]; ///< as the job's command line names its machine
};

void gcl_rendezvous_write_head(const struct gcl_rendezvous_head *head,
                               uint8_t out[GCL_RENDEZVOUS_HEAD_SIZE]);
/// NULL, or why these bytes are no head: a text for people.
const char *gcl_rendezvous_read_head(const uint8_t bytes[GCL_RENDEZVOUS_HEAD_SIZE],
                                     struct gcl_rendezvous_head *head);

enum { GCL_RENDEZVOUS_WELCOME_SIZE = 16 + GCL_RENDEZVOUS_SECRET_SIZE + GCL_RENDEZVOUS_HOST_SIZE };
/// Writes the body of a WELCOME; returns its size.
size_t gcl_rendezvous_write_welcome(const struct gcl_rendezvous_welcome *welcome,
                                    uint8_t out[GCL_RENDEZVOUS_WELCOME_SIZE]);
/// NULL, or why the body says nothing: numbers that don't fit together, a name that isn't plain.
const char *gcl_rendezvous_read_welcome(const uint8_t *bytes, size_t size,
                                        struct gcl_rendezvous_welcome *welcome);

uint8_t *gcl_rendezvous_put32(uint8_t *out, uint32_t value);
uint32_t gcl_rendezvous_get32(const uint8_t *in);

/// The body of a SHARED: for each node 4 bytes with the size of what it shared, and that.
struct gcl_rendezvous_share {
    const uint8_t *bytes; ///< within the body
    size_t size;
};
/// NULL, or why the body isn't that of `count` nodes.
const char *gcl_rendezvous_read_shared(const uint8_t *bytes, size_t size, gcl_node count,
                                       struct gcl_rendezvous_share *shares);

#endif
