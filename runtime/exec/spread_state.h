// What the parts of the spread share; not for others.
//
// spread.c         life, operations, commands that carry out plans, memory, settling
// spread_launch.c  launches
// spread_track.c   which operations may overtake which
// spread_copy.c    copies and sets
// spread_deal.c    what comes from the host goes on to other nodes
// spread_contents.c  what is looked up in memory to plan a launch
// spread_move.c    copies within device memory
// spread_verify.c  the same launch on one node, for comparison
// spread_home.c    memory that the host uses, on node 0
// spread_devices.c  nodes that are devices: who is at work for which stream
// spread_check.c   what other nodes say, against what this one knows
// spread_follow.c  what other nodes make of node 0's operations
//
// One lock orders operations: whoever makes one plans it, sends it and submits its commands under
// it. Locks are taken in the order registry, space, spread, engine. Nobody waits for commands with
// the lock held, since they may need it: who has to, in the middle of planning, keeps the others
// out in another way (gcl_spread_pause). Other nodes need none of this.
#ifndef GCL_EXEC_SPREAD_STATE_H
#define GCL_EXEC_SPREAD_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/map.h"
#include "cluster/operation.h"
#include "exec/report.h"
#include "exec/space.h"
#include "exec/spread.h"
#include "plan/schedule_memo.h"

/// A kernel of the program, as all nodes number them.
struct gcl_spread_kernel {
    const struct gcl_kernel *kernel;
    struct gcl_schedule_memo *schedules;
    uint16_t told; ///< reason that has been logged
};

/// Where the host walks through guarded memory.
struct gcl_spread_walk {
    uintptr_t begin, end; ///< the last stretch that it was given
};

enum {
    GCL_SPREAD_WALKS = 16,
    GCL_SPREAD_TOUCHED = 32,
    GCL_SPREAD_FLIGHTS = 1024,
    GCL_SPREAD_ALL_TRACKS = (1 << GCL_TRACK_COUNT) - 1,
};

/// An operation that may be under way.
struct gcl_spread_flight {
    struct gcl_plan *plan;  ///< is held; NULL: it conflicts with all others
    struct gcl_fence fence; ///< of its last command; stream NULL: it is done
};

struct gcl_spread_track {
    struct gcl_stream *stream; ///< of its commands; node 0: NULL where those are the program's
    struct gcl_spread_flight flights[GCL_SPREAD_FLIGHTS]; ///< the latest ones, round and round
    uint64_t flown, landed; ///< flights begun; the first of them, which are done, or forgotten
    uint64_t worked;        ///< the last operation that nodes may still be busy with
    uint64_t settled;       ///< operations up to that number have been done by all nodes
};

/// Allocations that some commands use.
struct gcl_spread_touched {
    uint64_t begins[GCL_SPREAD_TOUCHED];
    size_t count;
    bool is_all; ///< there may be others
};

struct gcl_spread {
    struct gcl_spread_options options;
    struct gcl_guard *guard;                        ///< node 0; NULL: there is no guarded memory
    bool has_guarded;                               ///< that has been tried
    bool has_left;                                  ///< there are no other nodes any more
    struct gcl_spread_walk walks[GCL_SPREAD_WALKS]; ///< the guard's thread's
    unsigned next_walk;
    pthread_mutex_t lock;
    atomic_bool has_failed;     ///< this node does nothing for others any more
    bool is_planning;           ///< somebody waits in the middle of it, without the lock
    unsigned settling;          ///< tracks (bits) that somebody waits for all nodes to be done with
    pthread_cond_t planned;     ///< or settled
    struct gcl_operation *late; ///< changes of memory meanwhile
    size_t late_count;
    struct gcl_directory *directory;
    struct gcl_reader reader;
    uint64_t sequence;
    struct gcl_spread_track tracks[GCL_TRACK_COUNT];
    struct gcl_verified verified;
    struct gcl_spread_kernel *kernels;
    uint32_t kernel_count;
    uint32_t launched;      ///< kernel of the launch that is being planned, or of the latest one
    uint64_t waited_ns;     ///< for commands before it, to look up what they leave behind
    struct gcl_map numbers; ///< node 0: of kernels, from 1
    struct gcl_map readers; ///< by large allocations: the plan of the last launch that read some

    // Where nodes are devices.
    struct gcl_stream *work; ///< node 0: takes its own commands, whatever stream they are for,
    struct gcl_stream *runs; ///< but kernels that may run beside those
    struct gcl_spread_touched worked_on; ///< since `runs` has come after `work`
    struct gcl_spread_touched run_on;    ///< since `work` has come after `runs`
    uint64_t **given;       ///< node 0: by device, by node, the last operation that gave it work
    struct gcl_map awaited; ///< node 0: by stream, the operations that it has waited for
    uint64_t stride;        ///< from a device's variables to the next one's
};

// spread.c

/// Node 0: waits until nobody plans, and takes the lock; gives it back.
void gcl_spread_lock(struct gcl_spread *spread);
void gcl_spread_unlock(struct gcl_spread *spread);
/// Between the two the lock isn't held, but nobody else plans.
void gcl_spread_pause(struct gcl_spread *spread);
void gcl_spread_resume(struct gcl_spread *spread);
/// Whether this is node 0.
bool gcl_spread_is_home(const struct gcl_spread *spread);
/// This node can't do its part, for a reason as struct gcl_courier has it: nothing may go on. With
/// GCL_NODE_LOST another one can't, which all know.
void gcl_spread_fail(struct gcl_spread *spread, enum gcl_status status, const char *reason);
/// The same without memory to say what happens: nodes would disagree.
void gcl_spread_give_up(struct gcl_spread *spread);
/// Gives an operation its number and, on node 0, sends it.
void gcl_spread_announce(struct gcl_spread *spread, struct gcl_operation *operation);
struct gcl_fence gcl_spread_call(struct gcl_spread *spread, struct gcl_stream *stream,
                                 struct gcl_call call);
struct gcl_fence gcl_spread_submit_nothing(struct gcl_spread *spread, struct gcl_stream *stream);
/// Submits this node's share of a plan in its turn, whose moment is the operation's number: what
/// comes before the command (NULL: none), the command, and what comes after it.
struct gcl_fence gcl_spread_carry_out(struct gcl_spread *spread, struct gcl_stream *stream,
                                      struct gcl_plan *plan, struct gcl_turn turn,
                                      struct gcl_command *command);
/// Counts a plan that is no launch's and is carried out at the fence.
void gcl_spread_count_copy(struct gcl_spread *spread, struct gcl_plan *plan,
                           struct gcl_fence fence);
void gcl_spread_add_memory(struct gcl_spread *spread, const struct gcl_operation *o);
/// False: no allocation begins there.
bool gcl_spread_remove_memory(struct gcl_spread *spread, uint64_t begin);
/// What this node reports to the operation of that number.
struct gcl_report gcl_spread_report(const struct gcl_spread *spread, uint64_t sequence);
/// What a node says when it is done with all that it was asked about.
struct gcl_spread_word {
    uint64_t at_ns; ///< when that was, by its clock
    int64_t status; ///< enum gcl_status
};
bool gcl_spread_apply_settle(struct gcl_spread *spread, const struct gcl_operation *o);

// spread_check.c

/// Whether an operation is the next one and can be carried out with what there is on this node. If
/// not, this node gives up, and says what node 0 has sent.
bool gcl_spread_check(struct gcl_spread *spread, const struct gcl_operation *o);
/// The status in a node's word; GCL_SYSTEM if it is none, after which nothing may go on.
enum gcl_status gcl_spread_word_status(struct gcl_spread *spread, gcl_node node,
                                       const struct gcl_spread_word *word);

// spread_track.c

/// The track of an operation, other than a launch, that has not been carried out yet.
enum gcl_track gcl_spread_track_of(struct gcl_spread *spread, const struct gcl_operation *o);
/// That of a launch with a plan, which node 0 has wanted to be on a track.
enum gcl_track gcl_spread_track_of_run(const struct gcl_plan *plan, uint32_t wanted);
/// Node 0: on which of the kernels' tracks an operation of a stream is best.
uint32_t gcl_spread_choose_track(struct gcl_spread *spread, struct gcl_stream *stream);
/// False: no memory.
bool gcl_spread_create_tracks(struct gcl_spread *spread);
/// Before a plan's commands are submitted: gives the stream for them (`stream`, or the track's),
/// which waits for what has to come before.
struct gcl_stream *gcl_spread_take_off(struct gcl_spread *spread, struct gcl_stream *stream,
                                       enum gcl_track track, const struct gcl_plan *plan);
/// Whether nothing is under way here on the kernels' other tracks.
bool gcl_spread_is_alone(struct gcl_spread *spread, enum gcl_track track);
/// Whether nodes other than this one, node 0, have to do anything for a plan (NULL: not known).
bool gcl_spread_occupies_others(const struct gcl_spread *spread, const struct gcl_plan *plan);
/// After that: the plan (NULL: something that conflicts with all others) is done at the fence.
void gcl_spread_fly(struct gcl_spread *spread, struct gcl_turn turn, struct gcl_plan *plan,
                    struct gcl_fence fence);
/// Has a stream wait for all operations of tracks (bits).
void gcl_spread_join_tracks(struct gcl_spread *spread, struct gcl_stream *stream, unsigned tracks);
/// Other nodes: has all tracks wait for the fence.
void gcl_spread_part_tracks(struct gcl_spread *spread, struct gcl_fence fence);
/// Waits until this node has done all operations. The lock isn't held.
void gcl_spread_reach_all(struct gcl_spread *spread);

// spread_devices.c

/// Node 0: what devices need. False: no memory.
bool gcl_spread_init_devices(struct gcl_spread *spread);
/// The stream of this node's commands that are for none of the program's.
struct gcl_stream *gcl_spread_own_stream(struct gcl_spread *spread);
/// Notes that a node is at work for a stream (GCL_NOBODY: none), and this one up to `fence`.
void gcl_spread_give(struct gcl_spread *spread, struct gcl_stream *stream, struct gcl_fence fence,
                     uint32_t node);
/// As gcl_spread_join, with the lock.
void gcl_spread_join_given(struct gcl_spread *spread);
/// Before this node's part of a plan that isn't a kernel's: it waits for kernels that use the same.
void gcl_spread_order(struct gcl_spread *spread, const struct gcl_plan *plan);
/// Submits a kernel of this node's with its plan, `stream` being where it would have to wait for
/// everything.
struct gcl_fence gcl_spread_submit_kernel(struct gcl_spread *spread, struct gcl_stream *stream,
                                          const struct gcl_plan *plan, struct gcl_command *command);
/// As gcl_spread_await, with the lock.
void gcl_spread_await_given(struct gcl_spread *spread, struct gcl_stream *stream);
/// Whose device's memory an address lies in; GCL_NOBODY: no single one's.
uint32_t gcl_spread_home_of(struct gcl_spread *spread, const void *address);
bool gcl_spread_apply_allow(struct gcl_spread *spread, const struct gcl_operation *o);

// spread_launch.c

/// Which launch it is, and where.
struct gcl_spread_site {
    uint32_t kernel; ///< number
    uint32_t node;   ///< the only one that may run it; GCL_NOBODY: they share it
    uint64_t sequence;
    uint32_t track; ///< wanted
};

/// Gives a kernel the next number. False: no memory.
bool gcl_spread_add_kernel(struct gcl_spread *spread, const struct gcl_kernel *kernel);
/// Submits this node's share of a launch; `command` runs all of it.
struct gcl_fence gcl_spread_launch(struct gcl_spread *spread, struct gcl_stream *stream,
                                   struct gcl_command *command, const struct gcl_spread_site *site);
/// `node`: the only one that may run it; GCL_NOBODY: they share it.
struct gcl_fence gcl_spread_submit_run(struct gcl_spread *spread, struct gcl_stream *stream,
                                       struct gcl_command *command, const struct gcl_code *code,
                                       uint32_t node);

// spread_contents.c

// Those of the struct gcl_reader; `spread` is one.
bool gcl_spread_fetch(void *spread, const struct gcl_demand *demands, size_t count);
const unsigned char *gcl_spread_memory_at(void *spread, uint64_t begin);
bool gcl_spread_tell(void *spread, const struct gcl_words *own, struct gcl_words *all);

/// Allocations that have escaped.
struct gcl_escapes {
    struct gcl_allocation *list;
    size_t count;
};
/// Node 0: finds what has escaped where a kernel needs to know that. The lock isn't held.
struct gcl_escapes gcl_spread_find_escapes(struct gcl_spread *spread,
                                           const struct gcl_kernel *kernel);
/// Tells the other nodes what is new of it, and frees the list.
void gcl_spread_tell_escapes(struct gcl_spread *spread, struct gcl_escapes *escapes);

// spread_home.c

/// Adds to a plan that a node gets all of an allocation; `is_owned`: and alone has it. False: no
/// memory.
bool gcl_spread_demand_all(struct gcl_spread *spread, struct gcl_plan *plan,
                           const struct gcl_entry *entry, gcl_node node, bool is_owned);
/// Brings home what has to be there of a plan's allocations when it has been carried out on a
/// track; `fence` becomes that of its commands, if there are any. False: no memory.
bool gcl_spread_bring_home(struct gcl_spread *spread, struct gcl_stream *stream,
                           const struct gcl_plan *plan, enum gcl_track track,
                           struct gcl_fence *fence);
/// Node 0: guards managed memory if the system allows it, before there is any.
void gcl_spread_guard(struct gcl_spread *spread);
/// Node 0: brings all guarded memory home, before something that can't wait for its bytes.
void gcl_spread_bring_all_home(struct gcl_spread *spread, struct gcl_stream *stream);

// spread_verify.c

struct gcl_verification;
/// Before a launch with this schedule; with `verification` not NULL, gcl_verify_end follows it, and
/// what is between them has numbers of operations of its own. False: no memory.
bool gcl_verify_begin(struct gcl_spread *spread, struct gcl_stream *stream,
                      const struct gcl_run *run, const struct gcl_schedule *schedule,
                      struct gcl_verification **verification);
/// `fence` becomes that of the comparison.
bool gcl_verify_end(struct gcl_verification *verification, struct gcl_stream *stream,
                    struct gcl_fence *fence);

// spread_copy.c

/// The allocation that a box is in; NULL: none.
const struct gcl_entry *gcl_spread_entry(struct gcl_spread *spread,
                                         const struct gcl_operation_box *box);
/// The bytes of a box in its allocation; false if that can't be said exactly.
bool gcl_spread_region(const struct gcl_entry *entry, const struct gcl_operation_box *box,
                       struct gcl_region *region);
/// Submits what an ACCESS asks of this node, with node 0's command.
struct gcl_fence gcl_spread_access(struct gcl_spread *spread, struct gcl_stream *stream,
                                   const struct gcl_operation *o, struct gcl_command *command);
struct gcl_fence gcl_spread_fill(struct gcl_spread *spread, struct gcl_stream *stream,
                                 const struct gcl_operation *o);
struct gcl_fence gcl_spread_submit_copy(struct gcl_spread *spread, struct gcl_stream *stream,
                                        struct gcl_command *command);

// spread_deal.c

/// A launch is going to be carried out by this plan.
void gcl_spread_note_readers(struct gcl_spread *spread, struct gcl_plan *plan);
/// The allocation that begins there is going to be free.
void gcl_spread_forget_readers(struct gcl_spread *spread, uint64_t begin);
/// Node 0 has been submitted a copy of the box from the host: submits what goes on from there.
void gcl_spread_deal(struct gcl_spread *spread, const struct gcl_entry *entry,
                     const struct gcl_operation_box *box);

// spread_move.c

/// Submits this node's share of an ACCESS that copies within device memory. False: it isn't one, or
/// can't be shared out.
bool gcl_spread_move(struct gcl_spread *spread, struct gcl_stream *stream,
                     const struct gcl_operation *o, struct gcl_fence *fence);

#endif
