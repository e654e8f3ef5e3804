// What gclusterd shares, and with whom. One thread, in GLib's loop.
#ifndef GCL_AGENT_H
#define GCL_AGENT_H

#include <glib.h>

#include "fair.h"
#include "settings.h"

struct gcl_books;
struct gcl_party;

struct gcl_agent {
    struct gcl_settings *settings;
    GQueue books;      ///< struct gcl_books: the CPU device's first, then those of GPUs in use
    GHashTable *users; ///< by number: struct gcl_user, which stay
    GQueue clients;    ///< all, also those that wait or haven't said what they want
    GQueue line;       ///< of them, who waits to be let in
    unsigned admitted;
    uint64_t refused;
    struct gcl_fair fair;
    struct gcl_party *holder; ///< who has the device; NULL: nobody
    int64_t granted_us;       ///< since when
    gboolean is_recalled;     ///< and it has been asked back
    guint timer;              ///< when to look again; 0: when somebody rings
};

void gcl_agent_init(struct gcl_agent *agent, struct gcl_settings *settings);
/// The CPU device's.
struct gcl_books *gcl_agent_books(const struct gcl_agent *agent);
/// Closes all connections.
void gcl_agent_finish(struct gcl_agent *agent);
/// Puts other settings in force, which are the agent's from here on. Nobody loses what they have.
void gcl_agent_configure(struct gcl_agent *agent, struct gcl_settings *settings);
/// Lets in who fits, in their order.
void gcl_agent_admit(struct gcl_agent *agent);
/// Lends the device to who is next, and asks it back from who has had it for a turn.
void gcl_agent_schedule(struct gcl_agent *agent);

#endif
