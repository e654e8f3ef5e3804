// Spreads what a program does over the nodes of a job: every node has one, with a directory, and
// they all carry out the same operations in the same order. Node 0 runs the program: what it
// launches, copies, allocates and frees becomes operations; the other nodes read them.
//
// Operations only plan and submit to the node's engine, so nobody waits for another node but where
// bytes from there are needed. Kernels of different streams, and copies from the host and to the
// host, may overtake each other as long as they don't use the same bytes.
#ifndef GCL_EXEC_SPREAD_H
#define GCL_EXEC_SPREAD_H

#include <stdio.h>

#include "cluster/communicator/communicator.h"
#include "exec/engine/engine.h"
#include "plan/directory/directory.h"
#include "plan/schedule/forecast.h"

struct gcl_allocation;
struct gcl_clocks;
struct gcl_code;
struct gcl_library;
struct gcl_listeners;
struct gcl_space;
struct gcl_spread;
struct gcl_stats;
struct gcl_trace;

struct gcl_predict;

struct gcl_spread_options {
    gcl_node self, count;
    const struct gcl_device *device; ///< this node's
    struct gcl_engine *engine;
    struct gcl_space *space;
    struct gcl_communicator communicator;
    bool has_devices;                ///< each node is a device: what its streams are given, it does
    const struct gcl_clocks *clocks; ///< of all nodes, where node 0 needs them
    bool rests;                      ///< node 0: at first it does all by itself (rest.h),
    uint64_t home_memory;            ///< as long as that takes no more bytes than these,
    unsigned threads;                ///< node 0: workers while it is awake
    unsigned home_threads;           ///< node 0: workers while it rests
    struct gcl_forecast_cluster cluster; ///< and the others wouldn't make it faster;
                                         ///< node_count 0: they can't
    /// Measures a link as `cluster` has it. False: no answer. NULL: that can't be done.
    bool (*measure_link)(void *context, struct gcl_forecast_link *link);
    void *measure_context;
    struct gcl_predict *predict; ///< is told of all it does; NULL: nobody wants to know
    const uint32_t *weights;     ///< of nodes' parts at first; NULL: nodes are alike
    bool may_fault;   ///< all nodes' devices may get pages of near nodes as they are touched
    bool is_verified; ///< launches also run on one node, and are compared
    const struct gcl_listeners *listeners; ///< stay, like the next two
    struct gcl_stats *stats;               ///< that are reported; NULL: none
    struct gcl_trace *trace;               ///< likewise
};

/// NULL: no memory.
struct gcl_spread *gcl_spread_create(const struct gcl_spread_options *options);

// Node 0. Any thread may call.

/// Memory is there, or is going to be free: called in the order in which that happens.
void gcl_spread_allocated(void *spread, const struct gcl_allocation *allocation);
void gcl_spread_freed(void *spread, const struct gcl_allocation *allocation);
/// The variables of an object have addresses.
void gcl_spread_placed(void *spread, const struct gcl_code *code,
                       const struct gcl_library *library);
/// An object is unloaded.
void gcl_spread_left(void *spread, const struct gcl_code *code);
/// A module is loaded (exec/code/module.h): all nodes load the same bytes. False, after a message:
/// it is too large for that.
bool gcl_spread_load(struct gcl_spread *spread, uint32_t number, const void *bytes, size_t size);
/// Submits a RUN or COPY command, with what nodes have to do before and after it, a CALL of one of
/// the program's functions, or a FREE.
struct gcl_fence gcl_spread_submit(struct gcl_spread *spread, struct gcl_stream *stream,
                                   struct gcl_command *command);
/// What the stream is given from here on comes after all that it was given so far, on whatever
/// node that is done. Where nodes are devices; else it does nothing.
void gcl_spread_await(struct gcl_spread *spread, struct gcl_stream *stream);
/// Like gcl_spread_await; the moment that the stream is given next has the time of its device's
/// clock.
void gcl_spread_time(struct gcl_spread *spread, struct gcl_stream *stream);
/// Waits for what the stream was given so far. Where nodes are devices, before a copy to the host
/// that is waited for: that needn't keep other commands waiting for it, then.
void gcl_spread_reach(struct gcl_spread *spread, struct gcl_stream *stream);
/// Makes a COPY to host memory at once, if node 0 can read all bytes by itself: a few bytes, while
/// nothing is under way; `waits`: or once nothing is. How that went; GCL_NOT_READY: the command is
/// as it was, to be submitted as others are.
GCL_MUST_USE enum gcl_status gcl_spread_read(struct gcl_spread *spread, struct gcl_stream *stream,
                                             struct gcl_command *command, bool waits);
/// Has devices get a limit (device.h): `node`'s, or all nodes' but this one's, UINT32_MAX.
void gcl_spread_limit(struct gcl_spread *spread, uint32_t node, unsigned limit, size_t value);
/// From here on kernels on a device may use another one's memory, or no longer.
void gcl_spread_allow(struct gcl_spread *spread, unsigned device, unsigned peer, bool is_allowed);
/// Where this node's own commands for a stream go.
struct gcl_stream *gcl_spread_work(struct gcl_spread *spread, struct gcl_stream *stream);
/// From here on no command of this node's runs beside one that came before: the order is one that
/// the program made, about memory of which nothing is known here.
void gcl_spread_join(struct gcl_spread *spread);
/// What was compared so far.
struct gcl_verified {
    uint64_t launches;
    uint64_t single; ///< ran on one node alone
    uint64_t host;   ///< use memory that the host shares, and weren't compared for that
};
struct gcl_verified gcl_spread_verified(struct gcl_spread *spread);
void gcl_verify_report(const struct gcl_verified *verified, FILE *out);
/// Tells listeners of the plans that this node has done by now.
void gcl_spread_tell_done(struct gcl_spread *spread);
/// The program is at its end, and commands are done: if other nodes rest at times, says who ran its
/// kernels, and why.
void gcl_spread_conclude(struct gcl_spread *spread);
/// Bytes that directory and plans take on this node.
size_t gcl_spread_memory(struct gcl_spread *spread);
/// Waits until all nodes have done the tracks' operations so far of which some are in `work` (NULL:
/// all); their first failure is the engine's.
void gcl_spread_settle(void *spread, const struct gcl_stream_work *work);
/// Bytes of allocations whose copy on each node is valid.
void gcl_spread_show_held(struct gcl_spread *spread, uint64_t *held);
/// Has all nodes, which have settled, report what they did; `clocks` compares theirs with this
/// node's. If a node can't, it and those after it are left out.
void gcl_spread_collect(struct gcl_spread *spread, const struct gcl_clocks *clocks);
/// Submits that managed memory comes here, as the program says that it is going to read it.
void gcl_spread_prefetch(struct gcl_spread *spread, struct gcl_stream *stream, const void *begin,
                         size_t size);
/// The other nodes are about to leave: nothing may be submitted any more.
void gcl_spread_leave(struct gcl_spread *spread);
/// Between the two the program's memory is all here, so that fork() copies it; nobody can submit.
void gcl_spread_hold(struct gcl_spread *spread);
void gcl_spread_release(struct gcl_spread *spread);
/// Finds the allocation that holds `address`, as addresses; false: none does. While the spread
/// submits a command.
bool gcl_spread_find_allocation(const struct gcl_spread *spread, uint64_t address,
                                struct gcl_span *allocation);
/// What of the job's memory only `node` has a valid copy of. Also on the cluster's thread.
struct gcl_directory_share gcl_spread_share_of(struct gcl_spread *spread, gcl_node node);

// Other nodes, one thread.

/// Carries out an operation. False, after a message, if it isn't one, or if this node doesn't agree
/// with node 0 on where bytes are: the job can't go on.
bool gcl_spread_apply(struct gcl_spread *spread, const void *bytes, size_t size);

#endif
