// A lease of a device's time: whether a process that shares a device with others may compute now.
// Its word lies in a page that the process and the agent (agent/) both have. As long as nobody else
// wants the device, the process keeps the lease, and beginning to compute is one atomic operation.
//
//     NONE ── the client wants ──▶ WANTED ── the agent grants ──▶ HELD
//     HELD ── others want the device ──▶ CONTESTED ── its turn is over ──▶ RECALLED
//     CONTESTED, RECALLED ── the client's last thread leaves ──▶ NONE
//
// A lease that is held, but by no thread, the agent takes back without asking. Neither side trusts
// the other with more than its own waiting: the word says what was agreed on, and the agent has its
// own books.
#ifndef GCL_BASE_LEASE_H
#define GCL_BASE_LEASE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum gcl_lease_state {
    GCL_LEASE_NONE,
    GCL_LEASE_WANTED,
    GCL_LEASE_HELD,
    GCL_LEASE_CONTESTED, ///< as held, but it is given back as soon as no thread computes
    GCL_LEASE_RECALLED,  ///< threads leave as soon as they can, and none enters before they have
    GCL_LEASE_GONE,      ///< there is no agent any more; it stays so
};

enum {
    GCL_LEASE_STATES = 8,    ///< the word: a state, and that many times the threads that compute
    GCL_LEASE_GRACE_MS = 20, ///< after a recall no thread waits for longer until others have left
};

/// What lies at the beginning of the page.
struct gcl_lease {
    _Atomic uint32_t word;
    _Atomic uint64_t busy_ns; ///< that threads have computed, by what the client says
};

/// The client's end of it. `bell` is an eventfd, by which the agent hears that the word has
/// changed.
struct gcl_lease_end {
    struct gcl_lease *lease;
    int bell;
};

/// A thread of the client begins to compute: waits until the process may. False: never again.
bool gcl_lease_enter(const struct gcl_lease_end *end);
/// The thread has computed for so long, and is done.
void gcl_lease_leave(const struct gcl_lease_end *end, uint64_t busy_ns);
/// Whether threads that compute should leave soon.
bool gcl_lease_is_recalled(const struct gcl_lease_end *end);
/// The client's threads wait no longer: there is no agent.
void gcl_lease_close(const struct gcl_lease_end *end);

/// Whether the client waits for the lease.
bool gcl_lease_is_wanted(const struct gcl_lease *lease);
/// The agent lends the device to a client that wants it.
void gcl_lease_grant(struct gcl_lease *lease);
/// The agent wants the device back as soon as no thread computes. True: it has it.
bool gcl_lease_contest(struct gcl_lease *lease);
/// The agent wants the device back. True: it has it; else it will be told, unless the client
/// doesn't keep to the rules.
bool gcl_lease_recall(struct gcl_lease *lease);
/// Whether the client, which was granted it, has given it back.
bool gcl_lease_is_back(struct gcl_lease *lease);

#endif
