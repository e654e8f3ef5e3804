// Who has the device next. Each sharer has a time of its own, which goes on by what it has used of
// the device divided by its weight; of those that want it, the one whose time is least gets it. Who
// has wanted nothing for a while doesn't save that up: its time is put forward to the others', less
// one turn, so that it comes first but once (start-time fair queueing: Goyal, Vin, Cheng, SIGCOMM
// 1996). Pure: it knows no clock.
#ifndef GCL_AGENT_FAIR_H
#define GCL_AGENT_FAIR_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

enum { GCL_FAIR_TURN_NS = 4000000 }; ///< that one has the device while others want it

/// Somebody who shares the device. The caller's memory.
struct gcl_sharer {
    double time; ///< nanoseconds of the device, by weight
    unsigned weight;
    bool wants;
};

struct gcl_fair {
    GQueue sharers; ///< in the order in which they came
    double now;     ///< the time of who had the device last, when it got it
};

void gcl_fair_join(struct gcl_fair *fair, struct gcl_sharer *sharer, unsigned weight);
void gcl_fair_leave(struct gcl_fair *fair, struct gcl_sharer *sharer);
/// A sharer wants the device from here on, until it gets it.
void gcl_fair_want(struct gcl_fair *fair, struct gcl_sharer *sharer);
/// A sharer has used so many nanoseconds of the device.
void gcl_fair_charge(struct gcl_sharer *sharer, uint64_t ns);
/// The sharer that is next. NULL: nobody wants the device.
struct gcl_sharer *gcl_fair_next(const struct gcl_fair *fair);
/// A sharer has got the device, and wants it no longer for now.
void gcl_fair_serve(struct gcl_fair *fair, struct gcl_sharer *sharer);

#endif
