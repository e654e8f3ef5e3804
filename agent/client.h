// A program that is connected. What it sends is believed only as far as it concerns itself.
#ifndef GCL_AGENT_CLIENT_H
#define GCL_AGENT_CLIENT_H

#include <sys/socket.h>

#include "agent.h"
#include "base/agent_wire.h"
#include "base/lease.h"
#include "ledger.h"

/// Whose programs they are.
struct gcl_user {
    unsigned connections; ///< all of them
    unsigned clients;     ///< that are let in
};

enum gcl_client_state {
    GCL_CLIENT_NEW,     ///< it hasn't said what it is
    GCL_CLIENT_WAITING, ///< in the line
    GCL_CLIENT_IN,
};

struct gcl_client {
    struct gcl_agent *agent;
    enum gcl_client_state state;
    struct ucred peer;
    char name[GCL_AGENT_TEXT];
    int socket, process; ///< `process`: a pidfd; -1: the system has none
    int bell;            ///< the client rings when its lease has changed
    int page;            ///< where the lease is
    guint sources[3];    ///< that listen to these
    guint patience;      ///< ends its waiting
    guint pause;         ///< ends the time in which it isn't heard
    struct gcl_user *user;
    struct gcl_books *books; ///< of its device; NULL: it hasn't said what it is
    struct gcl_account account;
    uint64_t wanted;         ///< bytes, to be let in
    uint64_t job;            ///< as it says
    struct gcl_party *party; ///< NULL: it isn't in
    struct gcl_lease *lease; ///< NULL: it isn't in
    gboolean has_turn;       ///< it was lent the device, and hasn't given it back
    int64_t granted_us;      ///< since when
    uint64_t busy_ns;        ///< that have been charged
    gboolean is_overdue;     ///< it hasn't given the device back
    gboolean was_overdue;    ///< once, of which the log tells
    int64_t since_us;
    unsigned messages; ///< in the second from `counted_us` on
    int64_t counted_us;
};

/// Takes over a connection.
void gcl_client_create(struct gcl_agent *agent, int socket);
/// Ends it, and gives back all that it has. `why` NULL: it left; otherwise it is told.
void gcl_client_destroy(struct gcl_client *client, const char *why);
/// Whether there is room for it.
gboolean gcl_client_fits(const struct gcl_client *client);
/// Whether it could never fit.
gboolean gcl_client_waits_in_vain(const struct gcl_client *client);
/// Ends it, with why it doesn't fit.
void gcl_client_refuse(struct gcl_client *client);
/// Lets it in, which fits; or it has ended.
void gcl_client_admit(struct gcl_client *client);
/// How many nanoseconds it says it has computed.
uint64_t gcl_client_busy(const struct gcl_client *client);
/// Says something about it in the log.
void gcl_client_log(const struct gcl_client *client, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
