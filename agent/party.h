// Programs that have the device together: the nodes that a job has on this host, which wait for
// each other's bytes; or a program alone. They count as one.
#ifndef GCL_AGENT_PARTY_H
#define GCL_AGENT_PARTY_H

#include "client.h"

struct gcl_party {
    uint64_t job;   ///< by which its user's programs find it; 0: a program alone
    GQueue members; ///< struct gcl_client, which are let in
    struct gcl_sharer sharer;
};

/// The party of a sharer.
struct gcl_party *gcl_party_of(struct gcl_sharer *sharer);
/// A program that is let in becomes a member of its job's, or begins one.
void gcl_party_join(struct gcl_client *client, uint64_t job, unsigned weight);
/// Takes it out. The last one ends the party, which then has the device no longer.
void gcl_party_leave(struct gcl_client *client);

/// Lends it to all who wait.
void gcl_party_grant(struct gcl_party *party, int64_t now_us);
/// Asks it back from those who have had it since before `until_us` and don't compute, as soon as
/// they don't. True: none has it now.
gboolean gcl_party_contest(struct gcl_party *party, int64_t until_us);
/// Asks it back from all who have it. True: none has it now.
gboolean gcl_party_recall(struct gcl_party *party);
/// Whether all who had it have given it back.
gboolean gcl_party_is_back(struct gcl_party *party);
/// Members that haven't given it back in time have it no longer, and are overdue until they do.
void gcl_party_give_up(struct gcl_party *party, int64_t late_us);
/// How many nanoseconds its members say they have computed since the last call.
uint64_t gcl_party_count(struct gcl_party *party);

#endif
