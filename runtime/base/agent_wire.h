// What gclusterd and its clients tell each other: messages of one size on a Unix socket that keeps
// them apart (SOCK_SEQPACKET).
//
//     client                          agent
//     HELLO memory, patience, job,    WELCOME memory, limit; the lease's page, and a bell (eventfd)
//           device, name              WAIT position, why; another answer follows
//                                     REFUSED why; the end
//     TAKE bytes                      MEMORY bytes (all or 0), free
//     GIVE bytes                      MEMORY 0, free
//     ASK                             STATUS, with a file of JSON; the end
//
// A client has one question at a time.
#ifndef GCL_BASE_AGENT_WIRE_H
#define GCL_BASE_AGENT_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gcl_agent_kind {
    GCL_AGENT_HELLO = 1,
    GCL_AGENT_TAKE,
    GCL_AGENT_GIVE,
    GCL_AGENT_ASK,
    GCL_AGENT_LAST_QUESTION = GCL_AGENT_ASK,
    GCL_AGENT_WELCOME = 16,
    GCL_AGENT_WAIT,
    GCL_AGENT_REFUSED,
    GCL_AGENT_MEMORY,
    GCL_AGENT_STATUS,
    GCL_AGENT_LAST_ANSWER = GCL_AGENT_STATUS,
};

enum { GCL_AGENT_TEXT = 100, GCL_AGENT_UUID = 16, GCL_AGENT_FILES = 2, GCL_AGENT_PAGE = 4096 };

/// As it goes through the socket, in this machine's order of bytes.
struct gcl_agent_message {
    uint32_t magic;
    uint16_t version, kind;
    uint64_t bytes; ///< HELLO: that it needs from the beginning; WELCOME, MEMORY: that it has got
    uint64_t total; ///< HELLO: that its GPU has; WELCOME: that it can have at most; MEMORY: that it
                    ///< could still have
    uint64_t job;   ///< HELLO: the same in the nodes of a job; 0: it is in none
    uint32_t number; ///< HELLO: seconds that it waits; WAIT: its place in the line, from 1
    unsigned char gpu[GCL_AGENT_UUID]; ///< HELLO: the UUID of its GPU; zeros: the CPU device
    char text[GCL_AGENT_TEXT];         ///< HELLO: the program's name; WAIT, REFUSED: why
};

/// A message of a kind, with a text that is cut where it is too long; NULL: none.
struct gcl_agent_message gcl_agent_message(enum gcl_agent_kind kind, const char *text);
/// Sends a message, with `count` files that stay the caller's. False: the other end has gone, or
/// doesn't read.
bool gcl_agent_send(int socket, const struct gcl_agent_message *message, const int *files,
                    size_t count);
/// Receives one, and up to GCL_AGENT_FILES files, -1 where there is none. Its text ends, and
/// letters that a terminal would take for orders are "?". False, with no files: the other end has
/// gone, or has sent what is none of the questions, or answers, of this version, with `errno`
/// EPROTO.
bool gcl_agent_receive(int socket, bool is_question, struct gcl_agent_message *message,
                       int files[GCL_AGENT_FILES]);

enum { GCL_AGENT_PATH = 100 }; ///< of a socket's name, with the zero behind it

/// Where an agent is if nobody says where: that of the machine, else that of this user.
bool gcl_agent_find(char path[GCL_AGENT_PATH]);
/// Where an agent that runs as this user listens. False: the user has no folder for that
/// (XDG_RUNTIME_DIR).
bool gcl_agent_own_path(char path[GCL_AGENT_PATH]);
/// Connects to an agent. -1, with `errno`: there is none; EPERM: who listens is neither root nor
/// this user.
int gcl_agent_connect(const char *path);

#endif
