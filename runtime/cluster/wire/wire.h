// Control messages as bytes: what nodes of a job say to each other.
//
// Every message is a head of 16 bytes and a body that its kind defines; numbers are little-endian,
// texts and byte strings carry their length. One function a kind goes over its fields, for writing
// and for reading alike. Bytes that come from elsewhere are never trusted: reading checks every
// length, every text and that nothing is left over, and touches nothing outside of what it is
// given.
#ifndef GCL_CLUSTER_WIRE_H
#define GCL_CLUSTER_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/limits.h"
#include "base/status.h"
#include "base/tiers.h"
#include "cluster/communicator/node.h"
#include "cluster/communicator/seat.h"

enum {
    GCL_WIRE_VERSION = 9,
    GCL_WIRE_HEAD_SIZE = 16,
    GCL_WIRE_NONCE_SIZE = 16,
    GCL_WIRE_PROOF_SIZE = 32,
    GCL_WIRE_TEXT_SIZE = 256 ///< texts with their final 0
};

/// No message is longer. Those that travel often are much shorter.
#define GCL_WIRE_MAX_SIZE 384u
#define GCL_WIRE_MAX_CARD_SIZE 3072u
#define GCL_WIRE_MAX_SEAT_SIZE 1024u

/// GCL_WIRE_KINDS(X): X(NAME, number, name of the struct and field)
#define GCL_WIRE_KINDS(X)                                                                          \
    X(HELLO, 2, hello)                                                                             \
    X(CHALLENGE, 3, challenge)                                                                     \
    X(PROOF, 4, proof)                                                                             \
    X(WELCOME, 5, welcome)                                                                         \
    X(BEAT, 6, beat)                                                                               \
    X(LOST, 7, lost)                                                                               \
    X(BYE, 8, bye)                                                                                 \
    X(PING, 9, ping)                                                                               \
    X(PONG, 10, ping)                                                                              \
    X(PROBE, 11, ping)                                                                             \
    X(MEASURE, 12, measure)                                                                        \
    X(MEASURED, 13, measured)                                                                      \
    X(DATA, 14, data)                                                                              \
    X(OPERATION, 15, operation)

enum gcl_wire_kind {
    // Shared through the launcher, not sent as messages.
    GCL_WIRE_CARD = 1,
    GCL_WIRE_SEAT = 16,
#define GCL_WIRE_KIND(name, number, field) GCL_WIRE_##name = number,
    GCL_WIRE_KINDS(GCL_WIRE_KIND)
#undef GCL_WIRE_KIND
};

/// What a node tells the others before anybody is connected: who it is and where to reach it.
struct gcl_wire_card {
    char host[GCL_WIRE_TEXT_SIZE];
    char boot[GCL_WIRE_TEXT_SIZE];         ///< equal on nodes of one machine, and on no others
    char memory_name[GCL_WIRE_TEXT_SIZE];  ///< equal where nodes can map each other's memory
    char interface[GCL_WIRE_TEXT_SIZE];    ///< network interface that the node uses; "" for none
    char device[GCL_WIRE_TEXT_SIZE];       ///< what computes, for people
    char local_door[GCL_WIRE_TEXT_SIZE];   ///< abstract Unix socket; node 0 only
    char bound[GCL_WIRE_TEXT_SIZE];        ///< what it is bound to, for people: its device,
    char cores[GCL_WIRE_TEXT_SIZE];        ///< hardware threads,
    char memory_nodes[GCL_WIRE_TEXT_SIZE]; ///< the memory near them,
    char network[GCL_WIRE_TEXT_SIZE];      ///< and the network card, "" if there is no choice
    uint32_t door_address;                 ///< IPv4 address in host order; node 0 only
    uint32_t door_port;                    ///< 0: no TCP
    uint32_t process;
    uint32_t board; ///< its descriptor of a board (neighbours.h)
    uint64_t board_address;
    uint32_t is_apart;  ///< 1: nobody reaches its device memory but its device
    uint32_t is_packed; ///< 1: what goes there and comes from there is packed
    uint32_t can_fault; ///< 1: pages of its device memory may come as they are touched
    uint32_t threads;
    struct gcl_limits limits; ///< of its device
    uint64_t memory;          ///< bytes of device memory
    uint64_t begin, end;      ///< addresses that it may have
    uint64_t code;            ///< hash of its program's device code
};

/// What a node tells the others before it chooses a device.
struct gcl_wire_seat {
    char host[GCL_WIRE_TEXT_SIZE];
    struct gcl_seat seat;
};

struct gcl_wire_hello {
    uint8_t nonce[GCL_WIRE_NONCE_SIZE];
};

struct gcl_wire_challenge {
    uint8_t nonce[GCL_WIRE_NONCE_SIZE];
    uint8_t proof[GCL_WIRE_PROOF_SIZE]; ///< that the one who is asked knows the secret, too
};

struct gcl_wire_proof {
    uint8_t proof[GCL_WIRE_PROOF_SIZE];
};

struct gcl_wire_welcome {
    uint32_t count; ///< nodes of the job
};

struct gcl_wire_beat {
    uint64_t sequence;
    struct gcl_tiers tiers; ///< of the sender
};

struct gcl_wire_lost {
    gcl_node node;
    char reason[GCL_WIRE_TEXT_SIZE];
};

struct gcl_wire_bye {
    uint32_t is_failure;
};

struct gcl_wire_ping {
    uint64_t id;
    uint64_t clock_ns; ///< of who answers; 0 in questions
};

/// With bytes that their receiver knows by this number.
struct gcl_wire_data {
    uint64_t tag;
};

/// With an operation (operation.h).
struct gcl_wire_operation {
    uint32_t zero;
};

struct gcl_wire_measure {
    gcl_node target;
};

/// The link from the sender to `target`.
struct gcl_wire_measured {
    gcl_node target;
    uint64_t latency_ns;       ///< of a short message, one way
    uint64_t bytes_per_second; ///< of large payloads
    char link[GCL_WIRE_TEXT_SIZE];
};

struct gcl_wire_message {
    enum gcl_wire_kind kind;
    gcl_node from;
    uint64_t token; ///< see transport.h; 0 on lifelines, which prove themselves once
    union {
        struct gcl_wire_hello hello;
        struct gcl_wire_challenge challenge;
        struct gcl_wire_proof proof;
        struct gcl_wire_welcome welcome;
        struct gcl_wire_beat beat;
        struct gcl_wire_lost lost;
        struct gcl_wire_bye bye;
        struct gcl_wire_ping ping;
        struct gcl_wire_measure measure;
        struct gcl_wire_measured measured;
        struct gcl_wire_data data;
        struct gcl_wire_operation operation;
    };
};

/// Writes a message; returns its size. `out` has room for `size` bytes: if that isn't enough, which
/// GCL_WIRE_MAX_SIZE always is, 0.
size_t gcl_wire_write(const struct gcl_wire_message *message, uint8_t *out, size_t size);

/// Reads a message of exactly `size` bytes. NULL, or why it is none: a text for people. The message
/// is undefined then.
const char *gcl_wire_read(const uint8_t *bytes, size_t size, struct gcl_wire_message *message);

/// Write and read a card as a message; `out` has room for GCL_WIRE_MAX_CARD_SIZE.
size_t gcl_wire_write_card(const struct gcl_wire_card *card, uint8_t *out);
const char *gcl_wire_read_card(const uint8_t *bytes, size_t size, struct gcl_wire_card *card);
/// The same for a seat, with room for GCL_WIRE_MAX_SEAT_SIZE.
size_t gcl_wire_write_seat(const struct gcl_wire_seat *seat, uint8_t *out);
const char *gcl_wire_read_seat(const uint8_t *bytes, size_t size, struct gcl_wire_seat *seat);

/// Reads the head alone: kind, from and token. False if it is none of ours.
bool gcl_wire_read_head(const uint8_t *bytes, size_t size, struct gcl_wire_message *message);

/// The kind's name for people, "?" for others.
const char *gcl_wire_name(unsigned kind);

#endif
