// What the parts of the spread share; not for others. Each part has a header of its own:
//
// allocations   which memory there is
// balance       how blocks are divided among nodes that aren't equally fast
// border        launches whose inner blocks run while bytes move for the others
// carry         commands that carry out plans
// check         what other nodes say, against what this one knows
// contents      what is looked up in memory to plan a launch
// copy          copies and sets
// devices       nodes that are devices: who is at work for which stream
// done          which plans node 0 is done with
// follow        what other nodes make of node 0's operations
// home          memory that the host uses, on node 0
// launch        launches
// move          copies within device memory
// outlook       whether the program would be faster on all nodes or on node 0 alone
// plan_log      plans in the log
// read          copies of a few bytes to the host that no other node has to do anything for
// rest          node 0 does all by itself, and others are told nothing
// scatter       what comes from the host goes on to other nodes
// settle        that all nodes are done
// track         which operations may overtake which
// verify        the same launch on one node, for comparison
//
// One lock orders operations: whoever makes one plans it, sends it and submits its commands under
// it. Locks are taken in the order registry, space, spread, engine. Nobody waits for commands with
// the lock held, since they may need it: who has to, in the middle of planning, keeps the others
// out in another way (gcl_spread_pause). Other nodes need none of this.
#ifndef GCL_EXEC_SPREAD_CORE_H
#define GCL_EXEC_SPREAD_CORE_H

#include <pthread.h>
#include <stdatomic.h>

#include "cluster/communicator/operation.h"
#include "exec/exchange/report.h"
#include "exec/memory/space.h"
#include "exec/spread/done.h"
#include "exec/spread/spread.h"

struct gcl_spread {
    struct gcl_spread_options options;
    pthread_mutex_t lock;
    bool is_planning;        ///< somebody waits in the middle of it, without the lock
    pthread_cond_t has_news; ///< nobody plans any more, or nodes have settled
    atomic_bool has_failed;  ///< this node does nothing for others any more
    uint64_t sequence;       ///< of the last operation; grows by one
    struct gcl_directory *directory;

    // Each of these is its file's alone.
    struct gcl_spread_rest *rest;         ///< rest.c; NULL: it never rests
    struct gcl_spread_late *late;         ///< allocations.c
    struct gcl_spread_tracks *tracks;     ///< track.c
    struct gcl_spread_borders *borders;   ///< border.c
    struct gcl_spread_launches *launches; ///< launch.c
    struct gcl_spread_readers *readers;   ///< scatter.c
    struct gcl_spread_mirror *mirrors;    ///< contents.c
    struct gcl_spread_home *home;         ///< home.c
    struct gcl_remote *remote;            ///< exec/exchange/remote.h; NULL: pages never come as
                                          ///< they are touched
    struct gcl_spread_balance *balance;   ///< balance.c; NULL: nodes are alike
    struct gcl_spread_devices *devices;   ///< devices.c; NULL but on node 0 where nodes are devices
    struct gcl_spread_comparison *comparison; ///< verify.c; NULL: launches aren't compared
    struct gcl_done done;                     ///< done.c
};

/// Node 0: waits until nobody plans, and takes the lock; gives it back.
void gcl_spread_lock(struct gcl_spread *spread);
void gcl_spread_unlock(struct gcl_spread *spread);
/// Between the two the lock isn't held, but nobody else plans.
void gcl_spread_pause(struct gcl_spread *spread);
void gcl_spread_resume(struct gcl_spread *spread);
/// Whether this is node 0.
bool gcl_spread_is_home(const struct gcl_spread *spread);
/// This node can't do its part, for a reason as struct gcl_communicator has it: nothing may go on.
/// With GCL_NODE_LOST another one can't, which all know.
void gcl_spread_fail(struct gcl_spread *spread, enum gcl_status status, const char *reason);
/// gcl_spread_fail without memory to say what happens: nodes would disagree.
void gcl_spread_give_up(struct gcl_spread *spread);
/// Gives an operation its number and, on node 0, sends it.
void gcl_spread_announce(struct gcl_spread *spread, struct gcl_operation *operation);
/// What this node reports to the operation of that number.
struct gcl_report gcl_spread_report(const struct gcl_spread *spread, uint64_t sequence);

/// Node 0 is going to be done with a plan at the fence: listeners are told then.
void gcl_spread_add_done(struct gcl_spread *spread, const struct gcl_heard_plan *heard,
                         struct gcl_plan *plan, struct gcl_fence fence);
/// Tells listeners of a plan that is no launch's.
void gcl_spread_add_transfer(struct gcl_spread *spread, struct gcl_plan *plan,
                             struct gcl_fence fence);

#endif
