// What processes of a host share: what memory and events have in common.
#ifndef GCL_API_IPC_H
#define GCL_API_IPC_H

#include "gcluster.h"

struct gcl_runtime;

/// The runtime, if this process can share anything. ErrorNotSupported, after a message, if it
/// can't.
gclError_t gcl_ipc_enter(struct gcl_runtime **runtime);

#endif
