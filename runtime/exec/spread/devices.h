// Nodes that are devices: who is at work for which stream.
#ifndef GCL_EXEC_SPREAD_DEVICES_H
#define GCL_EXEC_SPREAD_DEVICES_H

#include "exec/spread/core.h"

/// Node 0: has nodes be devices. False: no memory.
bool gcl_spread_create_devices(struct gcl_spread *spread);
/// The stream of this node's commands that are for none of the program's.
struct gcl_stream *gcl_spread_own_stream(struct gcl_spread *spread);
/// Notes that a node is at work for a stream (GCL_NOBODY: none), and this one up to `fence`.
void gcl_spread_give(struct gcl_spread *spread, struct gcl_stream *stream, struct gcl_fence fence,
                     uint32_t node);
/// As gcl_spread_join, with the lock.
void gcl_spread_join_given(struct gcl_spread *spread);
/// The track of an operation that isn't a launch, where nodes are devices: copies from a device to
/// the host have one that they share with few other devices' at most.
enum gcl_track gcl_spread_device_track(struct gcl_spread *spread, const struct gcl_operation *o);
/// Where this node's commands for an operation of a track go, which is a copy for `stream`.
struct gcl_stream *gcl_spread_copy_stream(struct gcl_spread *spread, struct gcl_stream *stream,
                                          enum gcl_track track);
/// Before this node's part of a plan that isn't a kernel's, in `stream`: it waits for kernels that
/// use the same, and for what else has to come before.
void gcl_spread_order(struct gcl_spread *spread, struct gcl_stream *stream,
                      const struct gcl_plan *plan);
/// Whether a stream takes commands that have no place among all of this node's.
bool gcl_spread_is_beside(const struct gcl_spread *spread, const struct gcl_stream *stream);
/// Submits a kernel of this node's with its plan, `stream` being where it would have to wait for
/// everything.
struct gcl_fence gcl_spread_submit_kernel(struct gcl_spread *spread, struct gcl_stream *stream,
                                          const struct gcl_plan *plan, struct gcl_command *command);
/// As gcl_spread_await, with the lock.
void gcl_spread_await_given(struct gcl_spread *spread, struct gcl_stream *stream);
/// Whose device's memory an address lies in; GCL_NOBODY: no single one's.
uint32_t gcl_spread_home_of(struct gcl_spread *spread, const void *address);
bool gcl_spread_apply_allow(struct gcl_spread *spread, const struct gcl_operation *o);
/// The node whose device a stream is of; GCL_NOBODY: nodes aren't devices.
uint32_t gcl_spread_device_of(const struct gcl_spread *spread, const struct gcl_stream *stream);
/// Where nodes are devices: this node's kernels from here on come after what `stream` was given.
void gcl_spread_order_call(struct gcl_spread *spread, struct gcl_stream *stream);

#endif
