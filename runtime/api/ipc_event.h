// Events that processes share: what the functions of events do with them besides. As long as there
// are none, gcl_ipc_event_is_any says so at the price of one load.
#ifndef GCL_API_IPC_EVENT_H
#define GCL_API_IPC_EVENT_H

#include "exec/engine/engine.h"
#include "gcluster.h"

struct gcl_runtime;

bool gcl_ipc_event_is_any(void);
/// An event is recorded in a stream: other processes may wait for that moment.
gclError_t gcl_ipc_event_record(struct gcl_runtime *runtime, struct gcl_event *event,
                                struct gcl_stream *stream);
/// What a stream is given from here on comes after the event's latest record, in any process.
gclError_t gcl_ipc_event_hold(struct gcl_runtime *runtime, struct gcl_event *event,
                              struct gcl_stream *stream);
/// Waits for the latest record, or asks whether it is reached, in any process.
void gcl_ipc_event_synchronize(const struct gcl_event *event);
bool gcl_ipc_event_is_reached(const struct gcl_event *event);
/// The event goes.
void gcl_ipc_event_forget(const struct gcl_event *event);

#endif
