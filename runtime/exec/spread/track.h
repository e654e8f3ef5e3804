// Which operations may overtake which.
#ifndef GCL_EXEC_SPREAD_TRACK_H
#define GCL_EXEC_SPREAD_TRACK_H

#include "exec/spread/core.h"

/// Who keeps the order of operations that may be under way at the same time: tracks, or where nodes
/// are devices the engine. Chosen once.
struct gcl_spread_order {
    bool (*occupies_others)(const struct gcl_plan *plan);
    void (*note_pending)(struct gcl_spread *spread, struct gcl_turn turn, struct gcl_plan *plan,
                         struct gcl_fence fence);
    void (*reach_all)(struct gcl_spread *spread);
};
extern const struct gcl_spread_order gcl_spread_device_order; ///< devices.c

enum { GCL_SPREAD_ALL_TRACKS = (1 << GCL_TRACK_COUNT) - 1 }; // bits

/// False: no memory.
bool gcl_spread_create_tracks(struct gcl_spread *spread);
/// The track of an operation, other than a launch, that has not been carried out yet.
enum gcl_track gcl_spread_track_of(struct gcl_spread *spread, const struct gcl_operation *o);
/// The track of a launch with a plan, which node 0 has wanted to be on one.
enum gcl_track gcl_spread_track_of_run(const struct gcl_plan *plan, uint32_t wanted);
/// Node 0: on which of the kernels' tracks an operation of a stream is best.
uint32_t gcl_spread_choose_track(struct gcl_spread *spread, struct gcl_stream *stream);
/// Before a plan's commands are submitted: gives the stream for them (`stream`, or the track's),
/// which waits for what has to come before.
struct gcl_stream *gcl_spread_begin(struct gcl_spread *spread, struct gcl_stream *stream,
                                    enum gcl_track track, const struct gcl_plan *plan);
/// Whether nothing is under way here on the kernels' other tracks.
bool gcl_spread_is_alone(struct gcl_spread *spread, enum gcl_track track);
/// Node 0: whether nothing is under way, here or on any node.
bool gcl_spread_is_quiet(struct gcl_spread *spread);
/// After gcl_spread_begin: the plan (NULL: something that conflicts with all others) is done at the
/// fence.
void gcl_spread_note_pending(struct gcl_spread *spread, struct gcl_turn turn, struct gcl_plan *plan,
                             struct gcl_fence fence);
/// Has a stream wait for all operations of tracks (bits).
void gcl_spread_join_tracks(struct gcl_spread *spread, struct gcl_stream *stream, unsigned tracks);
/// Other nodes: has all tracks wait for the fence.
void gcl_spread_part_tracks(struct gcl_spread *spread, struct gcl_fence fence);
/// Node 0: what comes before the fence may wait for the program: a host function, which may launch
/// kernels, or a kernel with memory that the host may change meanwhile.
void gcl_spread_note_call(struct gcl_spread *spread, struct gcl_fence fence);
/// Node 0: whether such is under way: it may not go on while somebody plans and waits for it.
bool gcl_spread_has_calls(struct gcl_spread *spread);
/// Node 0: gives such a little time, but none that has had it before. Whether nothing of it is
/// under way any more. The lock isn't held.
bool gcl_spread_await_calls(struct gcl_spread *spread);
/// Waits until this node has done all operations. The lock isn't held.
void gcl_spread_reach_all(struct gcl_spread *spread);
/// The stream of a track's commands; node 0: NULL where those are the program's.
struct gcl_stream *gcl_spread_track_stream(const struct gcl_spread *spread, enum gcl_track track);
/// An operation with a plan is going to be carried out: other nodes may be busy with it.
void gcl_spread_note_work(struct gcl_spread *spread, struct gcl_turn turn,
                          const struct gcl_plan *plan);

// Node 0: whether all nodes are done with tracks (bits).

/// Tracks with an operation of the work (NULL: any) that nodes may still be busy with.
unsigned gcl_spread_busy_tracks(const struct gcl_spread *spread,
                                const struct gcl_stream_work *work);
/// Tracks that somebody waits for all nodes to be done with.
unsigned gcl_spread_settling_tracks(const struct gcl_spread *spread);
/// Somebody begins to wait for all nodes, and ends: they have done operations up to a number.
void gcl_spread_begin_settling(struct gcl_spread *spread, unsigned tracks);
void gcl_spread_end_settling(struct gcl_spread *spread, unsigned tracks, uint64_t sequence);

#endif
